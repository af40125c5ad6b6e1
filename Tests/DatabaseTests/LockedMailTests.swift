// A mail of a locked order is postponed: the server reads only the first hundred due mails, and others must be sent.
// Tests begin_order_mail of sql/018_order_mails.sql.
import Ordering
import Postgres
import Support
import Testing

@testable import Database

@Suite struct LockedMailTests {
    @Test("A mail of a locked order is due again a second later, and the attempt does not count")
    func lockedOrder() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.insertOrders(1...2)
            try await database.psql(
                """
                insert into order_mails (order_id, state, at, due_at)
                select id, 'placed', placed_at, now() from orders
                """)
            let begin = "select begin_order_mail(id, 'placed', placed_at, 60) from orders where number = '00000001'"
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await staff.run(script: "begin; select advance_order('00000001', 'accepted')")
            #expect(try await Psql.run(begin, url: database.serverURL) == "skipped")
            let due = """
                select string_agg(number, ' ' order by due_at) from order_mails join orders on id = order_id
                where due_at <= now() and attempts = 0
                """
            #expect(try await database.psql(due) == "00000002")
            try await staff.run(script: "rollback")
            await staff.close()
            #expect(try await Psql.run(begin, url: database.serverURL) == "begun")
        }
    }
}
