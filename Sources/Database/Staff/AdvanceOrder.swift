// Moves an order on for staff, with the function that they can call in SQL too (sql/007_order_steps.sql). Called by Web's staff routes.
import Ordering
import Postgres

/// What became of a step.
package enum OrderAdvance: Sendable {
    /// The order has the new state.
    case moved(Order)
    /// The step makes no sense; the database's sentence says which would.
    case refused(String)
    /// No order has this number.
    case unknown
    /// Somebody is at this order in SQL and has not ended it.
    case isHeld
}

extension ShopDatabase {
    /// Moves the order of this number to the state.
    func advanceOrder(number: String, to state: OrderState, reason: String?) async throws(PostgresError) -> OrderAdvance {
        do throws(PostgresError) {
            try await pool.execute(Self.advanceStatement, .writes, number, state.rawValue, reason)
        } catch {
            guard case .server(let refusal) = error else { throw error }
            if refusal.sqlState == Self.noDataFound { return .unknown }
            guard refusal.rule == "order_step_makes_sense" else { throw error }
            return .refused([refusal.message, refusal.hint].compactMap(\.self).joined(separator: ". "))
        }
        return try await loadOrder(number: number).map(OrderAdvance.moved) ?? .unknown
    }

    private static let noDataFound = "P0002"
    private static let advanceStatement = Statement("advance_order", "select advance_order($1, $2, $3)")
}
