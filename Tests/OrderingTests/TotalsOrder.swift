// An order of a `TotalsCase`: the dishes, the form, and the oracle's verdict.
import FoundationEssentials

@testable import Ordering

/// A guest's order. The members have the names of Tests/Tools/Totals/cases.py.
struct TotalsOrder: Decodable {
    static let now = Instant(microseconds: 1_789_574_400_000_000)

    struct Unit: Decodable {
        var item: Int64
        /// Only in lines.
        var quantity: Int64?
        /// Pairs of an option and its quantity.
        var options: [[Int64]]

        var chosen: RawDish {
            RawDish(MenuItemID(rawValue: item), options: options.map { RawOptionChoice($0[0], quantity: $0[1]) })
        }
    }

    struct Set: Decodable {
        var sale: Int64
        var units: [Unit]
    }

    struct CouponTerms: Decodable {
        var key: String
        var percent: Int?
        var amount: Int64?
        var freeItem: Int64?
    }

    var lines: [Unit]
    var sets: [Set]
    var fulfilment: String
    var coupon: CouponTerms?
    var postcode: String?
    var tip: Int64?
    var judgement: TotalsVerdict

    func basket(_ menu: Menu) throws -> Basket {
        let changes =
            lines.map { BasketChange.addItem($0.chosen, quantity: $0.quantity ?? 1) }
            + sets.map { BasketChange.addSale(SalesGroupID(rawValue: $0.sale), $0.units.map(\.chosen)) }
        return try Basket(id: CheckoutFixture.basketID(1), currency: menu.currency.code).after(changes, menu)
    }

    func facts(_ menu: Menu) throws -> CheckoutFacts {
        CheckoutFacts(
            clockReading: ClockReading(now: Self.now, today: CheckoutFixture.date(2026, 9, 16)), menu: menu,
            basket: try basket(menu), placedOrder: nil,
            coupon: try coupon?.make(), guestHistory: .none)
    }

    /// A form without errors, except those of the case.
    var form: CheckoutForm {
        CheckoutForm(
            name: "Ann Lee", phone: "5550100199", email: "ann@example.com", address: "12 Elm Street",
            coupon: coupon?.key,
            fulfilment: fulfilment, postcode: postcode, tip: tip)
    }
}

extension TotalsOrder.CouponTerms {
    fileprivate func make() throws -> Coupon {
        let benefit: CouponBenefit? =
            percent.flatMap(Percent.init).map(CouponBenefit.percent) ?? amount.flatMap(Money.init).map(
                CouponBenefit.amount)
            ?? freeItem.map { .freeItem(CategoryID(rawValue: $0)) }
        guard let benefit else { throw TotalsCase.InvalidCase(description: "coupon \(key)") }
        return try .test(key, benefit)
    }
}

/// The totals that the oracle expects.
struct TotalsVerdict: Decodable {
    /// `[kind, code, amount, isIncluded, rate]`
    struct Entry: Decodable, Equatable {
        var kind: String
        var code: String?
        var amount: Int64
        var isIncluded: Bool
        var rate: String?

        init(_ total: TotalLine) {
            (kind, code, amount) = (total.key.kind.rawValue, total.key.code, total.amount)
            (isIncluded, rate) = (total.isIncluded, total.rate)
        }

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            kind = try list.decode(String.self)
            code = try list.decode(String?.self)
            amount = try list.decode(Int64.self)
            isIncluded = try list.decode(Bool.self)
            rate = try list.decode(String?.self)
        }
    }

    /// A line, or an item of a set. Its tax is `least` or `most`. The parts with the largest remainders have `most`.
    struct Part: Decodable {
        var item, unitPrice, quantity, discount: Int64
        /// 0 if the part is untaxed.
        var rate: Int64
        var least, most: Int64
        /// The rank of the remainder within the rate. Equal remainders have equal ranks.
        var rest: Int64

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            func next() throws -> Int64 { try list.decode(Int64.self) }
            (item, unitPrice, quantity, discount) = (try next(), try next(), try next(), try next())
            (rate, least, most, rest) = (try next(), try next(), try next(), try next())
        }
    }

    /// A rate's tax, whether half a unit was rounded up, and the bounds of the fees' share and of the net amount.
    struct Tax: Decodable {
        var rate, amount: Int64
        var isHalf: Bool
        var leastOfFees, mostOfFees: Int64
        /// False if the fees' share that follows the goods is a fraction of a minor unit.
        var isOfWhole: Bool
        var leastNet, mostNet: Int64

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            (rate, amount) = (try list.decode(Int64.self), try list.decode(Int64.self))
            isHalf = try list.decode(Bool.self)
            (leastOfFees, mostOfFees) = (try list.decode(Int64.self), try list.decode(Int64.self))
            isOfWhole = try list.decode(Bool.self)
            (leastNet, mostNet) = (try list.decode(Int64.self), try list.decode(Int64.self))
        }
    }

    var totals: [Entry]
    /// `tip tip_out_of_range maximum=5`, in the documented order.
    var errors: [String]
    var lines: [Part]
    var taxes: [Tax]

    /// The difference between a quote and this verdict, or nil if both agree.
    func difference(from quote: Quote) -> String? {
        let ours = quote.totals.all.map(Entry.init)
        if ours != totals { return "totals \(ours), the oracle's \(totals)" }
        // The sums are checked without the oracle.
        let added = ours.filter { !$0.isIncluded && $0.kind != "total" }.reduce(0) { $0 + $1.amount }
        if added != quote.total.minorUnits || added != ours.last?.amount {
            return "\(added) in all is not \(quote.total)"
        }
        let charged = quote.lines + quote.sets.flatMap(\.items)
        if charged.count != lines.count { return "\(charged.count) lines, the oracle's \(lines.count)" }
        var (discount, subtotal) = (Int64(0), Int64(0))
        for (ours, theirs) in zip(charged, lines) {
            let line = ours.line
            let numbers = [
                line.dish.menuItemID.rawValue, line.unitPrice.minorUnits, Int64(line.quantity),
                ours.discount.minorUnits,
            ]
            guard numbers == [theirs.item, theirs.unitPrice, theirs.quantity, theirs.discount] else {
                return "line \(numbers), the oracle's \(theirs)"
            }
            if theirs.rate == 0, ours.tax != .zero { return "line \(numbers) has a tax of \(ours.tax)" }
            subtotal += theirs.unitPrice * theirs.quantity
            discount += ours.discount.minorUnits
        }
        for tax in quote.totals.all where (tax.key.kind == .tax) != (tax.net != nil) {
            return "\(tax) has a net of \(tax.net ?? 0)"
        }
        let grosses = quote.totals.all.compactMap { total in total.net.map { $0 + total.amount } }
        let tip = ours.first { $0.kind == "tip" }?.amount ?? 0
        if grosses.reduce(0, +) > quote.total.minorUnits - tip { return "\(grosses) are more than \(quote.total)" }
        for (tax, net) in quote.totals.all.compactMap({ total in total.net.map { (total.key.code, $0) } }) {
            guard let exact = taxes.first(where: { String($0.rate) == tax }),
                (exact.leastNet...exact.mostNet).contains(net)
            else {
                return "rate \(tax ?? "") is of \(net), the oracle's \(taxes)"
            }
        }
        if subtotal != quote.subtotal.minorUnits || discount != quote.discount.minorUnits {
            return "discounts add up to \(discount)"
        }
        return taxDifference(charged)
    }

    private func taxDifference(_ charged: [OrderLine]) -> String? {
        for tax in taxes {
            let own = zip(charged, lines).filter { $0.1.rate == tax.rate }.map {
                (tax: $0.0.tax.minorUnits, part: $0.1)
            }
            let ofFees = tax.amount - own.reduce(0) { $0 + $1.tax }
            let difference = "of rate \(tax) lines \(own), fees \(ofFees)"
            // Fees are divided by fractions of a minor unit, which may move a part by one.
            let slack: Int64 = tax.isOfWhole ? 0 : 1
            guard (max(0, tax.leastOfFees - slack)...tax.mostOfFees + slack).contains(ofFees) else { return difference }
            guard own.allSatisfy({ (max(0, $0.part.least - slack)...$0.part.most + slack).contains($0.tax) }) else {
                return difference
            }
            // The largest remainders are rounded up.
            let up = own.filter { $0.tax > $0.part.least }.map(\.part.rest)
            let down = own.filter { $0.tax < $0.part.most }.map(\.part.rest)
            if tax.isOfWhole, up.min() ?? .max < down.max() ?? .min { return difference }
        }
        return nil
    }
}
