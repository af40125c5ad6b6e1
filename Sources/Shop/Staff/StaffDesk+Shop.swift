// What staff change of the shop itself: its pause, how busy it is, who accepts orders, and the hours of a day. Called by Web's StaffShopRoutes.
// Read next: Sources/Database/Staff/SetShop.swift.
import Database
import Ordering

/// What became of a change of the shop.
package enum ShopChange: Sendable {
    /// The menu has the shop so, whether or not it was so before.
    case done(Menu)
    /// A constraint of the shop's tables refused it: what it says, and how it would be right.
    case refused(String, hint: String?)
}

extension StaffDesk {
    /// Begins a pause, or with nil ends the one there is.
    package func setPause(_ pause: ShopPause?, by member: StaffMember) async throws(ShopFault) -> ShopChange {
        try await changeShop { () throws(DatabaseFault) in try await database.setPause(pause, by: member) }
    }

    /// Says by how much everything takes longer, or with nil that it does not.
    package func setBusy(_ busy: ShopBusy?, by member: StaffMember) async throws(ShopFault) -> ShopChange {
        try await changeShop { () throws(DatabaseFault) in try await database.setBusy(busy, by: member) }
    }

    /// Says who accepts new orders.
    package func setAcceptance(_ acceptance: Acceptance, by member: StaffMember) async throws(ShopFault) -> ShopChange {
        try await changeShop { () throws(DatabaseFault) in try await database.setAcceptance(acceptance, by: member) }
    }

    /// The shifts that begin on a day, none: closed; with nil those of every week.
    package func setHours(_ shifts: [WrittenShift]?, on date: LocalDate, by member: StaffMember) async throws(ShopFault) -> ShopChange {
        try await changeShop { () throws(DatabaseFault) in try await database.setHours(shifts, on: date, by: member) }
    }

    private func changeShop(_ write: () async throws(DatabaseFault) -> StaffWrite) async throws(ShopFault) -> ShopChange {
        switch try await waitingForRow({ [] }, write) {
        case .refused(let sentence, let hint): return .refused(sentence, hint: hint)
        case .done:
            return .done(
                try await ShopFault.of { () throws(DatabaseFault) -> Menu in try await menu.menu(asOf: database.loadMenuRevision()) })
        }
    }
}
