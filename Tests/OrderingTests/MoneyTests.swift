// Money: integer minor units, rounding, and shares of a discount. Random cases show their seed.
import TestBasics
import Testing

@testable import Ordering

@Suite("Money")
struct MoneyTests {
    @Test(
        "The sale percents of the app's menu give its current prices",
        arguments: [
            (1999, 10, 1799), (2099, 20, 1679), (2899, 15, 2464), (2005, 15, 1704), (999, 10, 899), (918, 10, 826),
            (405, 10, 365),
        ] as [(Int64, Int, Int64)])
    func currentPrices(price: Int64, percent: Int, reduced: Int64) throws {
        #expect(try money(price).reduced(by: #require(Percent(percent))).minorUnits == reduced)
    }

    @Test(
        "Half a unit is rounded up, and less than half is rounded down",
        arguments: [
            (1, 50, 1), (1, 51, 0), (1, 49, 1), (3, 50, 2), (5, 10, 5), (15, 10, 14), (10, 5, 10), (10, 15, 9),
            (0, 99, 0), (7, 100, 0),
            (50, 99, 1), (49, 99, 0), (9_000_000_000_000_000, 1, 8_910_000_000_000_000),
        ] as [(Int64, Int, Int64)])
    func halfUp(price: Int64, percent: Int, reduced: Int64) throws {
        #expect(try money(price).reduced(by: #require(Percent(percent))).minorUnits == reduced)
    }

    @Test("A reduced amount is the exact amount rounded half up")
    func reducedIsNearest() throws {
        var random = SeededRandom()
        for _ in 0..<20_000 {
            let amount = randomAmount(&random), value = Int.random(in: 1...100, using: &random)
            let reduced = Int128(try money(amount).reduced(by: #require(Percent(value))).minorUnits)
            // r - 1/2 ≤ exact < r + 1/2 means rounded half up. Both sides are doubled and in hundredths.
            let exactTwice = 2 * Int128(amount) * Int128(100 - value)
            #expect(
                200 * reduced - 100 <= exactTwice && exactTwice < 200 * reduced + 100,
                "\(amount) less \(value) %: \(reduced), \(random)")
        }
    }

    @Test("An amount below zero or above 9 × 10^15 is rejected, and so is a percent outside 1 to 100")
    func bounds() {
        #expect(Money(minorUnits: -1) == nil && Money(minorUnits: .min) == nil)
        #expect(Money(minorUnits: 9_000_000_000_000_001) == nil && Money(minorUnits: .max) == nil)
        #expect(Money(minorUnits: 9_000_000_000_000_000) == .highest && Money(minorUnits: 0) == .zero)
        #expect(Money.highestPrice.minorUnits == 100_000_000)
        #expect(Percent(0) == nil && Percent(101) == nil && Percent(.min) == nil && Percent(.max) == nil)
        #expect(Percent(1)?.value == 1 && Percent(100)?.value == 100)
    }

    @Test("The most expensive possible order is below the highest amount")
    func mostExpensiveOrder() {
        let (units, price) = (Int128(Line.quantities.upperBound), Int128(Money.highestPrice.minorUnits))
        let entries = Int128(Selection.maximumEntryCount)
        let withOne = price * (1 + Int128(Selection.quantities.upperBound))
        let subtotal =
            units
            * (entries / 2 * Int128(Money.highestUnitPrice.minorUnits) + entries * withOne + Int128(Basket.lineLimit)
                * 99 * price)
        let charged = 2 * subtotal + 3 * price
        #expect(2 * charged + Int128(Money.highestTip.minorUnits) < Int128(Money.highest.minorUnits))
    }

    @Test("Sums, differences and products within the bounds are exact")
    func exact() throws {
        var random = SeededRandom()
        for _ in 0..<5_000 {
            let left = Int64.random(in: 0...5_000_000_000_000, using: &random),
                right = Int64.random(in: 0...left, using: &random)
            let count = Int.random(in: 0...99, using: &random)
            #expect(try money(left) + money(right) == money(left + right), "\(random)")
            #expect(try money(left) - money(right) == money(left - right), "\(random)")
            #expect(try money(left) * count == money(left * Int64(count)), "\(random)")
            #expect(try money(right) <= money(left), "\(random)")
        }
    }

    @Test(
        "A discount is divided by the largest remainder, and the earlier of equal remainders comes first",
        arguments: [
            (10, [1, 1, 1], [1, 1, 1]), (1, [1, 1, 1], [1, 0, 0]), (2, [1, 1, 1], [1, 1, 0]),
            (100, [300, 300, 300], [34, 33, 33]),
            (5, [], []), (5, [0, 0], [0, 0]), (5, [0, 9, 0], [0, 5, 0]), (7, [3, 4], [3, 4]), (0, [3, 4], [0, 0]),
            (10, [600, 300, 99], [6, 3, 1]), (3, [10, 20, 30, 40], [0, 1, 1, 1]),
        ] as [(Int64, [Int64], [Int64])])
    func largestRemainder(discount: Int64, amounts: [Int64], shares: [Int64]) throws {
        #expect(try money(discount).shares(over: amounts.map(money)).map(\.minorUnits) == shares)
    }

    @Test("The shares add up to the discount, stay within their amounts, and are less than one unit from exact")
    func sharesAddUp() throws {
        var random = SeededRandom()
        for round in 0..<3_000 {
            let amounts = (0..<Int.random(in: 1...50, using: &random)).map { _ in randomAmount(&random) }
            let whole = amounts.reduce(Int128(0)) { $0 + Int128($1) }
            let most = Int64(min(whole, 9_000_000_000_000_000))
            let discount = round.isMultiple(of: 10) ? 9_000_000_000_000_000 : Int64.random(in: 0...most, using: &random)
            let shares = try money(discount).shares(over: amounts.map(money)).map(\.minorUnits)
            let seed = "\(discount) over \(amounts): \(shares), \(random)"

            #expect(shares.reduce(Int128(0)) { $0 + Int128($1) } == min(Int128(discount), whole), "\(seed)")
            #expect(zip(shares, amounts).allSatisfy { $0 >= 0 && $0 <= $1 }, "\(seed)")
            guard whole > 0 else { continue }
            let spread = min(Int128(discount), whole)
            for (share, amount) in zip(shares, amounts) {
                let distance = Int128(share) * whole - spread * Int128(amount)
                #expect(distance > -whole && distance < whole, "\(seed)")
            }
        }
    }

    private func money(_ minorUnits: Int64) throws -> Money { try #require(Money(minorUnits: minorUnits)) }

    /// Small amounts, prices, and amounts up to the bound, in equal parts.
    private func randomAmount(_ random: inout SeededRandom) -> Int64 {
        let bounds: [Int64] = [3, 1_000, 100_000_000, 9_000_000_000_000_000]
        let highest = bounds.randomElement(using: &random) ?? 3
        return Int64.random(in: 0...highest, using: &random)
    }
}
