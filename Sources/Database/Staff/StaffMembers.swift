// The members of staff: read by Shop's StaffMembers, made and withdrawn by `welms staff`. Read next: sql/020_staff.sql.
import Logging
import Ordering
import Postgres

/// A member whose token opens something, and its SHA-256.
package struct StaffPass: Sendable {
    package let member: StaffMember
    package let tokenDigest: [UInt8]
}

/// A member as the list shows them.
package struct ListedMember: Sendable, Hashable {
    package let member: StaffMember
    /// When the token was made.
    package let since: Instant
    /// Since when it opens nothing.
    package let withdrawn: Instant?
}

/// What became of a member that was to be made.
package enum StaffAddition: Sendable, Hashable {
    case added
    /// There is one of this name, and the token opens.
    case isThere
    /// There are as many as servers hold.
    case tooMany
    /// A constraint refused the name: how it would be right.
    case refused(String)
}

extension ShopDatabase {
    /// How many members a shop has at most whose tokens open something.
    package static let memberLimit: Int64 = 1_000

    /// All whose tokens open something.
    package func loadStaffPasses() async throws(DatabaseFault) -> [StaffPass] {
        try await query(Self.passesStatement, .reads, Self.memberLimit) { row throws(PostgresError) in
            StaffPass(member: StaffMember(name: try row.next(), role: try row.nextWord()), tokenDigest: try row.next())
        }
    }

    /// Whether the role of this URL may make members and withdraw them: the owner's may.
    package static func mayKeepStaff(at url: String, logger: Logger) async throws(DatabaseFault) -> Bool {
        do {
            return try await asOwner(url, logger) { connection throws(PostgresError) in
                try await connection.query(mayStatement, .reads) { row throws(PostgresError) in try row.next(Bool.self) } == [true]
            }
        } catch {
            throw DatabaseFault(error)
        }
    }

    /// Makes a member, or gives one that was withdrawn this token and role. Over a connection of its own, as the owner.
    package static func addStaffMember(
        _ member: StaffMember, tokenDigest: [UInt8], at url: String, logger: Logger
    ) async throws(DatabaseFault) -> StaffAddition {
        do {
            return try await asOwner(url, logger) { connection throws(PostgresError) in
                let isFull = try await connection.query(fullStatement, Parameters(memberLimit), .reads) { row throws(PostgresError) in
                    try row.next(Bool.self)
                }
                if isFull == [true] { return .tooMany }
                let added = try await connection.query(
                    addStatement, Parameters(member.name, member.role.rawValue, tokenDigest), .writes
                ) { row throws(PostgresError) in try row.next(String.self) }
                return added.isEmpty ? .isThere : .added
            }
        } catch {
            guard case .server(let refusal) = error, DatabaseFault(error).kind == .values else { throw DatabaseFault(error) }
            return .refused(refusal.hint ?? refusal.message)
        }
    }

    /// Takes a member's token its force. False where there is none of this name, or it has none any more.
    package static func withdrawStaffMember(_ name: String, at url: String, logger: Logger) async throws(DatabaseFault) -> Bool {
        do {
            return try await asOwner(url, logger) { connection throws(PostgresError) in
                let withdrawn = try await connection.query(withdrawStatement, Parameters(name), .writes) { row throws(PostgresError) in
                    try row.next(String.self)
                }
                return !withdrawn.isEmpty
            }
        } catch {
            throw DatabaseFault(error)
        }
    }

    /// All members there are and were, by name.
    package static func listStaffMembers(at url: String, logger: Logger) async throws(DatabaseFault) -> [ListedMember] {
        do {
            return try await asOwner(url, logger) { connection throws(PostgresError) in
                try await connection.query(listStatement, .reads) { row throws(PostgresError) in
                    let member = StaffMember(name: try row.next(), role: try row.nextWord())
                    return ListedMember(
                        member: member, since: Instant(try row.next(Timestamp.self)),
                        withdrawn: try row.next(Timestamp?.self).map(Instant.init))
                }
            }
        } catch {
            throw DatabaseFault(error)
        }
    }

    private static func asOwner<Value: Sendable>(
        _ url: String, _ logger: Logger, _ work: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        try await PostgresConnection.with(url, statementTimeout: .seconds(30), logger: logger, orThrow: { $0 }, work)
    }

    private static let passesStatement = Statement(
        "load_staff", "select name, role, token_digest from staff_members where withdrawn_at is null order by name limit $1")

    private static let mayStatement = Statement(
        "may_keep_staff", "select has_table_privilege('staff_members', 'insert') and has_table_privilege('staff_members', 'update')")

    private static let fullStatement = Statement(
        "staff_is_full", "select count(*) >= $1 from staff_members where withdrawn_at is null")

    private static let addStatement = Statement(
        "add_staff",
        """
        insert into staff_members (name, role, token_digest) values ($1, $2, $3)
        on conflict (lower(name)) do update
            set name = excluded.name, role = excluded.role, token_digest = excluded.token_digest, created_at = now(), withdrawn_at = null
            where staff_members.withdrawn_at is not null
        returning name
        """)

    private static let withdrawStatement = Statement(
        "withdraw_staff",
        "update staff_members set withdrawn_at = now() where lower(name) = lower($1) and withdrawn_at is null returning name")

    private static let listStatement = Statement(
        "list_staff", "select name, role, created_at, withdrawn_at from staff_members order by withdrawn_at is not null, lower(name)")
}
