// Assigns the day numbers that no checkout drew, and writes the rows of business days (sql/004_orders.sql,
// sql/007_order_steps.sql).
import FoundationEssentials
import Logging
import Ordering
import Postgres

/// An order without a day number, and when it needs one.
package struct UnnumberedOrder: Sendable, Hashable {
    package let id: OrderID
    /// When it was placed or is wanted, or when staff began to prepare it.
    package let neededAt: Instant
}

extension ShopDatabase {
    /// Whether this business day and the next one have rows that match the shop's settings.
    package func areDayNumbersWritten() async throws(DatabaseFault) -> (today: Bool, tomorrow: Bool) {
        let rows = try await query(Self.areWrittenStatement, .reads) { row throws(PostgresError) in
            WrittenDays(today: try row.next(), tomorrow: try row.next())
        }
        return rows.first.map { ($0.today, $0.tomorrow) } ?? (false, false)
    }

    /// Writes the rows of this business day and the next one, if they are missing or the shop's settings have changed.
    package func writeDayNumbers() async throws(DatabaseFault) { try await execute(Self.writeStatement, .writes) }

    /// The same over a separate connection, before a pool is open.
    package static func writeDayNumbers(_ configuration: DatabaseConfiguration, logger: Logger)
        async throws(DatabaseFault)
    {
        _ = try await onSeparateConnection(
            configuration.url, statementTimeout: configuration.statementTimeout, logger: logger
        ) { connection throws(PostgresError) in try await connection.execute(writeStatement, .writes) }
    }

    /// A page of the orders that need a day number, longest waiting first. Rejected and cancelled orders need
    /// none, and neither do orders that have waited for a day.
    package func loadUnnumberedOrders(
        after last: UnnumberedOrder?, limit: Int
    ) async throws(DatabaseFault) -> [UnnumberedOrder] {
        try await query(
            Self.unnumberedStatement, .reads, last?.neededAt.timestamp ?? .negativeInfinity,
            last?.id.uuid ?? UUID.zero, Int64(limit)
        ) { row throws(PostgresError) in
            UnnumberedOrder(id: OrderID(try row.next(UUID.self)), neededAt: Instant(try row.next(Timestamp.self)))
        }
    }

    /// Assigns numbers to these orders and skips locked ones. Returns the orders that could not be updated.
    package func assignDayNumbers(to orders: [OrderID]) async throws(DatabaseFault) -> [OrderID] {
        let failed = try await query(Self.numberStatement, .writes, orders.map(\.uuid)) { row throws(PostgresError) in
            try row.next([UUID].self).map { OrderID($0) }
        }
        return failed.first ?? []
    }

    private struct WrittenDays: Sendable {
        let today: Bool
        let tomorrow: Bool
    }

    private static let areWrittenStatement = Statement(
        "are_day_numbers_written",
        """
        select exists (select from day_numbers join shop using (time_zone, business_day_start) where day = today.day),
               exists (select from day_numbers join shop using (time_zone, business_day_start) where day = next.day)
        from business_day(now()) as today cross join lateral business_day(today.ends) as next
        """)

    private static let writeStatement = Statement("write_day_numbers", "select write_day_numbers()")

    // Uses the index orders_without_day_number, which contains no numbered order. The limit applies to orders that need
    // a number.
    private static let unnumberedStatement = Statement(
        "load_unnumbered_orders",
        """
        select id, coalesce(day_number_wanted_at, wanted_at, placed_at) from orders
        where day_number is null and state not in ('cancelled', 'rejected')
          and coalesce(day_number_wanted_at, wanted_at, placed_at) > now() - interval '1 day'
          and coalesce(day_number_wanted_at, wanted_at, placed_at)
              <= now() + interval '\(Kitchen.leadTime.components.seconds) seconds'
          and (coalesce(day_number_wanted_at, wanted_at, placed_at), id) > ($1, $2)
        order by coalesce(day_number_wanted_at, wanted_at, placed_at), id limit $3
        """)

    private static let numberStatement = Statement("number_orders", "select number_orders($1)")
}
