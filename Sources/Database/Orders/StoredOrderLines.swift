// Maps the lines of an order to array columns (sql/004_orders.sql): the columns of all lines, plus the charged prices
// and taxes.
import Ordering
import Postgres

/// The lines of one or several orders, as columns.
struct OrderLineColumns: Sendable {
    /// The column names, in the order of reading.
    static let names = """
        \(LineColumns.names), line_kinds, line_titles, line_regular_prices, line_discounts, line_taxes,
        line_sale_titles
        """

    private(set) var lines = LineColumns()
    private var kinds: [String] = []
    private var titles: [String] = []
    private var regularPrices: [Int64] = []
    private(set) var discounts: [Int64] = []
    private var taxes: [Int64] = []
    private var saleTitles: [String?] = []

    init() {}

    var count: Int { lines.count }

    /// Appends the lines of an order, then its sets.
    mutating func append(lines: [OrderLine], sets: [OrderSet]) {
        for line in lines { append(line, of: nil) }
        for set in sets {
            for item in set.items { append(item, of: set) }
        }
    }

    private mutating func append(_ charged: OrderLine, of set: OrderSet?) {
        lines.append(charged.line, of: set?.salesGroupID)
        kinds.append(charged.item.kind.rawValue)
        titles.append(charged.item.title)
        regularPrices.append(charged.item.regularUnitPrice.minorUnits)
        discounts.append(charged.discount.minorUnits)
        taxes.append(charged.tax.minorUnits)
        saleTitles.append(set?.title)
    }

    /// Passes the columns to place_orders.
    func append(to arguments: inout Arguments) {
        lines.append(to: &arguments)
        arguments.append("kinds", kinds)
        arguments.append("titles", titles)
        arguments.append("regular_prices", regularPrices)
        arguments.append("shares", discounts)
        arguments.append("taxes", taxes.contains { $0 != 0 } ? taxes : nil)
        arguments.append("sale_titles", saleTitles.contains { $0 != nil } ? saleTitles : nil)
    }

    /// Reads the columns of one order.
    init(_ row: inout Row) throws(PostgresError) {
        guard let lines = try LineColumns(&row) else { throw .undecodable("an order has no lines") }
        self.lines = lines
        kinds = try row.next()
        titles = try row.next()
        regularPrices = try row.next()
        discounts = try row.next()
        taxes = try row.next([Int64]?.self) ?? Array(repeating: 0, count: lines.count)
        saleTitles = try row.next([String?]?.self) ?? Array(repeating: nil, count: lines.count)
        guard
            [kinds.count, titles.count, regularPrices.count, discounts.count, taxes.count, saleTitles.count].allSatisfy(
                {
                    $0 == lines.count
                })
        else {
            throw .undecodable("an order's lines are incomplete")
        }
    }

    /// The single lines, and the sets.
    func read() throws(PostgresError) -> (lines: [OrderLine], sets: [OrderSet]) {
        let places = lines.lineIndices
        var sets: [OrderSet] = []
        for set in places.sets {
            sets.append(
                OrderSet(
                    salesGroupID: set.sale, title: set.items.first.flatMap { saleTitles[$0] } ?? "",
                    items: try read(set.items)))
        }
        return (try read(places.alone), sets)
    }

    private func read(_ places: [Int]) throws(PostgresError) -> [OrderLine] {
        var found: [OrderLine] = []
        for n in places {
            let line = try lines.line(n)
            guard let kind = MenuItemKind(rawValue: kinds[n]), let regular = Money(minorUnits: regularPrices[n]),
                let discount = Money(minorUnits: discounts[n]), let tax = Money(minorUnits: taxes[n])
            else { throw .undecodable("an order's line \(line.id) is out of range") }
            found.append(
                OrderLine(
                    line, ItemSnapshot(kind: kind, title: titles[n], regularUnitPrice: regular), discount: discount,
                    tax: tax))
        }
        return found
    }
}
