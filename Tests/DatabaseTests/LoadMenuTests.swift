// Null and infinite times in the shop's row. Tests Sources/Database/Menu/LoadMenu.swift.
import Ordering
import Support
import Testing

@testable import Database

@Suite("Loading the shop's pause and busy time")
struct LoadMenuTests {
    @Test("Without a pause and busy minutes, both times are loaded as nil and an order is valid at all times")
    func withoutTimes() async throws {
        try await ShopFixture.with { fixture async throws in
            let menu = try await fixture.storage.loadMenu().menu
            #expect(menu.terms.pauseUntil == nil && menu.terms.busyUntil == nil)
            let draft = try await fixture.makeDraft(fixture.makeBasket(), by: Guest(1))
            let facts = try await fixture.storage.loadCheckoutFacts([CheckoutFactsQuery(draft)])
            guard case .accept(let order) = Checkout.decide(draft, try facts[0].get().facts(menu: menu)) else {
                Issue.record("the checkout is not accepted")
                return
            }
            #expect(order.validity == .always)
        }
    }

    @Test(
        "A pause is loaded unchanged within the years that RFC 3339 can represent",
        arguments: [
            ("2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z"), ("infinity", "9999-12-31T00:00:00Z"),
            ("-infinity", "0001-01-01T00:00:00Z"),
        ])
    func infiniteTimes(written: String, read: String) async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psqlAsStaff(
                "update shop set pause_until = '\(written)', busy_until = '\(written)'")
            let terms = try await fixture.storage.loadMenu().menu.terms
            #expect(terms.pauseUntil == Instant(rfc3339: read) && terms.busyUntil == Instant(rfc3339: read))
        }
    }
}
