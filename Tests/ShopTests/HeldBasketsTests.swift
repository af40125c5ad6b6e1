// What a server remembers of the baskets it wrote never becomes an answer by itself: every test here makes the memory wrong and asks.
// Tests HeldBaskets with BasketQueue, CheckoutQueue, write_baskets and place_orders. Two servers on one database make memories wrong.
import Database
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite struct HeldBasketsTests {
    private let burger = MenuItemID(rawValue: 2001)

    @Test("a basket that another server has changed is changed and ordered as it is now, not as this server wrote it")
    func changedElsewhere() async throws {
        try await OpenShop.two { one, other in
            let basket = try await one.basket([2001: 1])
            _ = try await other.shop.baskets.change(basket.basket.id, .addItem(burger, quantity: 4)).get()
            let changed = try await one.shop.baskets.change(basket.basket.id, .increment(burger)).get()
            #expect(changed.lines.map(\.quantity) == [6])

            let full = try await other.shop.baskets.change(basket.basket.id, .increment(burger)).get()
            let answer = try await one.shop.checkouts.submit(one.draft(full, by: Guest(1)))
            #expect(answer.order?.lines.map(\.quantity) == [7])
            #expect(try await one.database.psql("select line_quantities from orders") == "{7}")
        }
    }

    @Test("no refusal comes from memory: a precondition, a limit and an ordered basket are judged by what is in the database")
    func refusals() async throws {
        try await OpenShop.two { one, other in
            let basket = try await one.basket([2001: 99])
            let id = basket.basket.id
            // This server remembers a line that is full, and a version that is old.
            let reduced = try await other.shop.baskets.change(id, .decrement(burger)).get()
            #expect(try await one.shop.baskets.change(id, .increment(burger)).get().lines[0].quantity == 99)
            let again = try await other.shop.baskets.change(id, .decrement(burger)).get()
            #expect(again.basket.version == reduced.basket.version + 2)
            let isNewest: BasketPrecondition = { $0.basket.version == again.basket.version }
            #expect(try await one.shop.baskets.change(id, .clear, if: isNewest).get().lines.isEmpty)
            let isOld: BasketPrecondition = { $0.basket.version == reduced.basket.version }
            #expect(try await one.shop.baskets.change(id, .clear, if: isOld).failure == .preconditionFailed)

            let filled = try await one.shop.baskets.change(id, .addItem(burger, quantity: 1)).get()
            let order = try await other.shop.checkouts.submit(other.draft(filled, by: Guest(1), key: "theirs"))
            #expect(order.isPlaced)
            #expect(try await one.shop.baskets.change(id, .increment(burger)).failure == .refused(.basketAlreadyOrdered))
            #expect(try await one.shop.checkouts.submit(one.draft(filled, by: Guest(1), key: "ours")).rejection == .basketAlreadyOrdered)
        }
    }

    @Test("a repetition of the same key is answered with the order, whichever server holds the basket as open")
    func replay() async throws {
        try await OpenShop.two { one, other in
            let draft = try await one.draft(one.basket(), by: Guest(1))
            let placed = try await other.shop.checkouts.submit(draft)
            #expect(placed.isPlaced)
            let replayed = try await one.shop.checkouts.submit(draft)
            #expect(!replayed.isPlaced && replayed.order == placed.order)
            #expect(try await one.database.psql("select count(*) from orders") == "1")
        }
    }

    @Test("what was priced by a menu that no longer counts is neither written nor placed")
    func otherMenu() async throws {
        try await OpenShop.with { open async throws in
            let menu = try await open.shop.menu.menu(atLeast: 0).menu
            let basket = try await open.basket().basket
            let write = BasketWrite(readVersion: basket.version, basket: try basket.applying(.increment(burger), menu: menu).get())
            #expect(try await open.storage.writeBaskets([write], ifMenuIs: menu.revision - 1) == [])
            #expect(try await open.storage.writeBaskets([write], ifMenuIs: menu.revision) == [basket.id])

            let draft = try await open.draft(PricedBasket(write.basket, menu: menu), by: Guest(1))
            guard case .accept(let order) = Checkout.decide(draft, CheckoutFacts(held: write.basket, menu: menu)) else {
                Issue.record("nothing is wrong with the draft")
                return
            }
            #expect(order.placedAt == nil)
            #expect(try await open.storage.placeOrders([order], ifMenuIs: menu.revision + 1) == [:])
            #expect(try await open.database.psql("select count(*) from orders") == "0")
            #expect(try await open.database.psql("select state from baskets") == "open")
            let placed = try await open.storage.placeOrders([order], ifMenuIs: menu.revision)
            let stored = try #require(try await open.storage.loadOrders([basket.id]).first)
            #expect(placed[basket.id]?.at == stored.placedAt && placed[basket.id]?.number == stored.number)
        }
    }

    @Test("a price that staff change is told by the very next change and checkout, though the server holds the basket and the old menu")
    func priceChange() async throws {
        try await OpenShop.with { open async throws in
            for price in [900, 950, 1000] as [Int64] {
                let basket = try await open.basket()
                let draft = try await open.draft(basket, by: Guest(Int(price)))
                try await open.database.psql("update menu_items set price = \(price) where id = 2001")
                // Each at once: the server may or may not have heard of the change.
                guard case .priceChanged(let changes, _)? = try await open.shop.checkouts.submit(draft).rejection else {
                    Issue.record("an order at a price that no longer counts")
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
                    "select (\(price + 7) * (100 - coalesce(sale_percent, 0)) * 2 + 100)::bigint / 200 from menu_items where id = 2001")
                #expect("\(changed.lines[0].unitPrice.minorUnits)" == current)
            }
        }
    }

    @Test("a database that was away may come back without the newest baskets, and none is held any more")
    func failover() async throws {
        try await OpenShop.with { open async throws in
            let id = try await open.basket([2001: 1]).basket.id
            try await open.database.refuseConnections()
            try await eventually("the database is away") { open.shop.databaseUse.openConnections == 0 }
            try await open.database.acceptConnections()
            // The same version, as another server has written it meanwhile.
            try await open.database.psql("update baskets set line_quantities = '{5}' where id = '\(id)'")
            let changed = try await open.shop.baskets.change(id, .increment(burger)).get()
            #expect(changed.lines.map(\.quantity) == [6])
        }
    }

    @Test("connections that are lost one by one may come back to another server: nothing that was held before the last of them is believed")
    func oneByOne() async throws {
        try await OpenShop.with { open async throws in
            let id = try await open.basket([2001: 1]).basket.id
            let sessions = "from pg_stat_activity where datname = current_database() and usename = 'welms_server'"
            let all = try await open.database.psql("select pid \(sessions)").split(separator: "\n")
            for session in all {
                try await open.database.psql("select pg_terminate_backend(\(session))")
                try await eventually("it is replaced") {
                    #expect(open.shop.databaseUse.openConnections > 0, "never is there none")
                    return try await open.database.psql(
                        "select count(*) filter (where pid <> \(session)) = \(all.count) and count(*) = \(all.count) \(sessions)") == "t"
                }
            }
            try await open.database.psql("update baskets set line_quantities = '{5}' where id = '\(id)'")
            let changed = try await open.shop.baskets.change(id, .increment(burger)).get()
            #expect(changed.lines.map(\.quantity) == [6])
        }
    }

    @Test(
        "what was decided from held baskets and not yet sent when the connection was lost is not sent to another: it is decided again from what is there"
    )
    func decidedBefore() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await OpenShop.with(on: database, connections: 1) { open async throws in
                let (id, other) = (try await open.basket([2001: 1]).basket.id, try await open.basket([2001: 1]).basket.id)
                let ordered = try await open.basket([2001: 1])
                let draft = try await open.draft(ordered, by: Guest(1))
                // The one connection stands still: it takes two bursts, and what comes then waits.
                let holder = try await PostgresConnection.connect(database.url, logger: .silent)
                try await holder.run(script: "begin; lock table orders in access exclusive mode")
                let sessions = "from pg_stat_activity where datname = current_database() and usename = 'welms_server'"
                let first = Task { try await open.shop.orders.load(open.newID()) }
                try await eventually("it stands still") {
                    try await database.psql("select count(*) > 0 \(sessions) and wait_event_type = 'Lock'") == "t"
                }
                // It is decided on the connection's thread, which sends what it then asks for before it does anything else.
                let isDecided = Mutex(false)
                let inWay = Task {
                    try await open.shop.baskets.change(
                        other, .increment(burger),
                        if: { _ in
                            isDecided.withLock { $0 = true }
                            return false
                        })
                }
                try await eventually("as much is sent as may be") { isDecided.withLock { $0 } }
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
                // Of the same version, as a standby that has taken over may have it.
                try await database.psql("update baskets set line_quantities = '{5}' where id in ('\(id)', '\(ordered.basket.id)')")
                let lost = try await database.psql(
                    "select string_agg(pid::text, ',') from (select pid, pg_terminate_backend(pid) \(sessions)) as lost")
                try await eventually("they are gone") {
                    try await database.psql("select count(*) from pg_stat_activity where pid in (\(lost))") == "0"
                }
                try await holder.run(script: "rollback")
                await holder.close()
                #expect(try await change.value.lines.map(\.quantity) == [6])
                #expect(decided.withLock { $0 } == 2)
                guard case .priceChanged? = try await checkout.value.rejection else {
                    Issue.record("an order of what is not in the basket")
                    return
                }
                #expect(try await inWay.value.failure == .preconditionFailed)
                #expect(try await first.value == nil)
            }
        }
    }

    @Test("as many are held as there is room for: the newest half always, never twice as many, and one that is forgotten is not")
    func bounds() throws {
        let held = HeldBaskets()
        let currency = try #require(CurrencyCode("USD"))
        let baskets = (0..<HeldBaskets.room * 5 / 2).map { number in
            Basket(id: .make(now: Instant(microseconds: Int64(number)), random: (1, UInt64(number))), currency: currency)
        }
        for basket in baskets { held.hold([basket], of: held.epoch) }
        let known = baskets.filter { held.baskets([$0.id]) != nil }
        #expect((HeldBaskets.room...2 * HeldBaskets.room).contains(known.count), "each weighs 1")
        #expect(known.suffix(HeldBaskets.room) == baskets.suffix(HeldBaskets.room))
        // However often one is written, it takes its room once.
        for _ in 0..<2 * HeldBaskets.room { held.hold([known[known.count - 1]], of: held.epoch) }
        #expect(held.baskets(known.suffix(HeldBaskets.room / 2).map(\.id)) != nil)
        #expect(held.baskets(known.suffix(3).map(\.id))?.count == 3)
        #expect(held.baskets([known[0].id, baskets[0].id]) == nil, "all or nothing")
        held.forget(known.map(\.id))
        #expect(baskets.allSatisfy { held.baskets([$0.id]) == nil })
        #expect(held.baskets([]) == [:])
        // What is answered late, by a server that another has replaced since.
        let sent = held.epoch
        held.forgetAll()
        held.hold([baskets[0]], of: sent)
        #expect(held.baskets([baskets[0].id]) == nil)
    }
}
