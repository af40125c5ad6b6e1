// The numbers of the day that the server gives: to pre-orders when they are due, and to orders that were placed while
// the day had no row. Tests Sources/Shop/Orders/DayNumbering.swift. Orders come nearer in SQL; nothing waits for an
// hour. The same under load, with an acceptance in an open transaction: Tests/Tools/Chaos/experiments/day_numbers.py.
import Ordering
import Postgres
import Support
import Testing

@testable import Database
@testable import Shop

@Suite("The server gives numbers of the day", .timeLimit(.minutes(5)))
struct DayNumberingTests {
    /// Makes a pre-order of an order that was placed for as soon as possible.
    private static func want(_ order: Order, in time: String, _ open: OpenShop) async throws {
        try await open.database.psql(
            """
            update orders
            set wanted_at = now() + interval '\(time)', eta_minutes = null, slot_items = 1, day_number = null
            where id = '\(order.id)'
            """)
    }

    private static func move(_ order: Order, to wanted: String, _ open: OpenShop) async throws {
        try await open.database.psql(
            "update orders set wanted_at = now() + interval '\(wanted)' where id = '\(order.id)'")
    }

    private static func number(_ order: Order, _ open: OpenShop) async throws -> String {
        try await open.database.psql("select day_number from orders where id = '\(order.id)'")
    }

    /// Waits for the number of an order, and answers it.
    private static func comes(_ order: Order, _ open: OpenShop) async throws -> Int {
        try await eventually("order \(order.number) has its number") { try await !number(order, open).isEmpty }
        return try #require(Int(try await number(order, open)))
    }

    @Test(
        "A pre-order gets its number when it is due, accepted or not, by two servers once, and watchers hear of it"
    )
    func due() async throws {
        try await OpenShop.two { open, _ in
            let waiting = try #require(try await open.order(by: Guest(1)).order)
            let accepted = try #require(try await open.order(by: Guest(2)).order)
            for order in [waiting, accepted] { try await Self.want(order, in: "2 hours", open) }
            try await open.database.staff("select advance_order('\(accepted.number)', 'accepted')")
            let last = try #require(try await open.order(by: Guest(3)).order)
            let news = try #require(open.shop.board.watch())
            var iterator = news.makeAsyncIterator()
            try await OrderBoardTests.hear(&iterator, open)
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
            #expect(steps == "accepted", "they took no other step")
            // A number is for good, and nobody else's.
            try await open.database.staff("select take_back_step('\(accepted.number)', 'accepted')")
            try await open.database.staff("select advance_order('\(accepted.number)', 'accepted')")
            #expect(try await Self.number(accepted, open) == "4")
            #expect(try #require(try await open.order(by: Guest(4)).order).promise.dayNumber == 6)
        }
    }

    @Test(
        "A pre-order that staff begin to prepare early gets its number at once, and one that they only accept does not")
    func begunEarly() async throws {
        try await OpenShop.with { open async throws in
            let begun = try #require(try await open.order(by: Guest(1)).order)
            let accepted = try #require(try await open.order(by: Guest(2)).order)
            for order in [begun, accepted] { try await Self.want(order, in: "3 hours", open) }
            for order in [accepted, begun] {
                try await open.database.staff("select advance_order('\(order.number)', 'accepted')")
            }
            try await open.database.staff("select advance_order('\(begun.number)', 'preparing')")
            #expect(try await Self.comes(begun, open) == 3)
            #expect(try await Self.number(accepted, open) == "")
            // What the checkout answered is answered again.
            #expect(try await open.storage.loadOrder(begun.id)?.dayNumberAtCheckout == nil)
        }
    }

    @Test(
        "Hundreds of pre-orders of a slot all get numbers, also behind orders that are locked, broken or cancelled"
    )
    func crowd() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let page = DayNumbering.page
            let (soon, later) = ("now() + interval '30 minutes'", "now() + interval '31 minutes'")
            // Each kind fills a page, and comes before the free ones.
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
            // Somebody accepts the first ones and does not end the transaction.
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await staff.run(
                script: "begin; select advance_order(number, 'accepted') from orders where number < '00001000'")
            try await OpenShop.with(on: database) { open async throws in
                try await eventually("the free ones have numbers") {
                    try await database.psql("select count(day_number) from orders where number like '00005%'") == "300"
                }
                #expect(
                    try await database.psql("select count(day_number), max(day_number) from orders") == "300|300",
                    "orders that can't have one use up no number")
                try await staff.run(script: "commit")
                try await database.psql("drop trigger refuse on orders")
                try await eventually("all have numbers but the cancelled ones") {
                    try await database.psql(
                        "select count(*) from orders where day_number is null and state <> 'cancelled'") == "0"
                }
                let cancelled = "select count(day_number) from orders where state = 'cancelled'"
                #expect(try await database.psql(cancelled) == "0")
            }
            await staff.close()
        }
    }

    @Test(
        "The first acceptance of a day in an open transaction delays no other order, acceptance or rejection"
    )
    func openAcceptance() async throws {
        try await OpenShop.two { one, other in
            let orders = try await together(Array(0..<8)) { try #require(try await one.order(by: Guest($0)).order) }
            let staff = try await PostgresConnection.connect(one.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; select advance_order('\(orders[0].number)', 'accepted')")
            let begin = ContinuousClock.now
            let moves = try await together(Array(1..<8)) { index in
                let step: StaffStep = index == 7 ? .advance(to: .rejected, reason: "closed") : .advance(to: .accepted)
                return try await (index % 2 == 0 ? one : other).take(step, orders[index])
            }
            #expect(moves.allSatisfy { if case .moved = $0 { true } else { false } })
            let placed = try await together(Array(10..<20)) {
                try await ($0 % 2 == 0 ? one : other).order(by: Guest($0)).isPlaced
            }
            #expect(placed.allSatisfy { $0 })
            // Within a second where nothing else runs on the machine; behind the open transaction it would be a minute.
            #expect(.now - begin < .seconds(30))
            #expect(
                try await one.database.psql("select count(distinct day_number), max(day_number) from orders") == "18|18"
            )
            try await staff.run(script: "rollback")
            await staff.close()
        }
    }

    @Test(
        "While an open transaction has inserted the day's row, orders are placed without a number and get it later"
    )
    func openRow() async throws {
        try await OpenShop.two { one, other in
            let database = one.database
            try await database.setClocksToNoon()
            try await eventually("the business day has its row") {
                try await one.storage.areDayNumbersWritten() == (true, true)
            }
            let first = try #require(try await one.order(by: Guest(0)).order)
            #expect(first.promise.dayNumber == 1)
            let owner = try await PostgresConnection.connect(database.url, logger: .silent)
            // The day before may have a row of the zone that the shop had first.
            try await database.psql("delete from day_numbers where day < (select day from business_day(now()))")
            try await owner.run(
                script: """
                    begin; insert into day_numbers
                    select day - 1, 'UTC', '00:00', begins, ends, 'day_numbers_1', 0 from business_day(now())
                    """)
            try await database.beginBusinessDay(at: "20:00")
            let begin = ContinuousClock.now
            let orders = try await together(Array(1...20)) {
                try #require(try await ($0 % 2 == 0 ? one : other).order(by: Guest($0)).order)
            }
            for order in orders.prefix(5) {
                try await database.staff("select advance_order('\(order.number)', 'accepted')")
            }
            #expect(.now - begin < .seconds(30))
            #expect(orders.allSatisfy { $0.promise.dayNumber == nil })
            // The server tries again and again, and no order is the worse for it.
            try await Task.sleep(for: .seconds(2))
            #expect(try await database.psql("select count(day_number) from orders") == "1")
            try await owner.run(script: "rollback")
            await owner.close()
            try await eventually("all have numbers") {
                try await database.psql("select count(day_number) from orders") == "21"
            }
            let numbers = "select count(distinct day_number), max(day_number) from orders where id <> '\(first.id)'"
            #expect(try await database.psql(numbers) == "20|20")
            #expect(try #require(try await one.order(by: Guest(30)).order).promise.dayNumber == 21)
        }
    }
}
