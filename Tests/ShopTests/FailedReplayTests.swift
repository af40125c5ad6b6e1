// A replay that cannot be answered fails alone in a batch with orders that are placed.
// Covers CheckoutQueue. SynchronousStandbyTests covers a real standby that does not respond.
import Database
import Ordering
import Postgres
import Support
import Testing

@testable import Shop

@Suite("Exactly once: failed replays") struct FailedReplayTests {
    /// The result of a checkout.
    private enum Outcome: Equatable {
        case placed, replayed, rejected, failed
    }

    @Test("Replays whose orders cannot be read fail alone: the rest of the batch is replayed or placed")
    func unreadable() async throws {
        try await ShopFixture.with { open async throws in
            let broken = "update orders set lines[1].kind = 'unheard of' where phone like '%0'"
            let answers = try await Self.outcomes(in: open, after: broken)
            #expect(answers == (0..<48).map { $0 % 3 > 0 ? .placed : $0 % 10 == 0 ? .failed : .replayed })
            #expect(answers.contains(.failed) && answers.contains(.replayed))
        }
    }

    @Test("While the wait for the standby fails, replays fail, since a failover may lose their orders; others succeed")
    func standby() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            // The wait for the standby calls this function instead of PostgreSQL's own. It fails as a wait does that
            // times out because the standby does not respond.
            try await database.psql(
                """
                create table standby_stands_still (since timestamptz);
                grant select on standby_stands_still to welms_server;
                create function public.current_setting(name text) returns text language plpgsql as $$
                begin
                    if name = 'synchronous_standby_names' and exists (select from public.standby_stands_still) then
                        raise query_canceled using message = 'canceling statement due to statement timeout';
                    end if;
                    return pg_catalog.current_setting(name);
                end $$;
                grant execute on function public.current_setting(text) to welms_server;
                """)
            try await database.psql("alter database \"\(database.name)\" set search_path = public, pg_catalog")
            try await ShopFixture.with(on: database) { open async throws in
                let answers = try await Self.outcomes(
                    in: open, after: "insert into standby_stands_still values (now())")
                #expect(answers == (0..<48).map { $0 % 3 > 0 ? .placed : .failed })
                // The replayed orders still exist.
                try await database.psql("delete from standby_stands_still")
                #expect(try await database.psql("select count(*) from orders") == "50")
            }
        }
    }

    /// Submits 48 checkouts in one batch and returns their outcomes. Every third checkout is submitted for the second
    /// time; the SQL change runs between the two.
    private static func outcomes(in open: ShopFixture, after change: String) async throws -> [Outcome] {
        let drafts = try await runConcurrently(Array(0..<48)) {
            try await open.makeDraft(open.makeBasket(), by: Guest($0))
        }
        for index in drafts.indices where index % 3 == 0 {
            #expect(try await open.shop.checkouts.submit(drafts[index]).isPlaced)
        }
        try await open.database.psql(change)
        // A locked basket blocks each of the two workers until all other checkouts are in the queue.
        let lockedDrafts = try await runConcurrently([48, 49]) {
            try await open.makeDraft(open.makeBasket(), by: Guest($0))
        }
        let holder = try await PostgresConnection.connect(open.database.url, logger: .silent)
        let ids = lockedDrafts.map { "'\($0.basketID)'" }.joined(separator: ",")
        try await holder.run(script: "begin; select from baskets where id in (\(ids)) for update")
        let first = Task {
            try await runConcurrently([lockedDrafts[0]]) { try await open.shop.checkouts.submit($0).isPlaced }
        }
        let waits = """
            select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
            """
        try await eventually("a worker waits") { try await open.database.psql(waits) == "1" }
        let second = Task {
            try await runConcurrently([lockedDrafts[1]]) { try await open.shop.checkouts.submit($0).isPlaced }
        }
        try await eventually("both workers wait") { try await open.database.psql(waits) == "2" }
        let answers = Task {
            try await runConcurrently(drafts) { draft -> Outcome in
                do throws(ShopFault) {
                    switch try await open.shop.checkouts.submit(draft) {
                    case .placed: return .placed
                    case .replayed: return .replayed
                    case .rejected: return .rejected
                    }
                } catch {
                    return .failed
                }
            }
        }
        try await eventually("the other checkouts are in the queue") {
            open.shop.checkouts.waitingCount == drafts.count
        }
        try await holder.run(script: "rollback")
        await holder.close()
        #expect(try await first.value + second.value == [true, true])
        return try await answers.value
    }
}
