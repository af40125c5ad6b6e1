// Places the orders that were accepted: those that want what somebody holds wait aside, and nobody's failure takes a neighbour along.
// Called by CheckoutQueue's batches. Read next: Sources/Database/Checkout/PlaceOrders.swift, Locks/LockedRows.swift.
import Database
import Logging
import Ordering

/// The writing of a batch's orders.
struct OrderPlacing: Sendable {
    let database: ShopDatabase
    let locked: LockedRows
    let logger: Logger

    /// What became of an order that was to be written.
    enum Outcome {
        case placed(Placing)
        case failed(DatabaseFault)
        /// Somebody holds these, which it needs.
        case waits(for: Set<ContestedRow>)
    }

    /// What has to be so still when orders are placed that were decided without a read.
    struct Premise {
        let menu: Int64
        /// Whether what was held then has not been dropped: a connection that opened since may lead to another server, with other baskets of these versions.
        let holds: @Sendable () -> Bool
    }

    /// What became of each order: its number, or why the database refused it. Those missing lost a race.
    ///
    /// What one order can be at fault for fails the call for all of them, and nothing of it remains. Then they are placed one by one, so that
    /// nobody's failure takes a neighbour along. Any other failure would meet each of them again, and a server in trouble 64 times.
    func place(_ orders: [OrderDraft], if premise: Premise?) async -> [OrderID: Outcome] {
        let (free, waiting) = setAside(orders)
        guard let parts = apart(free) else { return waiting.merging(await writeTogether(free, if: premise)) { first, _ in first } }
        let written = await writeInTurn(parts) { part in
            let (free, waiting) = setAside(part)
            let written = await writeTogether(free, if: premise)
            if written.values.contains(where: { if case .placed = $0 { true } else { false } }) { locked.trust(part[0].contestedRows) }
            return waiting.merging(written) { first, _ in first }
        }
        return waiting.merging(written) { first, _ in first }
    }

    /// Without the orders that want what somebody is known to hold.
    private func setAside(_ orders: [OrderDraft]) -> (free: [OrderDraft], waiting: [OrderID: Outcome]) {
        guard !locked.isEmpty else { return (orders, [:]) }
        var waiting: [OrderID: Outcome] = [:]
        let free = orders.filter { order in
            let rows = order.rowsToLock
            guard locked.holds(anyOf: rows) else { return true }
            waiting[order.id] = .waits(for: rows)
            return false
        }
        return (free, waiting)
    }

    /// Who wants what was waited for in vain a moment ago comes after the others, with those who want the very same: it may be held again. Nil where
    /// there is no such thing, as nearly always.
    private func apart(_ orders: [OrderDraft]) -> [[OrderDraft]]? {
        let suspected = locked.suspected
        guard !suspected.isEmpty else { return nil }
        let parts = Dictionary(grouping: orders) { order in
            let rows = order.contestedRows
            return rows.isDisjoint(with: suspected) ? [] : rows
        }
        return parts.sorted { $0.key.count < $1.key.count }.map(\.value)
    }

    private func writeTogether(_ orders: [OrderDraft], if premise: Premise?) async -> [OrderID: Outcome] {
        guard !orders.isEmpty else { return [:] }
        do throws(DatabaseFault) {
            return try await database.placeOrders(orders, ifMenuIs: premise?.menu, ifStill: premise?.holds).mapValues { .placed($0) }
        } catch {
            switch error.kind {
            // A deadlock or the like: nobody's fault, nothing of it remains, and the drafts are decided again as if they had lost a race.
            case .race: return [:]
            case .locked: return await writeWithoutDoubted(orders, if: premise, error)
            // Only the rows of baskets are waited for as long as a statement takes: the others have a lock timeout. A
            // basket that another transaction has locked delays its batch once.
            case .timedOut:
                locked.doubt(Set(orders.map { ContestedRow.basket($0.id) }))
                return failed(orders, error)
            case .values where orders.count > 1: break
            case _: return failed(orders, error)
            }
            logger.error("a batch was refused and is placed one by one", metadata: ["reason": "\(error)", "orders": "\(orders.count)"])
            return await writeInTurn(orders.map { [$0] }) { await place($0, if: premise) }
        }
    }

    /// One part after the other. Where one fails for what it can't be at fault for, the rest is not tried.
    private func writeInTurn(
        _ parts: [[OrderDraft]], _ write: ([OrderDraft]) async -> [OrderID: Outcome]
    ) async -> [OrderID: Outcome] {
        var written: [OrderID: Outcome] = [:]
        for (index, part) in parts.enumerated() {
            let results = await write(part)
            written.merge(results) { first, _ in first }
            for case .failed(let error) in results.values where error.kind != .values {
                return written.merging(failed(parts[(index + 1)...].joined(), error)) { first, _ in first }
            }
        }
        return written
    }

    /// A row was waited for in vain, and it isn't said which: whoever wants one that orders wait at is set aside until it is known who holds which, and
    /// the others are placed without them. Where nobody wants any, the tables are locked.
    private func writeWithoutDoubted(
        _ orders: [OrderDraft], if premise: Premise?, _ error: DatabaseFault
    ) async -> [OrderID: Outcome] {
        let wanting = orders.map { ($0, $0.contestedRows) }
        let doubted = wanting.reduce(into: Set()) { $0.formUnion($1.1) }
        guard !doubted.isEmpty else { return failed(orders, error) }
        locked.doubt(doubted)
        let waiting = wanting.filter { !$1.isEmpty }.map { ($0.id, Outcome.waits(for: $1)) }
        let others = await writeTogether(wanting.filter(\.1.isEmpty).map(\.0), if: premise)
        return others.merging(waiting) { first, _ in first }
    }

    private func failed(_ orders: some Sequence<OrderDraft>, _ error: DatabaseFault) -> [OrderID: Outcome] {
        Dictionary(orders.map { ($0.id, .failed(error)) }, uniquingKeysWith: { first, _ in first })
    }
}
