// Receipts over HTTP: their content, their stability and their access.
// Tests/Tools/Browser/test_receipt.py prints them.

import Foundation
import Support
import Testing
import Wire

@Suite("Receipts", .timeLimit(.minutes(10)))
struct ReceiptTests {
    private static let taxes = """
        begin;
        insert into tax_rates (id, title, percent) values (1, 'Food', 7), (2, 'Drinks', 19);
        insert into category_taxes (category_id, tax_rate_id) values (200, 1), (400, 2);
        insert into delivery_areas (id, title, postcodes) values (1, 'All', '{*}');
        insert into delivery_fees (area_id, from_subtotal, fee) values (1, 0, 300);
        update shop set name = 'Elms', address = '12 Baker Lane', tax_number = 'DE123456789';
        commit
        """

    private static func placeOrder(_ shop: TestShop, guest: Int, coupon: String? = nil, tip: Int64? = nil) async throws
        -> OrderBody
    {
        // 1610 of food, 285 of drinks, 459 untaxed.
        let basket = try await shop.server.startBasket(items: [(2001, 2), (4001, 1), (3001, 1)])
        var form = CheckoutBody.filled(for: basket, guest: guest, coupon: coupon)
        (form.postcode, form.tip) = ("10117", tip)
        form.expectedTotal = try await shop.server.validate(form).decoded(ValidationBody.self).quote?.total
        return try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
    }

    private static func receipt(_ shop: TestShop, _ order: OrderBody) async throws -> (body: ReceiptBody, etag: String?)
    {
        let reply = try await shop.server.get("/v1/orders/\(order.id)/receipt", headers: token(order)).expecting(200)
        return (try reply.decoded(), reply.header("ETag"))
    }

    private static func token(_ order: OrderBody) -> [(String, String)] {
        [("Authorization", "Bearer \(order.accessToken ?? "")")]
    }

    private static func described(_ taxes: [ReceiptTaxBody]) -> [String] {
        taxes.map { "\($0.code) \($0.title) \($0.rate)% \($0.gross) = \($0.net) + \($0.tax)" }
    }

    @Test("A receipt has shop, order and the taxes of each rate, and later prices and rates do not change it")
    func contents() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(Self.taxes)
            let included = try await Self.placeOrder(shop, guest: 1, coupon: "FRST", tip: 100)
            // The discount is 10 % of 2354, rounded to 235: 161, 28 and 46 for the lines. 2119 remain.
            // The fee of 300 is shared 1449 : 257 : 413 among the lines: 205, 36 and 59.
            #expect(included.totals.map(\.amount) == [2354, -235, 300, 108, 47, 100, 2519])
            let before = try await Self.receipt(shop, included)
            let expected = ["1 Food 7% 1654 = 1546 + 108", "2 Drinks 19% 293 = 246 + 47"]
            #expect(Self.described(before.body.taxes) == expected)
            // The rest of the total is untaxed: goods of 413, their share of 59 of the fee, and the tip of 100.
            #expect(included.total - before.body.taxes.reduce(0) { $0 + $1.gross } == 413 + 59 + 100)
            let shown = try await shop.server.get("/v1/orders/\(included.id)", headers: Self.token(included)).decoded(
                OrderBody.self)
            #expect(
                before.body.order == shown && shown.lines.map(\.tax).allSatisfy { $0 >= 0 }
                    && shown.customer?.name == "Ann Lee")
            #expect(
                before.body.shop
                    == ReceiptShopBody(title: "Elms", address: "12 Baker Lane", phone: nil, taxNumber: "DE123456789"))
            #expect(
                try await shop.database.psql(
                    "select kind, code, net from order_totals where net is not null order by position")
                    == "tax|1|1546\ntax|2|246")

            try await shop.database.psql(
                """
                begin; update shop set prices_include_tax = false; update tax_rates set percent = 50, title = 'Other';
                update menu_items set price = 9999 where id = 2001; update delivery_fees set fee = 1; commit
                """)
            try await eventually("the server has loaded the new rates") {
                try await shop.server.get("/v1/delivery?postcode=1").decoded(DeliveryBody.self).fees.first?.fee == 1
            }
            let after = try await Self.receipt(shop, included)
            #expect(after.body == before.body && after.etag == before.etag)
            // The tax is added: half of 2 × 9999 and of its share of a fee of 1.
            let added = try await Self.placeOrder(shop, guest: 2)
            #expect(
                Self.described(try await Self.receipt(shop, added).body.taxes).first
                    == "1 Other 50% 29997 = 19998 + 9999")
        }
    }

    @Test("A receipt requires the order token in the header, and a conditional GET returns 304 until it changes")
    func read() async throws {
        try await TestShop.run { shop in
            let (order, other) = (try await shop.server.order(), try await shop.server.order(guest: 2))
            let path = "/v1/orders/\(order.id)/receipt"
            for (headers, query) in [
                ([], ""), ([], "?token=\(order.accessToken ?? "")"), (Self.token(other), ""),
                ([("Authorization", "Bearer x")], ""),
            ] as [([(String, String)], String)] {
                let reply = try await shop.server.get(path + query, headers: headers)
                #expect(reply.status == 401 && !reply.text.contains("Ann Lee"))
            }
            #expect(
                try await shop.server.get("/v1/orders/\(order.id)x/receipt", headers: Self.token(order)).status == 404)
            let reply = try await shop.server.get(path, headers: Self.token(order)).expecting(200)
            #expect(reply.header("Cache-Control") == "private, no-cache" && reply.header("Content-Language") == "en")
            #expect(reply.header("Vary")?.contains("Authorization") == true)
            #expect(try reply.decoded(ReceiptBody.self).taxes == [])
            let etag = try #require(reply.header("ETag"))
            #expect(!etag.hasPrefix("W/"))
            let known = Self.token(order) + [("If-None-Match", etag)]
            #expect(try await shop.server.get(path, headers: known).status == 304)
            try await shop.database.psql("update shop set tax_number = '12/345'")
            try await eventually("the receipt has a tax number") {
                try await shop.server.get(path, headers: known).status == 200
            }
            let number = try await Self.receipt(shop, order)
            #expect(number.body.shop.taxNumber == "12/345" && number.etag != etag)
            try await shop.database.psql("select advance_order('\(order.number)', 'rejected', 'closed')")
            let rejected = try await Self.receipt(shop, order)
            #expect(rejected.body.order.state == "rejected" && rejected.etag != number.etag)
        }
    }
}
