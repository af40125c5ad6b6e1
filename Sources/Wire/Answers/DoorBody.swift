// How the shop stands for delivery and for pickup: open or not, and what an order takes. Stands in HomeBody.swift; made by Web from Ordering's
// ShopDoor, read by StorefrontClient.

/// Whether the shop is open for delivery, or for pickup.
public struct DoorBody: Hashable, Sendable, Decodable, JSONObject {
    /// `delivery` or `pickup`.
    public let fulfilment: String
    /// Whether it can be ordered as soon as possible, by the hours and the pause.
    public let isOpen: Bool
    /// Until when it is open, exclusive; RFC 3339, UTC; null: closed, or for good.
    public let until: String?
    /// When it opens; null: open, or nobody knows.
    public let opensAt: String?
    /// Until when staff take nothing; null: they do.
    public let pausedUntil: String?
    /// Why, in staff's words; null: there is no pause, or they say nothing.
    public let pauseReason: String?
    /// Whether the shop does this at all.
    public let isOffered: Bool
    /// How many minutes it takes while the kitchen is idle; null where it is not done, or nowhere.
    public let minutes: SpreadBody?
    /// What the items have to come to before coupons, minor units.
    public let minimumSubtotal: SpreadBody?
    /// What bringing it costs, minor units.
    public let fee: SpreadBody?
    /// ISO 4217.
    public let currency: String
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int
    /// Whether an order takes a postcode, since the shop delivers to areas.
    public let needsPostcode: Bool

    package init(
        fulfilment: String, isOpen: Bool, until: String?, opensAt: String?, pausedUntil: String?, pauseReason: String?, isOffered: Bool,
        minutes: SpreadBody?, minimumSubtotal: SpreadBody?, fee: SpreadBody?, currency: String, currencyExponent: Int,
        needsPostcode: Bool
    ) {
        (self.fulfilment, self.isOpen, self.isOffered) = (fulfilment, isOpen, isOffered)
        (self.until, self.opensAt) = (until, opensAt)
        (self.pausedUntil, self.pauseReason) = (pausedUntil, pauseReason)
        (self.minutes, self.minimumSubtotal, self.fee) = (minutes, minimumSubtotal, fee)
        (self.currency, self.currencyExponent, self.needsPostcode) = (currency, currencyExponent, needsPostcode)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("fulfilment", fulfilment)
        writer.field("isOpen", isOpen)
        writer.field("until", until)
        writer.field("opensAt", opensAt)
        writer.field("pausedUntil", pausedUntil)
        writer.field("pauseReason", pauseReason)
        writer.field("isOffered", isOffered)
        writer.field("minutes", minutes)
        writer.field("minimumSubtotal", minimumSubtotal)
        writer.field("fee", fee)
        writer.field("currency", currency)
        writer.field("currencyExponent", currencyExponent)
        writer.field("needsPostcode", needsPostcode)
    }
}

/// From where it is least to where it is most: by the delivery area, and for a fee by what is ordered.
public struct SpreadBody: Hashable, Sendable, Decodable, JSONObject {
    /// The least.
    public let lowest: Int64
    /// The most, the same where there is one.
    public let highest: Int64

    package init(lowest: Int64, highest: Int64) { (self.lowest, self.highest) = (lowest, highest) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("lowest", lowest)
        writer.field("highest", highest)
    }
}
