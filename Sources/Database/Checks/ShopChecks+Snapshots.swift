// The health check of old snapshots.
import Postgres

extension ShopChecks {
    /// Checks that nothing has held a snapshot for longer than the limit.
    func snapshots(_ connection: PostgresConnection) async -> Finding {
        let name = "old snapshots"
        do throws(PostgresError) {
            let held = try await connection.query(HeldSnapshot.statement, .reads) { row throws(PostgresError) in
                try HeldSnapshot(&row)
            }
            let old = held.filter { $0.isOld(snapshotAgeLimit) }
            let shown = old.prefix(Self.shownSnapshots)
            var problems = shown.map { "\($0.description): \($0.cost); \($0.remedy)" }
            if old.count > shown.count { problems.append("there are \(old.count - shown.count) more") }
            return Finding(name: name, problem: old.isEmpty ? nil : problems.joined(separator: ". "))
        } catch {
            return Finding(name: name, problem: "\(error)")
        }
    }

    /// A parallel dump holds a snapshot in each of its sessions.
    private static let shownSnapshots = 2
}
