// How staff let the stock of an item or an option be counted.

/// Whether and how stock is counted.
package enum StockPolicy: Sendable, Hashable {
    /// The permitted counts.
    package static let range: ClosedRange<Int64> = 0...1_000_000_000

    /// Unlimited stock.
    case uncounted
    /// This many units are left, until staff change the count.
    case remaining(Int64)
    /// This many units are available on each business day.
    case perDay(Int64)
}
