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
            Self.writeBasketsStatement, Self.arguments(writes, currency, revision, on: any).parameters, .writes,
            ifStill: isValid
        ) { row throws(PostgresError) in BasketID(try row.next(UUID.self)) }
        return Set(written)
    }

    private static func arguments(_ writes: [BasketWrite], _ currency: String, _ revision: Int64?, on any: BasketID?)
        -> Arguments
    {
        var lines = LineColumns()
        var firsts: [Int32] = []
        var lasts: [Int32] = []
        var removals: [Int64] = []
        var removalFirsts: [Int32] = []
        var removalLasts: [Int32] = []
        for write in writes {
            firsts.append(Int32(lines.count + 1))
            lines.append(write.basket)
            lasts.append(Int32(lines.count))
            removalFirsts.append(Int32(removals.count + 1))
            for set in write.basket.sets {
                for item in set.removedItems { removals += [set.salesGroupID.rawValue, item.rawValue] }
            }
            removalLasts.append(Int32(removals.count))
        }
        var arguments = Arguments()
        arguments.append("any_basket", any?.uuid)
        arguments.append("menu", revision)
        arguments.append("ids", writes.map { $0.basket.id.uuid })
        arguments.append("versions", writes.map { $0.readVersion ?? 0 })
        arguments.append("next_versions", writes.map { $0.basket.version })
        arguments.append("newest_lines", writes.map { $0.basket.createdLineCount })
        arguments.append("firsts", firsts)
        arguments.append("lasts", lasts)
        lines.append(to: &arguments)
        // Most batches have no removed items. Passing null costs no time.
        arguments.append("removals", removals.isEmpty ? nil : removals)
        arguments.append("removal_firsts", removals.isEmpty ? nil : removalFirsts)
        arguments.append("removal_lasts", removals.isEmpty ? nil : removalLasts)
        arguments.append("the_currency", currency)
        return arguments
    }

    static let writeBasketsStatement = Statement(calling: "write_baskets", arguments([], "", nil, on: nil))
}
