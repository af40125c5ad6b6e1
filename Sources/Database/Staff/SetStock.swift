// Counts an item or an option, or counts it no longer, for staff; what they write of `item_stock` and `option_stock` in SQL is the same.
// The tables are in sql/015_stock.sql, which also writes each change into the ledger.
import Ordering
import Postgres

extension ShopDatabase {
    /// Says how many there are of a thing; nil: it is not counted any more. A thing that is not there is a fault of `values`, and so is a number
    /// that is no count.
    package func setStock(of thing: StockedThing, to mark: CountMark?) async throws(DatabaseFault) {
        var (remaining, perDay): (Int64?, Int64?)
        switch mark {
        case .remaining(let count): remaining = count
        case .perDay(let count): perDay = count
        case nil:
            switch thing {
            case .item(let id): try await execute(Self.forgetItemStatement, .writes, id.rawValue)
            case .option(let id): try await execute(Self.forgetOptionStatement, .writes, id.rawValue)
            }
            return
        }
        switch thing {
        case .item(let id): try await execute(Self.countItemStatement, .writes, id.rawValue, remaining, perDay)
        case .option(let id): try await execute(Self.countOptionStatement, .writes, id.rawValue, remaining, perDay)
        }
    }

    private static let countItemStatement = Statement(
        "count_item",
        """
        insert into item_stock (menu_item_id, remaining, per_day) values ($1, $2, $3)
        on conflict (menu_item_id) do update set remaining = excluded.remaining, per_day = excluded.per_day
        """)
    private static let countOptionStatement = Statement(
        "count_option",
        """
        insert into option_stock (option_id, remaining, per_day) values ($1, $2, $3)
        on conflict (option_id) do update set remaining = excluded.remaining, per_day = excluded.per_day
        """)
    private static let forgetItemStatement = Statement("forget_item_stock", "delete from item_stock where menu_item_id = $1")
    private static let forgetOptionStatement = Statement("forget_option_stock", "delete from option_stock where option_id = $1")
}
