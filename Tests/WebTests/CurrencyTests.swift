// Changes of the shop's currency while guests order: an amount always belongs to the currency it was shown in.

import Foundation
import Support
import Testing
import Wire

@Suite("Currency", .timeLimit(.minutes(10)))
struct CurrencyTests {
    @Test("A currency change returns 409 with both codes, and the fresh quote or a changed basket is accepted")
    func changed() async throws {
        try await TestShop.run { shop in
            let first = try await shop.server.startBasket(items: [(2001, 2)])
            let second = try await shop.server.startBasket(items: [(2001, 1)])
            #expect(first.total == 1610 && first.currency == "USD" && first.currencyExponent == 2)
            try await shop.database.psql("update shop set currency = 'KWD'")

            var form = CheckoutBody.filled(for: first)
            #expect(try await !shop.server.validate(form).decoded(ValidationBody.self).isReady)
            for sent in [nil, "USD"] {
                form.currency = sent
                let problem = try await shop.server.checkout(form, key: "k").expecting(409).decoded(ProblemBody.self)
                #expect(problem.code == "price_changed")
                #expect(
                    problem.changes == [
                        PriceChangeBody(path: "currency", old: .text("USD"), new: .text("KWD"), cause: "currency")
                    ])
                #expect(
                    problem.quote?.total == 1610 && problem.quote?.currency == "KWD"
                        && problem.quote?.currencyExponent == 3)
            }
            form.currency = "KWD"
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
            #expect(order.total == 1610 && order.currency == "KWD" && order.currencyExponent == 3)

            // A change of the other basket shows all its prices in the new currency.
            let shown = try await shop.server.add(4001, to: second.id).expecting(200).decoded(BasketBody.self)
            #expect(shown.currency == "KWD" && shown.lines.allSatisfy { $0.previousUnitPrice == nil })
            #expect(
                try await shop.server.checkout(.filled(for: shown, guest: 2), key: "k").expecting(201).decoded(
                    OrderBody.self
                ).currency
                    == "KWD")
            #expect(try await shop.database.psql("select distinct currency from orders") == "KWD")
        }
    }

    @Test("A checkout without a currency keeps its earlier fingerprint, and the same key with a currency is rejected")
    func fingerprint() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody.filled(for: basket)
            let first = try await shop.server.checkout(form, key: "k").expecting(201)
            #expect(try await shop.server.checkout(form, key: "k").body == first.body)
            // The digest has not changed, so replays of orders from before the currency field are still recognised.
            let digest = try await shop.database.psql("select encode(fingerprint, 'hex') from orders")
            let fields = ["Ann Lee", "(212) 550-0001", "ann.lee+1@example.com", "12 Elm Street, Springfield"]
            let bytes = fields.map { field in
                "01" + Self.hex(UInt64(field.utf8.count)) + field.utf8.map { Self.hex($0) }.joined()
            }
            .joined()
            let known = try await shop.database.psql(
                "select encode(substr(sha256(decode('\(bytes)000000\(Self.hex(UInt64(805)))', 'hex')), 1, 16), 'hex')")
            #expect(digest == known)
            for currency in ["USD", "EUR", "", "usd"] {
                form.currency = currency
                #expect(try await shop.server.checkout(form, key: "k").code == "idempotency_key_reused", "\(currency)")
            }
        }
    }

    private static func hex(_ number: some FixedWidthInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
    }

    @Test(
        "While the currency changes on two servers, each order has the currency that its guest saw"
    )
    func race() async throws {
        try await TestShop.run { shop in
            try await TestShop.run(on: shop.database) { other in
                try await shop.database.psql(
                    """
                    insert into coupons (id, key, title, description, benefit, amount)
                    values (90, 'OFF', 'Off', 'Some off.', 'amount', 5)
                    """
                )
                let stopSignal = StopSignal()
                async let staff: Void = {
                    for round in 0... {
                        if await stopSignal.isStopped { return }
                        try await shop.database.psql("update shop set currency = '\(round % 2 == 0 ? "KWD" : "USD")'")
                    }
                }()
                let servers = [shop.server, other.server]
                let outcomes = try await inParallel(120) { n -> Int in
                    let server = servers[n % 2]
                    let basket = try await server.startBasket(items: [(2001, 2)])
                    var form = CheckoutBody.filled(for: basket, guest: n)
                    if n % 3 == 0 { (form.coupon, form.expectedTotal) = ("OFF", 1605) }
                    let sent = form
                    let reply = try await retryingWhileBusy { try await server.checkout(sent, key: "k") }
                    if reply.status == 201 {
                        #expect(try reply.decoded(OrderBody.self).currency == basket.currency)
                    } else {
                        let problem = try reply.decoded(ProblemBody.self)
                        #expect(
                            problem.code == "price_changed" && problem.changes?.map(\.cause) == ["currency"],
                            "\(reply.text)")
                        #expect(
                            problem.changes?.first?.old == .text(basket.currency)
                                && problem.quote?.currency != basket.currency)
                    }
                    return reply.status
                }
                await stopSignal.stop()
                try await staff
                #expect(outcomes.contains(201))
                // Each order is stored with the currency that its basket recorded.
                #expect(
                    try await shop.database.psql(
                        "select count(*) from orders join baskets using (id) where orders.currency <> baskets.currency")
                        == "0")
            }
        }
    }

    private actor StopSignal {
        private(set) var isStopped = false
        func stop() { isStopped = true }
    }

    @Test(
        "Every currency in a response is accompanied by its exponent",
        arguments: [("HUF", 2), ("IQD", 3), ("JPY", 0), ("CLF", 4)])
    func exponents(currency: String, exponent: Int) async throws {
        try await StaffTests.run { shop in
            try await shop.database.psql("update shop set currency = '\(currency)'")
            let basket = try await shop.server.startBasket(items: [(2001, 1), (2003, 1)], sales: [200])
            let placed = try await shop.server.checkout(.filled(for: basket), key: "k").expecting(201)
            let order = try placed.decoded(OrderBody.self)
            let open = try await shop.server.startBasket(items: [(2001, 1)])
            var replies = [
                placed, try await shop.server.validate(.filled(for: open)),
                try await shop.server.checkout(.filled(for: open, total: 1), key: "k"),
            ]
            for path in [
                "/v1/home", "/v1/shop", "/v1/menu", "/v1/menu/2001", "/v1/sales", "/v1/sales/200",
                "/v1/baskets/\(open.id)",
                "/v1/orders/\(order.id)",
            ] {
                replies.append(try await shop.server.get(path).expecting(200))
            }
            for path in ["/v1/staff/orders", "/v1/staff/orders/\(order.number)", "/v1/staff/today"] {
                replies.append(try await shop.server.get(path, headers: StaffTests.bearer).expecting(200))
            }
            for reply in replies {
                let found = Self.currencies(in: try JSONSerialization.jsonObject(with: Data(reply.body)))
                #expect(
                    !found.isEmpty && found.allSatisfy { $0 == "\(currency) \(exponent)" },
                    "\(reply.text.prefix(300)): \(found)")
            }
        }
    }

    /// Each currency of the JSON value with its exponent, such as `KWD 3`.
    private static func currencies(in value: Any) -> [String] {
        switch value {
        case let list as [Any]: list.flatMap(currencies)
        case let object as [String: Any]:
            (object["currency"].map { ["\($0) \(object["currencyExponent"] ?? "without decimals")"] } ?? [])
                + object.values.flatMap(currencies)
        default: []
        }
    }

    @Test("The figures of the day list the revenue of each currency separately")
    func today() async throws {
        try await StaffTests.run { shop in
            let dollars = try await shop.server.order([(2001, 2)], guest: 1)
            try await shop.database.psql("update shop set currency = 'KWD'")
            let dinars = try await shop.server.order([(2001, 3), (3001, 1)], guest: 2)
            try await shop.database.psql(
                """
                update orders set placed_at = (
                    select (day + time '12:30') at time zone time_zone from shop cross join business_day(now()))
                """
            )
            let day = try await shop.server.get("/v1/staff/today", headers: StaffTests.bearer).expecting(200).decoded(
                TodayBody.self)
            #expect(day.orders["total"] == 2 && day.ordersPerHour[12] == 2)
            #expect(day.currency == "KWD" && day.currencyExponent == 3 && day.revenue == dinars.total)
            #expect(
                day.revenues == [
                    RevenueBody(revenue: dinars.total, currency: "KWD", currencyExponent: 3),
                    RevenueBody(revenue: dollars.total, currency: "USD", currencyExponent: 2),
                ])
            #expect(
                day.topItems.map { "\($0.menuItemId) \($0.quantity) \($0.revenue) \($0.currency)" } == [
                    "2001 3 2415 KWD", "2001 2 1610 USD", "3001 1 459 KWD",
                ])
            try await shop.database.psql("update shop set currency = 'EUR'")
            let euros = try await shop.server.get("/v1/staff/today", headers: StaffTests.bearer).expecting(200).decoded(
                TodayBody.self)
            #expect(euros.revenue == 0 && euros.revenues.map(\.currency) == ["EUR", "KWD", "USD"])
        }
    }
}
