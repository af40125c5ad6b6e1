// The board, the acceptance deadlines and the kitchen's estimate read only open orders, however many orders are
// finished. Tests sql/025_open_orders.sql. Counts the rows and index entries that PostgreSQL read, not the time.
import Database
import Ordering
import Support
import Testing

@Suite("Reads of open orders")
struct OpenOrderReadTests {
    private static let finished = 1...20_000

    @Test(
        "Plans made on an empty table find 35 open orders among 20,000 finished ones, and the list has no next page",
        arguments: ["without statistics", "with the statistics of an empty table"])
    func amongFinishedOrders(_ statistics: String) async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            if statistics == "with the statistics of an empty table" { try await database.psql("analyze orders") }
            try await Self.withStorage(on: database) { storage async throws in
                for _ in 0..<6 { #expect(try await Self.read(storage) == .init()) }
                try await database.insertOrders(
                    Self.finished, state: "delivered", placedAt: "now() - n * interval '1 second'")
                try await database.insertOrders(20_001...20_010, placedAt: "now() - interval '1 hour'")
                try await database.insertOrders(20_011...20_015, placedAt: "now() - interval '9 days'")
                try await database.insertOrders(
                    20_016...20_025, state: "accepted", placedAt: "now() - interval '1 minute'")
                try await database.insertOrders(
                    20_026...20_030, state: "preparing", placedAt: "now() - interval '2 minutes'")
                try await database.insertOrders(
                    20_031...20_035, state: "on_the_way", placedAt: "now() - interval '3 hours'")
                for _ in 0..<3 {
                    #expect(try await Self.read(storage) == .init(listed: 35, waiting: 15, inKitchen: 25))
                }
            }
            let reads = try await Self.reads(in: database)
            // Three rounds read the list, its orders, the waiting orders and the orders of the kitchen.
            #expect((3 * 35...1_000).contains(reads), "\(reads)")
        }
    }

    @Test("A list of open orders pages through all of them in order, and a list without states reads none")
    func pages() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            for (index, state) in OrderState.open.enumerated() {
                let first = 10 * index + 1
                // Four orders have each time, one of each state.
                try await database.insertOrders(
                    first...first + 9, state: state.rawValue,
                    placedAt: "date_trunc('hour', now()) - n % 10 * interval '1 minute'")
            }
            try await database.insertOrders(101...120, state: "delivered")
            let all = try await database.psql(
                "select number from orders where state <> 'delivered' order by placed_at desc, id desc")
            try await Self.withStorage(on: database) { storage async throws in
                for limit in [1, 7, 20, 39, 40, 100] {
                    var found: [String] = []
                    var position: OrderPosition?
                    repeat {
                        let page = try await storage.loadOrders(in: OrderState.open, limit: limit, after: position)
                        found += page.orders.map(\.number)
                        position = page.next
                    } while position != nil && found.count <= 40
                    #expect(found.joined(separator: "\n") == all, "\(limit) on a page")
                }
                let accepted = try await storage.loadOrders(in: [.accepted], limit: 20, after: nil)
                #expect(accepted.orders.count == 10 && accepted.orders.allSatisfy { $0.state == .accepted })
                let none = try await storage.loadOrders(in: [], limit: 20, after: nil)
                #expect(none.orders.isEmpty && none.next == nil)
            }
        }
    }

    @Test("The index has the orders in exactly the open states")
    func states() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let states = try await database.psql(
                """
                select string_agg(word[1], ' ')
                from regexp_matches(pg_get_indexdef('open_orders'::regclass), '''(\\w+)''', 'g') as word
                """)
            #expect(states == OrderState.open.map(\.rawValue).joined(separator: " "))
        }
    }

    private struct Counts: Equatable {
        var listed = 0
        var waiting = 0
        var inKitchen = 0
    }

    private static func read(_ storage: ShopDatabase) async throws -> Counts {
        let (orders, next) = try await storage.loadOrders(in: OrderState.open, limit: 100, after: nil)
        #expect(next == nil)
        let waiting = try await storage.loadWaitingOrders(placedAfter: Instant(microseconds: 0))
        return Counts(
            listed: orders.count, waiting: waiting.count, inKitchen: try await storage.countOpenOrders())
    }

    /// Runs `body` with the storage of one connection.
    static func withStorage(
        on database: TestDatabase, _ body: (ShopDatabase) async throws -> Void
    ) async throws {
        var configuration = DatabaseConfiguration(url: database.serverURL)
        (configuration.connections, configuration.connectionTimeout) = (1, .seconds(60))
        configuration.statementTimeout = .seconds(60)
        let storage = try ShopDatabase(configuration, logger: .silent)
        let service = Task { try await storage.run() }
        defer { service.cancel() }
        try await body(storage)
    }

    /// How many rows and index entries of orders PostgreSQL has read. A session has reported all its reads when it has
    /// disappeared from pg_stat_activity.
    static func reads(in database: TestDatabase) async throws -> Int {
        try await eventually("the earlier sessions have ended") {
            try await database.psql(
                """
                select count(*) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
                """) == "0"
        }
        let count = try await database.psql(
            """
            select (select seq_tup_read from pg_stat_user_tables where relname = 'orders')
                + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'orders')
            """)
        return try #require(Int(count))
    }
}
