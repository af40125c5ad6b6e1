// Where a server stands in the write-ahead log. Called by Shop's ReadReplicas, of the primary and of each replica.
import Postgres

extension ShopDatabase {
    /// How far the log is written here, or replayed where this is a standby: in bytes since the primary's beginning (pg_lsn).
    package func loadLogPosition() async throws(DatabaseFault) -> Int64 {
        let positions = try await query(Self.logPositionStatement, .reads) { row throws(PostgresError) in try row.next(Int64?.self) }
        guard let position = positions.first ?? nil else { throw .undecodable("the server has no place in the log") }
        return position
    }

    private static let logPositionStatement = Statement(
        "log_position",
        "select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::bigint")
}
