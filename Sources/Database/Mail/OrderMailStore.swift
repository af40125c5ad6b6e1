// The mails of orders (sql/018_order_mails.sql), over a separate connection. Its session holds an advisory lock, so
// that one server sends mail at a time; when it dies, another server takes over immediately.
import FoundationEssentials
import Logging
import Ordering
import Postgres

package struct OrderMailStore: Sendable {
    private let connection: PostgresConnection

    /// Connects. The connection closes when the last reference is released.
    package static func connect(_ url: String, logger: Logger) async throws(DatabaseFault) -> OrderMailStore {
        var settings = DatabaseConfiguration.sessionSettings
        settings["application_name"] = "welms mail"
        // After a machine disappears without closing its connection, its lock is released within half a minute.
        settings.merge(["tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"]) {
            _, own in own
        }
        let asked = settings
        return try await convertingError { () throws(PostgresError) in
            OrderMailStore(
                connection: try await PostgresConnection.connect(
                    url, sessionSettings: asked, statementTimeout: .seconds(30), logger: logger))
        }
    }

    package func close() async { await connection.close() }

    /// Acquires the lock for the lifetime of the connection. Returns false if another server holds it.
    package func acquireLock() async throws(DatabaseFault) -> Bool {
        try await query(Self.lockStatement, .reads) { try $0.next(Bool.self) } == [true]
    }

    /// Returns when mail was first configured. The first call stores the current time.
    package func loadMailingStart() async throws(DatabaseFault) -> Instant {
        try await Self.convertingError { () throws(PostgresError) in
            try await connection.execute(Self.beginStatement, .writes)
        }
        let since = try await query(Self.sinceStatement, .reads) { row throws(PostgresError) in
            Instant(try row.next(Timestamp.self))
        }
        guard let since = since.first else { throw .undecodable("mailing has no row") }
        return since
    }

    /// The current time, and the time since which the oldest pending mail waits; nil if none waits. Reads the 1,000
    /// pending mails that are due first.
    package func loadOldestPending() async throws(DatabaseFault) -> (now: Instant, oldest: Instant?) {
        let rows = try await query(Self.waitingStatement, .reads) { row throws(PostgresError) in
            Waiting(now: Instant(try row.next(Timestamp.self)), oldest: try row.next(Timestamp?.self).map(Instant.init))
        }
        guard let row = rows.first else { throw .undecodable("the database has no time") }
        return (row.now, row.oldest)
    }

    private struct Waiting: Sendable {
        let now: Instant
        let oldest: Instant?
    }

    /// The transactions that had locked rows of orders at a moment, and were not finished.
    package struct OpenTransactions: Sendable {
        package let moment: Instant
        package let ids: Set<String>
    }

    /// Loads the transactions that may have changed orders. Later statements read the changes of every transaction that
    /// is missing here, unless it locks its first order after the moment.
    package func loadOpenTransactions() async throws(DatabaseFault) -> OpenTransactions {
        let rows = try await query(Self.openStatement, .reads) { row throws(PostgresError) in
            OpenTransactions(moment: Instant(try row.next(Timestamp.self)), ids: Set(try row.next([String].self)))
        }
        guard let row = rows.first else { throw .undecodable("the database has no time") }
        return row
    }

    /// Stores the missing mails for the placements and steps from this time on. Reads at most `limit` of each, and more
    /// only if they have the same time. Returns the time up to which it has read; nil if nothing follows.
    package func storeNewMails(from start: Instant, limit: Int) async throws(DatabaseFault) -> Instant? {
        var missing: [DueMailRecord] = []
        var end: Instant?
        for statement in [Self.placedStatement, Self.stepsStatement] {
            let steps = try await query(statement, .reads, start.timestamp, Int64(limit)) {
                row throws(PostgresError) in
                ExaminedStep(
                    record: DueMailRecord(orderID: try row.next(), state: try row.next(), at: try row.next()),
                    isMailMissing: try row.next())
            }
            missing += steps.filter(\.isMailMissing).map(\.record)
            if steps.count == limit, let last = steps.last {
                let time = Instant(last.record.at)
                end = min(end ?? time, time)
            }
        }
        if !missing.isEmpty {
            let records = missing
            try await Self.convertingError { () throws(PostgresError) in
                try await connection.execute(Self.storeStatement, .writes, records)
            }
        }
        return end == start ? try await storeNewMails(from: start, limit: limit * 2) : end
    }

    /// A placement or a step, and whether it needs a mail and has none.
    private struct ExaminedStep: Sendable {
        let record: DueMailRecord
        let isMailMissing: Bool
    }

    /// The due mails, longest due first.
    package func loadDue(limit: Int) async throws(DatabaseFault) -> [DueOrderMail] {
        try await query(Self.dueStatement, .reads, Int64(limit)) { row throws(PostgresError) in
            DueOrderMail(
                orderID: OrderID(try row.next(UUID.self)), state: try row.nextRawValue(),
                enteredAt: Instant(try row.next(Timestamp.self)), attempts: Int(try row.next(Int32.self)))
        }
    }

    /// The result of beginning an attempt.
    package enum AttemptStart: String, Sendable {
        case begun
        /// The step was taken back or may be taken back now, or the mail is finished.
        case skipped
        /// The address had the maximum number of mails within the last hour.
        case limited
    }

    /// Stores an attempt, counts it for its address, and sets when the next one is due.
    ///
    /// Called before the mail is sent. So a guest never gets more mails than there are counted attempts, even if a
    /// later write fails.
    package func beginAttempt(_ mail: DueOrderMail, nextIn pause: Duration) async throws(DatabaseFault) -> AttemptStart
    {
        let beginnings = try await query(
            Self.tryStatement, .writes, mail.orderID.uuid, mail.state.rawValue, mail.enteredAt.timestamp,
            pause.components.seconds
        ) { try $0.nextRawValue(AttemptStart.self) }
        return beginnings.first ?? .skipped
    }

    package func markSent(_ mail: DueOrderMail) async throws(DatabaseFault) {
        try await write(Self.sentStatement, mail)
    }

    /// Gives up a mail.
    /// - Parameter answer: The answer of the mail server; nil keeps the last one.
    package func markFailed(_ mail: DueOrderMail, _ reason: UnsentMail.Reason, answer: String? = nil)
        async throws(DatabaseFault)
    {
        try await write(Self.failedStatement, mail, reason.rawValue, answer)
    }

    /// Stores why the mail is tried again later.
    package func postpone(_ mail: DueOrderMail, _ answer: String) async throws(DatabaseFault) {
        try await write(Self.postponeStatement, mail, answer)
    }

    /// Undoes the attempt of a mail that was not sent after all. The mail is due again immediately.
    package func release(_ mail: DueOrderMail) async throws(DatabaseFault) {
        try await write(Self.releaseStatement, mail)
    }

    /// Deletes an attempt that reached nobody from the count of its address.
    /// - Parameter mail: The mail before the attempt.
    package func uncountAttempt(_ mail: DueOrderMail) async throws(DatabaseFault) {
        try await write(Self.uncountStatement, mail, Int32(mail.attempts + 1))
    }

    @discardableResult
    private func write<each Parameter: PostgresEncodable>(
        _ statement: Statement, _ mail: DueOrderMail, _ parameter: repeat each Parameter
    ) async throws(DatabaseFault) -> Int {
        let parameters = Parameters(mail.orderID.uuid, mail.state.rawValue, repeat each parameter)
        return try await Self.convertingError { () throws(PostgresError) in
            try await connection.execute(statement, parameters, .writes)
        }
    }

    private func query<each Parameter: PostgresEncodable, Value: Sendable>(
        _ statement: Statement, _ effect: Effect, _ parameter: repeat each Parameter,
        decode: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(DatabaseFault) -> [Value] {
        do {
            return try await connection.query(statement, Parameters(repeat each parameter), effect, decode: decode)
        } catch {
            throw DatabaseFault(error)
        }
    }

    @discardableResult
    private static func convertingError<Value>(
        _ work: () async throws(PostgresError) -> Value
    ) async throws(DatabaseFault) -> Value {
        do { return try await work() } catch { throw DatabaseFault(error) }
    }
}

/// A mail as `note_mails` receives it: `due_mail` (sql/018_order_mails.sql).
struct DueMailRecord: PostgresComposite, Equatable {
    static let compositeName = "due_mail"

    var orderID = UUID.zero
    var state = ""
    var at = Timestamp(microseconds: 0)

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("order_id", &orderID)
        try record.field("state", &state)
        try record.field("at", &at)
    }
}

extension OrderMailStore {
    /// "mail" in ASCII: one lock per database.
    private static let lockStatement = Statement("take_mail_turn", "select pg_try_advisory_lock(\(0x6D61_696C))")
    private static let beginStatement = Statement(
        "begin_mailing", "insert into mailing default values on conflict do nothing")
    private static let sinceStatement = Statement("mailing_since", "select since from mailing")
    private static let waitingStatement = Statement(
        "waiting_mails",
        """
        select now(), min(at) filter (where attempts > 0 or due_at <= now())
        from (select at, attempts, due_at from order_mails where sent_at is null and failed_at is null
              order by due_at limit 1000) as pending
        """)

    // A transaction keeps these locks until its changes are visible. A snapshot (pg_snapshot_xip) is no replacement: it
    // omits the newest transactions.
    private static let openStatement = Statement(
        "open_order_transactions",
        """
        select now(), array(
            select distinct virtualtransaction from pg_locks
            where locktype = 'relation' and relation in ('orders'::regclass, 'order_steps'::regclass)
                and database = (select oid from pg_database where datname = current_database())
                and mode in ('RowShareLock', 'RowExclusiveLock'))
        """)

    // Both statements return every row that they read. Their subqueries find the mail by its key, also with a plan for
    // empty tables: a join would then read all mails.
    private static let placedStatement = Statement(
        "placed_to_mail",
        """
        select id, 'placed' as state, placed_at,
            (select attempts from order_mails where order_id = orders.id and state = 'placed') is null
                as is_mail_missing
        from orders where placed_at >= $1 order by placed_at limit $2
        """)

    // A step that was taken back is not mailed.
    private static let stepsStatement = Statement(
        "steps_to_mail",
        """
        select order_id, state, at,
            kind = 'moved' and state in (\(names(OrderState.mailed)))
                and (select attempts > 0 or mail.at >= step.at from order_mails as mail
                     where mail.order_id = step.order_id and mail.state = step.state) is not true
                and (select kind from order_steps as following
                     where following.order_id = step.order_id and following.step = step.step + 1)
                    is distinct from 'taken_back' as is_mail_missing
        from order_steps as step where at >= $1 order by at limit $2
        """)

    // A state that the order entered again after a step was taken back gets the new time.
    private static let storeStatement = Statement(
        "note_mails",
        """
        insert into order_mails (order_id, state, at, due_at)
        select order_id, state, at,
            at + case when state in (\(names(OrderState.allCases.filter(\.canBeTakenBack))))
                then take_back_time() else interval '0' end
        from unnest($1) as found
        on conflict (order_id, state) do update set at = excluded.at, due_at = excluded.due_at
            where order_mails.attempts = 0 and order_mails.at < excluded.at
        """)

    private static let dueStatement = Statement(
        "due_mails",
        """
        select order_id, state, at, attempts from order_mails
            where sent_at is null and failed_at is null and due_at <= now()
        order by due_at limit $1
        """)

    private static let tryStatement = Statement("begin_mail", "select begin_order_mail($1, $2, $3, $4)")

    private static let sentStatement = Statement(
        "mail_sent",
        """
        update order_mails set sent_at = now(), answer = null
        where order_id = $1 and state = $2 and failed_at is null
        """)

    private static let failedStatement = Statement("mail_failed", "select fail_order_mail($1, $2, $3, $4)")

    private static let postponeStatement = Statement(
        "mail_postponed", "update order_mails set answer = $3 where order_id = $1 and state = $2")

    private static let releaseStatement = Statement(
        "mail_released",
        "update order_mails set attempts = attempts - 1, due_at = at where order_id = $1 and state = $2")

    private static let uncountStatement = Statement(
        "uncount_mail", "delete from recent_mails where order_id = $1 and state = $2 and attempt = $3")

    /// A list of states in SQL.
    private static func names(_ states: [OrderState]) -> String {
        states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }
}

extension ShopDatabase {
    /// The mails of these orders that were given up, oldest first.
    package func loadUnsentMails(_ orders: [OrderID]) async throws(DatabaseFault) -> [UnsentMail] {
        guard !orders.isEmpty else { return [] }
        return try await query(Self.unsentStatement, .reads, orders.map(\.uuid)) { row throws(PostgresError) in
            UnsentMail(
                orderID: OrderID(try row.next(UUID.self)), state: try row.nextRawValue(),
                reason: try row.nextRawValue(), abandonedAt: Instant(try row.next(Timestamp.self)))
        }
    }

    private static let unsentStatement = Statement(
        "unsent_mails",
        """
        select order_id, state, reason, failed_at from order_mails where order_id = any ($1) and failed_at is not null
        order by failed_at, state
        """)
}
