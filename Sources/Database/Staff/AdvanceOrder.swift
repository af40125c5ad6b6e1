// Moves an order on for staff, with the function that they can call in SQL too (sql/007_order_steps.sql). Called by Shop's StaffDesk.
import Ordering
import Postgres

extension ShopDatabase {
    /// Moves the order of this number to the state.
    package func advanceOrder(number: String, to state: OrderState, reason: String?) async throws(DatabaseFault) -> OrderAdvance {
        do throws(PostgresError) {
            try await pool.execute(Self.advanceStatement, .writes, number, state.rawValue, reason)
        } catch {
            guard case .server(let refusal) = error else { throw DatabaseFault(error) }
            if refusal.isRowMissing { return .unknown }
            guard refusal.rule == "order_step_makes_sense" else { throw DatabaseFault(error) }
            return .refused([refusal.message, refusal.hint].compactMap(\.self).joined(separator: ". "))
        }
        return try await loadOrder(number: number).map(OrderAdvance.moved) ?? .unknown
    }

    private static let advanceStatement = Statement("advance_order", "select advance_order($1, $2, $3)")
}
