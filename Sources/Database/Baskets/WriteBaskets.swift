// Writes the baskets of a batch in one call of write_baskets (sql/005_write_baskets.sql). Called by Shop's BasketQueue.
import FoundationEssentials
import Ordering
import Postgres

/// A basket to be written, if it is still as it was read.
package struct BasketWrite: Sendable {
    /// The version that was read; nil for a new basket.
    package let readVersion: Int64?
    /// What it is now.
    package let basket: Basket

    /// A basket that was read in this version.
    package init(readVersion: Int64?, basket: Basket) {
        (self.readVersion, self.basket) = (readVersion, basket)
    }
}

extension ShopDatabase {
    /// The ids of those that were written; the others have been changed by somebody else meanwhile.
    /// - Parameter revision: Of the menu by which the changes were made, if it has still to count: none is written if another one does.
    package func writeBaskets(_ writes: [BasketWrite], ifMenuIs revision: Int64? = nil) async throws(DatabaseFault) -> Set<BasketID> {
        guard let any = writes.first else { return [] }
        return try await writeBaskets(writes, ifMenuIs: revision, on: any.basket.id)
    }

    /// The same where `any`, one of them, lies; without any, a look at whether it could be done.
    func writeBaskets(_ writes: [BasketWrite], ifMenuIs revision: Int64? = nil, on any: BasketID) async throws(DatabaseFault) -> Set<
        BasketID
    > {
        // All were changed by one menu.
        let currency = writes.first?.basket.currency.text ?? ""
        // In the order of their ids, so that two batches lock in the same order.
        let writes = writes.sorted { $0.basket.id < $1.basket.id }
        var entries = StoredEntries()
        var firsts: [Int32] = []
        var lasts: [Int32] = []
        for write in writes {
            firsts.append(Int32(entries.count + 1))
            entries.append(write.basket)
            lasts.append(Int32(entries.count))
        }
        let written = try await query(
            Self.writeBasketsStatement, .writes, any.uuid, revision, writes.map(\.basket.id.uuid),
            writes.map { $0.readVersion ?? 0 },
            writes.map(\.basket.version), firsts, lasts, entries.sales, entries.items, entries.quantities, entries.prices,
            currency
        ) { row throws(PostgresError) in BasketID(try row.next(UUID.self)) }
        return Set(written)
    }

    private static let writeBasketsStatement = Statement(
        "write_baskets", "select write_baskets($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)")
}
