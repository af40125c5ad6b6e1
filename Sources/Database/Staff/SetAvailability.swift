// Marks an item or option as sold out or available, like an update of menu_items or options in SQL.
import Ordering
import Postgres

extension ShopDatabase {
    /// Sets the availability of an item or option that is not retired.
    package func setAvailability(of thing: StockKey, to mark: AvailabilityChange, by member: StaffMember)
        async throws(DatabaseFault)
    {
        let until: Instant?
        switch mark {
        case .available: until = nil
        case .soldOut(let moment): until = moment
        case .soldOutUntilTomorrow:
            let (days, now) = try await loadBusinessDays()
            until = days.nextStart(after: now)
        }
        // An end time means: sold out until then, and not until further notice.
        let isAvailable = mark == .available || until != nil
        let (statement, id) =
            switch thing {
            case .item(let id): (Self.itemStatement, id.rawValue)
            case .option(let id): (Self.optionStatement, id.rawValue)
            }
        try await execute(statement, .writes, id, isAvailable, until?.timestamp, member.name, member.role.rawValue)
    }

    /// Unchanged rows are not written, because every write makes all servers reload the menu.
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
