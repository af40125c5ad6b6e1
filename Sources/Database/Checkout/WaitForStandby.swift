// Makes sure that an order which can be read is also where a failover would look for it. Called by Shop's CheckoutQueue before it tells a guest of an
// order that was placed before, and by OrderingProbe.
import Postgres

extension ShopDatabase {
    /// Returns once all that is committed so far is on the synchronous standby, where the database has one; else at once.
    ///
    /// Who commits waits for the standby, and as a rule others see the commit only then. But when the standby stands still, the waiting session
    /// is given up and ended, and its commit can be seen from that moment, on this machine alone: 13 of 363 orders were told so and lost with it.
    /// A commit waits for all before it, and one that writes nothing waits for nobody; so this writes a message into the log, which is not kept.
    /// (https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION)
    package func waitForStandby() async throws(DatabaseFault) {
        try await execute(Self.waitForStandbyStatement, .writes)
    }

    private static let waitForStandbyStatement = Statement(
        "wait_for_standby",
        "select case when current_setting('synchronous_standby_names') <> '' then pg_logical_emit_message(true, 'welms', '') end")
}
