// The roles of staff and their permissions.

/// A permission that a staff route requires.
package enum StaffPermission: String, CaseIterable, Sendable, Hashable {
    /// Read the member's own name and role.
    case readSelf = "read_self"
    case readOrders = "read_orders"
    /// Move orders to their next state. Rejecting an order requires `cancelOrders`.
    case moveOrders = "move_orders"
    /// Change the availability and the stock counts.
    case sellOut = "sell_out"
    /// Read the state of the shop and its hours.
    case readShop = "read_shop"
    /// Reject orders in any state.
    case cancelOrders = "cancel_orders"
    /// Pause orders and set busy periods.
    case pause
    /// Change the hours of a date.
    case setHours = "set_hours"
    /// Change what guests see of the menu, such as photographs.
    case editMenu = "edit_menu"
    /// Read the figures of a day.
    case readFigures = "read_figures"
    case readAudit = "read_audit"
}

package enum StaffRole: String, CaseIterable, Sendable, Hashable {
    case kitchen, counter, manager

    /// The permissions of this role, in the order of the cases.
    package var permissions: [StaffPermission] {
        switch self {
        case .kitchen: [.readSelf, .readOrders, .moveOrders, .sellOut, .readShop]
        case .counter: StaffRole.kitchen.permissions + [.cancelOrders, .pause]
        case .manager: StaffPermission.allCases
        }
    }

    package func may(_ permission: StaffPermission) -> Bool { permissions.contains(permission) }
}
