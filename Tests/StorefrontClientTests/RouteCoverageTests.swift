// Every function of the client against the real server, and every guest route of openapi.json against the server's
// metrics.

import Foundation
import StorefrontClient
import Support
import Testing
import Web
import Wire

@Suite("StorefrontClient: route coverage", .timeLimit(.minutes(5)))
struct RouteCoverageTests {
    /// The operator's routes, which the client does not cover. Staff routes are excluded by their tag.
    static let operatorRoutes: Set = ["getMetrics", "getOpenAPI"]

    @Test("Every guest route of openapi.json is called by a function of the client and returns its result")
    func everyRoute() async throws {
        try await TestShop.run { shop in
            let digest = String(repeating: "5", count: 64)
            try await shop.database.psql(
                """
                select set_photograph(
                    2002, '\(digest)', array[row(400, 'jpeg', convert_to('JFIF', 'UTF8'))::photograph_file])
                """)
            try await StorefrontClient.with(shop.server.address, configuration: .fast()) { client in
                try await browse(client)
                try await eventually("the menu has the photograph") {
                    try await client.menuItem(2002).body.photograph != nil
                }
                let size = try #require(try await client.menuItem(2002).body.photograph?.sizes.first)
                #expect(size.height == 300 && size.url == "/photographs/\(digest)/400")
                #expect(try await client.picture(size.url) == Array("JFIF".utf8))
                let basket = try await fill(client)
                let order = try await buy(client, basket)
                #expect(
                    try await client.cancelOrder(order.id, accessToken: order.accessToken ?? "").state == "cancelled")
                #expect(try await client.order(order.id, accessToken: order.accessToken).customer?.name == "Ann Lee")
                #expect(try await client.order(order.id).customer == nil)
                let receipt = try await client.receipt(order.id, accessToken: order.accessToken ?? "")
                #expect(
                    receipt.order.number == order.number && receipt.taxes == []
                        && receipt.shop.title == "Welm's Delivery")
                var states: [String] = []
                for try await event in client.orderEvents(order.id) { states.append(event.state) }
                #expect(states == ["placed", "cancelled"])

                #expect(try await client.errors().condition == "healthy")
                for try await news in client.errorEvents() {
                    guard case .condition(let errors) = news else { break }
                    #expect(errors.condition == "healthy")
                    break
                }
                try await client.liveness()
                #expect(try await client.readiness().status == "ready")
            }
            try await StorefrontClient.with(shop.server.address) { client in
                // With a known event, the stream does not begin with the condition. No event occurs, so the test
                // cancels the stream.
                let listening = Task { for try await _ in client.errorEvents(after: "none") {} }
                try await eventually("the server has answered the stream's request") {
                    Self.calledRoutes(try await shop.server.get("/metrics").text).contains("GET /v1/errors/events")
                }
                let routes = try Self.guestRoutes()
                let called = Self.calledRoutes(try await shop.server.get("/metrics").text)
                #expect(routes.subtracting(called) == [])
                listening.cancel()
                let result = await listening.result
                #expect(throws: StorefrontError.cancelled) { try result.get() }
            }
            #expect(try Self.guestRoutes().count >= 26)
        }
    }

    private func browse(_ client: StorefrontClient) async throws {
        let home = try await client.home()
        #expect(home.freshness == .fresh)
        #expect(home.body.sections.map(\.kind).contains("sales"))
        #expect(try await client.shop().body.timeZone == "America/New_York")
        #expect(try await client.categories(limit: 2).body.items.map(\.id) == [100, 200])
        #expect(try await client.menuItem(1003).body.currentPrice == 1679)
        #expect(try await client.salesGroup(200).body.total == 2697)
        #expect(try await client.salesGroups().body.items.count == 5)
        #expect(try await client.coupons().body.items.map(\.key).contains("FRST"))
        let imageURL = try await client.menuItem(2001).body.imageURL
        for url in [imageURL, imageURL + "?v=2&w=50%25#top"] {
            #expect(String(decoding: try await client.picture(url), as: UTF8.self).contains("<svg"), "\(url)")
        }

        #expect(home.body.opening.map(\.fulfilment) == ["delivery", "pickup"])
        let times = try await client.times(fulfilment: "pickup", date: "2026-03-01")
        #expect(times.asSoonAsPossible != nil && times.slots == [] && times.closed == nil)
        let postcode = try await client.delivery(postcode: "ec1a 1bb")
        #expect(postcode.postcode == "EC1A 1BB" && postcode.isDelivered)
        let (anywhere, nowhere) = (try await client.delivery(), try await client.delivery(postcode: "?"))
        #expect(anywhere.isDelivered && anywhere.postcode == nil && !nowhere.isDelivered)

        let query = MenuQuery(category: 200, order: .priceDescending, limit: 2)
        var titles: [[String]] = []
        for try await page in client.menuPages(query) { titles.append(page.body.items.map(\.title)) }
        #expect(titles.map(\.count) == [2, 2, 1])
        let whole = try await client.menu(MenuQuery(category: 200, order: .priceDescending))
        #expect(titles.flatMap { $0 } == whole.body.items.map(\.title))
        #expect(try await client.menu(MenuQuery(kind: "special", searchText: "burger & \u{FC}ber?")).body.items == [])
        #expect(try await client.menu(MenuQuery(searchText: "BBQ")).body.items.count == 2)
        let vegan = try await client.menu(MenuQuery(withoutAllergens: ["milk", "celery"], diet: "vegan", limit: 100))
            .body.items
        #expect(
            vegan.map(\.id).contains(3001)
                && vegan.allSatisfy { $0.diets.contains("vegan") && !$0.contains.contains("milk") })
        #expect(try await client.menuItem(2001).body.optionGroups?.map(\.id) == [11, 12, 13])
        let shuffled = try await client.menu(MenuQuery(order: .random(seed: "7"), limit: 100)).body.items
        #expect(shuffled.count == 21 && shuffled.map(\.id) != shuffled.map(\.id).sorted())
        var counts: [Int] = []
        for try await page in client.categoryPages(limit: 3) { counts.append(page.body.items.count) }
        for try await page in client.salesGroupPages(limit: 4) { counts.append(page.body.items.count) }
        for try await page in client.couponPages(limit: 100) { counts.append(page.body.items.count) }
        #expect(counts.prefix(4) == [3, 2, 4, 1])
    }

    private func fill(_ client: StorefrontClient) async throws -> BasketBody {
        let basket = try await client.createBasket().id
        #expect(try await client.addItem(2001, quantity: 2, to: basket).totalCount == 2)
        #expect(try await client.incrementItem(2001, in: basket).totalCount == 3)
        #expect(try await client.decrementItem(2001, in: basket).totalCount == 2)
        #expect(try await client.addItem(4001, to: basket).totalCount == 3)
        #expect(try await client.removeItem(4001, from: basket).totalCount == 2)
        let line = try #require(try await client.addItem(2001, note: "no onions", to: basket).lines.last)
        #expect(line.note == "no onions")
        #expect(try await client.incrementLine(line.lineId, in: basket).totalCount == 4)
        #expect(try await client.decrementLine(line.lineId, in: basket).totalCount == 3)
        #expect(
            try await client.changeLine(line.lineId, quantity: 5, note: .some(nil), in: basket).lines.map(\.quantity)
                == [7])
        #expect(try await client.removeLine(1, from: basket).lines == [])
        let large = SelectedOptionBody(2302, options: [SelectedOptionBody(2402)])
        let juice = try #require(try await client.addItem(4004, options: [large], to: basket).lines.last)
        #expect(juice.options.map(\.title) == ["Large"] && juice.options[0].options.map(\.total) == [250])
        #expect(try await client.changeLine(juice.lineId, options: [SelectedOptionBody(2301)], in: basket).total == 365)
        #expect(try await client.removeLine(juice.lineId, from: basket).lines == [])
        #expect(try await client.addItem(2001, quantity: 2, to: basket).totalCount == 2)
        #expect(try await client.addSet(200, to: basket).total == 2 * 805 + 2697)
        let chosen = try await client.changeSet(200, items: [LineBody(menuItemId: 2002, note: "rare")], in: basket)
        #expect(chosen.sales[0].items.map(\.note) == ["rare", nil])
        #expect(try await client.removeSet(200, from: basket).total == 2 * 805)
        #expect(try await client.addSet(400, to: basket).sales[0].items.count == 2)
        #expect(try await client.removeItem(1002, fromSet: 400, in: basket).sales[0].items.map(\.menuItemId) == [1003])
        #expect(try await client.emptyBasket(basket).lines == [])
        _ = try await client.addItem(2003, to: basket)
        return try await client.basket(basket)
    }

    private func buy(_ client: StorefrontClient, _ basket: BasketBody) async throws -> OrderBody {
        #expect(try await client.times(basketId: basket.id).asSoonAsPossible != nil)
        var form = CheckoutBody.filled(for: basket, coupon: "FRST")
        (form.fulfilment, form.tip) = ("pickup", 50)
        let validation = try await client.validateCheckout(form)
        #expect(validation.quote?.discount == 90 && validation.quote?.fulfilment == "pickup")
        (form.expectedTotal, form.expectedTotals) = (validation.quote?.total, validation.quote?.totals)
        let order = try await client.checkout(CheckoutAttempt(form))
        #expect(order.fulfilment == "pickup" && order.totals.map(\.kind) == ["subtotal", "discount", "tip", "total"])
        #expect(order.totals == validation.quote?.totals)
        return order
    }

    /// The guest routes of openapi.json, such as `GET /v1/menu/{id}`.
    static func guestRoutes() throws -> Set<String> {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.read())) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        var routes: Set<String> = []
        for (path, item) in paths {
            for (method, value) in item where method != "parameters" {
                let operation = try #require(value as? [String: Any])
                let (id, tags) = (operation["operationId"] as? String, operation["tags"] as? [String])
                guard let id, let tags, !tags.contains("staff"), !operatorRoutes.contains(id) else { continue }
                routes.insert("\(method.uppercased()) \(path)")
            }
        }
        return routes
    }

    /// The routes with a successful response, according to the server's metrics.
    static func calledRoutes(_ metrics: String) -> Set<String> {
        var routes: Set<String> = []
        for line in metrics.split(separator: "\n") where line.hasPrefix("welms_http_requests_total{") {
            let parts = line.split(separator: "\"")
            if parts.count >= 7, parts[5].hasPrefix("2") || parts[5] == "304" {
                routes.insert("\(parts[1]) \(parts[3])")
            }
        }
        return routes
    }
}
