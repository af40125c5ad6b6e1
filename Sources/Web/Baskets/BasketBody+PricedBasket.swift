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
            actions: priced.actions.map(\.rawValue), currencyExponent: priced.currency.exponent,
            minimumAge: priced.minimumAge)
    }
}

extension BasketSaleBody {
    init(_ set: PricedSet) {
        self.init(
            salesGroupId: set.salesGroupID.rawValue, title: set.title, items: set.items.map(BasketLineBody.init),
            total: set.total.minorUnits, isAvailable: set.isAvailable, unavailable: UnavailableBody(set.availability))
    }
}

extension EntityTag {
    /// Of what the basket's answer is made of: the shape that this program gives it, its version and state, the menu's revision and language, and what
    /// can't be ordered at this moment.
    init(_ priced: PricedBasket, _ shape: String) {
        let basket = priced.basket
        var tag = "\(shape)-\(basket.version)-\(priced.menuRevision)-\(priced.language.text)"
        if basket.state == .ordered { tag += "-ordered" }
        for line in priced.items where !line.isOrderable { tag += Self.part(line) }
        self.init(opaque: tag)
    }

    private static func part(_ line: PricedLine) -> String {
        guard let why = line.availability.unavailable else { return "-\(line.line.id)" }
        return "-\(line.line.id)\(why.reason == .soldOut ? "s" : "n")\(why.until?.microseconds ?? why.available ?? 0)"
    }
}
