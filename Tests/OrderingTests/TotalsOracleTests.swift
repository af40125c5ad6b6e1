// Compares totals with an independent oracle in Python: Tests/Tools/Totals. The oracle uses exact fractions and is
// written from the API documentation alone.
import Foundation
import Subprocess
import TestBasics
import Testing

@testable import Ordering

@Suite("Totals compared with an independent oracle")
struct TotalsOracleTests {
    private static let parts = 2
    /// The shops of each part. `make test-long` compares the documented 100,000 baskets.
    private static let shops = SearchBudget.cases(100, long: 2_500)
    private static let ordersOfEach = 20

    @Test(
        "The totals of random baskets equal the oracle's, all parts add up, and quote, draft and order agree",
        arguments: 0..<Self.parts)
    func agreesWithOracle(part: Int) async throws {
        let random = SeededRandom()
        let seed = random.seed &+ UInt64(part)
        let cases = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../Tools/Totals/cases.py")
        let result = try await Subprocess.run(
            .path("/usr/bin/python3"),
            arguments: [
                "-B", cases.path, "--seed", String(seed), "--shops", String(Self.shops), "--orders",
                String(Self.ordersOfEach), "--judged",
            ], input: .none, output: .sequence, error: .currentStandardError
        ) { execution in
            var tally = Tally()
            for try await line in execution.standardOutput.strings() {
                guard tally.counts["different", default: 0] < 5 else { continue }
                let shop = try JSONDecoder().decode(TotalsCase.self, from: Data(line.utf8))
                let menu = try shop.menu()
                for (number, order) in shop.orders.enumerated() {
                    if let difference = try tally.judge(order, menu) {
                        Issue.record("\(random) part \(part) order \(number): \(difference), of \(line)")
                        tally.counts["different", default: 0] += 1
                    }
                }
            }
            return tally.counts
        }
        #expect(
            result.terminationStatus.isSuccess && result.closureResult["cases"] == Self.shops * Self.ordersOfEach,
            "\(random)")
        // Every kind occurs in at least 6 of 1,000 cases.
        let rare = Tally.kinds.filter {
            result.closureResult[$0, default: 0] < 6 * Self.shops * Self.ordersOfEach / 1_000
        }
        #expect(rare.isEmpty, "\(rare) of \(result.closureResult) \(random)")
    }

    /// Counts the kinds of cases.
    private struct Tally {
        /// The kinds that must not be rare.
        static let kinds = [
            "subtotal", "discount", "delivery_fee", "small_order_fee", "service_charge", "tax", "tip", "total",
            "included", "half",
            "several taxes", "tax on fees", "free delivery", "below all tiers", "percent", "amount", "freeItem",
            "all off", "options",
            "sets", "pickup", "placed", "EUR", "JPY", "KWD",
            "coupon coupon_needs_item", "postcode postcode_required", "postcode out_of_delivery_area",
            "basket order_minimum_not_reached",
            "tip tip_out_of_range",
        ]

        var counts: [String: Int] = [:]

        /// The difference from the oracle's verdict, or nil if both agree.
        mutating func judge(_ order: TotalsOrder, _ menu: Menu) throws -> String? {
            let verdict = order.judgement
            count(order, menu)
            let facts = try order.facts(menu)
            var form = order.form
            let live = Checkout.validate(form, facts)
            guard let quote = live.quote else { return "no quote" }
            if let difference = verdict.difference(from: quote) { return difference }
            // Validation of the form does not report missing fields; only the checkout does.
            let errors = live.errors.map(\.summaryWithParameters)
            if errors != verdict.errors.filter({ !$0.hasSuffix("_required") }) {
                return "\(errors), the oracle's \(verdict.errors)"
            }

            form.expectedTotal = quote.total.minorUnits
            form.currency = menu.currency.code.text
            form.expectedTotals = quote.totals.all.map {
                RawTotal(kind: $0.key.kind.rawValue, code: $0.key.code, amount: $0.amount)
            }
            let draft = CheckoutDraft(
                basketID: CheckoutFixture.basketID(1), key: try CheckoutIdempotencyKey.parse("try-1").get(),
                fingerprint: [], form: form,
                validation: form.validated(defaultCountry: menu.defaultCountry), openOrders: 0)
            let decision = Checkout.decide(draft, facts)
            guard let placed = decision.order else {
                let codes = verdict.errors.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
                return codes == decision.summaries && !codes.isEmpty
                    ? nil : "\(decision.summaries), the oracle's \(codes)"
            }
            counts["placed", default: 0] += 1
            if !verdict.errors.isEmpty || placed.quote != quote { return "placed \(placed.quote), shown \(quote)" }
            guard let totals = Totals(stored: placed.totals.all), totals == quote.totals else {
                return "no order has \(placed.totals)"
            }
            let stored = Order(
                id: placed.id, number: "10000000", state: .placed, lines: placed.lines, sets: placed.sets,
                couponKey: placed.coupon?.key.text,
                totals: totals, currency: placed.quote.currency, fulfilment: placed.fulfilment,
                etaMinutes: placed.etaMinutes,
                placedAt: TotalsOrder.now,
                customer: Customer(name: "", phone: "", email: "", address: nil, comment: nil), rejectionReason: nil)
            let isSame = stored.lines == quote.lines && stored.sets == quote.sets && stored.total == quote.total
            return isSame && stored.subtotal == quote.subtotal && stored.discount == quote.discount
                ? nil : "\(stored) is not \(quote)"
        }

        private func isBelowAllTiers(_ order: TotalsOrder, _ menu: Menu) -> Bool {
            guard order.fulfilment == "delivery", let postcode = try? Postcode.parse(order.postcode ?? "").get(),
                let lowest = menu.terms.areas.area(for: postcode)?.fees.last,
                let subtotal = order.judgement.totals.first?.amount
            else { return false }
            return subtotal < lowest.from.minorUnits && lowest.fee > .zero
        }

        private mutating func count(_ order: TotalsOrder, _ menu: Menu) {
            let (verdict, coupon) = (order.judgement, order.coupon)
            let taxes = verdict.totals.filter { $0.kind == "tax" }
            let isThere: [(String, Bool)] = [
                ("included", taxes.contains(where: \.isIncluded)), ("several taxes", taxes.count > 1),
                ("half", verdict.taxes.contains(where: \.isHalf)),
                ("tax on fees", verdict.taxes.contains { $0.mostOfFees > 0 }), ("sets", !order.sets.isEmpty),
                ("free delivery", verdict.totals.contains { $0.kind == "delivery_fee" && $0.amount == 0 }),
                ("below all tiers", isBelowAllTiers(order, menu)),
                ("percent", coupon?.percent != nil), ("amount", coupon?.amount != nil),
                ("freeItem", coupon?.freeItem != nil),
                (
                    "all off",
                    verdict.totals.contains { $0.kind == "discount" && $0.amount == -verdict.totals[0].amount }
                ),
                ("options", order.lines.contains { !$0.options.isEmpty }), (order.fulfilment, true),
                (menu.currency.code.text, true),
                ("cases", true),
            ]
            let kinds = isThere.filter(\.1).map(\.0) + Set(verdict.totals.map(\.kind))
            for kind in kinds + verdict.errors.map({ $0.split(separator: " ").prefix(2).joined(separator: " ") }) {
                counts[kind, default: 0] += 1
            }
        }
    }
}
