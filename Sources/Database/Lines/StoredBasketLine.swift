// Maps a line of a basket to basket_line (sql/003_baskets.sql). Its options are in an array of their own.
import Ordering
import Postgres

/// A line of a basket without its options.
struct StoredBasketLine: PostgresComposite, Equatable {
    static let compositeName = "basket_line"

    var id: Int64 = 0
    var menuItemID: Int64 = 0
    /// Nil for a single line.
    var salesGroupID: Int64?
    var unitPrice: Int64 = 0
    var quantity: Int32 = 0
    var note: String?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("line_id", &id)
        try record.field("menu_item_id", &menuItemID)
        try record.field("sales_group_id", &salesGroupID)
        try record.field("unit_price", &unitPrice)
        try record.field("quantity", &quantity)
        try record.field("note", &note)
    }
}

extension StoredBasketLine {
    /// - Parameter sale: the sales group of the line's set.
    init(_ line: Line, of sale: SalesGroupID?) {
        self.init(
            id: line.id.rawValue, menuItemID: line.dish.menuItemID.rawValue, salesGroupID: sale?.rawValue,
            unitPrice: line.unitPrice.minorUnits, quantity: Int32(clamping: line.quantity), note: line.dish.note?.text)
    }

    /// The line with its options. Throws if a value is out of range.
    func line(options: [LineOption]) throws(PostgresError) -> Line {
        let kitchenNote = note.flatMap(KitchenNote.init(stored:))
        guard let price = Money(minorUnits: unitPrice), price <= .highestUnitPrice,
            (kitchenNote == nil) == (note == nil), let selection = Selection(options),
            let line = Line(
                id: LineID(rawValue: id),
                dish: Dish(MenuItemID(rawValue: menuItemID), selection: selection, note: kitchenNote),
                quantity: Int(quantity), unitPrice: price, options: options)
        else { throw .undecodable("line \(id) of item \(menuItemID) is out of range") }
        return line
    }
}
