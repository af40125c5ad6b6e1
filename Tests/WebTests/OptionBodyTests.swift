// Tests the JSON of options and selections, with a menu that is built in memory. OptionTests cover them over HTTP.

import Foundation
import Ordering
import Testing
import Wire

@testable import Web

@Suite("The JSON of options")
struct OptionBodyTests {
    private let menu: Menu

    init() throws {
        let now = Instant(microseconds: 1_790_000_000_000_000)
        func option(
            _ id: Int64, _ title: String, _ price: Int64, isDefault: Bool = false, isAvailable: Bool = true,
            until: Instant? = nil,
            isRetired: Bool = false, maximum: Int = 1, groups: [Int64] = []
        ) throws -> Ordering.Option {
            let price = try #require(OptionPrice(minorUnits: price))
            let option = Ordering.Option(
                id: OptionID(rawValue: id), title: title, price: price, maximum: maximum, isDefault: isDefault,
                isAvailable: isAvailable, soldOutUntil: until, isRetired: isRetired, position: Int(id),
                groups: groups.map(OptionGroupID.init(rawValue:)))
            return try #require(option)
        }
        let extraOptions = [
            try option(9102, "Cheese", 150, maximum: 2, groups: [92]),
            try option(9101, "No onions", -50, isDefault: true),
            try option(9103, "Egg", 100, until: now.advanced(by: .seconds(60))),
            try option(9104, "Gone", 1, isRetired: true),
        ]
        let extras = try #require(
            OptionGroup(
                id: OptionGroupID(rawValue: 91), title: "Extras", maximum: 3, included: 1, options: extraOptions))
        let cheeses = [try option(9201, "Old", 30), try option(9202, "Young", 0, isAvailable: false)]
        let kinds = try #require(
            OptionGroup(id: OptionGroupID(rawValue: 92), title: "Kind", minimum: 1, maximum: 1, options: cheeses))
        let nutrition = try #require(Nutrition(kilojoules: 2000, salt: 900))
        let price = try #require(Money(minorUnits: 805))
        func item(_ id: Int64) throws -> RegularItem {
            let food = try #require(
                FoodInformation(
                    contains: [.gluten, .milk], mayContain: [.nuts], allergensAreKnown: true, diets: [.vegetarian],
                    nutrition: nutrition,
                    minimumAge: id == 2003 ? 0 : 18))
            return RegularItem(
                MenuItemDetails(
                    id: MenuItemID(rawValue: id), category: CategoryID(rawValue: 200), title: "Burger", description: "",
                    imageURL: "",
                    price: price, tags: [], isAvailable: true, isRetired: false, position: Int(id), food: food))
        }
        menu = Menu(
            revision: 1, currency: try #require(Currency("USD")), defaultCountry: "US", timeZone: "America/New_York",
            categories: [], items: [try item(2001), try item(2002), try item(2003)], sales: [], coupons: [],
            optionGroups: [extras, kinds],
            itemOptionGroups: [
                MenuItemID(rawValue: 2001): [OptionGroupID(rawValue: 91)],
                MenuItemID(rawValue: 2002): [OptionGroupID(rawValue: 92)],
            ], at: now)
    }

    private func body(_ id: Int64, alone: Bool = true) throws -> MenuItemBody {
        MenuItemBody(try #require(menu.item(MenuItemID(rawValue: id))), in: menu, showsGroups: alone)
    }

    @Test("Only a single item shows its option groups, in staff's order without retired options")
    func groups() throws {
        let item = try body(2001)
        #expect(item.hasOptions && !item.needsChoice && item.left == nil)
        let extras = try #require(item.optionGroups?.first)
        #expect(
            extras.id == 91 && extras.title == "Extras" && extras.minimum == 0 && extras.maximum == 3
                && extras.included == 1)
        #expect(extras.options.map(\.id) == [9101, 9102, 9103] && extras.options.map(\.price) == [-50, 150, 100])
        #expect(extras.options.map(\.isDefault) == [true, false, false] && extras.options.map(\.maximum) == [1, 2, 1])
        #expect(extras.options.map(\.isAvailable) == [true, true, false])
        #expect(extras.options[2].unavailable == UnavailableBody(reason: "sold_out", until: "2026-09-21T14:14:20.000Z"))
        let kind = try #require(extras.options[1].optionGroups.first)
        #expect(
            kind.id == 92 && kind.minimum == 1
                && kind.options.map(\.unavailable) == [nil, UnavailableBody(reason: "sold_out")])
        #expect(!extras.options[0].allergensAreKnown && extras.options[0].nutrition == nil)

        // Without a selection the item is rejected, because its required group has no default.
        #expect(try body(2002).needsChoice && body(2002).hasOptions && body(2002).isAvailable)
        let plain = try body(2003)
        #expect(!plain.hasOptions && !plain.needsChoice && plain.optionGroups == [])
        #expect(try body(2001, alone: false).optionGroups == nil && body(2001, alone: false).hasOptions)
    }

    @Test("An item shows its food facts, and a minimum age of zero is nil")
    func food() throws {
        let item = try body(2001)
        #expect(item.contains == ["gluten", "milk"] && item.mayContain == ["nuts"] && item.allergensAreKnown)
        #expect(item.diets == ["vegetarian"] && item.minimumAge == 18)
        #expect(item.nutrition == NutritionBody(kilojoules: 2000, salt: 900))
        #expect(try body(2003).minimumAge == nil)
    }

    @Test("A line shows its selection as a tree with prices")
    func lines() throws {
        let chosen = [
            RawOptionChoice(9102, quantity: 2, options: [RawOptionChoice(9201)]), RawOptionChoice(9101),
        ]
        let add = BasketChange.addItem(RawDish(MenuItemID(rawValue: 2001), options: chosen), quantity: 1)
        let id = try #require(BasketID("01912f4c-7a3e-7b1c-9d2e-3f4a5b6c7d8e"))
        let basket = try Basket(id: id, currency: menu.currency.code).applying(add, menu: menu).get()
        let line = try #require(BasketBody(PricedBasket(basket, menu: menu), showsNotes: true).lines.first)
        // One of the two cheeses is included in the price; each has an option of its own.
        let old = LineOptionBody(optionId: 9201, groupId: 92, title: "Old", quantity: 1, price: 30, total: 60)
        #expect(
            line.options == [
                LineOptionBody(optionId: 9101, groupId: 91, title: "No onions", quantity: 1, price: -50, total: -50),
                LineOptionBody(
                    optionId: 9102, groupId: 91, title: "Cheese", quantity: 2, price: 150, total: 210, options: [old]),
            ])
        #expect(line.unitPrice == 965 && line.regularUnitPrice == 965)
    }
}
