// How an order is paid: chosen in a checkout, shown in the order. Made and read by Web and by StorefrontClient.

/// The payment that a checkout asks for. A missing method is nil here and 422 in the answer; an unknown member is 400.
public struct ChosenPaymentBody: Hashable, Sendable, Codable, JSONReadable, JSONObject {
    /// `cash`; a shop may offer more methods one day.
    public var method: String?

    private enum Field: String, CaseIterable { case method }
    private static let fields = FieldTable<Field>()

    /// A payment by this method.
    public init(method: String? = nil) { self.method = method }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var method: String?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .method: method = try reader.stringOrNull()
            }
        }
        self.init(method: method)
    }

    package func writeFields(to writer: inout JSONWriter) { writer.fieldIfPresent("method", method) }
}

/// The payment of an order.
public struct PaymentBody: Hashable, Sendable, Decodable, JSONObject {
    /// `cash`; ignore or name others, which a later server may know.
    public let method: String

    package init(method: String) { self.method = method }

    package func writeFields(to writer: inout JSONWriter) { writer.field("method", method) }
}
