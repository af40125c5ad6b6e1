// The taxes of a bill: one pure function of what is charged and staff's rates, exact until each rate is rounded once. Called by Bill.swift alone.
// The base of a rate is what its goods cost after discounts, the fees that name it, and its share of those that name none.

/// What each rate comes to, and what of it falls on each of the goods.
struct Taxation {
    /// Something that is charged for.
    struct Good {
        let category: CategoryID?
        /// Before and after discounts.
        let price, charged: Money
    }

    /// A fee, with the rate that it names.
    struct Fee {
        let amount: Money
        let rate: Int64?
    }

    /// A total for each rate that comes to something, by the rates' ids.
    let totals: [Total]
    /// What of the taxes falls on each of the goods; empty where there are none. The rest of them falls on fees.
    let shares: [Money]

    /// No taxes.
    static let none = Taxation(totals: [], shares: [])

    private init(totals: [Total], shares: [Money]) { (self.totals, self.shares) = (totals, shares) }

    init(_ terms: TaxTerms, _ fulfilment: Fulfilment, _ goods: [Good], _ fees: [Fee]) {
        guard !terms.rates.isEmpty else {
            self = .none
            return
        }
        let rates = goods.map { terms.rate(of: $0.category, fulfilment) }
        // What follows the goods follows what they cost; where all is given away, what they would cost.
        let isFree = goods.allSatisfy { $0.charged == .zero }
        let weights = goods.map { Int128((isFree ? $0.price : $0.charged).minorUnits) }
        let weight = weights.reduce(0, +)
        let following = weight == 0 ? 0 : Self.sum(fees.lazy.filter { $0.rate == nil }.map(\.amount))
        // How much of the goods, and of what follows them in whole units, belongs to the rates so far: that what the rates are of adds up, each one's part
        // of the fees ends where the next one's begins. Only where taxes are exact the fees count in fractions.
        var (followed, parted) = (Int128(0), Int128(0))
        var totals: [Total] = []
        var shares = goods.map { _ in Money.zero }
        for rate in terms.rates {
            let own = goods.indices.filter { rates[$0] == rate.id }
            let named = Self.sum(fees.lazy.filter { $0.rate == rate.id }.map(\.amount))
            let charged = Self.sum(own.lazy.map { goods[$0].charged })
            // At most 4 × 10¹⁵ times 2 × 10¹⁵, times 10⁶: Int128 holds it twice. The base is this over `whole`, and a tax is no more than its base.
            let whole = max(weight, 1)
            let weightOfOwn = own.reduce(0) { $0 + weights[$1] }
            let base = (charged + named) * whole + following * weightOfOwn
            followed += weightOfOwn
            let ofFees = named + following * followed / whole - parted
            parted = following * followed / whole
            let divisor = whole * Int128(Rate.whole + (terms.areIncluded ? rate.percent.tenThousandths : 0))
            let exact = base * Int128(rate.percent.tenThousandths)
            // Half up; twice the divisor, so that a half is a whole number.
            let tax = Money(proved: Int64((2 * exact + divisor) / (2 * divisor)))
            guard tax > .zero else { continue }
            let priced = Int64(charged + ofFees)
            totals.append(
                Total(
                    .tax, code: "\(rate.id)", title: rate.title, amount: tax.minorUnits, isIncluded: terms.areIncluded,
                    rate: rate.percent.description, net: terms.areIncluded ? priced - tax.minorUnits : priced))
            let parts = own.map { goods[$0].charged } + [Money(proved: Int64(ofFees))]
            for (index, share) in zip(own, tax.shares(over: parts)) { shares[index] = share }
        }
        (self.totals, self.shares) = (totals, shares)
    }

    private static func sum(_ amounts: some Sequence<Money>) -> Int128 { amounts.reduce(0) { $0 + Int128($1.minorUnits) } }
}
