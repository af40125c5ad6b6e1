// Concurrent checkouts of many guests on one or two servers: an order is placed completely or leaves nothing behind.
// Covers CheckoutQueue with place_orders (sql/006_place_orders.sql) and the order steps (sql/007_order_steps.sql).
import Database
import Ordering
import Postgres
import Support
import Testing

@testable import Shop

@Suite struct CheckoutQueueTests {
    /// Selects the numbers of orders, ordered baskets, coupon uses and redemptions.
    private static let traces = """
        select (select count(*) from orders), (select count(*) from baskets where state = 'ordered'),
               (select count(*) from coupon_uses), (select sum(redeemed) from coupon_redemptions)
        """

    @Test("Each of 100 concurrent checkouts is placed with its own number, and the stored rows add up")
    func many() async throws {
        try await ShopFixture.with { open async throws in
            let drafts = try await runConcurrently(Array(1...100)) {
                try await open.makeDraft(open.makeBasket([2001: 2, 4001: 1], sales: [200]), by: Guest($0))
            }
            let answers = try await runConcurrently(drafts) { try await open.shop.checkouts.submit($0) }
            #expect(answers.filter(\.isPlaced).count == 100)
            #expect(Set(answers.compactMap(\.order?.number)).count == 100)
            #expect(try await open.database.psql(Self.traces) == "100|100|0|0")
            let sums = """
                select count(*), sum(total) from orders
                where total = (select sum(total) from order_lines where order_id = orders.id)
                """
            #expect(try await open.database.psql(sums) == "100|\(100 * (2 * 805 + 285 + 2697))")
            let stored = try await open.storage.loadOrders(answers.compactMap { $0.order?.id })
            #expect(Set(stored) == Set(answers.compactMap(\.order)), "the stored orders equal the returned ones")
        }
    }

    @Test("100 checkouts with one idempotency key on two servers place one order, and all of them return it")
    func oneKey() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let draft = try await serverA.makeDraft(serverA.makeBasket(), by: Guest(1))
            let answers = try await runConcurrently(Array(0..<100)) {
                try await ($0 % 2 == 0 ? serverA : serverB).shop.checkouts.submit(draft)
            }
            #expect(answers.filter(\.isPlaced).count == 1)
            #expect(Set(answers.map(\.order)).count == 1)
            #expect(try await serverA.database.psql(Self.traces) == "1|1|0|0")
        }
    }

    @Test("100 idempotency keys for one basket place one order, and the other checkouts are rejected")
    func oneBasket() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let basket = try await serverA.makeBasket()
            let drafts = try await runConcurrently(Array(0..<100)) {
                try await serverA.makeDraft(basket, by: Guest($0), key: "key \($0)")
            }
            let answers = try await runConcurrently(Array(0..<100)) {
                try await ($0 % 2 == 0 ? serverA : serverB).shop.checkouts.submit(drafts[$0])
            }
            #expect(answers.filter(\.isPlaced).count == 1)
            #expect(answers.filter { $0.rejection == .basketAlreadyOrdered }.count == 99)
            #expect(try await serverA.database.psql(Self.traces) == "1|1|0|0")
        }
    }

    @Test("Of 100 concurrent guests on two servers, exactly ten redeem each of two coupons with a limit of ten")
    func lastRedemption() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            try await serverA.database.psql("update coupons set redemption_limit = 10 where key in ('FRST', 'FOLLOW')")
            let drafts = try await runConcurrently(Array(0..<100)) {
                try await serverA.makeDraft(
                    serverA.makeBasket(), by: Guest($0), coupon: $0 % 3 == 0 ? "follow" : "frst")
            }
            let answers = try await runConcurrently(Array(0..<100)) {
                try await ($0 % 2 == 0 ? serverA : serverB).shop.checkouts.submit(drafts[$0])
            }
            #expect(answers.filter(\.isPlaced).count == 20)
            #expect(answers.filter { $0.errorCodes == [.couponExhausted] }.count == 80)
            #expect(try await serverA.database.psql(Self.traces) == "20|20|40|20")
            #expect(
                try await serverA.database.psql("select redeemed from coupon_redemptions where coupon_id in (1, 3)")
                    == "10\n10")
            let orphans = "select count(*) from coupon_uses where order_id not in (select id from orders)"
            #expect(try await serverA.database.psql(orphans) == "0")
        }
    }

    @Test("When staff raise the limit while two checkouts compete for the last redemption, both are placed and counted")
    func raisedLimit() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let set = "update coupons set redemption_limit = "
            try await serverA.database.psql(set + "1 where key = 'FOLLOW'")
            let (late, early) = (try await serverA.makeBasket(), try await serverB.makeBasket())
            let drafts = [
                try await serverA.makeDraft(late, by: Guest(1), coupon: "FOLLOW"),
                try await serverB.makeDraft(early, by: Guest(2), coupon: "FOLLOW"),
            ]
            func connect() async throws -> PostgresConnection {
                try await .connect(serverA.database.url, logger: .silent)
            }
            let (guest, staff, observer) = (try await connect(), try await connect(), try await connect())
            let blocked = Statement(
                "blocked",
                """
                select count(*) > 0 from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock' and query like '%place_orders%'
                """
            )
            func isBlocked() async throws -> Bool {
                try await observer.query(blocked, .reads) { row throws(PostgresError) in try row.next(Bool.self) } == [
                    true
                ]
            }
            let waitsForStaff = Statement(
                "waits_for_staff",
                "select count(*) > 0 from pg_stat_activity where $1::int = any (pg_blocking_pids(pid))")
            // The first checkout has read that one redemption is left, and waits for its basket's row.
            try await guest.run(script: "begin; select from baskets where id = '\(late.basket.id)' for update")
            let placing = Task { try await serverA.shop.checkouts.submit(drafts[0]) }
            try await eventually("the checkout waits for the basket's row") { try await isBlocked() }
            #expect(try await serverB.shop.checkouts.submit(drafts[1]).isPlaced)
            // The first checkout finds no redemption left, and waits for the transaction that raises the limit.
            try await staff.run(script: "begin; " + set + "1000 where key = 'FOLLOW'")
            try await guest.run(script: "rollback")
            try await eventually("the checkout waits for the coupon's row") {
                try await observer.query(waitsForStaff, .reads, staff.processID) { row throws(PostgresError) in
                    try row.next(Bool.self)
                } == [true]
            }
            try await staff.run(script: "commit")
            #expect(try await placing.value.isPlaced)
            #expect(try await serverA.database.psql(Self.traces) == "2|2|4|2")
            for connection in [guest, staff, observer] { await connection.close() }
        }
    }

    @Test("While a coupon's row is locked, orders without the coupon are placed soon, and no order gets the coupon")
    func lockedCoupon() async throws {
        try await ShopFixture.with { open async throws in
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update coupons set title = title || '!' where key = 'FOLLOW'")
            let drafts = try await runConcurrently(Array(0..<20)) {
                try await open.makeDraft(open.makeBasket(), by: Guest($0), coupon: $0 % 2 == 0 ? "FOLLOW" : nil)
            }
            // Each of the two workers gets checkouts with the locked coupon.
            let answers = try await runConcurrently(drafts) { draft in
                do throws(ShopFault) { return try await open.shop.checkouts.submit(draft).isPlaced } catch {
                    guard error == .rowLocked else { throw error }
                    return false
                }
            }
            #expect(answers == (0..<20).map { $0 % 2 == 1 })
            #expect(try await open.database.psql(Self.traces) == "10|10|0|0")
            try await staff.run(script: "rollback")
            await staff.close()
            #expect(try await open.shop.checkouts.submit(drafts[0]).isPlaced)
        }
    }

    @Test("Checkouts run as read committed on a database whose default isolation level is serializable")
    func isolation() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psql(
                "alter database \"\(database.name)\" set default_transaction_isolation = 'serializable'")
            try await database.psql("update coupons set redemption_limit = 5 where key = 'FOLLOW'")
            try await ShopFixture.with(on: database) { open async throws in
                let answers = try await runConcurrently(Array(0..<40)) {
                    try await open.placeOrder(by: Guest($0), coupon: "FOLLOW")
                }
                #expect(answers.filter(\.isPlaced).count == 5)
            }
        }
    }

    @Test(
        "Concurrent guests on two servers who share a phone number or an email address redeem a coupon once",
        arguments: ["FRST", "FOLLOW"])
    func oncePerGuest(coupon: String) async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let drafts = try await runConcurrently(Array(0..<60)) { number in
                var guest = Guest(number)
                // Each guest shares the phone number or the email address of guest 0.
                if number % 2 == 0 { guest.phone = Guest(0).phone } else { guest.email = Guest(0).email.uppercased() }
                return try await serverA.makeDraft(serverA.makeBasket(), by: guest, coupon: coupon)
            }
            let answers = try await runConcurrently(Array(0..<60)) {
                try await ($0 % 3 == 0 ? serverA : serverB).shop.checkouts.submit(drafts[$0])
            }
            let placed = answers.filter(\.isPlaced)
            // Guests who share the phone number have nothing in common with guests who share the email address, so each
            // group may redeem the coupon once.
            #expect((1...2).contains(placed.count))
            #expect(
                try await serverA.database.psql("select count(*) = count(distinct guest_key) from coupon_uses") == "t")
            #expect(
                try await serverA.database.psql(
                    "select redeemed from coupon_redemptions join coupons on id = coupon_id where key = '\(coupon)'")
                    == "\(placed.count)")
            #expect(
                answers.allSatisfy {
                    $0.isPlaced || $0.errorCodes == [coupon == "FRST" ? .couponFirstOrderOnly : .couponAlreadyUsed]
                })
        }
    }

    @Test("An order that loses the last redemption leaves its basket, the coupon and the guest's uses unchanged")
    func failedOrderLeavesNothing() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psql("update coupons set redemption_limit = 1 where key = 'FOLLOW'")
            let drafts = try await runConcurrently(Array(1...2)) {
                try await open.makeDraft(open.makeBasket(), by: Guest($0), coupon: "FOLLOW")
            }
            let facts = try await open.storage.loadCheckoutFacts(drafts.map(CheckoutFactsQuery.init))
            let menu = try await open.shop.menu.menu(atLeast: 0).menu
            let decided = try zip(drafts, facts).compactMap { draft, facts -> OrderDraft? in
                if case .accept(let order) = Checkout.decide(draft, try facts.get().facts(menu: menu)) {
                    order
                } else {
                    nil
                }
            }
            #expect(decided.count == 2)
            let placed = try await open.storage.placeOrders(decided)
            #expect(placed.count == 1)
            #expect(try await open.database.psql(Self.traces) == "1|1|2|1")
            #expect(
                try await open.storage.placeOrders(decided) == [:], "no order can be placed from the same facts again")
            #expect(try await open.database.psql(Self.traces) == "1|1|2|1")

            // Now the basket of the failed order changes after it was read, so the order is not placed.
            try await open.database.psql("update coupons set redemption_limit = null")
            let failedOrder = try #require(decided.first { placed[$0.id] == nil })
            _ = try await open.shop.baskets.change(failedOrder.id, .increment(MenuItemID(rawValue: 2001))).get()
            #expect(try await open.storage.placeOrders([failedOrder]) == [:])
            #expect(try await open.database.psql(Self.traces) == "1|1|2|1")
        }
    }

    @Test("A guest whose email address has used the coupon is rejected, and the other guests of the batch are not")
    func stale() async throws {
        try await ShopFixture.with { open async throws in
            let drafts = try await runConcurrently(Array(1...3)) {
                try await open.makeDraft(open.makeBasket(), by: Guest($0), coupon: "FOLLOW")
            }
            try await open.database.psql(
                "insert into coupon_uses values (3, 'mailto:guest.2@example.com', 0, 1, gen_random_uuid())")
            let answers = try await runConcurrently(drafts) { try await open.shop.checkouts.submit($0) }
            #expect(answers.map(\.isPlaced) == [true, false, true])
            #expect(answers[1].errorCodes == [.couponAlreadyUsed])
            #expect(
                try await open.database.psql("select count(*) from coupon_uses where guest_key like '%5550002'") == "0")
        }
    }

    @Test("An order that violates a constraint fails alone, and the rest of its batch is placed")
    func constraintViolation() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psql(
                "alter table orders add constraint nobody_is_mallory check (name <> 'Mallory')")
            let drafts = try await runConcurrently(Array(0..<60)) { number in
                var guest = Guest(number)
                if number % 20 == 7 { guest.name = "Mallory" }
                return try await open.makeDraft(open.makeBasket(), by: guest, coupon: "FRST")
            }
            let answers = try await runConcurrently(drafts) { draft -> Result<CheckoutAnswer, any Error> in
                do { return .success(try await open.shop.checkouts.submit(draft)) } catch { return .failure(error) }
            }
            for (number, answer) in answers.enumerated() {
                switch answer {
                case .success(let answer): #expect(answer.isPlaced && number % 20 != 7)
                case .failure(ShopFault.failed(let reason)):
                    #expect(reason.hasSuffix("(constraint nobody_is_mallory)") && number % 20 == 7)
                case .failure(let error): Issue.record(error)
                }
            }
            #expect(try await open.database.psql(Self.traces) == "57|57|114|57")
        }
    }

    @Test("A basket that changes during its checkout is ordered as it was shown, or not at all")
    func changedDuringCheckout() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            for round in 0..<10 {
                let basket = try await serverA.makeBasket([2001: 1])
                let draft = try await serverA.makeDraft(basket, by: Guest(round))
                async let change = serverB.shop.baskets.change(basket.basket.id, .increment(MenuItemID(rawValue: 2001)))
                let answer = try await serverA.shop.checkouts.submit(draft)
                if case .success = try await change {
                    #expect(!answer.isPlaced)
                } else {
                    #expect(answer.order?.total.minorUnits == 805)
                }
            }
        }
    }
}
