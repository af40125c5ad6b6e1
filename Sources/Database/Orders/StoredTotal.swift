// Maps the totals of an order to columns: subtotal, total, and the total lines between them as order_total
// (sql/004_orders.sql), whose CHECK verifies the sums. Usually an order has no such lines, and the column is null.
// Both sums have the built-in titles of the order's language, unless staff have translated them.
import Ordering
import Postgres

/// A total line between subtotal and total.
struct StoredTotal: PostgresComposite, Equatable {
    static let compositeName = "order_total"

    /// Signed.
    var amount: Int64 = 0
    var net: Int64?
    var isIncluded = false
    var kind = ""
    var code: String?
    var title = ""
    var rate: String?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("amount", &amount)
        try record.field("net", &net)
        try record.field("is_included", &isIncluded)
        try record.field("kind", &kind)
        try record.field("code", &code)
        try record.field("title", &title)
        try record.field("rate", &rate)
    }
}

extension StoredTotal {
    init(_ line: TotalLine) {
        self.init(
            amount: line.amount, net: line.net, isIncluded: line.isIncluded, kind: line.key.kind.rawValue,
            code: line.key.code, title: line.title, rate: line.rate)
    }

    fileprivate func line() throws(PostgresError) -> TotalLine {
        guard let kind = TotalKind(rawValue: kind) else { throw .undecodable("no total is called \(self.kind)") }
        return TotalLine(kind, code: code, title: title, amount: amount, isIncluded: isIncluded, rate: rate, net: net)
    }
}

extension [StoredTotal] {
    /// The lines between subtotal and total. Empty: `place_orders` expects null (`nilIfEmpty`).
    init(_ totals: Totals) { self = totals.all.compactMap { $0.key.kind.isSum ? nil : StoredTotal($0) } }
}

extension TotalLine {
    /// The title of a sum to store; nil: the built-in title.
    func storedTitle(in language: LanguageTag) -> String? { title == key.kind.defaultTitle(in: language) ? nil : title }
}

extension TotalKind {
    /// The title of a sum without a stored title.
    fileprivate func defaultTitle(in language: LanguageTag) -> String {
        builtInTitle(in: language) ?? builtInTitle(in: .english) ?? rawValue
    }
}

extension Row {
    /// Reads the columns `subtotal`, `total`, `totals`, `subtotal_title` and `total_title` of an order in a language.
    mutating func nextTotals(in language: LanguageTag) throws(PostgresError) -> Totals {
        let (subtotal, total) = (try next(Int64.self), try next(Int64.self))
        let stored = try next([StoredTotal]?.self) ?? []
        let (subtotalTitle, totalTitle) = (try next(String?.self), try next(String?.self))
        var all = [
            TotalLine(
                .subtotal, title: subtotalTitle ?? TotalKind.subtotal.defaultTitle(in: language), amount: subtotal)
        ]
        for line in stored { all.append(try line.line()) }
        all.append(TotalLine(.total, title: totalTitle ?? TotalKind.total.defaultTitle(in: language), amount: total))
        guard let totals = Totals(stored: all) else {
            throw .undecodable("an order's totals don't add up: \(stored.map(\.amount))")
        }
        return totals
    }
}
