// The three kinds of metric series: counter, gauge and histogram.
import Metrics
import Synchronization

/// The lines of one series.
protocol MetricsSeries: AnyObject, Sendable {
    /// Appends the lines of the series.
    /// - Parameter labels: The text between the braces; empty without labels.
    func write(_ name: String, _ labels: String, to text: inout String)
}

final class CountSeries: MetricsSeries, CounterHandler {
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }
    func raise(to total: Int64) { count.max(total, ordering: .relaxed) }
    func reset() { count.store(0, ordering: .relaxed) }

    func write(_ name: String, _ labels: String, to text: inout String) {
        text += "\(name)\(labels.braced) \(count.load(ordering: .relaxed))\n"
    }
}

final class GaugeSeries: MetricsSeries, MeterHandler {
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }

    func write(_ name: String, _ labels: String, to text: inout String) {
        text += "\(name)\(labels.braced) \(value.withLock { $0 }.text)\n"
    }
}

/// Counts values per bucket. Timers record nanoseconds and are written in seconds.
final class HistogramSeries: MetricsSeries, RecorderHandler, TimerHandler {
    private struct State {
        /// The last bucket has no upper bound.
        var counts: [Int64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let unit: Double
    private let state: Mutex<State>

    init(buckets: [Double], unit: Double) {
        (bounds, self.unit) = (buckets, unit)
        state = Mutex(State(counts: Array(repeating: 0, count: buckets.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration)) }

    func record(_ value: Double) {
        let value = value / unit
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }

    func write(_ name: String, _ labels: String, to text: inout String) {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        let before = labels.isEmpty ? "" : labels + ","
        var total: Int64 = 0
        for (bound, count) in zip(bounds.map(\.text) + ["+Inf"], counts) {
            total += count
            text += "\(name)_bucket{\(before)le=\"\(bound)\"} \(total)\n"
        }
        text += "\(name)_sum\(labels.braced) \(sum.text)\n\(name)_count\(labels.braced) \(total)\n"
    }
}

extension String {
    fileprivate var braced: String { isEmpty ? "" : "{\(self)}" }
}

extension Double {
    /// Without a fraction for whole numbers; NaN in Prometheus spelling.
    fileprivate var text: String { isNaN ? "NaN" : Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}
