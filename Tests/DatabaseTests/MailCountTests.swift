// The limit of mails to one address per hour. Tests sql/018_order_mails.sql and Sources/Database/Mail.
import Database
import Ordering
import Support
import Testing

@Suite("Mails to one address", .timeLimit(.minutes(5)))
struct MailCountTests {
    /// Inserts a due mail of the order, with this many attempts.
    private static func insertDueMail(_ order: Order, attempts: Int = 0, in database: TestDatabase) async throws {
        try await database.psql(
            """
            insert into order_mails (order_id, state, at, due_at, attempts)
            values ('\(order.id)', 'placed', '\(order.placedAt.rfc3339)', now(), \(attempts))
            """)
    }

    /// Inserts this many sent mails to the address, each ten minutes older than the previous one.
    private static func insertSentMails(_ count: Int, to email: String, in database: TestDatabase) async throws {
        try await database.psql(
            """
            insert into recent_mails (order_id, state, attempt, recipient, at)
            select gen_random_uuid(), 'placed', 1, mail_recipient('\(email)'), now() - n * interval '10 minutes'
            from generate_series(1, \(count)) as n
            """)
    }

    @Test("After five mails to an address, a retried mail waits until the oldest is an hour old, and is not given up")
    func retried() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            try await Self.insertDueMail(order, attempts: 1, in: fixture.database)
            try await Self.insertSentMails(5, to: "guest.1@example.com", in: fixture.database)
            let begin = "select begin_order_mail('\(order.id)', 'placed', now(), 60)"
            #expect(try await fixture.database.psql(begin) == "limited")
            let row = try await fixture.database.psql(
                """
                select failed_at, attempts, due_at - now() between interval '9 minutes' and interval '10 minutes'
                from order_mails
                """)
            #expect(row == "|1|t")
            try await fixture.database.psql("update recent_mails set at = at - interval '10 minutes'")
            #expect(try await fixture.database.psql(begin) == "begun")
            #expect(try await fixture.database.psql("select attempts from order_mails") == "2")
        }
    }

    @Test("An attempt that reached no mail server does not count for its address")
    func uncounted() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            try await Self.insertDueMail(order, in: fixture.database)
            let mails = try await OrderMailStore.connect(fixture.database.serverURL, logger: .silent)
            let mail = try #require(try await mails.loadDue(limit: 10).first)
            #expect(try await mails.beginAttempt(mail, nextIn: .seconds(60)) == .begun)
            #expect(try await fixture.database.psql("select attempt from recent_mails") == "1")
            try await mails.uncountAttempt(mail)
            #expect(try await fixture.database.psql("select count(*) from recent_mails") == "0")
            try await mails.markFailed(mail, .refused, answer: "550 5.1.1 no")
            #expect(
                try await mails.beginAttempt(mail, nextIn: .seconds(60)) == .skipped, "the mail has failed for good")
            #expect(try await fixture.storage.loadUnsentMails([order.id]).map(\.reason) == [.refused])
            await mails.close()
        }
    }

    @Test("Counting the recent mails reads few rows, even if the plan was made when the table was empty")
    func plan() async throws {
        try await ShopFixture.with { fixture async throws in
            let mails = try await OrderMailStore.connect(fixture.database.serverURL, logger: .silent)
            func begin(_ guest: Int) async throws {
                let order = try #require(try await fixture.placeOrder(by: Guest(guest)).order)
                try await Self.insertDueMail(order, in: fixture.database)
                let due = try #require(try await mails.loadDue(limit: 10).first { $0.orderID == order.id })
                #expect(try await mails.beginAttempt(due, nextIn: .seconds(60)) == .begun)
            }
            try await fixture.database.psql("analyze recent_mails")
            for guest in 0..<6 { try await begin(guest) }
            try await fixture.database.psql(
                """
                insert into recent_mails (order_id, state, attempt, recipient, at)
                select gen_random_uuid(), 'placed', 1, mail_recipient('filler.' || n || '@example.com'), now()
                from generate_series(1, 50000) as n
                """)
            for guest in 10..<20 { try await begin(guest) }
            await mails.close()
            // PostgreSQL has all statistics of a session only after the session has ended.
            try await eventually("the session has ended") {
                let sessions = try await fixture.database.psql(
                    """
                    select count(*) from pg_stat_activity
                    where application_name = 'welms mail' and datname = current_database()
                    """)
                return sessions == "0"
            }
            let read = try await fixture.database.psql(
                """
                select (select seq_scan from pg_stat_user_tables where relname = 'recent_mails'),
                       (select sum(idx_tup_read) < 1000 from pg_stat_user_indexes where relname = 'recent_mails')
                """)
            #expect(read == "0|t")
        }
    }
}
