// Order times and delivery areas over HTTP. Checkout accepts exactly the times that are offered here.
import HTTPServing
import HTTPTypes
import Ordering
import Shop
import Wire

/// `GET /v1/times` and `GET /v1/delivery`.
package struct TimesRoutes: Routes {
    private let shop: RunningShop

    package init(_ shop: RunningShop) { self.shop = shop }

    package func add(to routes: inout RouteTable) {
        routes.get("/v1/times", "The times for which a guest can order on a day, and as soon as possible", times)
        routes.get("/v1/delivery", "Whether the shop delivers to a postcode, and on which conditions", delivery)
    }

    private func times(_ request: Request, _ context: RequestContext) async throws -> Response {
        let query = try request.query()
        let fulfilment = try query.parsed("fulfilment", "delivery or pickup", Fulfilment.init(rawValue:)) ?? .delivery
        let day = try query.parsed("date", "a day such as 2026-11-23") { LocalDate(rfc3339: $0) }
        // A pickup ignores the postcode, as in a checkout.
        let postcode = fulfilment == .delivery ? try query.postcode() : nil
        var basketID: BasketID?
        if let text = query["basketId"], !text.isEmpty {
            // An invalid id cannot belong to a basket.
            guard let id = BasketID(text) else { throw Problem.basketNotFound }
            basketID = id
        }
        guard let times = try await shop.times.offered(fulfilment, to: postcode, on: day, basketID: basketID) else {
            throw Problem.basketNotFound
        }
        return .conditional(request, TimesBody(times), cacheControl: "private, no-cache")
    }

    /// Works without the database, because the areas are part of the menu snapshot. Accepts any text, because guests
    /// type it.
    private func delivery(_ request: Request, _ context: RequestContext) async throws -> Response {
        let postcode = Postcode.parse(try request.query()["postcode"] ?? "")
        guard let current = shop.menu.current else { throw Problem.menuUnavailable }
        let menu = shop.menu.menu(current.menu, in: request.language(of: current.languages))
        var headers: HTTPFields = [:]
        headers.setContentLanguage(menu.language)
        return .conditional(
            request, DeliveryBody(postcode, in: menu, openOrders: shop.kitchen.openOrders), headers: headers)
    }
}

extension QueryParameters {
    /// The postcode to deliver to; nil if none was sent.
    fileprivate func postcode() throws(ParameterError) -> Postcode? {
        try parsed("postcode", "1 to 12 letters and digits, such as 10117 or EC1A 1BB") { text in
            try? Postcode.parse(text).get()
        }
    }
}

extension TimesBody {
    init(_ times: OfferedTimes) {
        self.init(
            asSoonAsPossible: times.readyAt.map { AsSoonAsPossibleBody(readyAt: $0.rfc3339) },
            slots: times.slots.map {
                SlotBody(startsAt: $0.startsAt.rfc3339, endsAt: $0.endsAt.rfc3339, left: $0.remainingOrders)
            },
            closed: times.closed.map { ClosedBody(opensAt: $0.opensAt?.rfc3339) })
    }
}

extension DeliveryAreaBody {
    /// For staff: the area with its title in the shop's own language.
    init(_ area: DeliveryArea) { self.init(id: area.id, title: area.title) }
}

extension DeliveryBody {
    /// The conditions of a delivery that is ordered now. There is no delivery to an invalid postcode.
    init(_ parsed: Result<Postcode?, FieldError>, in menu: Menu, openOrders: Int) {
        let (areas, currency) = (menu.terms.areas, menu.currency)
        var (postcode, isPostcode) = (Postcode?.none, false)
        if case .success(let read) = parsed { (postcode, isPostcode) = (read, true) }
        let area = postcode.flatMap(areas.area)
        let isDelivered = area != nil || isPostcode && areas.deliversEverywhere
        let minutes = menu.terms.etaMinutes(.delivery, at: menu.moment, openOrders: openOrders, area: area)
        self.init(
            area: area.map {
                DeliveryAreaBody(
                    id: $0.id, title: $0.title, languages: TextLanguagesBody(.deliveryAreas, $0.id, in: menu))
            },
            fees: (area?.fees ?? []).reversed().map {
                DeliveryFeeBody(from: $0.from.minorUnits, fee: $0.fee.minorUnits)
            },
            minimum: area?.minimumSubtotal.minorUnits ?? 0, extraMinutes: area?.extraMinutes ?? 0,
            postcode: postcode?.text,
            isDelivered: isDelivered, minutes: isDelivered ? minutes : nil, currency: currency.code.text,
            currencyExponent: currency.exponent)
    }
}
