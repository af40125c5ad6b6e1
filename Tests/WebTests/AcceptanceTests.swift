// The acceptance deadline over HTTP: staff set and see it, guests read the rejection, and faults are reported.
import Ordering
import Support
import Testing
import Wire

@testable import Web

@Suite("The acceptance deadline", .timeLimit(.minutes(5)))
struct AcceptanceTests {
    private static func put(_ shop: TestShop, _ json: String) async throws -> TestServer.Reply {
        try await shop.server.send(
            "PUT", "/v1/staff/acceptance", headers: StaffTests.bearer + [("Content-Type", "application/json")],
            body: Array(json.utf8))
    }

    @Test("When staff set the acceptance deadline, staff see it on each placed order and guests do not")
    func deadlineIsShown() async throws {
        try await StaffTests.run { shop in
            let order = try await shop.server.order()
            func seen() async throws -> StaffOrderBody {
                try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer).expecting(200)
                    .decoded()
            }
            let plain = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer)
            #expect(plain.text.hasSuffix(#","acceptBy":null,"area":null}"#), "\(plain.text)")
            let set = try await Self.put(shop, #"{"withinMinutes": 30}"#).expecting(200).decoded(StaffShopBody.self)
            #expect(set.acceptWithinMinutes == 30 && !set.acceptsAutomatically)
            let (placed, deadline) = (
                Instant(rfc3339: order.placedAt), try await seen().acceptBy.flatMap { Instant(rfc3339: $0) }
            )
            #expect(deadline == placed?.advanced(by: .seconds(1800)))
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            #expect(try await !shop.server.get("/v1/orders/\(order.id)", headers: token).text.contains("acceptBy"))
            let list = try await shop.server.get("/v1/staff/orders", headers: StaffTests.bearer).decoded(
                Page<StaffOrderBody>.self)
            #expect(list.items.map(\.acceptBy) == [try await seen().acceptBy])
            _ = try await shop.server.post(
                "/v1/staff/orders/\(order.number)/advance", json: #"{"state": "accepted"}"#, headers: StaffTests.bearer)
            #expect(try await seen().acceptBy == nil)
            for (json, errors) in [
                (#"{"withinMinutes": 0}"#, ["withinMinutes: out_of_range"]),
                (
                    #"{"withinMinutes": 1441, "automatically": true}"#,
                    ["withinMinutes: out_of_range", "automatically: not_with_minutes"]
                ),
            ] {
                #expect(try await Self.put(shop, json).expecting(422).errors == errors)
            }
            let automatic = try await Self.put(shop, #"{"automatically": true}"#).expecting(200).decoded(
                StaffShopBody.self)
            #expect(automatic.acceptsAutomatically && automatic.acceptWithinMinutes == nil)
            let none = try await Self.put(shop, "{}").expecting(200).decoded(StaffShopBody.self)
            #expect(!none.acceptsAutomatically && none.acceptWithinMinutes == nil)
        }
    }

    @Test("A fault that delays an automatic rejection and its recovery are each reported once; the order is rejected")
    func fault() async throws {
        try await StaffTests.run { shop in
            let order = try await shop.server.order()
            try await shop.database.psql(
                """
                create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
                create trigger refuse before insert on order_steps for each row execute function refuse();
                update orders set placed_at = placed_at - interval '1 hour';
                update shop set accept_within_minutes = 30;
                """)
            func events() async throws -> [ErrorEventBody] {
                try await shop.server.get("/v1/errors").decoded(ErrorsBody.self).events.filter {
                    $0.code == "acceptance_unavailable"
                }
            }
            try await eventually("the fault is reported") { try await events().map(\.kind) == ["fault"] }
            #expect(try await shop.server.order(guest: 2).state == "placed", "the shop still accepts orders")
            try await shop.database.psql("drop trigger refuse on order_steps")
            try await eventually("the recovery is reported") {
                try await events().map(\.kind) == ["recovery", "fault"]
            }
            let read = try await shop.server.storefront.order(order.id, accessToken: order.accessToken)
            #expect(read.state == "rejected" && read.rejectionReason == "We could not accept your order in time.")
        }
    }
}
