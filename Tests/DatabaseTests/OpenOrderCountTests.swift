// The number of orders that the kitchen has to prepare, from which every estimate is computed.
// Tests KitchenOrders.swift.
import Support
import Testing

@testable import Database

@Suite struct OpenOrderCountTests {
    @Test("An order for later counts once it is due, even if many orders of that day are already delivered")
    func scheduledOrders() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(on: database) { fixture async throws in
                let yesterday = "now() - interval '1 day'"
                try await database.insertOrders(
                    1...110, state: "delivered", placedAt: yesterday, wantedAt: "now() - interval '1 hour'")
                try await database.insertOrders(
                    111...117, placedAt: yesterday, wantedAt: "now() + interval '30 minutes'")
                try await database.insertOrders(118...120, placedAt: yesterday, wantedAt: "now() + interval '3 hours'")
                #expect(try await fixture.storage.countOpenOrders() == 7)
            }
        }
    }

    @Test(
        "Hundreds of newer closed orders hide no open order, and orders older than two hours do not count"
    )
    func openAmongClosedOrders() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(on: database) { fixture async throws in
                try await database.insertOrders(1...5, placedAt: "now() - interval '3 hours'")
                try await database.insertOrders(11...30, placedAt: "now() - interval '1 hour'")
                try await database.insertOrders(101...400, state: "cancelled")
                try await database.insertOrders(401...700, state: "delivered", placedAt: "now() - interval '5 minutes'")
                #expect(try await fixture.storage.countOpenOrders() == 20)
                let soon = "now() + interval '20 minutes'"
                try await database.insertOrders(
                    801...803, placedAt: "now() - interval '1 day'", wantedAt: "now() - interval '90 minutes'")
                try await database.insertOrders(
                    901...1200, state: "rejected", placedAt: "now() - interval '1 day'", wantedAt: soon)
                #expect(try await fixture.storage.countOpenOrders() == 23)
            }
        }
    }
}
