// How a basket lies in its row: four arrays of equal length, a line where the sale is 0, an item of that sale's set elsewhere.
// Used by LoadBaskets, WriteBaskets and the checkout's facts. The table is in sql/003_baskets.sql.
import FoundationEssentials
import Ordering
import Postgres

/// The entries of a basket, as columns.
struct StoredEntries: Sendable {
    var sales: [Int64] = []
    var items: [Int64] = []
    var quantities: [Int32] = []
    var prices: [Int64] = []

    var count: Int { items.count }

    /// Adds a basket's lines, then its sets.
    mutating func append(_ basket: Basket) {
        for line in basket.lines { append(line, sale: 0) }
        for set in basket.sets {
            for item in set.items { append(item, sale: set.salesGroupID.rawValue) }
        }
    }

    private mutating func append(_ line: BasketLine, sale: Int64) {
        sales.append(sale)
        items.append(line.menuItemID.rawValue)
        quantities.append(Int32(line.quantity))
        prices.append(line.recordedPrice.minorUnits)
    }
}

extension Row {
    /// The columns `id, state, version, entry_sales, entry_items, entry_quantities, entry_prices, currency`, all null where there is no basket.
    mutating func nextBasket() throws(PostgresError) -> Basket? {
        let id = try next(UUID?.self)
        let state = try next(String?.self)
        let version = try next(Int64?.self)
        let sales = try next([Int64]?.self)
        let items = try next([Int64]?.self)
        let quantities = try next([Int32]?.self)
        let prices = try next([Int64]?.self)
        let currency = try next(String?.self)
        guard let id, let version, let sales, let items, let quantities, let prices, let currency else { return nil }
        guard let state = state.flatMap(BasketState.init), let currency = CurrencyCode(currency), sales.count == items.count,
            items.count == quantities.count,
            items.count == prices.count
        else { throw .undecodable("basket \(id) is not whole") }

        var lines: [BasketLine] = []
        var sets: [(sale: Int64, items: [BasketLine])] = []
        for index in items.indices {
            guard let price = Money(minorUnits: prices[index]),
                let line = BasketLine(
                    menuItemID: MenuItemID(rawValue: items[index]), quantity: Int(quantities[index]), recordedPrice: price)
            else { throw .undecodable("basket \(id) has an entry out of range") }
            if sales[index] == 0 {
                lines.append(line)
            } else if sets.last?.sale == sales[index] {
                sets[sets.count - 1].items.append(line)
            } else {
                sets.append((sales[index], [line]))
            }
        }
        return Basket(
            id: BasketID(id), state: state, version: version, currency: currency, lines: lines,
            sets: sets.map { BasketSet(salesGroupID: SalesGroupID(rawValue: $0.sale), items: $0.items) })
    }
}
