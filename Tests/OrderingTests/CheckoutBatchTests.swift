// The decisions of a batch: which drafts retry because of another draft, and which do not.
import Ordering
import TestBasics
import Testing

@Suite("Decisions of a checkout batch")
struct CheckoutBatchTests {
    private typealias Entry = (CheckoutDraft, CheckoutFacts)

    private func entry(
        _ number: UInt8, _ key: String = "k", coupon: Coupon? = nil, total: Int64 = 1895, phone: String = "5550100199",
        email: String = "ann@example.com",
        history: GuestHistory = .none, placed: PlacedOrder? = nil, stock: StockLevels = .untracked
    ) throws -> Entry {
        var shop = CheckoutFixture()
        shop.basket = CheckoutFixture.basket([(2001, 2), (4001, 1)], number: number)
        (shop.coupon, shop.history, shop.placedOrder, shop.stock) = (coupon, history, placed, stock)
        return (try shop.draft(key: key, expectedTotal: total, phone: phone, email: email), shop.facts)
    }

    private func outcomes(_ batch: [Entry]) -> [String] {
        Checkout.decideAll(batch).map { $0.summaries.joined(separator: ", ") }
    }

    @Test("An empty batch gives no decision, and a batch of one draft is decided like the draft alone")
    func smallBatches() throws {
        #expect(Checkout.decideAll([]).isEmpty)
        let single = try entry(1)
        #expect(Checkout.decideAll([single]) == [Checkout.decide(single.0, single.1)])
    }

    @Test("Drafts with different baskets are all accepted, even with the same guest and the same key")
    func differentBaskets() throws {
        #expect(outcomes(try (1...20).map { try entry($0) }) == Array(repeating: "accept", count: 20))
    }

    @Test("The first of several drafts with one basket is accepted and the others retry, even with the same key")
    func sameBasket() throws {
        let batch = [
            try entry(1, "a"), try entry(1, "b"), try entry(2, "a"), try entry(1, "a"), try entry(1, "c", total: 1),
            try entry(2, "b"),
        ]
        #expect(outcomes(batch) == ["accept", "retry", "accept", "retry", "retry", "retry"])
    }

    @Test("A rejected or replayed draft blocks no other draft")
    func rejectionsAndReplays() throws {
        let placed = PlacedOrder(key: try CheckoutIdempotencyKey.parse("a").get(), fingerprint: [1])
        let batch = [
            try entry(1, "a", total: 1), try entry(1, "b"), try entry(2, "a", placed: placed),
            try entry(2, "b", placed: placed),
            try entry(3, coupon: .follow(), total: 1), try entry(4, coupon: .follow(), total: 1090),
        ]
        #expect(
            outcomes(batch) == [
                "price_changed", "accept", "replay", "basket_already_ordered", "price_changed", "accept",
            ])
    }

    @Test("A limited coupon is redeemed once per phone number or email in a batch, and the guest's other drafts retry")
    func sameGuest() throws {
        let follow = try Coupon.follow()
        let batch = [
            try entry(1, coupon: follow, total: 1090, phone: "5550100001", email: "a@x.y"),
            try entry(2, coupon: follow, total: 1090, phone: "5550100001", email: "b@x.y"),
            try entry(3, coupon: follow, total: 1090, phone: "5550100002", email: "A@X.Y"),
            try entry(4, coupon: follow, total: 1090, phone: "5550100003", email: "b@x.y"),
            try entry(5, coupon: follow, total: 1090, phone: "5550100004", email: "c@x.y"),
            try entry(6, total: 1895, phone: "5550100001", email: "a@x.y"),
        ]
        // The fourth draft shares its email only with the second one, which was not accepted.
        #expect(outcomes(batch) == ["accept", "retry", "retry", "accept", "accept", "accept"])
    }

    @Test(
        "The first drafts take the stock, later ones retry, and a draft that alone exceeds the stock is rejected"
    )
    func stock() throws {
        func left(_ count: Int64) -> StockLevels {
            StockLevels([.item(2001): StockCount(remaining: count), .item(3001): StockCount(remaining: 0)])
        }
        // Each draft takes two units of 2001.
        let batch = try (1...4).map { try entry($0, stock: left(5)) } + [entry(5, stock: left(1)), entry(6)]
        #expect(outcomes(batch) == ["accept", "accept", "retry", "retry", "lines/2001 stock_short", "accept"])
        #expect(outcomes(try (1...4).map { try entry($0, stock: left(8)) }) == Array(repeating: "accept", count: 4))
        guard case .accept(let order) = Checkout.decideAll(batch)[0] else { throw Unexpected() }
        #expect(
            order.stock.all.map(\.thing) == [.item(2001)] && order.stock.all.map(\.units) == [2],
            "uncounted items need no stock")
    }

    private struct Unexpected: Error {}

    @Test("A draft that retries reserves nothing, so that neither its basket nor its guest blocks another draft")
    func retriesReserveNothing() throws {
        let follow = try Coupon.follow()
        let batch = [
            try entry(1, coupon: follow, total: 1090, phone: "5550100001", email: "a@x.y"),
            try entry(2, coupon: follow, total: 1090, phone: "5550100001", email: "b@x.y"),
            try entry(2, "other", total: 1895, phone: "5550100009", email: "d@x.y"),
        ]
        #expect(outcomes(batch) == ["accept", "retry", "accept"])
    }

    @Test("Two coupons of one guest, and one unlimited coupon of all guests, do not block each other")
    func independentCoupons() throws {
        let batch = [
            try entry(1, coupon: .follow(), total: 1090),
            try entry(2, coupon: .test("TWO", id: 8, guestLimit: 1), total: 1706),
            try entry(3, coupon: .test("ANY", id: 9), total: 1706),
            try entry(4, coupon: .test("ANY", id: 9), total: 1706), try entry(5, coupon: .follow(), total: 1090),
        ]
        #expect(outcomes(batch) == ["accept", "accept", "accept", "accept", "retry"])
    }

    @Test(
        "A guest's first-order coupon is accepted once per batch, and not after another accepted order of the guest"
    )
    func firstOrders() throws {
        let other = try Coupon.test("HELLO", id: 8, condition: .firstOrder)
        let batch = [
            try entry(1, coupon: .frst(), total: 1706, phone: "5550100001", email: "a@x.y"),
            try entry(2, coupon: other, total: 1706, phone: "5550100002", email: "A@X.Y"),
            try entry(3, coupon: other, total: 1706, phone: "5550100001", email: "b@x.y"),
            try entry(4, total: 1895, phone: "5550100003", email: "c@x.y"),
            try entry(5, coupon: other, total: 1706, phone: "5550100003", email: "d@x.y"),
            try entry(6, coupon: other, total: 1706, phone: "5550100004", email: "d@x.y"),
            try entry(7, total: 1895, phone: "5550100004", email: "e@x.y"),
        ]
        #expect(outcomes(batch) == ["accept", "retry", "retry", "accept", "retry", "accept", "accept"])
    }

    @Test("A guest without remaining coupon uses is rejected and does not retry")
    func usedCoupons() throws {
        let follow = try Coupon.follow()
        let history = GuestHistory(hasOrdered: true, redemptionCount: 1, usedNumbers: [1])
        #expect(
            outcomes([
                try entry(1, coupon: follow, total: 1090, history: history), try entry(2, coupon: follow, total: 1090),
            ]) == [
                "coupon coupon_already_used", "accept",
            ])
    }

    @Test("In a random batch, a draft retries if its basket or coupon use is taken, else it is decided as if alone")
    func randomBatches() throws {
        var random = SeededRandom()
        let coupons: [(Coupon?, Int64)] = [
            (nil, 1895), (try .follow(), 1090), (try .frst(), 1706), (try .test("ANY", id: 9), 1706),
            (try .test("OLD", endsAt: 0), 1895),
        ]
        for _ in 0..<200 {
            let batch = try (0..<Int.random(in: 0...40, using: &random)).map { _ in
                let (coupon, total) = coupons.randomElement(using: &random) ?? (nil, 1895)
                return try entry(
                    .random(in: 1...15, using: &random), "\(Int.random(in: 1...3, using: &random))", coupon: coupon,
                    total: Int.random(in: 0..<5, using: &random) == 0 ? 1 : total,
                    phone: "555010000\(Int.random(in: 0...9, using: &random))",
                    email: "\(Int.random(in: 0...9, using: &random))@x.y")
            }
            var baskets: Set<BasketID> = []
            var uses: Set<String> = []
            var accepted: [CheckoutDetails] = []
            for (entry, decision) in zip(batch, Checkout.decideAll(batch)) {
                let alone = Checkout.decide(entry.0, entry.1)
                let keys =
                    alone.order?.coupon?.redemption.map { use in
                        use.guestKeys.map { "\(use.subject) \(use.period) \($0)" }
                    } ?? []
                let isFirst = alone.order?.coupon?.redemption?.subject == .firstOrder
                let hasOrdered = accepted.contains { details in
                    !Set(details.guestKeys).isDisjoint(with: alone.order?.details.guestKeys ?? [])
                }
                let mustRetry =
                    baskets.contains(entry.0.basketID) || !uses.isDisjoint(with: keys) || (isFirst && hasOrdered)
                #expect(decision == (mustRetry ? .retry : alone), "\(random)")
                if let order = decision.order {
                    #expect(baskets.insert(order.id).inserted, "\(random)")
                    uses.formUnion(keys)
                    accepted.append(order.details)
                }
            }
        }
    }
}
