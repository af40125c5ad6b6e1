// Whether a thing can be had at a moment, and for how long that stays so: one pure function of the thing and the moment. Asked by menu items.
// Who refuses what can't be had: Basket/BasketApplying.swift and Checkout/JudgedBasket.swift. Read next: AvailableFrom.swift, TimeSpan.swift.

/// Why a thing can't be had.
package struct Unavailability: Sendable, Hashable {
    /// What keeps it back.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// There is none left, or it is off the menu.
        case soldOut = "sold_out"
        /// There are some left, but fewer than are wanted.
        case stockShort = "stock_short"
        /// It is on the menu at other hours.
        case notServed = "not_served"
        /// It is an item of a set that its sale does not offer any more.
        case notOffered = "not_offered"
    }

    /// What keeps it back.
    package let reason: Reason
    /// The first moment at which it can be had again; nil where nobody knows.
    package let until: Instant?
    /// How many there are where they are too few; nil where that is not the reason.
    package let available: Int64?

    /// A reason against it.
    package init(_ reason: Reason, until: Instant? = nil, available: Int64? = nil) {
        (self.reason, self.until, self.available) = (reason, until, available)
    }
}

/// Whether a thing can be had, as decided at a moment.
package struct Availability: Sendable, Hashable {
    /// Why not; nil: it can be had.
    package let unavailable: Unavailability?
    /// For as long as this nothing but a change by staff makes it another decision.
    package let holds: TimeSpan

    /// Whether it can be had.
    package var isAvailable: Bool { unavailable == nil }

    /// To be had, whenever one asks.
    package static let always = Availability(nil, holds: .always)

    /// Not to be had, whenever one asks.
    package static let never = Availability(Unavailability(.soldOut), holds: .always)

    /// Not offered, until staff change the sale or the guest changes the set.
    static let notOffered = Availability(Unavailability(.notOffered), holds: .always)

    /// Decides.
    package init(_ from: AvailableFrom, at now: Instant) {
        switch from {
        case .always: self = .always
        case .never: self = .never
        case .moment(let moment):
            holds = TimeSpan(around: now, without: CollectionOfOne(moment))
            unavailable = holds.until.map { Unavailability(.soldOut, until: $0) }
        }
    }

    /// Of something that is counted.
    /// - Parameters:
    ///   - left: how many there are.
    ///   - wanted: how many somebody wants, at least one.
    ///   - counted: for how long it is this count; at its end there are some again.
    package init(left: Int64, wanted: Int64, counted: TimeSpan) {
        holds = counted
        switch left {
        case ...0: unavailable = Unavailability(.soldOut, until: counted.until)
        case ..<wanted: unavailable = Unavailability(.stockShort, available: left)
        default: unavailable = nil
        }
    }

    /// Of things that are wanted together: all of them can be had, or one of those that come back last can't.
    package init(ofAll parts: some Sequence<Availability>) { self = parts.reduce(.always) { $0.and($1) } }

    /// Of two things that are wanted together.
    package func and(_ other: Availability) -> Availability {
        guard let mine = unavailable, let others = other.unavailable else {
            return Availability(unavailable ?? other.unavailable, holds: holds.overlap(other.holds))
        }
        let isOthersLater = mine.until ?? .distantFuture < others.until ?? .distantFuture
        return Availability(isOthersLater ? others : mine, holds: holds.overlap(other.holds))
    }

    /// As it was decided elsewhere.
    init(_ unavailable: Unavailability?, holds: TimeSpan) { (self.unavailable, self.holds) = (unavailable, holds) }
}

/// Something that can be had, or can't.
package protocol Offered {
    /// Whether it can be had now.
    var availability: Availability { get }
}

extension Offered {
    /// Whether it can be had now.
    package var isAvailable: Bool { availability.isAvailable }
}

extension Instant {
    fileprivate static let distantFuture = Instant(microseconds: .max)
}
