// Options over random groups and choices: validity, prices, equality, and that a guest who corrects every error can
// order. The loops yield, because tests with time limits share their threads.
import TestBasics
import Testing

@testable import Ordering

@Suite("Options over random groups and choices")
struct OptionPropertyTests {
    @Test("A random choice is accepted exactly if it is valid, and an item is available while a valid choice exists")
    func accepted() async throws {
        var random = SeededRandom()
        var counts = (right: 0, wrong: 0, missing: 0)
        for _ in 0..<1_500 {
            await Task.yield()
            let menu = try MenuFixture.withRandomOptions(&random).menu()
            let offered = menu.optionTree(of: 2001)
            let least = offered.smallestValidChoice(at: menu.moment)
            #expect(menu.availability(of: 2001).isAvailable == (least != nil), "\(random)")
            if least == nil { counts.missing += 1 }
            let right = offered.randomValidChoice(at: menu.moment, &random)
            for chosen in [least, right, offered.randomChoice(&random), offered.randomChoice(&random), nil] {
                switch offered.validate(chosen, at: menu.moment) {
                case .success(let selection):
                    counts.right += 1
                    #expect(offered.isValid(chosen, at: menu.moment), "\(random)")
                    #expect(least != nil, "\(random)")
                    #expect(offered.errors(in: selection, at: menu.moment).isEmpty, "\(random)")
                    #expect(offered.availableFrom(selection).isReached(at: menu.moment), "\(random)")
                case .failure(.invalid(let errors)):
                    counts.wrong += 1
                    #expect(!offered.isValid(chosen, at: menu.moment), "\(random)")
                    #expect(Set(errors.all).count == errors.all.count, "\(random)")
                case .failure(.tooManyOptions): break
                }
            }
        }
        #expect(counts.right > 1_000 && counts.wrong > 1_000 && counts.missing > 50, "\(counts), \(random)")
    }

    @Test("A selection is equal for any order of entries, can be restored from a line, and costs the sum of its units")
    func normalised() async throws {
        var random = SeededRandom()
        var (count, mixed) = (0, 0)
        for _ in 0..<2_000 {
            await Task.yield()
            let menu = try MenuFixture.withRandomOptions(&random).menu()
            let offered = menu.optionTree(of: 2001)
            let chosen =
                Int.random(in: 0..<9, using: &random) == 0 ? nil : offered.randomValidChoice(at: menu.moment, &random)
            guard case .success(let selection) = offered.validate(chosen, at: menu.moment) else { continue }
            count += selection.entries.isEmpty ? 0 : 1
            mixed += Set(selection.entries.map(\.option)).count < selection.entries.count ? 1 : 0
            #expect(Selection(selection.entries.shuffled(using: &random)) == selection, "\(random)")
            if let chosen {
                let other = chosen.shuffled(using: &random).flatMap { entry -> [RawOptionChoice] in
                    guard entry.quantity > 1 else { return [entry] }
                    return [
                        .of(entry.optionID, entry.quantity - 1, entry.options), .of(entry.optionID, 1, entry.options),
                    ]
                }
                #expect(try offered.validate(other, at: menu.moment).get() == selection, "\(random)")
            }
            let priced = offered.priced(selection)
            #expect(selection.matches(priced.options) && Selection(priced.options) == selection, "\(random)")
            #expect(offered.priced(selection, recorded: priced.options) == priced, "\(random)")
            let own = Int64.random(in: 0...300, using: &random)
            #expect(
                priced.unitPrice(Money(unchecked: own))?.minorUnits == max(0, own + offered.referencePrice(selection)),
                "\(random)")
            #expect(priced.options.reduce(0) { $0 + $1.total } == offered.referencePrice(selection), "\(random)")
        }
        #expect(count > 500 && mixed > 5, "\(count) \(mixed) \(random)")
    }

    @Test(
        "After random menu changes, a checkout reports errors or a new price, and accepts the corrected basket")
    func correctedBasket() async throws {
        var random = SeededRandom()
        var counts: [String: Int] = [:]
        for _ in 0..<600 {
            await Task.yield()
            var app = MenuFixture.withRandomOptions(&random)
            var shop = CheckoutFixture()
            shop.menu = try app.menu()
            var basket = Basket.empty()
            for _ in 0..<4 {
                let chosen = shop.menu.optionTree(of: 2001).randomValidChoice(at: shop.now, &random)
                let change = BasketChange.addItem(
                    RawDish(2001, options: chosen), quantity: .random(in: 1...3, using: &random))
                if case .success(let more) = basket.applying(change, menu: shop.menu) { basket = more }
            }
            let units = (0..<3).map { _ in
                RawDish(2002, options: shop.menu.optionTree(of: 2002).randomValidChoice(at: shop.now, &random))
            }
            if case .success(let more) = basket.applying(.addSale(200, units), menu: shop.menu) { basket = more }
            // Four lines and a set may reach the basket's option limit.
            guard case .success(let full) = basket.applying(.addItem(4001, quantity: 1), menu: shop.menu) else {
                continue
            }
            basket = full
            shop.basket = basket
            let before = PricedBasket(basket, menu: shop.menu)
            #expect(before.isOrderable && before.actions.contains(.checkout), "\(random)")
            #expect(try shop.decide(expectedTotal: before.total.minorUnits).order != nil, "\(random)")

            for _ in 0..<Int.random(in: 1...3, using: &random) { app.changeRandomOption(&random) }
            shop.menu = try app.menu()
            var decision = try shop.decide(expectedTotal: before.total.minorUnits)
            if case .reject(.validationFailed(let errors)) = decision {
                counts["wrong", default: 0] += 1
                let priced = PricedBasket(basket, menu: shop.menu)
                #expect(!priced.isOrderable && !priced.actions.contains(.checkout), "\(random)")
                #expect(Checkout.validate(CheckoutForm(), shop.facts).errors == errors.all, "\(random)")
                for line in priced.lines {
                    let isReported = errors.all.contains { "\($0.path)/".hasPrefix("lines/\(line.line.id)/") }
                    #expect(isReported != line.isOrderable, "\(random)")
                }
                basket = try corrected(basket, shop.menu)
                shop.basket = basket
                decision = try shop.decide(expectedTotal: before.total.minorUnits)
            }
            if case .reject(.priceChanged(let changes, let quote)) = decision {
                counts["changed", default: 0] += 1
                #expect(!changes.isEmpty && quote.total == PricedBasket(basket, menu: shop.menu).total, "\(random)")
                decision = try shop.decide(expectedTotal: quote.total.minorUnits)
                #expect(decision.order?.quote == quote, "\(random)")
            }
            #expect(decision.order != nil, "\(decision.summaries) \(random)")
        }
        #expect(counts["wrong"] ?? 0 > 40 && counts["changed"] ?? 0 > 40, "\(counts) \(random)")
    }

    /// Replaces invalid choices by the smallest valid ones. Removes dishes that have no valid choice or exceed the
    /// basket's option limit.
    private func corrected(_ basket: Basket, _ menu: Menu) throws -> Basket {
        var basket = basket
        func change(_ edit: BasketChange?, else removal: BasketChange) throws {
            switch edit.map({ basket.applying($0, menu: menu) }) {
            case .success(let changed): basket = changed
            case nil, .failure(.tooManyOptions): basket = try basket.after([removal], menu)
            case .failure(let refusal): throw refusal
            }
        }
        while let line = PricedBasket(basket, menu: menu).lines.first(where: { !$0.isOrderable }) {
            let least = menu.optionTree(of: line.menuItemID).smallestValidChoice(at: menu.moment)
            try change(least.map { .edit(line.line.id, LineEdit(options: $0)) }, else: .removeItem(.line(line.line.id)))
        }
        for set in PricedBasket(basket, menu: menu).sets where !set.items.allSatisfy(\.isOrderable) {
            let least = menu.optionTree(of: 2002).smallestValidChoice(at: menu.moment)
            let units = least.map { Array(repeating: RawDish(2002, options: $0), count: 3) }
            try change(units.map { .editSale(set.salesGroupID, $0) }, else: .removeSale(set.salesGroupID))
        }
        return basket
    }

    @Test("Menu availability, including every option, stays the same throughout the menu's validity")
    func validity() async throws {
        var random = SeededRandom()
        func availabilities(_ options: OptionTree, _ now: Instant) -> [Availability] {
            options.groups.flatMap { group in
                group.options.flatMap { [$0.availability(at: now)] + availabilities($0.nestedOptions, now) }
            }
        }
        for _ in 0..<300 {
            await Task.yield()
            let menu = try MenuFixture.withRandomOptions(&random).menu()
            for offset in Int64(-4)...4 {
                let other = menu.evaluated(at: Instant(microseconds: menu.moment.microseconds + offset))
                guard menu.validity.contains(other.moment) else { continue }
                for item: MenuItemID in [2001, 2002] {
                    #expect(
                        menu.availability(of: item).unavailable == other.availability(of: item).unavailable, "\(random)"
                    )
                    let (now, later) = (
                        availabilities(menu.optionTree(of: item), menu.moment),
                        availabilities(other.optionTree(of: item), other.moment)
                    )
                    #expect(now.map(\.unavailable) == later.map(\.unavailable), "\(random)")
                    #expect(
                        menu.optionTree(of: item).needsChoice(at: menu.moment)
                            == other.optionTree(of: item).needsChoice(at: other.moment),
                        "\(random)")
                }
            }
        }
    }
}
