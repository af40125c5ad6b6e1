// Totals of random orders in exact integers: each rate's tax is rounded once, and all shares add up.
import Ordering
import TestBasics
import Testing

@Suite("Totals of random orders")
struct TotalsPropertyTests {
    /// A random shop with its terms as plain numbers.
    private struct Shop {
        let terms: ShopTerms
        let rates: [Int64: Int64]
        let rows: [CategoryTax]
        let tiers: [(from: Int64, fee: Int64)]
        let small: (below: Int64, fee: Int64)
        let service: (share: Int64?, amount: Int64)
        let area: DeliveryArea

        init(_ random: inout SeededRandom) throws {
            let ids: [Int64] = [[], [3], [11, 7], [2, 10, 1]].randomElement(using: &random) ?? []
            let shares: [Int64] = [
                0, 1, 70_000, 88_750, 100_000, 200_000, 1_000_000, .random(in: 0...1_000_000, using: &random),
            ]
            let rates = Dictionary(uniqueKeysWithValues: ids.map { ($0, shares.randomElement(using: &random) ?? 0) })
            let categories: [Int64] = [100, 200, 300, 400, 500]
            let keys = categories.flatMap { category in
                [Fulfilment.delivery, .pickup, nil].map { (CategoryID(rawValue: category), $0) }
            }
            rows = keys.shuffled(using: &random).compactMap { category, fulfilment in
                Bool.random(using: &random)
                    ? ids.randomElement(using: &random).map { CategoryTax(category, fulfilment, rate: $0) } : nil
            }
            let fees = (0..<3).map { _ in Bool.random(using: &random) ? ids.randomElement(using: &random) : nil }
            let taxes = TaxTerms(
                rates: try rates.map { TaxRate(id: $0, title: "", percent: try #require(Rate(tenThousandths: $1))) },
                categories: rows,
                pricesIncludeTax: .random(using: &random), deliveryRate: fees[0], smallOrderRate: fees[1],
                serviceRate: fees[2])
            func amount() -> Int64 {
                [0, 1, .random(in: 0...900, using: &random), 123_456].randomElement(using: &random) ?? 0
            }
            tiers = Set((0..<3).map { _ in Int64.random(in: 0...60_000, using: &random) }).map { ($0, amount()) }
            small = (.random(in: 0...90_000, using: &random), amount())
            service = (
                Bool.random(using: &random) ? shares.randomElement(using: &random) : nil,
                Bool.random(using: &random) ? amount() : 0
            )
            let own = FulfilmentTerms(
                smallOrderBelow: CheckoutFixture.money(small.below), smallOrderFee: CheckoutFixture.money(small.fee),
                serviceCharge: ServiceCharge(
                    percent: try service.share.map { try #require(Rate(tenThousandths: $0)) },
                    amount: CheckoutFixture.money(service.amount)))
            area = DeliveryArea(
                id: 1, title: "", postcodes: [],
                fees: tiers.map {
                    DeliveryFee(from: CheckoutFixture.money($0.from), fee: CheckoutFixture.money($0.fee))
                })
            let limit = [0, 1, 33, 100, 1000].randomElement(using: &random) ?? 100
            terms = ShopTerms(tipLimitPercent: limit, delivery: own, pickup: own, taxes: taxes)
            self.rates = rates
        }

        func rate(of item: MenuItemID, _ fulfilment: Fulfilment) -> Int64? {
            let rows = rows.filter { $0.category.rawValue == item.rawValue / 1000 * 100 }
            return (rows.first { $0.fulfilment == fulfilment } ?? rows.first { $0.fulfilment == nil })?.rate
        }
    }

    /// Rounds half up.
    private static func rounded(_ number: Int128, _ divisor: Int128) -> Int64 {
        Int64((2 * number + divisor) / (2 * divisor))
    }

    @Test(
        "For 100,000 random orders, lines add up to the total, taxes are exact, and stored totals are equal"
    )
    func addUp() throws {
        var random = SeededRandom()
        var seen = (taxes: 0, shared: 0, given: 0, whole: 0)
        for _ in 0..<500 {
            let shop = try Shop(&random)
            var prices: [Int64: Int64] = [:]
            for id in CheckoutFixture.itemIDs {
                prices[id] =
                    Bool.random(using: &random)
                    ? .random(in: 1...3_000, using: &random) : [0, 1, 100_000_000].randomElement(using: &random)
            }
            let menu = CheckoutFixture.menu(prices: prices)
            for _ in 0..<200 {
                let lines: [(Int64, Int)] = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    (CheckoutFixture.itemIDs.randomElement(using: &random) ?? 2001, .random(in: 1...99, using: &random))
                }
                let priced = PricedBasket(
                    CheckoutFixture.basket(Array(lines.dropLast()), sets: [(200, lines.suffix(1))], recordedAt: menu),
                    menu: menu)
                let subtotal = priced.total.minorUnits
                let off = [0, subtotal, .random(in: 0...subtotal, using: &random)].randomElement(using: &random) ?? 0
                let discount = Discount(amount: CheckoutFixture.money(off), target: .everything)
                let limit = subtotal * Int64(shop.terms.tipLimitPercent) / 100
                let tip =
                    [nil, 0, limit, limit + 1, -1, Int64.random(in: 0...(limit + 1), using: &random)].randomElement(
                        using: &random) ?? nil
                let fulfilment: Fulfilment = Bool.random(using: &random) ? .delivery : .pickup
                let bill = Bill(
                    priced, shop.terms, fulfilment, area: fulfilment == .delivery ? shop.area : nil,
                    coupon: off == 0 ? nil : Bill.AppliedCoupon(code: "SOME", title: "Some", discount: discount),
                    tip: tip)
                let quote = Quote(priced, bill, conditions: [], fulfilment: fulfilment, wantedAt: nil, etaMinutes: 15)
                let taken = tip.flatMap { (0...limit).contains($0) ? $0 : nil } ?? 0
                guard shop.terms.highestTip(on: priced.total).minorUnits == limit,
                    Self.isCorrect(quote, shop, tip: taken, &seen)
                else {
                    Issue.record(
                        "\(quote.totals) of \(quote.lines) \(quote.sets), tip \(tip ?? 0), in \(shop), \(random)")
                    return
                }
            }
        }
        #expect(
            seen.taxes > 10_000 && seen.shared > 10_000 && seen.given > 1_000 && seen.whole > 100, "\(seen) \(random)")
    }

    private static func isCorrect(
        _ quote: Quote, _ shop: Shop, tip: Int64, _ seen: inout (taxes: Int, shared: Int, given: Int, whole: Int)
    )
        -> Bool
    {
        let charged = quote.lines + quote.sets.flatMap(\.items)
        let before = charged.map { $0.line.unitPrice.minorUnits * Int64($0.line.quantity) }
        let after = zip(before, charged).map { $0 - $1.discount.minorUnits }
        let (subtotal, goods) = (before.reduce(0, +), after.reduce(0, +))
        let off = subtotal - goods
        // Each share is at most its line's amount, and less than one unit from the exact share.
        let areFair = zip(before, charged).allSatisfy { before, line in
            let share = line.discount.minorUnits
            return share <= before
                && (subtotal == 0
                    || abs(Int128(share) * Int128(subtotal) - Int128(off) * Int128(before)) < Int128(subtotal))
        }
        let isDelivered = quote.fulfilment == .delivery
        // Below all tiers, the lowest tier applies.
        let tiers = shop.tiers.sorted { $0.from < $1.from }
        let delivery = isDelivered ? (tiers.last { $0.from <= subtotal } ?? tiers.first)?.fee ?? 0 : 0
        let small = subtotal < shop.small.below ? shop.small.fee : 0
        let service =
            shop.service.amount + (shop.service.share.map { rounded(Int128(subtotal) * Int128($0), 1_000_000) } ?? 0)
        let taxes = shop.terms.taxes
        let fees = [(delivery, taxes.deliveryRate), (small, taxes.smallOrderRate), (service, taxes.serviceRate)]

        var expected: [(TotalKey, Int64, Bool)] = [(TotalKey(.subtotal), subtotal, false)]
        if off != 0 { expected.append((TotalKey(.discount, code: "SOME"), -off, false)) }
        if isDelivered { expected.append((TotalKey(.deliveryFee), delivery, false)) }
        if small != 0 { expected.append((TotalKey(.smallOrderFee), small, false)) }
        if service != 0 { expected.append((TotalKey(.serviceCharge), service, false)) }
        let lineRates = charged.map { shop.rate(of: $0.line.dish.menuItemID, quote.fulfilment) }
        guard zip(charged, lineRates).allSatisfy({ $1 != nil || $0.tax == .zero }) else { return false }
        // The amounts by which fees without a rate are divided.
        let weights = goods > 0 ? after : before
        let whole = Int128(max(1, weights.reduce(0, +)))
        let following = Int128(fees.filter { $0.1 == nil }.reduce(0) { $0 + $1.0 })
        var gross = Int64(0)
        for (id, share) in shop.rates.sorted(by: { $0.key < $1.key }) {
            func own(_ amounts: [Int64]) -> Int128 {
                Int128(zip(amounts, lineRates).reduce(0) { $0 + ($1.1 == id ? $1.0 : 0) })
            }
            let named = Int128(fees.filter { $0.1 == id }.reduce(0) { $0 + $1.0 })
            // Numerators over `whole`.
            let ofFees = named * whole + following * own(weights)
            let base = own(after) * whole + ofFees
            let percent = Int128(share)
            let divisor = whole * (taxes.pricesIncludeTax ? 1_000_000 + percent : 1_000_000)
            let tax = rounded(base * percent, divisor)
            if tax != 0 { expected.append((TotalKey(.tax, code: String(id)), tax, taxes.pricesIncludeTax)) }
            // A line's tax is less than 2.5 units from the exact one: 0.5 by rounding the rate,
            // less than 1 by dividing the fees' base, and less than 1 by the largest remainder.
            let ofLines = zip(charged, lineRates).filter { $0.1 == id }.reduce(0) { $0 + $1.0.tax.minorUnits }
            let rest = tax - ofLines
            guard rest >= 0, ofFees != 0 || rest == 0, abs(Int128(rest) * divisor - ofFees * percent) < 4 * divisor
            else { return false }
            for index in charged.indices where lineRates[index] == id {
                let exact = Int128(after[index]) * whole * percent
                guard 2 * abs(Int128(charged[index].tax.minorUnits) * divisor - exact) < 5 * divisor else {
                    return false
                }
            }
            // The net amount is a whole number, less than one unit from the exact one.
            if tax != 0 {
                guard let net = quote.totals.all.first(where: { $0.key == TotalKey(.tax, code: String(id)) })?.net,
                    net >= 0,
                    abs(Int128(net + (taxes.pricesIncludeTax ? tax : 0)) * whole - base) < whole
                else { return false }
                gross += net + tax
            }
            if tax != 0 { seen.taxes += 1 }
            if rest > 0, ofLines > 0 { seen.shared += 1 }
            if goods == 0, tax != 0 { seen.given += 1 }
        }
        if tip != 0 { expected.append((TotalKey(.tip), tip, false)) }
        let total = expected.reduce(0) { $0 + ($1.2 ? 0 : $1.1) }
        // If everything is taxed, nets and taxes add up to the payment. Otherwise they are less.
        let isTaxed =
            !lineRates.contains(nil) && expected.count { $0.0.kind == .tax } == shop.rates.count
            && (weights.reduce(0, +) > 0 || following == 0)
        guard gross <= total - tip, !isTaxed || gross == total - tip else { return false }
        if isTaxed { seen.whole += 1 }
        expected.append((TotalKey(.total), total, false))

        let totals = quote.totals
        return areFair && totals.all.map(\.key) == expected.map(\.0) && totals.all.map(\.amount) == expected.map(\.1)
            && totals.all.map(\.isIncluded) == expected.map(\.2)
            && totals.subtotal.minorUnits == subtotal && totals.discount.minorUnits == off
            && totals.total.minorUnits == total
            && Totals(stored: totals.all) == totals
    }
}
