// Tests the event stream of orders and faults for the staff page.
import Support
import Testing
import Wire

@testable import Web

@Suite("Staff: one stream of orders and faults", .timeLimit(.minutes(2)))
struct StaffEventTests {
    private static let path = "/v1/staff/events"

    @Test("The stream begins with list_changed, and sends orders, faults and recoveries")
    func events() async throws {
        try await StaffTests.run { shop in
            try await shop.server.withRawConnection { connection in
                try await connection.openStream(Self.path, headers: StaffTests.bearer)
                #expect(try await connection.nextEvent().name == "list_changed")
                let order = try await shop.server.order()
                let placed = try await connection.nextEvent()
                #expect(try placed.name == "placed" && placed.decoded(OrderEventBody.self).number == order.number)
                try await shop.database.psqlAsStaff("select advance_order('\(order.number)', 'accepted')")
                #expect(try await connection.nextEvent().name == "moved")
                // The trigger prevents the automatic rejection, which causes a fault.
                try await shop.database.psql(
                    """
                    create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
                    create trigger refuse before insert on order_steps for each row execute function refuse();
                    """)
                let late = try await shop.server.order(guest: 2)
                #expect(try await connection.nextEvent().name == "placed")
                try await shop.database.psql(
                    """
                    update orders set placed_at = placed_at - interval '1 hour' where number = '\(late.number)';
                    update shop set accept_within_minutes = 30;
                    """)
                var event = try await connection.nextEvent()
                while event.name != "fault" { event = try await connection.nextEvent() }
                #expect(try event.decoded(ErrorEventBody.self).code == "acceptance_unavailable")
                try await shop.database.psql("drop trigger refuse on order_steps")
                while event.name != "recovery" { event = try await connection.nextEvent() }
                #expect(try event.decoded(ErrorEventBody.self).code == "acceptance_unavailable")
            }
        }
    }

    @Test("The stream ends when its token is withdrawn")
    func withdrawnToken() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                "insert into staff_members (name, role, token_digest) values ('ann', 'counter', sha256('ann'))")
            let bearer = [("Authorization", "Bearer ann")]
            try await eventually("ann can sign in") {
                try await shop.server.get("/v1/staff/me", headers: bearer).status == 200
            }
            try await shop.server.withRawConnection { connection in
                try await connection.openStream(Self.path, headers: bearer)
                #expect(try await connection.nextEvent().name == "list_changed")
                try await shop.database.psql("update staff_members set withdrawn_at = now() where name = 'ann'")
                #expect(try await connection.eventsToEnd() == [])
            }
        }
    }
}
