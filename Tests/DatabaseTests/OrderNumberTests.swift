// Order numbers have eight digits, are unique by construction, and do not reveal the next number.
// Tests order_number in sql/004_orders.sql, a keyed permutation of 0...99,999,999, and the same in Swift
// (OrderNumberPermutation), for the numbers that a server draws in advance.
import Ordering
import Postgres
import Support
import TestBasics
import Testing

@testable import Database

@Suite struct OrderNumberTests {
    @Test("100,000 consecutive and 10,000 spread positions give distinct numbers of eight digits")
    func unique() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let numbers = """
                select count(distinct number), bool_and(number ~ '^[0-9]{8}$') from (
                    select order_number(place, order_number) as number from shop_secrets, %) as places
                """
            #expect(
                try await database.psql(numbers.replacing("%", with: "generate_series(0, 99999) as place"))
                    == "100000|t")
            #expect(
                try await database.psql(numbers.replacing("%", with: "generate_series(0, 99999999, 9999) as place"))
                    == "10002|t")
            #expect(
                try await database.psql("select order_number(99999999, order_number) ~ '^[0-9]{8}$' from shop_secrets")
                    == "t")
        }
    }

    @Test("order_number can be inverted, so no two positions have the same number")
    func inverse() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            // The same rounds in reverse: a permutation can be inverted, and a hash cannot.
            try await database.psql(
                """
                create function place_of(number text, secret bytea) returns bigint language plpgsql as $$
                declare high integer := left(number, 4); low integer := right(number, 4); digest bytea; swap integer;
                begin
                    for round in reverse 4..1 loop
                        digest := sha256(secret || int4send(round * 10000 + high));
                        swap := high;
                        high := (low
                            - (get_byte(digest, 0) * 65536 + get_byte(digest, 1) * 256 + get_byte(digest, 2)) % 10000
                            + 10000) % 10000;
                        low := swap;
                    end loop;
                    return high::bigint * 10000 + low;
                end $$
                """)
            let wrong =
                """
                select count(*) from shop_secrets, generate_series(0, 99999999, 4999) as place
                where place_of(order_number(place, order_number), order_number) <> place
                """
            #expect(try await database.psql(wrong) == "0")
        }
    }

    @Test("Consecutive order numbers are not close to each other, and shops with other secrets have other numbers")
    func unguessable() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            // By chance a tenth of the pairs are within five million of each other; with a counter all pairs would be.
            let near = """
                select count(*) from shop_secrets, generate_series(0, 9999) as place
                where abs(order_number(place, order_number)::bigint
                          - order_number(place + 1, order_number)::bigint) < 5000000
                """
            #expect(try await (800...1200).contains(Int(database.psql(near)) ?? 0))
            let alike =
                """
                select count(*) from shop_secrets, generate_series(0, 9999) as place
                where order_number(place, order_number) = order_number(place, access_token)
                """
            #expect(try await (Int(database.psql(alike)) ?? .max) < 5)
        }
    }

    @Test(
        "The server computes the order numbers that order_number in SQL has computed",
        arguments: [
            ([], [66_301_647, 21_898_081, 72_391_674, 66_552_684, 26_905_169, 18_298_118]),
            ([0], [38_793_974, 482_871, 32_927_978, 52_231_191, 54_346_889, 17_713_364]),
            (
                [
                    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
                    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
                ], [93_429_945, 65_933_490, 84_416_659, 85_325_174, 48_458_829, 92_345_888]
            ),
        ] as [([UInt8], [Int])])
    func fixedVectors(secret: [UInt8], numbers: [Int]) {
        let permutation = OrderNumberPermutation(secret: secret)
        let positions: [Int64] = [0, 1, 9_999, 10_000, 12_345_678, 99_999_999]
        #expect(
            positions.map { permutation.number(at: $0) }
                == numbers.map { String(String(100_000_000 + $0).dropFirst()) })
    }

    @Test("The server computes the same number as SQL for random positions and secrets")
    func sameAsSQL() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            var random = SeededRandom()
            var rows: [String] = []
            var expected: [String] = []
            for length in 0..<SearchBudget.cases(100, long: 1_000) {
                let secret = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
                let permutation = OrderNumberPermutation(secret: secret)
                let digits = secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                for _ in 0..<3 {
                    let position = Int64.random(in: 0...99_999_999, using: &random)
                    rows.append("(\(rows.count), \(position), '\(digits)')")
                    expected.append(permutation.number(at: position))
                }
            }
            let numbers = try await database.psql(
                """
                select string_agg(order_number(position, decode(secret, 'hex')), ' ' order by n)
                from (values \(rows.joined(separator: ", "))) as drawn (n, position, secret)
                """)
            #expect(numbers == expected.joined(separator: " "), "\(random)")
        }
    }

    @Test("The server draws the next numbers of the sequence with the shop's secret")
    func draw() async throws {
        try await ShopFixture.with { fixture async throws in
            var drawn: [DrawnOrderNumber] = []
            for count in [1, 0, 39] { drawn += try await fixture.storage.drawOrderNumbers(count) }
            let expected = try await fixture.database.psql(
                """
                select string_agg(order_number(place, order_number), ' ' order by place)
                from shop_secrets, generate_series(0, 39) as place
                """)
            #expect(drawn.map(\.number).joined(separator: " ") == expected)
            #expect(Set(drawn.map(\.origin)).count == 1)
        }
    }

    @Test("An order gets the number that this PostgreSQL drew in advance, but no number of another PostgreSQL")
    func origin() async throws {
        try await ShopFixture.with { fixture async throws in
            let menu = try await fixture.storage.loadMenu().menu
            let drawn = try await fixture.storage.drawOrderNumbers(2)
            let foreign = DrawnOrderNumber(
                number: drawn[1].number, origin: Timestamp(microseconds: drawn[1].origin.microseconds + 1))
            let orders = try await runConcurrently(Array(1...3)) {
                try OrderDraft.accepted(await fixture.makeBasket().basket, menu, by: Guest($0))
            }.sorted { $0.id < $1.id }
            let placed = try await fixture.storage.placeOrders(orders, numbers: [drawn[0], foreign])
            // The order without a valid number and the order without a number get positions 2 and 3 of the sequence.
            #expect(placed.count == 3 && placed[orders[0].id]?.number == drawn[0].number)
            let others = try await fixture.database.psql(
                """
                select count(*) from orders, shop_secrets
                where number in (order_number(2, order_number), order_number(3, order_number))
                """)
            #expect(others == "2")
        }
    }

    @Test("On Citus the server draws the number of each order, because a worker has no sequence")
    func distributed() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            for file in ["002_checkout_facts", "008_order_numbers"] {
                try await Psql.run(file: "\(Repository.path)/sql/distributed/\(file).sql", url: database.url)
            }
            try await ShopFixture.with(on: database) { fixture async throws in
                let menu = try await fixture.storage.loadMenu().menu
                let drawn = try await fixture.storage.drawOrderNumbers(1)
                // A worker was started at another time than the coordinator.
                let fromCoordinator = DrawnOrderNumber(
                    number: drawn[0].number, origin: Timestamp(microseconds: drawn[0].origin.microseconds + 1))
                let orders = try await runConcurrently(Array(1...3)) {
                    try OrderDraft.accepted(await fixture.makeBasket().basket, menu, by: Guest($0))
                }.sorted { $0.id < $1.id }
                let placed = try await fixture.storage.placeOrders(orders, numbers: [fromCoordinator])
                #expect(placed.count == 3 && placed[orders[0].id]?.number == drawn[0].number)
                let others = try await database.psql(
                    """
                    select count(*) from orders, shop_secrets
                    where number in (order_number(1, order_number), order_number(2, order_number))
                    """)
                #expect(others == "2")
            }
        }
    }
}
