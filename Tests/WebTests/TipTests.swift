// The tip and the list of totals over HTTP: quote, checkout, order, rows and replay show the same list.

import Foundation
import Support
import Testing
import Wire

@Suite("Tips and totals", .timeLimit(.minutes(10)))
struct TipTests {
    private static func amounts(_ totals: [TotalBody]) -> [String] {
        totals.map { "\($0.kind) \($0.code ?? "-") \($0.title ?? "-") \($0.amount)" }
    }

    @Test("The total includes the tip, which no coupon reduces, and quote, order and rows have the same totals")
    func tipIsPartOfTotal() async throws {
        try await StaffTests.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2), (4001, 1)])
            var form = CheckoutBody.filled(for: basket, coupon: "FRST", total: 1895 - 189 + 200)
            form.tip = 200
            let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
            let quote = try #require(live.quote)
            #expect(live.isReady && live.fields[.tip] == FieldResultBody(value: .integer(200)))
            #expect(
                Self.amounts(quote.totals) == [
                    "subtotal - Subtotal 1895", "discount FRST Welcome to the table -189", "tip - Tip 200",
                    "total - Total 1906",
                ])
            #expect(quote.subtotal == 1895 && quote.discount == 189 && quote.total == 1906)
            form.expectedTotals = quote.totals
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
            #expect(order.totals == quote.totals && order.total == 1906)
            let own = try await shop.server.get(
                "/v1/orders/\(order.id)", headers: [("Authorization", "Bearer \(order.accessToken ?? "")")])
            #expect(try own.decoded(OrderBody.self).totals == quote.totals)
            for path in ["/v1/staff/orders/\(order.number)"] {
                #expect(
                    try await shop.server.get(path, headers: StaffTests.bearer).decoded(OrderBody.self).totals
                        == quote.totals)
            }
            #expect(
                try await shop.database.psql(
                    "select kind, code, amount from order_totals where number = '\(order.number)' order by position")
                    == "subtotal||1895\ndiscount|FRST|-189\ntip||200\ntotal||1906")
            // A total without a tax has neither rate nor net amount.
            #expect(
                try await shop.database.psql(
                    """
                    select code, is_included, rate is null, net is null
                    from orders cross join unnest(totals) where number = '\(order.number)'
                    """
                )
                    == "FRST|f|t|t\n|f|t|t")
            #expect(
                try await shop.database.psql(
                    "select distinct is_included, rate, net from order_totals where number = '\(order.number)'")
                    == "f||")

            // Without the order token, the totals are visible but the coupon is not.
            let shared = try await shop.server.get("/v1/orders/\(order.id)").expecting(200)
            #expect(!shared.text.contains("FRST") && !shared.text.contains("Ten percent"))
            #expect(Self.amounts(try shared.decoded(OrderBody.self).totals).dropFirst().first == "discount - - -189")
        }
    }

    @Test("Tip and expected totals are part of the fingerprint only if sent: null equals missing, zero does not")
    func fingerprint() async throws {
        try await TestShop.run { shop in
            for tip in [nil, 0, 50] as [Int64?] {
                let basket = try await shop.server.startBasket(items: [(2001, 1)])
                var form = CheckoutBody.filled(for: basket, total: 805 + (tip ?? 0))
                form.tip = tip
                let first = try await shop.server.checkout(form, key: "k").expecting(201)
                let replay = try await shop.server.checkout(form, key: "k").expecting(201)
                #expect(replay.body == first.body && replay.header("Idempotency-Replayed") == "true")
                let json = String(decoding: form.json, as: UTF8.self).dropLast()
                let withNulls =
                    String(json) + (tip == nil ? #","tip":null,"expectedTotals":null}"# : #","expectedTotals":null}"#)
                #expect(
                    try await shop.server.post("/v1/checkout", json: withNulls, headers: [("Idempotency-Key", "k")])
                        .body == first.body)
                for other in [nil, 0, 50, 51, -1, .max, .min] as [Int64?] where other != tip {
                    form.tip = other
                    #expect(
                        try await shop.server.checkout(form, key: "k").code == "idempotency_key_reused",
                        "\(other ?? -7) for \(tip ?? -7)")
                }
                form.tip = tip
                for list in [[], try first.decoded(OrderBody.self).totals] {
                    form.expectedTotals = list
                    #expect(try await shop.server.checkout(form, key: "k").code == "idempotency_key_reused")
                }
            }
            // With expected totals, the same list in the same order is the same request.
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody.filled(for: basket)
            let totals = [TotalBody(kind: "subtotal", amount: 805), TotalBody(kind: "total", amount: 805)]
            form.expectedTotals = totals
            let first = try await shop.server.checkout(form, key: "k").expecting(201)
            #expect(try await shop.server.checkout(form, key: "k").body == first.body)
            for other: [TotalBody]? in [
                nil, Array(totals.reversed()), [TotalBody(kind: "subtotal", title: "Sum", amount: 805), totals[1]],
            ] {
                form.expectedTotals = other
                #expect(try await shop.server.checkout(form, key: "k").code == "idempotency_key_reused")
            }
        }
    }

    @Test("Invalid tips and expected totals are reported with all other errors and place no order")
    func invalidValues() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody.filled(for: basket)
            for tip in [-1, 806, .max, .min] as [Int64] {
                form.tip = tip
                let problem = try await shop.server.checkout(form, key: "k").expecting(422).decoded(ProblemBody.self)
                #expect(
                    problem.errors?.map(\.code) == ["tip_out_of_range"]
                        && problem.errors?.first?.params == ["maximum": .integer(805)])
                let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
                #expect(
                    live.fields[.tip]?.code == "tip_out_of_range" && !live.isReady && live.quote?.total == 805
                        && live.quote?.tipMaximum == 805)
            }
            let json = String(String(decoding: CheckoutBody.filled(for: basket).json, as: UTF8.self).dropLast())
            for tip in ["9223372036854775808", "-9223372036854775809", "1e3", "1.5", "\"5\"", "true", "[]"] {
                let reply = try await shop.server.post(
                    "/v1/checkout", json: json + #","tip":\#(tip)}"#, headers: [("Idempotency-Key", "k")])
                #expect(reply.status == 400 && reply.code == "malformed_body", "\(tip)")
            }
            let entry = #"{"kind":"tip","amount":1}"#
            for (list, status) in [
                ("{}", 400), ("[1]", 400), ("[null]", 400), ("[[]]", 400), (#"[{"kind":1}]"#, 400),
                (#"[{"kind":"tip","amount":1,"x":1}]"#, 400),
                (#"[{"kind":"tip","kind":"tip"}]"#, 400), ("[\(entry),]", 400), ("[\(entry)", 400),
                ("[" + Array(repeating: entry, count: 101).joined(separator: ",") + "]", 400),
                ("[" + Array(repeating: entry, count: 100).joined(separator: ",") + "]", 422), ("[{}]", 422),
                (#"[{"kind":"tip"}]"#, 422),
                (#"[{"amount":1}]"#, 422), (#"[{"kind":"gift","amount":0}]"#, 422), ("[]", 409), ("[\(entry)]", 409),
            ] {
                let reply = try await shop.server.post(
                    "/v1/checkout", json: json + #","expectedTotals":\#(list)}"#, headers: [("Idempotency-Key", "k")])
                #expect(reply.status == status, "\(list.prefix(60)): \(reply.text)")
                if status == 422 { #expect(reply.errors == ["expectedTotals: invalid_total"]) }
            }
            form = CheckoutBody(basketId: basket.id)
            (form.tip, form.expectedTotal, form.currency) = (-1, -1, "?")
            (form.birthday, form.expectedTotals) = ("x", [TotalBody(kind: "?", amount: 1)])
            #expect(
                try await shop.server.checkout(form, key: "k").errors == [
                    "name: required", "phone: required", "email: required", "address: required",
                    "birthday: invalid_birthday",
                    "tip: tip_out_of_range", "expectedTotal: invalid_total", "currency: invalid_currency",
                    "expectedTotals: invalid_total",
                ])
            #expect(try await shop.database.psql("select count(*) from orders") == "0")
        }
    }

    @Test("A total that differs from the expected list is reported at its own path, with a fresh quote")
    func changed() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody.filled(for: basket, coupon: "FRST", total: 725 + 100)
            form.tip = 90
            form.expectedTotals = [
                TotalBody(kind: "subtotal", amount: 805), TotalBody(kind: "discount", code: "FRST", amount: -80),
                TotalBody(kind: "tip", amount: 100), TotalBody(kind: "total", amount: 825),
            ]
            let problem = try await shop.server.checkout(form, key: "k").expecting(409).decoded(ProblemBody.self)
            #expect(
                problem.changes == [
                    PriceChangeBody(path: "totals/tip", old: .integer(100), new: .integer(90), cause: "total")
                ])
            form.expectedTotals = try #require(problem.quote?.totals)
            form.expectedTotal = problem.quote?.total
            #expect(try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self).total == 815)
        }
    }

    @Test(
        "While staff change the tip limit on two servers, each tip is within one limit and the totals add up")
    func race() async throws {
        try await TestShop.run { shop in
            try await TestShop.run(on: shop.database) { other in
                let stopSignal = StopSignal()
                async let staff: Void = {
                    for round in 0... {
                        if await stopSignal.isStopped { return }
                        try await shop.database.psql("update shop set tip_limit_percent = \(round % 2 == 0 ? 10 : 50)")
                    }
                }()
                let servers = [shop.server, other.server]
                let outcomes = try await inParallel(120) { n -> Int in
                    let server = servers[n % 2]
                    let basket = try await server.startBasket(items: [(2001, 2)])
                    let tip = [80, 161, 162, 805, 806][n % 5] as Int64
                    var form = CheckoutBody.filled(for: basket, guest: n, total: basket.total + tip)
                    form.tip = tip
                    let sent = form
                    let reply = try await retryingWhileBusy { try await server.checkout(sent, key: "k") }
                    if reply.status == 201 {
                        #expect(
                            try reply.decoded(OrderBody.self).totals.map(\.amount) == [1610, tip, 1610 + tip]
                                && tip <= 805)
                    } else {
                        let limits = [161, 805].filter { $0 < tip }.map { ["maximum": FieldValue.integer($0)] }
                        let errors = try reply.expecting(422).decoded(ProblemBody.self).errors ?? []
                        #expect(
                            errors.map(\.code) == ["tip_out_of_range"]
                                && errors.allSatisfy { limits.contains($0.params) }, "\(reply.text)")
                    }
                    return reply.status
                }
                await stopSignal.stop()
                try await staff
                #expect(outcomes.contains(201) && outcomes.contains(422))
                #expect(
                    try await shop.database.psql(
                        """
                        select count(*) from orders
                        where total <> (
                            select sum(amount) from order_totals where order_id = orders.id and kind <> 'total')
                        """
                    ) == "0")
            }
        }
    }

    private actor StopSignal {
        private(set) var isStopped = false
        func stop() { isStopped = true }
    }

    @Test("A changed tip limit applies to the next request, and with 0 no tip is accepted")
    func limit() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody(basketId: basket.id)
            for (percent, tip, isAccepted) in [(0, 1, false), (0, 0, true), (1000, 8050, true), (1000, 8051, false)]
                as [(Int, Int64, Bool)]
            {
                try await shop.database.psql("update shop set tip_limit_percent = \(percent)")
                form.tip = tip
                // The facts contain the menu revision, so the change applies at once.
                let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
                #expect((live.fields[.tip]?.code == nil) == isAccepted, "\(percent) % \(tip)")
            }
        }
    }
}
