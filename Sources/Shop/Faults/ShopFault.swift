// Why the shop has no answer, for whoever asks it: not what the guest did, but the database, or that too many ask. Thrown by everything that
// Web calls here; answered in Web's Problem+Database.swift. Read next: Sources/Database/Faults/DatabaseFault.swift, of which most are made.
import Database

/// What kept the shop from answering.
package enum ShopFault: Error, Sendable, Hashable {
    /// The database is away; nothing was changed.
    case unavailable
    /// The database is there and can't do it now; nothing was changed. The text is for the log.
    case refused(String)
    /// Nobody knows whether it was done: the database went away before it said so, or is at it for longer than anybody waits.
    case undecided
    /// Somebody holds a row that it needs, in a transaction that is still open; nothing was changed.
    case beingChanged
    /// As much waits as may; nothing was changed.
    case overloaded
    /// It has waited for its turn as long as anything may; nothing was changed.
    case waitedTooLong
    /// It was decided again as often as anything may be, and somebody else was faster each time; nothing was changed.
    case lostTooOften
    /// The server is going down; nothing was changed.
    case closing
    /// It fails for what was asked, or for what is wrong with the program; the text is for the log.
    case failed(String)

    /// The same for those who can't mend it.
    init(_ fault: DatabaseFault) {
        self =
            switch fault.kind {
            case .unavailable, .restarting, .readOnly: .unavailable
            case .connectionLost, .timedOut: fault.mayHaveCommitted ? .undecided : .unavailable
            case .overloaded: .overloaded
            case .cancelled: fault.mayHaveCommitted ? .undecided : .overloaded
            case .race, .locked, .database: .refused(fault.description)
            case .values, .invalidParameter, .undecodable: .failed(fault.description)
            }
    }

    /// What `work` answers, where only the database can keep it from that.
    static func of<Value>(_ work: () async throws(DatabaseFault) -> Value) async throws(ShopFault) -> Value {
        do { return try await work() } catch { throw ShopFault(error) }
    }
}
