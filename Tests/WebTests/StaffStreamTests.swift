// Tests that a staff event stream ends when its token is withdrawn.
import Support
import Testing

@testable import Web

@Suite("Staff: streams and withdrawn tokens", .timeLimit(.minutes(2)))
struct StaffStreamTests {
    private static let stream = "/v1/staff/orders/events"

    private static func bearer(_ token: String) -> [(String, String)] { [("Authorization", "Bearer \(token)")] }

    /// Adds members whose tokens are their names, and waits until the servers accept them.
    private static func add(_ names: [String], to shops: [TestShop]) async throws {
        for name in names {
            try await shops[0].database.psql(
                "insert into staff_members (name, role, token_digest) values ('\(name)', 'counter', sha256('\(name)'))")
        }
        for shop in shops {
            for name in names {
                try await eventually("\(name) can sign in") {
                    try await shop.server.get("/v1/staff/me", headers: bearer(name)).status == 200
                }
            }
        }
    }

    /// SQL that withdraws the member and adds it with another token.
    private static func replaceToken(of name: String) -> String {
        """
        update staff_members set withdrawn_at = now() where name = '\(name)';
        update staff_members set withdrawn_at = null, token_digest = sha256('\(name) again') where name = '\(name)';
        """
    }

    @Test(
        "A stream ends within a second after its member's token was replaced, with and without notifications",
        arguments: [true, false])
    func replacedToken(hasNotifications: Bool) async throws {
        try await TestShop.run { one in
            try await TestShop.run(on: one.database) { other in
                try await Self.add(["ann", "bob"], to: [one, other])
                if !hasNotifications {
                    try await one.database.psql("alter table staff_members disable trigger notify_staff_changed")
                }
                try await one.server.withRawConnection { first in
                    try await first.openStream(Self.stream, headers: Self.bearer("ann"))
                    #expect(try await first.nextEvent().name == "list_changed")
                    try await other.server.withRawConnection { second in
                        try await second.openStream(Self.stream, headers: Self.bearer("ann"))
                        #expect(try await second.nextEvent().name == "list_changed")
                        try await one.server.withRawConnection { kept in
                            try await kept.openStream(Self.stream, headers: Self.bearer("bob"))
                            #expect(try await kept.nextEvent().name == "list_changed")
                            try await one.database.psql(Self.replaceToken(of: "ann"))
                            let start = ContinuousClock.now
                            #expect(try await first.eventsToEnd() == [])
                            #expect(try await second.eventsToEnd() == [])
                            // The documented limit is one second. Three leave time for a busy machine.
                            #expect(ContinuousClock.now - start < .seconds(3))
                            let order = try await one.server.order()
                            // The streams of other members stay open.
                            while try await !kept.nextEvent().data.contains(order.number) {}
                        }
                    }
                }
                let headers = Self.bearer("ann again")
                for shop in [one, other] {
                    #expect(try await shop.server.get("/v1/staff/me", headers: headers).status == 200)
                }
            }
        }
    }
}
