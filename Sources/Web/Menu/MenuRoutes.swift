// The menu over HTTP. Every response comes from MenuResponseCache.
import HTTPServing
import HTTPTypes
import Ordering
import Shop

/// The routes of the menu. They read from memory, so they work while the database is unavailable.
package struct MenuRoutes: Routes {
    private let cache: MenuResponseCache

    package init(menu: CurrentMenu) { cache = MenuResponseCache(menu) }

    package func add(to routes: inout RouteTable) {
        routes.get("/v1/home", "The sections of the home screen") { request, _ in
            try respond(to: request) { $0.home }
        }
        routes.get("/v1/shop", "The shop's details, currency, time zone and languages") { request, _ in
            try respond(to: request) { $0.shop }
        }
        routes.get("/v1/menu", "The menu in pages, with filters, search and sort orders") { request, _ in
            try respond(to: request) { try $0.page(of: .menu, request.uri.query ?? "") }
        }
        routes.get("/v1/menu/{id}", "One menu item") { request, context in
            try respond(to: request) { answers in
                let id = context.pathNumber("id").map(MenuItemID.init(rawValue:))
                guard let item = id.flatMap(answers.item) else { throw Problem.unknownMenuItem }
                return item
            }
        }
        routes.get("/v1/categories", "The categories of the menu") { request, _ in
            try respond(to: request) { try $0.page(of: .categories, request.uri.query ?? "") }
        }
        routes.get("/v1/sales", "The sales, with the items of their sets") { request, _ in
            try respond(to: request) { try $0.page(of: .sales, request.uri.query ?? "") }
        }
        routes.get("/v1/sales/{id}", "One sale") { request, context in
            try respond(to: request) { answers in
                let id = context.pathNumber("id").map(SalesGroupID.init(rawValue:))
                guard let sale = id.flatMap(answers.sale) else { throw Problem.unknownSale }
                return sale
            }
        }
        routes.get("/v1/coupons", "The public coupons") { request, _ in
            try respond(to: request) { try $0.page(of: .coupons, request.uri.query ?? "") }
        }
    }

    private func respond(to request: Request, _ answer: (MenuResponses) throws -> EncodedResponse) throws -> Response {
        let (answers, stale) = try cache.newest(for: request)
        var response = try answer(answers).response(to: request)
        // Whole seconds and at least one, because zero would mean fresh.
        if let stale { response.headers[.menuStale] = "\(max(1, stale.components.seconds))" }
        return response
    }
}

extension Problem {
    static let unknownMenuItem = Problem(
        .notFound, "menu_item_not_found", "This is not on our menu.", hint: "GET /v1/menu lists all items.")

    static let unknownSale = Problem(
        .notFound, "sale_not_found", "This offer no longer exists.", hint: "GET /v1/sales lists all sales.")
}
