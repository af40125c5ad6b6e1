// Staff retire or change a sale while its set is in a basket. Checkout rejects the set, the basket marks it as not
// offered, and a new selection or its removal corrects the basket.

import Support
import Testing
import Wire

@Suite("Retired and changed sales", .timeLimit(.minutes(10)))
struct RetiredSaleTests {
    private static let retirement = "update sales_groups set is_retired = true where id = 200"
    private static let cut = "update sales_group_items set quantity = 2 where sales_group_id = 200"

    /// The errors of validation and checkout for a basket, each as `field: code`.
    private static func errors(_ shop: TestShop, _ basket: BasketBody) async throws -> [[String]] {
        let form = CheckoutBody.filled(for: basket)
        let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
        #expect(live.isReady == live.errors.isEmpty)
        let reply = try await shop.server.checkout(form, key: "key \(basket.version)").expecting(422)
        return [live.errors.map { "\($0.field): \($0.code)" }, reply.errors]
    }

    @Test("A set of a retired sale is rejected, its items are not offered, and without the set the rest is ordered")
    func retired() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)], sales: [200])
            let path = "/v1/baskets/\(basket.id)"
            let tag = try #require(try await shop.server.get(path).header("ETag"))
            try await shop.database.psqlAsStaff(Self.retirement)
            #expect(try await Self.errors(shop, basket) == Array(repeating: ["sales/200: sale_not_offered"], count: 2))
            #expect(try await shop.database.psql("select count(*) from orders") == "0")

            let reply = try await shop.server.get(path, headers: [("If-None-Match", tag)]).expecting(200)
            let shown = try reply.decoded(BasketBody.self)
            #expect(shown.sales[0].title == "Happy Saturday" && !shown.sales[0].isAvailable)
            #expect(shown.sales[0].unavailable == UnavailableBody(reason: "not_offered"))
            #expect(shown.sales[0].items.map(\.unavailable) == [UnavailableBody(reason: "not_offered")])
            #expect(shown.sales[0].items.allSatisfy { !$0.isAvailable } && shown.lines[0].isAvailable)
            #expect(!shown.actions.contains("checkout") && shown.actions.contains("remove_sale"))
            #expect(try await shop.server.storefront.times(basketId: basket.id).asSoonAsPossible == nil)

            let code = try await problemCode {
                try await shop.server.storefront.changeSet(200, items: [], in: basket.id)
            }
            #expect(code == "sale_not_found")
            let rest = try await shop.server.storefront.removeSet(200, from: basket.id)
            #expect(rest.actions.contains("checkout"))
            _ = try await shop.server.checkout(.filled(for: rest), key: "rest").expecting(201)
        }
    }

    @Test("A sale that is no longer a set, and a set without items, are not offered")
    func noSet() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(sales: [200])
            try await shop.database.psqlAsStaff("delete from sales_group_items where sales_group_id = 200")
            #expect(try await Self.errors(shop, basket) == Array(repeating: ["sales/200: sale_not_offered"], count: 2))
            try await shop.database.psqlAsStaff("update sales_groups set kind = 'information' where id = 200")
            #expect(try await Self.errors(shop, basket) == Array(repeating: ["sales/200: sale_not_offered"], count: 2))
        }
    }

    @Test("A set with fewer units is rejected until its dishes are selected again, and then has the new units")
    func changed() async throws {
        try await TestShop.run { shop in
            let items = [LineBody(menuItemId: 2002, note: "rare")]
            let id = try await shop.server.startBasket().id
            let basket = try await shop.server.storefront.addSet(200, items: items, to: id)
            try await shop.database.psqlAsStaff(Self.cut)
            #expect(try await Self.errors(shop, basket) == Array(repeating: ["sales/200: sale_changed"], count: 2))
            let shown = try await shop.server.basket(id)
            let notOffered = UnavailableBody(reason: "not_offered")
            #expect(shown.sales[0].items.map(\.unavailable) == [notOffered, notOffered])

            let corrected = try await shop.server.storefront.changeSet(200, items: items, in: id)
            #expect(corrected.sales[0].items.map(\.quantity) == [1, 1])
            #expect(corrected.sales[0].items.map(\.note) == ["rare", nil])
            #expect(corrected.sales[0].isAvailable && corrected.total == 2 * 899)
            let reply = try await shop.server.checkout(.filled(for: corrected), key: "k").expecting(201)
            let order = try reply.decoded(OrderBody.self)
            #expect(order.sales[0].items.map(\.quantity) == [1, 1] && order.total == 2 * 899)
        }
    }

    @Test("An item that the guest removed from a set stays removed on every server and after other changes")
    func removedItem() async throws {
        try await TestShop.run { shop in
            try await TestShop.run(on: shop.database) { other in
                let id = try await shop.server.startBasket(sales: [400, 200]).id
                let reduced = try await shop.server.storefront.removeItem(1003, fromSet: 400, in: id)
                #expect(reduced.actions.contains("checkout"))
                #expect(try await shop.database.psql("select removed_items from baskets") == #"{"(400,1003)"}"#)
                // A server without the basket in its cache knows the removal too.
                let chosen = try await other.server.storefront.changeSet(400, items: [], in: id)
                #expect(chosen.sales[0].items.map(\.menuItemId) == [1002])
                _ = try await other.server.add(2001, to: id).expecting(200)
                let unchanged = try await shop.server.storefront.changeSet(400, items: [], in: id)
                #expect(unchanged.sales.map { $0.items.map(\.menuItemId) } == [[1002], [2002]])
                _ = try await shop.server.checkout(.filled(for: unchanged), key: "k").expecting(201)
                #expect(try await shop.database.psql("select removed_items from baskets") == #"{"(400,1003)"}"#)
            }
        }
    }

    @Test("A sale that is retired between quote and checkout is rejected, also with the basket in the server's cache")
    func race() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(sales: [200])
            let form = CheckoutBody.filled(for: basket)
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            try await shop.database.psqlAsStaff(Self.retirement)
            let reply = try await shop.server.checkout(form, key: "k").expecting(422)
            #expect(reply.errors == ["sales/200: sale_not_offered"])
            try await shop.database.psqlAsStaff("update sales_groups set is_retired = false where id = 200")
            _ = try await shop.server.checkout(form, key: "k").expecting(201)
        }
    }
}
