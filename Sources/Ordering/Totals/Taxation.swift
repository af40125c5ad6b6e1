// Computes the taxes of a bill. The tax of each rate is computed exactly and rounded once. The base of a rate is the
// sum of its goods after discounts, the fees with this rate, and a proportional part of the fees without a rate.

/// The tax of each rate, and its distribution over the goods.
struct Taxation {
    /// Something that is sold.
    struct TaxableItem {
        let category: CategoryID?
        /// The price before and after discounts.
        let price, charged: Money
    }

    /// A total line for each rate with a tax above zero, by the rates' ids.
    let totals: [TotalLine]
    /// The share of the taxes of each item; empty without taxes. The rest of the taxes falls on fees.
    let shares: [Money]

    /// No taxes.
    static let none = Taxation(totals: [], shares: [])

    private init(totals: [TotalLine], shares: [Money]) { (self.totals, self.shares) = (totals, shares) }

    init(_ terms: TaxTerms, _ fulfilment: Fulfilment, _ goods: [TaxableItem], _ fees: [Fee]) {
        guard !terms.rates.isEmpty else {
            self = .none
            return
        }
        let rates = goods.map { terms.rate(of: $0.category, fulfilment) }
        // Fees without a rate are divided by the charged prices of the goods; if all are free, by their full prices.
        let areAllFree = goods.allSatisfy { $0.charged == .zero }
        let weights = goods.map { Int128((areAllFree ? $0.price : $0.charged).minorUnits) }
        let weight = weights.reduce(0, +)
        let proportionalFees = weight == 0 ? 0 : Self.sum(fees.lazy.filter { $0.rate == nil }.map(\.amount))
        // Running sums of the goods and of their part of the fees in whole units. Each rate's part of the fees ends
        // where the next one begins, so that the parts add up. Only the exact taxes use fractions of the fees.
        var (weightSoFar, feesSoFar) = (Int128(0), Int128(0))
        var totals: [TotalLine] = []
        var shares = goods.map { _ in Money.zero }
        for rate in terms.rates {
            let goodsOfRate = goods.indices.filter { rates[$0] == rate.id }
            let named = Self.sum(fees.lazy.filter { $0.rate == rate.id }.map(\.amount))
            let charged = Self.sum(goodsOfRate.lazy.map { goods[$0].charged })
            // At most 4 × 10¹⁵ × 2 × 10¹⁵ × 10⁶, which fits into Int128 even when doubled below.
            // The base is this value divided by `whole`, and a tax never exceeds its base.
            let whole = max(weight, 1)
            let weightOfGoods = goodsOfRate.reduce(0) { $0 + weights[$1] }
            let base = (charged + named) * whole + proportionalFees * weightOfGoods
            weightSoFar += weightOfGoods
            let feesOfRate = named + proportionalFees * weightSoFar / whole - feesSoFar
            feesSoFar = proportionalFees * weightSoFar / whole
            let divisor =
                whole * Int128(Rate.hundredPercent + (terms.pricesIncludeTax ? rate.percent.tenThousandths : 0))
            let exact = base * Int128(rate.percent.tenThousandths)
            // Rounds half up; the divisor is doubled so that a half is a whole number.
            let tax = Money(unchecked: Int64((2 * exact + divisor) / (2 * divisor)))
            guard tax > .zero else { continue }
            let taxedPrice = Int64(charged + feesOfRate)
            totals.append(
                TotalLine(
                    .tax, code: "\(rate.id)", title: rate.title, amount: tax.minorUnits,
                    isIncluded: terms.pricesIncludeTax,
                    rate: rate.percent.description,
                    net: terms.pricesIncludeTax ? taxedPrice - tax.minorUnits : taxedPrice))
            let parts = goodsOfRate.map { goods[$0].charged } + [Money(unchecked: Int64(feesOfRate))]
            for (index, share) in zip(goodsOfRate, tax.shares(over: parts)) { shares[index] = share }
        }
        (self.totals, self.shares) = (totals, shares)
    }

    private static func sum(_ amounts: some Sequence<Money>) -> Int128 {
        amounts.reduce(0) { $0 + Int128($1.minorUnits) }
    }
}
