// What it takes to have something delivered to a postcode. Made by Web from the menu's areas, read by StorefrontClient.
// Read next: TimesBody.swift.

/// `GET /v1/delivery`.
public struct DeliveryBody: Hashable, Sendable, Decodable, JSONObject {
    /// The area that it lies in; null where there is none, or the shop delivers everywhere.
    public let area: AreaBody?
    /// What it costs, from which subtotal on, the lowest one first; it holds below itself too.
    public let fees: [DeliveryFeeBody]
    /// What has to be in the basket, before discounts; minor units.
    public let minimum: Int64
    /// How much longer the way to the area takes.
    public let extraMinutes: Int
    /// As it was asked for, tidied; null where nobody asked for one, or for what is none.
    public let postcode: String?
    /// Whether the shop delivers there; without a postcode, whether it delivers everywhere.
    public let isDelivered: Bool
    /// In how many minutes it would be there if it were ordered now; null where the shop does not deliver there.
    public let minutes: Int?
    /// ISO 4217.
    public let currency: String
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int

    package init(
        area: AreaBody? = nil, fees: [DeliveryFeeBody] = [], minimum: Int64 = 0, extraMinutes: Int = 0, postcode: String?,
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
public struct AreaBody: Hashable, Sendable, Decodable, JSONObject {
    /// Staff's number.
    public let id: Int64
    /// Up to 100 characters without markup.
    public let title: String
    /// What the title is in if that is not the answer's Content-Language; else left out.
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

/// What delivery costs from a subtotal on.
public struct DeliveryFeeBody: Hashable, Sendable, Decodable, JSONObject {
    /// Before discounts, minor units; exactly this much is enough.
    public let from: Int64
    /// Minor units.
    public let fee: Int64

    package init(from: Int64, fee: Int64) { (self.from, self.fee) = (from, fee) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("from", from)
        writer.field("fee", fee)
    }
}
