// From when on a thing can be had, as staff have it now. Items, options and groups of options have one each; what is wanted together can be
// had from the last of them on. Next: Availability.swift, which looks at it at a moment.

/// What is sold out comes back at a moment, or nobody knows when; what can be had stays so until staff say otherwise. The later is the greater.
package enum AvailableFrom: Sendable, Hashable, Comparable {
    /// It can be had.
    case always
    /// It is sold out, before this moment.
    case moment(Instant)
    /// It is sold out until further notice, or for good.
    case never

    /// - Parameters:
    ///   - isAvailable: false while it is sold out until further notice.
    ///   - soldOutUntil: until when it is sold out, exclusive; from then on it can be had again.
    package init(isAvailable: Bool, soldOutUntil: Instant?) {
        self = isAvailable ? soldOutUntil.map(AvailableFrom.moment) ?? .always : .never
    }

    /// Whether that is now, or has been.
    func isReached(at now: Instant) -> Bool { self <= .moment(now) }

    /// The moment, if there is one.
    var moment: Instant? { if case .moment(let moment) = self { moment } else { nil } }
}
