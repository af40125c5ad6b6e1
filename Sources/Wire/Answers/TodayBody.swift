// The figures of the shop's day for staff. Made by Web from Ordering's DayFigures.
// Read next: OrderBody.swift, whose amounts are added up here.

/// `GET /v1/staff/today`.
public struct TodayBody: Hashable, Sendable, Decodable, JSONObject {
    /// The date of the business day, `YYYY-MM-DD`: before its start, such as 04:00, that of the calendar day before.
    public let date: String
    /// The shop's time zone, such as `America/New_York`.
    public let timeZone: String
    /// Up to which moment; RFC 3339, UTC.
    public let asOf: String
    /// How many orders of the day are in which state now: those placed on it, and the pre-orders that are wanted on it.
    public let orders: OrdersByStateBody
    /// What those in `currency` cost, but for cancelled and rejected ones; minor units.
    public let revenue: Int64
    /// The shop's now, ISO 4217.
    public let currency: String
    /// How many orders were placed, and pre-orders wanted, in each hour of the shop's clock: 24 numbers.
    public let ordersPerHour: [Int]
    /// The ten items ordered most.
    public let topItems: [TopItemBody]
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int
    /// The same sum for each currency that an order of the day was placed in, the shop's first.
    public let revenues: [RevenueBody]

    package init(
        date: String, timeZone: String, asOf: String, orders: OrdersByStateBody, revenue: Int64, currency: String, ordersPerHour: [Int],
        topItems: [TopItemBody], currencyExponent: Int, revenues: [RevenueBody]
    ) {
        (self.date, self.timeZone, self.asOf, self.orders) = (date, timeZone, asOf, orders)
        (self.revenue, self.currency, self.ordersPerHour, self.topItems) = (revenue, currency, ordersPerHour, topItems)
        (self.currencyExponent, self.revenues) = (currencyExponent, revenues)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("date", date)
        writer.field("timeZone", timeZone)
        writer.field("asOf", asOf)
        writer.field("orders", orders)
        writer.field("revenue", revenue)
        writer.field("currency", currency)
        writer.field("ordersPerHour", ordersPerHour)
        writer.field("topItems", topItems)
        writer.field("currencyExponent", currencyExponent)
        writer.field("revenues", revenues)
    }
}

/// A sum in a currency.
public struct RevenueBody: Hashable, Sendable, Decodable, JSONObject {
    /// Minor units.
    public let revenue: Int64
    /// ISO 4217.
    public let currency: String
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int

    package init(revenue: Int64, currency: String, currencyExponent: Int) {
        (self.revenue, self.currency, self.currencyExponent) = (revenue, currency, currencyExponent)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("revenue", revenue)
        writer.field("currency", currency)
        writer.field("currencyExponent", currencyExponent)
    }
}

/// How many orders are in which state; `total` is all of them.
public struct OrdersByStateBody: Hashable, Sendable, Decodable, JSONObject {
    /// All.
    public let total: Int
    /// Nobody has accepted them yet.
    public let placed: Int
    /// The kitchen took them on.
    public let accepted: Int
    /// They are being cooked.
    public let preparing: Int
    /// The courier has them.
    public let onTheWay: Int
    /// The guests have them.
    public let delivered: Int
    /// Given up by guests.
    public let cancelled: Int
    /// Given up by staff.
    public let rejected: Int

    private enum CodingKeys: String, CodingKey {
        case total, placed, accepted, preparing
        case onTheWay = "on_the_way"
        case delivered, cancelled, rejected
    }

    package init(
        total: Int, placed: Int, accepted: Int, preparing: Int, onTheWay: Int, delivered: Int, cancelled: Int, rejected: Int
    ) {
        (self.total, self.placed, self.accepted, self.preparing) = (total, placed, accepted, preparing)
        (self.onTheWay, self.delivered, self.cancelled, self.rejected) = (onTheWay, delivered, cancelled, rejected)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("total", total)
        writer.field("placed", placed)
        writer.field("accepted", accepted)
        writer.field("preparing", preparing)
        writer.field("on_the_way", onTheWay)
        writer.field("delivered", delivered)
        writer.field("cancelled", cancelled)
        writer.field("rejected", rejected)
    }
}

/// How often an item was ordered in a currency.
public struct TopItemBody: Hashable, Sendable, Decodable, JSONObject {
    /// The item's number.
    public let menuItemId: Int64
    /// Its title when it was ordered.
    public let title: String
    /// How many.
    public let quantity: Int64
    /// What they cost after the coupons, minor units.
    public let revenue: Int64
    /// ISO 4217; an item that was ordered in two currencies stands there twice.
    public let currency: String
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int

    package init(menuItemId: Int64, title: String, quantity: Int64, revenue: Int64, currency: String, currencyExponent: Int) {
        (self.menuItemId, self.title, self.quantity) = (menuItemId, title, quantity)
        (self.revenue, self.currency, self.currencyExponent) = (revenue, currency, currencyExponent)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("menuItemId", menuItemId)
        writer.field("title", title)
        writer.field("quantity", quantity)
        writer.field("revenue", revenue)
        writer.field("currency", currency)
        writer.field("currencyExponent", currencyExponent)
    }
}
