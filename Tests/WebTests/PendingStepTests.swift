// The staff routes that reject and deliver an order after ten seconds. PendingStepExecutorTests cover the execution.
import Ordering
import Postgres
import Support
import Testing
import Wire

@testable import Web

@Suite("Staff: pending steps", .timeLimit(.minutes(5)))
struct PendingStepTests {
    private static func bearer(_ token: String) -> [(String, String)] { [("Authorization", "Bearer \(token)")] }

    private static func addMembers(_ shop: TestShop) async throws {
        for (name, role) in [("Ann", "counter"), ("Bob", "kitchen")] {
            try await shop.database.psql(
                "insert into staff_members (name, role, token_digest) values ('\(name)', '\(role)', sha256('\(name)'))")
            try await eventually("\(name) can sign in") {
                try await shop.server.get("/v1/staff/me", headers: bearer(name)).status == 200
            }
        }
    }

    @Test(
        "A rejection returns a pending step at once, which every server shows to staff and not to the guest")
    func rejection() async throws {
        try await StaffTests.run { shop in
            try await TestShop.run(on: shop.database, configuration: StaffTests.configuration()) { other in
                try await Self.addMembers(shop)
                let order = try await shop.server.order()
                let guest = Self.bearer(order.accessToken ?? "")
                let before = try await shop.server.get("/v1/orders/\(order.id)", headers: guest).text
                let path = "/v1/staff/orders/\(order.number)"
                let reply = try await shop.server.post(
                    "\(path)/reject", json: #"{"reason": "no gas"}"#, headers: Self.bearer("Ann")
                ).expecting(200)
                let answer = try reply.decoded(StaffOrderBody.self)
                let step = try #require(answer.pendingStep)
                #expect(answer.order.state == "placed" && step.state == "rejected" && step.by == "Ann")
                let until = try #require(Instant(rfc3339: step.until))
                let placed = try #require(Instant(rfc3339: order.placedAt))
                #expect(until > placed.advanced(by: .seconds(9)))
                let document = try JSON(OpenAPIDocument.read())
                let schema = try #require(document["components"]?["schemas"]?["Order"])
                #expect(JSONSchema(document: document).violations(of: try JSON(reply.body), against: schema) == [])
                for shop in [shop, other] {
                    let list = try await shop.server.get("/v1/staff/orders", headers: StaffTests.bearer)
                        .decoded(Page<StaffOrderBody>.self)
                    #expect(list.items.map(\.pendingStep) == [step])
                    let seen = try await shop.server.get("/v1/orders/\(order.id)", headers: guest).text
                    #expect(seen == before)
                }
                let back = try await other.server.post(
                    "\(path)/back", json: #"{"state": "rejected"}"#, headers: Self.bearer("Bob")
                ).expecting(200)
                #expect(try back.decoded(StaffOrderBody.self).pendingStep == nil)
                let second = try await shop.server.post(
                    "\(path)/back", json: #"{"state": "rejected"}"#, headers: Self.bearer("Ann"))
                #expect(second.status == 409 && second.code == "step_overtaken")
                let rows = try await shop.database.psql(
                    "select who, after, why from audit where what = 'orders' order by id")
                #expect(rows == #"Ann|{"pending_step": "rejected"}|no gas"# + "\n" + #"Bob|{"pending_step": null}|"#)
            }
        }
    }

    @Test(
        "The staff stream reports a pending step and its withdrawal, and the guest's stream only its execution"
    )
    func streams() async throws {
        try await StaffTests.run { shop in
            let order = try await shop.server.order()
            let path = "/v1/staff/orders/\(order.number)"
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            try await shop.server.withRawConnection { guest in
                try await guest.openStream("/v1/orders/\(order.id)/events", headers: token)
                #expect(try await guest.nextEvent().decoded(OrderEventBody.self).state == "placed")
                try await shop.server.withRawConnection { board in
                    try await board.openStream("/v1/staff/orders/events", headers: StaffTests.bearer)
                    #expect(try await board.nextEvent().name == "list_changed")
                    for (action, json) in [
                        ("reject", #"{"reason": "no gas"}"#), ("back", "{}"), ("reject", #"{"reason": "no gas"}"#),
                    ] {
                        _ = try await shop.server.post("\(path)/\(action)", json: json, headers: StaffTests.bearer)
                            .expecting(200)
                        var event = try await board.nextEvent()
                        while event.name != "moved" { event = try await board.nextEvent() }
                        #expect(try event.decoded(OrderEventBody.self).number == order.number)
                    }
                }
                try await shop.database.psql("update pending_order_steps set execute_at = now()")
                let event = try await guest.nextEvent().decoded(OrderEventBody.self)
                #expect(event.state == "rejected" && event.rejectionReason == "no gas")
            }
            let read = try await shop.server.get("/v1/orders/\(order.id)", headers: token).decoded(OrderBody.self)
            #expect(read.rejectedBy == "staff")
            let withoutToken = try await shop.server.get("/v1/orders/\(order.id)").decoded(OrderBody.self)
            #expect(withoutToken.state == "rejected" && withoutToken.rejectedBy == nil)
        }
    }

    @Test("A request or a withdrawal for an order that staff have locked in SQL returns 503 being_changed")
    func lockedOrder() async throws {
        try await StaffTests.run { shop in
            let order = try await shop.server.order()
            let staff = try await PostgresConnection.connect(shop.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; select advance_order('\(order.number)', 'accepted')")
            for (action, json) in [("reject", #"{"reason": "no gas"}"#), ("back", "{}")] {
                let reply = try await shop.server.post(
                    "/v1/staff/orders/\(order.number)/\(action)", json: json, headers: StaffTests.bearer)
                #expect(reply.status == 503 && reply.code == "being_changed", "\(action)")
            }
            try await staff.run(script: "rollback")
            await staff.close()
            try await eventually("the request is accepted") {
                try await shop.server.post(
                    "/v1/staff/orders/\(order.number)/reject", json: #"{"reason": "no gas"}"#,
                    headers: StaffTests.bearer
                ).status == 200
            }
        }
    }

    @Test(
        "Kitchen staff can deliver and withdraw but not reject, and invalid steps are rejected"
    )
    func permissions() async throws {
        try await StaffTests.run { shop in
            try await Self.addMembers(shop)
            let order = try await shop.server.order()
            func send(_ action: String, _ json: String, by member: String) async throws -> TestServer.Reply {
                try await shop.server.post(
                    "/v1/staff/orders/\(order.number)/\(action)", json: json, headers: Self.bearer(member))
            }
            let refused = try await send("reject", #"{"reason": "no gas"}"#, by: "Bob")
            #expect(refused.status == 403 && refused.code == "insufficient_role")
            for (json, errors) in [
                ("{}", ["reason: required"]), (#"{"reason": " "}"#, ["reason: required"]),
                (#"{"reason": "\#(String(repeating: "x", count: 501))"}"#, ["reason: too_long"]),
            ] {
                #expect(try await send("reject", json, by: "Ann").expecting(422).errors == errors)
            }
            #expect(try await send("reject", #"{"reason": "x", "state": "rejected"}"#, by: "Ann").status == 400)
            let early = try await send("deliver", "", by: "Bob")
            #expect(early.status == 409 && early.code == "order_step_refused")
            for state in ["accepted", "preparing", "on_the_way"] {
                _ = try await send("advance", #"{"state": "\#(state)"}"#, by: "Bob").expecting(200)
            }
            let pending = try await send("deliver", "", by: "Bob").expecting(200).decoded(StaffOrderBody.self)
                .pendingStep
            #expect(pending?.state == "delivered" && pending?.by == "Bob")
            #expect(
                try await send("back", "", by: "Bob").expecting(200).decoded(StaffOrderBody.self).pendingStep == nil)
            #expect(try await shop.database.psql("select state from orders") == "on_the_way")
            _ = try await send("deliver", "", by: "Bob").expecting(200)
            try await shop.database.psql("update pending_order_steps set execute_at = now()")
            try await eventually("the order is delivered") {
                try await shop.database.psql("select state from orders") == "delivered"
            }
            let late = try await send("back", #"{"state": "delivered"}"#, by: "Bob")
            #expect(late.status == 409 && late.code == "step_too_old")
        }
    }
}
