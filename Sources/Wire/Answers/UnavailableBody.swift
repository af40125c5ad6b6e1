// Why something can't be had, beside every `isAvailable` that is false. Made by Web, read by StorefrontClient.
// Read next: MenuBodies.swift, BasketBody.swift.

/// What keeps it back.
public struct UnavailableBody: Hashable, Sendable, Decodable, JSONObject {
    /// `sold_out`; `stock_short` where there are some left, but fewer than are wanted; `not_served` where it is not served at this hour, and can be
    /// ordered for another; `not_offered` for an item of a set whose sale was retired or changed.
    public let reason: String
    /// The first moment at which it can be had again, RFC 3339, UTC; left out where nobody knows.
    public let until: String?
    /// How many there are where they are too few; else left out.
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
