// What it all comes to, over HTTP: fees, service, taxes and tip in one list that is the same in quote, checkout, order, rows and on the staff's board; in
// currencies with and without decimals. Read next: Sources/Ordering/Totals/Taxation.swift, TipTests.swift.

import Foundation
import Support
import Testing
import Wire

@Suite("Promise 13: totals add up, and are the same wherever they stand", .timeLimit(.minutes(10)))
struct BillTests {
    private static func written(_ totals: [TotalBody]) -> [String] {
        totals.map {
            "\($0.kind) \($0.code ?? "-") \($0.amount)\($0.isIncluded == true ? " included" : "")\($0.rate.map { " \($0)%" } ?? "")"
        }
    }

    @Test(
        "Discount, fees, service, two taxes and a tip make one list in each currency, whose parts add up, from the quote to the staff's board",
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
                insert into category_taxes (category_id, fulfilment, tax_rate_id) values (400, 'delivery', 2), (400, 'pickup', 1);
                insert into delivery_areas (id, title, postcodes) values (1, 'All', '{*}');
                insert into delivery_fees (area_id, from_subtotal, fee) values (1, 0, 300);
                update fulfilments set small_order_below = 5000, small_order_fee = 100, service_charge_percent = 2.5 where fulfilment = 'delivery';
                update shop set delivery_tax_rate_id = 1;
                commit;
                """)
            // 1610 of food, 285 of drinks.
            let basket = try await shop.server.startBasket(items: [(2001, 2), (4001, 1)])
            #expect(basket.total == 1895 && basket.currency == currency && basket.currencyExponent == exponent)
            var form = CheckoutBody.filled(for: basket, coupon: "FRST")
            (form.postcode, form.tip) = ("10117", 200)
            let quote = try #require(try await shop.server.validate(form).decoded(ValidationBody.self).quote)
            // Of 1895 a tenth is 189.5, so 1706 is paid and 189 are off: 161 of the food (rounded by the largest rest) and 28 of the drinks.
            // Service: 2.5 % of 1895 is 47.375. Small order and service, 147, follow the goods: 1449 and 257 of 1706.
            // Food: 7 % of 1449 + 300 + 147 × 1449 / 1706 = 131.17…; drinks: 8.875 % of 257 + 147 × 257 / 1706 = 24.77…
            #expect(
                Self.written(quote.totals) == [
                    "subtotal - 1895", "discount FRST -189", "delivery_fee - 300", "small_order_fee - 100", "service_charge - 47",
                    "tax 1 131 7%", "tax 2 25 8.875%", "tip - 200", "total - 2509",
                ])
            #expect(quote.currency == currency && quote.currencyExponent == exponent && quote.total == 2509)
            let isAdded = quote.totals.dropLast().filter { $0.isIncluded != true }.reduce(0) { $0 + $1.amount }
            #expect(isAdded == quote.total)
            for (line, rate) in zip(quote.lines, [131, 25] as [Int64]) { #expect(line.tax > 0 && line.tax <= rate) }
            (form.expectedTotal, form.expectedTotals, form.currency) = (quote.total, quote.totals, quote.currency)
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            let reply = try await shop.server.checkout(form, key: "k").expecting(201)
            let order = try reply.decoded(OrderBody.self)
            #expect(try await shop.server.checkout(form, key: "k").body == reply.body)
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            let own = try await shop.server.get("/v1/orders/\(order.id)", headers: token).decoded(OrderBody.self)
            let staff = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer).decoded(OrderBody.self)
            let listed = try await shop.server.get("/v1/staff/orders", headers: StaffTests.bearer).decoded(Page<OrderBody>.self)
            for seen in [order, own, staff, try #require(listed.items.first)] {
                #expect(seen.totals == quote.totals && seen.lines == quote.lines && seen.total == quote.total)
                #expect(seen.currency == currency && seen.currencyExponent == exponent)
            }
            // Who only has the link sees the taxes and no coupon.
            let shared = try await shop.server.get("/v1/orders/\(order.id)").decoded(OrderBody.self)
            #expect(
                Self.written(shared.totals).filter { !$0.hasPrefix("discount") }
                    == Self.written(quote.totals).filter { !$0.hasPrefix("discount") })
            #expect(shared.lines.map(\.tax) == quote.lines.map(\.tax))
            #expect(
                try await shop.database.psql(
                    "select string_agg(kind || ' ' || coalesce(code, '-') || ' ' || amount, ',' order by position) from order_totals"
                ) == quote.totals.map { "\($0.kind) \($0.code ?? "-") \($0.amount)" }.joined(separator: ","))
        }
    }

    @Test("A tax that the prices hold changes no total: it stands there as included, with its rate, and each line tells its part")
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
            // 19/119 of 805 + 285 is 174.03…; the fries are untaxed.
            #expect(Self.written(order.totals) == ["subtotal - 1549", "tax 7 174 included 19%", "total - 1549"])
            #expect(order.lines.map(\.tax) == [129, 45, 0] && order.totals[1].title == "MwSt")
        }
    }

    @Test(
        "The small order's fee ends at exactly its limit, service may be an amount, a percent before coupons, or both, and pickup has terms of its own"
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
                #expect(Self.written(quote.totals) == expected)
            }
            try await shop.database.psql("update fulfilments set service_charge_percent = 10 where fulfilment = 'pickup'")
            var both = CheckoutBody(basketId: try await shop.server.startBasket(items: [(2001, 1)]).id)
            (both.fulfilment, both.coupon) = ("pickup", "FRST")
            let quote = try #require(try await shop.server.validate(both).decoded(ValidationBody.self).quote)
            // A tenth of 805, half up, and 50.
            #expect(Self.written(quote.totals) == ["subtotal - 805", "discount FRST -80", "service_charge - 131", "total - 856"])
            // One unit below the limit.
            try await shop.database.psql("update fulfilments set small_order_below = 1611 where fulfilment = 'delivery'")
            let basket = try await shop.server.startBasket(items: [(2001, 2)])
            #expect(
                try await shop.server.validate(CheckoutBody(basketId: basket.id)).decoded(ValidationBody.self).quote?.totals.map(\.kind)
                    == ["subtotal", "small_order_fee", "total"])
        }
    }
}
