// Whether the shop is open for a fulfilment, and the conditions of an order.

/// Whether the shop is open for delivery, or for pickup.
public struct OpeningStatusBody: Hashable, Sendable, Decodable, JSONObject {
    /// `delivery` or `pickup`.
    public let fulfilment: String
    /// Whether the hours and the pause allow orders for as soon as possible.
    public let isOpen: Bool
    /// The end of the open time, exclusive, RFC 3339, UTC; null: closed, or open without end.
    public let until: String?
    /// When it opens next; null: it is open, or no opening is known.
    public let opensAt: String?
    /// The end of the pause, RFC 3339, UTC; null: there is no pause.
    public let pausedUntil: String?
    /// The reason of the pause, as staff wrote it; null: no pause, or no reason.
    public let pauseReason: String?
    /// Whether the shop offers this fulfilment at all.
    public let isOffered: Bool
    /// The minutes that an order takes while the kitchen is idle; null if it is not offered anywhere.
    public let minutes: RangeBody?
    /// The minimum subtotal before coupons, minor units.
    public let minimumSubtotal: RangeBody?
    /// The delivery fee, minor units.
    public let fee: RangeBody?
    /// ISO 4217.
    public let currency: String
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int
    /// Whether an order needs a postcode, because the shop delivers only to certain areas.
    public let needsPostcode: Bool

    package init(
        fulfilment: String, isOpen: Bool, until: String?, opensAt: String?, pausedUntil: String?, pauseReason: String?,
        isOffered: Bool,
        minutes: RangeBody?, minimumSubtotal: RangeBody?, fee: RangeBody?, currency: String, currencyExponent: Int,
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

/// The lowest and the highest value. It varies by delivery area, and a fee also by the order.
public struct RangeBody: Hashable, Sendable, Decodable, JSONObject {
    /// The lowest value.
    public let lowest: Int64
    /// The highest value; equal to `lowest` if there is only one.
    public let highest: Int64

    package init(lowest: Int64, highest: Int64) { (self.lowest, self.highest) = (lowest, highest) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("lowest", lowest)
        writer.field("highest", highest)
    }
}
