// Maps a basket to its row (sql/003_baskets.sql).
import FoundationEssentials
import Ordering
import Postgres

extension LineColumns {
    /// Appends the lines of a basket, then its sets.
    mutating func append(_ basket: Basket) {
        for line in basket.lines { append(line, of: nil) }
        for set in basket.sets {
            for item in set.items { append(item, of: set.salesGroupID) }
        }
    }
}

extension Row {
    /// The columns that `nextBasket` reads.
    static let basketColumns = """
        baskets.id, baskets.state, baskets.version, baskets.currency, lines_made, \(LineColumns.names)
        """

    /// Reads the columns of a basket; nil if all are null. Omits removed items, which only changes of the basket need.
    mutating func nextBasket() throws(PostgresError) -> Basket? {
        let id = try next(UUID?.self)
        let state = try next(String?.self)
        let version = try next(Int64?.self)
        let currency = try next(String?.self)
        let linesMade = try next(Int64?.self)
        guard let columns = try LineColumns(&self), let id, let version, let linesMade else { return nil }
        guard let state = state.flatMap(BasketState.init), let currency = currency.flatMap(CurrencyCode.init(_:)) else {
            throw .undecodable("basket \(id) is incomplete")
        }
        var lines: [Line] = []
        var sets: [BasketSet] = []
        let places = columns.lineIndices
        for n in places.alone { lines.append(try columns.line(n)) }
        for set in places.sets {
            var items: [Line] = []
            for n in set.items { items.append(try columns.line(n)) }
            sets.append(BasketSet(salesGroupID: set.sale, items: items))
        }
        return Basket(
            id: BasketID(id), state: state, version: version, currency: currency, createdLineCount: linesMade,
            lines: lines, sets: sets)
    }
}
