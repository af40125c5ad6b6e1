// The menu snapshot of a server: its validity, its stock counts and its loading.
// Covers Sources/Shop/Menu and Sources/Database/Menu.
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite struct CurrentMenuTests {
    @Test("The menu loads with infinite and extreme bounds of a coupon's period, and an endless period has no end")
    func endlessPeriods() async throws {
        try await ShopFixture.with { open async throws in
            func window(_ start: String, _ end: String) async throws -> PublicCoupon? {
                try await open.database.psqlAsStaff(
                    "update coupons set is_listed = true, starts_at = \(start), ends_at = \(end) where key = 'FOLLOW'")
                let menu = try await open.shop.menu.menu(atLeast: open.storage.loadMenuRevision().revision).menu
                return menu.evaluated(at: Instant(microseconds: .min)).coupons.first { $0.key == "FOLLOW" }
            }
            for (start, end) in [("null", "null"), ("'-infinity'", "'infinity'"), ("'-infinity'", "null")] {
                let coupon = try #require(try await window(start, end))
                #expect(coupon.startsAt == nil && coupon.endsAt == nil)
                #expect(try await open.placeOrder(by: Guest(.random(in: 1...9_999)), coupon: "FOLLOW").isPlaced)
            }
            let never = try #require(try await window("'infinity'", "null"))
            #expect(never.startsAt?.description == "9999-12-31T00:00:00.000Z" && never.endsAt == nil)
            #expect(try await open.placeOrder(by: Guest(10_000), coupon: "FOLLOW").errorCodes == [.couponNotStarted])
            let ancient = try #require(try await window("'0001-01-01Z'", "'0044-03-15Z'"))
            #expect(
                ancient.startsAt?.description == "0001-01-01T00:00:00.000Z"
                    && ancient.endsAt?.description == "0044-03-15T00:00:00.000Z")
            let future = try #require(try await window("'2026-01-01Z'", "'9999-12-31Z'"))
            #expect(future.endsAt?.description == "9999-12-31T00:00:00.000Z")
        }
    }

    @Test("Stock counts come from the newest reading, even if an older reading arrives later")
    func lateReading() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (3001, 5)")
            let earlier = try await open.storage.loadMenuRevision()
            try await open.database.psqlAsStaff("update item_stock set remaining = 4")
            let later = try await open.storage.loadMenuRevision()
            for reading in [later, earlier] {
                let menu = try await open.shop.menu.menu(asOf: reading)
                #expect(menu.stock[.item(MenuItemID(rawValue: 3001))]?.remaining == 4)
            }
        }
    }

    @Test("The menu is evaluated at the current time, however long ago its revision was read")
    func currentTime() async throws {
        try await ShopFixture.with { open async throws in
            let reading = try await open.storage.loadMenuRevision()
            let second = Instant(microseconds: reading.clock.databaseTime.microseconds + 1_000_000)
            try await eventually("a second has passed") {
                try await open.database.psql(
                    "select clock_timestamp() > '\(second.rfc3339)'::timestamptz + interval '1 second'") == "t"
            }
            #expect(try await open.shop.menu.menu(asOf: reading).moment > second)
        }
    }

    @Test(
        "A read of the menu or of its revision that waits for a lock returns the database time after the wait",
        arguments: ["menu_items", "item_stock"])
    func waited(table: String) async throws {
        try await ShopFixture.with { open async throws in
            let holder = try await PostgresConnection.connect(open.database.url, logger: .silent)
            try await holder.run(script: "begin; lock table \(table) in access exclusive mode")
            let revision = Task { try await open.storage.loadMenuRevision().clock }
            let menu = Task { try await open.storage.loadMenu().clock }
            try await eventually("one read waits") {
                try await open.database.psql(
                    """
                    select count(*) > 0 from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'
                    """) == "t"
            }
            let waiting = Instant(
                microseconds: try #require(
                    Int64(
                        try await open.database.psql("select (extract(epoch from clock_timestamp()) * 1000000)::bigint")
                    )))
            try await eventually("more than a second has passed") {
                try await open.database.psql(
                    "select clock_timestamp() > '\(waiting.rfc3339)'::timestamptz + interval '1.5 seconds'") == "t"
            }
            try await holder.run(script: "rollback")
            await holder.close()
            let clocks = try await [revision.value, menu.value]
            let waited = clocks[table == "item_stock" ? 0 : 1]
            #expect(waited.databaseTime > waiting.advanced(by: .seconds(1)))
        }
    }

    @Test("Concurrent requests for a newer menu share one read")
    func oneReading() async throws {
        try await ShopFixture.with { open async throws in
            let holder = try await PostgresConnection.connect(open.database.url, logger: .silent)
            try await holder.run(script: "begin; lock table menu_items in access exclusive mode")
            let started = TaskCounter()
            let readers = (0..<100).map { _ in
                Task {
                    started.count.withLock { $0 += 1 }
                    return try await open.shop.menu.menu(atLeast: .max).menu.revision
                }
            }
            try await eventually("all tasks have started, and the menu is being read") {
                started.count.withLock { $0 } == 100 && open.shop.databaseUse.inFlight > 0
            }
            // The service may load the menu too, and other queries may wait behind these two on their connections.
            // Without a shared read, a hundred queries would be in flight.
            try await eventually("the tasks share one read") { open.shop.databaseUse.inFlight < 20 }
            let reading = """
                select count(*) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'
                """
            // The query may be in flight without waiting for the lock yet.
            try await eventually("the menu is being read") { Int(try await open.database.psql(reading)) ?? 0 >= 1 }
            #expect(Int(try await open.database.psql(reading)) ?? 0 <= 2)
            try await holder.run(script: "rollback")
            await holder.close()
            let revision = try await open.storage.loadMenuRevision().revision
            for reader in readers { #expect(try await reader.value == revision) }
        }
    }
}

/// Counts the tasks that have started.
private final class TaskCounter: Sendable {
    let count = Mutex(0)
}
