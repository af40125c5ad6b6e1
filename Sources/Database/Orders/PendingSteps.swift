// Loads pending steps of staff and executes those that are due (sql/007_order_steps.sql). AdvanceOrder.swift requests
// and withdraws them.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// Loads the pending steps of these orders.
    package func loadPendingSteps(of orders: [OrderID]) async throws(DatabaseFault) -> [PendingStep] {
        guard !orders.isEmpty else { return [] }
        return try await query(Self.pendingStatement, .reads, orders.map(\.uuid)) { try $0.nextPendingStep() }
    }

    /// A page of the due steps, oldest first.
    package func loadDueSteps(after last: PendingStep?, limit: Int) async throws(DatabaseFault) -> [PendingStep] {
        try await query(
            Self.dueStatement, .reads, last?.dueAt.timestamp ?? .negativeInfinity, last?.orderID.uuid ?? UUID.zero,
            Int64(limit)
        ) { try $0.nextPendingStep() }
    }

    /// Executes the pending step of an order. Returns false if no step is due or the order is locked.
    package func executePendingStep(of order: OrderID) async throws(DatabaseFault) -> Bool {
        try await query(adjusted(Self.executeStatement), .writes, order.uuid) { try $0.next(Bool.self) } == [true]
    }

    private static let pendingStatement = Statement(
        "load_pending_steps",
        "select order_id, state, execute_at, member from pending_order_steps where order_id = any ($1)")

    private static let dueStatement = Statement(
        "load_due_steps",
        """
        select order_id, state, execute_at, member from pending_order_steps
        where execute_at <= now() and (execute_at, order_id) > ($1, $2) order by execute_at, order_id limit $3
        """)

    private static let executeStatement = Statement("execute_pending_step", "select execute_pending_step($1)")
}

extension Row {
    fileprivate mutating func nextPendingStep() throws(PostgresError) -> PendingStep {
        PendingStep(
            orderID: OrderID(try next(UUID.self)), state: try nextRawValue(), dueAt: Instant(try next(Timestamp.self)),
            member: try next())
    }
}
