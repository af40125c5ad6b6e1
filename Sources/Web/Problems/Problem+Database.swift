// The faults of the shop, as HTTP: what may be tried again is 503, all else stays an opaque 500.
// Asked by ProblemResponse, which logs what is not answered here.
import HTTPTypes
import Shop

extension Problem {
    /// The database is away; nothing was changed.
    static let databaseUnavailable = Problem(
        .serviceUnavailable, "database_unavailable",
        "This is not possible right now, and nothing was changed. Please try again in a moment.",
        hint: "The database can’t be reached.", headers: [.retryAfter: "2"])

    /// The database is there and can't do it now; nothing was changed.
    static let databaseRefuses = Problem(
        .serviceUnavailable, "database_unavailable",
        "This can’t be done right now, and nothing was changed. Please try again in a moment.",
        hint: "The database can’t do this now: it lacks memory or disk, is busy with the same rows, or has to be mended.",
        headers: [.retryAfter: "2"])

    /// Somebody holds what is needed for this, in a transaction of theirs; nothing was changed.
    static let beingChanged = Problem(
        .serviceUnavailable, "being_changed",
        "Somebody else is changing this right now, so nothing was changed. Please try again in a moment.",
        hint: "A count, a coupon, the order or the menu is being changed in SQL, in a transaction that is still open.",
        headers: [.retryAfter: "1"])

    /// The database went away in the middle of a change.
    static let databaseLost = Problem(
        .serviceUnavailable, "database_unavailable",
        "Our answer was lost on the way. Please check in a moment whether this was done.",
        hint: """
            The database went away before it could say whether this was done. Ask again: a basket shows it, and a checkout with the same \
            Idempotency-Key orders at most once.
            """, headers: [.retryAfter: "2"])
}

extension ShopFault {
    /// The answer to a fault that is not the guest's and will be over: by itself, or once somebody has mended what the error channel tells of.
    /// Nil for one that is about what was asked.
    var passingProblem: Problem? {
        switch self {
        case .unavailable: .databaseUnavailable
        case .undecided: .databaseLost
        case .refused: .databaseRefuses
        case .beingChanged: .beingChanged
        case .overloaded, .waitedTooLong, .lostTooOften, .closing: .overloaded()
        case .failed: nil
        }
    }
}
