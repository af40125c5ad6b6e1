// The payment of a checkout and of an order.

/// The payment that the guest selected. A missing method is nil here, and the server answers 422. To an unknown member
/// it answers 400.
public struct SelectedPaymentBody: Hashable, Sendable, Codable, JSONReadable, JSONObject {
    /// `cash`, currently the only method.
    public var method: String?

    private enum Field: String, CaseIterable { case method }
    private static let fields = FieldTable<Field>()

    /// Creates a payment with this method.
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
    /// `cash`. A newer server may return other methods.
    public let method: String

    package init(method: String) { self.method = method }

    package func writeFields(to writer: inout JSONWriter) { writer.field("method", method) }
}
