// Tests the figures of the business day for staff.

import Support
import Testing
import Wire

@Suite("Figures of the business day", .timeLimit(.minutes(10)))
struct TodayTests {
    /// The limits of the business day, in SQL.
    private static let begins = "(select begins from business_day(now()))"
    private static let ends = "(select ends from business_day(now()))"

    private static func figures(_ shop: TestShop) async throws -> TodayBody {
        try await shop.server.get("/v1/staff/today", headers: StaffTests.bearer).expecting(200).decoded()
    }

    @Test(
        "The figures have the business day's orders by state and by hour, their revenue and the top items"
    )
    func today() async throws {
        try await StaffTests.run { shop in
            let empty = try await Self.figures(shop)
            #expect(
                empty.orders["total"] == 0 && empty.revenue == 0 && empty.topItems == []
                    && empty.ordersPerHour.count == 24
            )

            // The day begins at 4:00. The orders are moved to noon, so the test can run at any time.
            let first = try await shop.server.order([(2001, 3)], guest: 1)
            let second = try await shop.server.order([(2001, 1), (3001, 2)], guest: 2)
            let third = try await shop.server.order([(4005, 9)], guest: 3)
            let earlier = try await shop.server.order([(4005, 9)], guest: 4)
            try await shop.database.psql("update orders set placed_at = \(Self.begins) + interval '8.5 hours'")
            try await shop.database.psql(
                "update orders set placed_at = placed_at + interval '3 hours' where id = '\(second.id)'")
            func setPlacedAt(_ moment: String) async throws {
                try await shop.database.psql("update orders set placed_at = \(moment) where id = '\(earlier.id)'")
            }
            try await setPlacedAt("\(Self.begins) - interval '1 microsecond'")
            try await shop.database.psql("select advance_order('\(first.number)', 'accepted')")
            _ = try await shop.server.cancel(third)

            let day = try await Self.figures(shop)
            #expect(day.date == (try await shop.database.psql("select day from business_day(now())")))
            #expect(day.timeZone == "America/New_York" && day.currency == "USD")
            #expect(
                day.orders
                    == [
                        "total": 3, "placed": 1, "accepted": 1, "preparing": 0, "on_the_way": 0, "delivered": 0,
                        "cancelled": 1, "rejected": 0,
                    ])
            #expect(day.revenue == first.total + second.total)
            #expect(day.ordersPerHour == (0..<24).map { [12: 2, 15: 1][$0] ?? 0 })
            #expect(day.topItems.map(\.menuItemId) == [2001, 3001] && day.topItems.map(\.quantity) == [4, 2])
            #expect(day.topItems.map(\.revenue).reduce(0, +) == day.revenue)
            #expect(day.topItems.map(\.title) == ["The Big Tasty", "French Fries"])

            // The business day includes its first moment, and ends after midnight before the next one begins.
            for (moment, hour) in [(Self.begins, 4), ("\(Self.ends) - interval '1 microsecond'", 3)] {
                try await setPlacedAt(moment)
                let figures = try await Self.figures(shop)
                #expect(figures.ordersPerHour[hour] == 1 && figures.orders["total"] == 4, "\(hour) o'clock")
            }
            try await setPlacedAt(Self.ends)
            #expect(try await Self.figures(shop).orders["total"] == 3)
        }
    }

    @Test("A pre-order counts on the business day and in the hour of its wanted time")
    func preOrders() async throws {
        try await StaffTests.run { shop in
            let order = try await shop.server.order([(2001, 3)])
            func figures(placed: String, wanted: String) async throws -> TodayBody {
                try await shop.database.psql(
                    """
                    update orders set placed_at = \(placed), wanted_at = \(wanted), eta_minutes = null, slot_items = 3
                    where id = '\(order.id)'
                    """
                )
                return try await Self.figures(shop)
            }
            for wanted in [
                "\(Self.ends)", "\(Self.ends) + interval '10 hours'", "\(Self.begins) - interval '1 microsecond'",
            ] {
                let others = try await figures(placed: "\(Self.begins) + interval '1 hour'", wanted: wanted)
                #expect(others.orders["total"] == 0, "wanted at \(wanted)")
                #expect(others.revenue == 0 && others.topItems == [], "wanted at \(wanted)")
            }
            let own = try await figures(
                placed: "\(Self.begins) - interval '30 hours'", wanted: "\(Self.begins) + interval '14 hours'")
            #expect(own.orders["placed"] == 1 && own.revenue == order.total && own.topItems.map(\.quantity) == [3])
            #expect(own.ordersPerHour == (0..<24).map { $0 == 18 ? 1 : 0 })
        }
    }

    @Test("The top items are those of the newest 20,000 orders that count, and cancelled orders are skipped")
    func cancelledOrdersHideNone() async throws {
        try await StaffTests.run { shop in
            _ = try await shop.server.order([(2001, 3)])
            try await shop.database.psql("update orders set placed_at = \(Self.begins)")
            try await shop.database.insertOrders(
                1...20_000, state: "cancelled", placedAt: "\(Self.begins) + n * interval '1 millisecond'", item: 3001)
            let figures = try await Self.figures(shop)
            #expect(figures.topItems.map(\.menuItemId) == [2001] && figures.topItems.map(\.quantity) == [3])
            #expect(figures.orders["cancelled"] == 20_000 && figures.orders["placed"] == 1)
        }
    }
}
