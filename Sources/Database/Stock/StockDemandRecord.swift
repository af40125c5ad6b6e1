// Maps the counted demand of an order to stock_demand (sql/006_place_orders.sql).
import Ordering
import Postgres

/// The units of an item or an option that an order takes.
struct StockDemandRecord: PostgresComposite, Equatable {
    static let compositeName = "stock_demand"

    var id: Int64 = 0
    var units: Int64 = 0
    var subject = ""

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("id", &id)
        try record.field("units", &units)
        try record.field("subject", &subject)
    }
}

extension [StockDemandRecord] {
    /// The demand of an order. Empty if nothing is counted; `place_orders` expects null then (`nilIfEmpty`).
    init(_ demand: StockDemand) {
        self = []
        guard !demand.isEmpty else { return }
        for use in demand.all {
            append(StockDemandRecord(id: use.thing.id, units: use.units, subject: use.thing.subject))
        }
    }
}
