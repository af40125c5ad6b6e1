// Cached baskets never decide a result alone: each test makes the cache stale and then sends a request.
// Covers BasketCache with BasketQueue, CheckoutQueue, write_baskets and place_orders. Two servers share a database.
import Database
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite struct BasketCacheTests {
    private let burger = MenuItemID(rawValue: 2001)

    @Test("A basket that another server changed is changed and ordered in its stored state, not the cached one")
    func changedElsewhere() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let basket = try await serverA.makeBasket([2001: 1])
            _ = try await serverB.shop.baskets.change(basket.basket.id, .addItem(burger, quantity: 4)).get()
            let changed = try await serverA.shop.baskets.change(basket.basket.id, .increment(burger)).get()
            #expect(changed.lines.map(\.quantity) == [6])

            let full = try await serverB.shop.baskets.change(basket.basket.id, .increment(burger)).get()
            let answer = try await serverA.shop.checkouts.submit(serverA.makeDraft(full, by: Guest(1)))
            #expect(answer.order?.lines.map(\.quantity) == [7])
            #expect(try await serverA.database.psql("select (lines[1]).quantity from orders") == "7")
        }
    }

    @Test("Preconditions, limits and ordered baskets are judged by the stored basket, never by the cached one")
    func rejections() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let basket = try await serverA.makeBasket([2001: 99])
            let id = basket.basket.id
            // Now the first server's cache has an outdated version, in which the line has its maximum quantity.
            let reduced = try await serverB.shop.baskets.change(id, .decrement(burger)).get()
            #expect(try await serverA.shop.baskets.change(id, .increment(burger)).get().lines[0].quantity == 99)
            let reducedTwice = try await serverB.shop.baskets.change(id, .decrement(burger)).get()
            #expect(reducedTwice.basket.version == reduced.basket.version + 2)
            let isNewest: BasketPrecondition = { $0.basket.version == reducedTwice.basket.version }
            #expect(try await serverA.shop.baskets.change(id, .clear, if: isNewest).get().lines.isEmpty)
            let isOld: BasketPrecondition = { $0.basket.version == reduced.basket.version }
            #expect(try await serverA.shop.baskets.change(id, .clear, if: isOld).failure == .preconditionFailed)

            let filled = try await serverA.shop.baskets.change(id, .addItem(burger, quantity: 1)).get()
            let order = try await serverB.shop.checkouts.submit(serverB.makeDraft(filled, by: Guest(1), key: "theirs"))
            #expect(order.isPlaced)
            #expect(
                try await serverA.shop.baskets.change(id, .increment(burger)).failure
                    == .changeRejected(.basketAlreadyOrdered))
            #expect(
                try await serverA.shop.checkouts.submit(serverA.makeDraft(filled, by: Guest(1), key: "ours")).rejection
                    == .basketAlreadyOrdered)
        }
    }

    @Test("A repeated idempotency key returns the order, although a server has cached the basket as open")
    func replay() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let draft = try await serverA.makeDraft(serverA.makeBasket(), by: Guest(1))
            let placed = try await serverB.shop.checkouts.submit(draft)
            #expect(placed.isPlaced)
            let replayed = try await serverA.shop.checkouts.submit(draft)
            #expect(!replayed.isPlaced && replayed.order == placed.order)
            #expect(try await serverA.database.psql("select count(*) from orders") == "1")
        }
    }

    @Test("Baskets and orders that were priced with an outdated menu are neither written nor placed")
    func outdatedMenu() async throws {
        try await ShopFixture.with { open async throws in
            let menu = try await open.shop.menu.menu(atLeast: 0).menu
            let basket = try await open.makeBasket().basket
            let write = BasketWrite(
                readVersion: basket.version, basket: try basket.applying(.increment(burger), menu: menu).get())
            #expect(try await open.storage.writeBaskets([write], ifMenuRevisionIs: menu.revision - 1) == [])
            #expect(try await open.storage.writeBaskets([write], ifMenuRevisionIs: menu.revision) == [basket.id])

            let draft = try await open.makeDraft(PricedBasket(write.basket, menu: menu), by: Guest(1))
            guard
                case .accept(let order) = Checkout.decide(draft, CheckoutFacts(cachedBasket: write.basket, menu: menu))
            else {
                Issue.record("the valid draft is rejected")
                return
            }
            #expect(order.placedAt == nil)
            #expect(try await open.storage.placeOrders([order], ifMenuRevisionIs: menu.revision + 1) == [:])
            #expect(try await open.database.psql("select count(*) from orders") == "0")
            #expect(try await open.database.psql("select state from baskets") == "open")
            let placed = try await open.storage.placeOrders([order], ifMenuRevisionIs: menu.revision)
            let stored = try #require(try await open.storage.loadOrders([basket.id]).first)
            #expect(placed[basket.id]?.placedAt == stored.placedAt && placed[basket.id]?.number == stored.number)
        }
    }

    @Test("The next basket change and checkout after a price change use the new price, despite cached data")
    func priceChange() async throws {
        try await ShopFixture.with { open async throws in
            for price in [900, 950, 1000] as [Int64] {
                let basket = try await open.makeBasket()
                let draft = try await open.makeDraft(basket, by: Guest(Int(price)))
                try await open.database.psql("update menu_items set price = \(price) where id = 2001")
                // The test does not wait here, so the server may or may not have received the notification.
                guard case .priceChanged(let changes, _)? = try await open.shop.checkouts.submit(draft).rejection else {
                    Issue.record("the order was placed at an outdated price")
                    return
                }
                guard changes.count == 1, case .amount(_, let old, let new, .menuPrice) = changes[0] else {
                    Issue.record("\(changes)")
                    return
                }
                #expect(old == basket.lines[0].line.unitPrice && new != old)
                try await open.database.psql("update menu_items set price = \(price + 7) where id = 2001")
                let changed = try await open.shop.baskets.change(basket.basket.id, .increment(burger)).get()
                let current = try await open.database.psql(
                    """
                    select (\(price + 7) * (100 - coalesce(sale_percent, 0)) * 2 + 100)::bigint / 200
                    from menu_items where id = 2001
                    """)
                #expect("\(changed.lines[0].unitPrice.minorUnits)" == current)
            }
        }
    }

    @Test("No cached basket is used after a database outage, because the newest baskets may be lost")
    func failover() async throws {
        try await ShopFixture.with { open async throws in
            let id = try await open.makeBasket([2001: 1]).basket.id
            try await open.database.refuseConnections()
            try await eventually("all connections are closed") { open.shop.databaseUse.openConnections == 0 }
            try await open.database.acceptConnections()
            // Another server may have written other content with the same version meanwhile.
            try await open.database.psql("update baskets set lines[1].quantity = 5 where id = '\(id)'")
            let changed = try await open.shop.baskets.change(id, .increment(burger)).get()
            #expect(changed.lines.map(\.quantity) == [6])
        }
    }

    @Test("After all connections are lost one by one, no basket is used that was cached before")
    func connectionsLostOneByOne() async throws {
        try await ShopFixture.with { open async throws in
            let id = try await open.makeBasket([2001: 1]).basket.id
            let sessions = "from pg_stat_activity where datname = current_database() and usename = 'welms_server'"
            let all = try await open.database.psql("select pid \(sessions)").split(separator: "\n")
            for session in all {
                try await open.database.psql("select pg_terminate_backend(\(session))")
                try await eventually("the connection is replaced") {
                    #expect(open.shop.databaseUse.openConnections > 0, "at least one connection is open")
                    return try await open.database.psql(
                        """
                        select count(*) filter (where pid <> \(session)) = \(all.count)
                        and count(*) = \(all.count) \(sessions)
                        """) == "t"
                }
            }
            try await open.database.psql("update baskets set lines[1].quantity = 5 where id = '\(id)'")
            let changed = try await open.shop.baskets.change(id, .increment(burger)).get()
            #expect(changed.lines.map(\.quantity) == [6])
        }
    }

    @Test("A decision from cached baskets that was not sent before the connection was lost is made again")
    func decidedBeforeConnectionLoss() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(on: database, connections: 1) { open async throws in
                let (id, otherID) = (
                    try await open.makeBasket([2001: 1]).basket.id, try await open.makeBasket([2001: 1]).basket.id
                )
                let ordered = try await open.makeBasket([2001: 1])
                let draft = try await open.makeDraft(ordered, by: Guest(1))
                // Blocks the only connection. It accepts two bursts of pipelined queries, and later queries wait.
                let holder = try await PostgresConnection.connect(database.url, logger: .silent)
                try await holder.run(script: "begin; lock table orders in access exclusive mode")
                let sessions = "from pg_stat_activity where datname = current_database() and usename = 'welms_server'"
                let first = Task { try await open.shop.orders.load(open.makeBasketID()) }
                try await eventually("the connection is blocked") {
                    try await database.psql("select count(*) > 0 \(sessions) and wait_event_type = 'Lock'") == "t"
                }
                // The precondition runs on the connection's thread. This thread sends the resulting query before any
                // other work.
                let isDecided = Mutex(false)
                let secondBurst = Task {
                    try await open.shop.baskets.change(
                        otherID, .increment(burger),
                        if: { _ in
                            isDecided.withLock { $0 = true }
                            return false
                        })
                }
                try await eventually("the connection accepts no more bursts") { isDecided.withLock { $0 } }
                let checkout = Task { try await open.shop.checkouts.submit(draft) }
                let decided = Mutex(0)
                let change = Task {
                    try await open.shop.baskets.change(
                        id, .increment(burger),
                        if: { _ in
                            decided.withLock { $0 += 1 }
                            return true
                        }
                    ).get()
                }
                try await eventually("the change is decided") { decided.withLock { $0 } == 1 }
                // Keeps the version. After a failover, the new primary may have another basket with the same version.
                try await database.psql(
                    "update baskets set lines[1].quantity = 5 where id in ('\(id)', '\(ordered.basket.id)')")
                let terminated = try await database.psql(
                    """
                    select string_agg(pid::text, ',')
                    from (select pid, pg_terminate_backend(pid) \(sessions)) as lost
                    """)
                try await eventually("the sessions are terminated") {
                    try await database.psql("select count(*) from pg_stat_activity where pid in (\(terminated))") == "0"
                }
                try await holder.run(script: "rollback")
                await holder.close()
                #expect(try await change.value.lines.map(\.quantity) == [6])
                #expect(decided.withLock { $0 } == 2)
                guard case .priceChanged? = try await checkout.value.rejection else {
                    Issue.record("the order does not match the basket")
                    return
                }
                #expect(try await secondBurst.value.failure == .preconditionFailed)
                #expect(try await first.value == nil)
            }
        }
    }

    @Test("The cache keeps the newest baskets, never exceeds twice its weight limit, and drops removed baskets")
    func capacity() throws {
        let cache = BasketCache()
        let currency = try #require(CurrencyCode("USD"))
        let baskets = (0..<BasketCache.weightLimit * 5 / 2).map { number in
            Basket(
                id: .make(now: Instant(microseconds: Int64(number)), random: (1, UInt64(number))), currency: currency)
        }
        for basket in baskets { cache.store([basket], since: cache.generation) }
        let known = baskets.filter { cache.baskets([$0.id]) != nil }
        #expect(
            (BasketCache.weightLimit...2 * BasketCache.weightLimit).contains(known.count),
            "each empty basket has a weight of 1")
        #expect(known.suffix(BasketCache.weightLimit) == baskets.suffix(BasketCache.weightLimit))
        // A basket that is stored repeatedly counts only once towards the weight limit.
        for _ in 0..<2 * BasketCache.weightLimit { cache.store([known[known.count - 1]], since: cache.generation) }
        #expect(cache.baskets(known.suffix(BasketCache.weightLimit / 2).map(\.id)) != nil)
        #expect(cache.baskets(known.suffix(3).map(\.id))?.count == 3)
        #expect(cache.baskets([known[0].id, baskets[0].id]) == nil, "one missing basket makes the whole lookup fail")
        cache.remove(known.map(\.id))
        #expect(baskets.allSatisfy { cache.baskets([$0.id]) == nil })
        #expect(cache.baskets([]) == [:])
        // Does not cache a basket that was written before the cache was invalidated.
        let sent = cache.generation
        cache.removeAll()
        cache.store([baskets[0]], since: sent)
        #expect(cache.baskets([baskets[0].id]) == nil)
    }
}
