// Tests the pages of the menu: filters, search, sort orders, cursors and invalid parameters.
import Support
import Testing
import Wire

// Serialised, because each test runs a shop and a test run has only some dozens of database connections.
@Suite("The pages of the menu", .serialized) struct MenuListTests {
    @Test("Pages of every size contain each item once in the same order, and the last page has no cursor")
    func paging() async throws {
        try await TestShop.run { shop in
            let all = try await shop.server.menuIDs("limit=100")
            #expect(all.count == 21)
            for sort in ["position", "price", "-price", "title", "random&seed=tuesday"] {
                let inOne = try await shop.server.menuIDs("limit=100&sort=\(sort)")
                #expect(inOne.sorted() == all)
                for limit in [1, 7, 20, 21] {
                    let pages = try await shop.server.pages(
                        "/v1/menu?limit=\(limit)&sort=\(sort)", of: MenuItemBody.self)
                    #expect(pages.flatMap { $0 }.map(\.id) == inOne, "\(sort) by \(limit)")
                    #expect(pages.dropLast().allSatisfy { $0.count == limit })
                }
            }
            let first: Page<MenuItemBody> = try await shop.server.read("/v1/menu")
            #expect(first.items.count == 20)
            #expect(first.nextCursor != nil)
        }
    }

    @Test("The lists of categories, sales and coupons have pages")
    func shortLists() async throws {
        try await TestShop.run { shop in
            let categories = try await shop.server.pages("/v1/categories?limit=2", of: CategoryBody.self)
            #expect(categories.map { $0.map(\.id) } == [[100, 200], [300, 400], [500]])
            let sales = try await shop.server.pages("/v1/sales?limit=3", of: SalesGroupBody.self)
            #expect(sales.map { $0.map(\.id) } == [[100, 200, 300], [400, 500]])
            let coupons = try await shop.server.pages("/v1/coupons?limit=1", of: CouponBody.self)
            #expect(coupons.map { $0.map(\.key) } == [["FRST"], ["LAST"], ["HAPPY"]])
        }
    }

    @Test("When staff change a list between two pages, no remaining item is missing or repeated")
    func changeBetweenPages() async throws {
        try await TestShop.run { shop in
            let menu: Page<MenuItemBody> = try await shop.server.read("/v1/menu?limit=5")
            let sales: Page<SalesGroupBody> = try await shop.server.read("/v1/sales?limit=2")
            #expect(menu.items.map(\.id) == [1001, 1002, 1003, 1004, 1005])
            #expect(sales.items.map(\.id) == [100, 200])
            // Retires the last item of the page, and an item before it.
            try await shop.database.psql("update menu_items set is_retired = true where id in (1001, 1005)")
            try await shop.database.psql("update sales_groups set is_retired = true where id in (200)")
            try await eventually("the sale has ended") { try await shop.server.get("/v1/sales/200").status == 404 }
            let restOfMenu = try await shop.server.menuIDs("limit=100&cursor=\(menu.nextCursor ?? "")")
            #expect(
                restOfMenu == [
                    2001, 2002, 2003, 2004, 2005, 3001, 3002, 3003, 4001, 4002, 4003, 4004, 4005, 5001, 5002, 5003,
                ])
            let restOfSales: Page<SalesGroupBody> = try await shop.server.read(
                "/v1/sales?cursor=\(sales.nextCursor ?? "")")
            #expect(restOfSales.items.map(\.id) == [300, 400, 500])
        }
    }

    @Test("Category, kind, tag and words filter the menu, alone and combined")
    func filters() async throws {
        try await TestShop.run { shop in
            let cases: [(query: String, ids: [Int64])] = [
                ("category=200", [2001, 2002, 2003, 2004, 2005]),
                ("category=999", []),
                ("kind=special", [1002, 1003, 2002]),
                ("kind=discount", [1004, 1005, 2003, 2005, 4004]),
                ("tag=vegan&category=300", [3001, 3002]),
                ("tag=vegan&kind=discount", [4004]),
                ("tag=veg", []),
                ("q=burger&category=200", [2002, 2003, 2004]),
                ("q=BBQ", [2002, 5002]),
                ("q=bbq+sauce", [2002, 5002]),
                ("q=sauce%20bbq&kind=regular", [5002]),
                ("q=cheddar&tag=beef", [2002, 2003]),
                ("q=nothing+like+this", []),
                // Misspelled and foreign words use the fuzzy search when no item contains the word.
                ("q=burgr", [2002, 2003, 2004]),
                ("q=hamburger", [2002, 2003, 2004]),
                ("q=chiken", [1002, 1003, 1004, 2004]),
                ("q=chiken&category=200", [2004]),
                ("q=burger&category=400", []),
                ("q=&category=&kind=&tag=&limit=2", [1001, 1002]),
            ]
            for (query, ids) in cases {
                let found = try await shop.server.menuIDs(query)
                #expect(found == ids, "\(query)")
            }
        }
    }

    @Test("The menu is sorted by current price in both directions, and by title")
    func sorting() async throws {
        try await TestShop.run { shop in
            let items = try await shop.server.read("/v1/menu?limit=100", as: Page<MenuItemBody>.self).items
            func sorted(_ sort: String) async throws -> [MenuItemBody] {
                try await shop.server.read("/v1/menu?limit=100&sort=\(sort)", as: Page<MenuItemBody>.self).items
            }
            let cheapest = try await sorted("price")
            #expect(cheapest.map(\.currentPrice) == items.map(\.currentPrice).sorted())
            #expect(cheapest.first?.id == 5001)
            let mostExpensive = try await sorted("-price")
            #expect(mostExpensive.map(\.currentPrice) == items.map(\.currentPrice).sorted(by: >))
            // 28.99 minus 15 % is still the highest price; 20.99 minus 20 % is no longer the second.
            #expect(mostExpensive.prefix(3).map(\.id) == [1004, 1002, 1005])
            #expect(try await sorted("title").map(\.title) == items.map(\.title).sorted())
        }
    }

    @Test("A random order is the same for the same seed on every server, and differs for another seed")
    func random() async throws {
        try await TestShop.run { shop in
            let tuesday = try await shop.server.menuIDs("sort=random&seed=tuesday&limit=100")
            let friday = try await shop.server.menuIDs("sort=random&seed=friday&limit=100")
            #expect(tuesday != friday)
            // The order must stay the same in all versions of the program.
            #expect(tuesday.prefix(8) == [1001, 1005, 1003, 3001, 2001, 2002, 4005, 5001])
            #expect(try await shop.server.menuIDs("limit=100") != tuesday)
            try await TestShop.run(on: shop.database) { other in
                let otherServer = try await other.server.menuIDs("limit=100&seed=tuesday&sort=random")
                #expect(otherServer == tuesday)
            }
        }
    }

    @Test("An invalid parameter is named with its permitted values, and an unknown one is ignored")
    func parameters() async throws {
        try await TestShop.run { shop in
            let wrong: [(path: String, parameter: String)] = [
                ("/v1/menu?limit=0", "limit"), ("/v1/menu?limit=101", "limit"), ("/v1/menu?limit=-1", "limit"),
                ("/v1/menu?limit=ten", "limit"), ("/v1/menu?limit=99999999999999999999", "limit"),
                ("/v1/menu?limit=05", "limit"),
                ("/v1/menu?category=burgers", "category"), ("/v1/menu?kind=bargain", "kind"),
                ("/v1/menu?sort=cheap", "sort"),
                ("/v1/menu?cursor=x", "cursor"), ("/v1/menu?q=\(String(repeating: "x", count: 101))", "q"),
                ("/v1/menu?tag=\(String(repeating: "x", count: 65))", "tag"),
                ("/v1/menu?seed=\(String(repeating: "x", count: 65))", "seed"),
                ("/v1/menu?limit=5&limit=5", "limit"), ("/v1/sales?limit=0", "limit"), ("/v1/sales?limit=1e2", "limit"),
                ("/v1/sales?cursor=1", "cursor"), ("/v1/categories?limit=x", "limit"),
                ("/v1/coupons?cursor=99999999999999999999.FRST", "cursor"),
            ]
            for (path, parameter) in wrong {
                let problem = try await shop.server.problem(path, status: 400)
                #expect(problem.code == "invalid_parameter", "\(path)")
                #expect(problem.errors?.map(\.field) == [parameter], "\(path)")
                #expect(problem.hint?.contains(parameter) == true, "\(path)")
            }
            // A cursor belongs to its list and sort order. The seed matters only in a random order.
            let byPrice: Page<MenuItemBody> = try await shop.server.read("/v1/menu?sort=price&seed=1&limit=3")
            let shuffled: Page<MenuItemBody> = try await shop.server.read("/v1/menu?sort=random&seed=1&limit=3")
            let (price, random) = (try #require(byPrice.nextCursor), try #require(shuffled.nextCursor))
            for path in [
                "/v1/menu?sort=title&cursor=\(price)", "/v1/menu?cursor=\(price)", "/v1/sales?cursor=\(price)",
                "/v1/menu?sort=random&seed=2&cursor=\(random)",
            ] {
                let problem = try await shop.server.problem(path, status: 400)
                #expect(problem.errors?.map(\.field) == ["cursor"], "\(path)")
            }
            #expect(try await shop.server.menuIDs("sort=price&seed=2&limit=100&cursor=\(price)").count == 18)
            #expect(try await shop.server.menuIDs("sort=random&seed=1&limit=100&cursor=\(random)").count == 18)
            // Raw bytes, because an HTTP client would correct the percent signs.
            for query in ["q=%zz", "q=%ff", "q=%", "q=%4", "q=%C3"] {
                let status = try await shop.server.withRawConnection { connection in
                    try await connection.send("GET /v1/menu?\(query) HTTP/1.1\r\nHost: x\r\n\r\n")
                    return try await connection.read(until: "\r\n")
                }
                #expect(status == "HTTP/1.1 400 Bad Request\r\n", "\(query)")
            }
            #expect(try await shop.server.menuIDs("utm_source=flyer&category=500") == [5001, 5002, 5003])
            #expect(try await shop.server.get("/v1/home?utm_source=flyer").status == 200)
        }
    }

    @Test("Searches beyond the cache's capacity still return the right pages")
    func manySearches() async throws {
        try await TestShop.run { shop in
            // 700 pages of about 7,000 bytes exceed the cache of 4 MiB.
            try await withThrowingTaskGroup { tasks in
                for seed in 0..<700 {
                    tasks.addTask {
                        let ids = try await shop.server.menuIDs("sort=random&limit=100&seed=\(seed)")
                        #expect(ids.count == 21)
                    }
                    if seed >= 4 { try await tasks.next() }
                }
                try await tasks.waitForAll()
            }
            #expect(try await shop.server.menuIDs("category=500") == [5001, 5002, 5003])
        }
    }
}
