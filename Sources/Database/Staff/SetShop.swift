// Sets pauses, busy minutes, the acceptance of orders and the hours of a day, like updates of shop and
// opening_exceptions in SQL.
import Ordering
import Postgres

/// The result of a write by staff.
package enum StaffWriteResult: Sendable, Hashable {
    case done
    /// A constraint rejected the values: its message and its hint.
    case refused(String, hint: String?)
}

extension ShopDatabase {
    /// Begins or ends a pause.
    package func setPause(_ pause: ShopPause?, by member: StaffMember) async throws(DatabaseFault) -> StaffWriteResult {
        try await write(
            Self.pauseStatement, Parameters(pause?.until.timestamp, pause?.reason, member.name, member.role.rawValue))
    }

    /// Sets the minutes that are added to every estimate; nil: none.
    package func setBusy(_ busy: BusyPeriod?, by member: StaffMember) async throws(DatabaseFault) -> StaffWriteResult {
        try await write(
            Self.busyStatement,
            Parameters(Int64(busy?.minutes ?? 0), busy?.until.timestamp, member.name, member.role.rawValue))
    }

    /// Sets how new orders are accepted, and the deadline.
    package func setAcceptance(_ acceptance: Acceptance, by member: StaffMember) async throws(DatabaseFault)
        -> StaffWriteResult
    {
        try await write(
            Self.acceptanceStatement,
            Parameters(
                acceptance.deadlineMinutes.map { Int64($0) }, acceptance == .automatically, member.name,
                member.role.rawValue))
    }

    /// Sets the shifts that begin on a day: empty: closed; nil: the weekly hours.
    package func setHours(_ shifts: [RawShift]?, on date: LocalDate, by member: StaffMember) async throws(DatabaseFault)
        -> StaffWriteResult
    {
        // A closed day is one row without times.
        let records = shifts?.isEmpty == true ? [OpeningShiftRecord()] : shifts?.map { OpeningShiftRecord($0) } ?? []
        return try await write(
            Self.hoursStatement, Parameters(date.description, records, member.name, member.role.rawValue))
    }

    private func write(_ statement: Statement, _ parameters: Parameters) async throws(DatabaseFault) -> StaffWriteResult
    {
        do throws(PostgresError) {
            try await pool.execute(statement, parameters, .writes)
            return .done
        } catch {
            let fault = DatabaseFault(error)
            guard case .server(let refusal) = error, fault.kind == .rejectedValues else { throw fault }
            return .refused(refusal.message, hint: refusal.hint)
        }
    }

    /// Unchanged rows are not written, because every write makes all servers reload the menu.
    private static let pauseStatement = Statement(
        "set_pause",
        """
        update shop set pause_until = $1::timestamptz, pause_reason = $2::text from act_as($3, $4)
        where (pause_until, pause_reason) is distinct from ($1::timestamptz, $2::text)
        """)

    private static let busyStatement = Statement(
        "set_busy",
        """
        update shop set busy_minutes = $1::bigint, busy_until = $2::timestamptz from act_as($3, $4)
        where (busy_minutes, busy_until) is distinct from ($1::bigint, $2::timestamptz)
        """)

    private static let acceptanceStatement = Statement(
        "set_acceptance",
        """
        update shop set accept_within_minutes = $1::bigint, accepts_automatically = $2 from act_as($3, $4)
        where (accept_within_minutes, accepts_automatically) is distinct from ($1::bigint, $2)
        """)

    private static let hoursStatement = Statement(
        "set_hours", "select set_hours($1::text::date, $2) from act_as($3, $4)")
}

/// A shift of a day as `set_hours` receives it: `opening_shift` (sql/020_staff.sql). A closed day has only nils.
struct OpeningShiftRecord: PostgresComposite, Equatable {
    static let compositeName = "opening_shift"

    var opens: String?
    var closes: String?
    /// Nil: both.
    var fulfilment: String?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("opens", &opens)
        try record.field("closes", &closes)
        try record.field("fulfilment", &fulfilment)
    }
}

extension OpeningShiftRecord {
    init(_ shift: RawShift) {
        self.init(opens: shift.opens, closes: shift.closes, fulfilment: shift.fulfilment?.rawValue)
    }
}
