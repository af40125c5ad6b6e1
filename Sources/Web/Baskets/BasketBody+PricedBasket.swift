// A basket as it goes over the wire, from the domain's priced one. Used by every basket route.
// Read next: BasketRoutes.swift.
import Ordering
import Wire

extension BasketBody {
    /// The whole basket at its prices of this moment.
    init(_ priced: PricedBasket) {
        let id = priced.basket.id.description
        self.init(
            id: id, state: priced.basket.state.rawValue, version: priced.basket.version, lines: priced.lines.map(BasketLineBody.init),
            sales: priced.sets.map(BasketSaleBody.init), totalCount: priced.totalCount, total: priced.total.minorUnits,
            currency: priced.currency.code.text, orderId: priced.basket.state == .ordered ? id : nil,
            actions: priced.actions.map(\.rawValue), currencyExponent: priced.currency.exponent)
    }
}

extension BasketLineBody {
    init(_ line: PricedLine) {
        self.init(
            menuItemId: line.menuItemID.rawValue, kind: line.kind.rawValue, title: line.title, quantity: line.quantity,
            unitPrice: line.unitPrice.minorUnits, regularUnitPrice: line.regularUnitPrice.minorUnits, total: line.total.minorUnits,
            isAvailable: line.isAvailable, previousUnitPrice: line.previousUnitPrice?.minorUnits,
            unavailable: UnavailableBody(line.availability))
    }
}

extension BasketSaleBody {
    init(_ set: PricedSet) {
        self.init(
            salesGroupId: set.salesGroupID.rawValue, title: set.title, items: set.items.map(BasketLineBody.init),
            total: set.total.minorUnits, isAvailable: set.isAvailable, unavailable: UnavailableBody(set.availability))
    }
}
