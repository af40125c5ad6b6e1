// Concurrent changes of baskets: no change is lost, and two servers do not deadlock.
// Covers BasketQueue with write_baskets (sql/005_write_baskets.sql).
import Database
import Ordering
import Support
import Testing

@testable import Shop

@Suite struct BasketQueueTests {
    private let burger = MenuItemID(rawValue: 2001)

    @Test("98 concurrent increments of a line with quantity 1 result in 99, and the next increment is rejected")
    func increments() async throws {
        try await ShopFixture.with { open async throws in
            let basket = try await open.makeBasket([2001: 1]).basket
            let answers = try await runConcurrently(Array(1...98)) { _ in
                try await open.shop.baskets.change(basket.id, .increment(burger))
            }
            let quantities = try answers.map { try $0.get().lines[0].quantity }
            #expect(
                quantities.sorted() == Array(2...99), "each caller receives the basket that its own change produced")
            #expect(
                try await open.shop.baskets.change(basket.id, .increment(burger)).failure
                    == .changeRejected(.quantityOutOfRange(limit: 99)))
            #expect(try await open.shop.baskets.load(basket.id)?.basket.version == basket.version + 98)
        }
    }

    @Test("1,000 concurrent changes of 20 baskets lose no change")
    func thousand() async throws {
        try await ShopFixture.with { open async throws in
            let baskets = try await runConcurrently(Array(1...20)) { _ in try await open.makeBasket([2001: 1]).basket.id
            }
            _ = try await runConcurrently(Array(0..<1000)) { number in
                while true {
                    do throws(ShopFault) {
                        return try await open.shop.baskets.change(baskets[number % 20], .increment(burger))
                    } catch .timedOutInQueue {
                        // A busy machine exceeds the time limit. Nothing was written, so a guest retries.
                    } catch {
                        throw error
                    }
                }
            }
            #expect(
                try await open.database.psql("select distinct (lines[1]).quantity, version from baskets") == "51|52")
        }
    }

    @Test("A basket that is created and changed in one batch is stored as it was returned")
    func createdAndChanged() async throws {
        try await ShopFixture.with { open async throws in
            let facts = try await open.storage.loadBaskets([])
            let menu = try await open.shop.menu.menu(atLeast: facts.menuRevision).menu
            let made = try Basket(id: open.makeBasketID(), currency: menu.currency.code).applying(
                .addSale(SalesGroupID(rawValue: 400)), menu: menu
            ).get()
            let changed = try made.applying(.addItem(burger, quantity: 3), menu: menu).get()
            #expect(
                try await open.storage.writeBaskets([BasketWrite(readVersion: nil, basket: changed)]) == [changed.id])
            #expect(try await open.shop.baskets.load(changed.id)?.basket == changed)
        }
    }

    @Test("A basket that changed since it was read is not written, and the other baskets of its batch are")
    func stale() async throws {
        try await ShopFixture.with { open async throws in
            let (changed, unchanged) = (try await open.makeBasket().basket, try await open.makeBasket().basket)
            let menu = try await open.shop.menu.menu(atLeast: 0).menu
            _ = try await open.shop.baskets.change(changed.id, .clear).get()
            let writes = try [changed, unchanged].map {
                BasketWrite(readVersion: $0.version, basket: try $0.applying(.increment(burger), menu: menu).get())
            }
            #expect(try await open.storage.writeBaskets(writes) == [unchanged.id])
            #expect(try await open.shop.baskets.load(changed.id)?.lines.isEmpty == true)
        }
    }

    @Test("Concurrent batches of checkouts and changes on the same baskets never deadlock, whatever their order")
    func noDeadlock() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let drafts = try await runConcurrently(Array(0..<30)) {
                try await serverA.makeDraft(
                    serverA.makeBasket(), by: Guest($0), coupon: $0 % 2 == 0 ? "FRST" : "FOLLOW")
            }
            let ids = drafts.map(\.basketID)
            let decided = try await decide(drafts, serverA)
            for round in 0..<8 {
                async let orders = serverA.storage.placeOrders(round % 2 == 0 ? decided : decided.reversed())
                async let others = serverB.storage.placeOrders(round % 2 == 0 ? decided.reversed() : decided)
                async let changed = runConcurrently(ids.reversed()) {
                    try await serverB.shop.baskets.change($0, .increment(burger))
                }
                _ = try await (orders, others, changed)
            }
            #expect(
                try await serverA.database.psql(
                    "select deadlocks from pg_stat_database where datname = current_database()") == "0")
            #expect(
                try await serverA.database.psql("select count(*) from orders where total <> 725 and total <> 0") == "0")
        }
    }

    private func decide(_ drafts: [CheckoutDraft], _ open: ShopFixture) async throws -> [OrderDraft] {
        let facts = try await open.storage.loadCheckoutFacts(drafts.map(CheckoutFactsQuery.init))
        let menu = try await open.shop.menu.menu(atLeast: 0).menu
        return try zip(drafts, facts).compactMap { draft, facts in
            if case .accept(let order) = Checkout.decide(draft, try facts.get().facts(menu: menu)) {
                order
            } else {
                nil
            }
        }
    }
}
