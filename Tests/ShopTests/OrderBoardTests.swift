// What followers of one order and watchers of all of them can count on: limits, late orders, and word of what was missed.
// Tests Sources/Shop/Orders/OrderWatch.swift and Sources/Shop/Staff/OrderBoard.swift.
import Ordering
import Support
import Testing

@testable import Database
@testable import Shop

@Suite(.timeLimit(.minutes(10))) struct OrderBoardTests {
    /// So many orders, the newest placed this long ago, each so much before the next; answers the id and number of each.
    private static func place(_ count: Int, ago: String = "0 s", apart: String = "0 s") -> String {
        """
        insert into orders (id, number, idempotency_key, fingerprint, name, phone, email, address, line_ids, line_notes, line_items, line_kinds, line_titles, line_quantities, line_regular_prices, line_prices, line_discounts, line_sales, line_sale_titles,
                            total_kinds, total_codes, total_titles, total_amounts, total_are_included, total_rates,
                            subtotal, discount, total, currency, eta_minutes, placed_at, day_number)
        select gen_random_uuid(), lpad(nextval('order_sequence')::text, 8, '0'), 'key', '', 'Ann', '+1' || (3000000000 + n), 'filler.' || n || '@example.com', 'Somewhere',
               array[1], array[null], array[2001], array['regular'], array['The Big Tasty'], array[1], array[805], array[805], array[0], array[0], array[null],
               '{}', '{}', '{}', '{}', '{}', '{}', 805, 0, 805, 'USD', 15,
               now() - interval '\(ago)' - interval '\(apart)' * n, n
        from generate_series(1, \(count)) as n returning id, number
        """
    }

    /// Reads on until two steps were heard: at the first one the server listens, at the second it has told what it may have missed before.
    static func hear(_ iterator: inout BoardNews.Iterator, _ open: OpenShop) async throws {
        var heard = 0
        while heard < 2 {
            let number = try await open.database.psql(place(1)).split(separator: "\n")[0].suffix(8)
            try await open.database.psql("select advance_order('\(number)', 'accepted')")
            reading: while let news = await iterator.next() {
                switch news {
                case .moved(let event) where event.orderNumber == number:
                    heard += 1
                    break reading
                case .listChanged where heard == 0: break reading
                case .listChanged, .moved, .placed: break
                }
            }
        }
    }

    /// The id of the next order that is told. The server may have begun to listen only now, and the list be read anew.
    private static func placed(_ iterator: inout BoardNews.Iterator) async -> String? {
        while let news = await iterator.next() {
            if case .placed(let event) = news { return event.orderID.description }
        }
        return nil
    }

    @Test("only so many follow orders at one time, and who leaves makes room")
    func followerLimit() async throws {
        try await OpenShop.with { open async throws in
            let order = try #require(try await open.order(by: Guest(1)).order)
            let watch = OrderWatch(database: open.storage, logger: .silent, followerLimit: 2)
            let first = try await watch.follow(order.id, after: 0)
            let second = try await watch.follow(order.id, after: 0)
            guard case .events(let events) = first, case .events = second else { return #expect(Bool(false), "\(first) \(second)") }
            guard case .tooMany = try await watch.follow(order.id, after: 0) else { return #expect(Bool(false), "a third follows") }
            events.cancel()
            guard case .events = try await watch.follow(order.id, after: 0) else { return #expect(Bool(false), "no room was made") }
            guard case .unknown = try await watch.follow(open.newID(), after: 0) else { return #expect(Bool(false)) }
        }
    }

    @Test("a follower that does not read holds one history, and is told every step when it reads")
    func slowFollower() async throws {
        try await OpenShop.two { one, other in
            let order = try #require(try await one.order(by: Guest(1)).order)
            guard case .events(let events) = try await other.shop.orderWatch.follow(order.id, after: 1) else { return #expect(Bool(false)) }
            for state in ["accepted", "preparing", "on_the_way", "delivered"] {
                try await one.database.psql("select advance_order('\(order.number)', '\(state)')")
            }
            var told: [OrderState] = []
            for await event in events { told.append(event.step.state) }
            #expect(told == [.accepted, .preparing, .onTheWay, .delivered])
        }
    }

    @Test("an order that becomes visible later than newer ones is told all the same, once")
    func lateOrder() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.psql(Self.place(3, ago: "1 hour"))
            let news = try #require(open.shop.board.watch())
            var iterator = news.makeAsyncIterator()
            #expect(await iterator.next() == .listChanged)
            for ago in ["0 s", "5 s", "2 s", "0 s"] {
                let id = try await open.database.psql(Self.place(1, ago: ago)).prefix(36)
                #expect(await Self.placed(&iterator) == String(id), "placed \(ago) ago")
            }
        }
    }

    @Test("an order from a clock that was ahead hides none that comes after it")
    func orderFromTheFuture() async throws {
        try await OpenShop.with { open async throws in
            let news = try #require(open.shop.board.watch())
            var iterator = news.makeAsyncIterator()
            #expect(await iterator.next() == .listChanged)
            for ago in ["-1 hour", "0 s", "20 s"] {
                let id = try await open.database.psql(Self.place(1, ago: ago)).prefix(36)
                #expect(await Self.placed(&iterator) == String(id), "placed \(ago) ago")
            }
        }
    }

    @Test("a watcher that can't be told everything is told to read the list again, and then the newest")
    func slowWatcher() async throws {
        try await OpenShop.with { open async throws in
            let board = open.shop.board
            let slow = try #require(board.watch())
            var iterator = slow.makeAsyncIterator()
            #expect(await iterator.next() == .listChanged)
            try await Self.hear(&iterator, open)

            let quick = try #require(board.watch())
            var other = quick.makeAsyncIterator()
            #expect(await other.next() == .listChanged)
            try await open.database.psql(Self.place(OrderBoard.buffer + 50))
            // All are told in one go, under the lock that this takes. Who had not read on by then is a slow one too.
            #expect(await other.next() != nil)
            #expect(board.watcherCount == 2)
            #expect(await iterator.next() == .listChanged)
            for _ in 0..<OrderBoard.buffer {
                guard case .placed? = await iterator.next() else { return #expect(Bool(false), "fewer than the buffer holds") }
            }
            slow.cancel()
            #expect(await iterator.next() == nil)
            #expect(board.watcherCount == 1)
            quick.cancel()
            #expect(board.watcherCount == 0)
        }
    }

    @Test("a notification that is none of ours is passed over")
    func foreignNotification() async throws {
        for payload in [
            "", " ", "x 1", "01890000-0000-7000-8000-000000000000", "01890000-0000-7000-8000-000000000000 -1",
            "01890000-0000-7000-8000-000000000000 99999999999",
            "01890000-0000-7000-8000-000000000000 1 2",
        ] {
            #expect(Announcement(channel: "order_moved", payload: payload) == nil, "\(payload)")
        }
        let id = "01890000-0000-7000-8000-000000000000"
        #expect(Announcement(channel: "order_moved", payload: "\(id) 1") == .orderMoved(try #require(OrderID(id)), step: 2))
        // Its number of the day came after the placing, and before any step.
        let numbered = Announcement(channel: "order_moved", payload: "\(id) 0")
        #expect(numbered == .orderMoved(try #require(OrderID(id)), step: 1))
        #expect(Announcement(channel: "menu_changed", payload: "") == .menuChanged)
        #expect(Announcement(channel: "another", payload: "\(id) 1") == nil)
    }

    @Test("what staff ask for reads a full table by key too: a rare state costs a look at 10,000 orders, a day its own")
    func plans() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await OpenShop.with(on: database) { open async throws in
                for _ in 0..<6 { try await Self.ask(open) }
                try await database.psql(Self.place(30_000, apart: "1 hour") + "; analyze orders")
                for _ in 0..<3 { try await Self.ask(open) }
            }
            let scans = try await database.psql(
                "select relname from pg_stat_user_tables where relname in ('orders', 'order_steps') and seq_scan > 0")
            #expect(scans == "")
            // Three rounds of two looks at 10,000, of 1,000 and of some days; one more that reads all would be 90,000 beyond. A slow run looks for open
            // orders more often, a hundred a second.
            let read = try await database.psql(
                "select indexrelname, idx_tup_read from pg_stat_user_indexes where relname in ('orders', 'order_steps') and idx_tup_read > 150000"
            )
            #expect(read == "")
        }
    }

    private static func ask(_ open: OpenShop) async throws {
        let staff = open.shop.staff
        let (orders, next) = try await staff.orders(in: OrderState.allCases, limit: 20, after: nil)
        _ = try await staff.orders(in: OrderState.allCases, limit: 20, after: next)
        let rare = try await staff.orders(in: [.rejected], limit: 20, after: nil)
        #expect(rare.orders.isEmpty && (rare.next == nil) == orders.isEmpty)
        _ = try await staff.today()
        _ = try await open.storage.loadNewestOrders(after: nil, lateness: .seconds(10), limit: OrderBoard.lookLimit)
        _ = try await open.storage.loadHistories(orders.map(\.id))
        let now = try await open.storage.loadMenuRevision().clock.moment
        let range = WaitingRange(known: orders.map(\.id), placedAfter: now, wantedAfter: now, wantedUntil: now.advanced(by: .seconds(3600)))
        var position: WaitingPosition? = .known(0)
        while let from = position { position = try await open.storage.loadWaitingOrders(range, from: from).next }
        _ = try await open.storage.loadUnnumberedOrders(after: nil, limit: 100)
        _ = try await open.storage.countOpenOrders()
        if let order = orders.first { #expect(try await staff.order(number: order.number) == order) }
    }
}
