// Order numbers have eight digits, are unique by construction, and do not reveal the next number.
// Tests order_number in sql/004_orders.sql, a keyed permutation of 0...99,999,999.
import Support
import Testing

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
}
