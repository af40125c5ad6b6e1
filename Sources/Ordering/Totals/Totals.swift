// The totals of an order, line by line. Computed once by Bill and stored with the order.

/// Total lines that add up: subtotal first, total last. The total is the sum of all lines that are not included.
package struct Totals: Sendable, Hashable {
    /// In the order of their kinds.
    package let all: [TotalLine]
    /// All items at their prices.
    package let subtotal: Money
    /// The reduction by coupons, as a positive amount.
    package let discount: Money
    /// The amount that the guest pays.
    package let total: Money

    /// The stored lines; nil if they do not add up.
    package init?(stored all: [TotalLine]) {
        guard all.count >= 2, let first = all.first, let last = all.last, first.key == TotalKey(.subtotal),
            last.key == TotalKey(.total)
        else { return nil }
        var (sum, discount) = (Int64(0), Int64(0))
        for line in all.dropLast() where !line.isIncluded {
            let (next, overflows) = sum.addingReportingOverflow(line.amount)
            if overflows { return nil }
            sum = next
            if line.key.kind == .discount { discount &-= line.amount }
        }
        guard sum == last.amount, let subtotal = Money(minorUnits: first.amount),
            let discount = Money(minorUnits: discount),
            let total = Money(minorUnits: sum)
        else { return nil }
        (self.all, self.subtotal, self.discount, self.total) = (all, subtotal, discount, total)
    }

    /// Adds up the lines between subtotal and total.
    init(subtotal: Money, _ lines: [TotalLine], titles: TotalTitles) {
        let sum = lines.reduce(subtotal.minorUnits) { $1.isIncluded ? $0 : $0 + $1.amount }
        self.subtotal = subtotal
        discount = Money(unchecked: lines.reduce(0) { $1.key.kind == .discount ? $0 - $1.amount : $0 })
        total = Money(unchecked: sum)
        all =
            [TotalLine(.subtotal, title: titles[.subtotal], amount: subtotal.minorUnits)] + lines
            + [TotalLine(.total, title: titles[.total], amount: total.minorUnits)]
    }

    private init(_ totals: Totals, titled all: [TotalLine]) {
        (self.all, subtotal, discount, total) = (all, totals.subtotal, totals.discount, totals.total)
    }

    /// The same totals with other titles.
    func retitled(_ title: (TotalLine) -> String) -> Totals { Totals(self, titled: all.map { $0.titled(title($0)) }) }

    /// The differences from a list that was shown, in the order of the kinds. A missing line counts as zero.
    package func differences(from shown: [TotalKey: Int64]) -> [(key: TotalKey, old: Int64, new: Int64)] {
        let amounts = Dictionary(all.map { ($0.key, $0.amount) }, uniquingKeysWith: { first, _ in first })
        return Set(amounts.keys).union(shown.keys).sorted().map {
            (key: $0, old: shown[$0] ?? 0, new: amounts[$0] ?? 0)
        }.filter {
            $0.old != $0.new
        }
    }
}

/// A value with totals.
package protocol HasTotals {
    /// The total lines.
    var totals: Totals { get }
}

extension HasTotals {
    /// Before coupons.
    package var subtotal: Money { totals.subtotal }
    /// The reduction by coupons.
    package var discount: Money { totals.discount }
    /// The amount that the guest pays.
    package var total: Money { totals.total }
}
