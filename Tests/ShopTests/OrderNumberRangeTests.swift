// Order numbers that a server draws in advance: no number is used twice, and no order depends on them.
// Covers OrderNumberRange with OrderPlacing, place_orders and RunningShop.
import Database
import Ordering
import Postgres
import Support
import Testing

@testable import Shop

@Suite(.timeLimit(.minutes(5))) struct OrderNumberRangeTests {
    /// How many orders have the number of a position from the first to the last.
    private static func count(
        of numbers: [String], from first: Int, to last: some CustomStringConvertible, _ database: TestDatabase
    ) async throws -> String {
        try await database.psql(
            """
            select count(*) from shop_secrets, generate_series(\(first), \(last)) as place
            where order_number(place, order_number) in ('\(numbers.joined(separator: "', '"))')
            """)
    }

    private static func placeOrder(_ guest: Int, _ open: ShopFixture) async throws -> String {
        try #require(try await open.placeOrder(by: Guest(guest)).order?.number)
    }

    /// Draws numbers before the first order. An order that needs a number would draw it at the same time as the range.
    private static func drawNumbers(_ open: ShopFixture) async throws {
        try await eventually("numbers are drawn") {
            _ = open.shop.orderNumbers.take(0)
            return open.shop.orderNumbers.count > 0
        }
    }

    @Test("200 concurrent orders on two servers have distinct numbers, which the database and the guests know")
    func distinct() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            var numbers: [String] = []
            for round in 0..<4 {
                let answers = try await runConcurrently(Array(0..<50)) { index in
                    let server = index % 2 == 0 ? serverA : serverB
                    return try await server.placeOrder(by: Guest(round * 50 + index))
                }
                numbers += answers.compactMap(\.order?.number)
            }
            #expect(numbers.count == 200 && Set(numbers).count == 200)
            let stored = try await serverA.database.psql("select number from orders order by number")
            #expect(stored == numbers.sorted().joined(separator: "\n"))
        }
    }

    @Test("On Citus the orders of two servers have distinct numbers of one sequence, and place_orders draws none")
    func distributed() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            for file in ["002_checkout_facts", "008_order_numbers"] {
                try await Psql.run(file: "\(Repository.path)/sql/distributed/\(file).sql", url: database.url)
            }
            try await ShopFixture.with(on: database) { serverA async throws in
                try await ShopFixture.with(on: database) { serverB async throws in
                    let answers = try await runConcurrently(Array(0..<50)) { index in
                        try await (index % 2 == 0 ? serverA : serverB).placeOrder(by: Guest(index))
                    }
                    let numbers = answers.compactMap(\.order?.number)
                    #expect(numbers.count == 50 && Set(numbers).count == 50)
                    let last = try await database.psql("select last_value from order_sequence")
                    #expect(try await Self.count(of: numbers, from: 0, to: last, database) == "50")
                }
            }
        }
    }

    @Test("An order takes a number that was drawn in advance, and draws none in PostgreSQL")
    func advance() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            // A second connection could open later and discard the numbers.
            try await ShopFixture.with(on: database, connections: 1) { open async throws in
                #expect(open.shop.orderNumbers.count == 0, "a server without orders draws none")
                try await Self.drawNumbers(open)
                let drawn = try await database.psql("select last_value from order_sequence")
                let numbers = [try await Self.placeOrder(1, open), try await Self.placeOrder(2, open)]
                #expect(try await Self.count(of: numbers, from: 0, to: drawn, database) == "2")
                #expect(try await database.psql("select last_value from order_sequence") == drawn)
            }
        }
    }

    @Test("While no number can be drawn in advance, orders are placed, and later draws succeed")
    func failedDraw() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psql("revoke usage on sequence order_sequence from welms_server")
            try await ShopFixture.with(on: database, connections: 1) { open async throws in
                var numbers: [String] = []
                for guest in 0..<10 { numbers.append(try await Self.placeOrder(guest, open)) }
                #expect(open.shop.orderNumbers.count == 0)
                #expect(try await Self.count(of: numbers, from: 0, to: 9, database) == "10")

                try await database.psql("grant usage on sequence order_sequence to welms_server")
                try await eventually("numbers are drawn") {
                    numbers.append(try await Self.placeOrder(numbers.count, open))
                    return open.shop.orderNumbers.count > 0
                }
                numbers.append(try await Self.placeOrder(numbers.count, open))
                #expect(Set(numbers).count == numbers.count)
            }
        }
    }

    @Test("A new connection discards the numbers, because a promoted standby may draw the same numbers")
    func reconnect() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(on: database, connections: 1) { open async throws in
                try await Self.drawNumbers(open)
                // The sequence of a standby that lacks the draw.
                try await database.psql("select setval('order_sequence', 0, false)")
                try await database.psql(
                    """
                    select count(pg_terminate_backend(pid)) from pg_stat_activity
                    where datname = current_database() and usename = 'welms_server'
                    """)
                try await eventually("the numbers are discarded") { open.shop.orderNumbers.count == 0 }
                var numbers: [String] = []
                for guest in 0..<30 { numbers.append(try await Self.placeOrder(guest, open)) }
                #expect(Set(numbers).count == 30)
            }
        }
    }

    @Test("A number is returned once, and a draw or a batch that began before a reconnect does not use its numbers")
    func generations() {
        let range = OrderNumberRange()
        let numbers = (0..<5).map { DrawnOrderNumber(number: "\(10_000_000 + $0)", origin: .infinity) }
        let first = range.generation
        range.store(Array(numbers[..<4]), since: first)
        let (two, three, empty) = (range.take(2), range.take(3), range.take(1))
        #expect(two.numbers.count == 2 && three.numbers.count == 2 && empty.numbers == [])
        #expect(Set(two.numbers + three.numbers) == Set(numbers[..<4]))
        #expect(two.isCurrent() && three.isCurrent() && empty.isCurrent())
        range.store([numbers[4]], since: first)
        range.removeAll()
        #expect(range.count == 0 && !two.isCurrent() && !three.isCurrent())
        #expect(empty.isCurrent(), "without numbers there is nothing to discard")
        range.store(numbers, since: first)
        #expect(range.count == 0)
        range.store(numbers, since: range.generation)
        #expect(range.count == 5)
    }
}
