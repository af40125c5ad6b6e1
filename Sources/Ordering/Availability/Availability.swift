// Whether a menu item or an option can be ordered at a given time, and how long that answer stays true.

/// The reason why something cannot be ordered.
package struct Unavailability: Sendable, Hashable {
    /// The kinds of reasons.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// No units are left, or the item is not on the menu.
        case soldOut = "sold_out"
        /// Fewer units are left than the guest wants.
        case stockShort = "stock_short"
        /// The item is served during other hours.
        case notServed = "not_served"
        /// The sales group no longer contains this item of the set.
        case notOffered = "not_offered"
    }

    /// The kind of reason.
    package let reason: Reason
    /// The first time at which it can be ordered again; nil if that time is unknown.
    package let until: Instant?
    /// How many units are left; set only for `stockShort`.
    package let available: Int64?

    /// A reason, with the details that are known.
    package init(_ reason: Reason, until: Instant? = nil, available: Int64? = nil) {
        (self.reason, self.until, self.available) = (reason, until, available)
    }
}

/// Whether something can be ordered, as decided for a given time.
package struct Availability: Sendable, Hashable {
    /// Why it cannot be ordered; nil if it can.
    package let unavailable: Unavailability?
    /// The interval in which the decision stays true, unless staff change something.
    package let validity: TimeRange

    package var isAvailable: Bool { unavailable == nil }

    /// Available at any time.
    package static let always = Availability(nil, validity: .always)

    /// Sold out at any time.
    package static let never = Availability(Unavailability(.soldOut), validity: .always)

    /// The sales group does not contain the item. This changes only when staff change the group or the guest changes
    /// the set.
    static let notOffered = Availability(Unavailability(.notOffered), validity: .always)

    /// Decides for the time `now`.
    package init(_ from: AvailableFrom, at now: Instant) {
        switch from {
        case .always: self = .always
        case .never: self = .never
        case .moment(let moment):
            validity = TimeRange(around: now, excluding: CollectionOfOne(moment))
            unavailable = validity.until.map { Unavailability(.soldOut, until: $0) }
        }
    }

    /// Availability of something with a stock count.
    /// - Parameters:
    ///   - remaining: units left.
    ///   - wanted: units that the guest wants, at least one.
    ///   - countValidity: the interval for which the count is known; at its end the stock is renewed.
    package init(remaining: Int64, wanted: Int64, countValidity: TimeRange) {
        validity = countValidity
        switch remaining {
        case ...0: unavailable = Unavailability(.soldOut, until: countValidity.until)
        case ..<wanted: unavailable = Unavailability(.stockShort, available: remaining)
        default: unavailable = nil
        }
    }

    /// Availability of parts that are ordered together. Of several unavailable parts, the last to become available
    /// decides.
    package init(ofAll parts: some Sequence<Availability>) { self = parts.reduce(.always) { $0.and($1) } }

    /// Availability of two parts that are ordered together.
    package func and(_ other: Availability) -> Availability {
        guard let mine = unavailable, let others = other.unavailable else {
            return Availability(unavailable ?? other.unavailable, validity: validity.intersection(other.validity))
        }
        let isOthersLater = mine.until ?? .distantFuture < others.until ?? .distantFuture
        return Availability(isOthersLater ? others : mine, validity: validity.intersection(other.validity))
    }

    /// A decision that was made elsewhere.
    init(_ unavailable: Unavailability?, validity: TimeRange) {
        (self.unavailable, self.validity) = (unavailable, validity)
    }
}

/// Something with an availability.
package protocol HasAvailability {
    /// The availability at the time for which the value was made.
    var availability: Availability { get }
}

extension HasAvailability {
    /// Whether it can be ordered.
    package var isAvailable: Bool { availability.isAvailable }
}

extension Instant {
    fileprivate static let distantFuture = Instant(microseconds: .max)
}
