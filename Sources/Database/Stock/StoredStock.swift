// Maps stock counts and stock demands to the arrays of stock_left and place_orders (sql/015_stock.sql).
import Ordering
import Postgres

extension Row {
    /// Reads the counts; nil if nothing is counted or read.
    mutating func nextStock() throws(PostgresError) -> StockLevels? {
        guard let counts = try nextCounts() else { return nil }
        return StockLevels(Dictionary(counts) { _, last in last })
    }

    /// Reads five numbers per count, see stock_left.
    mutating func nextCounts() throws(PostgresError) -> [(StockKey, StockCount)]? {
        guard let numbers = try next([Int64?]?.self) else { return nil }
        var counts: [(StockKey, StockCount)] = []
        for start in stride(from: 0, to: numbers.count, by: 5) {
            guard start + 5 <= numbers.count, let id = numbers[start + 1], let left = numbers[start + 2],
                let thing = StockKey(kind: numbers[start], id: id)
            else { throw .undecodable("the stock counts are incomplete") }
            let day = TimeRange(
                from: numbers[start + 3].map(Instant.init(microseconds:)),
                until: numbers[start + 4].map(Instant.init(microseconds:)))
            counts.append((thing, StockCount(remaining: left, validity: day)))
        }
        return counts
    }
}

/// The stock demands of a batch as columns: each item or option once per wanted time, and the units of each order.
struct StockDemandColumns: Sendable {
    /// An item or option and its wanted time; nil: as soon as possible.
    private struct Part: Hashable, Comparable {
        let thing: StockKey
        let wantedAt: Instant?

        static func < (one: Part, other: Part) -> Bool {
            if one.thing != other.thing { return one.thing < other.thing }
            return (one.wantedAt?.microseconds ?? .min) < (other.wantedAt?.microseconds ?? .min)
        }
    }

    private var subjects: [String] = []
    private var things: [Int64] = []
    private var moments: [Timestamp?] = []
    private var takers: [Int32] = []
    private var parts: [Int32] = []
    private var units: [Int64] = []

    /// Collects the demands of these orders, in their order.
    init(_ orders: [OrderDraft]) {
        let demands = orders.map { order -> [(part: Part, units: Int64)] in
            order.stock.isEmpty
                ? [] : order.stock.all.map { (Part(thing: $0.thing, wantedAt: order.wantedAt), $0.units) }
        }
        guard demands.contains(where: { !$0.isEmpty }) else { return }
        let all = Set(demands.joined().map(\.part)).sorted()
        var places: [Part: Int32] = [:]
        for (index, part) in all.enumerated() {
            places[part] = Int32(index + 1)
            subjects.append(part.thing.subject)
            things.append(part.thing.id)
            moments.append(part.wantedAt?.timestamp)
        }
        for (index, demand) in demands.enumerated() {
            for wanted in demand {
                takers.append(Int32(index + 1))
                parts.append(places[wanted.part] ?? 0)
                units.append(wanted.units)
            }
        }
    }

    /// Passes the demands to place_orders. Orders without counted items pass null.
    func append(to arguments: inout Arguments) {
        let isEmpty = takers.isEmpty
        arguments.append("stock_subjects", isEmpty ? nil : subjects)
        arguments.append("stock_things", isEmpty ? nil : things)
        arguments.append("stock_moments", moments.contains { $0 != nil } ? moments : nil)
        arguments.append("stock_takers", isEmpty ? nil : takers)
        arguments.append("stock_parts", isEmpty ? nil : parts)
        arguments.append("stock_units", isEmpty ? nil : units)
    }
}

extension StockKey {
    fileprivate init?(kind: Int64?, id: Int64) {
        switch kind {
        case 0: self = .item(MenuItemID(rawValue: id))
        case 1: self = .option(OptionID(rawValue: id))
        default: return nil
        }
    }

    init?(subject: String, id: Int64) {
        switch subject {
        case "menu_items": self = .item(MenuItemID(rawValue: id))
        case "options": self = .option(OptionID(rawValue: id))
        default: return nil
        }
    }

    /// The table of the item or option.
    var subject: String {
        switch self {
        case .item: "menu_items"
        case .option: "options"
        }
    }

    var id: Int64 {
        switch self {
        case .item(let id): id.rawValue
        case .option(let id): id.rawValue
        }
    }
}
