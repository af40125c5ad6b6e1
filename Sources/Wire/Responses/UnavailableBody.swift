// Why a menu item, an option, a line or a set is unavailable.

/// The reason why something is unavailable.
public struct UnavailableBody: Hashable, Sendable, Decodable, JSONObject {
    /// `sold_out`; `stock_short`: fewer units are left than requested; `not_served`: outside of its serving hours;
    /// `not_offered`: an item of a set whose sales group was retired or changed.
    public let reason: String
    /// The time from which it is available again, RFC 3339, UTC; left out if it is unknown.
    public let until: String?
    /// The units that are left with `stock_short`; else left out.
    public let available: Int64?

    package init(reason: String, until: String? = nil, available: Int64? = nil) {
        (self.reason, self.until, self.available) = (reason, until, available)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("reason", reason)
        writer.fieldIfPresent("until", until)
        writer.fieldIfPresent("available", available)
    }
}
