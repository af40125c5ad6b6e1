// Totals over HTTP: quote, checkout, order, database rows and staff board show the same list in each currency.

import Foundation
import Support
import Testing
import Wire

@Suite("Totals add up and are the same in every response", .timeLimit(.minutes(10)))
struct OrderTotalsTests {
    private static func described(_ totals: [TotalBody]) -> [String] {
        totals.map { line in
            let rate = line.rate.map { " \($0)%" } ?? ""
            return "\(line.kind) \(line.code ?? "-") \(line.amount)\(line.isIncluded == true ? " included" : "")\(rate)"
        }
    }

    @Test(
        "In each currency, quote, order and staff board show the same list of totals, which adds up",
        arguments: ["USD", "JPY", "KWD"])
    func everything(currency: String) async throws {
        try await StaffTests.run { shop in
            let exponent = ["USD": 2, "JPY": 0, "KWD": 3][currency]
            try await shop.database.psql(
                """
                begin;
                update shop set currency = '\(currency)', prices_include_tax = false, service_tax_rate_id = null;
                insert into tax_rates (id, title, percent) values (1, 'Food', 7), (2, 'Drinks', 8.875);
                insert into category_taxes (category_id, tax_rate_id) values (200, 1);
                insert into category_taxes (category_id, fulfilment, tax_rate_id) values
                    (400, 'delivery', 2), (400, 'pickup', 1);
                insert into delivery_areas (id, title, postcodes) values (1, 'All', '{*}');
                insert into delivery_fees (area_id, from_subtotal, fee) values (1, 0, 300);
                update fulfilments set small_order_below = 5000, small_order_fee = 100, service_charge_percent = 2.5
                    where fulfilment = 'delivery';
                update shop set delivery_tax_rate_id = 1;
                commit;
                """)
            // 1610 of food and 285 of drinks.
            let basket = try await shop.server.startBasket(items: [(2001, 2), (4001, 1)])
            #expect(basket.total == 1895 && basket.currency == currency && basket.currencyExponent == exponent)
            var form = CheckoutBody.filled(for: basket, coupon: "FRST")
            (form.postcode, form.tip) = ("10117", 200)
            let quote = try #require(try await shop.server.validate(form).decoded(ValidationBody.self).quote)
            // 10 % of 1895 is 189.5. 1706 remain, rounded half up: the discount is 189, 161 of food and 28 of drinks.
            // The service charge is 2.5 % of 1895 = 47.375. With the small-order fee it is 147, shared 1449 : 257.
            // Taxes: 7 % of (1449 + 300 + 147 × 1449 / 1706) = 131.17…; 8.875 % of (257 + 147 × 257 / 1706) = 24.77…
            #expect(
                Self.described(quote.totals) == [
                    "subtotal - 1895", "discount FRST -189", "delivery_fee - 300", "small_order_fee - 100",
                    "service_charge - 47",
                    "tax 1 131 7%", "tax 2 25 8.875%", "tip - 200", "total - 2509",
                ])
            #expect(quote.currency == currency && quote.currencyExponent == exponent && quote.total == 2509)
            let addedAmounts = quote.totals.dropLast().filter { $0.isIncluded != true }.reduce(0) { $0 + $1.amount }
            #expect(addedAmounts == quote.total)
            for (line, rate) in zip(quote.lines, [131, 25] as [Int64]) { #expect(line.tax > 0 && line.tax <= rate) }
            (form.expectedTotal, form.expectedTotals, form.currency) = (quote.total, quote.totals, quote.currency)
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            let reply = try await shop.server.checkout(form, key: "k").expecting(201)
            let order = try reply.decoded(OrderBody.self)
            #expect(try await shop.server.checkout(form, key: "k").body == reply.body)
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            let own = try await shop.server.get("/v1/orders/\(order.id)", headers: token).decoded(OrderBody.self)
            let staff = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer)
                .decoded(OrderBody.self)
            let listed = try await shop.server.get("/v1/staff/orders", headers: StaffTests.bearer).decoded(
                Page<OrderBody>.self)
            for seen in [order, own, staff, try #require(listed.items.first)] {
                #expect(seen.totals == quote.totals && seen.lines == quote.lines && seen.total == quote.total)
                #expect(seen.currency == currency && seen.currencyExponent == exponent)
            }
            // Without the order token, the response has the taxes but no coupon.
            let shared = try await shop.server.get("/v1/orders/\(order.id)").decoded(OrderBody.self)
            #expect(
                Self.described(shared.totals).filter { !$0.hasPrefix("discount") }
                    == Self.described(quote.totals).filter { !$0.hasPrefix("discount") })
            #expect(shared.lines.map(\.tax) == quote.lines.map(\.tax))
            #expect(
                try await shop.database.psql(
                    """
                    select string_agg(kind || ' ' || coalesce(code, '-') || ' ' || amount, ',' order by position)
                    from order_totals
                    """
                ) == quote.totals.map { "\($0.kind) \($0.code ?? "-") \($0.amount)" }.joined(separator: ","))
        }
    }

    @Test("A tax that is included in the prices does not change the total, and each line shows its part")
    func included() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                insert into tax_rates (id, title, percent) values (7, 'MwSt', 19);
                insert into category_taxes (category_id, tax_rate_id) values (200, 7), (400, 7)
                """)
            let basket = try await shop.server.startBasket(items: [(2001, 1), (4001, 1), (3001, 1)])
            let form = CheckoutBody.filled(for: basket)
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
            // 19/119 of 805 + 285 is 174.03…; fries are untaxed.
            #expect(Self.described(order.totals) == ["subtotal - 1549", "tax 7 174 included 19%", "total - 1549"])
            #expect(order.lines.map(\.tax) == [129, 45, 0] && order.totals[1].title == "MwSt")
        }
    }

    @Test(
        "The small-order fee ends exactly at its limit, and each fulfilment has its own service charge"
    )
    func terms() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                update fulfilments set small_order_below = 1610, small_order_fee = 120 where fulfilment = 'delivery';
                update fulfilments set service_charge_amount = 50 where fulfilment = 'pickup'
                """)
            for (quantity, fulfilment, expected) in [
                (2, nil, ["subtotal - 1610", "total - 1610"]),
                (1, nil, ["subtotal - 805", "small_order_fee - 120", "total - 925"]),
                (1, "pickup", ["subtotal - 805", "service_charge - 50", "total - 855"]),
            ] as [(Int64, String?, [String])] {
                var form = CheckoutBody(basketId: try await shop.server.startBasket(items: [(2001, quantity)]).id)
                form.fulfilment = fulfilment
                let quote = try #require(try await shop.server.validate(form).decoded(ValidationBody.self).quote)
                #expect(Self.described(quote.totals) == expected)
            }
            try await shop.database.psql(
                "update fulfilments set service_charge_percent = 10 where fulfilment = 'pickup'")
            var both = CheckoutBody(basketId: try await shop.server.startBasket(items: [(2001, 1)]).id)
            (both.fulfilment, both.coupon) = ("pickup", "FRST")
            let quote = try #require(try await shop.server.validate(both).decoded(ValidationBody.self).quote)
            // 10 % of 805, rounded half up, plus 50.
            #expect(
                Self.described(quote.totals)
                    == ["subtotal - 805", "discount FRST -80", "service_charge - 131", "total - 856"])
            // The subtotal is one unit below the limit.
            try await shop.database.psql(
                "update fulfilments set small_order_below = 1611 where fulfilment = 'delivery'")
            let basket = try await shop.server.startBasket(items: [(2001, 2)])
            #expect(
                try await shop.server.validate(CheckoutBody(basketId: basket.id)).decoded(ValidationBody.self).quote?
                    .totals.map(\.kind)
                    == ["subtotal", "small_order_fee", "total"])
        }
    }
}
