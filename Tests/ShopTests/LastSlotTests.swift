// A slot's last capacity is sold once and returned once, at any concurrency. Daily stock belongs to the business day
// of the wanted time. Covers CheckoutQueue with take_slots and give_slot_back (sql/016_hours.sql).
import Database
import Ordering
import Support
import Testing

@testable import Shop

@Suite("The last portion is sold once: slots", .timeLimit(.minutes(5)))
struct LastSlotTests {
    /// Selects the slots whose counts differ from their active orders. The result is empty if all counts are right.
    static let discrepancies = """
        select fulfilment, starts_at
        from (
            select fulfilment, wanted_at as starts_at, count(*) as orders, sum(slot_items) as items from orders
            where wanted_at is not null and state not in ('cancelled', 'rejected') group by 1, 2
        ) as living
        full join slot_uses using (fulfilment, starts_at)
        where coalesce(living.orders, 0) <> coalesce(order_count, 0)
            or coalesce(living.items, 0) <> coalesce(item_count, 0)
        """

    @Test("Of 100 concurrent checkouts on two servers for a slot of 5, 95 are rejected with the next three slots")
    func slotOfFive() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let slots = try await Self.enableSlots(on: serverA, serverB, "slot_minutes = 60, orders_per_slot = 5")
            let drafts = try await runConcurrently(Array(0..<100)) {
                try await serverA.makeDraft(serverA.makeBasket([3001: 1, 4001: 2]), by: Guest($0), wantedAt: slots[0])
            }
            let answers = try await runConcurrently(Array(0..<100)) {
                try await Self.submit(drafts[$0], to: $0 % 2 == 0 ? serverA : serverB)
            }
            let orders = answers.compactMap(\.order)
            #expect(
                orders.count == 5
                    && orders.allSatisfy { $0.wantedAt == slots[0] && $0.readyAt == slots[0] && $0.etaMinutes == nil })
            let refused = answers.compactMap { answer -> [FieldError]? in
                if case .validationFailed(let errors)? = answer.rejection { errors.all } else { nil }
            }
            let expected = [FieldError(.wantedAt, .slotFull, ["alternatives": .texts(slots[1...3].map(\.rfc3339))])]
            #expect(
                refused.count == 95
                    && refused.allSatisfy {
                        $0.map(\.code) == expected.map(\.code) && $0.map(\.params) == expected.map(\.params)
                    })
            #expect(
                try await serverA.database.psql("select fulfilment, order_count, item_count from slot_uses")
                    == "delivery|5|15")
            #expect(try await serverA.database.psql(Self.discrepancies) == "")

            // Guests and staff cancel and reject each order concurrently on both servers: the capacity returns once.
            _ = try await runConcurrently(Array(0..<20)) { number in
                let (order, shop) = (orders[number % 5], number % 2 == 0 ? serverA : serverB)
                if number / 5 == 1 {
                    _ = try await shop.storage.takeStep(
                        .advance(to: .rejected, reason: "out of gas"), number: order.number, by: .settingsToken)
                } else {
                    _ = try await shop.shop.orders.cancel(order.id)
                }
            }
            #expect(try await serverA.database.psql("select order_count, item_count from slot_uses") == "0|0")
            let retried = drafts.indices.filter { answers[$0].order == nil }.prefix(12)
            let later = try await runConcurrently(Array(retried)) {
                try await Self.submit(drafts[$0], to: $0 % 2 == 0 ? serverB : serverA)
            }
            #expect(later.filter(\.isPlaced).count == 5 && later.filter { $0.errorCodes == [.slotFull] }.count == 7)
            #expect(try await serverA.database.psql(Self.discrepancies) == "")
        }
    }

    @Test("A slot's item limit counts the dishes of lines and sets, and a small order fits after a large one fails")
    func itemLimit() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let slots = try await Self.enableSlots(on: serverA, serverB, "slot_minutes = 60, items_per_slot = 10")
            let drafts = try await runConcurrently(Array(0..<40)) {
                let basket =
                    $0 % 4 == 0
                    ? try await serverA.makeBasket([3001: 1], sales: [200])
                    : try await serverA.makeBasket([3001: 1 + Int64($0 % 4)])
                return try await serverA.makeDraft(basket, by: Guest($0), wantedAt: slots[$0 % 2])
            }
            let answers = try await runConcurrently(Array(drafts.indices)) {
                try await Self.submit(drafts[$0], to: $0 % 3 == 0 ? serverA : serverB)
            }
            #expect(
                answers.allSatisfy { $0.isPlaced || $0.errorCodes == [.slotFull] }
                    && answers.contains { $0.errorCodes == [.slotFull] })
            // The orders have two to four dishes, three of them in a set. A slot with six dishes or fewer would have
            // accepted any.
            #expect(
                try await serverA.database.psql(
                    "select count(*) from slot_uses where item_count > 10 or item_count < 7") == "0")
            #expect(try await serverA.database.psql(Self.discrepancies) == "")
        }
    }

    @Test("An order without slot capacity returns its coupon and stock, and an order without stock its slot capacity")
    func failedOrderLeavesNothing() async throws {
        try await ShopFixture.with { open async throws in
            let slots = try await Self.enableSlots(on: open, open, "slot_minutes = 60, orders_per_slot = 3")
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 4)")
            let plain = try await runConcurrently(Array(0..<6)) { number in
                // The stock is 4 dishes, and the slot takes 3 orders. Guests 0 to 3 want the slot and two dishes each,
                // guest 4 wants only the slot, and guest 5 neither.
                try await open.makeDraft(
                    open.makeBasket(number < 4 ? [2001: 2] : [3001: 1]), by: Guest(number),
                    coupon: number < 4 ? "FOLLOW" : nil,
                    wantedAt: number < 5 ? slots[0] : nil)
            }
            let facts = try await open.storage.loadCheckoutFacts(plain.map(CheckoutFactsQuery.init))
            let menu = try await open.shop.menu.menu(atLeast: 0).menu
            let decided = try zip(plain, facts).compactMap { draft, facts -> OrderDraft? in
                if case .accept(let order) = Checkout.decide(draft, try facts.get().facts(menu: menu)) {
                    order
                } else {
                    nil
                }
            }
            #expect(decided.count == 6)
            let placed = try await open.storage.placeOrders(decided)
            let traces = """
                select (select count(*) from orders), (select count(*) from baskets where state = 'ordered'),
                       (select count(*) from coupon_uses),
                       (select redeemed from coupon_redemptions where coupon_id = 3),
                       (select -sum(change) from stock_movements where order_id is not null),
                       (select order_count from slot_uses)
                """
            let withDishes = decided.count { placed[$0.id] != nil && !$0.stock.isEmpty }
            let counts = try await open.database.psql(traces).split(separator: "|").map(String.init)
            #expect(
                counts == [
                    "\(placed.count)", "\(placed.count)", "\(2 * withDishes)", "\(withDishes)", "\(2 * withDishes)",
                    "\(placed.count - 1)",
                ])
            #expect(try await open.database.psql(Self.discrepancies) == "")
            #expect(withDishes <= 2 && placed.count <= 4 && placed.count > withDishes)
        }
    }

    @Test("A rejection of an order in preparation returns its slot capacity, but not its stock")
    func rejectedLate() async throws {
        try await ShopFixture.with { open async throws in
            let slots = try await Self.enableSlots(on: open, open, "slot_minutes = 60, orders_per_slot = 1")
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 4)")
            let drafts = try await runConcurrently([0, 1]) {
                try await open.makeDraft(open.makeBasket(), by: Guest($0), wantedAt: slots[0])
            }
            let number = try #require(try await Self.submit(drafts[0], to: open).order?.number)
            #expect(try await Self.submit(drafts[1], to: open).errorCodes == [.slotFull])
            for step in [StaffStep.advance(to: .accepted), .advance(to: .preparing)] {
                _ = try await open.storage.takeStep(step, number: number, by: .settingsToken)
                #expect(try await open.database.psql("select order_count from slot_uses") == "1")
            }
            _ = try await open.storage.takeStep(
                .advance(to: .rejected, reason: "the oven"), number: number, by: .settingsToken)
            #expect(
                try await open.database.psql("select order_count, item_count, remaining from slot_uses, item_stock")
                    == "0|0|3")
            #expect(try await Self.submit(drafts[1], to: open).isPlaced)
            #expect(try await open.database.psql(Self.discrepancies) == "")
        }
    }

    @Test("Daily stock is taken from the business day of the wanted time and returns to that day")
    func businessDay() async throws {
        try await ShopFixture.with { open async throws in
            let slots = try await Self.enableSlots(on: open, open, "slot_minutes = 60")
            let (near, far) = (slots[0], slots[0].advanced(by: .seconds(3 * 86_400)))
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, per_day) values (2001, 3)")
            func order(_ guest: Int, _ quantity: Int64, _ wantedAt: Instant?) async throws -> CheckoutAnswer {
                try await open.shop.checkouts.submit(
                    open.makeDraft(open.makeBasket([2001: quantity]), by: Guest(guest), wantedAt: wantedAt))
            }
            let later = try await order(1, 3, far)
            #expect(later.isPlaced)
            #expect(try await order(2, 1, far).errorCodes == [.stockShort])
            #expect(try await order(3, 2, near).isPlaced)
            #expect(try await order(4, 1, near).isPlaced)
            #expect(try await order(5, 1, near).errorCodes == [.stockShort])
            let days = """
                select (day - (business_day('\(near.rfc3339)')).day), sold
                from stock_days where sold > 0 order by 1
                """
            #expect(try await open.database.psql(days) == "0|3\n3|3")
            let first = try #require(later.order)
            _ = try await open.storage.cancelOrder(first.id)
            #expect(try await open.database.psql(days) == "0|3")
            #expect(try await order(6, 3, far).isPlaced)
            #expect(try await open.database.psql(days) == "0|3\n3|3")
        }
    }

    @Test("While staff keep changing a slot's capacity, the counts match the active orders and no slot is overbooked")
    func staffMeanwhile() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let slots = try await Self.enableSlots(on: serverA, serverB, "slot_minutes = 60, orders_per_slot = 4")
            try await serverA.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 60)")
            let drafts = try await runConcurrently(Array(0..<90)) {
                try await serverA.makeDraft(
                    serverA.makeBasket([2001: 1]), by: Guest($0), coupon: $0 % 3 == 0 ? "FOLLOW" : nil,
                    wantedAt: slots[$0 % 3])
            }
            async let edits: Void = {
                for round in 0..<30 {
                    try await serverA.database.psqlAsStaff(
                        """
                        update fulfilments set orders_per_slot = \([4, 2, 6][round % 3])
                        where fulfilment = 'delivery'
                        """)
                }
            }()
            let answers = try await runConcurrently(Array(drafts.indices)) { index -> CheckoutAnswer in
                let answer = try await Self.submit(drafts[index], to: index % 2 == 0 ? serverA : serverB)
                if index % 4 == 0, let order = answer.order { _ = try await serverB.shop.orders.cancel(order.id) }
                return answer
            }
            try await edits
            #expect(answers.contains { $0.isPlaced })
            #expect(answers.allSatisfy { $0.isPlaced || $0.errorCodes == [.slotFull] })
            #expect(try await serverA.database.psql("select count(*) from slot_uses where order_count > 6") == "0")
            #expect(try await serverA.database.psql(Self.discrepancies) == "")
            #expect(
                try await serverA.database.psql(
                    "select 60 - remaining - (select count(*) from orders where state <> 'cancelled') from item_stock")
                    == "0")
        }
    }

    @Test("If reading the stock of other days fails, only the checkouts that need alternative slots fail")
    func alternativesFail() async throws {
        try await ShopFixture.with { open async throws in
            let slots = try await Self.enableSlots(on: open, open, "slot_minutes = 60, orders_per_slot = 1")
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, per_day) values (2001, 30)")
            let first = try await Self.submit(
                open.makeDraft(open.makeBasket([3001: 1]), by: Guest(0), wantedAt: slots[0]), to: open)
            #expect(first.isPlaced)
            let drafts = try await runConcurrently(Array(1...12)) { guest in
                try await open.makeDraft(
                    open.makeBasket([2001: 1]), by: Guest(guest), wantedAt: guest % 2 == 0 ? slots[0] : slots[guest])
            }
            try await open.database.psql(
                "alter function stock_left(bigint[], bigint[], timestamptz[]) rename to stock_read")
            // The replacement fails only if the stock of some items is queried, as it is for alternative slots.
            try await open.database.psql(
                """
                create function stock_left(items bigint[], options bigint[], moments timestamptz[])
                returns stock_count[]
                language plpgsql stable as $$
                begin
                    if items is not null then raise 'the stock cannot be read'; end if;
                    return stock_read(items, options, moments);
                end $$;
                grant execute on function stock_left(bigint[], bigint[], timestamptz[]) to public
                """)
            let arePlaced = await withTaskGroup { group in
                for draft in drafts {
                    group.addTask { (draft.basketID, try? await Self.submit(draft, to: open).isPlaced) }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = .some($1.1) }
            }
            #expect(drafts.map { arePlaced[$0.basketID] } == (1...12).map { $0 % 2 == 1 ? true : .some(nil) })
            try await open.database.psql(
                """
                drop function stock_left(bigint[], bigint[], timestamptz[]);
                alter function stock_read(bigint[], bigint[], timestamptz[]) rename to stock_left
                """)
            #expect(try await Self.submit(drafts[1], to: open).errorCodes == [.slotFull])
        }
    }

    /// Enables slots and returns the start times for the day after tomorrow, once both servers offer them.
    static func enableSlots(on serverA: ShopFixture, _ serverB: ShopFixture, _ terms: String) async throws -> [Instant]
    {
        try await serverA.database.psqlAsStaff("update shop set time_zone = 'UTC'; update fulfilments set \(terms)")
        var slots: [Instant] = []
        try await eventually("both servers offer slots") {
            let day = ShopZone.utc.date(
                of: try await serverA.storage.loadMenuRevision().clock.databaseTime.advanced(by: .seconds(2 * 86_400)))
            slots = try await serverA.shop.times.offered(.delivery, on: day)?.slots.map(\.startsAt) ?? []
            let others = try await serverB.shop.times.offered(.delivery, on: day)?.slots.map(\.startsAt)
            return slots.count == 24 && slots == others
        }
        return slots
    }

    private static func submit(_ draft: CheckoutDraft, to open: ShopFixture) async throws -> CheckoutAnswer {
        while true {
            do throws(ShopFault) { return try await open.shop.checkouts.submit(draft) } catch {
                guard [.overloaded, .timedOutInQueue, .tooManyConflicts].contains(error) else { throw error }
            }
        }
    }
}
