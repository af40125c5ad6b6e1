// The table and the id of a counted item or option, as stored in SQL.
import Ordering

extension StockKey {
    init?(subject: String, id: Int64) {
        switch subject {
        case "menu_items": self = .item(MenuItemID(rawValue: id))
        case "options": self = .option(OptionID(rawValue: id))
        default: return nil
        }
    }

    /// The table of the item or option.
    var subject: String {
        switch self {
        case .item: "menu_items"
        case .option: "options"
        }
    }

    var id: Int64 {
        switch self {
        case .item(let id): id.rawValue
        case .option(let id): id.rawValue
        }
    }
}
