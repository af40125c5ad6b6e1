// Subscribers of one order (followers) and of the order board (watchers): limits, late orders, missed notifications.
// Covers OrderPublisher and OrderBoard.
import Ordering
import Support
import Testing

@testable import Database
@testable import Shop

@Suite(.timeLimit(.minutes(10))) struct OrderBoardTests {
    /// Returns SQL that inserts orders: the first has this age, and each next one is older by the spacing. The SQL
    /// returns the id and number of each order.
    private static func insertOrdersSQL(_ count: Int, age: String = "0 s", spacing: String = "0 s") -> String {
        """
        insert into orders (id, number, idempotency_key, fingerprint, name, phone, email, address,
                            lines, subtotal, discount, total, currency, eta_minutes, placed_at, day_number)
        select gen_random_uuid(), lpad(nextval('order_sequence')::text, 8, '0'), 'key', '', 'Ann',
               '+1' || (3000000000 + n), 'filler.' || n || '@example.com', 'Somewhere',
               array[row(1, 2001, null, 805, 805, 0, null, 1, 'regular', 'The Big Tasty', null, null)::order_line],
               805, 0, 805, 'USD', 15,
               now() - interval '\(age)' - interval '\(spacing)' * n, n
        from generate_series(1, \(count)) as n returning id, number
        """
    }

    /// Reads until two steps arrived. The first one shows that the server listens, and the second one that the server
    /// has published what it may have missed before.
    static func waitUntilListening(_ iterator: inout BoardEventStream.Iterator, _ open: ShopFixture) async throws {
        var stepCount = 0
        while stepCount < 2 {
            let number = try await open.database.psql(insertOrdersSQL(1)).split(separator: "\n")[0].suffix(8)
            try await open.database.psql("select advance_order('\(number)', 'accepted')")
            reading: while let news = await iterator.next() {
                switch news {
                case .moved(let event) where event.orderNumber == number:
                    stepCount += 1
                    break reading
                case .listChanged where stepCount == 0: break reading
                case .listChanged, .moved, .placed: break
                }
            }
        }
    }

    /// Returns the id of the next placed order. Skips list changes, which the server also sends when it begins to
    /// listen.
    private static func nextPlacedOrder(_ iterator: inout BoardEventStream.Iterator) async -> String? {
        while let news = await iterator.next() {
            if case .placed(let event) = news { return event.orderID.description }
        }
        return nil
    }

    @Test("A follower beyond the limit is rejected until another follower leaves")
    func followerLimit() async throws {
        try await ShopFixture.with { open async throws in
            let order = try #require(try await open.placeOrder(by: Guest(1)).order)
            let watch = OrderPublisher(database: open.storage, logger: .silent, subscriberLimit: 2)
            let first = try await watch.subscribe(to: order.id, after: 0)
            let second = try await watch.subscribe(to: order.id, after: 0)
            guard case .events(let events) = first, case .events = second else {
                return #expect(Bool(false), "\(first) \(second)")
            }
            guard case .limitReached = try await watch.subscribe(to: order.id, after: 0) else {
                return #expect(Bool(false), "a third follower is accepted")
            }
            events.cancel()
            guard case .events = try await watch.subscribe(to: order.id, after: 0) else {
                return #expect(Bool(false), "the capacity was not released")
            }
            guard case .orderNotFound = try await watch.subscribe(to: open.makeBasketID(), after: 0) else {
                return #expect(Bool(false))
            }
        }
    }

    @Test("A follower that does not read uses the memory of one history, and receives every step when it reads")
    func slowFollower() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let order = try #require(try await serverA.placeOrder(by: Guest(1)).order)
            guard case .events(let events) = try await serverB.shop.orderPublisher.subscribe(to: order.id, after: 1)
            else { return #expect(Bool(false)) }
            for state in ["accepted", "preparing", "on_the_way", "delivered"] {
                try await serverA.database.psql("select advance_order('\(order.number)', '\(state)')")
            }
            var received: [OrderState] = []
            for await event in events { received.append(event.step.state) }
            #expect(received == [.accepted, .preparing, .onTheWay, .delivered])
        }
    }

    @Test("An order that becomes visible later than newer orders is still published, exactly once")
    func lateOrder() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psql(Self.insertOrdersSQL(3, age: "1 hour"))
            let news = try #require(open.shop.board.watch())
            var iterator = news.makeAsyncIterator()
            #expect(await iterator.next() == .listChanged)
            for age in ["0 s", "5 s", "2 s", "0 s"] {
                let id = try await open.database.psql(Self.insertOrdersSQL(1, age: age)).prefix(36)
                #expect(await Self.nextPlacedOrder(&iterator) == String(id), "placed \(age) ago")
            }
        }
    }

    @Test("An order with a placement time in the future hides no later order")
    func orderFromTheFuture() async throws {
        try await ShopFixture.with { open async throws in
            let news = try #require(open.shop.board.watch())
            var iterator = news.makeAsyncIterator()
            #expect(await iterator.next() == .listChanged)
            for age in ["-1 hour", "0 s", "20 s"] {
                let id = try await open.database.psql(Self.insertOrdersSQL(1, age: age)).prefix(36)
                #expect(await Self.nextPlacedOrder(&iterator) == String(id), "placed \(age) ago")
            }
        }
    }

    @Test("A watcher whose buffer overflows receives a list change and then the newest orders")
    func slowWatcher() async throws {
        try await ShopFixture.with { open async throws in
            let board = open.shop.board
            let slow = try #require(board.watch())
            var iterator = slow.makeAsyncIterator()
            #expect(await iterator.next() == .listChanged)
            try await Self.waitUntilListening(&iterator, open)

            let quick = try #require(board.watch())
            var other = quick.makeAsyncIterator()
            #expect(await other.next() == .listChanged)
            try await open.database.psql(Self.insertOrdersSQL(OrderBoard.bufferSize + 50))
            // All orders are published under one lock, which watcherCount also takes. So afterwards, the buffers of
            // both watchers have overflowed.
            #expect(await other.next() != nil)
            #expect(board.watcherCount == 2)
            #expect(await iterator.next() == .listChanged)
            for _ in 0..<OrderBoard.bufferSize {
                guard case .placed? = await iterator.next() else {
                    return #expect(Bool(false), "the stream returned fewer orders than the buffer's capacity")
                }
            }
            slow.cancel()
            #expect(await iterator.next() == nil)
            #expect(board.watcherCount == 1)
            quick.cancel()
            #expect(board.watcherCount == 0)
        }
    }

    @Test("A notification with an invalid payload or an unknown channel is ignored")
    func invalidNotification() async throws {
        for payload in [
            "", " ", "x 1", "01890000-0000-7000-8000-000000000000", "01890000-0000-7000-8000-000000000000 -1",
            "01890000-0000-7000-8000-000000000000 99999999999",
            "01890000-0000-7000-8000-000000000000 1 2",
        ] {
            #expect(DatabaseNotification(channel: "order_moved", payload: payload) == nil, "\(payload)")
        }
        let id = "01890000-0000-7000-8000-000000000000"
        #expect(
            DatabaseNotification(channel: "order_moved", payload: "\(id) 1")
                == .orderMoved(try #require(OrderID(id)), step: 2))
        // Step 0: the order got its order number before any other step.
        let numbered = DatabaseNotification(channel: "order_moved", payload: "\(id) 0")
        #expect(numbered == .orderMoved(try #require(OrderID(id)), step: 1))
        #expect(DatabaseNotification(channel: "menu_changed", payload: "") == .menuChanged)
        #expect(DatabaseNotification(channel: "another", payload: "\(id) 1") == nil)
    }

    @Test("On a full table, the queries of staff use only indexes and read a limited number of rows")
    func plans() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(on: database) { open async throws in
                for _ in 0..<6 { try await Self.runStaffQueries(open) }
                try await database.psql(Self.insertOrdersSQL(30_000, spacing: "1 hour") + "; analyze orders")
                for _ in 0..<3 { try await Self.runStaffQueries(open) }
            }
            let scans = try await database.psql(
                "select relname from pg_stat_user_tables where relname in ('orders', 'order_steps') and seq_scan > 0")
            #expect(scans == "")
            // Each of three rounds reads 10,000 orders twice, 1,000 orders and those of some days. A query that reads
            // all 30,000 orders adds 90,000. A slow run polls the open orders more often, which adds a hundred reads a
            // second.
            let read = try await database.psql(
                """
                select indexrelname, idx_tup_read from pg_stat_user_indexes
                where relname in ('orders', 'order_steps') and idx_tup_read > 150000
                """)
            #expect(read == "")
        }
    }

    private static func runStaffQueries(_ open: ShopFixture) async throws {
        let staff = open.shop.staff
        let (orders, next) = try await staff.orders(in: OrderState.allCases, limit: 20, after: nil)
        _ = try await staff.orders(in: OrderState.allCases, limit: 20, after: next)
        let board = try await staff.orders(in: OrderState.open, limit: 20, after: nil)
        #expect(board.orders == orders)
        let rare = try await staff.orders(in: [.rejected], limit: 20, after: nil)
        #expect(rare.orders.isEmpty && (rare.next == nil) == orders.isEmpty)
        _ = try await staff.today()
        _ = try await open.storage.loadNewestOrders(after: nil, lateness: .seconds(10), limit: OrderBoard.eventLimit)
        _ = try await open.storage.loadHistories(orders.map(\.id))
        let now = try await open.storage.loadMenuRevision().clock.databaseTime
        _ = try await open.storage.loadWaitingOrders(placedAfter: now.advanced(by: .zero - UnacceptedOrder.maximumAge))
        _ = try await open.storage.loadUnnumberedOrders(after: nil, limit: 100)
        _ = try await open.storage.countOpenOrders()
        if let order = orders.first { #expect(try await staff.order(number: order.number) == order) }
    }
}
