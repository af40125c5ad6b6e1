// Converts priced baskets to their JSON bodies.
import HTTPServing
import Ordering
import Wire

extension BasketBody {
    /// The basket at current prices.
    /// - Parameter showsNotes: Whether the reader may see the kitchen notes.
    init(_ priced: PricedBasket, showsNotes: Bool) {
        let id = priced.basket.id.description
        self.init(
            id: id, state: priced.basket.state.rawValue, version: priced.basket.version,
            lines: priced.lines.map { BasketLineBody($0, showsNote: showsNotes) },
            sales: priced.sets.map { BasketSetBody($0, showsNotes: showsNotes) },
            totalCount: priced.totalCount, total: priced.total.minorUnits, currency: priced.currency.code.text,
            orderId: priced.basket.state == .ordered ? id : nil,
            actions: priced.actions.map(\.rawValue), currencyExponent: priced.currency.exponent,
            minimumAge: priced.minimumAge)
    }
}

extension BasketSetBody {
    init(_ set: PricedSet, showsNotes: Bool) {
        self.init(
            salesGroupId: set.salesGroupID.rawValue, title: set.title,
            items: set.items.map { BasketLineBody($0, showsNote: showsNotes) }, total: set.total.minorUnits,
            isAvailable: set.isAvailable, unavailable: UnavailableBody(set.availability))
    }
}

extension EntityTag {
    /// Derived from everything that determines the body: the program's response shape, basket version and state, menu
    /// revision, language and unavailable lines. An ordered basket has a different tag with and without its notes.
    init(_ priced: PricedBasket, _ shape: String, showsNotes: Bool) {
        let basket = priced.basket
        var tag = "\(shape)-\(basket.version)-\(priced.menuRevision)-\(priced.language.text)"
        if basket.state == .ordered { tag += showsNotes ? "-ordered-noted" : "-ordered" }
        for line in priced.items where !line.isOrderable { tag += Self.part(line) }
        self.init(opaque: tag)
    }

    private static func part(_ line: PricedLine) -> String {
        guard let why = line.availability.unavailable else { return "-\(line.line.id)" }
        let reason =
            switch why.reason {
            case .soldOut: "s"
            case .notServed, .stockShort: "n"
            case .notOffered: "o"
            }
        return "-\(line.line.id)\(reason)\(why.until?.microseconds ?? why.available ?? 0)"
    }
}
