// How the shop stands, for staff: its pause, how busy it is, and its hours. Written by Web.
// Read next: Requests/StaffShopBodies.swift, with which they change it; TimesBody.swift for what guests are told.

/// `GET /v1/staff/shop`, and the answer of every route that changes it.
public struct StaffShopBody: Hashable, Sendable, Decodable, JSONObject {
    /// Until when nothing is taken, RFC 3339, UTC; null: there is no pause.
    public let pauseUntil: String?
    /// What staff wrote.
    public let pauseReason: String?
    /// By how many minutes everything takes longer.
    public let busyMinutes: Int
    /// Until when; null: not at all.
    public let busyUntil: String?
    /// Delivery and pickup as they stand now.
    public let fulfilments: [StaffDoorBody]
    /// The shop's day, `YYYY-MM-DD`.
    public let today: String
    /// The shifts that begin today.
    public let hours: [ShiftBody]
    /// Whether they are those of an exception.
    public let isException: Bool
    /// The exceptions of today and later, in the order of their days.
    public let exceptions: [ExceptionBody]
    /// Within how many open minutes staff have to accept a new order; null: whenever they like.
    public let acceptWithinMinutes: Int?
    /// Whether new orders are accepted without staff.
    public let acceptsAutomatically: Bool

    package init(
        pauseUntil: String?, pauseReason: String?, busyMinutes: Int, busyUntil: String?, fulfilments: [StaffDoorBody], today: String,
        hours: [ShiftBody], isException: Bool, exceptions: [ExceptionBody], acceptWithinMinutes: Int? = nil,
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

/// Whether the shop is open for delivery, or for pickup; the pause is told once for both.
public struct StaffDoorBody: Hashable, Sendable, Decodable, JSONObject {
    /// `delivery` or `pickup`.
    public let fulfilment: String
    /// Whether the shop does this at all.
    public let isOffered: Bool
    /// Whether it can be ordered as soon as possible, by the hours and the pause.
    public let isOpen: Bool
    /// Until when it is open, exclusive; RFC 3339, UTC; null: closed, or for good.
    public let until: String?
    /// When it opens; null: open, or nobody knows.
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

/// The exception of a day, or one of its shifts.
public struct ExceptionBody: Hashable, Sendable, Decodable, JSONObject {
    /// The day, `YYYY-MM-DD`.
    public let date: String
    /// `HH:MM`; null, like `closes`: closed that day.
    public let opens: String?
    /// `HH:MM`, past midnight with hours up to 47.
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
