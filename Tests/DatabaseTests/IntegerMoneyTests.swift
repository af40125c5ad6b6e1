// Every amount in a table, view or function is a whole number of minor units.
import Support
import Testing

@Suite struct IntegerMoneyTests {
    @Test(
        "No column, argument or result has a float or money type, and numeric columns are checked for whole numbers"
    )
    func catalog() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let inexact = try await database.psql(Self.inexact)
            #expect(inexact == "")
            let fractional = try await database.psql(Self.fractional)
            #expect(fractional == "")
            let amounts = try await database.psql(Self.amounts)
            #expect(amounts == "bigint\nnumeric")

            // The queries find every violation.
            try await database.psql(
                """
                create table tips
                    (amount real, many double precision[], old money, new numeric constraint whole check (new > 0));
                create function tip(total double precision) returns numeric language sql as 'select 1.5';
                """)
            let found = try await database.psql(Self.inexact)
            #expect(found == "tip\ntips.amount\ntips.many\ntips.old")
            let seenFractional = try await database.psql(Self.fractional)
            #expect(seenFractional == "tips.new")
        }
    }

    private static let inexact = """
        with inexact as (
            select unnest(array[oid, typarray]) as type from pg_type
            where oid in ('float4'::regtype, 'float8'::regtype, 'money'::regtype)
        )
        select relname || '.' || attname from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
          and atttypid in (select type from inexact)
        union all
        select proname from pg_proc where pronamespace = 'public'::regnamespace
            and (prorettype in (select type from inexact) or exists (
                select from unnest(coalesce(proallargtypes, proargtypes::oid[])) as argument
                where argument in (select type from inexact)))
        order by 1
        """

    /// Amounts that staff write are numeric, so that a mistaken 16.99 is rejected and not rounded.
    /// Percentages may have four decimals.
    private static let fractional = """
        select relname || '.' || attname from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
          and atttypid in ('numeric'::regtype, 'numeric[]'::regtype)
          and not exists (select from pg_constraint where conrelid = attrelid and contype = 'c'
              and pg_get_constraintdef(pg_constraint.oid) like '%scale(' || attname
                  || case when attname like '%percent' then ') <= 4%' else ') = 0%' end
              or conrelid = attrelid and contype = 'c'
              and pg_get_constraintdef(pg_constraint.oid) like '%scale(' || attname || ') = 0%')
        order by 1
        """

    private static let amounts = """
        select distinct format_type(atttypid, null) from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'c') and attnum > 0
          and attname in ('price', 'amount', 'net', 'tax', 'minimum_subtotal', 'subtotal', 'discount', 'total',
                          'unit_price', 'regular_unit_price',
                          'fee', 'from_subtotal', 'small_order_below', 'small_order_fee', 'service_charge_amount')
        order by 1
        """
}
