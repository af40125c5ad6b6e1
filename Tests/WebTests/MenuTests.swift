// Tests the shipped menu over HTTP, and its sales groups, which sell several items together.
import Support
import Testing
import Wire

@testable import Web

/// An item of the product description with its current price.
private struct ExpectedItem {
    let id: Int64, title: String, kind: String, price: Int64, percent: Int?, currentPrice: Int64

    init(
        _ id: Int64, _ title: String, _ kind: String, _ price: Int64, _ percent: Int? = nil,
        now currentPrice: Int64? = nil
    ) {
        (self.id, self.title, self.kind, self.price, self.percent) = (id, title, kind, price, percent)
        self.currentPrice = currentPrice ?? price
    }
}

private let shippedMenu = [
    ExpectedItem(1001, "Grill Combo", "regular", 1699),
    ExpectedItem(1002, "Grandma Dinner", "special", 1999, 10, now: 1799),
    ExpectedItem(1003, "Cheese Peasy", "special", 2099, 20, now: 1679),
    ExpectedItem(1004, "Triospeciality", "discount", 2899, 15, now: 2464),
    ExpectedItem(1005, "Date Tonight", "discount", 2005, 15, now: 1704),
    ExpectedItem(2001, "The Big Tasty", "regular", 805),
    ExpectedItem(2002, "BBQ Burger", "special", 999, 10, now: 899),
    ExpectedItem(2003, "Cheeseburger", "discount", 999, 10, now: 899),
    ExpectedItem(2004, "Chickenburger", "regular", 918),
    ExpectedItem(2005, "Patty Melt", "discount", 918, 10, now: 826),
    ExpectedItem(3001, "French Fries", "regular", 459), ExpectedItem(3002, "Village Fries", "regular", 459),
    ExpectedItem(3003, "Fried Potatoes", "regular", 559), ExpectedItem(4001, "Cola Soda", "regular", 285),
    ExpectedItem(4002, "Fanta Soda", "regular", 285), ExpectedItem(4003, "Apple Tea", "regular", 499),
    // 364.5 is rounded up.
    ExpectedItem(4004, "Orange Juice", "discount", 405, 10, now: 365), ExpectedItem(4005, "Beer", "regular", 699),
    ExpectedItem(5001, "Tomato Sauce", "regular", 165), ExpectedItem(5002, "BBQ Sauce", "regular", 165),
    ExpectedItem(5003, "Mustard Sauce", "regular", 165),
]

// Serialised, because each test runs a shop and a test run has only some dozens of database connections.
@Suite("The menu over HTTP", .serialized) struct MenuTests {
    @Test("All 21 items of the three kinds are listed with their prices, percentages and current prices")
    func threeKinds() async throws {
        try await TestShop.run { shop in
            let page: Page<MenuItemBody> = try await shop.server.read("/v1/menu?limit=100")
            #expect(page.nextCursor == nil)
            #expect(page.items.map(\.id) == shippedMenu.map(\.id))
            for (item, expected) in zip(page.items, shippedMenu) {
                #expect(item.title == expected.title)
                #expect(item.kind == expected.kind, "\(item.id)")
                #expect(item.category == expected.id / 1000 * 100)
                #expect(item.price == expected.price, "\(item.id)")
                #expect(item.salePercent == expected.percent, "\(item.id)")
                #expect(item.currentPrice == expected.currentPrice, "\(item.id)")
                #expect(item.currency == "USD")
                #expect(item.isAvailable)
                #expect(!item.description.isEmpty)
                #expect(!item.tags.isEmpty)
                // A single item has the fields of the list, followed by its option groups.
                let alone = try await shop.server.get("/v1/menu/\(item.id)").text
                let listed = String(decoding: item.json, as: UTF8.self).dropLast(#","photograph":null}"#.count)
                #expect(alone.hasPrefix(listed + #","optionGroups":["#), "\(alone)")
                #expect(alone.hasSuffix(#","optionGroups":[],"photograph":null}"#) == !item.hasOptions, "\(item.id)")
            }
        }
    }

    @Test("The JSON of items, categories, sales and coupons has the contract's members in their order")
    func contract() async throws {
        try await TestShop.run { shop in
            let peasy = """
                {"id":1003,"kind":"special","category":100,"title":"Cheese Peasy",\
                "description":"A crisp chicken fillet under a blanket of melted cheddar, with sweet green peas and \
                fries to chase the last of the cheese.","imageURL":"/pictures/1003.svg","price":2099,"salePercent":20,\
                "currentPrice":1679,"currency":"USD","tags":["chicken","cheese","single"],"isAvailable":true,\
                "salesGroupId":400,"currencyExponent":2,"unavailable":null,"hasOptions":true,"needsChoice":false,\
                "left":null,"contains":["gluten","eggs","milk"],"mayContain":["celery","mustard","soya"],\
                "allergensAreKnown":true,"diets":[],"minimumAge":null,"nutrition":null
                """
            let side = """
                "optionGroups":[{"id":25,"title":"Side","minimum":1,"maximum":1,"included":0,"options":[{"id":2501,\
                "title":"French Fries","price":0,"maximum":1,"isDefault":true,"isAvailable":true,"unavailable":null,\
                "left":null,"contains":[],"mayContain":[],"allergensAreKnown":true,\
                "diets":["vegan","vegetarian","gluten_free","lactose_free"],"minimumAge":null,"nutrition":null,\
                "optionGroups":[]},{"id":2502,
                """
            #expect(try await shop.server.get("/v1/menu/1003").text.hasPrefix("\(peasy),\(side)"))
            #expect(
                try await shop.server.get("/v1/menu?q=peasy").text
                    == #"{"items":[\#(peasy),"photograph":null}],"nextCursor":null}"#)
            let fries = try await shop.server.get("/v1/menu/3001").text
            #expect(fries.contains(#""price":459,"salePercent":null,"currentPrice":459,"#))
            #expect(
                fries.hasSuffix(
                    #""isAvailable":true,"salesGroupId":null,"currencyExponent":2,"unavailable":null,"#
                        + #""hasOptions":false,"needsChoice":false,"left":null,"contains":[],"mayContain":[],"#
                        + #""allergensAreKnown":true,"diets":["vegan","vegetarian","gluten_free","lactose_free"],"#
                        + #""minimumAge":null,"nutrition":null,"optionGroups":[],"photograph":null}"#))
            #expect(
                try await shop.server.get("/v1/categories?limit=1").text
                    == #"{"items":[{"id":100,"title":"Combo","imageURL":"/pictures/category-100.svg"}],"nextCursor":""#
                    + Cursor([1], "100".utf8).encoded(for: "categories") + #""}"#)
            let saturday = try await shop.server.get("/v1/sales/200").text
            #expect(saturday.hasPrefix(#"{"id":200,"kind":"set","title":"Happy Saturday","headline":"#))
            #expect(saturday.contains(#""items":[{"menuItem":{"id":2002,"#))
            #expect(saturday.hasSuffix(#""quantity":3}],"total":2697,"currency":"USD","currencyExponent":2}"#))
            #expect(
                try await shop.server.get("/v1/coupons?limit=1").text.hasPrefix(
                    #"{"items":[{"key":"FRST","title":"Welcome to the table","#
                        + #""description":"10% off everything in your first order.","#
                        + #""startsAt":null,"endsAt":null,"minimumSubtotal":null,"currency":"USD","#
                        + #""currencyExponent":2}]"#))
        }
    }

    @Test("A special item is listed on its own and in a sale, and names the sale that contains it")
    func specialItems() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                insert into menu_items (id, category_id, kind, title, description, price, sale_percent)
                values (2009, 200, 'special', 'Lone Star', 'A special on its own.', 1000, 25)
                """)
            try await eventually("the new item is on the menu") {
                try await shop.server.get("/v1/menu/2009").status == 200
            }
            let specials: Page<MenuItemBody> = try await shop.server.read("/v1/menu?kind=special")
            #expect(specials.items.map(\.id) == [2009, 1002, 1003, 2002])
            #expect(specials.items.map(\.salesGroupId) == [nil, 400, 400, 200])
            for item in specials.items {
                guard let id = item.salesGroupId else { continue }
                let sale: SalesGroupBody = try await shop.server.read("/v1/sales/\(id)")
                #expect(sale.items.map(\.menuItem).contains(item))
            }
        }
    }

    @Test("A sale is information, or a set with its items, their quantities and their total")
    func sales() async throws {
        try await TestShop.run { shop in
            let page: Page<SalesGroupBody> = try await shop.server.read("/v1/sales")
            #expect(page.items.map(\.id) == [100, 200, 300, 400, 500])
            #expect(
                page.items.map(\.title)
                    == [
                        "Save our kids together", "Happy Saturday", "Birthday Especially", "Hot Chicken Days",
                        "Step by step",
                    ])
            #expect(page.items.map(\.kind) == ["information", "set", "information", "set", "information"])
            #expect(page.items.map(\.total) == [0, 2697, 0, 3478, 0])
            let sets = page.items.map { sale in
                sale.items.map { "\($0.quantity) × \($0.menuItem.id)" }.joined(separator: ", ")
            }
            #expect(sets == ["", "3 × 2002", "", "1 × 1002, 1 × 1003", ""])
            for sale in page.items {
                #expect(!sale.headline.isEmpty && !sale.description.isEmpty)
                let alone: SalesGroupBody = try await shop.server.read("/v1/sales/\(sale.id)")
                #expect(alone == sale)
            }
        }
    }

    @Test("The home screen has sections for categories, sales, reduced items and listed coupons")
    func home() async throws {
        try await TestShop.run { shop in
            let home: HomeBody = try await shop.server.read("/v1/home")
            try #require(home.sections.map(\.kind) == ["categories", "sales", "specials", "coupons"])
            guard case .categories(let categories) = home.sections[0], case .salesGroups(let sales) = home.sections[1],
                case .specials(let specials) = home.sections[2], case .coupons(let coupons) = home.sections[3]
            else { return }
            let allCategories: Page<CategoryBody> = try await shop.server.read("/v1/categories")
            let allSales: Page<SalesGroupBody> = try await shop.server.read("/v1/sales")
            let allCoupons: Page<CouponBody> = try await shop.server.read("/v1/coupons")
            #expect(categories == allCategories.items)
            #expect(categories.map(\.title) == ["Combo", "Burgers", "Fries", "Beverages", "Sauces"])
            #expect(sales == allSales.items)
            #expect(Set(specials.map(\.id)) == [1002, 1003, 1004, 1005, 2002, 2003, 2005, 4004])
            #expect(coupons == allCoupons.items)
            // The coupon FOLLOW is not listed.
            #expect(coupons.map(\.key) == ["FRST", "LAST", "HAPPY"])
        }
    }

    @Test("A shop without a menu returns empty lists")
    func emptyMenu() async throws {
        try await TestShop.run(.migrated) { shop in
            for list in ["menu", "categories", "sales", "coupons"] {
                let page = try await shop.server.get("/v1/\(list)")
                #expect(page.text == #"{"items":[],"nextCursor":null}"#)
            }
            let home = try await shop.server.get("/v1/home")
            #expect(home.text.contains(#"{"kind":"categories","items":[]}"#))
        }
    }

    @Test("An unknown, malformed or non-canonical id returns 404")
    func unknownIDs() async throws {
        try await TestShop.run { shop in
            let ids = [
                "1", "0", "-200", "+200", "0200", "200.0", "200x", "%3200", "%EF%BC%92%EF%BC%90%EF%BC%90",
                "99999999999999999999999", "x",
                "null",
            ]
            for id in ids {
                let item = try await shop.server.problem("/v1/menu/\(id)", status: 404)
                #expect(item.code == "menu_item_not_found", "\(id)")
                let sale = try await shop.server.problem("/v1/sales/\(id)", status: 404)
                #expect(sale.code == "sale_not_found", "\(id)")
            }
            for path in ["/v1/menu/", "/v1/menu/2001/x"] {
                let problem = try await shop.server.problem(path, status: 404)
                #expect(problem.code == "not_found", "\(path)")
            }
        }
    }

    @Test("Every picture of the menu is an SVG, and a conditional GET of it returns 304")
    func pictures() async throws {
        try await TestShop.run { shop in
            let items = try await shop.server.read("/v1/menu?limit=100", as: Page<MenuItemBody>.self).items
            let categories = try await shop.server.read("/v1/categories", as: Page<CategoryBody>.self).items
            let sales = try await shop.server.read("/v1/sales", as: Page<SalesGroupBody>.self).items
            let paths =
                items.map(\.imageURL) + categories.map(\.imageURL)
                + sales.flatMap { [$0.previewImageURL, $0.backgroundImageURL] }
            #expect(Set(paths).count == 36)
            for path in paths {
                let picture = try await shop.server.get(path)
                #expect(picture.status == 200, "\(path)")
                #expect(picture.header("Content-Type") == "image/svg+xml")
                #expect(picture.text.hasPrefix("<svg "), "\(path)")
                let tag = try #require(picture.header("ETag"))
                let second = try await shop.server.get(path, headers: [("If-None-Match", tag)])
                #expect(second.status == 304)
                #expect(second.body.isEmpty)
            }
        }
    }

    @Test("A path under /pictures that is not a shipped picture returns 404")
    func otherFilesAreNotServed() async throws {
        try await TestShop.run { shop in
            for path in [
                "menu.sql", "..%2Fmenu.sql", "../menu.sql", "%2e%2e/menu.sql", "9999.svg", "1001.SVG", "1001.svg%00",
                "",
            ] {
                // Raw bytes, because an HTTP client would normalise the path.
                let status = try await shop.server.withRawConnection { connection in
                    try await connection.send("GET /pictures/\(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                    return try await connection.read(until: "\r\n")
                }
                #expect(status == "HTTP/1.1 404 Not Found\r\n", "\(path)")
            }
        }
    }
}
