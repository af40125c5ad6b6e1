// Starts or stops counting the stock of an item or option, like writes to item_stock or option_stock in SQL.
import Ordering
import Postgres

extension ShopDatabase {
    /// Sets how an item or option is counted, if it is not retired.
    package func setStockPolicy(of thing: StockKey, to counting: StockPolicy, by member: StaffMember)
        async throws(DatabaseFault)
    {
        let (remaining, perDay): (Int64?, Int64?) =
            switch counting {
            case .remaining(let count): (count, nil)
            case .perDay(let count): (nil, count)
            case .uncounted: (nil, nil)
            }
        try await execute(
            adjusted(Self.setCountStatement), .writes, thing.subject, thing.id, remaining, perDay, member.name,
            member.role.rawValue)
    }

    private static let setCountStatement = Statement(
        "set_count", "select set_count($1, $2, $3::bigint, $4::bigint) from act_as($5, $6)")
}
