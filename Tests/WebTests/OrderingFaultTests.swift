// Each failure of writes while the database is reachable is reported. Tests/Tools/Chaos breaks real disks and files
// and measures how fast the failure is reported.

import Foundation
import Support
import Testing
import Web
import Wire

@Suite("Faults that prevent ordering", .timeLimit(.minutes(10)))
struct OrderingFaultTests {
    /// A fault of the database: the SQL that causes it, and the SQL that repairs it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let begin: String
        let end: String
    }

    static let cases = [
        Case(
            testDescription: "a revoked function", begin: "revoke execute on function place_orders from welms_server",
            end: "grant execute on function place_orders to welms_server"),
        Case(
            testDescription: "a renamed column", begin: "alter table orders rename column fingerprint to thumbprint",
            end: "alter table orders rename column thumbprint to fingerprint"),
        // Like a full disk or a damaged page: a check without a write cannot detect it.
        Case(
            testDescription: "a write that fails for each order",
            begin: """
                create function refuse() returns trigger language plpgsql as $$
                    begin raise 'no' using errcode = 'XX001'; end $$;
                create trigger refuse before insert on orders for each row execute function refuse()
                """, end: "drop trigger refuse on orders; drop function refuse"),
    ]

    @Test(
        "While ordering fails, guests get 503 and never 500, and the fault and its recovery are reported once each",
        arguments: cases)
    func faultIsReportedOnce(fault: Case) async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let form = CheckoutBody.filled(for: basket)
            try await shop.database.psql(fault.begin)
            try await eventually("the fault is reported") {
                let reply = try await shop.server.checkout(form, key: "k")
                #expect(
                    reply.status == 503 && reply.code == "database_unavailable" && reply.header("Retry-After") != nil,
                    "\(reply.text)")
                return try await Self.condition(shop) == "degraded"
            }
            let ready = try await shop.server.get("/readyz")
            #expect(ready.status == 200, "another server would have the same database")
            #expect(ready.text.contains(#"{"name":"ordering","status":"degraded","detail":"failing"}"#))
            try await shop.database.psql(fault.end)
            try await eventually("the order is placed") { try await shop.server.checkout(form, key: "k").status == 201 }
            try await eventually("the recovery is reported") { try await Self.condition(shop) == "healthy" }
            let events = try await shop.server.get("/v1/errors").decoded(ErrorsBody.self).events
            #expect(events.map(\.kind) == ["recovery", "fault"])
            #expect(
                events.allSatisfy {
                    $0.subject == "ordering" && $0.code == "ordering_unavailable" && !$0.message.contains("ERROR")
                })
        }
    }

    @Test("A table lock of a forgotten transaction is reported without any checkout, and the log says what to do")
    func lockedTable() async throws {
        let log = LogRecorder()
        try await TestShop.run(logger: log.logger) { shop in
            let holder = Task { try await shop.database.lockRows("alter table orders add column forgotten integer") }
            try await shop.database.waitForRowLocks()
            try await eventually("the fault is reported") { try await Self.condition(shop) == "degraded" }
            #expect(
                log.lines.withLock {
                    $0.contains { $0.contains("another session holds a lock on a table: see pg_locks") }
                })
            try await shop.database.killLockHolder()
            await #expect(throws: (any Error).self) { try await holder.value }
            try await eventually("the recovery is reported") { try await Self.condition(shop) == "healthy" }
        }
    }

    @Test("A locked coupon row returns 503 only to its users, and is reported as a locked row, not as failed ordering")
    func lockedCoupon() async throws {
        try await TestShop.run { shop in
            let (basket, other) = (
                try await shop.server.startBasket(items: [(2001, 1)]),
                try await shop.server.startBasket(items: [(2001, 1)])
            )
            let holder = Task {
                try await shop.database.lockRows("update coupons set title = title where key = 'FRST'")
            }
            try await shop.database.waitForRowLocks()
            var form = CheckoutBody.filled(for: basket, guest: 1)
            form.coupon = "frst"
            form.expectedTotal = try await shop.server.validate(form).decoded(ValidationBody.self).quote?.total
            for _ in 0..<3 {
                let reply = try await shop.server.checkout(form, key: "k")
                #expect(reply.status == 503 && reply.code == "being_changed" && reply.header("Retry-After") == "1")
            }
            #expect(try await shop.server.checkout(.filled(for: other, guest: 2), key: "l").status == 201)
            let events = {
                try await shop.server.get("/v1/errors").decoded(ErrorsBody.self).events.map {
                    "\($0.kind) of \($0.subject)"
                }
            }
            try await eventually("the locked row is reported") { try await !events().isEmpty }
            #expect(try await events() == ["fault of locked_rows"])
            try await shop.database.killLockHolder()
            await #expect(throws: (any Error).self) { try await holder.value }
            try await eventually("the recovery is reported") { try await events().count == 2 }
            #expect(try await shop.server.checkout(form, key: "k").status == 201)
            #expect(try await events() == ["recovery of locked_rows", "fault of locked_rows"])
        }
    }

    @Test("A missing privilege of the staff routes is reported, and the routes return 503")
    func staff() async throws {
        var configuration = WebConfiguration(port: 0)
        configuration.staffToken = StaffToken(StaffTests.token)
        try await TestShop.run(configuration: configuration) { shop in
            try await shop.database.psql("revoke update (is_available) on menu_items from welms_server")
            let headers = StaffTests.bearer
            try await eventually("the fault is reported") {
                let reply = try await shop.server.post(
                    "/v1/staff/menu/2001/availability", json: #"{"isAvailable": false}"#, headers: headers)
                #expect(reply.status == 503)
                return try await Self.condition(shop) == "degraded"
            }
        }
    }

    @Test("The ordering check leaves no basket, order, number or disk space behind")
    func checkLeavesNothing() async throws {
        try await TestShop.run { shop in
            let before = try await shop.database.psql(Self.contents)
            // With the revoked privilege, statements fail. After a failure the ordering check writes.
            try await shop.database.psql("revoke select on baskets from welms_server")
            try await eventually("the fault is reported") { try await Self.condition(shop) == "degraded" }
            try await shop.database.psql("grant select on baskets to welms_server")
            try await eventually("the recovery is reported") { try await Self.condition(shop) == "healthy" }
            #expect(try await shop.database.psql(Self.contents) == before)
        }
    }

    private static let contents = """
        select (select count(*) from baskets), (select count(*) from orders), (select last_value from order_sequence),
               (select string_agg(relname || ' ' || pg_relation_filenode(oid), ', ' order by oid) from pg_class
                where relnamespace = 'public'::regnamespace)
        """

    private static func condition(_ shop: TestShop) async throws -> String {
        try await shop.server.get("/v1/errors").decoded(ErrorsBody.self).condition
    }
}
