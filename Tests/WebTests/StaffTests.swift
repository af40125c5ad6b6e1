// Tests the staff routes: authentication, the list, steps, search, the event stream and availability.

import Ordering
import Support
import Testing
import Wire

@testable import Web

@Suite("Staff", .timeLimit(.minutes(10)))
struct StaffTests {
    static let token = "a-token-of-staff's-own"
    static let bearer = [("Authorization", "Bearer \(token)")]

    static func run<Value: Sendable>(_ body: @Sendable @escaping (TestShop) async throws -> Value) async throws -> Value
    {
        try await TestShop.run(configuration: configuration(), body)
    }

    static func configuration() -> WebConfiguration {
        var configuration = WebConfiguration(port: 0)
        configuration.staffToken = StaffToken(token)
        // Many tests send wrong tokens. StaffTokenLimitTests test the limit.
        configuration.rateLimits.staffTokens = nil
        return configuration
    }

    static let routes = [
        ("GET", "/v1/staff/orders"), ("GET", "/v1/staff/orders/events"), ("GET", "/v1/staff/events"),
        ("GET", "/v1/staff/orders/00000000"),
        ("POST", "/v1/staff/orders/00000000/accept"), ("POST", "/v1/staff/orders/00000000/advance"),
        ("POST", "/v1/staff/orders/00000000/reject"), ("POST", "/v1/staff/orders/00000000/deliver"),
        ("POST", "/v1/staff/orders/00000000/back"), ("POST", "/v1/staff/orders/00000000/delay"),
        ("POST", "/v1/staff/menu/2001/availability"), ("GET", "/v1/staff/today"),
        ("GET", "/v1/staff/options"), ("POST", "/v1/staff/options/1201/availability"),
        ("POST", "/v1/staff/menu/2001/stock"), ("POST", "/v1/staff/options/1201/stock"), ("GET", "/v1/staff/shop"),
        ("POST", "/v1/staff/pause"), ("DELETE", "/v1/staff/pause"), ("POST", "/v1/staff/busy"),
        ("PUT", "/v1/staff/hours/2026-12-24"),
        ("GET", "/v1/staff/me"), ("GET", "/v1/staff/audit"),
        ("DELETE", "/v1/staff/hours/2026-12-24"), ("PUT", "/v1/staff/menu/2001/photograph"),
        ("DELETE", "/v1/staff/menu/2001/photograph"),
    ]

    @Test("Without a configured token the staff routes return 404 staff_token_missing", arguments: routes)
    func notConfigured(method: String, path: String) async throws {
        try await TestShop.run { shop in
            for headers in [[], [("Authorization", "Bearer ")], [("Authorization", "Bearer x")]] {
                let reply = try await shop.server.send(method, path, headers: headers)
                #expect(reply.status == 404 && reply.code == "staff_token_missing")
            }
        }
    }

    @Test("A missing token returns 401 token_required, a wrong one 401 invalid_token, and the right one is accepted")
    func token() async throws {
        try await Self.run { shop in
            for (method, path) in Self.routes {
                let withoutToken = try await shop.server.send(method, path)
                #expect(
                    withoutToken.status == 401 && withoutToken.code == "token_required"
                        && withoutToken.header("WWW-Authenticate") == "Bearer")
                for wrong in [
                    "Bearer", "Bearer ", "Bearer x", "Bearer \(Self.token)x", "Bearer \(Self.token.dropLast())",
                    "Basic \(Self.token)",
                    "Bearer \(Self.token.uppercased())", Self.token, "Bearer " + String(repeating: "x", count: 10_000),
                ] {
                    let reply = try await shop.server.send(method, path, headers: [("Authorization", wrong)])
                    #expect(reply.status == 401 && reply.code == "invalid_token", "\(path) \(wrong.prefix(40))")
                    #expect(!reply.text.contains(Self.token))
                }
            }
            for path in ["/v1/staff/orders", "/v1/staff/today"] {
                let reply = try await shop.server.get(path, headers: Self.bearer)
                #expect(
                    reply.status == 200 && reply.header("Cache-Control") == "private, no-cache"
                        && reply.header("Vary")?.hasPrefix("Authorization") == true)
                let tag = try #require(reply.header("ETag"))
                if path == "/v1/staff/orders" {
                    #expect(
                        try await shop.server.get(path, headers: Self.bearer + [("If-None-Match", tag)]).status == 304)
                }
            }
            for wrong in ["", "a token with spaces in it", "a-token-with-an-ümlaut-in-it", "19-characters-only-"] {
                #expect(StaffToken(wrong) == nil)
            }
        }
    }

    @Test("An order shows staff which mails were not sent and why, and does not show it to its guest")
    func unsentMails() async throws {
        try await Self.run { shop in
            let (order, other) = (try await shop.server.order(), try await shop.server.order(guest: 2))
            try await shop.database.psql(
                """
                insert into order_mails (order_id, state, at, due_at, failed_at, reason) values
                    ('\(order.id)', 'placed', now(), now(), now(), 'address_limit'),
                    ('\(order.id)', 'accepted', now(), now(), null, null)
                """)
            let path = "/v1/staff/orders/\(order.number)"
            let reply = try await shop.server.get(path, headers: Self.bearer).expecting(200)
            let mails = try #require(try reply.decoded(StaffOrderBody.self).unsentMails)
            #expect(mails.map(\.state) == ["placed"] && mails.map(\.reason) == ["address_limit"])
            let document = try JSON(OpenAPIDocument.read())
            let schema = try #require(document["components"]?["schemas"]?["Order"])
            #expect(JSONSchema(document: document).violations(of: try JSON(reply.body), against: schema) == [])
            let list = try await shop.server.get("/v1/staff/orders", headers: Self.bearer).decoded(
                Page<StaffOrderBody>.self)
            #expect(
                list.items.map(\.order.id) == [other.id, order.id]
                    && list.items.map { $0.unsentMails?.count } == [nil, 1])
            let moved = try await shop.server.post("\(path)/accept", json: "{}", headers: Self.bearer).expecting(200)
            #expect(try moved.decoded(StaffOrderBody.self).unsentMails == mails)
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            #expect(try await !shop.server.get("/v1/orders/\(order.id)", headers: token).text.contains("unsentMails"))
        }
    }

    @Test("The list has the newest orders first, filtered by state, in pages without gaps or repetitions")
    func list() async throws {
        try await Self.run { shop in
            var orders: [OrderBody] = []
            for guest in 1...5 { orders.append(try await shop.server.order(guest: guest)) }
            for (index, state) in [(0, "accepted"), (1, "rejected"), (2, "accepted")] {
                try await shop.database.psql("select advance_order('\(orders[index].number)', '\(state)', 'closed')")
            }
            func page(_ query: String) async throws -> Page<OrderBody> {
                try await shop.server.get("/v1/staff/orders?\(query)", headers: Self.bearer).expecting(200).decoded()
            }
            func numbers(_ query: String) async throws -> [String] { try await page(query).items.map(\.number) }
            func cursor(_ placedAt: Int64, _ id: String) -> String {
                Cursor([placedAt], id.utf8).encoded(for: "orders")
            }
            let newest = Array(orders.reversed())
            let all = try await page("")
            #expect(all.items.map(\.number) == newest.map(\.number) && all.nextCursor == nil)
            #expect(all.items.map(\.customer) == newest.map(\.customer))
            #expect(
                all.items.map(\.actions) == [
                    ["accepted", "rejected"], ["accepted", "rejected"], ["preparing", "rejected"], [],
                    ["preparing", "rejected"],
                ])
            #expect(all.items[3].rejectionReason == "closed")
            #expect(!all.items.contains { $0.accessToken != nil })
            #expect(try await numbers("state=accepted") == [orders[2].number, orders[0].number])
            #expect(try await numbers("open=true") == [4, 3, 2, 0].map { orders[$0].number })
            #expect(try await numbers("open=false") == [orders[1].number])
            #expect(try await numbers("open=false&state=placed") == [])

            var seen: [String] = []
            var nextCursor: String? = ""
            while let next = nextCursor {
                let page = try await page("open=true&limit=2&cursor=\(next)")
                #expect(page.items.count <= 2)
                seen += page.items.map(\.number)
                nextCursor = page.nextCursor
                // New orders are added at the front and do not move the page.
                _ = try await shop.server.order(guest: 10 + seen.count)
            }
            #expect(seen == [4, 3, 2, 0].map { orders[$0].number })

            for query in [
                "state=eaten", "state=Placed", "state=placed,accepted", "open=yes", "limit=0", "limit=101",
                "limit=99999999999999999999",
                "limit=x", "cursor=x", "cursor=1", "cursor=1.\(orders[0].id)", "cursor=\(cursor(.max, orders[0].id))",
                "cursor=\(cursor(-1, orders[0].id))", "cursor=\(cursor(1, "none"))", "state=placed&state=placed",
                "state=%00", "state=%ff",
            ] {
                let reply = try await shop.server.get("/v1/staff/orders?\(query)", headers: Self.bearer)
                #expect(reply.status == 400 && reply.code == "invalid_parameter", "\(query): \(reply.text)")
            }
        }
    }

    @Test("Staff advance an order to its final state, and an invalid step returns 409 with the database's message")
    func advance() async throws {
        try await Self.run { shop in
            let order = try await shop.server.order()
            func step(_ json: String, of number: String = order.number) async throws -> TestServer.Reply {
                try await shop.server.post("/v1/staff/orders/\(number)/advance", json: json, headers: Self.bearer)
            }
            for wrong in ["delivered", "cancelled", "placed", "preparing"] {
                let reply = try await step(#"{"state":"\#(wrong)"}"#)
                #expect(reply.status == 409 && reply.code == "order_step_refused")
                let problem = try reply.decoded(ProblemBody.self)
                #expect(
                    problem.detail == """
                        order \(order.number) is placed and can't become \(wrong). \
                        It can become accepted or rejected.
                        """)
            }
            for state in ["accepted", "preparing", "on_the_way", "delivered"] {
                let moved = try await step(#"{"state":"\#(state)","reason":null}"#).expecting(200).decoded(
                    OrderBody.self)
                #expect(moved.state == state && moved.id == order.id && moved.customer == order.customer)
            }
            let end = try await step(#"{"state":"rejected","reason":"too late"}"#)
            #expect(try end.decoded(ProblemBody.self).detail.hasSuffix("It is final."))
            let read = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: Self.bearer).expecting(
                200
            ).decoded(
                OrderBody.self)
            #expect(read.state == "delivered" && read.customer == order.customer && read.actions == [])
        }
    }

    @Test(
        "Staff take back a step within ten seconds, accept an order with a time and delay it with a reason"
    )
    func takenBack() async throws {
        try await Self.run { shop in
            let order = try await shop.server.order()
            func send(_ action: String, _ json: String) async throws -> TestServer.Reply {
                try await shop.server.post(
                    "/v1/staff/orders/\(order.number)/\(action)", json: json, headers: Self.bearer)
            }
            func guest() async throws -> OrderBody {
                try await shop.server.get(
                    "/v1/orders/\(order.id)", headers: [("Authorization", "Bearer \(order.accessToken ?? "")")]
                )
                .expecting(200).decoded()
            }
            func errors(_ reply: TestServer.Reply) throws -> [String] {
                (try reply.decoded(ProblemBody.self).errors ?? []).map { "\($0.field): \($0.code)" }
            }
            _ = try await send("advance", #"{"state":"accepted"}"#).expecting(200)
            let back = try await send("back", #"{"state":"accepted"}"#).expecting(200).decoded(OrderBody.self)
            #expect(back.state == "placed" && back.dayNumber == 1 && back.readyAt == order.readyAt)
            #expect(try await guest().actions == ["cancel"], "the guest can cancel the order")
            let second = try await send("back", #"{"state":"accepted"}"#)
            #expect(second.status == 409 && second.code == "step_overtaken")
            for (action, json, error) in [
                ("accept", #"{"minutes":4}"#, "minutes: out_of_range"),
                ("accept", #"{"minutes":181}"#, "minutes: out_of_range"),
                ("advance", #"{"state":"accepted","foodIsWasted":true}"#, "foodIsWasted: only_when_rejecting"),
            ] { #expect(try errors(await send(action, json).expecting(422)) == [error]) }
            #expect(
                try await send("advance", #"{"state":"accepted","minutes":25}"#).status == 400,
                "only accept has minutes")
            // Without values, accept sets the checkout's estimate, and back takes back the latest step.
            for body in ["", "{}"] {
                #expect(try await send("accept", body).expecting(200).decoded(OrderBody.self).readyAt == order.readyAt)
                #expect(try await send("back", body).expecting(200).decoded(OrderBody.self).state == "placed")
            }
            let accepted = try await send("accept", #"{"minutes":180}"#).expecting(200).decoded(OrderBody.self)
            #expect(
                accepted.readyAt > order.readyAt && accepted.etaMinutes == order.etaMinutes && accepted.dayNumber == 1)
            let shown = try await guest()
            #expect(shown.readyAt == accepted.readyAt && shown.dayNumber == 1, "the guest sees the day number")
            let withoutToken = try await shop.server.get("/v1/orders/\(order.id)").expecting(200).decoded(
                OrderBody.self)
            #expect(
                withoutToken.readyAt == accepted.readyAt && withoutToken.dayNumber == nil,
                "the day number reveals the number of orders")
            try await shop.database.psql("update order_steps set at = at - interval '11 seconds'")
            let late = try await send("back", #"{"state":"accepted"}"#)
            #expect(late.status == 409 && late.code == "step_too_old")
            #expect(
                try errors(await send("back", #"{"state":"cancelled"}"#).expecting(422)) == ["state: unknown_state"])
            #expect(try errors(await send("delay", "{}").expecting(422)) == ["minutes: required", "reason: required"])
            for minutes in [0, 181, -1] {
                #expect(
                    try errors(await send("delay", #"{"minutes":\#(minutes),"reason":"x"}"#).expecting(422)) == [
                        "minutes: out_of_range"
                    ])
            }
            let tooLong = String(repeating: "x", count: 201)
            #expect(
                try errors(await send("delay", #"{"minutes":20,"reason":"\#(tooLong)"}"#).expecting(422)) == [
                    "reason: too_long"
                ])
            let delayed = try await send("delay", #"{"minutes":20,"reason":"the <oven>"}"#).expecting(200).decoded(
                OrderBody.self)
            #expect(
                Instant(rfc3339: delayed.readyAt) == Instant(rfc3339: accepted.readyAt)?.advanced(by: .seconds(20 * 60))
            )
            #expect(try await guest().delayReason == "the <oven>")
            #expect(try await guest().readyAt == delayed.readyAt)
            let token = ("Authorization", "Bearer \(order.accessToken ?? "")")
            let steps = try await shop.server.withRawConnection { connection in
                try await connection.openStream("/v1/orders/\(order.id)/events", headers: [token])
                var steps: [OrderEventBody] = []
                for _ in 1...9 { steps.append(try await connection.nextEvent().decoded(OrderEventBody.self)) }
                return steps
            }
            #expect(
                steps.map(\.state) == [
                    "placed", "accepted", "placed", "accepted", "placed", "accepted", "placed", "accepted", "accepted",
                ])
            #expect(
                steps.map { $0.isTakenBack == true } == [false, false, true, false, true, false, true, false, false])
            #expect(steps[7].readyAt == accepted.readyAt && steps[8].delayReason == "the <oven>")
        }
    }

    @Test("An order in any state is found by the start of its number, the guest's name or digits of the phone")
    func search() async throws {
        try await Self.run { shop in
            var orders: [OrderBody] = []
            for guest in 1...3 { orders.append(try await shop.server.order(guest: guest)) }
            try await shop.database.psql("update orders set name = 'Ann O''Hara' where number = '\(orders[1].number)'")
            try await shop.database.psql("select advance_order('\(orders[1].number)', 'rejected', 'closed')")
            func found(_ words: String) async throws -> [String] {
                try await shop.server.get("/v1/staff/orders?q=\(words)", headers: Self.bearer).expecting(200).decoded(
                    Page<OrderBody>.self
                )
                .items.map(\.number)
            }
            let phone = orders[1].customer?.phone.suffix(7) ?? ""
            for words in ["o%27HARA", "ann++o", orders[1].number, String(phone)] {
                #expect(try await found(words) == [orders[1].number], "\(words)")
            }
            for nothing in ["nobody", "%25"] { #expect(try await found(nothing) == []) }
            #expect(try await found("") == orders.reversed().map(\.number))
        }
    }

    @Test("The next page of a search by name has an order that is older than the newest 1,000")
    func searchOlderOrders() async throws {
        try await Self.run { shop in
            let order = try await shop.server.order(guest: 1)
            try await shop.database.psql(
                """
                update orders set name = 'Zoe Quill', placed_at = now() - interval '2 days'
                where number = '\(order.number)'
                """)
            try await shop.database.insertOrders(
                1...1_000, state: "delivered", placedAt: "now() - interval '1 day' - n * interval '1 second'")
            func page(_ cursor: String?) async throws -> Page<OrderBody> {
                let position = cursor.map { "&cursor=\($0)" } ?? ""
                return try await shop.server.get("/v1/staff/orders?q=zoe\(position)", headers: Self.bearer)
                    .expecting(200).decoded(Page<OrderBody>.self)
            }
            let first = try await page(nil)
            #expect(first.items.isEmpty && first.nextCursor != nil)
            let next = try await page(first.nextCursor)
            #expect(next.items.map(\.number) == [order.number] && next.nextCursor == nil)
        }
    }

    @Test(
        "An order is found by its phone number with or without country code and trunk digit"
    )
    func searchByPhone() async throws {
        try await Self.run { shop in
            let order = try await shop.server.order(guest: 1)
            _ = try await shop.server.order(guest: 2)
            try await shop.database.psql("update orders set phone = '+4915123456789' where number = '\(order.number)'")
            try await shop.database.psqlAsStaff("update shop set default_country = 'DE'")
            func found(_ words: String) async throws -> [String] {
                let query = words.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                return try await shop.server.get("/v1/staff/orders?q=\(query)", headers: Self.bearer).expecting(200)
                    .decoded(Page<OrderBody>.self).items.map(\.number)
            }
            try await eventually("the server has loaded the country") { try await found("0151 2345") == [order.number] }
            for words in [
                "0151", "0151 23456789", "0151/234-567", "(0151) 2345", "0049151", "0049 151 23456789", "+49151",
                "+49 (0)151 2345",
                "+49 (0)151 23456789", "0049 (0)151", "49151", "151 2345", "23456789", "\u{200B}0151\u{200E} 2345",
                "０１５１",
            ] {
                #expect(try await found(words) == [order.number], "\(words)")
            }
            for words in ["0152", "0049152", "+1 151 2345", "+43151"] {
                #expect(try await found(words) == [], "\(words)")
            }
            let refused = try await shop.server.get("/v1/staff/orders?q=%00", headers: Self.bearer)
            #expect(refused.status == 400 && refused.code == "invalid_parameter")
        }
    }

    @Test("Errors of a step are reported together and change nothing, and malformed bodies and numbers are rejected")
    func malformedSteps() async throws {
        try await Self.run { shop in
            let order = try await shop.server.order()
            func step(_ json: String, of number: String = order.number) async throws -> TestServer.Reply {
                try await shop.server.post("/v1/staff/orders/\(number)/advance", json: json, headers: Self.bearer)
            }
            for (json, errors) in [
                ("{}", ["state: required"]), (#"{"state":null}"#, ["state: required"]),
                (#"{"state":"eaten"}"#, ["state: unknown_state"]),
                (#"{"state":"accepted'; drop table orders; --"}"#, ["state: unknown_state"]),
                (#"{"state":"\#(String(repeating: "x", count: 60_000))"}"#, ["state: unknown_state"]),
                (#"{"state":"rejected"}"#, ["reason: required"]),
                (#"{"state":"rejected","reason":"  \n "}"#, ["reason: required"]),
                (#"{"state":"rejected","reason":"\#(String(repeating: "x", count: 501))"}"#, ["reason: too_long"]),
                (#"{"state":"","reason":"\u0007"}"#, ["state: unknown_state", "reason: invalid_reason"]),
            ] {
                let reply = try await step(json)
                #expect(
                    reply.status == 422 && reply.code == "validation_failed" && reply.errors == errors,
                    "\(json.prefix(60)): \(reply.text)")
            }
            for json in [
                "", "[]", "{", #"{"state":1}"#, #"{"state":"accepted","state":"accepted"}"#,
                #"{"state":"accepted","x":1}"#,
                #"{"state":"\u0000"}"#,
            ] {
                let reply = try await step(json)
                #expect(reply.status == 400 && reply.code == "malformed_body", "\(json)")
            }
            for number in [
                "1", "x", "99999999", "999999999", "00000000000000000000000000", "%30%30%30%30", order.id, "-1234567",
                "+1234567",
            ] {
                let reply = try await step(#"{"state":"accepted"}"#, of: number)
                #expect(reply.status == 404 && reply.code == "order_not_found", "\(number)")
            }
            let plain = try await shop.server.send(
                "POST", "/v1/staff/orders/\(order.number)/advance",
                headers: Self.bearer + [("Content-Type", "text/plain")],
                body: Array("{}".utf8))
            #expect(plain.status == 415)
            #expect(try await shop.server.get("/v1/orders/\(order.id)").decoded(OrderBody.self).state == "placed")
        }
    }

    @Test("When 8 requests accept the same order concurrently, one succeeds and the others return 409")
    func race() async throws {
        try await Self.run { shop in
            let order = try await shop.server.order()
            let replies = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await shop.server.post(
                            "/v1/staff/orders/\(order.number)/advance", json: #"{"state":"accepted"}"#,
                            headers: Self.bearer
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies.sorted() == [200] + Array(repeating: 409, count: 7))
        }
    }

    @Test("The staff stream sends orders from other servers, and steps in SQL and by guests, within a second")
    func board() async throws {
        try await Self.run { shop in
            try await TestShop.run(on: shop.database, configuration: Self.configuration()) { other in
                let before = try await shop.server.order(guest: 1)
                try await other.server.withRawConnection { connection in
                    try await connection.openStream("/v1/staff/orders/events", headers: Self.bearer)
                    let first = try await connection.nextEvent()
                    #expect(first.name == "list_changed" && first.data == #"{"link":"/v1/staff/orders"}"#)
                    var delays: [Duration] = []
                    for guest in 2...4 {
                        let order = try await shop.server.order(guest: guest)
                        let start = ContinuousClock.now
                        let event = try await connection.nextEvent()
                        delays.append(.now - start)
                        #expect(event.name == "placed")
                        let body = try event.decoded(OrderEventBody.self)
                        #expect(body.orderId == order.id && body.state == "placed" && body.at == order.placedAt)
                        #expect(body.link == "/v1/staff/orders/\(order.number)")
                    }
                    #expect(delays.sorted()[1] < .seconds(1), "\(delays)")

                    try await shop.database.psql(
                        """
                        select advance_order('\(before.number)', 'accepted');
                        select advance_order('\(before.number)', 'preparing')
                        """)
                    for state in ["accepted", "preparing"] {
                        let event = try await connection.nextEvent()
                        #expect(event.name == "moved")
                        #expect(try event.decoded(OrderEventBody.self).state == state)
                    }
                    // Both events are sent, in this order.
                    let brief = try await shop.server.order(guest: 5)
                    _ = try await shop.server.cancel(brief)
                    #expect(try await connection.nextEvent().name == "placed")
                    #expect(try await connection.nextEvent().decoded(OrderEventBody.self).state == "cancelled")
                }
            }
        }
    }

    @Test("After a lost connection to the database the staff stream sends list_changed, because events may be missing")
    func boardGaps() async throws {
        try await Self.run { shop in
            try await shop.server.withRawConnection { connection in
                try await connection.openStream("/v1/staff/orders/events", headers: Self.bearer)
                #expect(try await connection.nextEvent().name == "list_changed")
                try await shop.database.psql(
                    """
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where application_name = 'welms listener' and datname = current_database()
                    """
                )
                #expect(try await connection.nextEvent().name == "list_changed")
            }
        }
    }

    @Test("An item that staff mark as sold out is sold out at once until they make it available")
    func availability() async throws {
        try await Self.run { shop in
            func set(_ json: String, _ id: String = "2001") async throws -> TestServer.Reply {
                try await shop.server.post("/v1/staff/menu/\(id)/availability", json: json, headers: Self.bearer)
            }
            for isAvailable in [false, false, true] {
                let item = try await set(#"{"isAvailable":\#(isAvailable)}"#).expecting(200).decoded(MenuItemBody.self)
                #expect(item.id == 2001 && item.isAvailable == isAvailable)
                #expect(
                    try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).isAvailable == isAvailable)
            }
            let missing = try await set("{}")
            #expect(missing.status == 422 && missing.errors == ["isAvailable: required"])
            for json in [
                #"{"isAvailable":"false"}"#, #"{"isAvailable":0}"#, #"{"isAvailable":tru}"#,
                #"{"isAvailable":true,"price":1}"#,
            ] {
                #expect(try await set(json).code == "malformed_body", "\(json)")
            }
            for id in ["9999", "x", "-1", "02001", "9223372036854775807", "9223372036854775808"] {
                let reply = try await set(#"{"isAvailable":true}"#, id)
                #expect(reply.status == 404 && reply.code == "menu_item_not_found", "\(id)")
            }
        }
    }
}
