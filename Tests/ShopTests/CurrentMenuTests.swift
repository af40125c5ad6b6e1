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
            #expect(never.startsAt?.description == "9999-12-31T00:00:00Z" && never.endsAt == nil)
            #expect(try await open.order(by: Guest(10_000), coupon: "FOLLOW").codes == [.couponNotStarted])
            let past = try #require(try await window("'0001-01-01Z'", "'0044-03-15Z'"))
            #expect(past.startsAt?.description == "0001-01-01T00:00:00Z" && past.endsAt?.description == "0044-03-15T00:00:00Z")
            let future = try #require(try await window("'2026-01-01Z'", "'9999-12-31Z'"))
            #expect(future.endsAt?.description == "9999-12-31T00:00:00Z")
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
            // The service's own look may be another one. What else the services ask does not wait for the lock.
            try await eventually("one reads for all", within: .seconds(4)) { open.shop.databaseUse.inFlight <= 2 }
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
