// The figures of a business day, for staff.

/// Summary of the orders of one business day.
package struct DayFigures: Sendable {
    /// The date of the business day.
    package let date: LocalDate
    /// The shop's time zone, such as `America/New_York`.
    package let timeZone: String
    /// The time of the query.
    package let asOf: Instant
    /// The shop's current currency.
    package let currency: Currency
    /// The number of orders in each state now; contains all states.
    package let orders: [OrderState: Int]
    /// The revenue of the orders that were neither cancelled nor rejected, by currency. The shop's currency is always
    /// present and first; the others follow by code.
    package let revenues: [Revenue]
    /// The number of orders in each hour of local time, 24 numbers. An order counts in the hour of its placement, a
    /// pre-order in the hour of its wanted time. If a clock change repeats an hour, both count together.
    package let ordersPerHour: [Int]
    /// The best-selling items among the newest 20,000 orders that were neither cancelled nor rejected. An item sold
    /// in two currencies occurs twice.
    package let topItems: [ItemFigures]

    /// The figures of a day.
    package init(
        date: LocalDate, timeZone: String, asOf: Instant, currency: Currency, orders: [OrderState: Int],
        revenues: [Revenue],
        ordersPerHour: [Int], topItems: [ItemFigures]
    ) {
        (self.date, self.timeZone, self.asOf, self.currency) = (date, timeZone, asOf, currency)
        (self.orders, self.revenues, self.ordersPerHour, self.topItems) = (orders, revenues, ordersPerHour, topItems)
    }
}

/// An amount in a currency.
package struct Revenue: Sendable {
    /// The currency.
    package let currency: Currency
    /// The amount in minor units.
    package let amount: Int64

    /// An amount in a currency.
    package init(currency: Currency, amount: Int64) {
        (self.currency, self.amount) = (currency, amount)
    }
}

/// The sales of one item.
package struct ItemFigures: Sendable {
    /// The item.
    package let id: MenuItemID
    /// The title when it was ordered.
    package let title: String
    /// The number of units.
    package let quantity: Int64
    /// The revenue after coupons.
    package let revenue: Revenue

    /// The sales of an item.
    package init(id: MenuItemID, title: String, quantity: Int64, revenue: Revenue) {
        (self.id, self.title, self.quantity, self.revenue) = (id, title, quantity, revenue)
    }
}
