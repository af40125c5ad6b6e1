// Snapshots that other sessions hold (sql/028_old_snapshots.sql). While one is old, PostgreSQL keeps all versions of
// the counters that checkouts change, and each checkout that needs such a counter passes them.
import Postgres

/// A snapshot, and the session or object that holds it.
package struct HeldSnapshot: Sendable {
    /// The age from which a snapshot is reported.
    package static let ageLimit = Duration.seconds(600)
    /// If the age is unknown: the number of transactions from which a snapshot is reported at once. A busy shop has as
    /// many in ten minutes.
    private static let transactionLimit: Int64 = 50_000
    /// If the age is unknown: the number of transactions below which a snapshot costs nothing. An idle standby reports
    /// the same transaction for hours.
    private static let costlyTransactions: Int64 = 1_000

    /// The kind of the holder.
    enum Holder: String, Sendable {
        case session
        /// The oldest query of a standby with hot_standby_feedback.
        case standby
        case preparedTransaction = "prepared_transaction"
        case replicationSlot = "replication_slot"
        /// The slot of a subscriber. It keeps row versions of the catalog, and no other ones.
        case logicalSlot = "logical_slot"
    }

    /// The identity of a snapshot whose age is unknown, so that callers can observe it.
    package struct Identity: Sendable, Hashable {
        let holder: Holder
        let name: String?
        let processID: Int32?
        /// nil: the age is known.
        let oldestTransaction: Int64?
    }

    let holder: Holder
    /// The application, the standby, the prepared transaction or the slot.
    let name: String?
    let processID: Int32?
    let user: String?
    /// nil: all databases.
    let database: String?
    let state: String?
    /// The seconds since the begin of the transaction. PostgreSQL hides it from roles that may not see the session, and
    /// standbys and slots have none.
    let seconds: Int64?
    /// The number of transactions that began since.
    let transactions: Int64
    let oldestTransaction: Int64

    init(_ row: inout Row) throws(PostgresError) {
        holder = try row.nextRawValue()
        name = try row.next()
        processID = try row.next()
        user = try row.next()
        database = try row.next()
        state = try row.next()
        seconds = try row.next()
        transactions = try row.next()
        oldestTransaction = try row.next()
    }

    /// Equal for two observations of the same snapshot. If the age is known, the session or object is enough.
    package var identity: Identity {
        Identity(
            holder: holder, name: name, processID: processID,
            oldestTransaction: seconds == nil ? oldestTransaction : nil)
    }

    /// The age of the snapshot.
    /// - Parameter observed: How long the caller has observed the snapshot.
    package func age(observed: Duration) -> Duration {
        if let seconds { return .seconds(seconds) }
        return transactions >= Self.costlyTransactions ? observed : .zero
    }

    /// Whether a single observation shows that the snapshot is at least as old as the limit.
    func isOld(_ limit: Duration) -> Bool {
        if let seconds { return .seconds(seconds) >= limit }
        return transactions >= Self.transactionLimit
    }

    /// The holder and the age, in one line.
    /// - Parameter age: nil: unknown.
    package func description(age: Duration?) -> String {
        let minutes = age.map { $0.components.seconds / 60 }
        let time = minutes.map { "\($0) minutes and " } ?? ""
        return "\(holderDescription) has held a snapshot for \(time)\(transactions) transactions"
    }

    /// The holder and its known age.
    var description: String { description(age: seconds.map { .seconds($0) }) }

    /// The holder without the age.
    package var holderDescription: String {
        let details = [
            processID.map { "process \($0)" }, user.map { "user \($0)" }, database.map { "database \($0)" }, state,
        ].compactMap { $0 }.joined(separator: ", ")
        let title =
            switch holder {
            case .session: name ?? "a session"
            case .standby: "the standby \(name ?? "without a name")"
            case .preparedTransaction: "the prepared transaction \(quotedName)"
            case .replicationSlot: "the replication slot \(quotedName)"
            case .logicalSlot: "the logical replication slot \(quotedName)"
            }
        return details.isEmpty ? title : "\(title) (\(details))"
    }

    /// Whether old versions of the counters are kept for this snapshot. A logical slot keeps only those of the catalog.
    package var slowsCheckouts: Bool { holder != .logicalSlot }

    /// The consequence of the snapshot when it is old.
    package var cost: String {
        switch holder {
        case .session, .standby, .preparedTransaction, .replicationSlot:
            return """
                until it ends, PostgreSQL keeps every version of the counters of stock and slots, and \
                checkouts that need them get slower
                """
        case .logicalSlot: return "until its subscriber reads on, PostgreSQL keeps the WAL and versions of the catalog"
        }
    }

    /// How to end the snapshot.
    package var remedy: String {
        switch holder {
        case .session:
            let end = processID.map { "to end the session: select pg_terminate_backend(\($0))" }
            return ["take dumps from a standby", end].compactMap { $0 }.joined(separator: "; ")
        case .standby:
            return "end the long query on the standby, or set hot_standby_feedback = off there"
        case .preparedTransaction:
            let place = database.map { " in the database \($0)" } ?? ""
            return "commit prepared \(quotedName) or rollback prepared \(quotedName)\(place)"
        case .replicationSlot:
            return """
                end the long query on the standby of the slot, or set hot_standby_feedback = off there; \
                if the standby is gone: select pg_drop_replication_slot(\(quotedName))
                """
        case .logicalSlot:
            return """
                start the subscriber of the slot; if it is gone: select pg_drop_replication_slot(\(quotedName))
                """
        }
    }

    private var quotedName: String { "'\((name ?? "").replacing("'", with: "''"))'" }

    static let statement = Statement(
        "held_snapshots",
        """
        select holder, name, pid, user_name, database, state, seconds, transactions, oldest from held_snapshots()
        """)
}

extension ShopDatabase {
    /// The snapshots that are held at this moment, the oldest first. Most of them end within milliseconds.
    package func loadHeldSnapshots() async throws(DatabaseFault) -> [HeldSnapshot] {
        try await query(HeldSnapshot.statement, .reads) { row throws(PostgresError) in try HeldSnapshot(&row) }
    }
}
