// Compares receipts of random baskets with their orders over HTTP. ReceiptTests check a few exact values by hand.

import Ordering
import Support
import Testing
import Wire

@Suite("Random receipts equal their orders and add up", .timeLimit(.minutes(5)))
struct RandomReceiptTests {
    /// Fries are untaxed, the service charge is taxed like the goods, and pickup has no fee.
    private static func shop(in currency: String) -> String {
        """
        begin;
        update shop set currency = '\(currency)';
        insert into tax_rates (id, title, percent) values (1, 'Food', 7), (2, 'Drinks', 8.875);
        insert into category_taxes (category_id, tax_rate_id) values (100, 1), (200, 1), (500, 2);
        insert into category_taxes (category_id, fulfilment, tax_rate_id) values
            (400, 'delivery', 2), (400, 'pickup', 1);
        insert into delivery_areas (id, title, postcodes) values (1, 'Near', '{101*}'), (2, 'Far', '{20*}');
        insert into delivery_fees (area_id, from_subtotal, fee) values (1, 0, 290), (1, 3000, 0), (2, 0, 490);
        update fulfilments set small_order_below = 2000, small_order_fee = 110, service_charge_percent = 2.5
            where fulfilment = 'delivery';
        update shop set delivery_tax_rate_id = 1, small_order_tax_rate_id = 2;
        insert into coupons (id, key, benefit, amount, condition, is_listed, position, title, description)
            values (90, 'OFF', 'amount', 333, 'none', false, 90, 'A little less', 'A little less.');
        commit
        """
    }

    /// Menu items with their selections: without options, or with options that cost more.
    private static let dishes: [(item: Int64, options: [SelectedOptionBody]?)] = [
        (2001, nil),
        (2001, [SelectedOptionBody(1103), SelectedOptionBody(1201, quantity: 2), SelectedOptionBody(1206)]),
        (2003, nil),
        (2004, nil),
        (1001, nil),
        (
            1001,
            [
                SelectedOptionBody(2104, options: [SelectedOptionBody(2302, options: [SelectedOptionBody(2402)])]),
                SelectedOptionBody(1101),
                SelectedOptionBody(2501),
            ]
        ),
        (1004, nil), (3001, nil), (3003, nil), (4001, nil), (4004, nil), (5001, nil),
    ]

    /// A random number generator that makes the same choices in every run.
    private struct Choices: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 1
            return state.mixed
        }
    }

    private static func placeOrder(_ shop: TestShop, guest: Int, _ random: inout Choices) async throws -> OrderBody {
        var basket = try await shop.server.startBasket()
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let dish = dishes.randomElement(using: &random) ?? dishes[0]
            let quantity = Int64.random(in: 1...3, using: &random)
            basket = try await shop.server.storefront.addItem(
                dish.item, quantity: quantity, options: dish.options, to: basket.id)
        }
        for sale in [200, 400] as [Int64] where Int.random(in: 0..<4, using: &random) == 0 {
            basket = try await shop.server.storefront.addSet(sale, to: basket.id)
        }
        let hasBurger = basket.lines.contains { (2000..<3000).contains($0.menuItemId) }
        let coupon = [nil, "FRST", "OFF", hasBurger ? "FOLLOW" : nil].randomElement(using: &random) ?? nil
        var form = CheckoutBody.filled(for: basket, guest: guest, coupon: coupon)
        form.fulfilment = ["delivery", "delivery", "pickup"].randomElement(using: &random)
        form.postcode = ["10117", "20095"].randomElement(using: &random)
        if Bool.random(using: &random) { form.tip = .random(in: 1...basket.total, using: &random) }
        let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
        let quote = try #require(live.quote)
        (form.expectedTotal, form.expectedTotals, form.currency) = (quote.total, quote.totals, quote.currency)
        let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
        #expect(order.totals == quote.totals)
        return order
    }

    /// The tax rate of a line's category, or nil if it is untaxed.
    private static func rate(of line: OrderLineBody, _ order: OrderBody) -> String? {
        switch line.menuItemId / 1000 {
        case 3: nil
        case 4: order.fulfilment == "pickup" ? "1" : "2"
        case 5: "2"
        default: "1"
        }
    }

    private static func sum(_ amounts: some Sequence<Int64>) -> Int64 { amounts.reduce(0, +) }

    /// Checks the receipt against the order, and returns whether the order has untaxed lines.
    private static func check(_ receipt: ReceiptBody, _ order: OrderBody, areIncluded: Bool) -> Bool {
        let lines = order.lines + order.sales.flatMap(\.items)
        let (taxes, receiptTaxes) = (order.totals.filter { $0.kind == "tax" }, receipt.taxes)
        func amount(_ kinds: String...) -> Int64 {
            sum(order.totals.lazy.filter { kinds.contains($0.kind) }.map(\.amount))
        }
        let fees = amount("delivery_fee", "small_order_fee", "service_charge")

        #expect(
            receipt.order.totals == order.totals && receipt.order.total == order.total
                && receipt.order.currency == order.currency)
        #expect(
            receipt.order.lines == order.lines && receipt.order.sales == order.sales
                && receipt.order.customer == order.customer)
        #expect(
            receiptTaxes.map { "\($0.code) \($0.rate) \($0.tax)" }
                == taxes.map { "\($0.code ?? "-") \($0.rate ?? "-") \($0.amount)" })
        #expect(taxes.allSatisfy { ($0.isIncluded ?? false) == areIncluded })
        #expect(order.discount == sum(lines.map(\.discount)) && order.subtotal == sum(lines.map(\.total)))

        var grossOfFees: Int64 = 0
        for tax in receiptTaxes {
            #expect(tax.gross == tax.net + tax.tax && tax.net >= 0 && tax.tax > 0)
            // The receipt shows percentages: 7 % is 7,000 of 100,000.
            let thousandths: Int64 = tax.code == "1" ? 7_000 : 8_875
            let (base, divisor) = areIncluded ? (tax.gross, 100_000 + thousandths) : (tax.net, 100_000)
            #expect(abs(tax.tax * divisor - base * thousandths) <= divisor, "\(tax)")
            let own = lines.filter { rate(of: $0, order) == tax.code }
            let goods = sum(own.map { $0.total - $0.discount + (areIncluded ? 0 : $0.tax) })
            #expect(sum(own.map(\.tax)) <= tax.tax && goods <= tax.gross)
            // Without fees, the taxes of the lines add up to the tax of the rate.
            if fees == 0 { #expect(sum(own.map(\.tax)) == tax.tax && goods == tax.gross) }
            grossOfFees += tax.gross - goods
        }
        let untaxed = lines.filter { line in !receiptTaxes.contains { $0.code == rate(of: line, order) } }
        #expect(untaxed.allSatisfy { $0.tax == 0 })
        // The rest of the total is untaxed goods with their share of the fees.
        let rest =
            order.total - sum(receiptTaxes.map(\.gross)) - amount("tip") - sum(untaxed.map { $0.total - $0.discount })
        let taxOfFees = areIncluded ? 0 : sum(taxes.map(\.amount)) - sum(lines.map(\.tax))
        #expect(rest >= 0 && grossOfFees + rest == fees + taxOfFees, "\(receipt)")
        if untaxed.isEmpty { #expect(rest == 0, "\(receipt)") }
        return !untaxed.isEmpty
    }

    @Test(
        "Receipts of random baskets have the totals of their orders, and net and tax add up for each rate",
        arguments: ["USD", "JPY", "KWD"])
    func addsUp(currency: String) async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(Self.shop(in: currency))
            try await eventually("the server has loaded the new menu") {
                try await shop.server.get("/v1/delivery?postcode=10117").decoded(DeliveryBody.self).currency == currency
            }
            var random = Choices(state: currency.utf8.reduce(0) { $0 &* 256 &+ UInt64($1) })
            var seen: Set<String> = []
            for areIncluded in [true, false] {
                try await shop.database.psql("update shop set prices_include_tax = \(areIncluded)")
                for number in 0..<16 {
                    let order = try await Self.placeOrder(shop, guest: number + (areIncluded ? 100 : 200), &random)
                    let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
                    let receipt: ReceiptBody = try await shop.server.get(
                        "/v1/orders/\(order.id)/receipt", headers: token
                    ).expecting(200)
                        .decoded()
                    let isPartlyUntaxed = Self.check(receipt, order, areIncluded: areIncluded)
                    #expect(order.currency == currency)
                    seen.formUnion(
                        order.totals.map(\.kind) + [order.fulfilment, isPartlyUntaxed ? "untaxed" : "taxed"])
                    if !order.sales.isEmpty { seen.insert("set") }
                    if order.lines.contains(where: { $0.options.contains { $0.price > 0 } }) { seen.insert("options") }
                }
            }
            #expect(
                seen == [
                    "subtotal", "discount", "delivery_fee", "small_order_fee", "service_charge", "tax", "tip", "total",
                    "delivery",
                    "pickup",
                    "untaxed", "taxed", "set", "options",
                ])
        }
    }
}
