// The figures of the business day for staff.

/// `GET /v1/staff/today`.
public struct TodayBody: Hashable, Sendable, Decodable, JSONObject {
    /// The date of the business day, `YYYY-MM-DD`. Before the day begins, by default at 04:00, it is yesterday.
    public let date: String
    /// The shop's time zone, such as `America/New_York`.
    public let timeZone: String
    /// The time of the figures, RFC 3339, UTC.
    public let asOf: String
    /// The number of the day's orders by current state, and their `total`: orders placed on the day, and pre-orders
    /// wanted on it.
    public let orders: [String: Int]
    /// The sum of the orders in `currency` without cancelled and rejected ones, minor units.
    public let revenue: Int64
    /// The current currency of the shop, ISO 4217.
    public let currency: String
    /// 24 numbers: the orders placed and the pre-orders wanted in each hour of the shop's time zone.
    public let ordersPerHour: [Int]
    /// The ten items that were ordered most.
    public let topItems: [TopItemBody]
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int
    /// The same sum for each currency of the day's orders, the shop's current currency first.
    public let revenues: [RevenueBody]

    package init(
        date: String, timeZone: String, asOf: String, orders: [String: Int], revenue: Int64, currency: String,
        ordersPerHour: [Int],
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

/// A revenue in one currency.
public struct RevenueBody: Hashable, Sendable, Decodable, JSONObject {
    /// Minor units.
    public let revenue: Int64
    /// ISO 4217.
    public let currency: String
    /// The number of decimals of the currency by ISO 4217.
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

/// The sales of a menu item in one currency.
public struct TopItemBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number of the menu item.
    public let menuItemId: Int64
    /// The title at the time of the order.
    public let title: String
    /// The number of units.
    public let quantity: Int64
    /// The revenue after coupons, minor units.
    public let revenue: Int64
    /// ISO 4217. An item that was ordered in two currencies has two entries.
    public let currency: String
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int

    package init(
        menuItemId: Int64, title: String, quantity: Int64, revenue: Int64, currency: String, currencyExponent: Int
    ) {
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
