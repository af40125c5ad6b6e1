// Pages through the audit for managers, newest first (sql/020_staff.sql).
import Ordering
import Postgres

extension ShopDatabase {
    /// A page of the audit rows before this id, newest first.
    package func loadAudit(limit: Int, before id: Int64?) async throws(DatabaseFault) -> [AuditEntry] {
        try await query(Self.auditStatement, .reads, id ?? .max, Int64(limit)) { try $0.nextAuditEntry() }
    }

    /// Values are formatted as in psql, except times, because people read them.
    private static let auditStatement = Statement(
        "load_audit",
        """
        select id, at, who, role, what, subject, why, before_names, before_values, after_names, after_values
        from (select * from audit where id < $1 order by id desc limit $2) as entry,
             lateral (select array_agg(key), array_agg(value)
                 from jsonb_each_text(before)) as b (before_names, before_values),
             lateral (select array_agg(key), array_agg(value)
                 from jsonb_each_text(after)) as a (after_names, after_values)
        order by id desc
        """)
}

extension Row {
    fileprivate mutating func nextAuditEntry() throws(PostgresError) -> AuditEntry {
        let (id, at, who) = (try next(Int64.self), Instant(try next(Timestamp.self)), try next(String.self))
        let (role, what, subject) = (try next(String?.self), try next(String.self), try next(String?.self))
        let why = try next(String?.self)
        return AuditEntry(
            id: id, changedAt: at, author: who, role: role.flatMap(StaffRole.init(rawValue:)), table: what,
            rowID: subject, before: try nextColumns(), after: try nextColumns(), reason: why)
    }

    private mutating func nextColumns() throws(PostgresError) -> [String: String?]? {
        let (names, values) = (try next([String]?.self), try next([String?]?.self))
        guard let names, let values else { return nil }
        // PostgreSQL writes the times in these columns with an offset. The HTTP API has one form of times.
        let uniform = values.map { $0.map { Instant(rfc3339: $0)?.rfc3339 ?? $0 } }
        return Dictionary(zip(names, uniform), uniquingKeysWith: { $1 })
    }
}
