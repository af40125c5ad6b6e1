// Finds out which rows somebody holds, without waiting for any (sql/022_locked_rows.sql). Called by Shop's LockedRows once something has waited in vain.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// Those of the rows that another transaction holds right now, with its number; 0 with an order, whose holder nobody asks for.
    package func loadLockedRows(among rows: Set<ContestedRow>) async throws(DatabaseFault) -> [ContestedRow: Int64] {
        guard !rows.isEmpty else { return [:] }
        var orders: [OrderID] = []
        var counts: [(row: ContestedRow, kind: String, id: Int64)] = []
        for row in rows {
            switch row {
            case .order(let id): orders.append(id)
            case .coupon(let id): counts.append((row, "coupons", id.rawValue))
            case .slot(let slot): counts.append((row, slot.fulfilment.rawValue, slot.startsAt.microseconds))
            case .count(let thing): counts.append((row, thing.subject, thing.id))
            }
        }
        let pairs = try await query(Self.lockedRowsStatement, .writes, orders.map(\.uuid), counts.map(\.kind), counts.map(\.id)) {
            row throws(PostgresError) in try row.next([Int64].self)
        }.joined().map(\.self)
        var locked: [ContestedRow: Int64] = [:]
        for start in stride(from: 0, to: pairs.count - 1, by: 2) {
            let (place, holder) = (pairs[start], pairs[start + 1])
            guard let index = Int(exactly: place.magnitude).map({ $0 - 1 }) else { continue }
            if place < 0 {
                if orders.indices.contains(index) { locked[.order(orders[index])] = holder }
            } else if counts.indices.contains(index) {
                locked[counts[index].row] = holder
            }
        }
        return locked
    }

    /// What a step of each of these orders may change: its own row, and what it gives back when it is cancelled or rejected.
    package func loadContestedRows(of ids: [OrderID]) async throws(DatabaseFault) -> [OrderID: Set<ContestedRow>] {
        let rows = try await query(Self.contestedRowsStatement, .reads, ids.map(\.uuid)) { row throws(PostgresError) in
            WantedRow(order: OrderID(try row.next(UUID.self)), row: ContestedRow(kind: try row.next(), id: try row.next()))
        }
        var contested = Dictionary(ids.map { ($0, Set([ContestedRow.order($0)])) }, uniquingKeysWith: { first, _ in first })
        for wanted in rows { if let row = wanted.row { contested[wanted.order]?.insert(row) } }
        return contested
    }

    /// The same of one order.
    package func loadContestedRows(of id: OrderID) async throws(DatabaseFault) -> Set<ContestedRow> {
        try await loadContestedRows(of: [id])[id] ?? []
    }

    /// The same, by its number; empty where there is no such order.
    package func loadContestedRows(ofOrder number: String) async throws(DatabaseFault) -> Set<ContestedRow> {
        guard let id = try await loadOrderID(number: number) else { return [] }
        return try await loadContestedRows(of: id)
    }

    private static let lockedRowsStatement = Statement("locked_rows", "select locked_rows($1, $2, $3)")
    // What is counted by the day goes back to a row of the server's own (give_stock_back).
    private static let contestedRowsStatement = Statement(
        "contested_rows",
        """
        select id, 'coupons', coupon_id from orders where id = any ($1) and coupon_id is not null
        union all
        select id, fulfilment, (extract(epoch from wanted_at) * 1000000)::bigint from orders where id = any ($1) and wanted_at is not null
        union all
        select order_id, subject, id from stock_movements where order_id = any ($1) and reason = 'sold' and day is null
        """)
}

/// What an order would give back to; nil: what this program does not know.
private struct WantedRow {
    let order: OrderID
    let row: ContestedRow?
}

extension ContestedRow {
    /// As locked_rows names it.
    fileprivate init?(kind: String, id: Int64) {
        if kind == "coupons" {
            self = .coupon(CouponID(rawValue: id))
        } else if let thing = StockedThing(subject: kind, id: id) {
            self = .count(thing)
        } else if let fulfilment = Fulfilment(rawValue: kind) {
            self = .slot(SlotKey(fulfilment, Instant(microseconds: id)))
        } else {
            return nil
        }
    }
}
