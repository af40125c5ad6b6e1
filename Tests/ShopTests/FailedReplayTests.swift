// A repetition that can't be answered, in one batch with orders that are placed: it fails, and nobody else does.
// Tests Sources/Shop/Checkout/CheckoutQueue.swift; what guests are told while a real standby stands still is in StandbyTests.swift.
import Database
import Ordering
import Postgres
import Support
import Testing

@testable import Shop

@Suite("Promise 2: a repetition that fails takes no neighbour of its batch along") struct FailedReplayTests {
    /// What became of a checkout.
    private enum Answer: Equatable {
        case placed, replayed, refused, failed
    }

    @Test("of repetitions in one batch those whose order can't be read fail; the others have their order, and the neighbours are placed")
    func unreadable() async throws {
        try await OpenShop.with { open async throws in
            let broken = "update orders set line_kinds = '{unheard of}' where phone like '%0'"
            let answers = try await Self.answers(in: open, after: broken)
            #expect(answers == (0..<48).map { $0 % 3 > 0 ? .placed : $0 % 10 == 0 ? .failed : .replayed })
            #expect(answers.contains(.failed) && answers.contains(.replayed))
        }
    }

    @Test("while the wait for the standby fails repetitions fail, for a failover might lose their orders; their neighbours are placed")
    func standby() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            // Asked for in front of PostgreSQL's own, by the wait alone; cancelled as where a standby's answer never comes.
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
            try await OpenShop.with(on: database) { open async throws in
                let answers = try await Self.answers(in: open, after: "insert into standby_stands_still values (now())")
                #expect(answers == (0..<48).map { $0 % 3 > 0 ? .placed : .failed })
                // Once it moves on, all of them have their order.
                try await database.psql("delete from standby_stands_still")
                #expect(try await database.psql("select count(*) from orders") == "50")
            }
        }
    }

    /// What becomes of 48 checkouts in one batch, of which each third is sent for the second time, where this was done in SQL in between.
    private static func answers(in open: OpenShop, after change: String) async throws -> [Answer] {
        let drafts = try await together(Array(0..<48)) { try await open.draft(open.basket(), by: Guest($0)) }
        for index in drafts.indices where index % 3 == 0 { #expect(try await open.shop.checkouts.submit(drafts[index]).isPlaced) }
        try await open.database.psql(change)
        // Each worker waits for a basket, until all the others have gathered.
        let held = try await together([48, 49]) { try await open.draft(open.basket(), by: Guest($0)) }
        let holder = try await PostgresConnection.connect(open.database.url, logger: .silent)
        let ids = held.map { "'\($0.basketID)'" }.joined(separator: ",")
        try await holder.run(script: "begin; select from baskets where id in (\(ids)) for update")
        let first = Task { try await together([held[0]]) { try await open.shop.checkouts.submit($0).isPlaced } }
        let waits = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        try await eventually("a worker waits") { try await open.database.psql(waits) == "1" }
        let second = Task { try await together([held[1]]) { try await open.shop.checkouts.submit($0).isPlaced } }
        try await eventually("both wait") { try await open.database.psql(waits) == "2" }
        let answers = Task {
            try await together(drafts) { draft -> Answer in
                do throws(ShopFault) {
                    switch try await open.shop.checkouts.submit(draft) {
                    case .placed: return .placed
                    case .replayed: return .replayed
                    case .rejected: return .refused
                    }
                } catch {
                    return .failed
                }
            }
        }
        try await eventually("the others have gathered") { open.shop.checkouts.waitingCount == drafts.count }
        try await holder.run(script: "rollback")
        await holder.close()
        #expect(try await first.value + second.value == [true, true])
        return try await answers.value
    }
}
