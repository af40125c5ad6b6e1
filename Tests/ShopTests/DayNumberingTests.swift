// Order numbers that the server assigns: to pre-orders when they are due, and to orders that were placed while the
// business day had no row. Covers DayNumbering. The tests change wanted times in SQL instead of waiting for an hour.
// Tests/Tools/Chaos/experiments/day_numbers.py repeats them under load, with an acceptance in an open transaction.
import Ordering
import Postgres
import Support
import Testing

@testable import Database
@testable import Shop

@Suite("Order numbers that the server assigns", .timeLimit(.minutes(5)))
struct DayNumberingTests {
    /// Turns an order without a wanted time into a pre-order.
    private static func makePreOrder(_ order: Order, in time: String, _ open: ShopFixture) async throws {
        try await open.database.psql(
            """
            update orders
            set wanted_at = now() + interval '\(time)', eta_minutes = null, slot_items = 1, day_number = null
            where id = '\(order.id)'
            """)
    }

    private static func move(_ order: Order, to wanted: String, _ open: ShopFixture) async throws {
        try await open.database.psql(
            "update orders set wanted_at = now() + interval '\(wanted)' where id = '\(order.id)'")
    }

    private static func number(_ order: Order, _ open: ShopFixture) async throws -> String {
        try await open.database.psql("select day_number from orders where id = '\(order.id)'")
    }

    /// Waits for the number of the order and returns it.
    private static func waitForNumber(_ order: Order, _ open: ShopFixture) async throws -> Int {
        try await eventually("order \(order.number) has its number") { try await !number(order, open).isEmpty }
        return try #require(Int(try await number(order, open)))
    }

    @Test("Two servers number a due pre-order once, accepted or not, and notify the watchers of the order board")
    func due() async throws {
        try await ShopFixture.withTwoServers { open, _ in
            let waiting = try #require(try await open.placeOrder(by: Guest(1)).order)
            let accepted = try #require(try await open.placeOrder(by: Guest(2)).order)
            for order in [waiting, accepted] { try await Self.makePreOrder(order, in: "2 hours", open) }
            try await open.database.psqlAsStaff("select advance_order('\(accepted.number)', 'accepted')")
            let last = try #require(try await open.placeOrder(by: Guest(3)).order)
            let news = try #require(open.shop.board.watch())
            var iterator = news.makeAsyncIterator()
            try await OrderBoardTests.waitUntilListening(&iterator, open)
            #expect(
                try await [Self.number(waiting, open), Self.number(accepted, open), Self.number(last, open)] == [
                    "", "", "3",
                ])

            try await Self.move(accepted, to: "59 minutes", open)
            while case let news? = await iterator.next() {
                if case .moved(let event) = news, event.orderID == accepted.id {
                    #expect(event.step.state == .accepted)
                    break
                }
            }
            #expect(try await Self.number(accepted, open) == "4")
            try await Self.move(waiting, to: "59 minutes", open)
            while case let news? = await iterator.next() {
                if case .moved(let event) = news, event.orderID == waiting.id {
                    #expect(event.step.state == .placed && event.number == 1)
                    break
                }
            }
            #expect(try await Self.number(waiting, open) == "5")
            let steps = try await open.database.psql(
                "select state from order_steps where order_id in ('\(waiting.id)', '\(accepted.id)')")
            #expect(steps == "accepted", "the pre-orders have no other steps")
            // A number never changes, and no other order gets it.
            try await open.database.psqlAsStaff("select take_back_step('\(accepted.number)', 'accepted')")
            try await open.database.psqlAsStaff("select advance_order('\(accepted.number)', 'accepted')")
            #expect(try await Self.number(accepted, open) == "4")
            #expect(try #require(try await open.placeOrder(by: Guest(4)).order).updates.dayNumber == 6)
        }
    }

    @Test("A pre-order gets its number at once when staff begin to prepare it, but not when they only accept it")
    func earlyPreparation() async throws {
        try await ShopFixture.with { open async throws in
            let preparing = try #require(try await open.placeOrder(by: Guest(1)).order)
            let accepted = try #require(try await open.placeOrder(by: Guest(2)).order)
            for order in [preparing, accepted] { try await Self.makePreOrder(order, in: "3 hours", open) }
            for order in [accepted, preparing] {
                try await open.database.psqlAsStaff("select advance_order('\(order.number)', 'accepted')")
            }
            try await open.database.psqlAsStaff("select advance_order('\(preparing.number)', 'preparing')")
            #expect(try await Self.waitForNumber(preparing, open) == 3)
            #expect(try await Self.number(accepted, open) == "")
            // A replay has to return the same order as the checkout, so the pre-order has no number at checkout.
            #expect(try await open.storage.loadOrder(preparing.id)?.dayNumberAtCheckout == nil)
        }
    }

    @Test("300 pre-orders get their numbers although locked, failing and cancelled orders come before them")
    func manyPreOrders() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let page = DayNumbering.page
            let (soon, later) = ("now() + interval '30 minutes'", "now() + interval '31 minutes'")
            // The locked, the failing and the cancelled orders each fill a page. They come before the other orders.
            try await database.insertOrders(1...page + 20, wantedAt: soon, dayNumber: "null")
            try await database.insertOrders(1_001...1_020 + page, wantedAt: soon, dayNumber: "null")
            try await database.insertOrders(2_001...2_020 + page, state: "cancelled", wantedAt: soon, dayNumber: "null")
            try await database.insertOrders(5_001...5_300, wantedAt: later, dayNumber: "null")
            try await database.psql(
                """
                create function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
                create trigger refuse before update on orders for each row
                    when (new.number like '00001%') execute function refuse();
                """)
            // Staff accept the first orders and do not end the transaction.
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await staff.run(
                script: "begin; select advance_order(number, 'accepted') from orders where number < '00001000'")
            try await ShopFixture.with(on: database) { open async throws in
                try await eventually("the free orders have numbers") {
                    try await database.psql("select count(day_number) from orders where number like '00005%'") == "300"
                }
                #expect(
                    try await database.psql("select count(day_number), max(day_number) from orders") == "300|300",
                    "orders that cannot get a number use up none")
                try await staff.run(script: "commit")
                try await database.psql("drop trigger refuse on orders")
                try await eventually("all orders except the cancelled ones have numbers") {
                    try await database.psql(
                        "select count(*) from orders where day_number is null and state <> 'cancelled'") == "0"
                }
                let cancelled = "select count(day_number) from orders where state = 'cancelled'"
                #expect(try await database.psql(cancelled) == "0")
            }
            await staff.close()
        }
    }

    @Test("The first acceptance of a day in an open transaction delays no other order, acceptance or rejection")
    func openAcceptance() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let orders = try await runConcurrently(Array(0..<8)) {
                try #require(try await serverA.placeOrder(by: Guest($0)).order)
            }
            let staff = try await PostgresConnection.connect(serverA.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; select advance_order('\(orders[0].number)', 'accepted')")
            let begin = ContinuousClock.now
            let moves = try await runConcurrently(Array(1..<8)) { index in
                let step: StaffStep = index == 7 ? .advance(to: .rejected, reason: "closed") : .advance(to: .accepted)
                return try await (index % 2 == 0 ? serverA : serverB).takeStep(step, of: orders[index])
            }
            #expect(moves.allSatisfy { if case .moved = $0 { true } else { false } })
            let placed = try await runConcurrently(Array(10..<20)) {
                try await ($0 % 2 == 0 ? serverA : serverB).placeOrder(by: Guest($0)).isPlaced
            }
            #expect(placed.allSatisfy { $0 })
            // This takes less than a second on an idle machine. Behind the open transaction it would take a minute.
            #expect(.now - begin < .seconds(30))
            #expect(
                try await serverA.database.psql("select count(distinct day_number), max(day_number) from orders")
                    == "18|18"
            )
            try await staff.run(script: "rollback")
            await staff.close()
        }
    }

    @Test("While an uncommitted row of the business day exists, orders are placed without numbers and get them later")
    func openRow() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let database = serverA.database
            try await database.setClockToNoon()
            try await eventually("the business day has its row") {
                try await serverA.storage.areDayNumbersWritten() == (true, true)
            }
            let first = try #require(try await serverA.placeOrder(by: Guest(0)).order)
            #expect(first.updates.dayNumber == 1)
            let owner = try await PostgresConnection.connect(database.url, logger: .silent)
            // Deletes the row of the day before, which may exist from an earlier setting of the shop's time zone.
            try await database.psql("delete from day_numbers where day < (select day from business_day(now()))")
            try await owner.run(
                script: """
                    begin; insert into day_numbers
                    select day - 1, 'UTC', '00:00', begins, ends, 'day_numbers_1', 0 from business_day(now())
                    """)
            try await database.setBusinessDayStart(to: "20:00")
            let begin = ContinuousClock.now
            let orders = try await runConcurrently(Array(1...20)) {
                try #require(try await ($0 % 2 == 0 ? serverA : serverB).placeOrder(by: Guest($0)).order)
            }
            for order in orders.prefix(5) {
                try await database.psqlAsStaff("select advance_order('\(order.number)', 'accepted')")
            }
            #expect(.now - begin < .seconds(30))
            #expect(orders.allSatisfy { $0.updates.dayNumber == nil })
            // The servers keep trying during this time, and no order gets a number.
            try await Task.sleep(for: .seconds(2))
            #expect(try await database.psql("select count(day_number) from orders") == "1")
            try await owner.run(script: "rollback")
            await owner.close()
            try await eventually("all orders have numbers") {
                try await database.psql("select count(day_number) from orders") == "21"
            }
            let numbers = "select count(distinct day_number), max(day_number) from orders where id <> '\(first.id)'"
            #expect(try await database.psql(numbers) == "20|20")
            #expect(try #require(try await serverA.placeOrder(by: Guest(30)).order).updates.dayNumber == 21)
        }
    }
}
