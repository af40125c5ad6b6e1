// SQL for statements that read only open orders, by the index of sql/025_open_orders.sql.
import Ordering

/// A subquery for each state of open orders.
enum OpenOrders {
    /// Combines a query for each open state with `union all`. The states are literals, because the generic plan of a
    /// parameter cannot use a partial index. A query of one state reads a range of the index, newest or oldest first.
    static func union(_ query: (_ state: String) -> String) -> String {
        OrderState.open.map { "(\(query("'\($0.rawValue)'")))" }.joined(separator: "\nunion all\n")
    }
}
