// The position of a server in the WAL, of the primary or of a replica.
import Postgres

extension ShopDatabase {
    /// The written position, or the replayed one on a standby, in bytes (pg_lsn).
    package func loadLogPosition() async throws(DatabaseFault) -> Int64 {
        let positions = try await query(Self.logPositionStatement, .reads) { try $0.next(Int64?.self) }
        guard let position = positions.first ?? nil else { throw .undecodable("the server has no WAL position") }
        return position
    }

    private static let logPositionStatement = Statement(
        "log_position",
        """
        select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end
                - '0/0')::bigint
        """)
}
