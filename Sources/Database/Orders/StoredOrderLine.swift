// Maps the lines of an order to order_line (sql/004_orders.sql). Their options are a second column (StoredOption).
import Ordering
import Postgres

/// A line of an order.
struct StoredOrderLine: PostgresComposite, Equatable {
    static let compositeName = "order_line"

    var lineID: Int64 = 0
    var menuItemID: Int64 = 0
    /// The sales group of the line's set; nil for a single line.
    var salesGroupID: Int64?
    var regularUnitPrice: Int64 = 0
    var unitPrice: Int64 = 0
    var discount: Int64 = 0
    /// Nil in all lines of an order whose lines have no tax.
    var tax: Int64?
    var quantity: Int32 = 0
    var kind = ""
    var title = ""
    /// The title of the line's set; nil for a single line.
    var saleTitle: String?
    var note: String?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("line_id", &lineID)
        try record.field("menu_item_id", &menuItemID)
        try record.field("sales_group_id", &salesGroupID)
        try record.field("regular_unit_price", &regularUnitPrice)
        try record.field("unit_price", &unitPrice)
        try record.field("discount", &discount)
        try record.field("tax", &tax)
        try record.field("quantity", &quantity)
        try record.field("kind", &kind)
        try record.field("title", &title)
        try record.field("sale_title", &saleTitle)
        try record.field("note", &note)
    }
}

extension StoredOrderLine {
    /// Returns the single lines of an order, then the lines of its sets, and the options of all these lines.
    static func columns(lines: [OrderLine], sets: [OrderSet]) -> (lines: [StoredOrderLine], options: [StoredOption]) {
        let isTaxed = lines.contains { $0.tax != .zero } || sets.contains { $0.items.contains { $0.tax != .zero } }
        var stored: [StoredOrderLine] = []
        var options: [StoredOption] = []
        stored.reserveCapacity(sets.reduce(lines.count) { $0 + $1.items.count })
        func append(_ charged: OrderLine, of set: OrderSet?) {
            stored.append(StoredOrderLine(charged, of: set, isTaxed: isTaxed))
            options.append(charged.line.options, ofLine: stored.count)
        }
        for line in lines { append(line, of: nil) }
        for set in sets {
            for item in set.items { append(item, of: set) }
        }
        return (stored, options)
    }

    private init(_ charged: OrderLine, of set: OrderSet?, isTaxed: Bool) {
        self.init(
            lineID: charged.line.id.rawValue, menuItemID: charged.line.dish.menuItemID.rawValue,
            salesGroupID: set?.salesGroupID.rawValue, regularUnitPrice: charged.item.regularUnitPrice.minorUnits,
            unitPrice: charged.line.unitPrice.minorUnits, discount: charged.discount.minorUnits,
            tax: isTaxed ? charged.tax.minorUnits : nil, quantity: Int32(clamping: charged.line.quantity),
            kind: charged.item.kind.rawValue, title: charged.item.title, saleTitle: set?.title,
            note: charged.line.dish.note?.text)
    }

    /// The line with these options. Throws if a value is out of range.
    fileprivate func line(options: [LineOption]) throws(PostgresError) -> OrderLine {
        // These fields have the same rules in a basket.
        let stored = StoredBasketLine(
            id: lineID, menuItemID: menuItemID, unitPrice: unitPrice, quantity: quantity, note: note)
        guard let kind = MenuItemKind(rawValue: kind), let regularUnitPrice = Money(minorUnits: regularUnitPrice),
            let discount = Money(minorUnits: discount), let tax = Money(minorUnits: tax ?? 0)
        else { throw .undecodable("an order's line \(lineID) is out of range") }
        return OrderLine(
            try stored.line(options: options),
            ItemSnapshot(kind: kind, title: title, regularUnitPrice: regularUnitPrice), discount: discount, tax: tax)
    }
}

extension Row {
    /// Reads the columns `lines` and `options` of an order: its single lines, and its sets.
    mutating func nextOrderLines() throws(PostgresError) -> (lines: [OrderLine], sets: [OrderSet]) {
        let stored = try next([StoredOrderLine].self)
        let options = try StoredOption.trees(try next([StoredOption]?.self), lineCount: stored.count)
        func lines(at indices: [Int]) throws(PostgresError) -> [OrderLine] {
            var lines: [OrderLine] = []
            for index in indices { lines.append(try stored[index].line(options: options[index])) }
            return lines
        }
        let groups = LineGroups(stored.map { $0.salesGroupID.map(SalesGroupID.init(rawValue:)) })
        var sets: [OrderSet] = []
        for set in groups.sets {
            let title = set.lines.first.flatMap { stored[$0].saleTitle } ?? ""
            sets.append(OrderSet(salesGroupID: set.sale, title: title, items: try lines(at: set.lines)))
        }
        return (try lines(at: groups.single), sets)
    }
}
