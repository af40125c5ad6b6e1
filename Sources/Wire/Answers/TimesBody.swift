// When a shop takes what is ordered: whether it is open, and the times that it offers. Made by Web from Ordering's hours, read by StorefrontClient.
// Read next: DeliveryBody.swift.

/// `GET /v1/times`: what a checkout can ask for as `wantedAt`, on one day.
public struct TimesBody: Hashable, Sendable, Decodable, JSONObject {
    /// Without a `wantedAt`, now; null while the shop is closed or paused, or does not offer this.
    public let asSoonAsPossible: SoonestBody?
    /// The slots that begin on this day, the first one first.
    public let slots: [SlotBody]
    /// There while the shop is closed.
    public let closed: ClosedBody?

    package init(asSoonAsPossible: SoonestBody? = nil, slots: [SlotBody], closed: ClosedBody? = nil) {
        (self.asSoonAsPossible, self.slots, self.closed) = (asSoonAsPossible, slots, closed)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("asSoonAsPossible", asSoonAsPossible)
        writer.field("slots", slots)
        writer.field("closed", closed)
    }
}

/// As soon as possible.
public struct SoonestBody: Hashable, Sendable, Decodable, JSONObject {
    /// When it would be there if it were ordered now, RFC 3339, UTC.
    public let readyAt: String

    package init(
        readyAt: String
    ) {
        self.readyAt = readyAt
    }

    package func writeFields(to writer: inout JSONWriter) { writer.field("readyAt", readyAt) }
}

/// A time that can be asked for.
public struct SlotBody: Hashable, Sendable, Decodable, JSONObject {
    /// What to send as `wantedAt`; RFC 3339, UTC.
    public let startsAt: String
    /// Exclusive.
    public let endsAt: String
    /// How many more orders it takes; null where nobody counts.
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

/// That the shop is closed.
public struct ClosedBody: Hashable, Sendable, Decodable, JSONObject {
    /// When it opens, RFC 3339, UTC; null where nobody knows.
    public let opensAt: String?

    package init(
        opensAt: String?
    ) {
        self.opensAt = opensAt
    }

    package func writeFields(to writer: inout JSONWriter) { writer.field("opensAt", opensAt) }
}
