// Reads a basket from its row (sql/003_baskets.sql).
import FoundationEssentials
import Ordering
import Postgres

extension Row {
    /// The columns that `nextBasket` reads.
    static let basketColumns = """
        baskets.id, baskets.state, baskets.version, baskets.currency, lines_made, baskets.lines, baskets.options
        """

    /// Reads the columns of a basket; nil if all are null. Omits removed items, which only changes of the basket need.
    mutating func nextBasket() throws(PostgresError) -> Basket? {
        let id = try next(UUID?.self)
        let state = try next(String?.self)
        let version = try next(Int64?.self)
        let currency = try next(String?.self)
        let linesMade = try next(Int64?.self)
        let stored = try next([StoredBasketLine]?.self)
        let options = try StoredOption.trees(next([StoredOption]?.self), lineCount: stored?.count ?? 0)
        guard let id, let version, let linesMade, let stored else { return nil }
        guard let state = state.flatMap(BasketState.init), let currency = currency.flatMap(CurrencyCode.init(_:)) else {
            throw .undecodable("basket \(id) is incomplete")
        }
        var lines: [Line] = []
        for (line, options) in zip(stored, options) { lines.append(try line.line(options: options)) }
        let groups = LineGroups(stored.map { $0.salesGroupID.map(SalesGroupID.init(rawValue:)) })
        return Basket(
            id: BasketID(id), state: state, version: version, currency: currency, createdLineCount: linesMade,
            lines: groups.single.map { lines[$0] },
            sets: groups.sets.map { set in BasketSet(salesGroupID: set.sale, items: set.lines.map { lines[$0] }) })
    }
}
