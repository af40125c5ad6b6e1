// The delivery conditions for a postcode.

/// `GET /v1/delivery`.
public struct DeliveryBody: Hashable, Sendable, Decodable, JSONObject {
    /// The delivery area of the postcode; null: none, or the shop delivers everywhere.
    public let area: DeliveryAreaBody?
    /// The fees by subtotal, the lowest subtotal first. The first fee also applies below its subtotal.
    public let fees: [DeliveryFeeBody]
    /// The minimum subtotal before discounts, minor units.
    public let minimum: Int64
    /// The additional delivery time of the area.
    public let extraMinutes: Int
    /// The normalised postcode of the request; null if it was missing or invalid.
    public let postcode: String?
    /// Whether the shop delivers to the postcode; without a postcode, whether it delivers everywhere.
    public let isDelivered: Bool
    /// The delivery time of an order that is placed now; null if the shop does not deliver there.
    public let minutes: Int?
    /// ISO 4217.
    public let currency: String
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int

    package init(
        area: DeliveryAreaBody? = nil, fees: [DeliveryFeeBody] = [], minimum: Int64 = 0, extraMinutes: Int = 0,
        postcode: String?,
        isDelivered: Bool, minutes: Int? = nil, currency: String, currencyExponent: Int
    ) {
        (self.area, self.fees, self.minimum, self.extraMinutes) = (area, fees, minimum, extraMinutes)
        (self.postcode, self.isDelivered, self.minutes) = (postcode, isDelivered, minutes)
        (self.currency, self.currencyExponent) = (currency, currencyExponent)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("area", area)
        writer.field("fees", fees)
        writer.field("minimum", minimum)
        writer.field("extraMinutes", extraMinutes)
        writer.field("postcode", postcode)
        writer.field("isDelivered", isDelivered)
        writer.field("minutes", minutes)
        writer.field("currency", currency)
        writer.field("currencyExponent", currencyExponent)
    }
}

/// An area that the shop delivers to.
public struct DeliveryAreaBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number that staff gave it.
    public let id: Int64
    /// Up to 100 characters without markup.
    public let title: String
    /// The language of the title if it is not the response's Content-Language; else left out.
    public let languages: TextLanguagesBody?

    package init(id: Int64, title: String, languages: TextLanguagesBody? = nil) {
        (self.id, self.title, self.languages) = (id, title, languages)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("title", title)
        writer.fieldIfPresent("languages", languages)
    }
}

/// The delivery fee from a certain subtotal.
public struct DeliveryFeeBody: Hashable, Sendable, Decodable, JSONObject {
    /// The lowest subtotal before discounts for this fee, inclusive, minor units.
    public let from: Int64
    /// Minor units.
    public let fee: Int64

    package init(from: Int64, fee: Int64) { (self.from, self.fee) = (from, fee) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("from", from)
        writer.field("fee", fee)
    }
}
