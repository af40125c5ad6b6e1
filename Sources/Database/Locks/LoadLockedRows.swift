// Finds rows that another transaction has locked, without waiting (sql/022_locked_rows.sql), and the rows that steps of
// orders lock.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// The locked rows among `wanted`, with the id of the transaction that holds each; the id is 0 for orders and
    /// baskets.
    package func loadLockedRows(among wanted: Set<ContestedRow>) async throws(DatabaseFault) -> [ContestedRow: Int64] {
        guard !wanted.isEmpty else { return [:] }
        let rows = Array(wanted)
        let found = try await query(Self.lockedRowsStatement, .writes, rows.map { ContestedRowRecord($0) }) {
            row throws(PostgresError) in LockedRow(position: Int(try row.next(Int32.self)), holder: try row.next())
        }
        var locked: [ContestedRow: Int64] = [:]
        for row in found where rows.indices.contains(row.position - 1) { locked[rows[row.position - 1]] = row.holder }
        return locked
    }

    /// Whether statements of servers hold all locked rows among `wanted`; nil if none is locked. Such a lock ends with
    /// the commit of its statement. On Citus, false for locked orders and baskets.
    package func areHeldByServers(_ wanted: Set<ContestedRow>) async throws(DatabaseFault) -> Bool? {
        guard !wanted.isEmpty else { return false }
        let statement = isDistributed ? Self.areHeldOnCitusStatement : Self.areHeldByServersStatement
        let answer = try await query(statement, .writes, wanted.map { ContestedRowRecord($0) }) {
            row throws(PostgresError) in try row.next(Bool?.self)
        }
        return answer.first ?? nil
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

    private static let lockedRowsStatement = Statement("locked_rows", "select n, holder from locked_rows($1)")
    // A lock on its id shows the session of a transaction or an open savepoint. Without it, the transaction has just
    // ended, and the second call finds its row free. Otherwise several transactions, or a released savepoint, hold it.
    // The check commits without a flush, because a slow commit would keep the free rows. It is set before locking them.
    private static let areHeldByServersStatement = areHeldStatement(
        "are_held_by_servers",
        """
        case when row.holder <> 0 then row.holder
             else nullif(coalesce(
                 (select xmax from orders where ($1)[row.n].subject = 'orders' and id = ($1)[row.n].uuid),
                 (select xmax from baskets where id = ($1)[row.n].uuid))::text::bigint, 0) end
        """)
    // Citus has no xmax of a distributed row, so the holder of an order or a basket is unknown (0).
    private static let areHeldOnCitusStatement = areHeldStatement("are_held_on_citus", "row.holder")

    /// - Parameter holder: The id of the transaction that holds a row of `locked_rows`, as an expression; 0: unknown.
    private static func areHeldStatement(_ name: String, _ holder: String) -> Statement {
        Statement(
            name,
            """
            select bool_and(is_held_by_server) from (
                select holder.id is distinct from 0 and coalesce(
                    (select bool_and(coalesce(session.usename = current_user, false)
                         and session.wait_event is distinct from 'ClientRead')
                     from pg_locks as held left join pg_stat_activity as session on session.pid = held.pid
                     where held.locktype = 'transactionid' and held.transactionid = holder.id::text::xid
                         and held.granted and held.mode = 'ExclusiveLock'),
                    not exists (select from locked_rows($1) as again
                                where again.n = row.n and again.holder = row.holder)
                ) as is_held_by_server
                from locked_rows(
                    case when set_config('synchronous_commit', 'off', true) = 'off' then $1::contested_row[] end) as row
                cross join lateral (select \(holder) as id) as holder
            ) as locked
            """)
    }
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

/// A row that locked_rows has found locked.
private struct LockedRow {
    /// The position in the argument, from 1.
    let position: Int
    let holder: Int64
}

/// A row as `locked_rows` receives it: `contested_row`.
struct ContestedRowRecord: PostgresComposite, Equatable {
    static let compositeName = "contested_row"

    var subject = ""
    var uuid: UUID?
    var id: Int64?
    var startsAt: Timestamp?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("subject", &subject)
        try record.field("uuid", &uuid)
        try record.field("id", &id)
        try record.field("starts_at", &startsAt)
    }
}

extension ContestedRowRecord {
    init(_ row: ContestedRow) {
        self.init()
        switch row {
        case .order(let order): (subject, uuid) = ("orders", order.uuid)
        case .basket(let basket): (subject, uuid) = ("baskets", basket.uuid)
        case .coupon(let coupon): (subject, id) = ("coupons", coupon.rawValue)
        case .slot(let slot): (subject, startsAt) = (slot.fulfilment.rawValue, slot.startsAt.timestamp)
        case .stock(let thing): (subject, id) = (thing.subject, thing.id)
        case .dailyStock(let thing, let start): (subject, id, startsAt) = (thing.subject, thing.id, start.timestamp)
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
