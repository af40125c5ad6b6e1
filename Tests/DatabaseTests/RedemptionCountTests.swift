// Counting the redemptions of a coupon: concurrent calls, changes by staff, and the cost while a transaction holds an
// old snapshot. Tests redeem_coupon (sql/028_old_snapshots.sql).
import Foundation
import Ordering
import Postgres
import Support
import Testing

@testable import Database

@Suite("Counting redemptions", .timeLimit(.minutes(5)))
struct RedemptionCountTests {
    /// A coupon with a limit. Its version differs from database to database.
    private static func insertCoupon(limit: Int) -> String {
        """
        insert into coupons (id, key, title, description, benefit, percent, redemption_limit)
        values (9000, 'TEN', 'Ten', 'Ten percent.', 'percent', 10, \(limit))
        """
    }

    private static let redeemed = "select redeemed from coupon_redemptions where coupon_id = 9000"

    /// The numbers of other coupons: a table of one page, and one that the function reads from its newest version.
    private static let otherCoupons = [0, 2_000]

    @Test("A call that waits for another one grants only the redemptions that are left", arguments: otherCoupons)
    func concurrent(others: Int) async throws {
        try await Self.withCoupon(limit: 5, others: others) { database, version async throws in
            let first = try await PostgresConnection.connect(database.url, logger: .silent)
            try await first.run(script: "begin; select redeem_coupon(9000, \(version), 3)")
            async let second = database.psql("select redeem_coupon(9000, \(version), 4)")
            try await Self.waitForLock(database)
            try await first.run(script: "commit")
            await first.close()
            #expect(try await second == "2")
            #expect(try await database.psql("select redeem_coupon(9000, \(version), 1)") == "0")
            #expect(try await database.psql(Self.redeemed) == "5")
        }
    }

    @Test("A call grants nothing after staff have changed or deleted the coupon meanwhile", arguments: otherCoupons)
    func changed(others: Int) async throws {
        try await Self.withCoupon(limit: 5, others: others) { database, version async throws in
            for change in [
                "update coupons set title = 'Eleven' where id = 9000", "delete from coupons where id = 9000",
            ] {
                let current = try await database.psql("select version from coupons where id = 9000")
                let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
                try await staff.run(script: "begin; \(change)")
                async let granted = database.psql("select redeem_coupon(9000, \(current), 1)")
                try await Self.waitForLock(database)
                try await staff.run(script: "commit")
                await staff.close()
                #expect(try await granted == "0", "\(change)")
            }
            #expect(try await database.psql("select redeem_coupon(9000, \(version), 1)") == "0")
        }
    }

    @Test("With 30,000 versions under an old snapshot, a checkout reads at most 20 blocks more than without")
    func oldSnapshot() async throws {
        // With few rows in the order of their ids on more than 200 pages, the planner prefers a bitmap scan, which
        // reads all versions.
        try await Self.withCoupon(limit: 1_000_000_000, others: 4) { database, version async throws in
            let query = "(gen_random_uuid(), null, 'TEN', '+12125550001', 'ann@example.com')::checkout_query"
            let facts = ShopDatabase.checkoutFactsStatement.sql.replacing("$1", with: "array[\(query)]")
            let redemption = "select redeem_coupon(9000, \(version), 1)"
            func blocks() async throws -> [Int] {
                var counts: [Int] = []
                for sql in [redemption, facts] { counts.append(try await Self.blocks(of: sql, in: database)) }
                return counts
            }
            let before = try await blocks()
            let dump = try await PostgresConnection.connect(database.url, logger: .silent)
            try await dump.run(script: "begin isolation level repeatable read; select count(*) from coupons")
            try await database.psql(
                """
                set synchronous_commit = off; set enable_seqscan = off;
                do $$ begin
                    for n in 1..30000 loop perform redeem_coupon(9000, \(version), 1); commit; end loop;
                end $$
                """)
            // Statistics of a large table with few rows change the plans.
            for change in ["select", "vacuum analyze coupon_redemptions"] {
                try await database.psql(change)
                let after = try await blocks()
                for (after, before) in zip(after, before) {
                    #expect(after <= before + 20, "\(change): \(before), then \(after)")
                }
            }
            // A look-up by equality passes all versions.
            #expect(try await Self.blocks(of: Self.redeemed, in: database) > 100)
            await dump.close()
        }
    }

    /// The blocks that one execution reads, as in a session of the server.
    private static func blocks(of sql: String, in database: TestDatabase) async throws -> Int {
        let settings = DatabaseConfiguration.sessionSettings.map { "set \($0) = '\($1)';" }.joined()
        // The first execution loads the catalog.
        let output = try await database.psql("\(settings) \(sql); explain (analyze, buffers, format json) \(sql)")
        let name = "\"Shared Hit Blocks\": "
        let start = try #require(output.firstRange(of: name))
        return try #require(Int(output[start.upperBound...].prefix { $0.isNumber }))
    }

    private static func withCoupon(
        limit: Int, others: Int, _ body: (TestDatabase, _ version: String) async throws -> Void
    ) async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            try await database.psql(insertCoupon(limit: limit))
            try await database.psql(
                """
                insert into coupons (id, key, title, description, benefit, percent)
                select n, 'KEY' || n, 'Ten', 'Ten percent.', 'percent', 10 from generate_series(1, \(others)) as n
                """)
            let isLarge = try await database.psql("select pg_relation_size('coupon_redemptions') > 32 * 8192")
            #expect(isLarge == (others > 1_000 ? "t" : "f"))
            try await body(database, database.psql("select version from coupons where id = 9000"))
        }
    }

    private static func waitForLock(_ database: TestDatabase) async throws {
        try await eventually("the call waits for the row") {
            try await database.psql(
                """
                select count(*) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'
                """) == "1"
        }
    }
}
