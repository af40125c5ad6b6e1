// Loads, adds and withdraws staff members (sql/020_staff.sql).
import Logging
import Ordering
import Postgres

/// A member with a valid token, and the SHA-256 of the token.
package struct StaffCredential: Sendable {
    package let member: StaffMember
    package let tokenDigest: [UInt8]
}

/// A member as listed by `welms staff`.
package struct ListedMember: Sendable, Hashable {
    package let member: StaffMember
    /// When the token was created.
    package let createdAt: Instant
    /// When the token was withdrawn; nil: it is valid.
    package let withdrawnAt: Instant?
}

/// The result of adding a member.
package enum StaffAdditionResult: Sendable, Hashable {
    case added
    /// A member with this name and a valid token exists.
    case alreadyExists
    /// The limit of members is reached.
    case tooMany
    /// A constraint rejected the name; the hint says what is allowed.
    case refused(String)
}

extension ShopDatabase {
    /// The maximum number of members with a valid token.
    package static let memberLimit: Int64 = 1_000

    /// Loads all members with a valid token.
    package func loadStaffCredentials() async throws(DatabaseFault) -> [StaffCredential] {
        try await query(Self.credentialsStatement, .reads, Self.memberLimit) { row throws(PostgresError) in
            StaffCredential(
                member: StaffMember(name: try row.next(), role: try row.nextRawValue()), tokenDigest: try row.next())
        }
    }

    /// Whether the role of this URL may add and withdraw members: only the owner may.
    package static func canManageStaff(at url: String, logger: Logger) async throws(DatabaseFault) -> Bool {
        try await onSeparateConnection(url, logger: logger) { connection throws(PostgresError) in
            try await connection.query(mayStatement, .reads) { try $0.next(Bool.self) } == [true]
        }
    }

    /// Adds a member, or gives a withdrawn member this token and role. Uses a separate connection as the owner.
    package static func addStaffMember(
        _ member: StaffMember, tokenDigest: [UInt8], at url: String, logger: Logger
    ) async throws(DatabaseFault) -> StaffAdditionResult {
        do {
            return try await PostgresConnection.with(
                url, statementTimeout: .seconds(30), logger: logger, orThrow: { $0 }
            ) { connection throws(PostgresError) in
                let isFull = try await connection.query(fullStatement, Parameters(memberLimit), .reads) {
                    try $0.next(Bool.self)
                }
                if isFull == [true] { return .tooMany }
                let added = try await connection.query(
                    addStatement, Parameters(member.name, member.role.rawValue, tokenDigest), .writes
                ) { try $0.next(String.self) }
                return added.isEmpty ? .alreadyExists : .added
            }
        } catch {
            guard case .server(let refusal) = error, DatabaseFault(error).kind == .rejectedValues else {
                throw DatabaseFault(error)
            }
            return .refused(refusal.hint ?? refusal.message)
        }
    }

    /// Withdraws a member's token. Returns false if there is no member with this name and a valid token.
    package static func withdrawStaffMember(_ name: String, at url: String, logger: Logger) async throws(DatabaseFault)
        -> Bool
    {
        try await onSeparateConnection(url, logger: logger) { connection throws(PostgresError) in
            let withdrawn = try await connection.query(withdrawStatement, Parameters(name), .writes) {
                try $0.next(String.self)
            }
            return !withdrawn.isEmpty
        }
    }

    /// Lists all members, including withdrawn ones, by name.
    package static func listStaffMembers(at url: String, logger: Logger) async throws(DatabaseFault) -> [ListedMember] {
        try await onSeparateConnection(url, logger: logger) { connection throws(PostgresError) in
            try await connection.query(listStatement, .reads) { row throws(PostgresError) in
                let member = StaffMember(name: try row.next(), role: try row.nextRawValue())
                return ListedMember(
                    member: member, createdAt: Instant(try row.next(Timestamp.self)),
                    withdrawnAt: try row.next(Timestamp?.self).map(Instant.init))
            }
        }
    }

    private static let credentialsStatement = Statement(
        "load_staff",
        "select name, role, token_digest from staff_members where withdrawn_at is null order by name limit $1")

    private static let mayStatement = Statement(
        "may_keep_staff",
        """
        select has_table_privilege('staff_members', 'insert') and has_table_privilege('staff_members', 'update')
        """)

    private static let fullStatement = Statement(
        "staff_is_full", "select count(*) >= $1 from staff_members where withdrawn_at is null")

    private static let addStatement = Statement(
        "add_staff",
        """
        insert into staff_members (name, role, token_digest) values ($1, $2, $3)
        on conflict (lower(name)) do update
            set name = excluded.name, role = excluded.role, token_digest = excluded.token_digest, created_at = now(),
                withdrawn_at = null
            where staff_members.withdrawn_at is not null
        returning name
        """)

    private static let withdrawStatement = Statement(
        "withdraw_staff",
        """
        update staff_members set withdrawn_at = now() where lower(name) = lower($1) and withdrawn_at is null
        returning name
        """)

    private static let listStatement = Statement(
        "list_staff",
        """
        select name, role, created_at, withdrawn_at from staff_members
        order by withdrawn_at is not null, lower(name)
        """)
}
