// Sells an item or an option out, or brings it back. Called by Shop's StaffDesk; `update menu_items` or `options` in SQL is the same.
import Ordering
import Postgres

extension ShopDatabase {
    /// Says whether, or from when on, an item or an option can be had, if it is on the menu.
    package func setAvailability(of thing: StockedThing, to mark: StockMark, by member: StaffMember) async throws(DatabaseFault) {
        let until: Instant?
        switch mark {
        case .available: until = nil
        case .soldOut(let moment): until = moment
        case .soldOutUntilTomorrow:
            let (days, now) = try await loadBusinessDays()
            until = days.nextStart(after: now)
        }
        // What comes back by itself is not sold out until further notice.
        let isAvailable = mark == .available || until != nil
        let (statement, id) =
            switch thing {
            case .item(let id): (Self.itemStatement, id.rawValue)
            case .option(let id): (Self.optionStatement, id.rawValue)
            }
        try await execute(statement, .writes, id, isAvailable, until?.timestamp, member.name, member.role.rawValue)
    }

    /// What is so already is left alone, or everybody would read the menu again for nothing.
    private static let itemStatement = availabilityStatement("set_availability", "menu_items")
    private static let optionStatement = availabilityStatement("set_option_availability", "options")

    private static func availabilityStatement(_ name: String, _ table: String) -> Statement {
        Statement(
            name,
            """
            update \(table) set is_available = $2, sold_out_until = $3 from act_as($4, $5)
            where id = $1 and (is_available, sold_out_until) is distinct from ($2, $3) and not is_retired
            """)
    }
}
