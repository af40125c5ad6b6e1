// Maps lines to the array columns of baskets and orders: first single lines, then the lines of each set with its sales
// group.
import Ordering
import Postgres

/// The lines of one or several baskets or orders, as columns.
struct LineColumns: Sendable {
    /// The column names, in the order of reading.
    static let names = "line_sales, line_ids, line_items, line_quantities, line_prices, line_notes, line_options"

    /// The sales group of the line's set; 0 for a single line.
    private(set) var sales: [Int64] = []
    private var ids: [Int64] = []
    private var items: [Int64] = []
    private(set) var quantities: [Int32] = []
    private(set) var prices: [Int64] = []
    private var notes: [String?] = []
    private var options: [JSONB?] = []

    init() {}

    var count: Int { items.count }

    mutating func append(_ line: Line, of sale: SalesGroupID?) {
        sales.append(sale?.rawValue ?? 0)
        ids.append(line.id.rawValue)
        items.append(line.dish.menuItemID.rawValue)
        quantities.append(Int32(line.quantity))
        prices.append(line.unitPrice.minorUnits)
        notes.append(line.dish.note?.text)
        options.append(JSONB(line.options))
    }

    /// Passes the columns to write_baskets or place_orders.
    func append(to arguments: inout Arguments) {
        arguments.append("sales", sales)
        arguments.append("line_numbers", ids)
        arguments.append("items", items)
        arguments.append("quantities", quantities)
        arguments.append("prices", prices)
        // Most batches have no notes and no options. Passing null costs no time.
        arguments.append("notes", notes.contains { $0 != nil } ? notes : nil)
        arguments.append("options", options.contains { $0 != nil } ? options : nil)
    }

    /// Reads the columns; nil if they are null, because the row does not exist.
    init?(_ row: inout Row) throws(PostgresError) {
        let sales = try row.next([Int64]?.self)
        let ids = try row.next([Int64]?.self)
        let items = try row.next([Int64]?.self)
        let quantities = try row.next([Int32]?.self)
        let prices = try row.next([Int64]?.self)
        let notes = try row.next([String?]?.self)
        let options = try row.next([JSONB?]?.self)
        guard let sales, let ids, let items, let quantities, let prices else { return nil }
        self.notes = notes ?? Array(repeating: nil, count: items.count)
        self.options = options ?? Array(repeating: nil, count: items.count)
        guard
            [sales.count, ids.count, quantities.count, prices.count, self.notes.count, self.options.count].allSatisfy({
                $0 == items.count
            })
        else {
            throw .undecodable("lines are incomplete")
        }
        (self.sales, self.ids, self.items, self.quantities, self.prices) = (sales, ids, items, quantities, prices)
    }

    func line(_ n: Int) throws(PostgresError) -> Line {
        let note = notes[n].flatMap(KitchenNote.init(stored:))
        let options = try options[n]?.options() ?? []
        guard let price = Money(minorUnits: prices[n]), (note == nil) == (notes[n] == nil),
            let selection = Selection(options),
            let line = Line(
                id: LineID(rawValue: ids[n]),
                dish: Dish(MenuItemID(rawValue: items[n]), selection: selection, note: note),
                quantity: Int(quantities[n]), unitPrice: price, options: options)
        else { throw .undecodable("line \(ids[n]) of item \(items[n]) is out of range") }
        return line
    }

    /// The indices of the single lines, and those of each set.
    var lineIndices: (alone: [Int], sets: [(sale: SalesGroupID, items: [Int])]) {
        var alone: [Int] = []
        var sets: [(sale: SalesGroupID, items: [Int])] = []
        for (n, sale) in sales.enumerated() {
            if sale == 0 {
                alone.append(n)
            } else if sets.last?.sale.rawValue == sale {
                sets[sets.count - 1].items.append(n)
            } else {
                sets.append((SalesGroupID(rawValue: sale), [n]))
            }
        }
        return (alone, sets)
    }
}
