// The statements of mail read few rows, however many mails are stored or pending. Tests OrderMailStore and
// sql/026_mail_reads.sql. Counts the rows and index entries that PostgreSQL read, not the time.
import Ordering
import Support
import Testing

@testable import Database

@Suite("Rows that mail reads", .timeLimit(.minutes(5)))
struct MailReadTests {
    /// Inserts 20,000 steps within 22 hours whose mails were sent.
    private static let mailedSteps = """
        insert into order_steps (order_id, step, state, at)
        select basket_id_at(now() - n * interval '4 seconds'), 1, 'accepted', now() - n * interval '4 seconds'
        from generate_series(1, 20000) as n;
        insert into order_mails (order_id, state, at, due_at, attempts, sent_at)
        select order_id, state, at, at, 1, at from order_steps
        """

    @Test("A search after 20,000 mailed steps reads only the newest ones")
    func newestSteps() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let reads = try await Self.countReads(of: ["orders", "order_steps", "order_mails"], in: database) { mails in
                // The plans are made for empty tables.
                _ = try await mails.storeNewMails(from: Self.time(secondsAgo: 0, mails), limit: 1000)
                try await database.psql(Self.mailedSteps)
            } measuring: { mails in
                let next = try await mails.storeNewMails(from: Self.time(secondsAgo: 30, mails), limit: 1000)
                #expect(next == nil)
            }
            #expect((2...60).contains(reads), "\(reads)")
        }
    }

    @Test("A search of a day with 20,000 mailed steps and 5 unmailed ones finds these 5, and reads each row once")
    func wholeDay() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let reads = try await Self.countReads(of: ["orders", "order_steps", "order_mails"], in: database) { mails in
                _ = try await mails.storeNewMails(from: Self.time(secondsAgo: 0, mails), limit: 1000)
                try await database.psql(
                    """
                    \(Self.mailedSteps);
                    delete from order_mails using (select order_id from order_steps order by at limit 3) as oldest
                    where order_mails.order_id = oldest.order_id;
                    insert into order_steps (order_id, step, state, at)
                    select gen_random_uuid(), 1, 'rejected', now() - interval '11 hours' from generate_series(1, 2);
                    -- These need no mail: a step that was taken back, and a state without mails.
                    insert into order_steps (order_id, step, state, at, kind)
                    select basket_id_at(now()), step, state, now() - interval '11 hours', kind from (values
                        (1, 'accepted', 'moved'), (2, 'placed', 'taken_back'), (3, 'preparing', 'moved')
                    ) as step (step, state, kind)
                    """)
            } measuring: { mails in
                var start: Instant? = try await Self.time(secondsAgo: 86_400, mails)
                var pages = 0
                while let next = start {
                    start = try await mails.storeNewMails(from: next, limit: 1000)
                    pages += 1
                }
                #expect(pages == 21)
            }
            // Each step and its mail.
            #expect((40_000...42_000).contains(reads), "\(reads)")
            #expect(try await database.psql("select count(*) from order_mails where sent_at is null") == "5")
            #expect(
                try await database.psql(
                    "select count(*), bool_and(due_at = at) from order_mails where state = 'rejected'") == "2|t")
        }
    }

    @Test("A day with more steps of one time than a page contains is read completely")
    func sameTime() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psql(
                """
                insert into order_steps (order_id, step, state, at)
                select gen_random_uuid(), 1, 'accepted', now() - interval '1 hour' from generate_series(1, 250)
                """)
            let mails = try await OrderMailStore.connect(database.serverURL, logger: .silent)
            var start: Instant? = try await Self.time(secondsAgo: 86_400, mails)
            while let next = start { start = try await mails.storeNewMails(from: next, limit: 100) }
            await mails.close()
            #expect(try await database.psql("select count(*) from order_mails") == "250")
        }
    }

    @Test("With 5,000 pending mails, a mail is begun and marked as failed by its key, and the oldest is known")
    func pendingMails() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.insertOrders(1...3)
            let insertMails = """
                insert into order_mails (order_id, state, at, due_at)
                select id, 'placed', placed_at, now() from orders where number = '0000000
                """
            let reads = try await Self.countReads(of: ["order_mails"], in: database) { mails in
                // The plans are made while no mail is pending.
                try await database.psql("\(insertMails)1'; analyze order_mails")
                try await Self.beginAndFail(mails)
                try await database.psql(
                    """
                    insert into order_mails (order_id, state, at, due_at)
                    select gen_random_uuid(), 'placed', now() - interval '1 hour', now() + interval '1 hour'
                    from generate_series(1, 5000);
                    \(insertMails)2'
                    """)
            } measuring: { mails in
                try await Self.beginAndFail(mails)
            }
            #expect((4...60).contains(reads), "\(reads)")
            #expect(
                try await database.psql(
                    "select count(*) from order_mails where reason = 'refused' and attempts = 1 and answer = 'no'")
                    == "2")

            try await database.psql("update order_mails set due_at = now() where reason is null")
            let waiting = try await Self.countReads(
                of: ["order_mails"], in: database,
                measuring: { mails in
                    let (now, oldest) = try await mails.loadOldestPending()
                    #expect(try #require(oldest) <= now.advanced(by: .seconds(-3600)))
                })
            #expect((1...1100).contains(waiting), "\(waiting)")
        }
    }

    private static func beginAndFail(_ mails: OrderMailStore) async throws {
        let mail = try #require(try await mails.loadDue(limit: 1).first)
        #expect(try await mails.beginAttempt(mail, nextIn: .seconds(60)) == .begun)
        try await mails.markFailed(mail, .refused, answer: "no")
        // The functions use a cached plan after some calls.
        for _ in 0..<8 {
            #expect(try await mails.beginAttempt(mail, nextIn: .seconds(60)) == .skipped)
            try await mails.markFailed(mail, .refused, answer: "no")
        }
    }

    /// The time of the database, minus these seconds.
    private static func time(secondsAgo seconds: Int64, _ mails: OrderMailStore) async throws -> Instant {
        try await mails.loadOpenTransactions().moment.advanced(by: .seconds(-seconds))
    }

    /// Returns how many rows and index entries of the tables PostgreSQL read for the measured statements. They use the
    /// session of the preparation, with its plans.
    private static func countReads(
        of tables: [String], in database: TestDatabase,
        preparation: (OrderMailStore) async throws -> Void = { _ in },
        measuring measured: (OrderMailStore) async throws -> Void
    ) async throws -> Int {
        let names = tables.map { "'\($0)'" }.joined(separator: ",")
        func total() async throws -> Int {
            let count = try await database.psql(
                """
                select (select sum(seq_tup_read) from pg_stat_user_tables where relname in (\(names)))
                    + (select sum(idx_tup_read) from pg_stat_user_indexes where relname in (\(names)))
                """)
            return try #require(Int(count))
        }
        func sessions() async throws -> String {
            try await database.psql(
                """
                select count(*) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
                """)
        }
        let mails = try await OrderMailStore.connect(database.serverURL, logger: .silent)
        try await preparation(mails)
        // A session reports its reads when it ends, and with a statement at least a second after the last report.
        try await eventually("only the session of mail is open") { try await sessions() == "1" }
        try await Task.sleep(for: .milliseconds(1500))
        _ = try await mails.loadOpenTransactions()
        let before = try await total()
        try await measured(mails)
        await mails.close()
        try await eventually("the session has ended") { try await sessions() == "0" }
        return try await total() - before
    }
}
