// Locks end with their transactions: after a killed session, a retry succeeds.

import Support
import Testing
import Wire

@Suite("Recovery from killed sessions", .timeLimit(.minutes(10)))
struct SessionRecoveryTests {
    @Test("When the holder of a basket's row lock is killed, the blocked checkout is placed exactly once")
    func holderKilled() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let form = CheckoutBody.filled(for: basket)
            let holder = Task {
                try await shop.database.lockRows("select from baskets where id = '\(basket.id)' for update")
            }
            try await shop.database.waitForRowLocks()
            let checkout = Task { try await retryingWhileBusy { try await shop.server.checkout(form, key: "k") } }
            try await shop.database.waitForBlockedStatements(1)
            try await shop.database.killLockHolder()
            await #expect(throws: (any Error).self) { try await holder.value }
            #expect(try await checkout.value.status == 201)
            #expect(try await shop.database.psql("select count(*) from orders") == "1")
        }
    }

    @Test("When the connections of 64 checkouts are killed, each retry with the same key places one order")
    func connectionsKilled() async throws {
        try await TestShop.run { shop in
            let baskets = try await inParallel(64) { _ in try await shop.server.startBasket(items: [(2001, 1)]) }
            // The row locks keep the checkouts in flight until their connections are killed.
            let holder = Task { try await shop.database.lockRows("select from baskets for update") }
            try await shop.database.waitForRowLocks()
            let checkouts = Task {
                try await inParallel(64) { n in
                    try await retryingWhileBusy {
                        try await shop.server.checkout(.filled(for: baskets[n], guest: n), key: "k")
                    }
                }
            }
            try await shop.database.waitForBlockedStatements(2)
            #expect(Int(try await shop.database.psql(Self.kill)) ?? 0 > 0)
            try await shop.database.killLockHolder()
            await #expect(throws: (any Error).self) { try await holder.value }
            try await shop.database.psql(Self.kill)

            let replies = try await checkouts.value
            #expect(replies.filter { $0.status != 201 }.map(\.text) == [])
            #expect(try replies.map { try $0.decoded(OrderBody.self).id } == baskets.map(\.id))
            #expect(try await shop.database.psql("select count(*), count(distinct number) from orders") == "64|64")
            // An acknowledged order exists, and a replay returns it.
            for (n, reply) in replies.enumerated() {
                let replay = try await retryingWhileBusy {
                    try await shop.server.checkout(.filled(for: baskets[n], guest: n), key: "k")
                }
                #expect(replay.body == reply.body)
            }
        }
    }

    private static let kill = """
        select count(pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and application_name = 'welms' and pid <> pg_backend_pid()
        """
}

extension TestDatabase {
    /// Locks the rows of a statement until its session is killed.
    func lockRows(_ statement: String) async throws {
        try await psql(
            "set application_name = 'holder'; set lock_timeout = 0; begin; \(statement); select pg_sleep(600);")
    }

    /// Waits until the rows are locked.
    func waitForRowLocks() async throws {
        try await eventually("the rows are locked") {
            try await psql(
                """
                select count(*) from pg_stat_activity where datname = current_database()
                and application_name = 'holder' and wait_event = 'PgSleep'
                """
            ) == "1"
        }
    }

    /// Waits until `count` statements are blocked by a lock.
    func waitForBlockedStatements(_ count: Int) async throws {
        try await eventually("\(count) statements are blocked by a lock") {
            try await psql(
                """
                select count(*) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'
                """)
                == "\(count)"
        }
    }

    /// Terminates the session that locks the rows.
    func killLockHolder() async throws {
        try await psql(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'holder'
            """)
    }
}
