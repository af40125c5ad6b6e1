// The columns of the checkout facts have one order: in the statements, in the function for Citus, and in
// CheckoutFactsRow.
import Postgres
import Support
import Testing

@testable import Database

@Suite("Columns of the checkout facts") struct CheckoutFactsColumnTests {
    @Test("All statements for checkout facts return the columns of CheckoutFactsRow in their order")
    func columns() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await Psql.run(file: "\(Repository.path)/sql/distributed/002_checkout_facts.sql", url: database.url)
            func names(_ sql: String, as view: String) async throws -> String {
                try await database.psql("create view \(view) as \(sql.replacing("$1", with: "'{}'"))")
                return try await database.psql(
                    """
                    select string_agg(attname, ', ' order by attnum) from pg_attribute
                    where attrelid = '\(view)'::regclass and attnum > 0
                    """)
            }
            let all = CheckoutFactsRow.columns
            #expect(try await names(ShopDatabase.checkoutFactsStatement.sql, as: "facts") == all)
            #expect(
                try await names("select * from load_checkout_facts($1::checkout_query[])", as: "on_citus") == all)
            let plain = try await names(ShopDatabase.plainFactsStatement.sql, as: "plain_facts")
            #expect(all.hasPrefix("\(plain), coupon_id,"))
        }
    }
}
