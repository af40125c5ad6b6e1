// The figures of the shop's day, as staff are told them. Read next: Sources/Web/Staff/StaffRoutes.swift.

import Support
import Testing
import Wire

@Suite("Today's figures", .timeLimit(.minutes(10)))
struct TodayTests {
    @Test("Today's figures are those of the shop's local day: by state, by hour, revenue without what was given up, and the top items")
    func today() async throws {
        try await StaffTests.run { shop in
            func figures() async throws -> TodayBody {
                try await shop.server.get("/v1/staff/today", headers: StaffTests.bearer).expecting(200).decoded()
            }
            let empty = try await figures()
            #expect(empty.orders.total == 0 && empty.revenue == 0 && empty.topItems == [] && empty.ordersPerHour.count == 24)

            // Orders of this test are placed at noon, whenever it runs.
            let noon = "(select ((now() at time zone time_zone)::date + time '12:30') at time zone time_zone from shop)"
            let first = try await shop.server.order([(2001, 3)], guest: 1)
            let second = try await shop.server.order([(2001, 1), (3001, 2)], guest: 2)
            let third = try await shop.server.order([(4005, 9)], guest: 3)
            let old = try await shop.server.order([(4005, 9)], guest: 4)
            try await shop.database.psql("update orders set placed_at = \(noon)")
            try await shop.database.psql("update orders set placed_at = \(noon) + interval '3 hours' where id = '\(second.id)'")
            // The last moment of yesterday, and the first of tomorrow.
            let midnight = "(select (now() at time zone time_zone)::date::timestamp at time zone time_zone from shop)"
            try await shop.database.psql("update orders set placed_at = \(midnight) - interval '1 microsecond' where id = '\(old.id)'")
            try await shop.database.psql("select advance_order('\(first.number)', 'accepted')")
            _ = try await shop.server.cancel(third)

            let day = try await figures()
            #expect(day.date == (try await shop.database.psql("select (now() at time zone time_zone)::date from shop")))
            #expect(day.timeZone == "America/New_York" && day.currency == "USD")
            #expect(
                day.orders
                    == OrdersByStateBody(
                        total: 3, placed: 1, accepted: 1, preparing: 0, onTheWay: 0, delivered: 0, cancelled: 1, rejected: 0))
            #expect(day.revenue == first.total + second.total)
            #expect(day.ordersPerHour == (0..<24).map { [12: 2, 15: 1][$0] ?? 0 })
            #expect(day.topItems.map(\.menuItemId) == [2001, 3001] && day.topItems.map(\.quantity) == [4, 2])
            #expect(day.topItems.map(\.revenue).reduce(0, +) == day.revenue)
            #expect(day.topItems.map(\.title) == ["The Big Tasty", "French Fries"])

            try await shop.database.psql("update orders set placed_at = \(midnight) where id = '\(old.id)'")
            #expect(try await figures().ordersPerHour[0] == 1)
            try await shop.database.psql(
                "update orders set placed_at = (select ((now() at time zone time_zone)::date + 1)::timestamp at time zone time_zone from shop) where id = '\(old.id)'"
            )
            #expect(try await figures().orders.total == 3)
        }
    }
}
