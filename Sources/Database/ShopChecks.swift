// What can be wrong with a shop's database, each check on its own, with what to do. Used by `welms doctor`.
import Logging
import Postgres

/// Checks that a shop can work on a database.
public struct ShopChecks: Sendable {
    private let url: String
    private let ownerURL: String?
    private let replicaURLs: [String]
    private let now: @Sendable () -> Timestamp
    private let logger: Logger

    /// A check's name and, where it fails, what is wrong and what to do about it.
    public struct Finding: Sendable {
        /// What was looked at.
        public let name: String
        /// Nil where all is well.
        public let problem: String?
    }

    /// Checks of the database at `url`, as servers connect to it; where its owner's URL is known, of the two roles too.
    /// - Parameter now: The clock of this machine.
    public init(
        url: String, ownerURL: String?, replicaURLs: [String] = [], now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        (self.url, self.ownerURL, self.replicaURLs, self.now, self.logger) = (url, ownerURL, replicaURLs, now, logger)
    }

    /// Runs all checks; those that need the schema only where it is up to date.
    public func run() async -> [Finding] {
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(url, statementTimeout: .seconds(10), logger: logger)
            var findings = [Finding(name: "connection", problem: nil)]
            findings.append(await migrations())
            if let ownerURL { findings.append(await roles(ownerURL, server: connection)) }
            findings.append(await clock(connection))
            for check in Self.serverChecks { findings.append(await look(check, over: connection)) }
            if findings[1].problem == nil {
                for check in Self.shopChecks { findings.append(await look(check, over: connection)) }
            }
            for (index, url) in replicaURLs.enumerated() { findings.append(await replica(index + 1, url, of: connection)) }
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

    /// Coupons and orders go by the database's clock, logs and the prune of old baskets by this one's.
    private func clock(_ connection: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let before = now()
            let times = try await connection.query(Self.time, .reads) { row throws(PostgresError) in try row.next(Timestamp.self) }
            guard let time = times.first else { throw .undecodable("the database has no time") }
            // The answer was on its way for a while.
            let apart = max(before.microseconds - time.microseconds, time.microseconds - now().microseconds) / 1_000_000
            return Finding(
                name: "clock", problem: apart < 2 ? nil : "it is \(apart) s apart from the database's: set both machines' by NTP")
        } catch {
            return Finding(name: "clock", problem: "\(error)")
        }
    }

    /// Whether a standby can be read, and follows this primary.
    private func replica(_ number: Int, _ url: String, of primary: PostgresConnection) async -> Finding {
        let name = "replica \(number)"
        do throws(PostgresError) {
            let position = try await primary.query(Self.position, .reads) { row throws(PostgresError) in try row.next(Int64.self) }
            let replica = try await PostgresConnection.connect(url, statementTimeout: .seconds(10), logger: logger)
            var state = try await replica.query(Self.replayed, .reads) { row throws(PostgresError) in try row.next(Int64?.self) }
            // As long as a server goes on reading one that is behind.
            let deadline = ContinuousClock.now + ReplicaConfiguration().lagLimit
            while let place = state.first ?? nil, let position = position.first, place < position, .now < deadline {
                guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { break }
                state = try await replica.query(Self.replayed, .reads) { row throws(PostgresError) in try row.next(Int64?.self) }
            }
            await replica.close()
            guard let place = state.first ?? nil else {
                return Finding(name: name, problem: "it is no standby: give --replica-url a server that streams from the primary")
            }
            let isBehind = place < (position.first ?? 0)
            let remedy =
                "more than \(ReplicaConfiguration().lagLimit.components.seconds) s behind, so nobody reads it: look at its log and load"
            return Finding(name: name, problem: isBehind ? "it is \(remedy)" : nil)
        } catch {
            return Finding(name: name, problem: "\(error): check --replica-url, and that the standby runs with hot_standby=on")
        }
    }

    private static let time = Statement("doctor time", "select clock_timestamp()")
    private static let position = Statement(
        "doctor position",
        "select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::bigint")
    private static let replayed = Statement(
        "doctor replayed", "select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end")

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
            "grants", remedy: "sql/009_roles.sql grants it to welms_server: give --database-url that role, or grant it",
            """
            select format('%s may not read %s', current_user, name)
            from unnest(array['shop', 'menu_revision', 'categories', 'menu_items', 'sales_groups', 'sales_group_items', 'coupons',
                              'coupon_uses', 'baskets', 'orders', 'order_steps']) as name
            where not has_table_privilege(name, 'select')
            union all select format('%s may not call %s', current_user, proname) from pg_proc
            where pronamespace = 'public'::regnamespace
              and proname in ('write_baskets', 'place_orders', 'advance_order', 'cancel_order', 'prune_baskets')
              and not has_function_privilege(oid, 'execute')
            union all select format('there is no role %s', name) from unnest(array['welms_server', 'welms_staff']) as name
            where not exists (select from pg_roles where rolname = name)
            """),
        Check(
            "time zone", remedy: "update shop set time_zone = 'America/New_York', or another that pg_timezone_names lists",
            """
            select format('the shop''s is %s, which the database doesn''t know', time_zone)
            from shop where not exists (select from pg_timezone_names where name = time_zone)
            """),
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
        Check(
            "coupon windows", remedy: "move starts_at or ends_at so that such a day lies between them",
            """
            select format('%s is for the last day of a month, and none lies between starts_at and ends_at', key)
            from coupons, shop
            where condition = 'last_day_of_month' and ends_at > now()
              and (date_trunc('month', greatest(starts_at, now()) at time zone time_zone) + interval '1 month - 1 day') at time zone time_zone
                  >= ends_at
            """),
        Check(
            "coupon limits", remedy: "raise the limit, or end the coupon with ends_at = now()",
            """
            select format('%s can be redeemed %s times in all and %s times by one guest', key, redemption_limit, guest_limit)
            from coupons where guest_limit > redemption_limit and redemption_limit > 0 and coalesce(ends_at > now(), true)
            union all select format('%s can be redeemed by nobody: its redemption_limit is 0', key)
            from coupons where redemption_limit = 0 and coalesce(ends_at > now(), true)
            union all select format('%s gives an item of a category in which nothing can be ordered', key)
            from coupons where benefit = 'free_item' and coalesce(ends_at > now(), true) and not exists (
                select from menu_items where category_id = free_category_id and is_available and not is_retired)
            """),
    ]
}
