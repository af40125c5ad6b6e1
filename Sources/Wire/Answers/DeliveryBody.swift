// What it takes to have something delivered to a postcode. Made by Web from the menu's areas, read by StorefrontClient.
// Read next: TimesBody.swift.

/// `GET /v1/delivery`.
public struct DeliveryBody: Hashable, Sendable, Decodable, JSONObject {
    /// As it was asked for, tidied.
    public let postcode: String
    /// Whether the shop delivers there.
    public let isDelivered: Bool
    /// The area that it lies in; null where there is none, or the shop delivers everywhere.
    public let area: AreaBody?
    /// What has to be in the basket, before discounts; minor units.
    public let minimumSubtotal: Int64
    /// What it costs, from which subtotal on, the lowest one first; below all of them it costs nothing.
    public let fees: [DeliveryFeeBody]
    /// In how many minutes it would be there if it were ordered now; null where the shop does not deliver there.
    public let minutes: Int?
    /// ISO 4217.
    public let currency: String
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int

    package init(
        postcode: String, isDelivered: Bool, area: AreaBody? = nil, minimumSubtotal: Int64 = 0, fees: [DeliveryFeeBody] = [],
        minutes: Int? = nil, currency: String, currencyExponent: Int
    ) {
        (self.postcode, self.isDelivered, self.area) = (postcode, isDelivered, area)
        (self.minimumSubtotal, self.fees, self.minutes) = (minimumSubtotal, fees, minutes)
        (self.currency, self.currencyExponent) = (currency, currencyExponent)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("postcode", postcode)
        writer.field("isDelivered", isDelivered)
        writer.field("area", area)
        writer.field("minimumSubtotal", minimumSubtotal)
        writer.field("fees", fees)
        writer.field("minutes", minutes)
        writer.field("currency", currency)
        writer.field("currencyExponent", currencyExponent)
    }
}

/// An area that the shop delivers to.
public struct AreaBody: Hashable, Sendable, Decodable, JSONObject {
    /// Staff's number.
    public let id: Int64
    /// Plain text.
    public let title: String

    package init(id: Int64, title: String) { (self.id, self.title) = (id, title) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("title", title)
    }
}

/// What delivery costs from a subtotal on.
public struct DeliveryFeeBody: Hashable, Sendable, Decodable, JSONObject {
    /// Before discounts, minor units; exactly this much is enough.
    public let fromSubtotal: Int64
    /// Minor units.
    public let fee: Int64

    package init(fromSubtotal: Int64, fee: Int64) { (self.fromSubtotal, self.fee) = (fromSubtotal, fee) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("fromSubtotal", fromSubtotal)
        writer.field("fee", fee)
    }
}
