// What an order comes to, line by line. Made by Bill alone, kept with the order, and shown everywhere as it was made.
// Next: Bill.swift, which makes it.

/// A list of totals that adds up: subtotal first, total last, and the total is the sum of all others that are not included in one of them.
package struct Totals: Sendable, Hashable {
    /// In the order of their kinds.
    package let all: [Total]
    /// All items at their prices.
    package let subtotal: Money
    /// What coupons take off, as an amount above zero.
    package let discount: Money
    /// What the guest pays.
    package let total: Money

    /// The list as it is stored; nil if it does not add up.
    package init?(stored all: [Total]) {
        guard all.count >= 2, let first = all.first, let last = all.last, first.key == TotalKey(.subtotal), last.key == TotalKey(.total)
        else { return nil }
        var (sum, discount) = (Int64(0), Int64(0))
        for one in all.dropLast() where !one.isIncluded {
            let (next, overflows) = sum.addingReportingOverflow(one.amount)
            if overflows { return nil }
            sum = next
            if one.key.kind == .discount { discount &-= one.amount }
        }
        guard sum == last.amount, let subtotal = Money(minorUnits: first.amount), let discount = Money(minorUnits: discount),
            let total = Money(minorUnits: sum)
        else { return nil }
        (self.all, self.subtotal, self.discount, self.total) = (all, subtotal, discount, total)
    }

    /// Adds up what stands between subtotal and total.
    init(subtotal: Money, _ others: [Total], titles: TotalTitles) {
        let sum = others.reduce(subtotal.minorUnits) { $1.isIncluded ? $0 : $0 + $1.amount }
        self.subtotal = subtotal
        discount = Money(proved: others.reduce(0) { $1.key.kind == .discount ? $0 - $1.amount : $0 })
        total = Money(proved: sum)
        all =
            [Total(.subtotal, title: titles[.subtotal], amount: subtotal.minorUnits)] + others
            + [Total(.total, title: titles[.total], amount: total.minorUnits)]
    }

    private init(_ totals: Totals, titled all: [Total]) {
        (self.all, subtotal, discount, total) = (all, totals.subtotal, totals.discount, totals.total)
    }

    /// The same in other words.
    func retitled(_ title: (Total) -> String) -> Totals { Totals(self, titled: all.map { $0.titled(title($0)) }) }

    /// Where a list that was shown differs from this one, in the order of the kinds; what one of them lacks is zero there.
    package func differences(from shown: [TotalKey: Int64]) -> [(key: TotalKey, old: Int64, new: Int64)] {
        let own = Dictionary(all.map { ($0.key, $0.amount) }, uniquingKeysWith: { first, _ in first })
        return Set(own.keys).union(shown.keys).sorted().map { (key: $0, old: shown[$0] ?? 0, new: own[$0] ?? 0) }.filter {
            $0.old != $0.new
        }
    }
}

/// What has been added up.
package protocol Totalled {
    /// What it comes to, line by line.
    var totals: Totals { get }
}

extension Totalled {
    /// Before coupons.
    package var subtotal: Money { totals.subtotal }
    /// What coupons take off.
    package var discount: Money { totals.discount }
    /// What the guest pays.
    package var total: Money { totals.total }
}
