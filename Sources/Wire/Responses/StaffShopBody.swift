// The state of the shop for staff: its pause, its busy time and its opening hours.

/// `GET /v1/staff/shop`, and the response of every route that changes the shop.
public struct StaffShopBody: Hashable, Sendable, Decodable, JSONObject {
    /// The end of the pause, RFC 3339, UTC; null: there is no pause.
    public let pauseUntil: String?
    /// The reason of the pause, as staff wrote it.
    public let pauseReason: String?
    /// The minutes that are added to every estimate while the shop is busy.
    public let busyMinutes: Int
    /// The end of the busy time, RFC 3339, UTC; null: the shop is not busy.
    public let busyUntil: String?
    /// The opening status of delivery and of pickup.
    public let fulfilments: [StaffOpeningStatusBody]
    /// The date of the business day, `YYYY-MM-DD`.
    public let today: String
    /// The shifts that begin today.
    public let hours: [ShiftBody]
    /// Whether the shifts of today come from an exception.
    public let isException: Bool
    /// The exceptions from today on, in the order of their dates.
    public let exceptions: [OpeningHoursExceptionBody]
    /// The acceptance deadline in minutes of opening time; null: no deadline.
    public let acceptWithinMinutes: Int?
    /// Whether the server accepts new orders automatically.
    public let acceptsAutomatically: Bool

    package init(
        pauseUntil: String?, pauseReason: String?, busyMinutes: Int, busyUntil: String?,
        fulfilments: [StaffOpeningStatusBody], today: String,
        hours: [ShiftBody], isException: Bool, exceptions: [OpeningHoursExceptionBody], acceptWithinMinutes: Int? = nil,
        acceptsAutomatically: Bool = false
    ) {
        (self.pauseUntil, self.pauseReason, self.busyMinutes) = (pauseUntil, pauseReason, busyMinutes)
        (self.busyUntil, self.fulfilments, self.today) = (busyUntil, fulfilments, today)
        (self.hours, self.isException, self.exceptions) = (hours, isException, exceptions)
        (self.acceptWithinMinutes, self.acceptsAutomatically) = (acceptWithinMinutes, acceptsAutomatically)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("pauseUntil", pauseUntil)
        writer.field("pauseReason", pauseReason)
        writer.field("busyMinutes", busyMinutes)
        writer.field("busyUntil", busyUntil)
        writer.field("fulfilments", fulfilments)
        writer.field("today", today)
        writer.field("hours", hours)
        writer.field("isException", isException)
        writer.field("exceptions", exceptions)
        writer.field("acceptWithinMinutes", acceptWithinMinutes)
        writer.field("acceptsAutomatically", acceptsAutomatically)
    }
}

/// The opening status of a fulfilment, without the pause, which is the same for both.
public struct StaffOpeningStatusBody: Hashable, Sendable, Decodable, JSONObject {
    /// `delivery` or `pickup`.
    public let fulfilment: String
    /// Whether the shop offers this fulfilment at all.
    public let isOffered: Bool
    /// Whether the hours and the pause allow orders for as soon as possible.
    public let isOpen: Bool
    /// The end of the open time, exclusive, RFC 3339, UTC; null: closed, or open without end.
    public let until: String?
    /// When it opens next; null: it is open, or no opening is known.
    public let opensAt: String?

    package init(fulfilment: String, isOffered: Bool, isOpen: Bool, until: String?, opensAt: String?) {
        (self.fulfilment, self.isOffered, self.isOpen) = (fulfilment, isOffered, isOpen)
        (self.until, self.opensAt) = (until, opensAt)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("fulfilment", fulfilment)
        writer.field("isOffered", isOffered)
        writer.field("isOpen", isOpen)
        writer.field("until", until)
        writer.field("opensAt", opensAt)
    }
}

/// An exception for a date, or one of its shifts.
public struct OpeningHoursExceptionBody: Hashable, Sendable, Decodable, JSONObject {
    /// The date, `YYYY-MM-DD`.
    public let date: String
    /// `HH:MM`; null, like `closes`: closed all day.
    public let opens: String?
    /// `HH:MM`. Hours up to 47 mean the next day.
    public let closes: String?
    /// `delivery` or `pickup`; null: both.
    public let fulfilment: String?

    package init(date: String, opens: String?, closes: String?, fulfilment: String?) {
        (self.date, self.opens, self.closes, self.fulfilment) = (date, opens, closes, fulfilment)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("date", date)
        writer.field("opens", opens)
        writer.field("closes", closes)
        writer.field("fulfilment", fulfilment)
    }
}
