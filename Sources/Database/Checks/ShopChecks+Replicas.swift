// Health checks of read replicas.
import Postgres

extension ShopChecks {
    /// Checks that a replica is readable and follows the primary.
    func replica(_ number: Int, _ url: String, of primary: PostgresConnection) async -> Finding {
        let name = "replica \(number)"
        do throws(PostgresError) {
            let position = try await primary.query(Self.position, .reads) { try $0.next(Int64.self) }
            let replica = try await PostgresConnection.connect(url, statementTimeout: .seconds(10), logger: logger)
            var state = try await replica.query(Self.replayed, .reads) { try $0.next(Int64?.self) }
            // Gives the replica as much time as servers tolerate as lag.
            let deadline = ContinuousClock.now + replicaLagLimit
            while let replayPosition = state.first ?? nil, let position = position.first, replayPosition < position,
                .now < deadline
            {
                guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { break }
                state = try await replica.query(Self.replayed, .reads) { try $0.next(Int64?.self) }
            }
            await replica.close()
            guard let replayPosition = state.first ?? nil else {
                return Finding(
                    name: name,
                    problem: "it is not a standby: give --replica-url a server that streams from the primary")
            }
            let isBehind = replayPosition < (position.first ?? 0)
            let remedy = """
                more than \(replicaLagLimit.components.seconds) s behind, so servers do not read it: check its log and \
                load
                """
            return Finding(name: name, problem: isBehind ? "it is \(remedy)" : nil)
        } catch {
            return Finding(
                name: name, problem: "\(error): check --replica-url, and that the standby runs with hot_standby=on")
        }
    }

    private static let position = Statement(
        "doctor position",
        """
        select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end
                - '0/0')::bigint
        """)
    private static let replayed = Statement(
        "doctor replayed", "select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end")
}
