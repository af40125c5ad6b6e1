// Stock demand, shortages and availability, and the checkout that reports them.
import TestBasics
import Testing

@testable import Ordering

@Suite("Stock")
struct StockTests {
    private static let (burger, fries, cola) = (StockKey.item(2002), StockKey.item(3001), StockKey.item(4001))
    private static let (cheese, bacon) = (
        StockKey.option(OptionID(rawValue: 9101)), StockKey.option(OptionID(rawValue: 9102))
    )

    private static func line(_ id: Int64, _ item: MenuItemID, _ quantity: Int64, _ options: [(Int64, Int64)] = [])
        -> DishDemand
    {
        DishDemand(
            .line(LineID(rawValue: id)), item, quantity: quantity, options: options.map { (OptionID(rawValue: $0), $1) }
        )
    }

    private static func left(_ counts: [StockKey: Int64], _ validity: TimeRange = .always) -> StockLevels {
        StockLevels(counts.mapValues { StockCount(remaining: $0, validity: validity) })
    }

    private static func summaries(_ errors: [FieldError]) -> [String] {
        errors.map { error in
            let params = error.params.sorted { $0.key < $1.key }.map { name, value in
                if case .integer(let number) = value { " \(name) \(number)" } else { " \(name) ?" }
            }
            return "\(error.path) \(error.code.rawValue)" + params.joined()
        }
    }

    @Test("The demand is summed over lines and sets, and an option counts its units per dish times the quantity")
    func demand() {
        let set = DishDemand(.saleItem(200, 2002), 2002, quantity: 3, options: [(OptionID(rawValue: 9101), 1)])
        let demand = StockDemand([
            Self.line(1, 2002, 2, [(9101, 2), (9102, 1), (9101, 1)]), Self.line(2, 3001, 5), set,
        ])
        #expect(demand[Self.burger] == 5 && demand[Self.fries] == 5 && demand[Self.cola] == 0)
        // 2 × (2 + 1), and 3 × 1 in the set.
        #expect(demand[Self.cheese] == 9 && demand[Self.bacon] == 2)
        #expect(
            demand.all.map(\.thing) == [Self.burger, Self.fries, Self.cheese, Self.bacon]
                && demand.all.map(\.units) == [5, 5, 9, 2])
        #expect(StockDemand([]).all.isEmpty)
    }

    @Test("Stock keys sort with items before options, each by id, which is the order in which they are locked")
    func orderOfLocks() {
        var random = SeededRandom()
        let numbers: [Int64] = [1, 2, 10, 9_000_000_000]
        let items = numbers.map { StockKey.item(MenuItemID(rawValue: $0)) }
        let things = items + numbers.map { StockKey.option(OptionID(rawValue: $0)) }
        #expect(things.shuffled(using: &random).sorted() == things, "\(random)")
    }

    @Test("Every line with too few units of an item or option reports how many are left, and no other line does")
    func shortages() {
        let dishes = [
            Self.line(1, 2002, 2, [(9101, 1)]), Self.line(2, 3001, 1), Self.line(3, 2002, 2),
            Self.line(4, 4001, 1, [(9101, 2), (9102, 1)]),
        ]
        #expect(Self.summaries(StockLevels.untracked.shortages(dishes)) == [])
        #expect(Self.summaries(Self.left([Self.burger: 4, Self.cheese: 4, Self.fries: 1]).shortages(dishes)) == [])
        #expect(
            Self.summaries(Self.left([Self.burger: 3, Self.fries: 1]).shortages(dishes)) == [
                "lines/1 stock_short available 3", "lines/3 stock_short available 3",
            ])
        #expect(
            Self.summaries(Self.left([Self.burger: 0, Self.cheese: 3, Self.bacon: 0]).shortages(dishes)) == [
                "lines/1 stock_short available 0", "lines/1 stock_short available 3 optionId 9101",
                "lines/3 stock_short available 0",
                "lines/4 stock_short available 3 optionId 9101", "lines/4 stock_short available 0 optionId 9102",
            ])
    }

    @Test("Random shortages agree with counting unit by unit, and a basket within the stock has none")
    func randomBaskets() {
        var random = SeededRandom()
        for _ in 0..<1_000 {
            let dishes = (0..<Int.random(in: 0...6, using: &random)).map { number in
                Self.line(
                    Int64(number), MenuItemID(rawValue: .random(in: 1...3, using: &random)),
                    .random(in: 0...4, using: &random),
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in
                        (.random(in: 1...3, using: &random), .random(in: 0...3, using: &random))
                    })
            }
            let things = (1...3).flatMap {
                [StockKey.item(MenuItemID(rawValue: $0)), .option(OptionID(rawValue: $0))]
            }
            var counts: [StockKey: Int64] = [:]
            for thing in things where Bool.random(using: &random) {
                counts[thing] = .random(in: 0...10, using: &random)
            }
            // Takes the units one by one until one is missing.
            let units = dishes.flatMap { dish in
                dish.uses.flatMap { use in (0..<use.units).map { _ in (path: dish.path, thing: use.thing) } }
            }
            var rest = counts
            var missing: Set<StockKey> = []
            for unit in units {
                guard let count = rest[unit.thing] else { continue }
                if count == 0 { missing.insert(unit.thing) } else { rest[unit.thing] = count - 1 }
            }
            let short = Set(units.filter { missing.contains($0.thing) }.map { "\($0.path) \($0.thing)" })
            let left = Self.left(counts)
            let shortages = left.shortages(dishes)
            #expect(shortages.count == short.count && Set(shortages).count == shortages.count, "\(random)")
            let demand = StockDemand(dishes)
            for dish in dishes {
                let available = left.availability(of: dish, in: demand)
                #expect(available.isAvailable == !shortages.contains { $0.path == dish.path }, "\(random)")
            }
        }
    }

    @Test("A counted item is available up to its stock, short above it, and sold out without stock")
    func availability() {
        let left = Self.left([Self.burger: 2])
        #expect(left.availability(of: Self.fries, wanted: .max) == .always)
        #expect(
            left.availability(of: Self.burger).isAvailable && left.availability(of: Self.burger, wanted: 2).isAvailable)
        #expect(left.availability(of: Self.burger, wanted: 3).unavailable == Unavailability(.stockShort, available: 2))
        for wanted in [.min, 0, 1, .max] as [Int64] {
            #expect(
                Self.left([Self.burger: 0]).availability(of: Self.burger, wanted: wanted).unavailable
                    == Unavailability(.soldOut))
        }
        let reasons = Unavailability.Reason.allCases.map(\.rawValue)
        #expect(reasons == ["sold_out", "stock_short", "not_served", "not_offered"])
    }

    @Test("A daily count of zero is sold out until the next day, and a daily count limits the decision to its day")
    func perDay() {
        let day = TimeRange(from: Instant(microseconds: 10), until: Instant(microseconds: 20))
        let soldOut = Self.left([Self.burger: 0], day).availability(of: Self.burger)
        #expect(
            soldOut.unavailable == Unavailability(.soldOut, until: Instant(microseconds: 20)) && soldOut.validity == day
        )
        let some = Self.left([Self.burger: 2], day)
        #expect(
            some.availability(of: Self.burger).validity == day && some.availability(of: Self.fries).validity == .always)
        #expect(some.availability(of: Self.burger, wanted: 3).unavailable == Unavailability(.stockShort, available: 2))
        let dishes = [Self.line(1, 2002, 1), Self.line(2, 3001, 1)]
        #expect(
            some.validity(of: dishes) == day && some.validity(of: [dishes[1]]) == .always
                && some.validity(of: []) == .always)
    }

    @Test("Extreme quantities do not trap: sums are clamped, and negative quantities and counts are zero")
    func hostileNumbers() {
        let huge = Self.line(1, 2002, .max, [(9101, .max), (9101, .max), (9102, 2)])
        let demand = StockDemand([huge, huge, Self.line(2, 2002, 99)])
        #expect(demand[Self.burger] == .max && demand[Self.cheese] == .max && demand[Self.bacon] == .max)
        let left = Self.left([Self.burger: .max - 1, Self.bacon: 5])
        #expect(
            Self.summaries(left.shortages([huge, Self.line(2, 2002, 99)])) == [
                "lines/1 stock_short available 9223372036854775806", "lines/1 stock_short available 5 optionId 9102",
                "lines/2 stock_short available 9223372036854775806",
            ])
        let nothing = Self.line(1, 2002, .min, [(9101, .min)])
        #expect(nothing.uses.isEmpty && StockDemand([nothing]).all.isEmpty)
        #expect(Self.line(1, 2002, 5, [(9101, .min), (9101, 2)]).uses.map(\.units) == [5, 10])
        #expect(StockCount(remaining: .min).remaining == 0)
    }

    @Test("100,000 options of a dish and 100,000 lines are counted correctly")
    func many() {
        let options = (0..<100_000).map { (Int64($0 % 50_000), Int64(1)) }
        let dish = Self.line(1, 2002, 3, options)
        #expect(dish.uses.count == 50_001 && dish.uses.dropFirst().allSatisfy { $0.units == 6 })
        let dishes = (0..<100_000).map { Self.line($0, 2002, 1) }
        #expect(StockDemand(dishes)[Self.burger] == 100_000)
        #expect(Self.left([Self.burger: 99_999]).shortages(dishes).count == 100_000)
    }

    @Test("A checkout reports shortages with all other errors, and an accepted order is valid for its stock day")
    func checkout() throws {
        var shop = CheckoutFixture()
        shop.basket = CheckoutFixture.basket([(2002, 2), (4001, 1)], sets: [(200, [(2002, 3)])])
        let total = PricedBasket(try #require(shop.basket), menu: shop.menu).total.minorUnits
        shop.stock = Self.left([Self.burger: 4, Self.cola: 1])
        #expect(
            try shop.decide(expectedTotal: total) { $0.phone = "1" }.summaries == [
                "phone invalid_phone", "lines/2002 stock_short", "sales/200/items/2002 stock_short",
            ])
        let live = Checkout.validate(CheckoutForm(), shop.facts)
        #expect(
            Self.summaries(live.errors) == [
                "lines/2002 stock_short available 4", "sales/200/items/2002 stock_short available 4",
            ])
        #expect(!live.isReady && live.quote?.total.minorUnits == total)

        let day = TimeRange(from: shop.now, until: Instant(microseconds: shop.now.microseconds + 1))
        shop.stock = Self.left([Self.burger: 5], day)
        #expect(try shop.decide(expectedTotal: total).order?.validity == day)
        shop.stock = Self.left([Self.fries: 0], day)
        #expect(try shop.decide(expectedTotal: total).order?.validity == .always)
    }

    @Test("A checkout of an item without stock reports 0 available units, and the message says that none is left")
    func none() throws {
        var shop = CheckoutFixture()
        shop.stock = Self.left([Self.cola: 0])
        guard case .reject(.validationFailed(let errors)) = try shop.decide(expectedTotal: 1895) else {
            Issue.record("The checkout was not rejected.")
            return
        }
        #expect(Self.summaries(errors.all) == ["lines/4001 stock_short available 0"])
        #expect(errors.all[0].message.hasPrefix("None of this is left"))
        #expect(FieldError(.basket, .stockShort, ["available": .integer(2)]).message.hasPrefix("Only 2 "))
    }
}
