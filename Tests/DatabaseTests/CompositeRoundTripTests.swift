// The Swift types of the composite types in sql/: they declare the same attributes, and every value survives a round
// trip through PostgreSQL. The seed is printed.
import Support
import TestBasics
import Testing

@testable import Database
@testable import Postgres

@Suite("Swift types of composite types") struct CompositeRoundTripTests {
    private typealias Record = PostgresComposite & Equatable

    private static let types: [any Record.Type] = [
        BasketWriteRecord.self, CheckoutQueryRecord.self, ContestedRowRecord.self, DueMailRecord.self, NewOrder.self,
        OpeningShiftRecord.self, PhotographFileRecord.self, RemovedItem.self, StockDemandRecord.self,
        StoredBasketLine.self, StoredOption.self, StoredOrderLine.self, StoredSlotUse.self, StoredStockCount.self,
        StoredTotal.self, StoredUse.self,
    ]
    /// Types that only functions of the database use.
    private static let internalTypes = ["guest_history", "order_placement", "stock_claim"]

    @Test("Each composite type has one Swift type with the same names and types of attributes, in the same order")
    func attributes() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            // Objects that initdb did not create have ids from 16384.
            let inSQL = try await database.psql(
                """
                select relname || '.' || attname || ' ' || case when atttypid < 16384 then atttypid else 0 end
                from pg_class join pg_attribute on attrelid = pg_class.oid
                where relkind = 'c' and relnamespace = 'public'::regnamespace
                    and relname <> all ('{\(Self.internalTypes.joined(separator: ","))}')
                order by relname, attnum
                """)
            let inSwift = try Self.types.sorted { $0.compositeName < $1.compositeName }.flatMap { type in
                try type.declaredFields(in: CompositeTypes()).map {
                    "\(type.compositeName).\($0.name) \($0.type?.oid ?? 0)"
                }
            }
            #expect(inSQL.split(separator: "\n").map(String.init) == inSwift)
        }
    }

    @Test("Random values of every composite type come back equal from PostgreSQL, alone and in arrays")
    func roundTrips() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            var random = SeededRandom()
            let connection = try await PostgresConnection.connect(database.url, logger: .silent)
            try await connection.run(script: Self.randomValue)
            let seed = Double.random(in: -1...1, using: &random)
            try await connection.run(script: "do $$ begin perform setseed(\(seed)); end $$")
            for type in Self.types { try await Self.roundTrip(type, over: connection, "\(random)") }
            await connection.close()
        }
    }

    /// Reads random values that SQL has made, without a null and with a null in each attribute, and sends them back.
    private static func roundTrip<Value: Record>(
        _: Value.Type, over connection: PostgresConnection, _ seed: String
    ) async throws {
        let name = Value.compositeName
        let cases = Int32(SearchBudget.cases(3, long: 100))
        try await connection.run(
            script: """
                create temporary table random_\(name) (id integer, value \(name));
                do $$ begin
                    for id in 0 .. (select relnatts + 1 from pg_class where oid = '\(name)'::regclass) * \(cases) - 1
                    loop
                        execute format('insert into random_\(name) select %s, %s', id,
                            pg_temp.random_value('\(name)'::regtype, id / \(cases)));
                    end loop;
                end $$
                """)
        let ids = try await connection.query(
            Statement("ids_\(name)", "select id from random_\(name) order by id"), .reads
        ) { row throws(PostgresError) in try row.next(Int32.self) }
        let load = Statement("load_\(name)", "select value from random_\(name) where id = $1")
        let send = Statement(
            "send_\(name)",
            """
            select value is not distinct from $2::\(name), $2::\(name), $3::\(name)[] from random_\(name)
            where id = $1
            """)
        for id in ids {
            do {
                let values = try await connection.query(load, .reads, id) { row throws(PostgresError) in
                    try row.next(Value.self)
                }
                let value = try #require(values.first)
                let array: [Value?] = [value, nil, value]
                let returned = try await connection.query(send, .reads, id, value, array) {
                    row throws(PostgresError) in
                    Returned<Value>(isEqual: try row.next(), value: try row.next(), array: try row.next())
                }
                #expect(
                    returned == [Returned(isEqual: true, value: value, array: array)], "\(name) \(id) \(seed)")
            } catch PostgresError.undecodable(let reason) {
                // The Swift type requires the attribute that is null.
                #expect(id >= cases && reason.hasSuffix("found null"), "\(name) \(id): \(reason) \(seed)")
            }
        }
    }

    private struct Returned<Value: Record>: Equatable {
        let isEqual: Bool
        let value: Value
        let array: [Value?]
    }

    /// A function that returns a random value of a type as a SQL expression. The attribute `null_at` of a composite
    /// type is null; 0: none.
    private static let randomValue = #"""
        create function pg_temp.random_value(the_type oid, null_at integer) returns text language plpgsql as $$
        declare
            definition record;
            texts text[] := array['', 'a', 'null', 'Zoë 🧅', E'{"\\,''}\t()', md5(random()::text)];
        begin
            select * into definition from pg_type where oid = the_type;
            if definition.typtype = 'c' then
                return (
                    select format('row(%s)::%s', string_agg(case when attnum = null_at then 'null'
                               else pg_temp.random_value(atttypid, 0) end, ', ' order by attnum), the_type::regtype)
                    from pg_attribute where attrelid = definition.typrelid and attnum > 0);
            elsif definition.typcategory = 'A' then
                return (
                    select format('array[%s]::%s', string_agg(pg_temp.random_value(definition.typelem, 0), ', '),
                        the_type::regtype)
                    from generate_series(1, floor(random() * 3)::integer));
            end if;
            return format('%L::%s', case the_type
                when 'boolean'::regtype then (random() < 0.5)::text
                when 'smallint'::regtype then floor(random() * 65536 - 32768)::text
                when 'integer'::regtype then floor(random() * 4294967296 - 2147483648)::bigint::text
                when 'bigint'::regtype then ('x' || substr(md5(random()::text), 1, 16))::bit(64)::bigint::text
                when 'text'::regtype then texts[1 + floor(random() * 6)::integer]
                when 'bytea'::regtype then '\x' || substr(md5(random()::text), 1, 2 * floor(random() * 9)::integer)
                when 'uuid'::regtype then md5(random()::text)
                when 'timestamptz'::regtype then (array['infinity', '-infinity', '1999-12-31 23:59:59.999999+00',
                    to_timestamp(random() * 1e10)::text])[1 + floor(random() * 4)::integer] end, the_type::regtype);
        end $$
        """#
}
