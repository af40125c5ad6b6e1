// What is left of some things on some business days, as stock_left tells it (sql/015_stock.sql). Called by Shop's ShopTimes, and by CheckoutQueue for what
// is offered instead of a full slot. Read next: Ordering's StockOfDays, StoredStock.swift.
import Ordering
import Postgres

extension ShopDatabase {
    /// The answer to a question.
    package func loadStock(_ question: StockQuestion) async throws(DatabaseFault) -> StockOfDays {
        var (items, options): ([Int64], [Int64]) = ([], [])
        for thing in question.things.sorted() {
            switch thing {
            case .item(let id): items.append(id.rawValue)
            case .option(let id): options.append(id.rawValue)
            }
        }
        let moments = question.moments.sorted().map(\.timestamp)
        let counts = try await query(Self.stockLeftStatement, .reads, items, options, moments) { row throws(PostgresError) in
            try row.nextCounts() ?? []
        }.joined()
        return StockOfDays(Dictionary(grouping: counts, by: \.0).mapValues { $0.map(\.1) })
    }

    private static let stockLeftStatement = Statement("stock_left", "select stock_left($1, $2, $3)")
}
