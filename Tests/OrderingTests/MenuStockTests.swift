// Stock counts on the menu and in baskets.
import Testing

@testable import Ordering

@Suite("Stock on the menu and in baskets")
struct MenuStockTests {
    private static func left(
        _ items: [MenuItemID: Int64] = [:], options: [Int64: Int64] = [:], until: Instant? = nil
    ) -> StockLevels {
        func count(_ left: Int64) -> StockCount { StockCount(remaining: left, validity: TimeRange(until: until)) }
        return StockLevels(
            Dictionary(
                uniqueKeysWithValues: items.map { (.item($0), count($1)) }
                    + options.map { (.option(OptionID(rawValue: $0)), count($1)) }))
    }

    @Test("An item without stock is sold out until it is restocked, and an item without a count is available")
    func items() throws {
        let menu = try MenuFixture().menu()
        let tomorrow = Instant(microseconds: menu.moment.microseconds + 3_600_000_000)
        let counted = menu.withStock(Self.left([2001: 0, 2002: 1], until: tomorrow))
        #expect(counted.availability(of: 2001).unavailable == Unavailability(.soldOut, until: tomorrow))
        #expect(counted.availability(of: 2002).isAvailable && counted.availability(of: 2003).isAvailable)
        #expect(
            counted.validity.until == tomorrow && counted.evaluated(at: tomorrow).availability(of: 2001).isAvailable)
        #expect(counted.stock[.item(2002)]?.remaining == 1 && counted.stock[.item(2003)] == nil)
        // 2001 is restocked, and 2002 is no longer counted.
        let restocked = counted.withStock(Self.left([2001: 2]))
        #expect(
            restocked.availability(of: 2001).isAvailable && restocked.stock[.item(2001)]?.remaining == 2
                && restocked.stock[.item(2002)] == nil)
        #expect(menu.withStock(Self.left([2001: 0])).availability(of: 2001).unavailable == Unavailability(.soldOut))
    }

    @Test(
        "An option without stock is sold out in each of its groups, and an item that requires it is unavailable")
    func options() throws {
        var app = MenuFixture.withOptions()
        app.changeGroup(92) { $0.options[1].isRetired = true }
        app.changeGroup(91) { $0.minimum = 1 }
        let menu = try app.menu()
        func told(_ left: Int64, _ chosen: [RawOptionChoice]) throws -> [String] {
            let counted = menu.withStock(Self.left(options: [9201: left]))
            switch counted.optionTree(of: 2001).validate(chosen, at: counted.moment) {
            case .success: return []
            case .failure(.invalid(let errors)): return errors.all.map(\.summaryWithParameters)
            case .failure(.tooManyOptions): return ["too_many_options"]
            }
        }
        #expect(try told(0, [.of(9101)]) == ["options/91/9101/92 option_sold_out optionId=9201"])
        #expect(try told(1, [.of(9101)]) == [])
        #expect(try told(0, [.of(9102)]) == [])
        // Cheese requires a kind of cheese, so that it is unavailable. Without the other options the burger is
        // unavailable too.
        let few = menu.withStock(Self.left(options: [9201: 0, 9102: 0]))
        #expect(few.availability(of: 2001).isAvailable)
        let soldOut = menu.withStock(Self.left(options: [9201: 0, 9102: 0, 9103: 0]))
        #expect(
            soldOut.availability(of: 2001).unavailable?.reason == .soldOut && soldOut.availability(of: 2003).isAvailable
        )
        let german = try #require(LanguageTag("de"))
        #expect(soldOut.translated(into: german).availability(of: 2001) == soldOut.availability(of: 2001))
    }

    @Test(
        "An item that requires two units of a group is available only while two units of its options are left"
    )
    func groups() throws {
        var app = MenuFixture.withOptions()
        app.changeGroup(91) { group in
            group.minimum = 2
            group.options[2].isRetired = true
        }
        let menu = try app.menu()
        let tomorrow = Instant(microseconds: menu.moment.microseconds + 3_600_000_000)
        func unavailable(_ cheese: Int64, _ sauce: Int64, until: Instant? = nil) -> Unavailability? {
            menu.withStock(Self.left(options: [9101: cheese, 9102: sauce], until: until)).availability(of: 2001)
                .unavailable
        }
        #expect(unavailable(2, 0) == nil && unavailable(1, 1) == nil && unavailable(3, 5) == nil)
        #expect(unavailable(1, 0) == Unavailability(.soldOut) && unavailable(0, 1) == Unavailability(.soldOut))
        #expect(unavailable(1, 0, until: tomorrow) == Unavailability(.soldOut, until: tomorrow))
        let counted = menu.withStock(Self.left(options: [9101: 1, 9102: 0], until: tomorrow))
        #expect(
            counted.validity.until == tomorrow && counted.evaluated(at: tomorrow).availability(of: 2001).isAvailable)
        // Another unit is sold: a menu with old stock counts gets the new ones.
        #expect(
            menu.withStock(Self.left(options: [9101: 2, 9102: 0])).withStock(Self.left(options: [9101: 1, 9102: 0]))
                .availability(of: 2001)
                .unavailable != nil)
        #expect(menu.withStock(Self.left(options: [9101: 1, 9102: 0])).availability(of: 2003).isAvailable)
    }

    @Test("A basket that exceeds the stock reports it at each affected line, summed over lines, sets and options")
    func baskets() throws {
        let app = MenuFixture.withOptions()
        let menu = try app.menu().withStock(Self.left([2002: 4], options: [9102: 2]))
        let oneMore = BasketChange.addItem(RawDish(2002, options: []), quantity: 1)
        let basket = try Basket.empty().after([oneMore, .addSale(200), .addItem(RawDish(2003), quantity: 1)], menu)
        #expect(PricedBasket(basket, menu: menu).isOrderable)
        let more = PricedBasket(try basket.after([oneMore], menu), menu: menu)
        let short = Unavailability(.stockShort, available: 4)
        #expect(
            more.lines.map(\.availability.unavailable) == [short, nil]
                && more.sets.map(\.availability.unavailable) == [short])
        #expect(!more.isOrderable && !more.actions.contains(.checkout))
        let sauces = try Basket.empty().after([.addItem(RawDish(2001, options: [.of(9102)]), quantity: 3)], menu)
        #expect(
            PricedBasket(sauces, menu: menu).lines.map(\.availability.unavailable) == [
                Unavailability(.stockShort, available: 2)
            ])
        // Without stock it cannot be added.
        let soldOut = menu.withStock(Self.left([2002: 0]))
        #expect(basket.applying(oneMore, menu: soldOut) == .failure(.itemSoldOut))
    }
}
