// Writes the baskets of a batch, with the lines, what was chosen with them and their notes, in one call of write_baskets (sql/005_write_baskets.sql).
// Called by Shop's BasketQueue.
import FoundationEssentials
import Ordering
import Postgres

/// A basket to be written, if it is still as it was read.
package struct BasketWrite: Sendable {
    /// The version that was read; nil for a new basket.
    package let readVersion: Int64?
    package let basket: Basket

    package init(readVersion: Int64?, basket: Basket) { (self.readVersion, self.basket) = (readVersion, basket) }
}

extension ShopDatabase {
    /// The ids of those that were written; the others have been changed by somebody else meanwhile.
    /// - Parameters:
    ///   - revision: Of the menu by which the changes were made, if it has still to count: none is written if another one does.
    ///   - holds: Whether what was changed still is true; asked on a connection's thread, where it fails as a race if it is not.
    package func writeBaskets(
        _ writes: [BasketWrite], ifMenuIs revision: Int64? = nil, ifStill holds: (@Sendable () -> Bool)? = nil
    ) async throws(DatabaseFault) -> Set<BasketID> {
        guard let any = writes.first else { return [] }
        return try await writeBaskets(writes, ifMenuIs: revision, ifStill: holds, on: any.basket.id)
    }

    /// The same where `any`, one of them, lies; without any, a look at whether it could be done.
    func writeBaskets(
        _ writes: [BasketWrite], ifMenuIs revision: Int64? = nil, ifStill holds: (@Sendable () -> Bool)? = nil, on any: BasketID
    ) async throws(DatabaseFault) -> Set<BasketID> {
        // All were changed by one menu.
        let currency = writes.first?.basket.currency.text ?? ""
        // In the order of their ids, so that two batches lock in the same order.
        let writes = writes.sorted { $0.basket.id < $1.basket.id }
        let written = try await query(
            Self.writeBasketsStatement, Self.arguments(writes, currency, revision, on: any).parameters, .writes, ifStill: holds
        ) { row throws(PostgresError) in BasketID(try row.next(UUID.self)) }
        return Set(written)
    }

    private static func arguments(_ writes: [BasketWrite], _ currency: String, _ revision: Int64?, on any: BasketID?) -> Arguments {
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
        arguments.append("newest_lines", writes.map { $0.basket.linesMade })
        arguments.append("firsts", firsts)
        arguments.append("lasts", lasts)
        lines.append(to: &arguments)
        // Hardly anybody removes an item from a set, and a null costs nothing.
        arguments.append("removals", removals.isEmpty ? nil : removals)
        arguments.append("removal_firsts", removals.isEmpty ? nil : removalFirsts)
        arguments.append("removal_lasts", removals.isEmpty ? nil : removalLasts)
        arguments.append("the_currency", currency)
        return arguments
    }

    static let writeBasketsStatement = Statement(calling: "write_baskets", arguments([], "", nil, on: nil))
}
