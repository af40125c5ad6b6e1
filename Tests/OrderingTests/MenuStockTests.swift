// What a menu and a basket show of what is left. Tests Sources/Ordering/Menu/Menu.swift and Basket/PricedBasket.swift.
import Testing

@testable import Ordering

@Suite("The menu as far as it lasts: what there is none left of can't be had, and a basket says where there is too little")
struct MenuStockTests {
    private static func left(
        _ items: [MenuItemID: Int64] = [:], options: [Int64: Int64] = [:], until: Instant? = nil
    ) -> StockLeft {
        func count(_ left: Int64) -> StockCount { StockCount(left: left, holds: TimeSpan(until: until)) }
        return StockLeft(
            Dictionary(
                uniqueKeysWithValues: items.map { (.item($0), count($1)) } + options.map { (.option(OptionID(rawValue: $0)), count($1)) }))
    }

    @Test("What there is none left of is sold out until there is some again; one left can be had, and so can what nobody counts")
    func items() throws {
        let menu = try AppMenu().menu()
        let tomorrow = Instant(microseconds: menu.moment.microseconds + 3_600_000_000)
        let counted = menu.stocked(Self.left([2001: 0, 2002: 1], until: tomorrow))
        #expect(counted.availability(of: 2001).unavailable == Unavailability(.soldOut, until: tomorrow))
        #expect(counted.availability(of: 2002).isAvailable && counted.availability(of: 2003).isAvailable)
        #expect(counted.holds.until == tomorrow && counted.at(tomorrow).availability(of: 2001).isAvailable)
        #expect(counted.stock[.item(2002)]?.left == 1 && counted.stock[.item(2003)] == nil)
        // Bought back, or counted anew.
        let again = counted.stocked(Self.left([2001: 2]))
        #expect(again.availability(of: 2001).isAvailable && again.stock[.item(2001)]?.left == 2 && again.stock[.item(2002)] == nil)
        #expect(menu.stocked(Self.left([2001: 0])).availability(of: 2001).unavailable == Unavailability(.soldOut))
    }

    @Test(
        "Of an option there is none left: it is sold out in each group of it, and an item that needs it can't be had; with one left it can")
    func options() throws {
        var app = AppMenu.withOptions()
        app.changeGroup(92) { $0.options[1].isRetired = true }
        app.changeGroup(91) { $0.minimum = 1 }
        let menu = try app.menu()
        func told(_ left: Int64, _ chosen: [ChosenOption]) throws -> [String] {
            let counted = menu.stocked(Self.left(options: [9201: left]))
            switch counted.options(of: 2001).judge(chosen, at: counted.moment) {
            case .success: return []
            case .failure(.invalid(let errors)): return errors.all.map(\.toldWithParameters)
            case .failure(.tooManyOptions): return ["too_many_options"]
            }
        }
        #expect(try told(0, [.of(9101)]) == ["options/91/9101/92 option_sold_out optionId=9201"])
        #expect(try told(1, [.of(9101)]) == [])
        #expect(try told(0, [.of(9102)]) == [])
        // Cheese needs its one kind, so it can't be had; without the others the burger can't either.
        let few = menu.stocked(Self.left(options: [9201: 0, 9102: 0]))
        #expect(few.availability(of: 2001).isAvailable)
        let none = menu.stocked(Self.left(options: [9201: 0, 9102: 0, 9103: 0]))
        #expect(none.availability(of: 2001).unavailable?.reason == .soldOut && none.availability(of: 2003).isAvailable)
        let german = try #require(LanguageTag("de"))
        #expect(none.translated(into: german).availability(of: 2001) == none.availability(of: 2001))
    }

    @Test(
        "An item that needs two units of a group can be had only where two are left, of one option or of several, now or once there are some again"
    )
    func groups() throws {
        var app = AppMenu.withOptions()
        app.changeGroup(91) { group in
            group.minimum = 2
            group.options[2].isRetired = true
        }
        let menu = try app.menu()
        let tomorrow = Instant(microseconds: menu.moment.microseconds + 3_600_000_000)
        func unavailable(_ cheese: Int64, _ sauce: Int64, until: Instant? = nil) -> Unavailability? {
            menu.stocked(Self.left(options: [9101: cheese, 9102: sauce], until: until)).availability(of: 2001).unavailable
        }
        #expect(unavailable(2, 0) == nil && unavailable(1, 1) == nil && unavailable(3, 5) == nil)
        #expect(unavailable(1, 0) == Unavailability(.soldOut) && unavailable(0, 1) == Unavailability(.soldOut))
        #expect(unavailable(1, 0, until: tomorrow) == Unavailability(.soldOut, until: tomorrow))
        let counted = menu.stocked(Self.left(options: [9101: 1, 9102: 0], until: tomorrow))
        #expect(counted.holds.until == tomorrow && counted.at(tomorrow).availability(of: 2001).isAvailable)
        // One more is sold: the menu is made anew though there was one before, and is one.
        #expect(
            menu.stocked(Self.left(options: [9101: 2, 9102: 0])).stocked(Self.left(options: [9101: 1, 9102: 0])).availability(of: 2001)
                .unavailable != nil)
        #expect(menu.stocked(Self.left(options: [9101: 1, 9102: 0])).availability(of: 2003).isAvailable)
    }

    @Test("A basket takes more than there are and says so at each line that holds it, summed over lines, sets and options")
    func baskets() throws {
        let app = AppMenu.withOptions()
        let menu = try app.menu().stocked(Self.left([2002: 4], options: [9102: 2]))
        let three = BasketChange.addItem(ChosenDish(2002, options: []), quantity: 1)
        let basket = try Basket.new().after([three, .addSale(200), .addItem(ChosenDish(2003), quantity: 1)], menu)
        #expect(PricedBasket(basket, menu: menu).isOrderable)
        let more = PricedBasket(try basket.after([three], menu), menu: menu)
        let short = Unavailability(.stockShort, available: 4)
        #expect(more.lines.map(\.availability.unavailable) == [short, nil] && more.sets.map(\.availability.unavailable) == [short])
        #expect(!more.isOrderable && !more.actions.contains(.checkout))
        let sauces = try Basket.new().after([.addItem(ChosenDish(2001, options: [.of(9102)]), quantity: 3)], menu)
        #expect(PricedBasket(sauces, menu: menu).lines.map(\.availability.unavailable) == [Unavailability(.stockShort, available: 2)])
        // There is none: then it can't be put in.
        let gone = menu.stocked(Self.left([2002: 0]))
        #expect(basket.applying(three, menu: gone) == .failure(.itemSoldOut))
    }
}
