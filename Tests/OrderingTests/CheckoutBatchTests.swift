// The fold over a batch: who waits for whom, and who does not.
import Ordering
import TestBasics
import Testing

@Suite("Promises 2 and 3: in a batch, a basket becomes one order and a guest's last use is taken once")
struct CheckoutBatchTests {
    private typealias Entry = (CheckoutDraft, CheckoutFacts)

    private func entry(
        _ number: UInt8, _ key: String = "k", coupon: Coupon? = nil, total: Int64 = 1895, phone: String = "5550100199",
        email: String = "ann@example.com",
        past: GuestPast = .none, placed: PlacedOrder? = nil, stock: StockLeft = .untracked
    ) throws -> Entry {
        var shop = CheckoutShop()
        shop.basket = CheckoutShop.basket([(2001, 2), (4001, 1)], number: number)
        (shop.coupon, shop.past, shop.placed, shop.stock) = (coupon, past, placed, stock)
        return (try shop.draft(key: key, expectedTotal: total, phone: phone, email: email), shop.facts)
    }

    private func told(_ batch: [Entry]) -> [String] { Checkout.decideAll(batch).map { $0.told.joined(separator: ", ") } }

    @Test("Nothing decides nothing, and one is decided as if alone")
    func small() throws {
        #expect(Checkout.decideAll([]).isEmpty)
        let one = try entry(1)
        #expect(Checkout.decideAll([one]) == [Checkout.decide(one.0, one.1)])
    }

    @Test("Different baskets are all placed, also by one guest and with one key")
    func different() throws {
        #expect(told(try (1...20).map { try entry($0) }) == Array(repeating: "accept", count: 20))
    }

    @Test("Of many keys on one basket the first is placed and all others wait, also the same key and a wrong form")
    func oneBasket() throws {
        let batch = [
            try entry(1, "a"), try entry(1, "b"), try entry(2, "a"), try entry(1, "a"), try entry(1, "c", total: 1), try entry(2, "b"),
        ]
        #expect(told(batch) == ["accept", "again", "accept", "again", "again", "again"])
    }

    @Test("A rejection and a replay block nobody")
    func blocksNobody() throws {
        let placed = PlacedOrder(key: try IdempotencyKey.parse("a").get(), fingerprint: [1])
        let batch = [
            try entry(1, "a", total: 1), try entry(1, "b"), try entry(2, "a", placed: placed), try entry(2, "b", placed: placed),
            try entry(3, coupon: .follow(), total: 1), try entry(4, coupon: .follow(), total: 1090),
        ]
        #expect(told(batch) == ["price_changed", "accept", "replay", "basket_already_ordered", "price_changed", "accept"])
    }

    @Test("One guest's limited coupon, told by the phone or by the email, is used once a batch; the others wait")
    func oneGuest() throws {
        let follow = try Coupon.follow()
        let batch = [
            try entry(1, coupon: follow, total: 1090, phone: "5550100001", email: "a@x.y"),
            try entry(2, coupon: follow, total: 1090, phone: "5550100001", email: "b@x.y"),
            try entry(3, coupon: follow, total: 1090, phone: "5550100002", email: "A@X.Y"),
            try entry(4, coupon: follow, total: 1090, phone: "5550100003", email: "b@x.y"),
            try entry(5, coupon: follow, total: 1090, phone: "5550100004", email: "c@x.y"),
            try entry(6, total: 1895, phone: "5550100001", email: "a@x.y"),
        ]
        // The fourth shares its email with the second only, and that was not accepted.
        #expect(told(batch) == ["accept", "again", "again", "accept", "accept", "accept"])
    }

    @Test(
        "Of what is counted those of a batch that come first take what there is, and who finds too few waits; who wants too many alone is told"
    )
    func stock() throws {
        func left(_ count: Int64) -> StockLeft { StockLeft([.item(2001): StockCount(left: count), .item(3001): StockCount(left: 0)]) }
        // Two of 2001 each.
        let batch = try (1...4).map { try entry($0, stock: left(5)) } + [entry(5, stock: left(1)), entry(6)]
        #expect(told(batch) == ["accept", "accept", "again", "again", "lines/2001 stock_short", "accept"])
        #expect(told(try (1...4).map { try entry($0, stock: left(8)) }) == Array(repeating: "accept", count: 4))
        guard case .accept(let order) = Checkout.decideAll(batch)[0] else { throw Unexpected() }
        #expect(order.stock.all.map(\.thing) == [.item(2001)] && order.stock.all.map(\.units) == [2], "and nothing of what nobody counts")
    }

    private struct Unexpected: Error {}

    @Test("A draft that waits takes nothing: neither its basket nor its guest blocks another")
    func waitingTakesNothing() throws {
        let follow = try Coupon.follow()
        let batch = [
            try entry(1, coupon: follow, total: 1090, phone: "5550100001", email: "a@x.y"),
            try entry(2, coupon: follow, total: 1090, phone: "5550100001", email: "b@x.y"),
            try entry(2, "other", total: 1895, phone: "5550100009", email: "d@x.y"),
        ]
        #expect(told(batch) == ["accept", "again", "accept"])
    }

    @Test("Two coupons of one guest, and one unlimited coupon of all guests, do not block each other")
    func independentCoupons() throws {
        let batch = [
            try entry(1, coupon: .follow(), total: 1090), try entry(2, coupon: .test("TWO", id: 8, guestLimit: 1), total: 1706),
            try entry(3, coupon: .test("ANY", id: 9), total: 1706),
            try entry(4, coupon: .test("ANY", id: 9), total: 1706), try entry(5, coupon: .follow(), total: 1090),
        ]
        #expect(told(batch) == ["accept", "accept", "accept", "accept", "again"])
    }

    @Test(
        "A first order is one in a batch, whatever its coupon: another one waits for it, and it waits for an order that was accepted before"
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
        #expect(told(batch) == ["accept", "again", "again", "accept", "again", "accept", "accept"])
    }

    @Test("A guest whose uses are taken is told so, not to wait")
    func rejectedForThePast() throws {
        let follow = try Coupon.follow()
        let past = GuestPast(hasOrdered: true, uses: 1, takenNumbers: [1])
        #expect(
            told([try entry(1, coupon: follow, total: 1090, past: past), try entry(2, coupon: follow, total: 1090)]) == [
                "coupon coupon_already_used", "accept",
            ])
    }

    @Test("In any batch, no basket and no limited use is placed twice, every wait has its reason, and all others are decided as if alone")
    func randomBatches() throws {
        var random = SeededRandom()
        let coupons: [(Coupon?, Int64)] = [
            (nil, 1895), (try .follow(), 1090), (try .frst(), 1706), (try .test("ANY", id: 9), 1706), (try .test("OLD", endsAt: 0), 1895),
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
                let keys = alone.order?.coupon?.use.map { use in use.guestKeys.map { "\(use.subject) \(use.period) \($0)" } } ?? []
                let isFirst = alone.order?.coupon?.use?.subject == .firstOrder
                let isSecond = accepted.contains { before in !Set(before.guestKeys).isDisjoint(with: alone.order?.details.guestKeys ?? []) }
                let mustWait = baskets.contains(entry.0.basketID) || !uses.isDisjoint(with: keys) || (isFirst && isSecond)
                #expect(decision == (mustWait ? .again : alone), "\(random)")
                if let order = decision.order {
                    #expect(baskets.insert(order.id).inserted, "\(random)")
                    uses.formUnion(keys)
                    accepted.append(order.details)
                }
            }
        }
    }
}
