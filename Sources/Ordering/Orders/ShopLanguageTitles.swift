// Translates the titles of an order back into the shop's own language, for staff.

/// The titles of a menu in the shop's own language, found by their translations.
package struct ShopLanguageTitles: Sendable {
    private let menu: Menu
    private let options: [OptionID: String]

    /// Nil if the shop has only one language.
    package init?(_ menu: Menu) {
        guard menu.languages.all.count > 1 else { return nil }
        self.menu = menu
        let all = menu.optionGroups.lazy.flatMap(\.options).map { ($0.id, $0.title) }
        options = Dictionary(all, uniquingKeysWith: { first, _ in first })
    }

    /// The order with titles in the shop's own language. A title without a matching translation stays, such as one
    /// that staff changed since.
    package func applied(to order: Order) -> Order {
        order.retitled(
            lines: order.lines.map(line),
            sets: order.sets.map { set in
                let title = ownTitle(
                    .salesGroups, set.salesGroupID.rawValue, set.title, menu.sale(set.salesGroupID)?.title)
                return OrderSet(salesGroupID: set.salesGroupID, title: title, items: set.items.map(line))
            }, totals: order.totals.retitled(total))
    }

    /// The item's title in the shop's own language, for the title in an order.
    package func title(of id: MenuItemID, _ title: String) -> String {
        ownTitle(.menuItems, id.rawValue, title, menu.item(id)?.title)
    }

    private func total(_ total: TotalLine) -> String {
        switch total.key.kind {
        case .discount:
            let coupon = menu.coupons.first { $0.key == total.key.code }
            return coupon.flatMap { coupon in
                coupon.id.map { ownTitle(.coupons, $0.rawValue, total.title, coupon.title) }
            } ?? total.title
        case .tax:
            let rate = total.key.code.flatMap { Int64($0) }
            return rate.map { ownTitle(.taxRates, $0, total.title, menu.terms.taxes.title(ofRate: $0)) } ?? total.title
        case let kind: return menu.totalTitles[kind]
        }
    }

    private func line(_ charged: OrderLine) -> OrderLine {
        let (line, item) = (charged.line, charged.item)
        let snapshot = ItemSnapshot(
            kind: item.kind, title: title(of: line.dish.menuItemID, item.title), regularUnitPrice: item.regularUnitPrice
        )
        let retitled = Line(
            id: line.id, dish: line.dish, quantity: line.quantity, unitPrice: line.unitPrice,
            options: line.options.map(option))
        return OrderLine(retitled ?? line, snapshot, discount: charged.discount, tax: charged.tax)
    }

    private func option(_ option: LineOption) -> LineOption {
        let retitled = LineOption(
            id: option.id, groupID: option.groupID,
            title: ownTitle(.options, option.id.rawValue, option.title, options[option.id]),
            quantity: option.quantity, price: option.price, total: option.total,
            options: option.options.map(self.option))
        return retitled ?? option
    }

    private func ownTitle(_ subject: TranslationSubject, _ id: Int64, _ title: String, _ own: String?) -> String {
        guard let own, own != title else { return title }
        let isTranslated = menu.languages.all.contains {
            menu.translations.text(of: subject, id, in: $0).title == title
        }
        return isTranslated ? own : title
    }
}
