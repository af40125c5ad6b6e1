// Maps a removed item to removed_item (sql/003_baskets.sql).
import Postgres

/// An item that the guest removed from the set of a sales group.
struct RemovedItem: PostgresComposite, Equatable {
    static let compositeName = "removed_item"

    var salesGroupID: Int64 = 0
    var menuItemID: Int64 = 0

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("sales_group_id", &salesGroupID)
        try record.field("menu_item_id", &menuItemID)
    }
}
