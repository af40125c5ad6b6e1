// When the shop takes orders and where it delivers, over HTTP: what is offered here is what a checkout accepts.
// Read next: Sources/Shop/Times, Sources/Ordering/Times/OfferedTimes.swift, Sources/Ordering/Delivery/DeliveryAreas.swift.
import HTTPTypes
import Ordering
import Shop
import Wire

/// `GET /v1/times` and `GET /v1/delivery`.
package struct TimesRoutes: Routes {
    private let shop: RunningShop

    package init(_ shop: RunningShop) { self.shop = shop }

    package func add(to routes: inout RouteTable) {
        routes.get("/v1/times", "The times that can be wanted on a day, and as soon as possible", times)
        routes.get("/v1/delivery", "Whether a postcode is delivered to, and what it takes", delivery)
    }

    private func times(_ request: Request, _ context: WebContext) async throws -> Response {
        let query = try request.query()
        let fulfilment = try query.parsed("fulfilment", "delivery or pickup", Fulfilment.init(rawValue:)) ?? .delivery
        let day = try query.parsed("date", "a day such as 2026-11-23") { LocalDate(rfc3339: $0) }
        // Whoever picks up may send any, as to the checkout.
        let postcode = fulfilment == .delivery ? try query.postcode() : nil
        var basketID: BasketID?
        if let text = query["basketId"], !text.isEmpty {
            // What can be no id is one that nobody has.
            guard let id = BasketID(text) else { throw Problem.basketNotFound }
            basketID = id
        }
        guard let times = try await shop.times.offered(fulfilment, to: postcode, on: day, basketID: basketID) else {
            throw Problem.basketNotFound
        }
        return .conditional(request, TimesBody(times), cacheControl: "private, no-cache")
    }

    /// Reads no database: the areas are held with the menu, and stay when the database goes.
    private func delivery(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let postcode = try request.query().postcode() else {
            throw ParameterError(name: "postcode", message: "postcode must be \(QueryParameters.expectedPostcode).")
        }
        guard let menu = shop.menu.current?.menu else { throw Problem.menuUnavailable }
        return .conditional(
            request, DeliveryBody(postcode, in: menu, openOrders: shop.kitchen.openOrders),
            headers: [.contentLanguage: menu.language.text])
    }
}

extension QueryParameters {
    fileprivate static let expectedPostcode = "2 to 10 letters and digits, such as 10117 or EC1A 1BB"

    /// Where it goes to; nil: nobody says so.
    fileprivate func postcode() throws(ParameterError) -> Postcode? {
        try parsed("postcode", Self.expectedPostcode) { text in try? Postcode.parse(text).get() }
    }
}

extension TimesBody {
    init(_ times: OfferedTimes) {
        self.init(
            asSoonAsPossible: times.readyAt.map { SoonestBody(readyAt: $0.rfc3339) },
            slots: times.slots.map { SlotBody(startsAt: $0.startsAt.rfc3339, endsAt: $0.endsAt.rfc3339, left: $0.left) },
            closed: times.closed.map { ClosedBody(opensAt: $0.opensAt?.rfc3339) })
    }
}

extension DeliveryBody {
    /// What it takes to deliver there, if it were ordered now.
    init(_ postcode: Postcode, in menu: Menu, openOrders: Int) {
        let (areas, currency) = (menu.terms.areas, menu.currency)
        let area = areas.area(for: postcode)
        let isDelivered = areas.isEverywhere || area != nil
        let minutes = menu.terms.etaMinutes(.delivery, at: menu.moment, openOrders: openOrders, area: area)
        self.init(
            postcode: postcode.text, isDelivered: isDelivered, area: area.map { AreaBody(id: $0.id, title: $0.title) },
            minimumSubtotal: area?.minimumSubtotal.minorUnits ?? 0,
            fees: (area?.fees ?? []).reversed().map { DeliveryFeeBody(fromSubtotal: $0.from.minorUnits, fee: $0.fee.minorUnits) },
            minutes: isDelivered ? minutes : nil, currency: currency.code.text, currencyExponent: currency.exponent)
    }
}
