// The menu of the app as a test fixture. Tests change prices, availability, retirement and options, then build a
// menu.
import Testing

@testable import Ordering

/// Menu rows that a test can change. `menu()` builds a snapshot of the current rows.
struct MenuFixture {
    /// A menu item, as staff enter it.
    struct ItemRow {
        var id: Int64
        var title: String
        var kind: MenuItemKind
        var price: Int64
        var percent: Int?
        var sale: Int64?
        var description = ""
        var tags: [String] = []
        var isAvailable = true
        var soldOutUntil: Instant?
        var isRetired = false
        var position = 0
        var food = FoodInformation.unknown

        init(
            _ id: Int64, _ title: String, _ kind: MenuItemKind, _ price: Int64, _ percent: Int? = nil,
            sale: Int64? = nil
        ) {
            (self.id, self.title, self.kind, self.price, self.percent, self.sale) = (
                id, title, kind, price, percent, sale
            )
            position = Int(id)
        }

        func make() throws -> any MenuItem {
            let facts = MenuItemDetails(
                id: MenuItemID(rawValue: id), category: CategoryID(rawValue: id / 1000 * 100), title: title,
                description: description,
                imageURL: "", price: try #require(Money(minorUnits: price)), tags: tags, isAvailable: isAvailable,
                soldOutUntil: soldOutUntil, isRetired: isRetired, position: position, food: food)
            switch kind {
            case .regular: return RegularItem(facts)
            case .discount: return DiscountItem(facts, salePercent: try #require(percent.flatMap(Percent.init)))
            case .special:
                let percent = try #require(percent.flatMap(Percent.init))
                return SpecialItem(facts, salePercent: percent, salesGroupID: sale.map(SalesGroupID.init(rawValue:)))
            }
        }
    }

    /// A sales group. Without entries it only shows information.
    struct SalesGroupRow {
        var id: Int64
        var title: String
        var entries: [(item: Int64, quantity: Int)] = []
        var isRetired = false

        func make() throws -> SalesGroup {
            let content = try entries.map {
                try #require(SetEntry(menuItemID: MenuItemID(rawValue: $0.item), quantity: $0.quantity))
            }
            return SalesGroup(
                id: SalesGroupID(rawValue: id), title: title, headline: "", description: "", previewImageURL: "",
                backgroundImageURL: "",
                position: Int(id), isRetired: isRetired, content: content.isEmpty ? .information : .set(content))
        }
    }

    /// An option, as staff enter it.
    struct OptionRow {
        var id: Int64
        var price: Int64
        var maximum = 1
        var isDefault = false
        var isAvailable = true
        var soldOutUntil: Instant?
        var isRetired = false
        var groups: [Int64] = []
        var title: String?
        var position: Int?
        var food = FoodInformation.unknown

        func make() throws -> Option {
            let price = try #require(OptionPrice(minorUnits: price))
            return try #require(
                Option(
                    id: OptionID(rawValue: id), title: title ?? "Option \(id)", price: price,
                    maximum: maximum, isDefault: isDefault, isAvailable: isAvailable, soldOutUntil: soldOutUntil,
                    isRetired: isRetired,
                    position: position ?? Int(id), groups: groups.map(OptionGroupID.init(rawValue:)), food: food))
        }
    }

    /// An option group.
    struct OptionGroupRow {
        var id: Int64
        var minimum = 0
        var maximum: Int?
        var included = 0
        var isRetired = false
        var options: [OptionRow]

        func make() throws -> OptionGroup {
            let options = try options.map { try $0.make() }
            return try #require(
                OptionGroup(
                    id: OptionGroupID(rawValue: id), title: "Group \(id)", minimum: minimum, maximum: maximum,
                    included: included,
                    isRetired: isRetired, options: options))
        }
    }

    /// Empty by default. `itemGroups` assigns groups to items.
    var groups: [OptionGroupRow] = []
    var itemGroups: [Int64: [Int64]] = [:]
    var items = [
        ItemRow(1001, "Grill Combo", .regular, 1699), ItemRow(1002, "Grandma Dinner", .special, 1999, 10, sale: 400),
        ItemRow(1003, "Cheese Peasy", .special, 2099, 20, sale: 400),
        ItemRow(1004, "Triospeciality", .discount, 2899, 15),
        ItemRow(1005, "Date Tonight", .discount, 2005, 15), ItemRow(2001, "The Big Tasty", .regular, 805),
        ItemRow(2002, "BBQ Burger", .special, 999, 10, sale: 200), ItemRow(2003, "Cheeseburger", .discount, 999, 10),
        ItemRow(2004, "Chickenburger", .regular, 918), ItemRow(2005, "Patty Melt", .discount, 918, 10),
        ItemRow(3001, "French Fries", .regular, 459), ItemRow(3002, "Village Fries", .regular, 459),
        ItemRow(3003, "Fried Potatoes", .regular, 559),
        ItemRow(4001, "Cola Soda", .regular, 285), ItemRow(4002, "Fanta Soda", .regular, 285),
        ItemRow(4003, "Apple Tea", .regular, 499),
        ItemRow(4004, "Orange Juice", .discount, 405, 10), ItemRow(4005, "Beer", .regular, 699),
        ItemRow(5001, "Tomato Sauce", .regular, 165),
        ItemRow(5002, "BBQ Sauce", .regular, 165), ItemRow(5003, "Mustard Sauce", .regular, 165),
    ]
    var sales = [
        SalesGroupRow(id: 100, title: "Save our kids together"),
        SalesGroupRow(id: 200, title: "Happy Saturday", entries: [(2002, 3)]),
        SalesGroupRow(id: 300, title: "Birthday Especially"),
        SalesGroupRow(id: 400, title: "Hot Chicken Days", entries: [(1002, 1), (1003, 1)]),
        SalesGroupRow(id: 500, title: "Step by step"),
    ]
    var revision: Int64 = 1
    var currency = "USD"
    var terms = ShopTerms()
    var languages = ShopLanguages.english
    var coupons: [PublicCoupon] = []
    var translations = Translations()
    var moment = Instant(microseconds: 1_789_574_400_000_000)

    /// Changes the item with this id.
    mutating func changeItem(_ id: Int64, _ body: (inout ItemRow) -> Void) {
        for index in items.indices where items[index].id == id { body(&items[index]) }
    }

    /// Changes the group with this id.
    mutating func changeGroup(_ id: Int64, _ body: (inout OptionGroupRow) -> Void) {
        for index in groups.indices where groups[index].id == id { body(&groups[index]) }
    }

    /// Changes the option with this id.
    mutating func changeOption(_ id: Int64, _ body: (inout OptionRow) -> Void) {
        for group in groups.indices {
            for index in groups[group].options.indices where groups[group].options[index].id == id {
                body(&groups[group].options[index])
            }
        }
    }

    private struct NoSuchCurrency: Error { let code: String }

    private static func currency(_ code: String) throws -> Currency {
        guard let currency = Currency(code) else { throw NoSuchCurrency(code: code) }
        return currency
    }

    func menu() throws -> Menu {
        let titles = [100: "Combo", 200: "Burgers", 300: "Fries", 400: "Beverages", 500: "Sauces"]
        return Menu(
            revision: revision, currency: try MenuFixture.currency(currency), defaultCountry: "US",
            timeZone: "America/New_York", terms: terms,
            languages: languages,
            categories: titles.map {
                Category(id: CategoryID(rawValue: Int64($0)), title: $1, imageURL: "", position: $0)
            },
            items: try items.map { try $0.make() }, sales: try sales.map { try $0.make() }, coupons: coupons,
            optionGroups: try groups.map { try $0.make() },
            itemOptionGroups: Dictionary(
                uniqueKeysWithValues: itemGroups.map {
                    (MenuItemID(rawValue: $0), $1.map(OptionGroupID.init(rawValue:)))
                }),
            translations: translations, at: moment)
    }
}

extension Basket {
    /// An empty basket whose id is derived from `number`.
    static func empty(_ number: UInt64 = 1) -> Basket {
        Basket(id: .make(now: Instant(microseconds: 1_700_000_000_000_000), random: (number, number)), currency: "USD")
    }

    /// The basket after all the changes. Throws if a change is rejected.
    func after(_ changes: [BasketChange], _ menu: Menu) throws -> Basket {
        try changes.reduce(self) { try $0.applying($1, menu: menu).get() }
    }
}

extension MenuItemID: ExpressibleByIntegerLiteral {
    /// An id as a literal in a test.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension SalesGroupID: ExpressibleByIntegerLiteral {
    /// An id as a literal in a test.
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension CurrencyCode: ExpressibleByStringLiteral {
    /// A code as a literal in a test.
    public init(stringLiteral text: String) {
        guard let code = CurrencyCode(text) else { preconditionFailure("not a currency code: \(text)") }
        self = code
    }
}
