// A round of pruning reads only what it may delete, however large the tables are. Tests sql/023_retention.sql and
// sql/029_audit_pruning.sql. Counts the rows and index entries that PostgreSQL read, not the time.
import Database
import Support
import Testing

@Suite("The cost of pruning")
struct PruningCostTests {
    /// The largest number of audit rows that one statement reads.
    private static let page = 100

    @Test("A round with 20,000 audit rows that are all retained reads at most 100 of them")
    func retainedAudit() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(
                """
                insert into audit (at, who, what, after)
                select now() - n * interval '1 minute', 'Ann', 'shop', '{}' from generate_series(20000, 1, -1) as n
                """)
            let round = try await Self.pruneCountingReads(of: ["audit"], in: database)
            #expect(round.outcome == .init())
            #expect((1...Self.page).contains(round.reads), "\(round.reads)")
        }
    }

    @Test("A round with 1,701 expired audit rows before 20,000 retained ones reads at most three pages besides")
    func expiredAudit() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(
                """
                insert into audit (at, who, what, after)
                select now() - interval '2 years' + n * interval '1 minute', 'Ann', 'shop', '{}'
                from generate_series(-1700, 20000) as n
                """)
            let round = try await Self.pruneCountingReads(of: ["audit"], in: database)
            #expect(round.outcome == .init(deletedRows: [.audit: 1701]))
            // Each expired row is read, locked and deleted, and its index entry is passed once more. The first call
            // also reads the rest of a page and the next page, and the last call reads one page.
            #expect((1701...3 * Self.page + 4 * 1701).contains(round.reads), "\(round.reads)")
        }
    }

    @Test("After a round with 5,000 finished baskets, the next round reads only the unfinished and the new ones")
    func finishedBaskets() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(
                """
                \(Self.insertBaskets(state: "ordered", from: 1, to: 5000));
                \(Self.insertBaskets(state: "open", from: 5001, to: 5003));
                update baskets set changed_at = now() where state = 'open'
                """)
            #expect(try await Self.prune(database) == .init(emptiedBaskets: 5000))
            #expect(try await database.psql("select count(*) from unfinished_baskets") == "3")
            try await database.psql(Self.insertBaskets(state: "ordered", from: 5004, to: 5007))
            let round = try await Self.pruneCountingReads(of: ["baskets", "unfinished_baskets"], in: database)
            #expect(round.outcome == .init(emptiedBaskets: 4))
            #expect((7...60).contains(round.reads), "\(round.reads)")

            // The three are unchanged for a month now, and a later round deletes them.
            try await database.psql("update baskets set changed_at = now() - interval '31 days' where state = 'open'")
            #expect(try await Self.prune(database) == .init(deletedRows: [.baskets: 3]))
            #expect(try await database.psql("select count(*) from unfinished_baskets") == "0")
        }
    }

    @Test("A round reads few rows of counters, uses and mails that are retained")
    func retainedCounters() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(
                """
                insert into stock_days (subject, id, day, sold)
                select 'menu_items', id, current_date - day, 1
                from generate_series(1, 20) as id, generate_series(0, 300) as day;
                insert into slot_uses (fulfilment, starts_at)
                select 'delivery', now() - interval '29 days' + n * interval '1 minute'
                from generate_series(0, 5000) as n;
                insert into coupon_uses (coupon_id, guest_key, period, use_number, order_id)
                select 1, 'tel:' || n, case when n % 2 = 0 then extract(year from now()) else 0 end, 1,
                    gen_random_uuid()
                from generate_series(1, 5000) as n;
                insert into order_mails (order_id, state, at, due_at, sent_at)
                select basket_id_at(now() - interval '300 days' + n * interval '1 minute'), 'placed',
                    now() - interval '300 days' + n * interval '1 minute', now(), now()
                from generate_series(1, 5000) as n;
                insert into recent_mails (order_id, state, attempt, recipient, at)
                select gen_random_uuid(), 'placed', 1, '', now() from generate_series(1, 5000)
                """)
            for table in ["stock_days", "slot_uses", "coupon_uses", "order_mails", "recent_mails"] {
                let round = try await Self.pruneCountingReads(of: [table], in: database)
                #expect(round.outcome == .init())
                #expect(round.reads <= 10, "\(table): \(round.reads)")
            }
        }
    }

    private static func prune(_ database: TestDatabase) async throws -> Pruning.Outcome? {
        try await Pruning(url: database.serverURL, basketAge: .seconds(30 * 86_400), logger: .silent).run()
    }

    /// Prunes once. Also returns how many rows and index entries of the tables PostgreSQL read for it.
    private static func pruneCountingReads(
        of tables: [String], in database: TestDatabase
    ) async throws -> (outcome: Pruning.Outcome?, reads: Int) {
        let before = try await database.countReads(of: tables)
        let outcome = try await prune(database)
        return (outcome, try await database.countReads(of: tables) - before)
    }

    /// Inserts baskets that were made in 2023 and have not changed for 31 days.
    private static func insertBaskets(state: String, from first: Int, to last: Int) -> String {
        """
        insert into baskets (id, state, currency, changed_at, lines_made, lines)
        select ('018bcfe5-6800-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '\(state)', 'USD',
            now() - interval '31 days', 1, array[row(1, 2001, null, 100, 1, null)::basket_line]
        from generate_series(\(first), \(last)) as n
        """
    }
}
