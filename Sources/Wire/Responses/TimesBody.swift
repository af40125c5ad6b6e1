// The times that a shop offers, and whether it is closed.

/// `GET /v1/times`: the wanted times that the shop offers on one day.
public struct TimesBody: Hashable, Sendable, Decodable, JSONObject {
    /// An order without `wantedAt`; null while the shop is closed or paused, or does not offer the fulfilment.
    public let asSoonAsPossible: AsSoonAsPossibleBody?
    /// The slots that begin on this day, the earliest first.
    public let slots: [SlotBody]
    /// Present while the shop is closed.
    public let closed: ClosedBody?

    package init(asSoonAsPossible: AsSoonAsPossibleBody? = nil, slots: [SlotBody], closed: ClosedBody? = nil) {
        (self.asSoonAsPossible, self.slots, self.closed) = (asSoonAsPossible, slots, closed)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("asSoonAsPossible", asSoonAsPossible)
        writer.field("slots", slots)
        writer.field("closed", closed)
    }
}

/// An order for as soon as possible.
public struct AsSoonAsPossibleBody: Hashable, Sendable, Decodable, JSONObject {
    /// The estimate of an order that is placed now, RFC 3339, UTC.
    public let readyAt: String

    package init(
        readyAt: String
    ) {
        self.readyAt = readyAt
    }

    package func writeFields(to writer: inout JSONWriter) { writer.field("readyAt", readyAt) }
}

/// A slot that the shop offers.
public struct SlotBody: Hashable, Sendable, Decodable, JSONObject {
    /// The start, to be sent as `wantedAt`; RFC 3339, UTC.
    public let startsAt: String
    /// The end, exclusive; RFC 3339, UTC.
    public let endsAt: String
    /// The number of orders that the slot still accepts; null if they are not counted.
    public let left: Int64?

    package init(startsAt: String, endsAt: String, left: Int64? = nil) {
        (self.startsAt, self.endsAt, self.left) = (startsAt, endsAt, left)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("startsAt", startsAt)
        writer.field("endsAt", endsAt)
        writer.field("left", left)
    }
}

/// The shop is closed.
public struct ClosedBody: Hashable, Sendable, Decodable, JSONObject {
    /// The next opening, RFC 3339, UTC; null if none is known.
    public let opensAt: String?

    package init(
        opensAt: String?
    ) {
        self.opensAt = opensAt
    }

    package func writeFields(to writer: inout JSONWriter) { writer.field("opensAt", opensAt) }
}
