// The last portion is sold once, and an order returns its stock once, at any concurrency.
// Covers CheckoutQueue with take_stock and give_stock_back (sql/015_stock.sql).
import Database
import Ordering
import Postgres
import Support
import Testing

@testable import Shop

@Suite("The last portion is sold once: stock", .timeLimit(.minutes(5)))
struct LastPortionTests {
    /// Selects the counts that differ from the ledger or from the active orders. The result is empty if all agree.
    static let discrepancies = """
        select 'remaining', menu_item_id from item_stock
        where remaining is not null and remaining <> (select sum(change) from stock_movements
            where subject = 'menu_items' and id = menu_item_id and day is null and reason <> 'set_per_day')
        union all
        select 'day', id from stock_days
        where sold <> (select -sum(change) from stock_movements as moved
            where (moved.subject, moved.id, moved.day) = (stock_days.subject, stock_days.id, stock_days.day))
        union all
        select 'order', menu_item_id
        from (
            select coalesce(living.order_id, moved.order_id) as order_id,
                coalesce(living.menu_item_id, moved.id) as menu_item_id
            from (
                select order_id, menu_item_id, sum(quantity) as units
                from order_lines join orders on orders.id = order_id
                where state not in ('cancelled', 'rejected')
                    and menu_item_id in (select menu_item_id from item_stock)
                group by 1, 2
            ) as living
            full join (
                select order_id, id, -sum(change) as units from stock_movements
                where subject = 'menu_items' and order_id is not null
                group by 1, 2 having sum(change) <> 0
            ) as moved on moved.order_id = living.order_id and moved.id = living.menu_item_id
            where living.units is distinct from moved.units
        ) as mismatches
        """

    @Test("Of 200 concurrent checkouts for the last portion on two servers, 1 is placed and 199 are out of stock")
    func oneLeft() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            try await serverA.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 1)")
            let drafts = try await runConcurrently(Array(0..<200)) {
                try await serverA.makeDraft(serverA.makeBasket([2001: 1, 3001: 1]), by: Guest($0))
            }
            let answers = try await runConcurrently(Array(0..<200)) {
                try await Self.submit(drafts[$0], to: $0 % 2 == 0 ? serverA : serverB)
            }
            #expect(answers.filter(\.isPlaced).count == 1)
            #expect(answers.filter { $0.errorCodes == [.stockShort] }.count == 199)
            let rejections = answers.compactMap { answer -> [FieldError]? in
                if case .validationFailed(let errors)? = answer.rejection { errors.all } else { nil }
            }
            #expect(
                rejections.allSatisfy {
                    $0.map(\.params) == [["available": .integer(0)]] && $0.map(\.path) == [.line(LineID(rawValue: 1))]
                })
            let rows = """
                select (select count(*) from orders), (select count(*) from baskets where state = 'ordered'),
                       remaining, sold,
                       (select string_agg(reason || ' ' || change, ', ' order by at) from stock_movements)
                from item_stock
                """
            #expect(try await serverA.database.psql(rows) == "1|1|0|1|set 1, sold -1")
            #expect(try await serverA.database.psql(Self.discrepancies) == "")
        }
    }

    @Test("100 orders that are cancelled and rejected concurrently on two servers return their stock exactly once")
    func returnedOnce() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            try await serverA.database.psqlAsStaff(
                "insert into item_stock (menu_item_id, remaining) values (2001, 1000), (3001, 77)")
            try await serverA.database.psqlAsStaff("insert into item_stock (menu_item_id, per_day) values (4001, 300)")
            let drafts = try await runConcurrently(Array(0..<100)) {
                try await serverA.makeDraft(
                    serverA.makeBasket([2001: 10, 4001: 2]), by: Guest($0), coupon: $0 % 2 == 0 ? "FOLLOW" : nil)
            }
            let answers = try await runConcurrently(Array(0..<100)) {
                try await Self.submit(drafts[$0], to: $0 % 2 == 0 ? serverA : serverB)
            }
            let orders = answers.compactMap(\.order)
            #expect(orders.count == 100)
            let stock = """
                select string_agg(
                    menu_item_id || ' ' || coalesce(remaining, per_day) || ' ' || sold, ', ' order by menu_item_id)
                from item_stock
                """
            #expect(try await serverA.database.psql(stock) == "2001 0 1000, 3001 77 0, 4001 300 0")
            #expect(
                try await serverA.database.psql(
                    "select subject, id, sold, day = (business_day(now())).day from stock_days")
                    == "menu_items|4001|200|t")
            #expect(try await serverA.database.psql(Self.discrepancies) == "")
            _ = try await runConcurrently(Array(0..<300)) { number in
                let (order, shop) = (orders[number % 100], number % 2 == 0 ? serverA : serverB)
                if number / 100 == 1 {
                    // The order may already be cancelled.
                    _ = try await shop.storage.takeStep(
                        .advance(to: .rejected, reason: "out of gas"), number: order.number, by: .settingsToken)
                } else {
                    _ = try await Self.retry(after: Self.overload) { () throws(ShopFault) in
                        try await shop.shop.orders.cancel(order.id)
                    }
                }
            }
            #expect(
                try await serverA.database.psql(
                    "select count(*) from orders where state not in ('cancelled', 'rejected')") == "0")
            #expect(try await serverA.database.psql(stock) == "2001 1000 0, 3001 77 0, 4001 300 0")
            #expect(try await serverA.database.psql("select sold from stock_days") == "0")
            #expect(
                try await serverA.database.psql("select reason, count(*) from stock_movements group by 1 order by 1")
                    == "given_back|200\nset|2\nset_per_day|1\nsold|200")
            #expect(try await serverA.database.psql(Self.discrepancies) == "")
        }
    }

    @Test("While staff keep writing counts, each sale and cancellation is counted exactly, and no count is negative")
    func staffMeanwhile() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            try await serverA.database.psqlAsStaff(
                "insert into item_stock (menu_item_id, remaining) values (2001, 5), (3001, 5)")
            let drafts = try await runConcurrently(Array(0..<120)) {
                try await serverA.makeDraft(serverA.makeBasket([2001: 1 + Int64($0 % 3), 3001: 1]), by: Guest($0))
            }
            let staff = try await PostgresConnection.connect(serverA.database.staffURL, logger: .silent)
            async let edits: Void = {
                for round in 0..<80 {
                    let (item, count) = (round % 2 == 0 ? 2001 : 3001, round % 7)
                    let change =
                        round % 5 == 4 ? "remaining = null, per_day = \(count)" : "remaining = \(count), per_day = null"
                    try await staff.run(script: "update item_stock set \(change) where menu_item_id = \(item)")
                    if round % 10 == 9 {
                        try await staff.run(
                            script: """
                                begin;
                                delete from item_stock where menu_item_id = 3001;
                                insert into item_stock (menu_item_id, remaining) values (3001, 4);
                                commit
                                """)
                    }
                }
            }()
            // Staff lock the count repeatedly, so a guest's wait may exceed its limit of about a second on a busy
            // machine.
            let faults = Self.overload + [.rowLocked]
            let answers = try await runConcurrently(Array(drafts.indices)) { index -> CheckoutAnswer in
                let shop = index % 2 == 0 ? serverA : serverB
                var answer = try await Self.submit(drafts[index], to: shop, retrying: faults)
                // Retries, as a guest would.
                for _ in 0..<20 where !answer.isPlaced {
                    answer = try await Self.submit(drafts[index], to: shop, retrying: faults)
                }
                if index % 4 == 0, let order = answer.order {
                    _ = try await Self.retry(after: faults) { () throws(ShopFault) in
                        try await serverB.shop.orders.cancel(order.id)
                    }
                }
                return answer
            }
            try await edits
            await staff.close()
            #expect(answers.contains { $0.isPlaced })
            #expect(answers.allSatisfy { $0.isPlaced || Set($0.errorCodes) == [.stockShort] })
            let ledger = """
                select menu_item_id from item_stock
                where coalesce(remaining, 0) <> (select coalesce(sum(change), 0) from stock_movements
                    where subject = 'menu_items' and id = menu_item_id and day is null and reason <> 'set_per_day')
                union all
                select id from stock_days
                where sold <> (select -sum(change) from stock_movements as moved
                    where (moved.subject, moved.id, moved.day) = (stock_days.subject, stock_days.id, stock_days.day))
                """
            #expect(try await serverA.database.psql(ledger) == "")
            let returnedTwice = """
                select order_id from stock_movements where order_id is not null
                group by order_id, subject, id having sum(change) > 0
                """
            #expect(try await serverA.database.psql(returnedTwice) == "")
        }
    }

    @Test("Two checkouts that wait for a count while staff replace it both use the new count")
    func replacedWhileWaiting() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            try await serverA.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (3001, 5)")
            let drafts = try await runConcurrently([1, 2]) {
                try await serverA.makeDraft(serverA.makeBasket([3001: 1]), by: Guest($0))
            }
            let staff = try await PostgresConnection.connect(serverA.database.staffURL, logger: .silent)
            try await staff.run(
                script:
                    "begin; delete from item_stock; insert into item_stock (menu_item_id, remaining) values (3001, 1)")
            // A checkout that times out is retried.
            async let first = Self.submit(drafts[0], to: serverA, retrying: [.rowLocked])
            async let second = Self.submit(drafts[1], to: serverB, retrying: [.rowLocked])
            try await eventually("both checkouts wait") {
                serverA.shop.checkouts.blockedCount + serverB.shop.checkouts.blockedCount == 2
            }
            try await staff.run(script: "commit")
            await staff.close()
            let answers = try await [first, second]
            #expect(answers.filter(\.isPlaced).count == 1)
            #expect(answers.filter { $0.errorCodes == [.stockShort] }.count == 1)
            #expect(try await serverA.database.psql("select remaining from item_stock") == "0")
        }
    }

    @Test(
        "Two database calls that wait for the row of a count while staff replace it both use the new count",
        arguments: ["remaining", "per_day"])
    func replacedWhileLocked(column: String) async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            try await serverA.database.psqlAsStaff("insert into item_stock (menu_item_id, \(column)) values (3001, 5)")
            // Raises the lock timeout from 100 ms to 60 s, so that both calls wait for the end of the transaction.
            try await serverA.database.psql(
                """
                do $$ begin
                    execute replace(pg_get_functiondef('limit_lock_wait'::regproc), '100ms', '60s');
                end $$
                """)
            let drafts = try await runConcurrently([1, 2]) {
                try await serverA.makeDraft(serverA.makeBasket([3001: 1]), by: Guest($0))
            }
            let staff = try await PostgresConnection.connect(serverA.database.staffURL, logger: .silent)
            try await staff.run(
                script:
                    "begin; delete from item_stock; insert into item_stock (menu_item_id, \(column)) values (3001, 1)")
            async let first = Self.submit(drafts[0], to: serverA)
            async let second = Self.submit(drafts[1], to: serverB)
            try await eventually("both calls wait") {
                try await serverA.database.psql(
                    """
                    select count(*) from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'
                    """) == "2"
            }
            try await staff.run(script: "commit")
            await staff.close()
            let answers = try await [first, second]
            #expect(answers.filter(\.isPlaced).count == 1)
            #expect(answers.filter { $0.errorCodes == [.stockShort] }.count == 1)
            let remaining = "select coalesce(remaining, per_day - (select sum(sold) from stock_days)) from item_stock"
            #expect(try await serverA.database.psql(remaining) == "0")
        }
    }

    @Test("An order without stock leaves its coupon and basket unused, and the other orders of its batch are placed")
    func failedOrderLeavesNothing() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 3)")
            let drafts = try await runConcurrently(Array(1...5)) {
                try await open.makeDraft(
                    open.makeBasket($0 == 5 ? [3001: 1] : [2001: 2]), by: Guest($0), coupon: $0 == 5 ? nil : "FOLLOW")
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
            #expect(decided.count == 5)
            #expect(try await open.storage.placeOrders(decided).count == 2)
            let traces = """
                select (select count(*) from orders), (select count(*) from baskets where state = 'ordered'),
                       (select count(*) from coupon_uses),
                       (select redeemed from coupon_redemptions where coupon_id = 3),
                       (select remaining from item_stock)
                """
            #expect(try await open.database.psql(traces) == "2|2|2|1|1")
            #expect(try await open.database.psql(Self.discrepancies) == "")
            for draft in drafts {
                let answer = try await open.shop.checkouts.submit(draft)
                #expect(answer.order != nil || answer.errorCodes == [.stockShort])
            }
            #expect(try await open.database.psql(traces) == "2|2|2|1|1")
        }
    }

    @Test("A checkout of a cached basket uses the counts that staff have added or deleted since")
    func countedSince() async throws {
        try await ShopFixture.with { open async throws in
            let drafts = try await runConcurrently(Array(1...3)) {
                try await open.makeDraft(open.makeBasket(), by: Guest($0))
            }
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 1)")
            #expect(try await open.shop.checkouts.submit(drafts[0]).isPlaced)
            #expect(try await open.shop.checkouts.submit(drafts[1]).errorCodes == [.stockShort])
            try await open.database.psqlAsStaff("delete from item_stock")
            #expect(try await open.shop.checkouts.submit(drafts[1]).isPlaced)
            #expect(try await open.shop.checkouts.submit(drafts[2]).isPlaced)
            #expect(
                try await open.database.psql("select reason, change from stock_movements order by at")
                    == "set|1\nsold|-1")
        }
    }

    @Test("While a count is locked, orders of other items are placed soon, and the locked item is not sold")
    func lockedCount() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 50)")
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update item_stock set remaining = 40")
            let drafts = try await runConcurrently(Array(0..<20)) {
                try await open.makeDraft(open.makeBasket([$0 % 2 == 0 ? 2001 : 3001: 1]), by: Guest($0))
            }
            let answers = try await runConcurrently(drafts) { draft in
                do throws(ShopFault) { return try await open.shop.checkouts.submit(draft).isPlaced } catch {
                    guard error == .rowLocked else { throw error }
                    return false
                }
            }
            #expect(answers == (0..<20).map { $0 % 2 == 1 })
            try await staff.run(script: "commit")
            await staff.close()
            #expect(try await open.shop.checkouts.submit(drafts[0]).isPlaced)
            #expect(try await open.database.psql("select remaining, sold from item_stock") == "39|1")
        }
    }

    @Test("Loading the menu revision also loads all stock counts, and reports when nothing is counted")
    func revisionWithStock() async throws {
        try await ShopFixture.with { open async throws in
            #expect(try await open.storage.loadMenuRevision().stock.isUntracked)
            try await open.database.psqlAsStaff(
                """
                insert into item_stock (menu_item_id, remaining) values (2001, 7);
                insert into item_stock (menu_item_id, per_day) values (3001, 20);
                insert into option_stock (option_id, remaining) values (1201, 0);
                """)
            let order = try await open.shop.checkouts.submit(
                open.makeDraft(open.makeBasket([2001: 2, 3001: 5]), by: Guest(1)))
            #expect(order.isPlaced)
            try await open.database.psqlAsStaff("update item_stock set per_day = 4 where menu_item_id = 3001")
            let reading = try await open.storage.loadMenuRevision()
            let day = try #require(reading.stock[.item(MenuItemID(rawValue: 3001))])
            #expect(day.remaining == 0, "five portions are sold although the limit is now four, so none remains")
            #expect(
                day.validity.contains(reading.clock.databaseTime) && day.validity.from != nil
                    && day.validity.until != nil)
            #expect(reading.stock[.item(MenuItemID(rawValue: 2001))] == StockCount(remaining: 5))
            #expect(reading.stock[.option(OptionID(rawValue: 1201))] == StockCount(remaining: 0))
            #expect(reading.stock[.item(MenuItemID(rawValue: 4001))] == nil)
        }
    }

    /// The faults of an overloaded server, after which a guest retries.
    private static let overload: [ShopFault] = [.overloaded, .timedOutInQueue, .tooManyConflicts]

    private static func submit(
        _ draft: CheckoutDraft, to open: ShopFixture, retrying faults: [ShopFault] = overload
    ) async throws -> CheckoutAnswer {
        try await retry(after: faults) { () throws(ShopFault) in try await open.shop.checkouts.submit(draft) }
    }

    /// Calls the body until it throws none of these faults.
    private static func retry<Value>(
        after faults: [ShopFault], _ work: () async throws(ShopFault) -> Value
    ) async throws(ShopFault) -> Value {
        while true {
            do throws(ShopFault) { return try await work() } catch {
                guard faults.contains(error) else { throw error }
            }
        }
    }
}
