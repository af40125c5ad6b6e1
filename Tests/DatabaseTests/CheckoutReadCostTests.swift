// The facts of a batch of checkouts, the times of a day and the alternatives to a full slot read only the slots and the
// counts that they need. Counts the rows and index entries that PostgreSQL read, with plans made on empty tables.
import Postgres
import Support
import Testing

@testable import Database
@testable import Ordering

@Suite("The cost of reading slots and stock")
struct CheckoutReadCostTests {
    private static let taken = SlotUse(orders: 3, items: 7)

    @Test("Of 20,000 past and 2,000 later slots, a batch of 64 checkouts for three slots reads only these three")
    func batch() async throws {
        let reads = try await Self.countReads { storage, first in
            let starts = (0..<4).map { first.advanced(by: .seconds($0 * 1800)) }
            let facts = try await storage.loadCheckoutFacts((0..<64).map { Self.query(starts[$0 % 3]) })
            return try facts.map { facts in
                let slots = try facts.get().slots
                #expect(slots[SlotKey(.delivery, starts[3])] == SlotUse.none)
                return starts[0...2].map { slots[SlotKey(.delivery, $0)] }
            }.allSatisfy { $0 == [Self.taken, Self.taken, Self.taken] }
        }
        // Each slot is looked up for delivery and pickup.
        #expect((6...12).contains(reads), "\(reads)")
    }

    @Test("The times of a day read only the slots of this day and fulfilment")
    func day() async throws {
        let reads = try await Self.countReads { storage, first in
            let last = first.advanced(by: .seconds(47 * 1800))
            let slots = try await storage.loadSlotsTaken(SlotQuery(.delivery, startingIn: first...last))
            #expect(slots[SlotKey(.pickup, last)] == SlotUse.none)
            return slots[SlotKey(.delivery, first)] == Self.taken && slots[SlotKey(.delivery, last)] == Self.taken
        }
        #expect((48...60).contains(reads), "\(reads)")
    }

    @Test("The alternatives to a full slot read only the later slots of its fulfilment")
    func alternatives() async throws {
        let reads = try await Self.countReads { storage, first in
            let last = first.advanced(by: .seconds(60 * 86_400))
            let slots = try await storage.loadSlotsTaken(SlotQuery(.pickup, startingIn: first...last))
            #expect(slots[SlotKey(.delivery, first)] == SlotUse.none)
            return slots[SlotKey(.pickup, first)] == Self.taken
        }
        #expect((1000...1010).contains(reads), "\(reads)")
    }

    @Test("The function for servers of the previous version reads only the later slots")
    func previousVersion() async throws {
        let statement = Statement("slots_of_the_previous_version", "select slots_taken(now())")
        let reads = try await Self.countReads { storage, first in
            let slots = try await storage.query(statement, .reads) { try $0.nextSlots() ?? SlotOccupancy.none }.first
            return slots?[SlotKey(.pickup, first)] == Self.taken
        }
        #expect((2000...2010).contains(reads), "\(reads)")
    }

    @Test("A batch of 64 checkouts on three business days reads the stock counts once, and each gets those of its day")
    func stock() async throws {
        try await TestDatabase.with(.seeded) { database in
            try await database.psqlAsStaff(
                "insert into item_stock (menu_item_id, per_day) select id, 9 from menu_items order by id limit 20")
            try await database.psql(
                """
                insert into stock_days (subject, id, day, sold)
                select 'menu_items', menu_item_id, (business_day(now() + day * interval '1 day')).day, 3 + day
                from item_stock, generate_series(0, 2) as day
                """)
            let counted = try #require(Int64(try await database.psql("select max(menu_item_id) from item_stock")))
            let before = try await database.countReads(of: ["item_stock"])
            try await Self.withStorage(on: database) { storage in
                let now = try await storage.loadMenuRevision().clock.databaseTime
                let facts = try await storage.loadCheckoutFacts(
                    (0..<64).map { Self.query($0 % 3 == 0 ? nil : now.advanced(by: .seconds($0 % 3 * 86_400))) })
                let remaining = try facts.map {
                    try $0.get().stock[.item(MenuItemID(rawValue: counted))]?.remaining
                }
                #expect(remaining == (0..<64).map { 6 - Int64($0 % 3) })
            }
            // The counts are read for themselves, for their number and for the question whether there are any.
            let reads = try await database.countReads(of: ["item_stock"]) - before
            #expect((20...100).contains(reads), "\(reads)")
        }
    }

    private static func query(_ wantedAt: Instant?) -> CheckoutFactsQuery {
        CheckoutFactsQuery(
            basketID: BasketID.make(now: Instant(microseconds: 0), random: (1, 2)), coupon: nil, wantedAt: wantedAt)
    }

    /// Executes `read` on an empty table and then, with the same plan, on the full one. Returns what PostgreSQL read.
    /// - Parameter read: returns whether it found the taken slots. The instant is the start of the first later slot.
    private static func countReads(_ read: (ShopDatabase, Instant) async throws -> Bool) async throws -> Int {
        try await TestDatabase.with(.seeded) { database in
            let seconds = try await database.psql(
                "select extract(epoch from date_trunc('hour', now() + interval '2 hours'))::bigint")
            let first = Instant(microseconds: try #require(Int64(seconds)) * 1_000_000)
            try await withStorage(on: database) { storage in
                #expect(try await read(storage, first) == false)
                try await database.psql(
                    """
                    insert into slot_uses (fulfilment, starts_at, order_count, item_count)
                    select fulfilment, to_timestamp(\(seconds)) + n * interval '30 minutes', 3, 7
                    from fulfilments cross join generate_series(-10004, 999) as n where n not in (-4, -3, -2, -1)
                    """)
                #expect(try await read(storage, first))
            }
            return try await database.countReads(of: ["slot_uses"])
        }
    }

    /// Runs `body` with a database that has one session.
    private static func withStorage(
        on database: TestDatabase, _ body: (ShopDatabase) async throws -> Void
    ) async throws {
        var configuration = DatabaseConfiguration(url: database.serverURL)
        configuration.connections = 1
        let storage = try ShopDatabase(configuration, logger: .silent)
        async let _: Void = storage.run()
        try await body(storage)
    }
}
