// What a member of staff is there for, and what they may do. Asked by Web's StaffDoor of each request, and told by GET /v1/staff/me.

/// What a route of the staff needs.
package enum StaffPermission: String, CaseIterable, Sendable, Hashable {
    /// To be told who one is.
    case readSelf = "read_self"
    case readOrders = "read_orders"
    /// An order's next step, but for its rejection.
    case moveOrders = "move_orders"
    /// What is sold out, until when, and how many there are.
    case sellOut = "sell_out"
    /// How the shop stands, and its hours.
    case readShop = "read_shop"
    /// An order's end by the shop: it is rejected, whatever the state it has come to.
    case cancelOrders = "cancel_orders"
    /// A pause, and how busy it is.
    case pause
    /// The hours of a day.
    case setHours = "set_hours"
    /// What guests see of the menu, such as photographs.
    case editMenu = "edit_menu"
    /// What was earned.
    case readFigures = "read_figures"
    case readAudit = "read_audit"
}

package enum StaffRole: String, CaseIterable, Sendable, Hashable {
    case kitchen, counter, manager

    /// All that a member of this role may do, in the order of the list.
    package var permissions: [StaffPermission] {
        switch self {
        case .kitchen: [.readSelf, .readOrders, .moveOrders, .sellOut, .readShop]
        case .counter: StaffRole.kitchen.permissions + [.cancelOrders, .pause]
        case .manager: StaffPermission.allCases
        }
    }

    package func may(_ permission: StaffPermission) -> Bool { permissions.contains(permission) }
}
