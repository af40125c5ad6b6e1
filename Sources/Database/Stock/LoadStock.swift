// Loads the stock that is left of some items and options on some business days (stock_left in sql/015_stock.sql).
import Ordering
import Postgres

extension ShopDatabase {
    /// Loads the stock for a query. An empty query needs no statement.
    package func loadStock(_ question: StockQuery) async throws(DatabaseFault) -> DailyStock {
        if question.isEmpty { return .untracked }
        var (items, options): ([Int64], [Int64]) = ([], [])
        for thing in question.keys.sorted() {
            switch thing {
            case .item(let id): items.append(id.rawValue)
            case .option(let id): options.append(id.rawValue)
            }
        }
        let moments = question.moments.sorted().map(\.timestamp)
        return try await query(Self.stockLeftStatement, .reads, items, options, moments) {
            try $0.nextDailyStock() ?? .untracked
        }.first ?? .untracked
    }

    private static let stockLeftStatement = Statement("stock_left", "select stock_left($1, $2, $3)")
}
