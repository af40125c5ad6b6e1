// Evaluates the CHECK of orders (sql/004_orders.sql) for lines and totals that a test makes up.
@testable import Database
import Postgres
import Support

/// The CHECK of orders on a connection of its own.
struct OrderConstraint {
    private let connection: PostgresConnection

    init(_ database: TestDatabase) async throws {
        connection = try await .connect(database.url, logger: .silent)
        // The other values are valid. The order has a coupon, so that it may have a discount.
        try await connection.run(
            script: """
                create function pg_temp.violation(
                    lines order_line[], totals order_total[], subtotal bigint, discount bigint, total bigint
                ) returns text language plpgsql as $$
                declare name text;
                begin
                    perform order_is_valid('00000001', 'placed', 'A', 1, lines, null, totals, subtotal, discount, total,
                        15::smallint, null, 'delivery', 'A', null, null, null);
                    return null;
                exception when check_violation then
                    get stacked diagnostics name = constraint_name;
                    return name;
                end $$
                """)
    }

    /// Returns the name of the first violated rule; nil if the order is valid.
    func violation(
        _ lines: [StoredOrderLine], _ totals: [StoredTotal], subtotal: Int64, discount: Int64, total: Int64
    ) async throws -> String? {
        try await connection.query(
            Self.statement, .reads, lines, totals.nilIfEmpty, subtotal, discount, total
        ) { row throws(PostgresError) in try row.next(String?.self) }.first ?? nil
    }

    private static let statement = Statement("violation", "select pg_temp.violation($1, $2, $3, $4, $5)")
}

extension StoredOrderLine {
    /// A line that is a whole order.
    init(amount: Int64, discount: Int64) {
        self.init(
            lineID: 1, menuItemID: 2001, regularUnitPrice: amount, unitPrice: amount, discount: discount, quantity: 1,
            kind: "regular", title: "A")
    }
}
