// Has an item or an option counted, or not any more. Called by Shop's StaffDesk; what staff write to item_stock or option_stock in SQL is the same.
// Read next: sql/015_stock.sql.
import Ordering
import Postgres

extension ShopDatabase {
    /// Says how a thing is counted, if it is on the menu.
    package func setCounting(of thing: StockedThing, to counting: StockCounting) async throws(DatabaseFault) {
        let (remaining, perDay): (Int64?, Int64?)
        switch counting {
        case .remaining(let count): (remaining, perDay) = (count, nil)
        case .perDay(let count): (remaining, perDay) = (nil, count)
        case .uncounted:
            switch thing {
            case .item(let id): return try await execute(Self.uncountItemStatement, .writes, id.rawValue)
            case .option(let id): return try await execute(Self.uncountOptionStatement, .writes, id.rawValue)
            }
        }
        switch thing {
        case .item(let id): try await execute(Self.countItemStatement, .writes, id.rawValue, remaining, perDay)
        case .option(let id): try await execute(Self.countOptionStatement, .writes, id.rawValue, remaining, perDay)
        }
    }

    private static let countItemStatement = countStatement("count_item", "item_stock", "menu_item_id", of: "menu_items")
    private static let countOptionStatement = countStatement("count_option", "option_stock", "option_id", of: "options")
    private static let uncountItemStatement = Statement("uncount_item", "delete from item_stock where menu_item_id = $1")
    private static let uncountOptionStatement = Statement("uncount_option", "delete from option_stock where option_id = $1")

    private static func countStatement(_ name: String, _ stock: String, _ column: String, of things: String) -> Statement {
        Statement(
            name,
            """
            insert into \(stock) (\(column), remaining, per_day) select id, $2::bigint, $3::bigint from \(things) where id = $1 and not is_retired
            on conflict (\(column)) do update set remaining = excluded.remaining, per_day = excluded.per_day
            """)
    }
}
