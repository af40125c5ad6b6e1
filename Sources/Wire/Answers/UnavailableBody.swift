// Why something can't be had, beside every `isAvailable` that is false. Made by Web, read by StorefrontClient.
// Read next: MenuBodies.swift, BasketBody.swift.

/// What keeps it back.
public struct UnavailableBody: Hashable, Sendable, Decodable, JSONWritable {
    /// `sold_out`; there will be more.
    public let reason: String
    /// The first moment at which it can be had again, RFC 3339, UTC; left out where nobody knows.
    public let until: String?

    /// All fields, in the order they are written.
    public init(
        reason: String,
        until: String? = nil
    ) {
        self.reason = reason
        self.until = until
    }

    /// Writes the fields in the contract's order.
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("reason", reason)
            $0.fieldIfPresent("until", until)
        }
    }
}
