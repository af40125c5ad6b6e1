// How staff have a thing counted. Made by Web of a request, written by Database's SetCounting.swift. Next: StockLeft.swift, what is left of it.

/// Whether a thing is counted, as staff say it.
package enum StockCounting: Sendable, Hashable {
    /// What a count can be.
    package static let range: ClosedRange<Int64> = 0...1_000_000_000

    /// It is there without end.
    case uncounted
    /// There are so many now, and no more until staff say so.
    case remaining(Int64)
    /// There are so many on each business day.
    case perDay(Int64)
}
