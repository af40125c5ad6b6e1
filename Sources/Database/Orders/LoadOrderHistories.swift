// Reads what orders have been through: the placing from the order itself, which costs a checkout nothing, the rest from order_steps.
// Called by Shop's OrderWatch and OrderBoard. The tables are in sql/004_orders.sql, the steps' writer in sql/007_order_steps.sql.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// The histories of those orders that there are, in no particular order.
    package func loadHistories(_ ids: [OrderID]) async throws(DatabaseFault) -> [OrderHistory] {
        guard !ids.isEmpty else { return [] }
        let rows = try await query(Self.loadHistoriesStatement, .reads, ids.map(\.uuid)) { row throws(PostgresError) in
            StoredStep(
                id: OrderID(try row.next(UUID.self)), number: try row.next(),
                step: OrderStep(
                    state: try row.nextWord(), at: Instant(try row.next(Timestamp.self)), reason: try row.next(), kind: try row.nextWord(),
                    promisedAt: try row.next(Timestamp?.self).map(Instant.init)))
        }
        var histories: [OrderHistory] = []
        for row in rows {
            if let last = histories.last, last.id == row.id {
                histories[histories.count - 1] = OrderHistory(id: row.id, number: last.number, steps: last.steps + [row.step])
            } else if let number = row.number {
                histories.append(OrderHistory(id: row.id, number: number, steps: [row.step]))
            }
        }
        return histories
    }

    // The tables are not joined: on Citus each has to be told which orders it is asked for, and elsewhere that would compare each step with each.
    private static let loadHistoriesStatement = Statement(
        "load_order_histories",
        """
        select id, number, state, at, reason, kind, promised_at from (
            select id, number, 0 as step, 'placed' as state, placed_at as at, null as reason, 'moved' as kind, null::timestamptz as promised_at
            from orders where id = any ($1)
            union all
            select order_id, null, step, state, at, reason, kind, promised_at from order_steps where order_id = any ($1)
        ) as steps
        order by id, step
        """)
}

private struct StoredStep: Sendable {
    let id: OrderID
    /// Of the placing, which comes first.
    let number: String?
    let step: OrderStep
}
