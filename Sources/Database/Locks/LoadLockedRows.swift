// Finds rows that another transaction has locked, without waiting (sql/022_locked_rows.sql), and the rows that steps of
// orders lock.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// The locked rows among `wanted`, with the id of the transaction that holds each; the id is 0 for orders and
    /// baskets.
    package func loadLockedRows(
        among wanted: Set<ContestedRow>
    ) async throws(DatabaseFault) -> [ContestedRow: Int64] {
        guard !wanted.isEmpty else { return [:] }
        let rows = Array(wanted)
        let keys = rows.map(RowKey.init)
        let pairs = try await query(
            Self.lockedRowsStatement, .writes, keys.map(\.subject), keys.map(\.uuid), keys.map(\.id), keys.map(\.start)
        ) { row throws(PostgresError) in try row.next([Int64].self) }.joined().map(\.self)
        var locked: [ContestedRow: Int64] = [:]
        for index in stride(from: 0, to: pairs.count - 1, by: 2) {
            guard let position = Int(exactly: pairs[index]), rows.indices.contains(position - 1) else { continue }
            locked[rows[position - 1]] = pairs[index + 1]
        }
        return locked
    }

    /// The rows that a step of each order may change: the order, and the rows to which a cancellation or rejection
    /// returns the redemption, the slot and the stock.
    package func loadContestedRows(of ids: [OrderID]) async throws(DatabaseFault) -> [OrderID: Set<ContestedRow>] {
        let rows = try await query(Self.contestedRowsStatement, .reads, ids.map(\.uuid)) { row throws(PostgresError) in
            ReturnTarget(
                order: OrderID(try row.next(UUID.self)),
                row: ContestedRow(subject: try row.next(), id: try row.next(), start: try row.next()))
        }
        var contested = Dictionary(
            ids.map { ($0, Set([ContestedRow.order($0)])) }, uniquingKeysWith: { first, _ in first })
        for wanted in rows { if let row = wanted.row { contested[wanted.order]?.insert(row) } }
        return contested
    }

    /// The same for one order.
    package func loadContestedRows(of id: OrderID) async throws(DatabaseFault) -> Set<ContestedRow> {
        try await loadContestedRows(of: [id])[id] ?? []
    }

    /// The same for an order number; empty if the order does not exist.
    package func loadContestedRows(ofOrder number: String) async throws(DatabaseFault) -> Set<ContestedRow> {
        guard let id = try await loadOrderID(number: number) else { return [] }
        return try await loadContestedRows(of: id)
    }

    private static let lockedRowsStatement = Statement("locked_rows", "select locked_rows($1, $2, $3, $4)")
    // Stock that is counted per day is returned only to its row in stock_days (give_stock_back).
    private static let contestedRowsStatement = Statement(
        "contested_rows",
        """
        select id, 'coupons', coupon_id, null::timestamptz from orders where id = any ($1) and coupon_id is not null
        union all
        select id, fulfilment, null, wanted_at from orders where id = any ($1) and wanted_at is not null
        union all
        select order_id, subject, id,
               case when day is not null then (select first_shown(day + business_day_start, time_zone) from shop) end
        from stock_movements where order_id = any ($1) and reason = 'sold'
        """)
}

/// A row to which an order may return a redemption, a slot or stock. `row` is nil if its kind is unknown.
private struct ReturnTarget {
    let order: OrderID
    let row: ContestedRow?
}

/// The arguments of locked_rows for one row.
private struct RowKey {
    let subject: String
    var uuid: UUID?
    var id: Int64?
    var start: Timestamp?

    init(_ row: ContestedRow) {
        switch row {
        case .order(let order): (subject, uuid) = ("orders", order.uuid)
        case .basket(let basket): (subject, uuid) = ("baskets", basket.uuid)
        case .coupon(let coupon): (subject, id) = ("coupons", coupon.rawValue)
        case .slot(let slot): (subject, start) = (slot.fulfilment.rawValue, slot.startsAt.timestamp)
        case .stock(let thing): (subject, id) = (thing.subject, thing.id)
        case .dailyStock(let thing, let start): (subject, id, self.start) = (thing.subject, thing.id, start.timestamp)
        }
    }
}

extension ContestedRow {
    fileprivate init?(subject: String, id: Int64?, start: Timestamp?) {
        if let fulfilment = Fulfilment(rawValue: subject) {
            guard let start else { return nil }
            self = .slot(SlotKey(fulfilment, Instant(start)))
            return
        }
        guard let id else { return nil }
        if subject == "coupons" {
            self = .coupon(CouponID(rawValue: id))
        } else if let thing = StockKey(subject: subject, id: id) {
            if let start { self = .dailyStock(thing, start: Instant(start)) } else { self = .stock(thing) }
        } else {
            return nil
        }
    }
}
