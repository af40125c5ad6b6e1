// Counts what PostgreSQL has read, which shows the cost of a statement independently of the machine's load.

extension TestDatabase {
    /// Waits until all sessions have ended, and returns how many rows and index entries of the tables they have read.
    package func countReads(of tables: [String]) async throws -> Int {
        // A session has reported all its reads when it has disappeared from pg_stat_activity.
        try await eventually("the earlier sessions have ended") {
            try await psql(
                """
                select count(*) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
                """) == "0"
        }
        let names = tables.map { "'\($0)'" }.joined(separator: ",")
        let count = try await psql(
            """
            select (select sum(seq_tup_read) from pg_stat_user_tables where relname in (\(names)))
                + (select sum(idx_tup_read) from pg_stat_user_indexes where relname in (\(names)))
            """)
        guard let count = Int(count) else { throw PsqlFailed(output: count) }
        return count
    }
}
