// Maps a basket to write to basket_write (sql/005_write_baskets.sql).
import FoundationEssentials
import Ordering
import Postgres

/// A basket as `write_baskets` receives it.
struct BasketWriteRecord: PostgresComposite, Equatable {
    static let compositeName = "basket_write"

    var id = UUID.zero
    /// Nil for a new basket.
    var readVersion: Int64?
    var version: Int64 = 0
    var linesMade: Int64 = 0
    var lines: [StoredBasketLine] = []
    var options: [StoredOption]?
    var removedItems: [RemovedItem]?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("id", &id)
        try record.field("read_version", &readVersion)
        try record.field("version", &version)
        try record.field("lines_made", &linesMade)
        try record.field("lines", &lines)
        try record.field("options", &options)
        try record.field("removed_items", &removedItems)
    }
}

extension BasketWriteRecord {
    init(_ write: BasketWrite) {
        let basket = write.basket
        var lines: [StoredBasketLine] = []
        var options: [StoredOption] = []
        var removedItems: [RemovedItem] = []
        func append(_ line: Line, of sale: SalesGroupID?) {
            lines.append(StoredBasketLine(line, of: sale))
            options.append(line.options, ofLine: lines.count)
        }
        for line in basket.lines { append(line, of: nil) }
        for set in basket.sets {
            let sale = set.salesGroupID
            for item in set.items { append(item, of: sale) }
            for item in set.removedItems {
                removedItems.append(RemovedItem(salesGroupID: sale.rawValue, menuItemID: item.rawValue))
            }
        }
        self.init(
            id: basket.id.uuid, readVersion: write.readVersion, version: basket.version,
            linesMade: basket.createdLineCount, lines: lines, options: options.nilIfEmpty,
            removedItems: removedItems.nilIfEmpty)
    }
}

/// An item that the guest removed from the set of a sales group: `removed_item` (sql/003_baskets.sql).
struct RemovedItem: PostgresComposite, Equatable {
    static let compositeName = "removed_item"

    var salesGroupID: Int64 = 0
    var menuItemID: Int64 = 0

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("sales_group_id", &salesGroupID)
        try record.field("menu_item_id", &menuItemID)
    }
}
