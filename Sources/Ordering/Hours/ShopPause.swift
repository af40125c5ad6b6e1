// Changes of the shop by staff: a pause, a busy period, the shifts of a day.

/// A pause of orders. No order is accepted that is wanted before its end.
package struct ShopPause: Sendable, Hashable {
    package let until: Instant
    /// The reason for staff and guests, plain text.
    package let reason: String?

    package init(until: Instant, reason: String?) { (self.until, self.reason) = (until, reason) }

    /// The maximum number of characters of a reason, as in the constraint shop_pause_reason_is_plain_text.
    package static let reasonLimit = 200
}

/// A period in which every estimate is longer.
package struct BusyPeriod: Sendable, Hashable {
    package let minutes: Int
    package let until: Instant

    package init(minutes: Int, until: Instant) { (self.minutes, self.until) = (minutes, until) }
}

/// An unvalidated shift from staff; the database validates it.
package struct RawShift: Sendable, Hashable {
    /// Local times, such as 18:00 and 26:00.
    package let opens, closes: String
    /// Nil: both.
    package let fulfilment: Fulfilment?

    package init(opens: String, closes: String, fulfilment: Fulfilment?) {
        (self.opens, self.closes, self.fulfilment) = (opens, closes, fulfilment)
    }
}
