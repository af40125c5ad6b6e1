// Tests the menu while it changes and while the database is unavailable: ETags, live changes, stale responses.
import Database
import ErrorChannel
import Shop
import Support
import Synchronization
import Testing
import Web
import Wire

// Serialised, because each test runs a shop and a test run has only some dozens of database connections.
@Suite("Menu changes", .serialized) struct MenuChangeTests {
    private static let paths = [
        "/v1/home", "/v1/shop", "/v1/menu", "/v1/menu?category=200", "/v1/menu/2001", "/v1/categories", "/v1/sales",
        "/v1/sales/200",
        "/v1/coupons",
    ]

    @Test("A conditional GET of the current menu returns 304 without a body, for every form of its tag")
    func notModified() async throws {
        try await TestShop.run { shop in
            for path in Self.paths {
                let reply = try await shop.server.get(path)
                #expect(reply.status == 200)
                #expect(reply.header("Cache-Control") == "no-cache")
                #expect(reply.header("Menu-Stale") == nil)
                let tag = try #require(reply.header("ETag"))
                #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
                for condition in [tag, "W/\(tag)", "\"other\", \(tag)", "W/\"x\",W/\(tag)", "*"] {
                    let revalidation = try await shop.server.get(path, headers: [("If-None-Match", condition)])
                    #expect(revalidation.status == 304, "\(path) \(condition)")
                    #expect(revalidation.header("ETag") == tag)
                    #expect(revalidation.body.isEmpty)
                }
                for condition in ["\"other\"", "W/\"other\"", "\"*\"", "\(tag.dropLast())x\""] {
                    #expect(
                        try await shop.server.get(path, headers: [("If-None-Match", condition)]).status == 200,
                        "\(path) \(condition)")
                }
                let head = try await shop.server.send("HEAD", path)
                #expect(head.status == 200)
                #expect(head.header("ETag") == tag)
                #expect(head.header("Content-Length") == "\(reply.body.count)")
                #expect(head.body.isEmpty)
            }
        }
    }

    @Test("A new price changes the ETag of every response that shows it, and of no other")
    func priceChangesTags() async throws {
        try await TestShop.run { shop in
            let showing = [
                "/v1/home", "/v1/menu", "/v1/menu?category=200", "/v1/menu/2002", "/v1/sales", "/v1/sales/200",
            ]
            let others = ["/v1/menu/2001", "/v1/menu?category=300", "/v1/categories", "/v1/sales/400", "/v1/coupons"]
            var tags: [String: String] = [:]
            for path in showing + others { tags[path] = try await shop.server.get(path).header("ETag") }
            try await shop.database.psql("update menu_items set price = 1099 where id = 2002")
            try await eventually("the new price is visible") {
                try await shop.server.get("/v1/menu/2002").text.contains(#""price":1099"#)
            }
            for path in showing {
                let reply = try await shop.server.get(path, headers: [("If-None-Match", tags[path] ?? "")])
                #expect(reply.status == 200, "\(path)")
                #expect(reply.header("ETag") != tags[path], "\(path)")
            }
            for path in others {
                #expect(
                    try await shop.server.get(path, headers: [("If-None-Match", tags[path] ?? "")]).status == 304,
                    "\(path)")
            }
            // 10.99 minus 10 % is 9.891.
            #expect(try await shop.server.read("/v1/sales/200", as: SalesGroupBody.self).total == 3 * 989)
        }
    }

    @Test("A change that staff make with psql is visible on every server within a second")
    func changeIsLive() async throws {
        try await TestShop.run { shop in
            try await TestShop.run(on: shop.database) { other in
                var times: [Duration] = []
                for price in [901, 902, 903] {
                    try await shop.database.psql("update menu_items set price = \(price) where id = 2001")
                    let start = ContinuousClock.now
                    for server in [shop.server, other.server] {
                        try await eventually("the price is \(price)") {
                            try await server.read("/v1/menu/2001", as: MenuItemBody.self).currentPrice == price
                        }
                    }
                    times.append(.now - start)
                }
                // The median of three measurements, because a busy machine may delay one of them.
                #expect(times.sorted()[1] < .seconds(1))
            }
        }
    }

    @Test("A restored dump is loaded although its revision is lower than the loaded one")
    func restoredDump() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                begin; update menu_items set price = 777 where id = 2001; update menu_revision set revision = 0; commit
                """)
            try await eventually("the restored menu is visible") {
                try await shop.server.read("/v1/menu/2001", as: MenuItemBody.self).currentPrice == 777
            }
            #expect(try await shop.server.get("/v1/menu").header("Menu-Stale") == nil)
        }
    }

    @Test("A sold-out item is marked, a retired item returns 404, and an ended sale is neither listed nor linked")
    func availability() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                begin;
                update menu_items set is_available = false where id = 2001;
                update menu_items set is_retired = true where id = 2003;
                update menu_items set is_retired = true where id = 1002;
                update sales_groups set is_retired = true where id = 200;
                update coupons set is_listed = false where key = 'LAST';
                commit;
                """)
            try await eventually("the item is retired") { try await shop.server.get("/v1/menu/2003").status == 404 }
            let soldOut: MenuItemBody = try await shop.server.read("/v1/menu/2001")
            #expect(!soldOut.isAvailable)
            #expect(try await shop.server.problem("/v1/menu/2003", status: 404).code == "menu_item_not_found")
            #expect(try await shop.server.menuIDs("category=200") == [2001, 2002, 2004, 2005])
            #expect(try await shop.server.problem("/v1/sales/200", status: 404).code == "sale_not_found")
            let special: MenuItemBody = try await shop.server.read("/v1/menu/2002")
            #expect(special.salesGroupId == nil)
            // A set that requires a retired item cannot be ordered.
            #expect(
                try await shop.server.read("/v1/sales", as: Page<SalesGroupBody>.self).items.map(\.id) == [
                    100, 300, 500,
                ])
            #expect(try await shop.server.problem("/v1/sales/400", status: 404).code == "sale_not_found")
            #expect(try await shop.server.read("/v1/menu/1003", as: MenuItemBody.self).salesGroupId == nil)
            #expect(
                try await shop.server.read("/v1/coupons", as: Page<CouponBody>.self).items.map(\.key) == [
                    "FRST", "HAPPY",
                ])
            let home = try await shop.server.get("/v1/home").text
            #expect(!home.contains("LAST") && !home.contains("Happy Saturday"))
        }
    }

    @Test(
        "A coupon is listed with its validity and minimum, and disappears at its end without a database change")
    func couponEnds() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                begin;
                update coupons set starts_at = '2020-02-29 12:00Z', ends_at = now() + '5 s', minimum_subtotal = 1500
                    where key = 'FRST';
                update coupons set starts_at = now() + '1 day' where key = 'LAST';
                commit
                """)
            let revision = try await shop.database.psql("select revision from menu_revision")
            let paths = ["/v1/coupons", "/v1/home"]
            var tags: [String?] = []
            try await eventually("the coupon's end is listed") {
                let listed: Page<CouponBody> = try await shop.server.read("/v1/coupons")
                guard let coupon = listed.items.first(where: { $0.key == "FRST" }), coupon.endsAt != nil else {
                    return false
                }
                #expect(
                    coupon.startsAt == "2020-02-29T12:00:00.000Z" && coupon.minimumSubtotal == 1500
                        && coupon.currency == "USD")
                #expect(
                    listed.items.first { $0.key == "LAST" }?.startsAt != nil, "a future coupon is listed with its start"
                )
                return true
            }
            for path in paths { tags.append(try await shop.server.get(path).header("ETag")) }
            try await eventually("the coupon has expired") {
                try await !shop.server.get("/v1/coupons").text.contains("FRST")
            }
            #expect(try await shop.database.psql("select now() >= ends_at from coupons where key = 'FRST'") == "t")
            for (path, tag) in zip(paths, tags) {
                let reply = try await shop.server.get(path, headers: [("If-None-Match", tag ?? "")])
                #expect(reply.status == 200 && !reply.text.contains("FRST"), "\(path)")
            }
            #expect(try await shop.database.psql("select revision from menu_revision") == revision)
        }
    }

    @Test("While the database is unavailable the last menu is served with its age, and afterwards the menu is fresh")
    func stale() async throws {
        try await TestShop.run { shop in
            var tags: [String: String] = [:]
            for path in Self.paths { tags[path] = try await shop.server.get(path).header("ETag") }

            try await shop.database.refuseConnections()
            try await eventually("the menu is stale") {
                try await shop.server.get("/v1/menu").header("Menu-Stale") != nil
            }
            for path in Self.paths {
                let reply = try await shop.server.get(path)
                #expect(reply.status == 200)
                #expect(reply.header("ETag") == tags[path])
                let age = try #require(reply.header("Menu-Stale").flatMap { Int($0) })
                #expect((1...60).contains(age))
                let revalidation = try await shop.server.get(path, headers: [("If-None-Match", tags[path] ?? "")])
                #expect(revalidation.status == 304)
                #expect(revalidation.header("Menu-Stale") != nil)
            }
            #expect(try await shop.server.get("/readyz").status == 200)
            #expect(try await shop.server.read("/v1/errors", as: ErrorsBody.self).condition == "degraded")

            try await shop.database.acceptConnections()
            try await shop.database.psql("update menu_items set price = 950 where id = 2001")
            try await eventually("the menu is fresh", within: .seconds(20)) {
                let reply = try await shop.server.get("/v1/menu/2001")
                return reply.header("Menu-Stale") == nil && reply.text.contains(#""price":950"#)
            }
            try await eventually("the shop is healthy") {
                try await shop.server.read("/v1/errors", as: ErrorsBody.self).condition == "healthy"
            }
        }
    }

    @Test("A server without a menu returns 503 with Retry-After until it can load the menu")
    func menuNeverLoaded() async throws {
        try await TestDatabase.with(.seeded) { database in
            let health = ShopHealth(errors: ErrorBroadcast(), logger: .silent)
            let shop = try await RunningShop.open(
                .init(url: database.serverURL), healthCallbacks: health.listeners, logger: .silent)
            try await database.refuseConnections()
            try await TestServer.run { onRunning in
                try shopServices(
                    WebConfiguration(port: 0), files: ShippedFiles.shared(), shop: shop, health: health,
                    logger: .silent,
                    onRunning: onRunning)
            } _: { server in
                for path in Self.paths {
                    let reply = try await server.get(path)
                    #expect(reply.status == 503)
                    let problem: ProblemBody = try reply.decoded()
                    #expect(problem.code == "database_unavailable")
                    let seconds = reply.header("Retry-After").flatMap { Int($0) }
                    #expect((1...10).contains(seconds ?? 0))
                }
                #expect(try await server.get("/pictures/2001.svg").status == 200)
                #expect(try await server.get("/readyz").status == 503)
                try await database.acceptConnections()
                try await eventually("the menu is loaded", within: .seconds(20)) {
                    try await server.get("/v1/menu").status == 200
                }
                #expect(try await server.get("/readyz").status == 200)
            }
        }
    }
}
