// How an order's lines lie in its row: nine arrays of equal length, the lines first, then the items of each set with the set's id and title.
// Written by PlaceOrders for all orders of a batch, read by LoadOrders. The columns and the checks that they add up are in sql/004_orders.sql.
import Ordering
import Postgres

/// Lines of one order or several, as columns.
struct StoredLines: Sendable {
    private(set) var items: [Int64] = []
    private(set) var kinds: [String] = []
    private(set) var titles: [String] = []
    private(set) var quantities: [Int32] = []
    private(set) var regularPrices: [Int64] = []
    private(set) var prices: [Int64] = []
    private(set) var discounts: [Int64] = []
    /// 0 for a line that stands alone.
    private(set) var sales: [Int64] = []
    private(set) var saleTitles: [String?] = []

    /// No lines yet.
    init() {}

    var count: Int { items.count }

    /// Adds an order's lines, then its sets.
    mutating func append(lines: [OrderLine], sets: [OrderSet]) {
        for line in lines { append(line, of: nil) }
        for set in sets {
            for item in set.items { append(item, of: set) }
        }
    }

    private mutating func append(_ line: OrderLine, of set: OrderSet?) {
        items.append(line.menuItemID.rawValue)
        kinds.append(line.kind.rawValue)
        titles.append(line.title)
        quantities.append(Int32(line.quantity))
        regularPrices.append(line.regularUnitPrice.minorUnits)
        prices.append(line.unitPrice.minorUnits)
        discounts.append(line.discount.minorUnits)
        sales.append(set?.salesGroupID.rawValue ?? 0)
        saleTitles.append(set?.title)
    }
}

extension Row {
    /// The nine columns `line_*` of one order.
    mutating func nextLines() throws(PostgresError) -> (lines: [OrderLine], sets: [OrderSet]) {
        let items = try next([Int64].self)
        let kinds = try next([String].self)
        let titles = try next([String].self)
        let quantities = try next([Int32].self)
        let regularPrices = try next([Int64].self)
        let prices = try next([Int64].self)
        let discounts = try next([Int64].self)
        let sales = try next([Int64].self)
        let saleTitles = try next([String?].self)
        let counts = [
            kinds.count, titles.count, quantities.count, regularPrices.count, prices.count, discounts.count, sales.count, saleTitles.count,
        ]
        guard counts.allSatisfy({ $0 == items.count }) else { throw .undecodable("an order's lines are not whole") }

        var lines: [OrderLine] = []
        var sets: [(sale: Int64, title: String, items: [OrderLine])] = []
        for index in items.indices {
            guard let kind = MenuItemKind(rawValue: kinds[index]), let regular = Money(minorUnits: regularPrices[index]),
                let unit = Money(minorUnits: prices[index]), let discount = Money(minorUnits: discounts[index])
            else { throw .undecodable("an order's line of item \(items[index]) is out of range") }
            let line = OrderLine(
                menuItemID: MenuItemID(rawValue: items[index]), kind: kind, title: titles[index], quantity: Int(quantities[index]),
                regularUnitPrice: regular, unitPrice: unit, discount: discount)
            if sales[index] == 0 {
                lines.append(line)
            } else if sets.last?.sale == sales[index] {
                sets[sets.count - 1].items.append(line)
            } else {
                sets.append((sales[index], saleTitles[index] ?? "", [line]))
            }
        }
        return (lines, sets.map { OrderSet(salesGroupID: SalesGroupID(rawValue: $0.sale), title: $0.title, items: $0.items) })
    }
}
