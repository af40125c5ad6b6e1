// Takes steps of orders for staff, with the functions that staff can also call in SQL (sql/007_order_steps.sql).
import Ordering
import Postgres

extension ShopDatabase {
    /// Takes a step of the order with this number.
    package func takeStep(_ step: StaffStep, number: String, by member: StaffMember) async throws(DatabaseFault)
        -> StaffStepResult
    {
        let (name, role) = (member.name, member.role.rawValue)
        do throws(PostgresError) {
            switch step {
            case .advance(let state, let reason, let minutes, let foodIsWasted):
                try await pool.execute(
                    adjusted(Self.advanceStatement), .writes, number, state.rawValue, reason, minutes.map(Int32.init),
                    foodIsWasted, name, role)
            case .schedule(let state, let reason, let foodIsWasted):
                try await pool.execute(
                    adjusted(Self.requestStatement), .writes, number, state.rawValue, reason, foodIsWasted, name, role)
            case .takeBack(let state):
                try await pool.execute(
                    adjusted(Self.takeBackStatement), .writes, number, state?.rawValue, name, role)
            case .delay(let minutes, let reason):
                try await pool.execute(
                    adjusted(Self.delayStatement), .writes, number, Int32(minutes), reason, name, role)
            }
        } catch {
            guard case .server(let refusal) = error else { throw DatabaseFault(error) }
            if refusal.isRowMissing { return .orderNotFound }
            guard let rule = refusal.constraintName.flatMap({ StepRule(rawValue: $0) }) else {
                throw DatabaseFault(error)
            }
            return .refused(rule, [refusal.message, refusal.hint].compactMap(\.self).joined(separator: ". "))
        }
        return try await loadOrder(number: number).map(StaffStepResult.moved) ?? .orderNotFound
    }

    private static let advanceStatement = Statement(
        "advance_order", "select advance_order($1, $2, $3, $4::integer, $5) from act_as($6, $7)")
    private static let requestStatement = Statement(
        "request_step", "select request_step($1, $2, $3, $4) from act_as($5, $6)")
    private static let takeBackStatement = Statement(
        "take_back_step", "select take_back_step($1, $2) from act_as($3, $4)")
    private static let delayStatement = Statement(
        "delay_order", "select delay_order($1, $2::integer, $3) from act_as($4, $5)")
}
