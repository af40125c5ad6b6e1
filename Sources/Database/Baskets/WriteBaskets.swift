// Writes the baskets of a batch with their lines, selections and notes in one call of write_baskets
// (sql/005_write_baskets.sql).
import FoundationEssentials
import Ordering
import Postgres

/// A basket to write, unless it has changed since it was read.
package struct BasketWrite: Sendable {
    /// The version that was read; nil for a new basket.
    package let readVersion: Int64?
    package let basket: Basket

    package init(readVersion: Int64?, basket: Basket) { (self.readVersion, self.basket) = (readVersion, basket) }
}

extension ShopDatabase {
    /// Returns the ids of the written baskets. The others have been changed by another writer.
    /// - Parameters:
    ///   - revision: The menu revision with which the changes were decided. If the current one differs, nothing is
    ///     written. Nil: not checked.
    ///   - isValid: Whether the precondition still holds; evaluated on a connection's thread. False fails with a
    ///     conflict.
    package func writeBaskets(
        _ writes: [BasketWrite], ifMenuRevisionIs revision: Int64? = nil, ifStill isValid: (@Sendable () -> Bool)? = nil
    ) async throws(DatabaseFault) -> Set<BasketID> {
        guard let any = writes.first else { return [] }
        return try await writeBaskets(writes, ifMenuRevisionIs: revision, ifStill: isValid, on: any.basket.id)
    }

    /// The same, executed on the shard of basket `any`. Without `writes` it tests whether baskets can be written.
    func writeBaskets(
        _ writes: [BasketWrite], ifMenuRevisionIs revision: Int64? = nil,
        ifStill isValid: (@Sendable () -> Bool)? = nil, on any: BasketID
    ) async throws(DatabaseFault) -> Set<BasketID> {
        // All baskets were changed with one menu snapshot, so they have the same currency.
        let currency = writes.first?.basket.currency.text ?? ""
        // Sorted by id, so that two batches lock rows in the same order.
        let writes = writes.sorted { $0.basket.id < $1.basket.id }
        let written = try await query(
            Self.writeBasketsStatement, Parameters(any.uuid, revision, currency, writes.map { BasketWriteRecord($0) }),
            .writes, ifStill: isValid
        ) { row throws(PostgresError) in BasketID(try row.next(UUID.self)) }
        return Set(written)
    }

    static let writeBasketsStatement = Statement("write_baskets", "select * from write_baskets($1, $2, $3, $4)")
}
