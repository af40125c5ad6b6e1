// The search of staff finds an order of any age by its number, phone or name, and reads few orders for a page. Tests
// LoadStaffOrders.swift. Counts the rows and index entries that PostgreSQL read, not the time.
import Database
import Ordering
import Support
import Testing

@Suite("The search of staff")
struct StaffOrderSearchTests {
    /// Twenty times as many orders as a page of a search by name examines.
    private static let count = 20_000

    @Test("An old order is found on the first page by its number or whole phone number, and by name while it is open")
    func oldOrders() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            try await Self.insertOrders(database)
            try await database.psql(
                """
                update orders set name = 'Zoe Quill' where number in ('00000007', '00019990', '00000003');
                update orders set state = 'accepted' where number = '00000003'
                """)
            try await OpenOrderReadTests.withStorage(on: database) { storage async throws in
                func found(
                    _ words: String, in states: [OrderState] = OrderState.allCases, limit: Int = 20
                ) async throws -> [String] {
                    let search = try #require(OrderSearch(words, defaultCountry: "US"))
                    return try await storage.loadOrders(in: states, matching: search, limit: limit, after: nil).orders
                        .map(\.number)
                }
                #expect(try await found("00000007") == ["00000007"])
                #expect(try await found("0000000", limit: 4) == ["00000009", "00000008", "00000007", "00000006"])
                #expect(try await found("+1 300 000 0007") == ["00000007"])
                #expect(try await found("300 000 0007") == ["00000007"])
                #expect(try await found("zoe quill") == ["00019990"])
                #expect(try await found("zoe quill", in: OrderState.open) == ["00000003"])
                #expect(try await found("00000007", in: OrderState.open) == [])
                #expect(try await found("nobody") == [])
                // The end of a phone number, from five digits on, is searched only in the newest orders.
                #expect(try await found("0019990") == ["00019990"])
                #expect(try await found("0004990") == [])
            }
        }
    }

    @Test("A search by name or by four digits finds orders older than the newest 1,000 on the following pages")
    func olderPages() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            try await Self.insertOrders(database)
            try await database.psql(
                """
                update orders set name = 'Zoe Quill' where number in ('00000007', '00019990', '00000003', '00018500');
                update orders set state = 'accepted' where number = '00000003'
                """)
            try await OpenOrderReadTests.withStorage(on: database) { storage async throws in
                /// The numbers on each page.
                func pages(_ words: String, in states: [OrderState], limit: Int) async throws -> [[String]] {
                    let search = try #require(OrderSearch(words, defaultCountry: "US"))
                    var pages: [[String]] = []
                    var position: OrderPosition?
                    repeat {
                        let page = try await storage.loadOrders(
                            in: states, matching: search, limit: limit, after: position)
                        pages.append(page.orders.map(\.number))
                        position = page.next
                    } while position != nil && pages.count <= 100
                    return pages
                }
                let all = try await pages("zoe quill", in: OrderState.allCases, limit: 20)
                #expect(all.flatMap { $0 } == ["00019990", "00018500", "00000007", "00000003"])
                // The last thousand is full, so only the next page shows that no order is older.
                try #require(all.count == 21)
                #expect(all[0] == ["00019990"] && all[1] == ["00018500"] && all[19] == ["00000007", "00000003"])
                let single = try await pages("zoe quill", in: OrderState.allCases, limit: 1)
                #expect(single.flatMap { $0 } == ["00019990", "00018500", "00000007", "00000003"])
                let finished = try await pages("zoe quill", in: [.delivered, .rejected], limit: 20)
                #expect(finished.flatMap { $0 } == ["00019990", "00018500", "00000007"])
                #expect(try await pages("zoe quill", in: OrderState.open, limit: 20) == [["00000003"]])
                let lastDigits = try await pages("9876", in: OrderState.allCases, limit: 20)
                #expect(lastDigits.flatMap { $0 } == ["00019876", "00009876"])
            }
        }
    }

    @Test("A page of a search by name reads at most 1,000 orders, also if it searches only open orders")
    func readsOfAPage() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let search = try #require(OrderSearch("nobody", defaultCountry: "US"))
            try await OpenOrderReadTests.withStorage(on: database) { storage async throws in
                for _ in 0..<6 { try await Self.search(for: [search], storage) }
                try await Self.insertOrders(database)
                let first = try await storage.loadOrders(
                    in: OrderState.allCases, matching: search, limit: 20, after: nil)
                #expect(first.orders.isEmpty)
                var position = try #require(first.next)
                for _ in 0..<4 {
                    let page = try await storage.loadOrders(
                        in: OrderState.allCases, matching: search, limit: 20, after: position)
                    position = try #require(page.next)
                }
            }
            let reads = try await OpenOrderReadTests.reads(in: database)
            let examined = 5 * ShopDatabase.ordersPerSearch
            #expect((examined...examined + 100).contains(reads), "\(reads)")
            try await database.psql("update orders set state = (array['placed', 'accepted'])[1 + number::int % 2]")
            let before = try await OpenOrderReadTests.reads(in: database)
            try await OpenOrderReadTests.withStorage(on: database) { storage async throws in
                let page = try await storage.loadOrders(in: OrderState.open, matching: search, limit: 20, after: nil)
                #expect(page.orders.isEmpty && page.next != nil)
            }
            let openReads = try await OpenOrderReadTests.reads(in: database) - before
            #expect(openReads <= ShopDatabase.ordersPerSearch + 100, "\(openReads)")
        }
    }

    @Test("A search pages through all results in order, without a next page after the last one")
    func pages() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            try await database.insertOrders(
                1...40, state: "delivered", placedAt: "now() - n % 10 * interval '1 minute'")
            let all = try await database.psql("select number from orders order by placed_at desc, id desc")
            let search = try #require(OrderSearch("ann", defaultCountry: "US"))
            try await OpenOrderReadTests.withStorage(on: database) { storage async throws in
                for limit in [1, 7, 39, 40, 100] {
                    var found: [String] = []
                    var position: OrderPosition?
                    repeat {
                        let page = try await storage.loadOrders(
                            in: OrderState.allCases, matching: search, limit: limit, after: position)
                        found += page.orders.map(\.number)
                        position = page.next
                    } while position != nil && found.count <= 40
                    #expect(found.joined(separator: "\n") == all, "\(limit) on a page")
                }
            }
        }
    }

    @Test(
        "Searches among 20,000 orders read at most the newest 1,000 and those with the number or phone",
        arguments: ["without statistics", "with the statistics of an empty table"])
    func reads(_ statistics: String) async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            if statistics == "with the statistics of an empty table" { try await database.psql("analyze orders") }
            let searches = try ["nobody", "123", "00012345", "+1 300 000 0007"].map {
                try #require(OrderSearch($0, defaultCountry: "US"))
            }
            try await OpenOrderReadTests.withStorage(on: database) { storage async throws in
                for _ in 0..<6 { try await Self.search(for: searches, storage) }
                try await Self.insertOrders(database)
                try await Self.search(for: searches, storage)
            }
            let reads = try await OpenOrderReadTests.reads(in: database)
            let newest = searches.count * ShopDatabase.ordersPerSearch
            #expect((newest...newest + 500).contains(reads), "\(reads)")
        }
    }

    /// Inserts delivered orders, a minute after each other.
    private static func insertOrders(_ database: TestDatabase) async throws {
        try await database.insertOrders(
            1...count, state: "delivered", placedAt: "now() - (\(count) - n) * interval '1 minute'")
    }

    private static func search(for searches: [OrderSearch], _ storage: ShopDatabase) async throws {
        for search in searches {
            _ = try await storage.loadOrders(in: OrderState.allCases, matching: search, limit: 20, after: nil)
        }
    }
}
