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

    /// The current time, and the time since which the oldest pending mail waits; nil if none waits.
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

    /// Stores the mails for placements and steps after this moment, at most `limit` of each. Returns whether there may
    /// be more.
    package func storeNewMails(after moment: Instant, limit: Int) async throws(DatabaseFault) -> Bool {
        var all: [DueOrderMail] = []
        var isCut = false
        for statement in [Self.placedStatement, Self.stepsStatement] {
            let found = try await query(statement, .reads, moment.timestamp, Int64(limit)) {
                row throws(PostgresError) in
                DueOrderMail(
                    orderID: OrderID(try row.next(UUID.self)), state: try row.nextRawValue(),
                    enteredAt: Instant(try row.next(Timestamp.self)))
            }
            isCut = isCut || found.count == limit
            all += found
        }
        guard !all.isEmpty else { return false }
        let records = all.map { DueMailRecord($0) }
        try await Self.convertingError { () throws(PostgresError) in
            try await connection.execute(Self.storeStatement, .writes, records)
        }
        return isCut
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

extension DueMailRecord {
    fileprivate init(_ mail: DueOrderMail) {
        self.init(orderID: mail.orderID.uuid, state: mail.state.rawValue, at: mail.enteredAt.timestamp)
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
        select now(), min(at) filter (where attempts > 0 or due_at <= now()) from order_mails
        where sent_at is null and failed_at is null
        """)

    private static let placedStatement = Statement(
        "placed_to_mail",
        """
        select id, 'placed' as state, placed_at from orders
        where placed_at > $1
            and not exists (select from order_mails where order_id = orders.id and order_mails.state = 'placed')
        order by placed_at, id limit $2
        """)

    // Both conditions apply to recent steps, which are few. A step that was taken back is not mailed.
    private static let stepsStatement = Statement(
        "steps_to_mail",
        """
        select order_id, state, at from order_steps where at > $1 and kind = 'moved'
            and state in (\(names(OrderState.mailed)))
            and not exists (select from order_mails
                where order_mails.order_id = order_steps.order_id and order_mails.state = order_steps.state
                and (order_mails.at >= order_steps.at or attempts > 0))
            and not exists (select from order_steps as back
                where back.order_id = order_steps.order_id and back.step = order_steps.step + 1
                    and back.kind = 'taken_back')
        order by at, order_id limit $2
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
