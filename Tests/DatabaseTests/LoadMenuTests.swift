// Moments in the shop's row: null and infinite ones. Tests Sources/Database/Menu/LoadMenu.swift.
import Ordering
import Support
import Testing

@testable import Database

@Suite("Reading the shop's pause and busy time")
struct LoadMenuTests {
    @Test("A shop without a pause and a busy time has neither moment, and its orders have no validity interval")
    func null() async throws {
        try await OpenShop.with { open async throws in
            let menu = try await open.storage.loadMenu().menu
            #expect(menu.terms.pauseUntil == nil && menu.terms.busyUntil == nil)
            let draft = try await open.draft(open.basket(), by: Guest(1))
            let facts = try await open.storage.loadCheckoutFacts([FactsQuestion(draft)])
            guard case .accept(let order) = Checkout.decide(draft, try facts[0].get().facts(menu: menu)) else {
                Issue.record("the checkout is not accepted")
                return
            }
            #expect(order.holds == .always)
        }
    }

    @Test(
        "A pause is read as it is, within the years that RFC 3339 can write",
        arguments: [
            ("2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z"), ("infinity", "9999-12-31T00:00:00Z"),
            ("-infinity", "0001-01-01T00:00:00Z"),
        ])
    func moments(written: String, read: String) async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("update shop set pause_until = '\(written)', busy_until = '\(written)'")
            let terms = try await open.storage.loadMenu().menu.terms
            #expect(terms.pauseUntil == Instant(rfc3339: read) && terms.busyUntil == Instant(rfc3339: read))
        }
    }
}
