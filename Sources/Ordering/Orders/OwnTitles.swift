// The kitchen's own words for what was ordered in another language. Web's staff routes show orders and the day's figures by it.
// Read next: Menu/Translations/Translations.swift.

/// The titles of a menu as staff wrote them, found by their translations.
package struct OwnTitles: Sendable {
    private let menu: Menu
    private let options: [OptionID: String]

    /// Nil where the shop has one language, in which every order is.
    package init?(_ menu: Menu) {
        guard menu.languages.all.count > 1 else { return nil }
        self.menu = menu
        let all = menu.optionGroups.lazy.flatMap(\.options).map { ($0.id, $0.title) }
        options = Dictionary(all, uniquingKeysWith: { first, _ in first })
    }

    /// The order with these titles. What has no translation that reads as it does, such as what has another title since, stays as it was.
    package func of(_ order: Order) -> Order {
        order.retitled(
            lines: order.lines.map(line),
            sets: order.sets.map { set in
                let title = own(.salesGroups, set.salesGroupID.rawValue, set.title, menu.sale(set.salesGroupID)?.title)
                return OrderSet(salesGroupID: set.salesGroupID, title: title, items: set.items.map(line))
            }, totals: order.totals.retitled(total))
    }

    /// An item's own title for the one that an order has.
    package func title(of id: MenuItemID, _ title: String) -> String { own(.menuItems, id.rawValue, title, menu.item(id)?.title) }

    private func total(_ total: Total) -> String {
        switch total.key.kind {
        case .discount:
            let coupon = menu.coupons.first { $0.key == total.key.code }
            return coupon.flatMap { coupon in coupon.id.map { own(.coupons, $0.rawValue, total.title, coupon.title) } } ?? total.title
        case .tax:
            let rate = total.key.code.flatMap { Int64($0) }
            return rate.map { own(.taxRates, $0, total.title, menu.terms.taxes.title(ofRate: $0)) } ?? total.title
        case let kind: return menu.totalTitles[kind]
        }
    }

    private func line(_ charged: OrderLine) -> OrderLine {
        let (line, item) = (charged.line, charged.item)
        let snapshot = ItemSnapshot(
            kind: item.kind, title: title(of: line.dish.menuItemID, item.title), regularUnitPrice: item.regularUnitPrice)
        let retitled = Line(
            id: line.id, dish: line.dish, quantity: line.quantity, unitPrice: line.unitPrice, options: line.options.map(option))
        return OrderLine(retitled ?? line, snapshot, discount: charged.discount, tax: charged.tax)
    }

    private func option(_ option: LineOption) -> LineOption {
        let retitled = LineOption(
            id: option.id, groupID: option.groupID, title: own(.options, option.id.rawValue, option.title, options[option.id]),
            quantity: option.quantity, price: option.price, total: option.total, options: option.options.map(self.option))
        return retitled ?? option
    }

    private func own(_ subject: TranslationSubject, _ id: Int64, _ title: String, _ own: String?) -> String {
        guard let own, own != title else { return title }
        let isTranslated = menu.languages.all.contains { menu.translations.text(of: subject, id, in: $0).title == title }
        return isTranslated ? own : title
    }
}
