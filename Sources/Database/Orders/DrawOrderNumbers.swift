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
        if isDistributed { return Self.numbers(of: try await drawOnCoordinator(count)) }
        // A write, so that it is never sent twice and commits before a number is used.
        let draws = try await query(Self.drawOrderNumbersStatement, .writes, Int64(count)) {
            row throws(PostgresError) in
            Draw(positions: try row.next(), secret: try row.next(), origin: try row.next())
        }
        guard let draw = draws.first else { throw .undecodable("shop_secrets has no row") }
        return Self.numbers(of: draw)
    }

    /// The same on Citus. Citus plans statements on shop_secrets, so the statement that draws has no table.
    private func drawOnCoordinator(_ count: Int) async throws(DatabaseFault) -> Draw {
        let secrets = try await query(Self.orderNumberSecretStatement, .reads) { row throws(PostgresError) in
            try row.next([UInt8].self)
        }
        guard let secret = secrets.first else { throw .undecodable("shop_secrets has no row") }
        let draws = try await query(Self.drawOnCoordinatorStatement, .writes, Int64(count)) {
            row throws(PostgresError) in
            Draw(positions: try row.next(), secret: secret, origin: try row.next())
        }
        guard let draw = draws.first else { throw .undecodable("no order numbers were drawn") }
        return draw
    }

    private static func numbers(of draw: Draw) -> [DrawnOrderNumber] {
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
    // Waits for a synchronous standby, because workers do not compare the origin.
    private static let drawOnCoordinatorStatement = Statement(
        "draw_on_coordinator",
        """
        select array(select nextval('order_sequence') from generate_series(1, $1)), pg_postmaster_start_time()
        from set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'welms', '')
        """)
    private static let orderNumberSecretStatement = Statement(
        "load_order_number_secret", "select order_number from shop_secrets")
}
