// Staff change options between basket and checkout: each change is reported, and a corrected basket is accepted.

import Support
import Testing
import Wire

@Suite("Option changes between basket and checkout", .timeLimit(.minutes(10)))
struct OptionChangeTests {
    /// A selection with an additional patty, cooked medium.
    private static let patty = [SelectedOptionBody(1102), SelectedOptionBody(1206)]

    @Test("A newly required group, a retired and a sold-out option are reported at their lines in one response")
    func changesAreReported() async throws {
        try await TestShop.run { shop in
            let storefront = shop.server.storefront
            let start = try await shop.server.startBasket()
            _ = try await storefront.addItem(2001, options: Self.patty, to: start.id)
            _ = try await storefront.addItem(
                2003, options: [SelectedOptionBody(1102), SelectedOptionBody(1501)], to: start.id)
            let basket = try await storefront.addSet(
                200,
                items: [LineBody(menuItemId: 2002, options: [SelectedOptionBody(1102), SelectedOptionBody(1202)])],
                to: start.id)
            #expect(basket.actions.contains("checkout"))
            try await shop.database.psql(
                """
                begin;
                update options set is_default = true where id = 1302;
                update option_groups set minimum = 1 where id = 13;
                update options set is_retired = true where id = 1501;
                update options set is_available = false where id = 1202;
                commit
                """)
            var form = CheckoutBody.filled(for: basket)
            form.phone = "12"
            let errors = [
                "phone: invalid_phone", "lines/1/options/13: option_group_minimum", "lines/2/options: option_unknown",
                "sales/200/items/2002/1/options/12: option_sold_out",
            ]
            #expect(try await shop.server.checkout(form, key: "k").errors == errors)
            let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
            #expect(live.errors.map { "\($0.field): \($0.code)" } == Array(errors.dropFirst()) && !live.isReady)
            #expect(try await !shop.server.basket(basket.id).actions.contains("checkout"))

            // Correct every error that the response reports.
            _ = try await storefront.changeLine(1, options: Self.patty + [SelectedOptionBody(1301)], in: basket.id)
            _ = try await storefront.changeLine(2, options: [SelectedOptionBody(1101)], in: basket.id)
            let corrected = try await storefront.changeSet(200, items: [LineBody(menuItemId: 2002)], in: basket.id)
            #expect(corrected.actions.contains("checkout"))
            _ = try await shop.server.checkout(.filled(for: corrected), key: "k").expecting(201)
        }
    }

    @Test("A changed option price is reported with both prices, also in a set, and the fresh quote is accepted")
    func price() async throws {
        try await TestShop.run { shop in
            let storefront = shop.server.storefront
            let start = try await shop.server.startBasket()
            _ = try await storefront.addItem(2001, quantity: 2, options: Self.patty, to: start.id)
            let basket = try await storefront.addSet(
                200, items: [LineBody(menuItemId: 2002), LineBody(menuItemId: 2002, options: Self.patty)], to: start.id)
            try await shop.database.psql(
                "update options set price = 305 where id = 1206; update options set title = 'Patty' where id = 1206")
            var form = CheckoutBody.filled(for: basket)
            let reply = try await shop.server.checkout(form, key: "k")
            #expect(reply.status == 409 && reply.code == "price_changed", "\(reply.text)")
            let problem = try reply.decoded(ProblemBody.self)
            #expect(
                problem.changes == [
                    PriceChangeBody(
                        path: "lines/1/options/12/1206", old: .integer(295), new: .integer(305), cause: "menu_price"),
                    PriceChangeBody(
                        path: "sales/200/items/2002/3/options/12/1206", old: .integer(295), new: .integer(305),
                        cause: "menu_price"),
                ], "\(reply.text)")
            let quote = try #require(problem.quote)
            #expect(quote.total == basket.total + 3 * 10 && quote.lines[0].options.last?.title == "Patty")
            #expect(try await shop.server.basket(basket.id).lines[0].previousUnitPrice == 805 + 295)
            form.expectedTotal = quote.total
            let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
            #expect(order.lines == quote.lines && order.sales == quote.sales)
            // The order keeps the options as ordered.
            try await shop.database.psql("update options set price = 1, title = 'Other' where id = 1206")
            #expect(
                try await shop.server.get("/v1/orders/\(order.id)").decoded(OrderBody.self).lines.map(\.options)
                    == order.lines.map(\.options))
        }
    }

    @Test("A basket's tag changes whenever its response changes: option sold out, repriced, available or retired")
    func tags() async throws {
        try await TestShop.run { shop in
            let storefront = shop.server.storefront
            let start = try await shop.server.startBasket()
            _ = try await storefront.addItem(2001, options: Self.patty, to: start.id)
            let address = "/v1/baskets/\(start.id)"
            var seen: [String: String] = [:]
            for change in [
                "set title = title", "set is_available = false", "set is_available = true", "set price = 296",
                "set sold_out_until = now() + interval '2 seconds'", "set is_retired = true",
            ] {
                let before = try await shop.server.get(address)
                try await shop.database.psql("update options \(change) where id = 1206")
                if change != "set title = title" {
                    try await eventually("the basket has changed: \(change)") {
                        try await shop.server.get(address).text != before.text
                    }
                }
                let reply = try await shop.server.get(address)
                let tag = try #require(reply.header("ETag"))
                #expect(seen[tag] == nil || seen[tag] == reply.text, "\(change)")
                seen[tag] = reply.text
                if change.contains("until") {
                    try await eventually("the option is available at its time") {
                        try await shop.server.basket(start.id).lines[0].isAvailable
                    }
                    let back = try await shop.server.get(address)
                    #expect(back.header("ETag") != tag)
                }
            }
            #expect(Set(seen.values).count >= 4)
        }
    }

    @Test("The menu without an allergen hides items that contain it by default or have unknown allergens")
    func food() async throws {
        try await TestShop.run { shop in
            let storefront = shop.server.storefront
            func ids(_ query: String) async throws -> [Int64] {
                try await shop.server.get("/v1/menu?limit=100&\(query)").expecting(200).decoded(Page<MenuItemBody>.self)
                    .items.map(\.id)
            }
            let all = try await storefront.menu(.init(limit: 100)).body.items
            for allergen in ["milk", "gluten", "celery", "mustard"] {
                let shown = try await storefront.menu(.init(withoutAllergens: [allergen], limit: 100)).body.items
                #expect(!shown.isEmpty && shown.count < all.count, "\(allergen)")
                for item in shown {
                    #expect(
                        item.allergensAreKnown && !(item.contains + item.mayContain).contains(allergen),
                        "\(allergen) \(item.id)")
                    let defaults = try #require(try await storefront.menuItem(item.id).body.optionGroups).flatMap(
                        \.options
                    ).filter(
                        \.isDefault)
                    #expect(
                        defaults.allSatisfy {
                            $0.allergensAreKnown && !($0.contains + $0.mayContain).contains(allergen)
                        })
                }
            }
            let both = try await storefront.menu(.init(withoutAllergens: ["milk", "nuts"], diet: "vegan", limit: 100))
                .body.items
            #expect(both.map(\.id).contains(3001) && both.allSatisfy { $0.diets.contains("vegan") })
            #expect(try await ids("diet=vegan&without=milk,nuts") == both.map(\.id))
            #expect(try await ids("diet=&without=") == all.map(\.id))

            // The tea has no allergens, then a default option with nuts, then one with unknown allergens.
            for allergen in ["milk", "nuts"] { #expect(try await ids("without=\(allergen)").contains(4003)) }
            try await shop.database.psql("update options set is_default = true, contains = '{nuts}' where id = 4101")
            try await eventually("the tea contains nuts") { try await !ids("without=nuts").contains(4003) }
            #expect(try await ids("without=milk").contains(4003))
            try await shop.database.psql("update options set allergens_are_known = false where id = 4101")
            try await eventually("the tea's allergens are unknown") { try await !ids("without=milk").contains(4003) }
            #expect(try await ids("").contains(4003))

            for bad in [
                "without=milk,", "without=Milk", "without=milk,,nuts", "without=milk nuts", "diet=vegan,halal",
                "diet=meat",
            ] {
                let reply = try await shop.server.get("/v1/menu?\(bad.replacing(" ", with: "+"))")
                #expect(reply.status == 400 && reply.code == "invalid_parameter", "\(bad)")
                #expect(reply.errors == ["\(bad.prefix { $0 != "=" }): invalid_parameter"], "\(bad)")
            }
        }
    }
}
