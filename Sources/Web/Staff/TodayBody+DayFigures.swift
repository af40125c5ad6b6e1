// Converts the day's figures to their JSON body.
import Ordering
import Wire

extension TodayBody {
    /// - Parameter titles: Item titles in the shop's own language; nil to use the titles in the orders.
    init(_ day: DayFigures, titles: ShopLanguageTitles?) {
        var orders = ["total": day.ordersPerHour.reduce(0, +)]
        for state in OrderState.allCases { orders[state.rawValue] = day.orders[state] ?? 0 }
        self.init(
            date: day.date.description, timeZone: day.timeZone, asOf: day.asOf.rfc3339, orders: orders,
            revenue: day.revenues.first?.amount ?? 0, currency: day.currency.code.text,
            ordersPerHour: day.ordersPerHour,
            topItems: day.topItems.map {
                TopItemBody(
                    menuItemId: $0.id.rawValue, title: titles?.title(of: $0.id, $0.title) ?? $0.title,
                    quantity: $0.quantity,
                    revenue: $0.revenue.amount,
                    currency: $0.revenue.currency.code.text, currencyExponent: $0.revenue.currency.exponent)
            },
            currencyExponent: day.currency.exponent,
            revenues: day.revenues.map {
                RevenueBody(revenue: $0.amount, currency: $0.currency.code.text, currencyExponent: $0.currency.exponent)
            })
    }
}
