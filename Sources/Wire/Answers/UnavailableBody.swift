// Why something can't be had, beside every `isAvailable` that is false. Made by Web, read by StorefrontClient.
// Read next: MenuBodies.swift, BasketBody.swift.

/// What keeps it back.
public struct UnavailableBody: Hashable, Sendable, Decodable, JSONObject {
    /// `sold_out`; there will be more.
    public let reason: String
    /// The first moment at which it can be had again, RFC 3339, UTC; left out where nobody knows.
    public let until: String?

    package init(reason: String, until: String? = nil) { (self.reason, self.until) = (reason, until) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("reason", reason)
        writer.fieldIfPresent("until", until)
    }
}
