// Reads the stock counts of stock_left (sql/015_stock.sql).
import Ordering
import Postgres

/// The remaining units of an item or an option.
struct StoredStockCount: PostgresComposite, Equatable {
    static let compositeName = "stock_count"

    var id: Int64 = 0
    var remaining: Int64 = 0
    /// The business day of a daily count; nil for a permanent one.
    var begins: Timestamp?
    var ends: Timestamp?
    var subject = ""

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("id", &id)
        try record.field("remaining", &remaining)
        try record.field("begins", &begins)
        try record.field("ends", &ends)
        try record.field("subject", &subject)
    }
}

extension Row {
    /// Reads the counts; nil if nothing is counted or read.
    mutating func nextStock() throws(PostgresError) -> StockLevels? {
        guard let counts = try nextCounts() else { return nil }
        return StockLevels(Dictionary(counts) { _, last in last })
    }

    /// Reads the counts of several business days; nil if nothing is counted or read.
    mutating func nextDailyStock() throws(PostgresError) -> DailyStock? {
        guard let counts = try nextCounts() else { return nil }
        return DailyStock(Dictionary(grouping: counts, by: \.0).mapValues { $0.map(\.1) })
    }

    /// Reads the counts, one for each business day.
    private mutating func nextCounts() throws(PostgresError) -> [(StockKey, StockCount)]? {
        guard let stored = try next([StoredStockCount]?.self) else { return nil }
        var counts: [(StockKey, StockCount)] = []
        for count in stored {
            guard let thing = StockKey(subject: count.subject, id: count.id) else {
                throw .undecodable("a stock count of \(count.subject)")
            }
            let day = TimeRange(from: count.begins.map(Instant.init), until: count.ends.map(Instant.init))
            counts.append((thing, StockCount(remaining: count.remaining, validity: day)))
        }
        return counts
    }
}
