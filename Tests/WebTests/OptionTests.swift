// Options over HTTP: which can be selected, what was selected, and every invalid selection.

import Support
import Testing
import Wire

@Suite("Options", .timeLimit(.minutes(10)))
struct OptionTests {
    @Test("An item lists its options, and a selection is priced and shown as a tree in basket, quote and order")
    func chosen() async throws {
        try await StaffTests.run { shop in
            let storefront = shop.server.storefront
            let item = try await storefront.menuItem(2001).body
            #expect(item.hasOptions && !item.needsChoice && item.optionGroups?.map(\.id) == [11, 12, 13])
            let extras = try #require(item.optionGroups?[1])
            #expect(extras.title == "Extras" && extras.minimum == 0 && extras.maximum == 6 && extras.included == 0)
            #expect(extras.options.first?.contains == ["milk"] && extras.options.first?.price == 95)
            let combo = try await storefront.menuItem(1001).body
            let drink = try #require(combo.optionGroups?.first { $0.id == 21 }?.options.first { $0.isDefault })
            #expect(drink.id == 2101 && drink.optionGroups.map(\.id) == [23])
            #expect(drink.optionGroups[0].options.map(\.optionGroups.count) == [0, 1])
            #expect(try await storefront.menuItem(3001).body.optionGroups == [])
            #expect(try await storefront.menu().body.items.allSatisfy { $0.optionGroups == nil })

            let basket = try await shop.server.startBasket()
            var filled = try await storefront.addItem(
                1001,
                options: [
                    SelectedOptionBody(2104, options: [SelectedOptionBody(2302, options: [SelectedOptionBody(2402)])]),
                    SelectedOptionBody(1101),
                    SelectedOptionBody(1201, quantity: 2), SelectedOptionBody(2501),
                ], to: basket.id)
            let line = try #require(filled.lines.first)
            let cup = LineOptionBody(
                optionId: 2402, groupId: 24, title: "Cup to keep", quantity: 1, price: 250, total: 250)
            let size = LineOptionBody(
                optionId: 2302, groupId: 23, title: "Large", quantity: 1, price: 80, total: 330, options: [cup])
            #expect(
                line.options.contains(
                    LineOptionBody(optionId: 1201, groupId: 12, title: "Cheddar", quantity: 2, price: 95, total: 190)))
            #expect(
                line.options.contains(
                    LineOptionBody(
                        optionId: 2104, groupId: 21, title: "Orange Juice", quantity: 1, price: 95, total: 425,
                        options: [size]))
            )
            #expect(line.unitPrice == combo.currentPrice + 190 + 425)
            #expect(line.regularUnitPrice == combo.price + 190 + 425 && line.contains.contains("milk"))

            // Equal selections share a line in any order. No selection means the default options.
            _ = try await storefront.addItem(2001, to: basket.id)
            filled = try await storefront.addItem(2001, options: [SelectedOptionBody(1102)], to: basket.id)
            #expect(filled.lines.map(\.quantity) == [1, 2] && filled.lines[1].options.map(\.optionId) == [1102])
            filled = try await storefront.changeLine(
                2, options: [SelectedOptionBody(1103), SelectedOptionBody(1202)], in: basket.id)
            #expect(filled.lines[1].options.map(\.optionId) == [1103, 1202] && filled.lines[1].unitPrice == 805 + 145)
            filled = try await storefront.addSet(
                200, items: [LineBody(menuItemId: 2002, options: [SelectedOptionBody(1101)])], to: basket.id)
            #expect(filled.sales[0].items.map { $0.options.map(\.optionId) } == [[1101], [1102]])

            let form = CheckoutBody.filled(for: filled)
            let quote = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
            #expect(quote.isReady && quote.quote?.lines.map(\.options) == filled.lines.map(\.options))
            let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
            #expect(order.lines.map(\.options) == filled.lines.map(\.options))
            #expect(order.sales[0].items.map(\.options) == filled.sales[0].items.map(\.options))
            // Without the order token, the selection is visible but the guest's data is not.
            let withoutToken = try await shop.server.get("/v1/orders/\(order.id)").expecting(200).decoded(
                OrderBody.self)
            #expect(withoutToken.lines.map(\.options) == order.lines.map(\.options) && withoutToken.customer == nil)
            let staff = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer)
                .decoded(OrderBody.self)
            #expect(staff.lines.map(\.options) == order.lines.map(\.options))
        }
    }

    @Test("All errors of a selection are listed at their groups in the contract's order, and nothing changes")
    func refused() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            try await shop.database.psql("update options set is_available = false where id = 1201")
            try await eventually("the cheddar is sold out") {
                try await shop.server.storefront.menuItem(2001).body.optionGroups?[1].options[0].isAvailable == false
            }
            func add(_ rest: String, _ item: Int = 2001) async throws -> TestServer.Reply {
                try await shop.server.post("/v1/baskets/\(basket.id)/items", json: #"{"menuItemId":\#(item),\#(rest)}"#)
            }
            let note = String(repeating: "x", count: 141)
            let all = try await add(
                #""options":[{"optionId":1206,"quantity":5},{"optionId":1201,"quantity":2},{"optionId":9999},"#
                    + #"{"optionId":1401}],"note":"\#(note)""#
            )
            #expect(all.status == 422 && all.code == "validation_failed")
            #expect(
                all.errors == [
                    "options: option_unknown", "options: option_unknown", "options/11: option_group_minimum",
                    "options/12: option_group_maximum", "options/12: option_sold_out",
                    "options/12: option_quantity_out_of_range",
                    "note: too_long",
                ], "\(all.errors)")
            let errors = try all.decoded(ProblemBody.self).errors ?? []
            #expect(
                errors.map { $0.params["optionId"] } == [
                    .integer(9999), .integer(1401), nil, nil, .integer(1201), .integer(1206), nil,
                ])
            #expect(errors[2].params == ["minimum": .integer(1), "chosen": .integer(0)])
            #expect(errors[3].params == ["maximum": .integer(6), "chosen": .integer(7)])
            #expect(errors[5].params == ["maximum": .integer(1), "chosen": .integer(5), "optionId": .integer(1206)])

            // The path of a nested error names the options above it.
            let deep =
                #""options":[{"optionId":2102,"options":[{"optionId":2302,"options":[]}]},"#
                + #"{"optionId":1102},{"optionId":2501}]"#
            #expect(try await add(deep, 1001).errors == ["options/21/2102/23/2302/24: option_group_minimum"])
            for (choice, firstError) in [
                (#"[{}]"#, "options/0/optionId: required"), (#"[{"optionId":null}]"#, "options/0/optionId: required"),
                (
                    #"[{"optionId":1102},{"optionId":1206,"options":[{"quantity":1}]}]"#,
                    "options/1/options/0/optionId: required"
                ), (#"[{"optionId":1102,"quantity":0}]"#, "options/11: option_group_minimum"),
                (#"[{"optionId":1102,"quantity":-9223372036854775808}]"#, "options/11: option_group_minimum"),
                (#"[{"optionId":1102,"quantity":9223372036854775807}]"#, "options/11: option_group_maximum"),
                (#"[{"optionId":-9223372036854775808}]"#, "options: option_unknown"),
            ] {
                let reply = try await add(#""options":\#(choice)"#)
                #expect(reply.status == 422 && reply.errors.first == firstError, "\(choice) \(reply.text)")
            }
            let many = (1...60).map { _ in #"{"optionId":1204}"# }.joined(separator: ",")
            let tooMany = try await add(#""options":[{"optionId":1102,"options":[\#(many)]},\#(many)]"#)
            #expect(tooMany.status == 422 && tooMany.errors == ["options: too_many_options"], "\(tooMany.text)")
            // A flat list with up to 3,000 options, which fits into a body.
            for count in [101, 3_000] {
                let flat = (1...count).map { _ in #"{"optionId":1204}"# }.joined(separator: ",")
                let reply = try await add(#""options":[\#(flat)]"#)
                #expect(reply.status == 422 && reply.errors == ["options: too_many_options"], "\(count): \(reply.text)")
            }
            let put = try await shop.server.send(
                "PATCH", "/v1/baskets/\(basket.id)/lines/1", headers: [("Content-Type", "application/json")],
                body: Array(#"{"options":[]}"#.utf8))
            #expect(put.status == 422 && put.errors == ["options/11: option_group_minimum"])
            let set = try await shop.server.post(
                "/v1/baskets/\(basket.id)/sales",
                json: #"{"salesGroupId":200,"items":[{"menuItemId":2002},{"menuItemId":2002,"options":[]}]}"#)
            #expect(
                set.status == 422 && set.errors == ["sales/200/items/2002/2/options/11: option_group_minimum"],
                "\(set.text)")
            #expect(try await shop.server.basket(basket.id) == basket)
        }
    }

    @Test("Deeply nested lists up to the size of a body are rejected and change nothing")
    func deep() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket()
            let nested = [
                String(repeating: "[", count: 30_000), String(repeating: #"[{"options":"#, count: 5000),
                String(repeating: #"{"options":["#, count: 5000), "[" + String(repeating: "[],", count: 20_000) + "[]]",
                "[" + String(repeating: "{},", count: 20_000) + "{}]",
            ]
            for body in nested {
                for (path, json) in [
                    ("items", #"{"menuItemId":2001,"options":\#(body)}"#),
                    ("sales", #"{"salesGroupId":200,"items":[{"menuItemId":2002,"options":\#(body)}]}"#),
                ] {
                    let reply = try await shop.server.post("/v1/baskets/\(basket.id)/\(path)", json: json)
                    // A list of empty objects is well formed, but its options are missing.
                    let isWellFormed = body.hasPrefix("[{}")
                    #expect(reply.status == (isWellFormed ? 422 : 400), "\(body.prefix(20))")
                    #expect(
                        reply.code == (isWellFormed ? "validation_failed" : "malformed_body"),
                        "\(reply.text.prefix(300))")
                }
            }
            #expect(try await shop.server.basket(basket.id) == basket)
        }
    }

    @Test("Checkout requires age confirmation when the basket contains an age-restricted item")
    func age() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                update options set minimum_age = 21 where id = 2105;
                update menu_items set minimum_age = 18 where id = 4005
                """)
            let storefront = shop.server.storefront
            try await eventually("the server has loaded the age") {
                try await storefront.menuItem(4005).body.minimumAge == 18
            }
            let empty = try await shop.server.startBasket(items: [(4005, 1)])
            #expect(empty.minimumAge == 18 && empty.lines[0].minimumAge == 18)
            let basket = try await storefront.addItem(
                1001, options: [SelectedOptionBody(2105), SelectedOptionBody(1102), SelectedOptionBody(2501)],
                to: empty.id)
            #expect(basket.lines.map(\.minimumAge) == [18, 21] && basket.minimumAge == 21)
            var form = CheckoutBody.filled(for: basket)
            for answer in [nil, false] {
                form.ageConfirmed = answer
                let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
                #expect(live.fields[.ageConfirmed]?.code == "age_confirmation_required" && !live.isReady)
                let reply = try await shop.server.checkout(form, key: "k")
                #expect(reply.status == 422 && reply.errors == ["ageConfirmed: age_confirmation_required"])
                #expect(try reply.decoded(ProblemBody.self).errors?.first?.params == ["age": .integer(21)])
            }
            form.ageConfirmed = true
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
            #expect(order.minimumAge == 21)
            #expect(try await shop.server.get("/v1/orders/\(order.id)").decoded(OrderBody.self).minimumAge == 21)
            #expect(
                try await shop.server.checkout(form, key: "k").expecting(201).header("Idempotency-Replayed") == "true")
            form.ageConfirmed = nil
            #expect(try await shop.server.checkout(form, key: "k").code == "idempotency_key_reused")
            #expect(try await shop.server.order([(3001, 1)], guest: 2).minimumAge == nil)
        }
    }
}
