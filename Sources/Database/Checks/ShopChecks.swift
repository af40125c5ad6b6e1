// Health checks of a shop's database for `welms doctor`. Each failed check says how to fix the problem.
import Logging
import Postgres

package struct ShopChecks: Sendable {
    let url: String
    private let ownerURL: String?
    private let replicaURLs: [String]
    let replicaLagLimit: Duration
    let connectionsPerServer: Int
    let programs: String?
    let snapshotAgeLimit: Duration
    let now: @Sendable () -> Timestamp
    let logger: Logger

    /// The result of a check.
    package struct Finding: Sendable {
        package let name: String
        /// The problem and its remedy; nil: passed.
        package let problem: String?
        /// Additional information about a passed check.
        package var note: String?
    }

    /// Checks of the database at `url`, as servers connect to it, and of both roles if `ownerURL` is given.
    /// - Parameters:
    ///   - replicaLagLimit: The maximum lag of a replica that servers read.
    ///   - connectionsPerServer: The connections of one server; two servers must fit.
    ///   - programs: The release of the installed PostgreSQL programs, such as `15.18`, if known.
    ///   - snapshotAgeLimit: The age from which a snapshot is a problem.
    ///   - now: The clock of this machine.
    package init(
        url: String, ownerURL: String?, replicaURLs: [String], replicaLagLimit: Duration, connectionsPerServer: Int,
        programs: String? = nil, snapshotAgeLimit: Duration = HeldSnapshot.ageLimit,
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        (self.url, self.ownerURL, self.connectionsPerServer) = (url, ownerURL, connectionsPerServer)
        (self.replicaURLs, self.replicaLagLimit) = (replicaURLs, replicaLagLimit)
        (self.programs, self.snapshotAgeLimit) = (programs, snapshotAgeLimit)
        (self.now, self.logger) = (now, logger)
    }

    /// Runs all checks. Checks that need the schema run only if it is up to date.
    package func run() async -> [Finding] {
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(url, statementTimeout: .seconds(10), logger: logger)
            var findings = [Finding(name: "connection", problem: nil)]
            findings.append(await migrations())
            if let ownerURL { findings.append(await roles(ownerURL, server: connection)) }
            findings += [await versions(connection), await connections(connection), await clock(connection)]
            for check in Self.serverChecks { findings.append(await finding(of: check, over: connection)) }
            if findings[1].problem == nil {
                findings.append(await ordering(connection))
                findings.append(await snapshots(connection))
                for check in Self.shopChecks { findings.append(await finding(of: check, over: connection)) }
            }
            for (index, url) in replicaURLs.enumerated() {
                findings.append(await replica(index + 1, url, of: connection))
            }
            await connection.close()
            return findings
        } catch {
            return [
                Finding(
                    name: "connection",
                    problem: "\(error): check --database-url, and that the server runs and lets this user in")
            ]
        }
    }

    private func migrations() async -> Finding {
        do {
            let pending = try await Migrator(url: url, migrations: Migration.shipped(), logger: logger).status().filter
            {
                $0.appliedAt == nil
            }
            return Finding(
                name: "migrations",
                problem: pending.isEmpty ? nil : "\(pending.count) are not applied: run `welms migrate`")
        } catch {
            return Finding(name: "migrations", problem: "\(error)")
        }
    }

    private func finding(of check: Check, over connection: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let found = try await connection.query(check.statement, .reads) { try $0.next(String.self) }
            return Finding(
                name: check.name, problem: found.isEmpty ? nil : "\(found.joined(separator: ", ")): \(check.remedy)")
        } catch {
            return Finding(name: check.name, problem: "\(error)")
        }
    }

    /// A query that returns one problem per row.
    struct Check: Sendable {
        let name: String
        let statement: Statement
        let remedy: String

        init(_ name: String, remedy: String, _ sql: String) {
            (self.name, self.remedy) = (name, remedy)
            statement = Statement("doctor " + name, sql)
        }
    }
}
