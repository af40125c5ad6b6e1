// Maps the totals of an order to columns: subtotal, total, and seven arrays of equal length for the total lines between
// them. An order usually has no such lines, and all seven arrays are null. Otherwise the codes are null if there are
// neither coupons nor taxes, and the rates and net amounts are null if there are no taxes.
// Both sums have the built-in titles of the order's language, unless staff have translated them. A CHECK in
// sql/004_orders.sql verifies the sums.
import Ordering
import Postgres

/// The totals of one or several orders, as columns.
struct StoredTotals: Sendable {
    /// The column names, in the order of reading.
    static let names = """
        subtotal, total, total_kinds, total_codes, total_titles, total_amounts, total_are_included, total_rates,
        total_nets, subtotal_title,
        total_title
        """

    /// The first and last total line of each order, starting at 1.
    private(set) var firsts: [Int32] = []
    private(set) var lasts: [Int32] = []
    private(set) var kinds: [String] = []
    private(set) var codes: [String?] = []
    private(set) var titles: [String] = []
    private(set) var amounts: [Int64] = []
    private(set) var areIncluded: [Bool] = []
    private(set) var rates: [String?] = []
    private(set) var nets: [Int64?] = []
    /// The titles of the sums; nil: the built-in titles.
    private(set) var subtotalTitles: [String?] = []
    private(set) var totalTitles: [String?] = []

    /// Appends the totals of an order.
    mutating func append(_ totals: Totals, in language: LanguageTag) {
        append(between: totals.all.filter { !$0.key.kind.isSum })
        subtotalTitles.append(
            totals.all.first.flatMap { $0.title == $0.key.kind.defaultTitle(in: language) ? nil : $0.title })
        totalTitles.append(
            totals.all.last.flatMap { $0.title == $0.key.kind.defaultTitle(in: language) ? nil : $0.title })
    }

    mutating func append(between: [TotalLine]) {
        firsts.append(Int32(kinds.count + 1))
        for total in between {
            kinds.append(total.key.kind.rawValue)
            codes.append(total.key.code)
            titles.append(total.title)
            amounts.append(total.amount)
            areIncluded.append(total.isIncluded)
            rates.append(total.rate)
            nets.append(total.net)
        }
        lasts.append(Int32(kinds.count))
    }

    /// Passes the columns to place_orders.
    func append(to arguments: inout Arguments) {
        // A null costs nothing.
        let isEmpty = kinds.isEmpty
        arguments.append("total_firsts", isEmpty ? nil : firsts)
        arguments.append("total_lasts", isEmpty ? nil : lasts)
        arguments.append("totals_kinds", isEmpty ? nil : kinds)
        arguments.append("totals_codes", codes.contains { $0 != nil } ? codes : nil)
        arguments.append("totals_titles", isEmpty ? nil : titles)
        arguments.append("totals_amounts", isEmpty ? nil : amounts)
        arguments.append("totals_are_included", areIncluded.contains(true) ? areIncluded : nil)
        arguments.append("totals_rates", rates.contains { $0 != nil } ? rates : nil)
        arguments.append("totals_nets", nets.contains { $0 != nil } ? nets : nil)
        arguments.append("subtotal_titles", subtotalTitles.contains { $0 != nil } ? subtotalTitles : nil)
        arguments.append("sum_titles", totalTitles.contains { $0 != nil } ? totalTitles : nil)
    }
}

extension TotalKind {
    /// The title of a sum without a stored title.
    fileprivate func defaultTitle(in language: LanguageTag) -> String {
        builtInTitle(in: language) ?? builtInTitle(in: .english) ?? rawValue
    }
}

extension Row {
    /// Reads the totals of one order in this language.
    mutating func nextTotals(in language: LanguageTag) throws(PostgresError) -> Totals {
        let (subtotal, total) = (try next(Int64.self), try next(Int64.self))
        let kinds = try next([String]?.self) ?? []
        let codes = try next([String?]?.self) ?? kinds.map { _ in nil }
        let titles = try next([String]?.self) ?? []
        let amounts = try next([Int64]?.self) ?? []
        let areIncluded = try next([Bool]?.self) ?? kinds.map { _ in false }
        let rates = try next([String?]?.self) ?? kinds.map { _ in nil }
        let nets = try next([Int64?]?.self) ?? kinds.map { _ in nil }
        guard
            [codes.count, titles.count, amounts.count, areIncluded.count, rates.count, nets.count].allSatisfy({
                $0 == kinds.count
            })
        else {
            throw .undecodable("an order's totals are incomplete")
        }
        let (subtotalTitle, totalTitle) = (try next(String?.self), try next(String?.self))
        var all = [
            TotalLine(
                .subtotal, title: subtotalTitle ?? TotalKind.subtotal.defaultTitle(in: language), amount: subtotal)
        ]
        for index in kinds.indices {
            guard let kind = TotalKind(rawValue: kinds[index]) else {
                throw .undecodable("no total is called \(kinds[index])")
            }
            all.append(
                TotalLine(
                    kind, code: codes[index], title: titles[index], amount: amounts[index],
                    isIncluded: areIncluded[index],
                    rate: rates[index], net: nets[index]))
        }
        all.append(TotalLine(.total, title: totalTitle ?? TotalKind.total.defaultTitle(in: language), amount: total))
        guard let totals = Totals(stored: all) else { throw .undecodable("an order's totals don't add up: \(amounts)") }
        return totals
    }
}
