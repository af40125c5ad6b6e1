// Draws order numbers in advance (sql/004_orders.sql). Permutes them here, which takes PostgreSQL 9 µs each.
import Postgres

/// An order number that the server drew before the order was placed.
package struct DrawnOrderNumber: Sendable, Hashable {
    /// Eight digits.
    package let number: String
    /// When the PostgreSQL that drew the number was started, which identifies it. Another PostgreSQL does not use the
    /// number, see `place_orders`.
    package let origin: Timestamp

    package init(number: String, origin: Timestamp) { (self.number, self.origin) = (number, origin) }
}

extension ShopDatabase {
    /// Draws `count` numbers, which no other call returns.
    package func drawOrderNumbers(_ count: Int) async throws(DatabaseFault) -> [DrawnOrderNumber] {
        // A write, so that it is never sent twice and commits before a number is used.
        let draws = try await query(Self.drawOrderNumbersStatement, .writes, Int64(count)) {
            row throws(PostgresError) in
            Draw(positions: try row.next(), secret: try row.next(), origin: try row.next())
        }
        guard let draw = draws.first else { throw .undecodable("shop_secrets has no row") }
        // Permutes here and not while decoding, because other statements need the connection's thread.
        let permutation = OrderNumberPermutation(secret: draw.secret)
        return draw.positions.map { DrawnOrderNumber(number: permutation.number(at: $0), origin: draw.origin) }
    }

    private struct Draw: Sendable {
        let positions: [Int64]
        let secret: [UInt8]
        let origin: Timestamp
    }

    // Reads the secret with each draw, so that it is that of the database whose sequence was drawn.
    // The draw is durable when it commits, whatever synchronous_commit is: the recovery after a crashed session keeps
    // the start time. nextval writes WAL only once in 32 values, so the statement writes a message.
    private static let drawOrderNumbersStatement = Statement(
        "draw_order_numbers",
        """
        select array(select nextval('order_sequence') from generate_series(1, $1)), order_number,
               pg_postmaster_start_time()
        from shop_secrets, set_config('synchronous_commit', 'local', true), pg_logical_emit_message(true, 'welms', '')
        """)
}
