// Orders that staff do not accept in time, and orders that the shop accepts automatically. Each order ends in one
// state, however many servers, staff members and guests change it concurrently. Covers Sources/Shop/Acceptance and
// sql/021_deadlines.sql. The tests make orders older in SQL instead of waiting.
import Database
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite("The acceptance deadline", .timeLimit(.minutes(5)))
struct AcceptanceTimerTests {
    private static let reason = "We could not accept your order in time."

    private static func age(_ order: Order, _ database: TestDatabase, by minutes: Int = 20) async throws {
        try await database.psql(
            "update orders set placed_at = placed_at - interval '\(minutes) minutes' where id = '\(order.id)'")
    }

    /// Ends the ten seconds that the shop waits after staff took back a step of the order.
    private static func endUndo(of order: Order, _ database: TestDatabase) async throws {
        try await database.psql(
            """
            update order_steps set at = at - interval '10 seconds'
            where order_id = '\(order.id)' and kind = 'taken_back'
            """)
    }

    private static func waitUntil(_ order: Order, is state: String, _ database: TestDatabase) async throws {
        try await eventually("order \(order.number) is \(state)") {
            try await database.psql("select state from orders where id = '\(order.id)'") == state
        }
    }

    @Test("Two servers reject an overdue order once, return all that it took, and notify the guest and staff once")
    func rejectedOnce() async throws {
        try await MailServer.with { server in
            try await TestDatabase.with(.seeded) { database async throws in
                let mail = try #require(MailConfiguration.withoutDelays(port: server.port))
                try await ShopFixture.with(on: database, mail: mail) { serverA async throws in
                    try await ShopFixture.with(on: database, mail: mail) { serverB async throws in
                        try await eventually("the mailer has started") {
                            try await database.psql("select count(*) from mailing") == "1"
                        }
                        try await database.psqlAsStaff(
                            "insert into item_stock (menu_item_id, remaining) values (2001, 10)")
                        let recent = try #require(try await serverA.placeOrder(by: Guest(1), coupon: "FRST").order)
                        let order = try #require(try await serverA.placeOrder(by: Guest(2), coupon: "FRST").order)
                        // The mailer searches only for new steps, so the first mails are sent before the order gets
                        // older.
                        _ = try await server.mails(atLeast: 2)
                        try await Self.age(order, database)
                        // The order also takes capacity of a slot, as if its wanted time were over.
                        try await database.psql(
                            """
                            update orders
                            set wanted_at = date_trunc('hour', now()), eta_minutes = null, slot_items = 1
                            where id = '\(order.id)';
                            insert into slot_uses values ('delivery', date_trunc('hour', now()), 3, 5);
                            """)
                        guard
                            case .events(let events) = try await serverB.shop.orderPublisher.subscribe(
                                to: order.id, after: 0)
                        else {
                            return #expect(Bool(false))
                        }
                        try await database.psqlAsStaff("update shop set accept_within_minutes = 10")
                        var received: [OrderState] = []
                        for await event in events { received.append(event.step.state) }
                        #expect(received == [.placed, .rejected])
                        let mails = try await server.mails(atLeast: 3)
                        #expect(mails.map(\.state).sorted() == ["placed", "placed", "rejected"])
                        #expect(mails.first { $0.state == "rejected" }?.plain?.contains(Self.reason) == true)
                        #expect(
                            try await database.psql("select state, reason from order_steps")
                                == "rejected|\(Self.reason)")
                        #expect(
                            try await database.psql(
                                "select who, role is null, before, after, why from audit where what = 'orders'")
                                == #"the shop itself|t|{"state": "placed"}|{"state": "rejected"}|\#(Self.reason)"#)
                        #expect(
                            try await database.psql(
                                """
                                select (select redeemed from coupon_redemptions where coupon_id = 1),
                                    (select count(*) from coupon_uses where order_id = '\(order.id)'),
                                    (select remaining from item_stock),
                                    (select sum(change) from stock_movements where order_id = '\(order.id)'),
                                    (select order_count || ' ' || item_count from slot_uses),
                                    (select count(*) from order_mails where state = 'rejected')
                                """) == "1|0|9|0|2 4|1")
                        #expect(try await serverA.storage.loadOrder(recent.id)?.state == .placed)
                        #expect(try await serverA.storage.loadOrder(order.id)?.rejectionReason == Self.reason)
                    }
                }
            }
        }
    }

    @Test("An acceptance, a cancellation and the deadline at once end in one state, and the coupon counts are exact")
    func race() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let orders = try await runConcurrently(Array(0..<12)) {
                try #require(try await serverA.placeOrder(by: Guest($0), coupon: "FOLLOW").order)
            }
            let reading = try await serverA.storage.loadMenuRevision()
            for order in orders {
                let moves = try await runConcurrently(Array(0..<6)) { way -> String? in
                    let storage = way % 2 == 0 ? serverA.storage : serverB.storage
                    switch way / 2 {
                    case 0:
                        let isDone = try await storage.acceptOrReject(
                            order.id, menu: reading.revision, deadline: reading.clock.databaseTime, reason: Self.reason)
                        return isDone ? "rejected" : nil
                    case 1:
                        let result = try await storage.takeStep(
                            .advance(to: .accepted), number: order.number, by: .settingsToken)
                        return if case .moved = result { "accepted" } else { nil }
                    default:
                        // All orders share the coupon's row. A cancellation whose lock times out is retried, as in the
                        // queue.
                        while true {
                            do throws(DatabaseFault) { return try await storage.cancelOrder(order.id)?.rawValue } catch
                            {
                                guard error.kind == .locked else { throw error }
                            }
                        }
                    }
                }
                let state = try #require(try await serverA.storage.loadOrder(order.id)?.state)
                // A cancellation returns the final state. Of the other calls, exactly one has succeeded.
                #expect(moves.prefix(4).compactMap(\.self) == (state == .cancelled ? [] : [state.rawValue]), "\(moves)")
            }
            #expect(try await serverA.database.psql("select count(*), max(step) from order_steps") == "12|1")
            #expect(
                try await serverA.database.psql(
                    """
                    select redeemed = (select count(*) from orders where state = 'accepted')
                    from coupon_redemptions where coupon_id = 3
                    """)
                    == "t")
        }
    }

    @Test("The database settles no order with an outdated menu revision, before its deadline, or while it is locked")
    func checkedInDatabase() async throws {
        try await ShopFixture.with { open async throws in
            let order = try #require(try await open.placeOrder(by: Guest(1)).order)
            let reading = try await open.storage.loadMenuRevision()
            func settle(_ revision: Int64, _ deadline: Instant?) async throws -> Bool {
                try await open.storage.acceptOrReject(
                    order.id, menu: revision, deadline: deadline, reason: deadline.map { _ in Self.reason })
            }
            let soon = reading.clock.databaseTime.advanced(by: .seconds(600))
            #expect(try await settle(reading.revision - 1, reading.clock.databaseTime) == false)
            #expect(try await settle(reading.revision, soon) == false)
            let holder = try await PostgresConnection.connect(open.database.url, logger: .silent)
            try await holder.run(script: "begin; select from orders where number = '\(order.number)' for update")
            #expect(try await settle(reading.revision, reading.clock.databaseTime) == false)
            #expect(try await settle(reading.revision, nil) == false)
            try await holder.run(script: "rollback")
            await holder.close()
            #expect(try await open.database.psql("select count(*) from order_steps") == "0")
            #expect(try await settle(reading.revision, reading.clock.databaseTime))
            #expect(try await settle(reading.revision, reading.clock.databaseTime) == false)
            #expect(try await settle(reading.revision, nil) == false)
            #expect(try await open.database.psql("select count(*) from order_steps") == "1")
            #expect(
                try await open.storage.acceptOrReject(
                    open.makeBasketID(), menu: reading.revision, deadline: nil, reason: nil) == false)
        }
    }

    @Test("Closed hours do not count, an overdue order is rejected once it is taken back, and old orders stay placed")
    func openingHours() async throws {
        try await ShopFixture.with { open async throws in
            let database = open.database
            let (order, old) = (
                try #require(try await open.placeOrder(by: Guest(1)).order),
                try #require(try await open.placeOrder(by: Guest(2)).order)
            )
            try await Self.age(order, database)
            try await Self.age(old, database, by: 1500)
            // No delivery shift exists, on any day.
            try await database.psqlAsStaff(
                """
                update shop set time_zone = 'UTC';
                insert into opening_hours (weekday, opens, closes, fulfilment)
                    select day, '00:00', '24:00', 'pickup' from generate_series(1, 7) as day;
                """)
            // The order is accepted in time. After its deadline, the acceptance is taken back.
            let acceptedOrder = try #require(try await open.storage.loadOrder(order.id))
            try await database.psqlAsStaff("select advance_order('\(acceptedOrder.number)', 'accepted')")
            try await database.psqlAsStaff("update shop set accept_within_minutes = 10")
            let revision = try await open.storage.loadMenuRevision().revision
            try await eventually("the server has loaded the menu") {
                open.shop.menu.current.map { $0.menu.revision >= revision } ?? false
            }
            let menu = try #require(open.shop.menu.current).menu
            let waiting = UnacceptedOrder(
                id: order.id, fulfilment: .delivery, placedAt: order.placedAt.advanced(by: .seconds(-1200)))
            #expect(
                menu.terms.acceptanceDeadline(of: waiting, at: menu.moment) == nil
                    && menu.terms.acceptanceDecision(for: waiting, at: menu.moment) == .leaveToStaff)
            try await database.psqlAsStaff("delete from opening_hours")
            // Sets the time of the acceptance to now, because the test may have been slow.
            try await database.psql(
                """
                update order_steps set at = clock_timestamp();
                select take_back_step('\(acceptedOrder.number)', 'accepted')
                """)
            // Staff have ten seconds, although the deadline has passed.
            try await Task.sleep(for: .seconds(2))
            #expect(try await open.storage.loadOrder(order.id)?.state == .placed)
            try await Self.endUndo(of: order, database)
            try await Self.waitUntil(order, is: "rejected", database)
            #expect(try await open.storage.loadOrder(old.id)?.state == .placed)
        }
    }

    @Test("Two servers accept orders automatically within seconds, pre-orders too, and the audit names the shop")
    func automatically() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let database = serverA.database
            let old = try #require(try await serverA.placeOrder(by: Guest(0)).order)
            try await Self.age(old, database, by: 1500)
            let first = try #require(try await serverA.placeOrder(by: Guest(1)).order)
            try await database.psql(
                """
                update orders set wanted_at = now() + interval '2 days', eta_minutes = null, slot_items = 1
                where id = '\(first.id)'
                """)
            try await database.psqlAsStaff("update shop set accepts_automatically = true")
            try await Self.waitUntil(first, is: "accepted", database)
            let second = try #require(try await serverB.placeOrder(by: Guest(2)).order)
            try await Self.waitUntil(second, is: "accepted", database)
            #expect(try await database.psql("select count(*), max(step), count(reason) from order_steps") == "2|1|0")
            #expect(
                try await database.psql("select distinct who, role is null, after from audit where what = 'orders'")
                    == #"the shop itself|t|{"state": "accepted"}"#)
            #expect(try await serverA.storage.loadOrder(old.id)?.state == .placed)
        }
    }

    @Test("An order whose acceptance was taken back waits ten seconds for staff, then the shop accepts it again")
    func takenBack() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let database = serverA.database
            try await database.psqlAsStaff("update shop set accepts_automatically = true")
            let order = try #require(try await serverA.placeOrder(by: Guest(1)).order)
            try await Self.waitUntil(order, is: "accepted", database)
            try await database.psqlAsStaff("select take_back_step('\(order.number)')")
            let reading = try await serverA.storage.loadMenuRevision()
            #expect(
                try await serverA.storage.acceptOrReject(order.id, menu: reading.revision, deadline: nil, reason: nil)
                    == false)
            // Other orders are accepted meanwhile.
            let second = try #require(try await serverB.placeOrder(by: Guest(2)).order)
            try await Self.waitUntil(second, is: "accepted", database)
            try await Task.sleep(for: .seconds(2))
            #expect(try await serverA.storage.loadOrder(order.id)?.state == .placed)
            try await Self.endUndo(of: order, database)
            try await Self.waitUntil(order, is: "accepted", database)
            let steps = "select string_agg(kind, ' ' order by step) from order_steps where order_id = '\(order.id)'"
            #expect(try await database.psql(steps) == "moved taken_back moved")
        }
    }

    @Test(
        "Thousands of abandoned orders do not keep the shop from accepting or rejecting later orders",
        arguments: ["accepts_automatically = true", "accept_within_minutes = 10"])
    func behindAbandoned(setting: String) async throws {
        try await ShopFixture.with { open async throws in
            let database = open.database
            let count = 2 * ShopDatabase.waitingOrdersPerPage + 500
            // Orders of the day before yesterday are abandoned: the shop neither accepts nor rejects them.
            let longAgo = "now() - interval '2 days' + n * interval '1 millisecond'"
            try await database.insertOrders(1...count, placedAt: longAgo)
            let orders = try await runConcurrently([1, 2]) {
                try #require(try await open.placeOrder(by: Guest($0)).order)
            }
            try await Self.age(orders[0], database)
            // A pre-order for tomorrow is accepted automatically, but has not reached its deadline.
            try await database.psql(
                """
                update orders set wanted_at = now() + interval '30 hours', eta_minutes = null, slot_items = 1
                where id = '\(orders[1].id)'
                """)
            try await database.psqlAsStaff("update shop set \(setting)")
            let isAutomatic = setting.hasPrefix("accepts")
            try await Self.waitUntil(orders[0], is: isAutomatic ? "accepted" : "rejected", database)
            if isAutomatic { try await Self.waitUntil(orders[1], is: "accepted", database) }
            let waiting = try await database.psql("select count(*) from orders where state = 'placed'")
            #expect(waiting == "\(isAutomatic ? count : count + 1)")
        }
    }

    @Test("A poll reads the orders of a day and at most five older pages, and finds an old order again within a minute")
    func readsBacklogInPages() async throws {
        try await ShopFixture.with { open async throws in
            let database = open.database
            // Six and a half pages of abandoned orders, then a pre-order of the same day.
            let count = 6 * ShopDatabase.waitingOrdersPerPage + 500
            let longAgo = "now() - interval '2 days' + n * interval '1 millisecond'"
            let later = "date_trunc('hour', now()) + interval '2 hours'"
            try await database.insertOrders(1...count, placedAt: longAgo)
            try await database.insertOrders(10_001...10_001, placedAt: longAgo, wantedAt: later)
            try await database.insertOrders(10_002...10_002)
            func accepted() async throws -> String {
                try await database.psql(
                    "select string_agg(number, ' ' order by number) from orders where state = 'accepted'")
            }
            let reads = Mutex(0)
            var configuration = DatabaseConfiguration(url: database.serverURL)
            (configuration.connections, configuration.connectionTimeout) = (1, .seconds(60))
            let storage = try ShopDatabase(
                configuration, logger: .silent,
                onAnswer: { name, _ in if name == "load_waiting_orders" { reads.withLock { $0 += 1 } } })
            let service = Task { try await storage.run() }
            defer { service.cancel() }
            // The shop leaves acceptance to staff, so only this timer reads orders.
            let timer = AcceptanceTimer(
                database: storage, menu: open.shop.menu, locked: open.shop.locked, logger: .silent,
                onHealthChange: { _ in })
            let reading = try await open.storage.loadMenuRevision()
            let menu = Menu(
                revision: reading.revision, currency: try #require(Currency("USD")), defaultCountry: "US",
                timeZone: "UTC", terms: ShopTerms(acceptance: .automatically), categories: [], items: [], sales: [],
                coupons: [], at: reading.clock.databaseTime)
            /// Returns how many pages a poll read.
            func poll(after seconds: Int64) async throws -> Int {
                let before = reads.withLock { $0 }
                let failure = try await timer.settleAll(by: menu, at: menu.moment.advanced(by: .seconds(seconds)))
                #expect(failure == nil)
                return reads.withLock { $0 } - before
            }
            #expect(try await poll(after: 0) == 6)
            #expect(try await accepted() == "00010002")
            #expect(try await poll(after: 1) == 3)
            #expect(try await accepted() == "00010001 00010002")
            // The order is as old as one that staff returned to `placed`.
            try await database.insertOrders(10_003...10_003, placedAt: "now() - interval '3 days'", wantedAt: later)
            for seconds: Int64 in [2, 3, 59] { #expect(try await poll(after: seconds) == 1) }
            #expect(try await accepted() == "00010001 00010002")
            #expect(try await poll(after: 60) == 6)
            #expect(try await accepted() == "00010001 00010002 00010003")
        }
    }

    @Test("A pass reads an order that is a microsecond younger than the maximum age, and none of that age or older")
    func maximumAge() async throws {
        try await ShopFixture.with { open async throws in
            let seconds = try #require(
                Int64(try await open.database.psql("select extract(epoch from date_trunc('second', now()))::bigint")))
            let placed = "to_timestamp(\(seconds)) - interval '1632 hours' + (n - 2) * interval '1 microsecond'"
            try await open.database.insertOrders(1...3, placedAt: placed)
            let backlog = AcceptanceBacklog(at: Instant(microseconds: seconds * 1_000_000))
            let begin = try #require(backlog.pass).begin
            let page = try await open.storage.loadWaitingOrders(placedAfter: begin)
            #expect(page.map(\.placedAt) == [begin.advanced(by: .microseconds(1))])
        }
    }

    @Test("The pages of waiting orders contain each of them once and in order, whatever the page size")
    func pages() async throws {
        try await ShopFixture.with { open async throws in
            let database = open.database
            try await database.insertOrders(1...40, placedAt: "date_trunc('hour', now())")
            try await database.insertOrders(41...60, state: "accepted", placedAt: "date_trunc('hour', now())")
            let later = "date_trunc('hour', now()) + interval '2 hours'"
            try await database.insertOrders(61...100, placedAt: "now() - interval '3 days'", wantedAt: later)
            try await database.insertOrders(101...110, placedAt: "now() - interval '5 days'")
            let waiting = try await database.psql(
                """
                select id from orders where state = 'placed' and placed_at > now() - interval '4 days'
                order by placed_at, id
                """)
            let now = try await open.storage.loadMenuRevision().clock.databaseTime
            let begin = now.advanced(by: .seconds(-4 * 86_400))
            for limit in [1, 7, 20, 1000] {
                var found: [OrderID] = []
                var last: UnacceptedOrder?
                repeat {
                    let page = try await open.storage.loadWaitingOrders(placedAfter: begin, after: last, limit: limit)
                    found += page.map(\.id)
                    last = page.count == limit ? page.last : nil
                } while last != nil && found.count <= 80
                #expect(found.map(\.description).joined(separator: "\n") == waiting, "\(limit) on a page")
            }
        }
    }

    @Test("After the connection of the timer is lost, an overdue order is rejected over a new one")
    func lostConnection() async throws {
        try await ShopFixture.with { open async throws in
            let database = open.database
            try await database.psqlAsStaff("update shop set accept_within_minutes = 10")
            let orders = try await runConcurrently([1, 2]) {
                try #require(try await open.placeOrder(by: Guest($0)).order)
            }
            try await Self.age(orders[0], database)
            try await Self.waitUntil(orders[0], is: "rejected", database)
            let terminated = try await database.psql(
                """
                select count(pg_terminate_backend(pid)) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()
                    and (query like '%settle_waiting_order%' or query like '%state = ''placed'' and (placed_at, id) >%')
                """)
            #expect(terminated == "1")
            try await Self.age(orders[1], database)
            try await Self.waitUntil(orders[1], is: "rejected", database)
        }
    }

    @Test("Overdue orders that need a locked row delay no other order, and only one of them is tried and reported")
    func lockedRow() async throws {
        let lockReports = Mutex<[ComponentHealth]>([])
        let acceptanceReports = Mutex<[ComponentHealth]>([])
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(
                on: database, onAcceptance: { health in acceptanceReports.withLock { $0.append(health) } },
                onLockedRows: { health in lockReports.withLock { $0.append(health) } }
            ) { open async throws in
                try await database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
                @Sendable func order(_ item: Int64, _ guest: Int) async throws -> Order {
                    try #require(
                        try await open.shop.checkouts.submit(
                            open.makeDraft(open.makeBasket([item: 1]), by: Guest(guest))
                        ).order)
                }
                let wanting = try await runConcurrently(Array(0..<20)) { try await order(4001, $0) }
                let others = try await runConcurrently(Array(20..<25)) { try await order(2001, $0) }
                // These orders are due first.
                for order in wanting { try await Self.age(order, database, by: 30) }
                // A sequence keeps its value when a transaction rolls back.
                try await database.psql(
                    """
                    create sequence tries;
                    alter function settle_waiting_order(uuid, bigint, timestamptz, text) rename to settle_one;
                    create function settle_waiting_order(the_id uuid, menu bigint, deadline timestamptz, reason text)
                    returns boolean
                    language plpgsql security definer as $$
                    begin
                        if exists (select from stock_movements where order_id = the_id) then
                            perform nextval('tries');
                        end if;
                        return settle_one(the_id, menu, deadline, reason);
                    end $$;
                    grant execute on function settle_waiting_order(uuid, bigint, timestamptz, text) to welms_server
                    """)
                let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
                try await staff.run(script: "begin; update item_stock set remaining = 7 where menu_item_id = 4001")
                try await database.psqlAsStaff("update shop set accept_within_minutes = 10")
                try await eventually("the lock is reported") { lockReports.withLock { !$0.isEmpty } }
                // Each order is rejected in a poll of its own.
                for order in others {
                    try await Self.age(order, database)
                    try await Self.waitUntil(order, is: "rejected", database)
                }
                let states = """
                    select string_agg(distinct state, ' ') from orders
                    where id in (select order_id from stock_movements)
                    """
                #expect(try await database.psql(states) == "placed")
                #expect(try await database.psql("select last_value from tries where is_called") == "1")
                try await staff.run(script: "rollback")
                await staff.close()
                for order in wanting { try await Self.waitUntil(order, is: "rejected", database) }
                try await eventually("the release is reported") { lockReports.withLock { $0.count > 1 } }
                #expect(lockReports.withLock { $0.count == 2 && $0.last == .healthy })
                #expect(acceptanceReports.withLock { $0.isEmpty })
                #expect(try await database.psql("select remaining, sold from item_stock") == "500|0")
            }
        }
    }
}
