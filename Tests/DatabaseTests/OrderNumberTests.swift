// Order numbers: eight digits, unique by construction, and nothing about the next in the last.
// Tests order_number in sql/004_orders.sql, a keyed permutation of 0...99,999,999.
import Support
import Testing

@Suite struct OrderNumberTests {
    @Test("a hundred thousand places in a row, and ten thousand spread over all of them, give as many numbers of eight digits")
    func unique() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let numbers = """
                select count(distinct number), bool_and(number ~ '^[0-9]{8}$') from (
                    select order_number(place, order_number) as number from shop_secrets, %) as places
                """
            #expect(try await database.psql(numbers.replacing("%", with: "generate_series(0, 99999) as place")) == "100000|t")
            #expect(try await database.psql(numbers.replacing("%", with: "generate_series(0, 99999999, 9999) as place")) == "10001|t")
            #expect(try await database.psql("select order_number(99999999, order_number) ~ '^[0-9]{8}$' from shop_secrets") == "t")
        }
    }

    @Test("the network can be run backwards, so no two places have one number")
    func inverse() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            // The same rounds in reverse: what a permutation has and a hash has not.
            try await database.psql(
                """
                create function place_of(number text, secret bytea) returns bigint language plpgsql as $$
                declare high integer := left(number, 4); low integer := right(number, 4); digest bytea; swap integer;
                begin
                    for round in reverse 4..1 loop
                        digest := sha256(secret || int4send(round * 10000 + high));
                        swap := high;
                        high := (low - (get_byte(digest, 0) * 65536 + get_byte(digest, 1) * 256 + get_byte(digest, 2)) % 10000 + 10000) % 10000;
                        low := swap;
                    end loop;
                    return high::bigint * 10000 + low;
                end $$
                """)
            let wrong =
                "select count(*) from shop_secrets, generate_series(0, 99999999, 4999) as place where place_of(order_number(place, order_number), order_number) <> place"
            #expect(try await database.psql(wrong) == "0")
        }
    }

    @Test("the next number is not near the last, and another shop's are others")
    func unguessable() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            // A tenth of all pairs would be within five million of each other by chance; a counter has them all.
            let near = """
                select count(*) from shop_secrets, generate_series(0, 9999) as place
                where abs(order_number(place, order_number)::bigint - order_number(place + 1, order_number)::bigint) < 5000000
                """
            #expect(try await (800...1200).contains(Int(database.psql(near)) ?? 0))
            let alike =
                "select count(*) from shop_secrets, generate_series(0, 9999) as place where order_number(place, order_number) = order_number(place, access_token)"
            #expect(try await (Int(database.psql(alike)) ?? .max) < 5)
        }
    }
}
