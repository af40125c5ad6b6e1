// Orders that nobody has accepted in time, and those that the shop accepts automatically: what becomes of each is one thing, however many servers, members
// of staff and guests want something of it at once. Tests Sources/Shop/Acceptance and sql/021_deadlines.sql. Orders are made older in SQL; nothing waits.
import Database
import Ordering
import Postgres
import Shop
import Support
import Synchronization
import Testing

@Suite("The deadline to accept an order: what becomes of it", .timeLimit(.minutes(5)))
struct AcceptanceWatchTests {
    private static let reason = "We could not accept your order in time."

    private static func age(_ order: Order, _ database: TestDatabase, by minutes: Int = 20) async throws {
        try await database.psql("update orders set placed_at = placed_at - interval '\(minutes) minutes' where id = '\(order.id)'")
    }

    /// Makes ten seconds of the time since staff took a step of this order back.
    private static func endUndo(of order: Order, _ database: TestDatabase) async throws {
        try await database.psql(
            """
            update order_steps set at = at - interval '10 seconds'
            where order_id = '\(order.id)' and kind = 'taken_back'
            """)
    }

    private static func comes(_ order: Order, to state: String, _ database: TestDatabase) async throws {
        try await eventually("order \(order.number) is \(state)") {
            try await database.psql("select state from orders where id = '\(order.id)'") == state
        }
    }

    @Test(
        "Past its deadline an order is rejected once by two servers: coupon, stock and place are back once, guest and staff told once, the audit says who"
    )
    func once() async throws {
        try await MailServer.with { server in
            try await TestDatabase.with(.seeded) { database async throws in
                let mail = try #require(MailConfiguration.impatient(port: server.port))
                try await OpenShop.with(on: database, mail: mail) { one async throws in
                    try await OpenShop.with(on: database, mail: mail) { other async throws in
                        try await eventually("the mailer has begun") { try await database.psql("select count(*) from mailing") == "1" }
                        try await database.staff("insert into item_stock (menu_item_id, remaining) values (2001, 10)")
                        let kept = try #require(try await one.order(by: Guest(1), coupon: "FRST").order)
                        let order = try #require(try await one.order(by: Guest(2), coupon: "FRST").order)
                        // Who looks for mails looks at what is new.
                        _ = try await server.mails(atLeast: 2)
                        try await Self.age(order, database)
                        // It has a place in a slot too, as if its time were over.
                        try await database.psql(
                            """
                            update orders set wanted_at = date_trunc('hour', now()), eta_minutes = null, slot_items = 1 where id = '\(order.id)';
                            insert into slot_uses values ('delivery', date_trunc('hour', now()), 3, 5);
                            """)
                        guard case .events(let events) = try await other.shop.orderWatch.follow(order.id, after: 0) else {
                            return #expect(Bool(false))
                        }
                        try await database.staff("update shop set accept_within_minutes = 10")
                        var told: [OrderState] = []
                        for await event in events { told.append(event.step.state) }
                        #expect(told == [.placed, .rejected])
                        let mails = try await server.mails(atLeast: 3)
                        #expect(mails.map(\.state).sorted() == ["placed", "placed", "rejected"])
                        #expect(mails.first { $0.state == "rejected" }?.plain?.contains(Self.reason) == true)
                        #expect(try await database.psql("select state, reason from order_steps") == "rejected|\(Self.reason)")
                        #expect(
                            try await database.psql("select who, role is null, before, after, why from audit where what = 'orders'")
                                == #"the shop itself|t|{"state": "placed"}|{"state": "rejected"}|\#(Self.reason)"#)
                        #expect(
                            try await database.psql(
                                """
                                select (select redeemed from coupon_redemptions where coupon_id = 1), (select count(*) from coupon_uses where order_id = '\(order.id)'),
                                    (select remaining from item_stock), (select sum(change) from stock_movements where order_id = '\(order.id)'),
                                    (select order_count || ' ' || item_count from slot_uses), (select count(*) from order_mails where state = 'rejected')
                                """) == "1|0|9|0|2 4|1")
                        #expect(try await one.storage.loadOrder(kept.id)?.state == .placed)
                        #expect(try await one.storage.loadOrder(order.id)?.rejectionReason == Self.reason)
                    }
                }
            }
        }
    }

    @Test(
        "Staff who accept, the guest who cancels and the deadline on two servers at once end in one of the three, and the coupons are exact"
    )
    func race() async throws {
        try await OpenShop.two { one, other in
            let orders = try await together(Array(0..<12)) { try #require(try await one.order(by: Guest($0), coupon: "FOLLOW").order) }
            let reading = try await one.storage.loadMenuRevision()
            for order in orders {
                let moves = try await together(Array(0..<6)) { way -> String? in
                    let storage = way % 2 == 0 ? one.storage : other.storage
                    switch way / 2 {
                    case 0:
                        let isDone = try await storage.settle(
                            order.id, menu: reading.revision, deadline: reading.clock.moment, reason: Self.reason)
                        return isDone ? "rejected" : nil
                    case 1:
                        let advance = try await storage.take(.advance(to: .accepted), number: order.number, by: .ofTheSettings)
                        return if case .moved = advance { "accepted" } else { nil }
                    default:
                        // The coupon's row is everybody's: who waits for it in vain asks again, as the queue does.
                        while true {
                            do throws(DatabaseFault) { return try await storage.cancelOrder(order.id)?.rawValue } catch {
                                guard error.kind == .locked else { throw error }
                            }
                        }
                    }
                }
                let state = try #require(try await one.storage.loadOrder(order.id)?.state)
                // Who cancels is told what has become of it; of the others one has done it.
                #expect(moves.prefix(4).compactMap(\.self) == (state == .cancelled ? [] : [state.rawValue]), "\(moves)")
            }
            #expect(try await one.database.psql("select count(*), max(step) from order_steps") == "12|1")
            #expect(
                try await one.database.psql(
                    "select redeemed = (select count(*) from orders where state = 'accepted') from coupon_redemptions where coupon_id = 3")
                    == "t")
        }
    }

    @Test(
        "What was worked out by other hours is not done, nor what is not over by the database's clock, nor where somebody is at the order")
    func decidedThere() async throws {
        try await OpenShop.with { open async throws in
            let order = try #require(try await open.order(by: Guest(1)).order)
            let reading = try await open.storage.loadMenuRevision()
            func settle(_ revision: Int64, _ deadline: Instant?) async throws -> Bool {
                try await open.storage.settle(order.id, menu: revision, deadline: deadline, reason: deadline.map { _ in Self.reason })
            }
            let soon = reading.clock.moment.advanced(by: .seconds(600))
            #expect(try await settle(reading.revision - 1, reading.clock.moment) == false)
            #expect(try await settle(reading.revision, soon) == false)
            let keeper = try await PostgresConnection.connect(open.database.url, logger: .silent)
            try await keeper.run(script: "begin; select from orders where number = '\(order.number)' for update")
            #expect(try await settle(reading.revision, reading.clock.moment) == false)
            #expect(try await settle(reading.revision, nil) == false)
            try await keeper.run(script: "rollback")
            await keeper.close()
            #expect(try await open.database.psql("select count(*) from order_steps") == "0")
            #expect(try await settle(reading.revision, reading.clock.moment))
            #expect(try await settle(reading.revision, reading.clock.moment) == false)
            #expect(try await settle(reading.revision, nil) == false)
            #expect(try await open.database.psql("select count(*) from order_steps") == "1")
            #expect(try await open.storage.settle(open.newID(), menu: reading.revision, deadline: nil, reason: nil) == false)
        }
    }

    @Test(
        "Closed time does not count, by the rows of now; who is taken back to waiting after the deadline is rejected; a day later nobody is"
    )
    func byTheHours() async throws {
        try await OpenShop.with { open async throws in
            let database = open.database
            let (order, old) = (
                try #require(try await open.order(by: Guest(1)).order), try #require(try await open.order(by: Guest(2)).order)
            )
            try await Self.age(order, database)
            try await Self.age(old, database, by: 1500)
            // No shift for delivery, for days before and to come.
            try await database.staff(
                """
                update shop set time_zone = 'UTC';
                insert into opening_hours (weekday, opens, closes, fulfilment) select day, '00:00', '24:00', 'pickup' from generate_series(1, 7) as day;
                """)
            // Accepted in time; then its time is over, and the tap is taken back.
            let tapped = try #require(try await open.storage.loadOrder(order.id))
            try await database.staff("select advance_order('\(tapped.number)', 'accepted')")
            try await database.staff("update shop set accept_within_minutes = 10")
            let revision = try await open.storage.loadMenuRevision().revision
            try await eventually("the server knows") { open.shop.menu.current.map { $0.menu.revision >= revision } ?? false }
            let menu = try #require(open.shop.menu.current).menu
            let waiting = WaitingOrder(id: order.id, fulfilment: .delivery, placedAt: order.placedAt.advanced(by: .seconds(-1200)))
            #expect(menu.terms.acceptBy(waiting, at: menu.moment) == nil && menu.terms.verdict(on: waiting, at: menu.moment) == .waits)
            try await database.staff("delete from opening_hours")
            // However slow this was until now.
            try await database.psql("update order_steps set at = clock_timestamp(); select take_back_step('\(tapped.number)', 'accepted')")
            // Staff have ten seconds, although the deadline is over.
            try await Task.sleep(for: .seconds(2))
            #expect(try await open.storage.loadOrder(order.id)?.state == .placed)
            try await Self.endUndo(of: order, database)
            try await Self.comes(order, to: "rejected", database)
            #expect(try await open.storage.loadOrder(old.id)?.state == .placed)
        }
    }

    @Test("The shop accepts automatically within some seconds, what is wanted in days too, once on two servers; the audit says that it did")
    func automatically() async throws {
        try await OpenShop.two { one, other in
            let database = one.database
            let old = try #require(try await one.order(by: Guest(0)).order)
            try await Self.age(old, database, by: 1500)
            let first = try #require(try await one.order(by: Guest(1)).order)
            try await database.psql(
                "update orders set wanted_at = now() + interval '2 days', eta_minutes = null, slot_items = 1 where id = '\(first.id)'")
            try await database.staff("update shop set accepts_automatically = true")
            try await Self.comes(first, to: "accepted", database)
            let second = try #require(try await other.order(by: Guest(2)).order)
            try await Self.comes(second, to: "accepted", database)
            #expect(try await database.psql("select count(*), max(step), count(reason) from order_steps") == "2|1|0")
            #expect(
                try await database.psql("select distinct who, role is null, after from audit where what = 'orders'")
                    == #"the shop itself|t|{"state": "accepted"}"#)
            #expect(try await one.storage.loadOrder(old.id)?.state == .placed)
        }
    }

    @Test("An order whose acceptance was taken back is left to staff for ten seconds, then the shop accepts it again")
    func undone() async throws {
        try await OpenShop.two { one, other in
            let database = one.database
            try await database.staff("update shop set accepts_automatically = true")
            let order = try #require(try await one.order(by: Guest(1)).order)
            try await Self.comes(order, to: "accepted", database)
            try await database.staff("select take_back_step('\(order.number)')")
            let reading = try await one.storage.loadMenuRevision()
            #expect(try await one.storage.settle(order.id, menu: reading.revision, deadline: nil, reason: nil) == false)
            // Others are accepted meanwhile.
            let second = try #require(try await other.order(by: Guest(2)).order)
            try await Self.comes(second, to: "accepted", database)
            try await Task.sleep(for: .seconds(2))
            #expect(try await one.storage.loadOrder(order.id)?.state == .placed)
            try await Self.endUndo(of: order, database)
            try await Self.comes(order, to: "accepted", database)
            let steps = "select string_agg(kind, ' ' order by step) from order_steps where order_id = '\(order.id)'"
            #expect(try await database.psql(steps) == "moved taken_back moved")
        }
    }

    @Test(
        "Thousands of abandoned orders keep the shop from accepting or rejecting no order that comes after them",
        arguments: ["accepts_automatically = true", "accept_within_minutes = 10"])
    func behindAbandoned(setting: String) async throws {
        try await OpenShop.with { open async throws in
            let database = open.database
            let count = ShopDatabase.waitingOrdersPerRead + 500
            // Nobody has accepted the orders of the day before yesterday, and nobody will.
            let longAgo = "now() - interval '2 days' + n * interval '1 millisecond'"
            try await database.insertOrders(1...count, placedAt: longAgo)
            let orders = try await together([1, 2]) { try #require(try await open.order(by: Guest($0)).order) }
            try await Self.age(orders[0], database)
            // A pre-order of tomorrow counts on neither.
            try await database.psql(
                """
                update orders set wanted_at = now() + interval '30 hours', eta_minutes = null, slot_items = 1
                where id = '\(orders[1].id)'
                """)
            try await database.staff("update shop set \(setting)")
            let isAutomatic = setting.hasPrefix("accepts")
            try await Self.comes(orders[0], to: isAutomatic ? "accepted" : "rejected", database)
            if isAutomatic { try await Self.comes(orders[1], to: "accepted", database) }
            let waiting = try await database.psql("select count(*) from orders where state = 'placed'")
            #expect(waiting == "\(isAutomatic ? count : count + 1)")
        }
    }

    @Test("The pages of waiting orders hold each order of a range, whatever the size of a page")
    func pages() async throws {
        try await OpenShop.with { open async throws in
            let database = open.database
            try await database.insertOrders(1...40, placedAt: "date_trunc('hour', now())")
            try await database.insertOrders(41...60, state: "accepted", placedAt: "date_trunc('hour', now())")
            let later = "date_trunc('hour', now()) + interval '2 hours'"
            try await database.insertOrders(61...100, placedAt: "now() - interval '3 days'", wantedAt: later)
            let known = try await database.psql("select id from orders order by random() limit 30")
            let ids = known.split(separator: "\n").compactMap { OrderID($0) }
            let now = try await open.storage.loadMenuRevision().clock.moment
            let before = now.advanced(by: .seconds(-7200))
            let range = WaitingRange(known: ids, placedAfter: before, wantedAfter: before, wantedUntil: nil)
            for perRead in [1, 7, 20, 1000] {
                var found: Set<OrderID> = []
                var position: WaitingPosition? = .known(0)
                var pages = 0
                while let from = position, pages < 1000 {
                    let page = try await open.storage.loadWaitingOrders(range, from: from, perRead: perRead)
                    found.formUnion(page.orders.map(\.id))
                    (position, pages) = (page.next, pages + 1)
                }
                #expect(found.count == 80, "\(perRead) a page")
            }
        }
    }

    @Test(
        "Past its deadline an order waits for the row that staff hold, and no other one with it: of those who want the row one has tried, and it is told once"
    )
    func held() async throws {
        let told = Mutex<[Health]>([])
        let acceptance = Mutex<[Health]>([])
        try await TestDatabase.with(.seeded) { database async throws in
            try await OpenShop.with(
                on: database, onAcceptance: { health in acceptance.withLock { $0.append(health) } },
                onLockedRows: { health in told.withLock { $0.append(health) } }
            ) { open async throws in
                try await database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
                @Sendable func order(_ item: Int64, _ guest: Int) async throws -> Order {
                    try #require(try await open.shop.checkouts.submit(open.draft(open.basket([item: 1]), by: Guest(guest))).order)
                }
                let wanting = try await together(Array(0..<20)) { try await order(4001, $0) }
                let others = try await together(Array(20..<25)) { try await order(2001, $0) }
                // They come first.
                for order in wanting { try await Self.age(order, database, by: 30) }
                // A sequence keeps what is counted in transactions that fail.
                try await database.psql(
                    """
                    create sequence tries;
                    alter function settle_waiting_order(uuid, bigint, timestamptz, text) rename to settle_one;
                    create function settle_waiting_order(the_id uuid, menu bigint, deadline timestamptz, reason text) returns boolean
                    language plpgsql security definer as $$
                    begin
                        if exists (select from stock_movements where order_id = the_id) then perform nextval('tries'); end if;
                        return settle_one(the_id, menu, deadline, reason);
                    end $$;
                    grant execute on function settle_waiting_order(uuid, bigint, timestamptz, text) to welms_server
                    """)
                let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
                try await staff.run(script: "begin; update item_stock set remaining = 7 where menu_item_id = 4001")
                try await database.staff("update shop set accept_within_minutes = 10")
                try await eventually("it is told") { told.withLock { !$0.isEmpty } }
                // Each is seen to by another look.
                for order in others {
                    try await Self.age(order, database)
                    try await Self.comes(order, to: "rejected", database)
                }
                let states = "select string_agg(distinct state, ' ') from orders where id in (select order_id from stock_movements)"
                #expect(try await database.psql(states) == "placed")
                #expect(try await database.psql("select last_value from tries where is_called") == "1")
                try await staff.run(script: "rollback")
                await staff.close()
                for order in wanting { try await Self.comes(order, to: "rejected", database) }
                try await eventually("its end is told") { told.withLock { $0.count > 1 } }
                #expect(told.withLock { $0.count == 2 && $0.last == .healthy })
                #expect(acceptance.withLock { $0.isEmpty })
                #expect(try await database.psql("select remaining, sold from item_stock") == "500|0")
            }
        }
    }
}
