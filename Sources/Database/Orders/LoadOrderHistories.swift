// Loads the histories of orders: the placement from the order itself, so that a checkout writes no step, and the rest
// from order_steps.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// Loads the histories of the orders that exist, in any order.
    package func loadHistories(_ ids: [OrderID]) async throws(DatabaseFault) -> [OrderHistory] {
        guard !ids.isEmpty else { return [] }
        let rows = try await query(Self.loadHistoriesStatement, .reads, ids.map(\.uuid)) { row throws(PostgresError) in
            StoredStep(
                id: OrderID(try row.next(UUID.self)), number: try row.next(),
                step: OrderStep(
                    state: try row.nextRawValue(), occurredAt: Instant(try row.next(Timestamp.self)),
                    reason: try row.next(), kind: try row.nextRawValue(),
                    promisedAt: try row.next(Timestamp?.self).map(Instant.init)))
        }
        var histories: [OrderHistory] = []
        for row in rows {
            if let last = histories.last, last.id == row.id {
                histories[histories.count - 1] = OrderHistory(
                    id: row.id, number: last.number, steps: last.steps + [row.step])
            } else if let number = row.number {
                histories.append(OrderHistory(id: row.id, number: number, steps: [row.step]))
            }
        }
        return histories
    }

    // No join: on Citus each table needs its own condition on the ids, and elsewhere a join with both would compare all
    // steps.
    private static let loadHistoriesStatement = Statement(
        "load_order_histories",
        """
        select id, number, state, at, reason, kind, promised_at from (
            select id, number, 0 as step, 'placed' as state, placed_at as at, null as reason, 'moved' as kind,
                null::timestamptz as promised_at
            from orders where id = any ($1)
            union all
            select order_id, null, step, state, at, reason, kind, promised_at from order_steps where order_id = any ($1)
        ) as steps
        order by id, step
        """)
}

private struct StoredStep: Sendable {
    let id: OrderID
    /// The order number, only in the row of the placement, which comes first.
    let number: String?
    let step: OrderStep
}
