// What a server can count on of the menu that it holds, whatever staff have written. Tests Sources/Shop/Menu and Sources/Database/Menu.
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite struct CurrentMenuTests {
    @Test(
        "a coupon's window may begin and end at infinity, or at any moment that it may have: the menu is read, and a window without an end has none"
    )
    func endlessWindows() async throws {
        try await OpenShop.with { open async throws in
            func window(_ start: String, _ end: String) async throws -> PublicCoupon? {
                try await open.database.staff(
                    "update coupons set is_listed = true, starts_at = \(start), ends_at = \(end) where key = 'FOLLOW'")
                let menu = try await open.shop.menu.menu(atLeast: open.storage.loadMenuRevision().revision).menu
                return menu.at(Instant(microseconds: .min)).coupons.first { $0.key == "FOLLOW" }
            }
            for (start, end) in [("null", "null"), ("'-infinity'", "'infinity'"), ("'-infinity'", "null")] {
                let coupon = try #require(try await window(start, end))
                #expect(coupon.startsAt == nil && coupon.endsAt == nil)
                #expect(try await open.order(by: Guest(.random(in: 1...9_999)), coupon: "FOLLOW").isPlaced)
            }
            let never = try #require(try await window("'infinity'", "null"))
            #expect(never.startsAt?.description == "9999-12-31T00:00:00.000Z" && never.endsAt == nil)
            #expect(try await open.order(by: Guest(10_000), coupon: "FOLLOW").codes == [.couponNotStarted])
            let past = try #require(try await window("'0001-01-01Z'", "'0044-03-15Z'"))
            #expect(
                past.startsAt?.description == "0001-01-01T00:00:00.000Z"
                    && past.endsAt?.description == "0044-03-15T00:00:00.000Z")
            let future = try #require(try await window("'2026-01-01Z'", "'9999-12-31Z'"))
            #expect(future.endsAt?.description == "9999-12-31T00:00:00.000Z")
        }
    }

    @Test("what is left is what the reading that began last says: one that began earlier and comes later takes nothing back")
    func lateReading() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (3001, 5)")
            let earlier = try await open.storage.loadMenuRevision()
            try await open.database.staff("update item_stock set remaining = 4")
            let later = try await open.storage.loadMenuRevision()
            for reading in [later, earlier] {
                let menu = try await open.shop.menu.menu(asOf: reading)
                #expect(menu.stock[.item(MenuItemID(rawValue: 3001))]?.left == 4)
            }
        }
    }

    @Test("however long it takes until a reading is used, as where a replica has the menu, the menu's moment is that of now")
    func moment() async throws {
        try await OpenShop.with { open async throws in
            let reading = try await open.storage.loadMenuRevision()
            let second = Instant(microseconds: reading.clock.moment.microseconds + 1_000_000)
            try await eventually("a second is over") {
                try await open.database.psql("select clock_timestamp() > '\(second.rfc3339)'::timestamptz + interval '1 second'") == "t"
            }
            #expect(try await open.shop.menu.menu(asOf: reading).moment > second)
        }
    }

    @Test(
        "a menu, or its revision, whose reading waited for staff's transaction is as new as its end: nothing is offered by the clock of its beginning",
        arguments: ["menu_items", "item_stock"])
    func waited(table: String) async throws {
        try await OpenShop.with { open async throws in
            let holder = try await PostgresConnection.connect(open.database.url, logger: .silent)
            try await holder.run(script: "begin; lock table \(table) in access exclusive mode")
            let revision = Task { try await open.storage.loadMenuRevision().clock }
            let menu = Task { try await open.storage.loadMenu().clock }
            try await eventually("one waits") {
                try await open.database.psql(
                    "select count(*) > 0 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") == "t"
            }
            let waiting = Instant(
                microseconds: try #require(
                    Int64(try await open.database.psql("select (extract(epoch from clock_timestamp()) * 1000000)::bigint"))))
            try await eventually("more than a second is over") {
                try await open.database.psql("select clock_timestamp() > '\(waiting.rfc3339)'::timestamptz + interval '1.5 seconds'") == "t"
            }
            try await holder.run(script: "rollback")
            await holder.close()
            let clocks = try await [revision.value, menu.value]
            let waited = clocks[table == "item_stock" ? 0 : 1]
            #expect(waited.moment > waiting.advanced(by: .seconds(1)))
        }
    }

    @Test("however many need a newer menu at the same moment, one reads it")
    func oneReading() async throws {
        try await OpenShop.with { open async throws in
            let holder = try await PostgresConnection.connect(open.database.url, logger: .silent)
            try await holder.run(script: "begin; lock table menu_items in access exclusive mode")
            let begun = Begun()
            let readers = (0..<100).map { _ in
                Task {
                    begun.count.withLock { $0 += 1 }
                    return try await open.shop.menu.menu(atLeast: .max).menu.revision
                }
            }
            try await eventually("all need it, and it is being read") {
                begun.count.withLock { $0 } == 100 && open.shop.databaseUse.inFlight > 0
            }
            // The service's own look may be another one, and what else the services ask may stand behind these two on their connections. Without
            // one who reads for all it would be a hundred.
            try await eventually("one reads for all") { open.shop.databaseUse.inFlight < 20 }
            let reading = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            // What is in flight may not wait for the lock yet.
            try await eventually("the menu is being read") { Int(try await open.database.psql(reading)) ?? 0 >= 1 }
            #expect(Int(try await open.database.psql(reading)) ?? 0 <= 2)
            try await holder.run(script: "rollback")
            await holder.close()
            let revision = try await open.storage.loadMenuRevision().revision
            for reader in readers { #expect(try await reader.value == revision) }
        }
    }
}

/// How many have begun.
private final class Begun: Sendable {
    let count = Mutex(0)
}
