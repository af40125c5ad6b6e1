// Opening hours, fulfilments, delivery areas and taxes in the menu's document, and their conversion. Values that the
// constraints forbid are faults (sql/016_hours.sql, sql/017_delivery_and_taxes.sql).
import Ordering
import Postgres

/// The terms, with the same names as the columns.
struct StoredTerms: Decodable {
    struct Change: Decodable { let at: Int64, seconds: Int }
    struct Hours: Decodable { let weekday: Int, opens: String, closes: String, fulfilment: String? }
    struct Exception: Decodable { let date: String, opens: String?, closes: String?, fulfilment: String? }
    struct Serving: Decodable {
        let category_id: Int64?, menu_item_id: Int64?, weekday: Int, opens: String, closes: String
    }
    struct Fulfilment: Decodable {
        let fulfilment: String, is_offered: Bool, lead_minutes: Int, slot_minutes: Int?, horizon_days: Int,
            orders_per_slot: Int64?
        let items_per_slot: Int64?, small_order_below: Int64, small_order_fee: Int64, service_charge: Int64?,
            service_charge_amount: Int64?
    }
    struct Fee: Decodable { let from_subtotal: Int64, fee: Int64 }
    struct Area: Decodable {
        let id: Int64, title: String, priority: Int, postcodes: [String], minimum_subtotal: Int64, extra_minutes: Int,
            is_active: Bool
        let fees: [Fee]
    }
    struct Rate: Decodable { let id: Int64, title: String, percent: Int64 }
    struct CategoryTax: Decodable { let category_id: Int64, fulfilment: String?, tax_rate_id: Int64 }

    let tip_limit_percent: Int, pause_until: Int64?, pause_reason: String?, busy_minutes: Int, busy_until: Int64?,
        prices_include_tax: Bool
    let delivery_tax_rate_id: Int64?, small_order_tax_rate_id: Int64?, service_tax_rate_id: Int64?
    let accept_within_minutes: Int?, accepts_automatically: Bool
    let zone: [Change], opening_hours: [Hours], opening_exceptions: [Exception], serving_hours: [Serving],
        fulfilments: [Fulfilment]
    let areas: [Area], tax_rates: [Rate], category_taxes: [CategoryTax]

    func terms() throws(PostgresError) -> ShopTerms {
        let changes = zone.map { ShopZone.Change(from: Instant(microseconds: $0.at), offset: $0.seconds) }
        guard let zone = ShopZone(changes) else { throw .undecodable("the shop's time zone can't be read") }
        return ShopTerms(
            tipLimitPercent: tip_limit_percent, zone: zone,
            opening: OpeningHours(
                weekly: try opening_hours.map { row throws(PostgresError) in
                    try Self.weekly(row.weekday, row.opens, row.closes, row.fulfilment)
                },
                exceptions: try opening_exceptions.map { row throws(PostgresError) in try row.exception() }),
            delivery: try fulfilment(.delivery), pickup: try fulfilment(.pickup),
            pauseUntil: pause_until.map(Instant.init(microseconds:)), pauseReason: pause_reason,
            busyMinutes: busy_minutes, busyUntil: busy_until.map(Instant.init(microseconds:)),
            areas: DeliveryAreas(try areas.map { row throws(PostgresError) in try row.area() }),
            taxes: TaxTerms(
                rates: try tax_rates.map { row throws(PostgresError) in
                    TaxRate(id: row.id, title: row.title, percent: try Self.rate(row.percent))
                },
                categories: try category_taxes.map { row throws(PostgresError) in
                    Ordering.CategoryTax(
                        CategoryID(rawValue: row.category_id), try Self.fulfilment(row.fulfilment),
                        rate: row.tax_rate_id)
                },
                pricesIncludeTax: prices_include_tax, deliveryRate: delivery_tax_rate_id,
                smallOrderRate: small_order_tax_rate_id, serviceRate: service_tax_rate_id),
            acceptance: accepts_automatically
                ? .automatically : accept_within_minutes.map(Acceptance.within) ?? .byStaff)
    }

    func serving() throws(PostgresError) -> Ordering.ServingSchedule {
        var items: [MenuItemID: [WeeklyShift]] = [:]
        var categories: [CategoryID: [WeeklyShift]] = [:]
        for row in serving_hours {
            let shift = try Self.weekly(row.weekday, row.opens, row.closes, nil)
            if let id = row.menu_item_id { items[MenuItemID(rawValue: id), default: []].append(shift) }
            if let id = row.category_id { categories[CategoryID(rawValue: id), default: []].append(shift) }
        }
        return Ordering.ServingSchedule(
            items: items.mapValues { ServingHours($0) }, categories: categories.mapValues { ServingHours($0) })
    }

    private func fulfilment(_ kind: Ordering.Fulfilment) throws(PostgresError) -> FulfilmentTerms {
        guard let row = fulfilments.first(where: { $0.fulfilment == kind.rawValue }) else {
            throw .undecodable("fulfilments lacks \(kind.rawValue)")
        }
        let service = ServiceCharge(
            percent: try row.service_charge.map { rate throws(PostgresError) in try Self.rate(rate) },
            amount: try Self.money(row.service_charge_amount ?? 0))
        return FulfilmentTerms(
            isOffered: row.is_offered, leadMinutes: row.lead_minutes, slotMinutes: row.slot_minutes,
            horizonDays: row.horizon_days, ordersPerSlot: row.orders_per_slot, itemsPerSlot: row.items_per_slot,
            smallOrderBelow: try Self.money(row.small_order_below), smallOrderFee: try Self.money(row.small_order_fee),
            serviceCharge: service)
    }

    fileprivate static func weekly(
        _ weekday: Int, _ opens: String, _ closes: String, _ fulfilment: String?
    ) throws(PostgresError) -> WeeklyShift {
        guard
            let weekly = WeeklyShift(
                weekday: weekday, shift: try shift(opens, closes), fulfilment: try self.fulfilment(fulfilment))
        else { throw .undecodable("hours on weekday \(weekday)") }
        return weekly
    }

    fileprivate static func shift(_ opens: String, _ closes: String) throws(PostgresError) -> Shift {
        guard let shift = Shift(opens: opens, closes: closes) else {
            throw .undecodable("hours from \(opens) to \(closes)")
        }
        return shift
    }

    fileprivate static func fulfilment(_ name: String?) throws(PostgresError) -> Ordering.Fulfilment? {
        guard let name else { return nil }
        guard let fulfilment = Ordering.Fulfilment(rawValue: name) else {
            throw .undecodable("no fulfilment is called \(name)")
        }
        return fulfilment
    }

    fileprivate static func money(_ minorUnits: Int64) throws(PostgresError) -> Money {
        guard let money = Money(minorUnits: minorUnits) else { throw .undecodable("\(minorUnits) is no amount") }
        return money
    }

    private static func rate(_ tenThousandths: Int64) throws(PostgresError) -> Ordering.Rate {
        guard let rate = Ordering.Rate(tenThousandths: tenThousandths) else {
            throw .undecodable("\(tenThousandths) is no rate")
        }
        return rate
    }
}

extension StoredTerms.Exception {
    fileprivate func exception() throws(PostgresError) -> OpeningException {
        guard let date = LocalDate(rfc3339: date) else { throw .undecodable("\(date) is no day") }
        var shift: Shift?
        if let opens, let closes { shift = try StoredTerms.shift(opens, closes) }
        return OpeningException(date: date, shift: shift, fulfilment: try StoredTerms.fulfilment(fulfilment))
    }
}

extension StoredTerms.Area {
    fileprivate func area() throws(PostgresError) -> DeliveryArea {
        let patterns = postcodes.compactMap(PostcodePattern.init)
        guard patterns.count == postcodes.count else { throw .undecodable("the postcodes of area \(id)") }
        return DeliveryArea(
            id: id, title: title, priority: priority, postcodes: patterns,
            minimumSubtotal: try StoredTerms.money(minimum_subtotal), extraMinutes: extra_minutes, isActive: is_active,
            fees: try fees.map { row throws(PostgresError) in
                DeliveryFee(from: try StoredTerms.money(row.from_subtotal), fee: try StoredTerms.money(row.fee))
            })
    }
}
