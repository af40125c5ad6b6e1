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
            var rows: [String] = []
            for _ in 0..<300 {
                let priced = try basket(menu, fixture.makeBasketID(), &random)
                let quote = Quote(
                    priced, Bill(priced, menu.terms), conditions: [], fulfilment: .delivery, wantedAt: nil,
                    etaMinutes: 15)
                let percent = Int.random(in: 0...100, using: &random)
                let total = quote.subtotal.minorUnits
                let discounted = Self.discounted(quote, total - (total * Int64(100 - percent) + 50) / 100)
                var stored = OrderLineColumns()
                stored.append(lines: discounted.lines, sets: discounted.sets)
                let (lines, shares) = (stored.lines, stored.discounts)
                let columns =
                    "array\(lines.quantities)::integer[], array\(lines.prices)::bigint[], array\(shares)::bigint[]"
                rows.append("(\(columns), \(total)::bigint, \(discounted.discount)::bigint)")
            }
            let sums = """
                from (values \(rows.joined(separator: ","))) as quote (quantities, prices, shares, subtotal, discount)
                """
            #expect(
                try await fixture.database.psql(
                    """
                    select count(*) filter (where lines_add_up(quantities, prices, shares, subtotal, discount))
                    \(sums)
                    """) == "300",
                "\(seed)")
            // Each sum one more or one less, the first line's values one more, or one value missing.
            var offByOne = [
                "subtotal + 1, discount", "subtotal - 1, discount", "subtotal, discount + 1", "subtotal, discount - 1",
            ].map {
                "quantities, prices, shares, \($0)"
            }
            for change in ["array[%[1] + 1] || %[2:]", "array[null] || %[2:]"] {
                for (index, column) in ["quantities", "prices", "shares"].enumerated() {
                    var columns = ["quantities", "prices", "shares"]
                    let type = column == "quantities" ? "integer[]" : "bigint[]"
                    columns[index] =
                        "(\(change.replacing("%", with: column).replacing("null]", with: "null]::\(type)")))"
                    offByOne.append(columns.joined(separator: ", ") + ", subtotal, discount")
                }
            }
            let accepted =
                """
                select count(*) \(sums),
                    unnest(array[\(offByOne.map { "lines_add_up(\($0))" }.joined(separator: ", "))])
                    as accepted where accepted is not false
                """
            #expect(try await fixture.database.psql(accepted) == "0", "\(seed)")
        }
    }

    @Test("PostgreSQL and Swift accept the same random totals, and both reject totals that are off in any way")
    func totals() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            var random = SeededRandom()
            var rows: [String] = []
            var swiftResults: [Bool] = []
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
                swiftResults.append(totals.map { isValidBill && $0.discount <= $0.subtotal } ?? false)
                var stored = StoredTotals()
                stored.append(between: Array(inner))
                let codes = stored.codes.map { $0.map { "'\($0)'" } ?? "null" }.joined(separator: ",")
                let texts = { (texts: [String]) in "array[\(texts.map { "'\($0)'" }.joined(separator: ","))]::text[]" }
                let discount = inner.reduce(Int64(0)) { $1.key.kind == .discount ? $0 - $1.amount : $0 }
                rows.append(
                    """
                    (\(round), totals_add_up(\(texts(stored.kinds)), array[\(codes)]::text[], \(texts(stored.titles)),
                     array\(stored.amounts)::bigint[],
                      array\(stored.areIncluded)::boolean[], array_fill(null::text, array[\(inner.count)]),
                      \(subtotalStored), \(discount),
                     \(totalStored)))
                    """)
            }
            let sqlRows = try await database.psql(
                "select round, taken from (values \(rows.joined(separator: ","))) as rows (round, taken) order by 1")
            let pairs = zip(sqlRows.split(separator: "\n"), swiftResults).enumerated()
            for (round, (row, isAccepted)) in pairs {
                #expect(row == "\(round)|\(isAccepted ? "t" : "f")", "\(rows[round]) \(random)")
            }
            #expect(swiftResults.filter(\.self).count >= 1_000)
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
            var rows: [String] = []
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
                let totals = Bill(priced, terms, tip: round % 3 == 0 ? 5 : nil).totals
                var stored = StoredTotals()
                stored.append(between: Array(totals.all.dropFirst().dropLast()))
                guard stored.nets.contains(where: { $0 != nil }) else { continue }
                let texts = { (texts: [String?]) in
                    "array[\(texts.map { $0.map { "'\($0)'" } ?? "null" }.joined(separator: ","))]::text[]"
                }
                let nets =
                    "array[\(stored.nets.map { $0.map(String.init) ?? "null" }.joined(separator: ","))]::bigint[]"
                let taxPosition = (stored.nets.firstIndex { $0 != nil } ?? 0) + 1
                rows.append(
                    """
                    (\(nets), \(texts(stored.kinds)), array\(stored.amounts)::bigint[], \(texts(stored.rates)), \
                    \(totals.total), \(taxPosition))
                    """
                )
            }
            let from =
                "from (values \(rows.joined(separator: ","))) as bill (nets, kinds, amounts, rates, total, place)"
            func acceptedCount(_ nets: String, amounts: String = "amounts") -> String {
                "count(*) filter (where nets_add_up(\(nets), kinds, \(amounts), rates, total) is not false)"
            }
            let changed = [
                "null", "nets[2:]", "array_append(nets, null)", "array_fill(null::bigint, array[cardinality(nets)])",
                "nets[: place - 1] || -1::bigint || nets[place + 1 :]",
                "nets[: place - 1] || (nets[place] + total) || nets[place + 1 :]",
            ]
            // Rounding moves a tax by less than two units, and the CHECK allows no more.
            let moved = ["+ 4", "- 4"].map { change in
                acceptedCount(
                    "nets", amounts: "amounts[: place - 1] || (amounts[place] \(change)) || amounts[place + 1 :]")
            }
            let counts = try await fixture.database.psql(
                """
                select count(*), \(acceptedCount("nets")),
                \((changed.map { acceptedCount($0) } + moved).joined(separator: ", ")) \(from)
                """
            ).split(separator: "|").compactMap { Int($0) }
            #expect(counts.count == 10 && counts[0] > 200 && counts[1] == counts[0], "\(counts) \(random)")
            #expect(counts.dropFirst(2).allSatisfy { $0 == 0 }, "\(counts) \(random)")
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
        let alike =
            """
            total_codes = '{null}', total_titles = '{A}', total_amounts = '{1}', \
            total_are_included = '{f}', total_rates = '{null}'
            """
        let tip = "total_kinds = '{tip}', total_titles = '{A}', total_amounts = '{1}', total = total + 1"
        let mistakes = [
            ("total = total + 1", "order_total_adds_up"), ("\(tip), total_codes = '{}'", "order_total_adds_up"),
            ("\(tip), total_are_included = '{null}'", "order_total_adds_up"),
            ("\(tip), total_are_included = '{f,f}'", "order_total_adds_up"),
            ("\(tip), total_are_included = '{t}'", "order_total_adds_up"),
            ("\(tip), total_rates = '{null,null}'", "order_total_adds_up"),
            ("total_nets = '{1}'", "order_nets_add_up"),
            (
                """
                total_kinds = '{tax}', total_titles = '{A}', total_amounts = '{1}', \
                total_are_included = '{t}', total_nets = '{100}'
                """,
                "order_nets_add_up"
            ),
            (
                "total_kinds = '{tax}', \(alike), total_are_included = '{t}', total_rates = '{7}'".replacing(
                    "total_are_included = '{f}', total_rates = '{null}', ", with: ""), "order_nets_add_up"
            ), ("total_kinds = '{tip}'", "order_total_adds_up"),
            ("total_titles = array['Tip']", "order_total_adds_up"),
            ("total_amounts = array[0]", "order_total_adds_up"),
            ("total_kinds = '{subtotal}', \(alike)", "order_total_adds_up"),
            ("total_kinds = '{tip}', \(alike)", "order_total_adds_up"), ("discount = 1", "order_total_adds_up"),
            ("subtotal = subtotal + 1, total = total + 1", "order_lines_add_up"),
            ("line_items = '{}'", "order_is_not_empty"), ("line_notes = '{}'", "order_lines_are_complete"),
            ("line_ids = '{}'", "order_lines_are_complete"), ("line_kinds = '{}'", "order_lines_are_complete"),
            ("line_prices = array[null::bigint] || line_prices[2:]", "order_lines_add_up"),
            ("coupon_key = 'FRST'", "order_coupon_is_complete"),
            ("state = 'eaten'", "order_state_is_known"),
            ("eta_minutes = 17", "order_eta_in_range"), ("eta_minutes = 245", "order_eta_in_range"),
            ("number = '123'", "order_number_has_eight_digits"),
            ("address = null", "order_address_matches_fulfilment"),
            ("fulfilment = 'pickup'", "order_address_matches_fulfilment"),
            ("line_taxes = '{1}'", "order_taxes_add_up"), ("line_taxes = '{-1}'", "order_taxes_add_up"),
            ("line_taxes = '{0,0}'", "order_taxes_add_up"), ("line_taxes = '{null}'", "order_taxes_add_up"),
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
            // A valid tip is accepted, with and without the arrays that are empty for a tip.
            try await fixture.database.psql(
                """
                update orders set \(tip);
                update orders set total_codes = '{null}', total_are_included = '{f}', total_rates = '{null}'
                """)
        }
    }

    @Test("Constraints reject an update that makes a stored basket inconsistent")
    func basketConstraints() async throws {
        let mistakes = [
            ("line_quantities = '{0}'", "basket_quantity_in_range"),
            ("line_quantities = '{100}'", "basket_quantity_in_range"),
            ("line_prices = '{-1}'", "basket_price_in_range"), ("line_items = '{1,2}'", "basket_lines_are_complete"),
            (
                """
                line_sales = '{200,200}', line_items = '{2002,2002}', line_quantities = '{3,3}', \
                line_prices = '{899,899}', line_ids = '{1,2}', line_notes = '{null,null}', lines_made = 2
                """,
                "basket_lines_are_distinct"
            ),
            (
                """
                line_sales = '{0,0}', line_items = '{2001,2001}', line_quantities = '{1,1}', \
                line_prices = '{805,805}', line_ids = '{1,2}', line_notes = '{a,a}', lines_made = 2
                """,
                "basket_lines_are_distinct"
            ),
            (
                """
                line_sales = '{0,0}', line_items = '{2001,2001}', line_quantities = '{1,1}', \
                line_prices = '{805,805}', line_ids = '{1,1}', line_notes = '{a,b}'
                """,
                "basket_lines_are_distinct"
            ),
            ("line_notes = array[repeat('a', 141)]", "basket_lines_are_distinct"),
            ("line_notes = '{}'", "basket_lines_are_complete"),
            ("line_ids = '{2}'", "basket_lines_in_range"), ("line_ids = '{0}'", "basket_lines_in_range"),
            ("state = 'closed'", "basket_state_is_known"),
            // A comparison with null is not false, and a nested array is not one row of values.
            ("line_quantities = '{null}'", "basket_quantity_in_range"),
            ("line_prices = '{null}'", "basket_price_in_range"),
            ("line_items = '{null}'", "basket_lines_in_range"), ("line_sales = '{-1}'", "basket_lines_in_range"),
            ("line_quantities = '{{1}}'", "basket_lines_are_complete"),
            ("line_items = '{{2001}}'", "basket_lines_are_complete"),
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
