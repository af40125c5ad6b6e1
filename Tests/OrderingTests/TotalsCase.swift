// A shop and its orders as JSON from Tests/Tools/Totals/cases.py, converted to a menu, a basket and a form.
import FoundationEssentials

@testable import Ordering

/// A shop and its orders. The members have the names of cases.py.
struct TotalsCase: Decodable {
    struct OptionRow: Decodable {
        var id: Int64
        var price: Int64
    }

    struct OptionGroupRow: Decodable {
        var id: Int64
        var included: Int
        var options: [OptionRow]
    }

    struct Item: Decodable {
        var id: Int64
        var category: Int64
        var price: Int64
        var salePercent: Int?
        var groups: [OptionGroupRow]
    }

    struct SalesGroupRow: Decodable {
        var id: Int64
        /// Pairs of an item and its quantity.
        var items: [[Int64]]
    }

    struct Area: Decodable {
        var id: Int64
        var priority: Int
        var postcodes: [String]
        var isActive: Bool
        var minimum: Int64
        /// Pairs of a subtotal and the fee from that subtotal on.
        var fees: [[Int64]]
    }

    struct Terms: Decodable {
        var smallOrderBelow: Int64
        var smallOrderFee: Int64
        var servicePercent: String?
        var serviceAmount: Int64?
    }

    struct TaxRate: Decodable {
        var id: Int64
        var percent: String
    }

    /// `[category, fulfilment or null, rate]`
    struct CategoryTax: Decodable {
        var category: Int64
        var fulfilment: String?
        var rate: Int64

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            category = try list.decode(Int64.self)
            fulfilment = try list.decode(String?.self)
            rate = try list.decode(Int64.self)
        }
    }

    struct FeeRates: Decodable {
        var delivery, smallOrder, service: Int64?
    }

    struct InvalidCase: Error { let description: String }

    var currency: String
    var items: [Item]
    var sales: [SalesGroupRow]
    var areas: [Area]
    var terms: [String: Terms]
    var tipLimitPercent: Int
    var areIncluded: Bool
    var rates: [TaxRate]
    var categoryTaxes: [CategoryTax]
    var feeRates: FeeRates
    var orders: [TotalsOrder]

    /// The menu of the shop.
    func menu() throws -> Menu {
        var groups: [Int64: OptionGroup] = [:]
        for group in items.flatMap(\.groups) where groups[group.id] == nil { groups[group.id] = try group.make() }
        return Menu(
            revision: 1, currency: try require(Currency(currency), currency), defaultCountry: "US", timeZone: "UTC",
            terms: try shopTerms(),
            categories: Set(items.map(\.category)).map {
                Category(id: CategoryID(rawValue: $0), title: "", imageURL: "", position: 0)
            },
            items: try items.map { try $0.make() }, sales: try sales.map { try $0.make() }, coupons: [],
            optionGroups: Array(groups.values),
            itemOptionGroups: Dictionary(
                uniqueKeysWithValues: items.map { item in
                    (MenuItemID(rawValue: item.id), item.groups.map { OptionGroupID(rawValue: $0.id) })
                }), at: TotalsOrder.now)
    }

    private func shopTerms() throws -> ShopTerms {
        let taxes = TaxTerms(
            rates: try rates.map {
                Ordering.TaxRate(id: $0.id, title: "Rate \($0.id)", percent: try Rate(percent: $0.percent))
            },
            categories: try categoryTaxes.map { row in
                let fulfilment = try row.fulfilment.map { try require(Fulfilment(rawValue: $0), $0) }
                return Ordering.CategoryTax(CategoryID(rawValue: row.category), fulfilment, rate: row.rate)
            }, pricesIncludeTax: areIncluded, deliveryRate: feeRates.delivery, smallOrderRate: feeRates.smallOrder,
            serviceRate: feeRates.service)
        return ShopTerms(
            tipLimitPercent: tipLimitPercent, delivery: try require(terms["delivery"], "terms").make(),
            pickup: try require(terms["pickup"], "terms").make(), areas: DeliveryAreas(try areas.map { try $0.make() }),
            taxes: taxes)
    }
}

/// The value, or an error if it is nil.
private func require<Value>(_ value: Value?, _ description: @autoclosure () -> String) throws -> Value {
    guard let value else { throw TotalsCase.InvalidCase(description: description()) }
    return value
}

private func money(_ minorUnits: Int64) throws -> Money { try require(Money(minorUnits: minorUnits), "\(minorUnits)") }

extension Rate {
    /// Parses `8.875`.
    fileprivate init(percent text: String) throws {
        let parts = text.split(separator: ".")
        let decimals = parts.dropFirst().first ?? ""
        let zeros = String(repeating: "0", count: max(0, 4 - decimals.count))
        self = try require(Int64(parts[0] + decimals + zeros).flatMap(Rate.init), text)
    }
}

extension TotalsCase.OptionGroupRow {
    fileprivate func make() throws -> OptionGroup {
        let options = try options.enumerated().map { index, choice in
            try require(
                Option(
                    id: OptionID(rawValue: choice.id), title: "",
                    price: try require(OptionPrice(minorUnits: choice.price), "price"),
                    maximum: 3,
                    position: index), "option \(choice.id)")
        }
        return try require(
            OptionGroup(
                id: OptionGroupID(rawValue: id), title: "", minimum: 0, maximum: nil, included: included,
                isRetired: false,
                options: options), "group \(id)")
    }
}

extension TotalsCase.Item {
    fileprivate func make() throws -> any MenuItem {
        let facts = MenuItemDetails(
            id: MenuItemID(rawValue: id), category: CategoryID(rawValue: category), title: "", description: "",
            imageURL: "",
            price: try money(price), tags: [], isAvailable: true, isRetired: false, position: 0)
        return try salePercent.map { DiscountItem(facts, salePercent: try require(Percent($0), "percent")) }
            ?? RegularItem(facts)
    }
}

extension TotalsCase.SalesGroupRow {
    fileprivate func make() throws -> SalesGroup {
        let entries = try items.map { entry in
            try require(SetEntry(menuItemID: MenuItemID(rawValue: entry[0]), quantity: Int(entry[1])), "set \(id)")
        }
        return SalesGroup(
            id: SalesGroupID(rawValue: id), title: "", headline: "", description: "", previewImageURL: "",
            backgroundImageURL: "",
            position: 0,
            isRetired: false, content: .set(entries))
    }
}

extension TotalsCase.Area {
    fileprivate func make() throws -> DeliveryArea {
        DeliveryArea(
            id: id, title: "", priority: priority,
            postcodes: try postcodes.map { try require(PostcodePattern($0), $0) },
            minimumSubtotal: try money(minimum), isActive: isActive,
            fees: try fees.map { DeliveryFee(from: try money($0[0]), fee: try money($0[1])) })
    }
}

extension TotalsCase.Terms {
    fileprivate func make() throws -> FulfilmentTerms {
        FulfilmentTerms(
            smallOrderBelow: try money(smallOrderBelow), smallOrderFee: try money(smallOrderFee),
            serviceCharge: ServiceCharge(
                percent: try servicePercent.map { try Rate(percent: $0) }, amount: try money(serviceAmount ?? 0)))
    }
}
