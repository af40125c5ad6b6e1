// Changes of the shop by staff: its pause, its busy state, its acceptance and the hours of a day.
import Database
import Ordering

/// The result of changing the shop.
package enum ShopChange: Sendable {
    /// The menu with the requested state, whether or not it changed.
    case done(Menu)
    /// A constraint rejected the change, with its message and its hint.
    case rejected(String, hint: String?)
}

extension StaffOperations {
    /// Begins a pause, or ends it with nil.
    package func setPause(_ pause: ShopPause?, by member: StaffMember) async throws(ShopFault) -> ShopChange {
        try await changeShop { () throws(DatabaseFault) in try await database.setPause(pause, by: member) }
    }

    /// Sets the minutes that are added to estimates; nil: none.
    package func setBusy(_ busy: BusyPeriod?, by member: StaffMember) async throws(ShopFault) -> ShopChange {
        try await changeShop { () throws(DatabaseFault) in try await database.setBusy(busy, by: member) }
    }

    /// Sets how new orders are accepted: by staff, by staff within a deadline, or automatically.
    package func setAcceptance(_ acceptance: Acceptance, by member: StaffMember) async throws(ShopFault) -> ShopChange {
        try await changeShop { () throws(DatabaseFault) in try await database.setAcceptance(acceptance, by: member) }
    }

    /// Sets the shifts that begin on a date. An empty list closes the shop; nil restores the weekly shifts.
    package func setHours(_ shifts: [RawShift]?, on date: LocalDate, by member: StaffMember) async throws(ShopFault)
        -> ShopChange
    {
        try await changeShop { () throws(DatabaseFault) in try await database.setHours(shifts, on: date, by: member) }
    }

    private func changeShop(_ write: () async throws(DatabaseFault) -> StaffWriteResult) async throws(ShopFault)
        -> ShopChange
    {
        switch try await retryingWhileLocked({ [] }, { _ throws(DatabaseFault) in try await write() }) {
        case .refused(let sentence, let hint): return .rejected(sentence, hint: hint)
        case .done:
            return .done(
                try await ShopFault.wrapping { () throws(DatabaseFault) -> Menu in
                    try await menu.menu(asOf: database.loadMenuRevision())
                })
        }
    }
}
