// What a day has brought, for staff. The database counts it, Web writes it out.

/// The orders of one business day in figures.
package struct DayFigures: Sendable {
    /// The date of the business day.
    package let date: LocalDate
    /// The shop's time zone, such as `America/New_York`.
    package let timeZone: String
    /// Up to which moment.
    package let asOf: Instant
    /// The shop's now.
    package let currency: Currency
    /// How many orders of this day are in each state now; all states are there.
    package let orders: [OrderState: Int]
    /// What the orders of this day cost that were neither cancelled nor rejected, in each currency that one was placed in: the shop's first and
    /// in any case, then by code.
    package let revenues: [Revenue]
    /// How many orders were placed, and pre-orders wanted, in each hour of the shop's clock, 24 numbers; an hour that
    /// comes twice counts once for both.
    package let ordersPerHour: [Int]
    /// The items that were ordered most, of the newest 20,000 orders of the day that were neither cancelled nor
    /// rejected; an item that was sold in two currencies stands there twice.
    package let topItems: [ItemFigures]

    /// The figures of a day.
    package init(
        date: LocalDate, timeZone: String, asOf: Instant, currency: Currency, orders: [OrderState: Int], revenues: [Revenue],
        ordersPerHour: [Int], topItems: [ItemFigures]
    ) {
        (self.date, self.timeZone, self.asOf, self.currency) = (date, timeZone, asOf, currency)
        (self.orders, self.revenues, self.ordersPerHour, self.topItems) = (orders, revenues, ordersPerHour, topItems)
    }
}

/// A sum in a currency.
package struct Revenue: Sendable {
    /// What it is in.
    package let currency: Currency
    /// Minor units.
    package let amount: Int64

    /// So much of it.
    package init(currency: Currency, amount: Int64) {
        (self.currency, self.amount) = (currency, amount)
    }
}

/// How often an item was ordered.
package struct ItemFigures: Sendable {
    /// The item.
    package let id: MenuItemID
    /// Its title when it was ordered.
    package let title: String
    /// How many.
    package let quantity: Int64
    /// What they cost after the coupons.
    package let revenue: Revenue

    /// What was ordered of an item.
    package init(id: MenuItemID, title: String, quantity: Int64, revenue: Revenue) {
        (self.id, self.title, self.quantity, self.revenue) = (id, title, quantity, revenue)
    }
}
