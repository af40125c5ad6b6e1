// Rules that SQL and Swift both implement must agree. Compares the CHECKs of sql/004_orders.sql with Ordering's Quote,
// on random baskets whose seed is printed.
@testable import Database
import FoundationEssentials
import Ordering
import Postgres
import Support
import TestBasics
import Testing

@Suite struct SQLConsistencyTests {
    @Test("PostgreSQL accepts the sums of every random quote, and rejects each sum that is off by one")
    func quoteSums() async throws {
        try await ShopFixture.with { fixture async throws in
            var random = SeededRandom()
            let seed = "\(random)"
            let menu = try await fixture.storage.loadMenu().menu
            let constraint = try await OrderConstraint(fixture.database)
            func violation(_ lines: [StoredOrderLine], _ subtotal: Int64, _ discount: Int64) async throws -> String? {
                let totals = StoredTotal(amount: -discount, kind: "discount", code: "A", title: "A")
                return try await constraint.violation(
                    lines, discount == 0 ? [] : [totals], subtotal: subtotal, discount: discount,
                    total: subtotal - discount)
            }
            for _ in 0..<300 {
                let priced = try basket(menu, fixture.makeBasketID(), &random)
                let quote = Quote(
                    priced, Bill(priced, menu.terms), conditions: [], fulfilment: .delivery, wantedAt: nil,
                    etaMinutes: 15)
                let percent = Int.random(in: 0...100, using: &random)
                let subtotal = quote.subtotal.minorUnits
                let discounted = Self.discounted(quote, subtotal - (subtotal * Int64(100 - percent) + 50) / 100)
                let discount = discounted.discount
                let lines = StoredOrderLine.columns(lines: discounted.lines, sets: discounted.sets).lines
                #expect(try await violation(lines, subtotal, discount) == nil, "\(seed)")
                for (subtotal, discount) in [
                    (subtotal + 1, discount), (subtotal - 1, discount), (subtotal, discount + 1),
                    (subtotal, discount - 1),
                ] {
                    // A discount that is negative or above the subtotal violates an earlier rule.
                    let rule = (0...subtotal).contains(discount) ? "order_lines_add_up" : "order_total_adds_up"
                    #expect(try await violation(lines, subtotal, discount) == rule, "\(seed)")
                }
                var changedLines = [lines, lines, lines]
                changedLines[0][0].quantity += 1
                changedLines[1][0].unitPrice += 1
                changedLines[2][0].discount += 1
                for lines in changedLines {
                    #expect(try await violation(lines, subtotal, discount) == "order_lines_add_up", "\(seed)")
                }
            }
        }
    }

    @Test("PostgreSQL and Swift accept the same random totals, and both reject totals that are off in any way")
    func totals() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            var random = SeededRandom()
            let constraint = try await OrderConstraint(database)
            var acceptedCount = 0
            for round in 0..<2_000 {
                let subtotal = Int64.random(in: 1...5_000, using: &random)
                let (reduction, tip) = (
                    Int64.random(in: 1...subtotal, using: &random), Int64.random(in: 1...500, using: &random)
                )
                var all = [
                    TotalLine(.subtotal, title: "Subtotal", amount: subtotal),
                    TotalLine(.discount, code: "A", title: "A", amount: -reduction),
                    TotalLine(.tip, title: "Tip", amount: tip, isIncluded: round % 5 == 0),
                    TotalLine(.total, title: "Total", amount: subtotal - reduction + (round % 5 == 0 ? 0 : tip)),
                ]
                if round % 2 == 1 {
                    let index = Int.random(in: 0..<all.count, using: &random)
                    let (line, amount) = (all[index], all[index].amount)
                    let kind = TotalKind.allCases.randomElement(using: &random) ?? .tip
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: all.remove(at: index)
                    case 1:
                        all[index] = TotalLine(
                            line.key.kind, title: line.title, amount: amount + (Bool.random(using: &random) ? 1 : -1))
                    case 2: all[index] = TotalLine(kind, title: line.title, amount: amount)
                    default: all.swapAt(index, 0)
                    }
                }
                // Lines that add up are not enough: no sum is between the other lines, and each kind has its sign.
                let inner = all.dropFirst().dropLast()
                let isValidBill = inner.allSatisfy {
                    !$0.key.kind.isSum && $0.amount != 0 && ($0.amount < 0) == ($0.key.kind == .discount)
                }
                let (subtotalStored, totalStored) = (all.first?.amount ?? 0, all.last?.amount ?? 0)
                let totals = Totals(
                    stored: [TotalLine(.subtotal, title: "Subtotal", amount: subtotalStored)] + inner
                        + [TotalLine(.total, title: "Total", amount: totalStored)])
                let isAccepted = totals.map { isValidBill && $0.discount <= $0.subtotal } ?? false
                if isAccepted { acceptedCount += 1 }
                // The taxes of this test have no net amounts, which is a later rule.
                let hasTax = inner.contains { $0.key.kind == .tax }
                let rule: String? = !isAccepted ? "order_total_adds_up" : hasTax ? "order_nets_add_up" : nil
                let discount = inner.reduce(Int64(0)) { $1.key.kind == .discount ? $0 - $1.amount : $0 }
                let violation = try await constraint.violation(
                    [StoredOrderLine(amount: subtotalStored, discount: discount)], inner.map { StoredTotal($0) },
                    subtotal: subtotalStored, discount: discount, total: totalStored)
                #expect(violation == rule, "\(round): \(all) \(random)")
            }
            #expect(acceptedCount >= 1_000)
        }
    }

    @Test("The SQL function total_kinds lists every kind of total at the position of its id")
    func totalKinds() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let kinds = TotalKind.allCases.sorted { $0.translationID < $1.translationID }
            #expect(kinds.map(\.translationID) == Array(1...Int64(kinds.count)))
            #expect(
                try await database.psql("select array_to_string(total_kinds(), ' ')")
                    == kinds.map(\.rawValue).joined(separator: " "))
        }
    }

    @Test(
        "The SQL function is_plain_text accepts every line of plain text that the server accepts")
    func plainLines() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let ranges: [ClosedRange<UInt32>] = [
                0x1...0x33FF, 0xD7FF...0xE000, 0xFE00...0xFFFF, 0x1F355...0x1F355, 0xE0000...0xE01FF,
                0x10FFFF...0x10FFFF,
            ]
            var lines: [String] = []
            for value in ranges.joined() {
                guard let scalar = Unicode.Scalar(value) else { continue }
                for text in ["a\(scalar)b", "\(scalar)a", "a\(scalar)", "\(scalar)", " \(scalar)\(scalar) "] {
                    if case .success(let line?) = PlainLine.parse(text, limit: 200) { lines.append(line.text) }
                }
            }
            #expect(lines.count > 20_000)
            let rows = lines.map { "('\($0.replacing("'", with: "''"))')" }.joined(separator: ",")
            let refused = try await database.psql(
                "select string_agg(t, ' ') from (values \(rows)) as line (t) where is_plain_text(t, 200) is not true"
            )
            #expect(refused == "")
        }
    }

    @Test("PostgreSQL accepts the net amounts of every tax line, and rejects missing, extra or wrong ones")
    func netAmounts() async throws {
        try await ShopFixture.with { fixture async throws in
            var random = SeededRandom()
            let constraint = try await OrderConstraint(fixture.database)
            var taxedCount = 0
            let menu = try await fixture.storage.loadMenu().menu
            for round in 0..<300 {
                let rates: [TaxRate] = try ([1, 2] as [Int64]).map { id in
                    let share =
                        [1, 70_000, 88_750, 1_000_000, Int64.random(in: 1...1_000_000, using: &random)].randomElement(
                            using: &random) ?? 1
                    return TaxRate(id: id, title: "Tax", percent: try #require(Rate(tenThousandths: share)))
                }
                let categories = [(100, 1), (200, 1), (400, 2)].map {
                    CategoryTax(CategoryID(rawValue: $0.0), rate: $0.1)
                }
                let service = ServiceCharge(
                    amount: try #require(Money(minorUnits: .random(in: 0...999, using: &random))))
                let terms = ShopTerms(
                    delivery: FulfilmentTerms(serviceCharge: service),
                    taxes: TaxTerms(rates: rates, categories: categories, pricesIncludeTax: round % 2 == 0))
                let priced = try basket(menu, fixture.makeBasketID(), &random)
                let bill = Bill(priced, terms, tip: round % 3 == 0 ? 5 : nil).totals
                let totals = [StoredTotal](bill)
                guard let index = totals.firstIndex(where: { $0.net != nil }) else { continue }
                taxedCount += 1
                func violation(_ totals: [StoredTotal], totalChange: Int64 = 0) async throws -> String? {
                    try await constraint.violation(
                        [StoredOrderLine(amount: bill.subtotal.minorUnits, discount: bill.discount.minorUnits)], totals,
                        subtotal: bill.subtotal.minorUnits, discount: bill.discount.minorUnits,
                        total: bill.total.minorUnits + totalChange)
                }
                func changingTax(_ change: (inout StoredTotal) -> Void) -> [StoredTotal] {
                    var changed = totals
                    change(&changed[index])
                    return changed
                }
                #expect(try await violation(totals) == nil, "\(totals) \(random)")
                var mistakes = [
                    changingTax { $0.net = nil }, changingTax { $0.net = -1 }, changingTax { $0.rate = nil },
                    changingTax { $0.net = ($0.net ?? 0) + bill.total.minorUnits },
                ]
                if let other = totals.firstIndex(where: { $0.net == nil }) {
                    var changed = totals
                    changed[other].net = 0
                    mistakes.append(changed)
                }
                for mistake in mistakes {
                    #expect(try await violation(mistake) == "order_nets_add_up", "\(mistake) \(random)")
                }
                // Rounding moves a tax by less than two units, and the CHECK allows no more.
                for change in [4, -4] as [Int64] {
                    let changed = changingTax { $0.amount += change }
                    let rule = changed[index].amount >= 1 ? "order_nets_add_up" : "order_total_adds_up"
                    let totalChange = totals[index].isIncluded ? 0 : change
                    #expect(try await violation(changed, totalChange: totalChange) == rule, "\(changed) \(random)")
                }
            }
            #expect(taxedCount > 200)
        }
    }

    @Test("The shop accepts exactly the currencies in use, and the server knows the decimals of each")
    func currencies() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let letters = "(select chr(n) as letter from generate_series(64, 91) as n)"
            let acceptedCodes = try await database.psql(
                """
                select a.letter || b.letter || c.letter as code from \(letters) a, \(letters) b, \(letters) c
                where is_currency_code(a.letter || b.letter || c.letter) order by 1
                """
            ).split(separator: "\n").map(String.init)
            // Orders may still have currencies that were withdrawn.
            #expect(
                Currency.codes.filter { !["ANG", "BGN"].contains($0) } == acceptedCodes && acceptedCodes.count > 150)
            let invalidCodes = """
                select is_currency_code(''), is_currency_code('usd'), is_currency_code('USD '),
                    is_currency_code(E'\\nUSD')
                """
            #expect(try await database.psql(invalidCodes) == "f|f|f|f")
        }
    }

    @Test("Constraints reject an update that makes a stored order inconsistent")
    func orderConstraints() async throws {
        // The fields of a total: amount, net, is_included, kind, code, title, rate.
        func total(_ fields: String) -> String { "totals = array[row(\(fields))::order_total]" }
        // The fields of an option: option_id, group_id, price, total, line, parent, quantity, title.
        func option(_ fields: String) -> String { "options = array[row(\(fields))::order_option]" }
        let tip = total("1, null, false, 'tip', null, 'A', null") + ", total = total + 1"
        let mistakes = [
            ("total = total + 1", "order_total_adds_up"),
            (
                "\(tip.replacing("array[row", with: "array[array[row").replacing("total]", with: "total]]"))",
                "order_total_adds_up"
            ),
            ("\(tip.replacing("order_total]", with: "order_total, null]"))", "order_total_adds_up"),
            (total("1, null, null, 'tip', null, 'A', null") + ", total = total + 1", "order_total_adds_up"),
            (total("1, null, true, 'tip', null, 'A', null") + ", total = total + 1", "order_total_adds_up"),
            (total("1, null, false, 'tip', null, null, null") + ", total = total + 1", "order_total_adds_up"),
            (total("1, null, false, 'tip', null, '', null") + ", total = total + 1", "order_total_adds_up"),
            (total("1, null, false, null, null, 'A', null") + ", total = total + 1", "order_total_adds_up"),
            (total("1, null, false, 'subtotal', null, 'A', null") + ", total = total + 1", "order_total_adds_up"),
            (total("null, null, false, 'tip', null, 'A', null"), "order_total_adds_up"),
            (total("0, null, false, 'tip', null, 'A', null"), "order_total_adds_up"),
            (total("1, null, false, 'tip', null, 'A', null"), "order_total_adds_up"),
            (total("-1, null, false, 'discount', null, 'A', null") + ", total = total - 1", "order_total_adds_up"),
            ("discount = 1", "order_total_adds_up"),
            (total("1, 1, false, 'tip', null, 'A', null") + ", total = total + 1", "order_nets_add_up"),
            (total("1, 100, true, 'tax', null, 'A', null"), "order_nets_add_up"),
            (total("1, null, true, 'tax', null, 'A', '7'"), "order_nets_add_up"),
            ("subtotal = subtotal + 1, total = total + 1", "order_lines_add_up"),
            ("lines = '{}'", "order_is_not_empty"), ("lines = array[lines]", "order_lines_are_complete"),
            ("lines[1] = null", "order_lines_are_complete"), ("lines[1].line_id = null", "order_lines_are_complete"),
            ("lines[1].menu_item_id = null", "order_lines_are_complete"),
            ("lines[1].regular_unit_price = null", "order_lines_are_complete"),
            ("lines[1].kind = null", "order_lines_are_complete"), ("lines[1].title = null", "order_lines_are_complete"),
            ("options = '{}'", "order_lines_are_complete"),
            (option("1, 1, 0, 0, 2, null, 1, 'A'"), "order_lines_are_complete"),
            (option("1, 1, 0, 0, 0, null, 1, 'A'"), "order_lines_are_complete"),
            (option("1, 1, 0, 0, 1, 1, 1, 'A'"), "order_lines_are_complete"),
            (option("1, 1, 0, 0, 1, null, 1, null"), "order_lines_are_complete"),
            ("lines[1].unit_price = null", "order_lines_add_up"), ("lines[1].quantity = null", "order_lines_add_up"),
            ("lines[1].discount = null", "order_lines_add_up"), ("lines[1].discount = 1", "order_lines_add_up"),
            ("coupon_key = 'FRST'", "order_coupon_is_complete"),
            ("state = 'eaten'", "order_state_is_known"),
            ("eta_minutes = 17", "order_eta_in_range"), ("eta_minutes = 245", "order_eta_in_range"),
            ("number = '123'", "order_number_has_eight_digits"),
            ("number = '1234567x'", "order_number_has_eight_digits"),
            ("address = null", "order_address_matches_fulfilment"),
            ("fulfilment = 'pickup'", "order_address_matches_fulfilment"),
            ("lines[1].tax = 1", "order_taxes_add_up"), ("lines[1].tax = -1", "order_taxes_add_up"),
            (
                """
                lines = array[
                        row(1, 2001, null, 5, 5, 0, 1, 1, 'regular', 'A', null, null),
                        row(2, 2001, null, 5, 5, 0, null, 1, 'regular', 'A', null, null)]::order_line[],
                totals = array[row(1, 100, false, 'tax', null, 'A', '1')::order_total], subtotal = 10, total = 11
                """,
                "order_taxes_add_up"
            ),
            ("language = 'English!'", "order_language_is_a_tag"), ("language = ''", "order_language_is_a_tag"),
            ("minimum_age = 0", "order_minimum_age_is_an_age"), ("minimum_age = -1", "order_minimum_age_is_an_age"),
        ]
        try await ShopFixture.with { fixture async throws in
            _ = try await fixture.placeOrder(by: Guest(1))
            for (change, constraint) in mistakes {
                let refusal = await #expect(throws: PsqlFailed.self, "\(change)") {
                    try await fixture.database.psql("update orders set \(change)")
                }
                #expect(refusal?.output.contains(constraint) == true, "\(change): \(refusal?.output ?? "")")
            }
            let twice = await #expect(throws: PsqlFailed.self) {
                try await fixture.database.psql("insert into orders select * from orders")
            }
            #expect(twice?.output.contains("one_order_per_basket") == true)
            try await fixture.database.psql("update orders set \(tip)")
        }
    }

    @Test("Constraints reject an update that makes a stored basket inconsistent")
    func basketConstraints() async throws {
        let mistakes = [
            ("lines[1].quantity = 0", "basket_quantity_in_range"),
            ("lines[1].quantity = 100", "basket_quantity_in_range"),
            ("lines[1].unit_price = -1", "basket_price_in_range"),
            // The fields of a line: line_id, menu_item_id, sales_group_id, unit_price, quantity, note.
            (
                """
                lines = array[row(1, 2002, 200, 899, 3, null), row(2, 2002, 200, 899, 3, null)]::basket_line[],
                lines_made = 2
                """,
                "basket_lines_are_distinct"
            ),
            (
                """
                lines = array[row(1, 2001, null, 805, 1, 'a'), row(2, 2001, null, 805, 1, 'a')]::basket_line[],
                lines_made = 2
                """,
                "basket_lines_are_distinct"
            ),
            (
                "lines = array[row(1, 2001, null, 805, 1, 'a'), row(1, 2001, null, 805, 1, 'b')]::basket_line[]",
                "basket_lines_are_distinct"
            ),
            ("lines[1].note = repeat('a', 141)", "basket_lines_are_distinct"),
            ("lines[1].line_id = 2", "basket_lines_in_range"), ("lines[1].line_id = 0", "basket_lines_in_range"),
            ("state = 'closed'", "basket_state_is_known"),
            // A comparison with null is not false, and a nested array is not one row of lines.
            ("lines[1].quantity = null", "basket_quantity_in_range"),
            ("lines[1].unit_price = null", "basket_price_in_range"),
            ("lines[1].menu_item_id = null", "basket_lines_in_range"),
            ("lines[1].line_id = null", "basket_lines_in_range"), ("lines[1] = null", "basket_lines_in_range"),
            ("lines[1].sales_group_id = -1", "basket_lines_in_range"),
            ("lines[1].sales_group_id = 0", "basket_lines_in_range"),
            ("lines = array[lines]", "basket_lines_are_complete"), ("options = '{}'", "basket_lines_are_complete"),
            // The fields of an option: option_id, group_id, price, total, line, parent, quantity, title.
            (
                "options = array[row(1, 1, 0, 0, 2, null, 1, 'A')::order_option]", "basket_lines_are_complete"
            ),
            (
                "options = array[row(1, 1, 0, 0, 1, 1, 1, 'A')::order_option]", "basket_lines_are_complete"
            ),
        ]
        try await ShopFixture.with { fixture async throws in
            _ = try await fixture.makeBasket([3001: 1])
            for (change, constraint) in mistakes {
                let refusal = await #expect(throws: PsqlFailed.self, "\(change)") {
                    try await fixture.database.psql("update baskets set \(change)")
                }
                #expect(refusal?.output.contains(constraint) == true, "\(change): \(refusal?.output ?? "")")
            }
        }
    }

    @Test("A sale percentage lowers a price as PostgreSQL's numeric type does: rounded half up")
    func rounding() async throws {
        try await TestDatabase.with(.empty) { database async throws in
            let rounded = try await database.psql(
                """
                select price, percent, round(price::numeric * (100 - percent) / 100)
                from unnest(array[1, 2, 5, 49, 50, 51, 99, 150, 805, 999, 1999, 2005, 99999999, 100000000]) as price,
                    generate_series(1, 99) as percent
                """)
            for row in rounded.split(separator: "\n") {
                let numbers = row.split(separator: "|").compactMap { Int64($0) }
                let lowered = try #require(Money(minorUnits: numbers[0])).reduced(
                    by: #require(Percent(Int(numbers[1]))))
                #expect(lowered.minorUnits == numbers[2], "\(numbers[0]) less \(numbers[1]) %")
            }
        }
    }

    private func basket(_ menu: Menu, _ id: BasketID, _ random: inout some RandomNumberGenerator) throws -> PricedBasket
    {
        var basket = Basket(id: id, currency: menu.currency.code)
        for item in menu.items.shuffled(using: &random).prefix(.random(in: 1...12, using: &random)) {
            basket = try basket.applying(.addItem(item.id, quantity: .random(in: 1...99, using: &random)), menu: menu)
                .get()
        }
        for sale in menu.sales where Bool.random(using: &random) {
            if case .success(let more) = basket.applying(.addSale(sale.id), menu: menu) { basket = more }
        }
        return PricedBasket(basket, menu: menu)
    }

    /// The quote's lines and sets with their shares of a discount, spread by Money.
    private static func discounted(_ quote: Quote, _ discount: Int64) -> (
        lines: [OrderLine], sets: [OrderSet], discount: Int64
    ) {
        let amount = Money(minorUnits: discount) ?? .zero
        var shares = amount.shares(over: (quote.lines + quote.sets.flatMap(\.items)).map(\.line.total))[...]
        func charged(_ line: OrderLine) -> OrderLine {
            OrderLine(line.line, line.item, discount: shares.popFirst() ?? .zero)
        }
        let lines = quote.lines.map(charged)
        return (
            lines,
            quote.sets.map { OrderSet(salesGroupID: $0.salesGroupID, title: $0.title, items: $0.items.map(charged)) },
            amount.minorUnits
        )
    }
}
