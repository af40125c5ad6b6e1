// Places accepted orders. Orders that need a locked row are set apart, and a failing order does not fail its batch.
import Database
import Logging
import Ordering

/// Places the orders of a batch.
struct OrderPlacing: Sendable {
    let database: ShopDatabase
    let numbers: OrderNumberRange
    let locked: LockedRows
    let logger: Logger

    /// The outcome of placing an order.
    enum Outcome {
        case placed(Placement)
        case failed(DatabaseFault)
        /// Other transactions may have locked these rows, which the order needs.
        case blocked(by: Set<ContestedRow>)
    }

    /// A condition for placing orders that were decided from the cache. It must still be true when they are placed.
    struct Precondition {
        let menuRevision: Int64
        /// Whether the cache is still valid since the decision. A new connection may reach another database server,
        /// where the same basket version has other content.
        let isCurrent: @Sendable () -> Bool
    }

    /// Returns the outcome of each order. An order that is missing from the result had a conflict.
    ///
    /// An error rolls back the whole batch. If one order can have caused it, the orders are placed one by one. Any
    /// other error would repeat for each order, and 64 attempts would burden a struggling server.
    func place(_ orders: [OrderDraft], if premise: Precondition?) async -> [OrderID: Outcome] {
        let (free, waiting) = partitionLocked(orders)
        guard let parts = partitionSuspects(free) else {
            return waiting.merging(await placeTogether(free, if: premise)) { first, _ in first }
        }
        let placed = await placeSequentially(parts) { part in
            let (free, waiting) = partitionLocked(part)
            let placed = await placeTogether(free, if: premise)
            if placed.values.contains(where: { if case .placed = $0 { true } else { false } }) {
                locked.clear(part[0].contestedRows)
            }
            return waiting.merging(placed) { first, _ in first }
        }
        return waiting.merging(placed) { first, _ in first }
    }

    /// Sets apart the orders that need a locked row.
    private func partitionLocked(_ orders: [OrderDraft]) -> (free: [OrderDraft], waiting: [OrderID: Outcome]) {
        guard !locked.isEmpty else { return (orders, [:]) }
        var waiting: [OrderID: Outcome] = [:]
        let free = orders.filter { order in
            let rows = order.rowsToLock
            guard locked.isLocked(anyOf: rows) else { return true }
            waiting[order.id] = .blocked(by: rows)
            return false
        }
        return (free, waiting)
    }

    /// Groups the orders that need a suspect row by their contested rows, so that a row that is locked again fails only
    /// its group. Orders without suspect rows form the first group. Nil if no row is suspect, the usual case.
    private func partitionSuspects(_ orders: [OrderDraft]) -> [[OrderDraft]]? {
        let suspected = locked.suspects
        guard !suspected.isEmpty else { return nil }
        let parts = Dictionary(grouping: orders) { order in
            let rows = order.contestedRows
            return rows.isDisjoint(with: suspected) ? [] : rows
        }
        return parts.sorted { $0.key.count < $1.key.count }.map(\.value)
    }

    private func placeTogether(_ orders: [OrderDraft], if premise: Precondition?) async -> [OrderID: Outcome] {
        guard !orders.isEmpty else { return [:] }
        // Each attempt takes new numbers.
        return await placeTogether(orders, numbers.take(orders.count), if: premise)
    }

    private func placeTogether(
        _ orders: [OrderDraft], _ portion: OrderNumberRange.Portion, if premise: Precondition?
    ) async -> [OrderID: Outcome] {
        do throws(DatabaseFault) {
            // A lock timeout has rolled the batch back, so each attempt can use the same numbers.
            return try await locked.waitingForCommits(on: database, of: { contestedRows(of: orders) }) {
                database throws(DatabaseFault) in
                try await database.placeOrders(
                    orders, numbers: portion.numbers, ifMenuRevisionIs: premise?.menuRevision,
                    ifStill: { portion.isCurrent() && (premise?.isCurrent() ?? true) })
            }.mapValues { .placed($0) }
        } catch {
            switch error.kind {
            // A deadlock or serialisation failure rolled the batch back. As after any conflict, the drafts are decided
            // again.
            case .conflict where portion.isCurrent(): return [:]
            // A new connection has discarded the numbers, perhaps before they were sent. The decisions are still valid.
            case .conflict: return await placeTogether(orders, .empty, if: premise)
            case .locked: return await placeUncontested(orders, if: premise, error)
            // Of all row locks, only that of a basket can delay the statement until its timeout, because other rows
            // have a lock timeout. Marking the baskets as suspect limits the delay to this batch.
            case .timedOut:
                locked.markSuspect(Set(orders.map { ContestedRow.basket($0.id) }))
                return failed(orders, error)
            case .rejectedValues where orders.count > 1: break
            case _: return failed(orders, error)
            }
            logger.error(
                "a batch of orders failed and its orders are placed one by one",
                metadata: ["reason": "\(error)", "orders": "\(orders.count)"])
            return await placeSequentially(orders.map { [$0] }) { await place($0, if: premise) }
        }
    }

    /// Places one part after the other. Stops at an error that no single order can cause.
    private func placeSequentially(
        _ parts: [[OrderDraft]], _ write: ([OrderDraft]) async -> [OrderID: Outcome]
    ) async -> [OrderID: Outcome] {
        var placed: [OrderID: Outcome] = [:]
        for (index, part) in parts.enumerated() {
            let results = await write(part)
            placed.merge(results) { first, _ in first }
            for case .failed(let error) in results.values where error.kind != .rejectedValues {
                return placed.merging(failed(parts[(index + 1)...].joined(), error)) { first, _ in first }
            }
        }
        return placed
    }

    /// Handles a lock timeout, whose error does not name the row. Orders that need contested rows wait until the locks
    /// are known, and the others are placed. If no order needs such a row, a table is locked.
    private func placeUncontested(
        _ orders: [OrderDraft], if premise: Precondition?, _ error: DatabaseFault
    ) async -> [OrderID: Outcome] {
        let ordersWithRows = orders.map { ($0, $0.contestedRows) }
        let rows = contestedRows(of: orders)
        guard !rows.isEmpty else { return failed(orders, error) }
        locked.markSuspect(rows)
        let waiting = ordersWithRows.filter { !$1.isEmpty }.map { ($0.id, Outcome.blocked(by: $1)) }
        let others = await placeTogether(ordersWithRows.filter(\.1.isEmpty).map(\.0), if: premise)
        return others.merging(waiting) { first, _ in first }
    }

    private func contestedRows(of orders: [OrderDraft]) -> Set<ContestedRow> {
        orders.reduce(into: []) { $0.formUnion($1.contestedRows) }
    }

    private func failed(_ orders: some Sequence<OrderDraft>, _ error: DatabaseFault) -> [OrderID: Outcome] {
        Dictionary(orders.map { ($0.id, .failed(error)) }, uniquingKeysWith: { first, _ in first })
    }
}
