// The Date header of responses (RFC 9110, section 6.6.1), formatted once a second instead of per response.
// Hummingbird's DateCache is internal.
import Glibc
import Synchronization

/// The current time in HTTP format: `Sun, 06 Nov 1994 08:49:37 GMT`.
final class DateHeader: Sendable {
    private let cached = Mutex((second: 0, text: ""))

    var now: String {
        let second = time(nil)
        return cached.withLock { cached in
            if cached.second != second { cached = (second, Self.text(second)) }
            return cached.text
        }
    }

    /// Seconds since 1970 as an IMF-fixdate (section 5.6.7).
    static func text(_ second: Int) -> String {
        var (second, parts) = (second, tm())
        gmtime_r(&second, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
            Int(parts.tm_mon)]
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(day), \(two(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(time) GMT"
    }
}
