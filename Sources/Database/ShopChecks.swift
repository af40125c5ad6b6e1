// What can be wrong with a shop's database, each check on its own, with what to do. Used by `welms doctor`.
import Logging
import Postgres

/// Checks that a shop can work on a database.
public struct ShopChecks: Sendable {
    private let url: String
    private let ownerURL: String?
    private let logger: Logger

    /// A check's name and, where it fails, what is wrong and what to do about it.
    public struct Finding: Sendable {
        /// What was looked at.
        public let name: String
        /// Nil where all is well.
        public let problem: String?
    }

    /// Checks of the database at `url`, as servers connect to it; where its owner's URL is known, of the two roles too.
    public init(url: String, ownerURL: String?, logger: Logger) {
        (self.url, self.ownerURL, self.logger) = (url, ownerURL, logger)
    }

    /// Runs all checks; those that need the schema only where it is up to date.
    public func run() async -> [Finding] {
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(url, statementTimeout: .seconds(10), logger: logger)
            var findings = [Finding(name: "connection", problem: nil)]
            findings.append(await migrations())
            if let ownerURL { findings.append(await roles(ownerURL, server: connection)) }
            for check in Self.serverChecks { findings.append(await look(check, over: connection)) }
            if findings[1].problem == nil {
                for check in Self.shopChecks { findings.append(await look(check, over: connection)) }
            }
            await connection.close()
            return findings
        } catch {
            return [Finding(name: "connection", problem: "\(error): check --database-url, and that the server runs and lets this user in")]
        }
    }

    private func migrations() async -> Finding {
        do {
            let pending = try await Migrator(url: url, migrations: Migration.shipped(), logger: logger).status().filter {
                $0.appliedAt == nil
            }
            return Finding(name: "migrations", problem: pending.isEmpty ? nil : "\(pending.count) are not applied: run `welms migrate`")
        } catch {
            return Finding(name: "migrations", problem: "\(error)")
        }
    }

    private func roles(_ ownerURL: String, server: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let owner = try await PostgresConnection.connect(ownerURL, statementTimeout: .seconds(10), logger: logger)
            let (owns, serves) = (try await Self.role(of: owner), try await Self.role(of: server))
            await owner.close()
            let problem: String? =
                if !owns.mayChangeSchema {
                    "\(owns.name) may not change the schema: give --owner-url the role that owns the database"
                } else if serves.mayChangeSchema {
                    "the server's role \(serves.name) may change the schema: give --database-url the role welms_server, or a member of it"
                } else {
                    nil
                }
            return Finding(name: "roles", problem: problem)
        } catch {
            return Finding(name: "roles", problem: "\(error): check --owner-url")
        }
    }

    private struct Role: Sendable {
        let name: String
        let mayChangeSchema: Bool
    }

    private static func role(of connection: PostgresConnection) async throws(PostgresError) -> Role {
        let statement = Statement("doctor role", "select current_user::text, has_schema_privilege('public', 'CREATE')")
        let roles = try await connection.query(statement, .reads) { row throws(PostgresError) in
            Role(name: try row.next(), mayChangeSchema: try row.next())
        }
        guard let role = roles.first else { throw .undecodable("a session has no user") }
        return role
    }

    private func look(_ check: Check, over connection: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let found = try await connection.query(check.statement, .reads) { row throws(PostgresError) in try row.next(String.self) }
            return Finding(name: check.name, problem: found.isEmpty ? nil : "\(found.joined(separator: ", ")): \(check.remedy)")
        } catch {
            return Finding(name: check.name, problem: "\(error)")
        }
    }

    /// A query that answers what is wrong, a text a row.
    private struct Check: Sendable {
        let name: String
        let statement: Statement
        let remedy: String

        init(_ name: String, remedy: String, _ sql: String) {
            (self.name, self.remedy) = (name, remedy)
            statement = Statement("doctor " + name, sql)
        }
    }

    private static let serverChecks = [
        Check(
            "server version", remedy: "use PostgreSQL 15 or later",
            "select 'it is ' || current_setting('server_version') where current_setting('server_version_num')::integer < 150000"),
        Check(
            "durability", remedy: "an acknowledged order can be lost in a crash; turn it on in postgresql.conf",
            """
            select name || ' is off' from pg_settings
            where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
            """),
        Check(
            "encoding", remedy: "make the database with encoding UTF8",
            "select 'it is ' || current_setting('server_encoding') where current_setting('server_encoding') <> 'UTF8'"),
    ]

    private static let shopChecks = [
        Check(
            "menu", remedy: "load one: `welms seed` loads the shipped menu",
            "select 'there is no item on it' where not exists (select from menu_items where not is_retired)"),
        Check(
            "sales", remedy: "bring the item back or take it out of the set",
            """
            select format('the set %s holds item %s, which can''t be ordered', sales_groups.title, menu_items.id)
            from sales_groups join sales_group_items on sales_group_id = sales_groups.id join menu_items on menu_items.id = menu_item_id
            where not sales_groups.is_retired and (menu_items.is_retired or not is_available)
            """),
        Check(
            "coupons", remedy: "change ends_at, or take the coupon off the list",
            "select format('%s is listed and has expired', key) from coupons where is_listed and ends_at <= now()"),
    ]
}
