// Has an item or an option counted, or not any more. Called by Shop's StaffDesk; what staff write to item_stock or option_stock in SQL is the same.
// Read next: sql/015_stock.sql.
import Ordering
import Postgres

extension ShopDatabase {
    /// Says how a thing is counted, if it is on the menu.
    package func setCounting(of thing: StockedThing, to counting: StockCounting, by member: StaffMember) async throws(DatabaseFault) {
        let (remaining, perDay): (Int64?, Int64?) =
            switch counting {
            case .remaining(let count): (count, nil)
            case .perDay(let count): (nil, count)
            case .uncounted: (nil, nil)
            }
        try await execute(
            Self.setCountStatement, .writes, thing.subject, thing.id, remaining, perDay, member.name, member.role.rawValue)
    }

    private static let setCountStatement = Statement(
        "set_count", "select set_count($1, $2, $3::bigint, $4::bigint) from act_as($5, $6)")
}
