// What staff change of the shop with a tap: a pause, how busy it is, the shifts of a day. Judged by Web's StaffShop.swift, written by Database's
// SetShop.swift; in SQL it is the shop's row and opening_exceptions.

/// Nothing is taken that is wanted before a moment.
package struct ShopPause: Sendable, Hashable {
    package let until: Instant
    /// For staff and guests, plain text.
    package let reason: String?

    package init(until: Instant, reason: String?) { (self.until, self.reason) = (until, reason) }

    /// Characters of a reason, as in the constraint shop_pause_reason_is_plain_text.
    package static let reasonLimit = 200
}

/// Everything takes longer for a while.
package struct ShopBusy: Sendable, Hashable {
    package let minutes: Int
    package let until: Instant

    package init(minutes: Int, until: Instant) { (self.minutes, self.until) = (minutes, until) }
}

/// A shift as staff have written it; whether it can be one is the table's to say.
package struct WrittenShift: Sendable, Hashable {
    /// By the shop's clock, such as 18:00 and 26:00.
    package let opens, closes: String
    /// Nil: both.
    package let fulfilment: Fulfilment?

    package init(opens: String, closes: String, fulfilment: Fulfilment?) {
        (self.opens, self.closes, self.fulfilment) = (opens, closes, fulfilment)
    }
}
