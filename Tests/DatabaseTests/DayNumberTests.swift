// Day numbers: how the checkout and number_orders assign them, and from which row of day_numbers they count.
// Tests/ShopTests/DayNumberingTests.swift covers the server's task that runs each second.
import Ordering
import Postgres
import Support
import Testing

@testable import Database

@Suite("Day numbers")
struct DayNumberTests {
    private static func number(of order: OrderID, _ database: TestDatabase) async throws -> String {
        try await database.psql("select day_number from orders where id = '\(order)'")
    }

    @Test(
        "A checkout assigns the day number and returns it, and later steps do not change it")
    func assignedAtCheckout() async throws {
        try await ShopFixture.with { fixture async throws in
            var orders: [Order] = []
            for guest in 1...3 { orders.append(try #require(try await fixture.placeOrder(by: Guest(guest)).order)) }
            #expect(orders.map(\.updates.dayNumber) == [1, 2, 3])
            for order in orders { #expect(try await fixture.storage.loadOrder(order.id) == order) }
            // No step changes the number.
            try await fixture.database.psqlAsStaff("select advance_order('\(orders[1].number)', 'rejected', 'closed')")
            try await fixture.database.psqlAsStaff("select advance_order('\(orders[2].number)', 'accepted')")
            try await fixture.database.psqlAsStaff("select take_back_step('\(orders[2].number)')")
            try await fixture.database.psqlAsStaff("select advance_order('\(orders[0].number)', 'accepted')")
            #expect(
                try await runConcurrently(orders) { try await Self.number(of: $0.id, fixture.database) } == [
                    "1", "2", "3",
                ])
            let last = try #require(try await fixture.placeOrder(by: Guest(4)).order)
            #expect(last.updates.dayNumber == 4)
        }
    }

    @Test("Orders of one batch and of two servers have distinct day numbers without a gap")
    func concurrent() async throws {
        try await ShopFixture.withTwoServers { firstServer, secondServer in
            let answers = try await runConcurrently(Array(0..<60)) {
                try await ($0 % 2 == 0 ? firstServer : secondServer).placeOrder(by: Guest($0))
            }
            #expect(answers.compactMap(\.order?.updates.dayNumber).sorted() == Array(1...60))
        }
    }

    @Test(
        "The numbers of each business day start at 1, and continue if the shop's settings return to that day"
    )
    func days() async throws {
        try await ShopFixture.with { fixture async throws in
            let database = fixture.database
            try await database.setClockToNoon()
            func order(_ guest: Int) async throws -> String {
                try await eventually("the business day has its row") {
                    try await fixture.storage.areDayNumbersWritten().today
                }
                return try await Self.number(
                    of: #require(try await fixture.placeOrder(by: Guest(guest)).order).id, database)
            }
            var numbers: [String] = []
            for guest in 1...2 { numbers.append(try await order(guest)) }
            try await database.setBusinessDayStart(to: "20:00")
            for guest in 3...5 { numbers.append(try await order(guest)) }
            try await database.setBusinessDayStart(to: "04:00")
            numbers.append(try await order(6))
            #expect(numbers == ["1", "2", "1", "2", "3", "3"])
        }
    }

    @Test("Servers that write a day's row concurrently write the same first value, and the day's first number is 1")
    func concurrentDayRows() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psql(
                "select nextval('day_numbers_' || n) from generate_series(1, 7) as n, generate_series(1, 40)")
            _ = try await runConcurrently(Array(0..<8)) { _ in try await database.psql("select write_day_numbers()") }
            #expect(
                try await database.psql(
                    """
                    select day - (select day from business_day(now())), first from day_numbers order by day;
                    select nextval(source) - first from day_number_source(now());
                    select write_day_numbers(); select nextval(source) - first from day_number_source(now());
                    select nextval(source) - first from day_number_source(now() + interval '1 day')
                    """) == "0|40\n1|40\n1\n\n2\n1")
        }
    }

    @Test("An open transaction that inserted tomorrow's row does not block the server from writing today's row")
    func openTomorrow() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let owner = try await PostgresConnection.connect(database.url, logger: .silent)
            try await owner.run(
                script: """
                    begin; insert into day_numbers
                    select day + 1, 'UTC', '00:00', begins, ends, 'day_numbers_1', 0 from business_day(now())
                    """)
            let days = "select day - (select day from business_day(now())) from day_numbers order by day"
            try await database.psql("select write_day_numbers()")
            #expect(try await database.psql(days) == "0")
            try await owner.run(script: "rollback")
            await owner.close()
            try await database.psql("select write_day_numbers()")
            #expect(try await database.psql(days) == "0\n1")
        }
    }

    @Test(
        "Only write_day_numbers inserts a day's row, and no other function calls it"
    )
    func onlyOneWriter() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let functions = "from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~*"
            let writing = try await database.psql("select proname \(functions) 'insert into day_numbers'")
            #expect(writing == "write_day_numbers")
            let calling = try await database.psql("select count(*) \(functions) 'write_day_numbers'")
            #expect(calling == "0")
        }
    }

    @Test("number_orders assigns numbers only to due orders and to orders that staff prepare")
    func assignedOrders() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let later = "now() + interval '3 hours'"
            try await database.insertOrders(1...1, dayNumber: "null")
            try await database.insertOrders(2...2, wantedAt: "now() + interval '59 minutes'", dayNumber: "null")
            try await database.insertOrders(3...6, wantedAt: later, dayNumber: "null")
            try await database.insertOrders(7...7, state: "cancelled", dayNumber: "null")
            try await database.insertOrders(8...8, state: "rejected", dayNumber: "null")
            let numbers = "select string_agg(coalesce(day_number::text, '-'), ' ' order by number) from orders"
            let assign = "select number_orders(array(select id from orders order by number))"
            // Without the day's row no number is assigned.
            #expect(try await database.psql("\(assign); \(numbers)") == "{}\n- - - - - - - -")
            for number in 4...6 {
                try await database.psqlAsStaff("select advance_order('0000000\(number)', 'accepted')")
            }
            for number in 5...6 {
                try await database.psqlAsStaff("select advance_order('0000000\(number)', 'preparing')")
            }
            try await database.psqlAsStaff("select take_back_step('00000006')")
            try await database.psql("select write_day_numbers()")
            #expect(try await database.psql("\(assign); \(numbers)") == "{}\n1 2 - - 3 - - -")
            #expect(try await database.psql("\(assign); \(numbers)") == "{}\n1 2 - - 3 - - -", "one number per order")
            try await database.psql(
                "update orders set wanted_at = now() + interval '30 minutes' where number in ('00000003', '00000006')")
            #expect(try await database.psql("\(assign); \(numbers)") == "{}\n1 2 4 - 3 5 - -")
            // A number that was assigned late was not in the checkout's response.
            #expect(
                try await database.psql(
                    "select bool_and(day_number_wanted_at is not null) from orders where day_number is not null") == "t"
            )
        }
    }

    @Test("An order that cannot be updated uses no number and does not block the other orders")
    func failingUpdate() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.insertOrders(1...5, dayNumber: "null")
            try await database.psql(
                """
                create function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
                create trigger refuse before update on orders for each row
                    when (new.number in ('00000002', '00000005')) execute function refuse();
                select write_day_numbers();
                """)
            let assign = """
                select cardinality(number_orders(array(select id from orders order by number)));
                select string_agg(coalesce(day_number::text, '-'), ' ' order by number) from orders
                """
            for _ in 1...3 { #expect(try await database.psql(assign) == "2\n1 - 2 3 -") }
            try await database.psql("drop trigger refuse on orders")
            #expect(try await database.psql(assign) == "0\n1 4 2 3 5")
        }
    }

    @Test(
        "On Citus the checkout assigns no number, and the server assigns one within two seconds")
    func distributed() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await Psql.run(file: "\(Repository.path)/sql/distributed/005_day_numbers.sql", url: database.url)
            try await ShopFixture.with(on: database) { fixture async throws in
                let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
                #expect(order.updates.dayNumber == nil)
                try await eventually("the order has its number") {
                    try await Self.number(of: order.id, database) == "1"
                }
                let loaded = try #require(try await fixture.storage.loadOrder(order.id))
                #expect(loaded.updates.dayNumber == 1 && loaded.dayNumberAtCheckout == nil)
            }
        }
    }
}
