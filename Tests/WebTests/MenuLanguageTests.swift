// Menu, baskets, quotes and orders in the client's language. Staff always see the shop's own language.

import StorefrontClient
import Support
import Testing
import Wire

@Suite("Menu languages", .timeLimit(.minutes(10)))
struct MenuLanguageTests {
    private static let german = [("Accept-Language", "de-CH, en;q=0.5")]
    private static let json = [("Content-Type", "application/json")]

    private static func run(_ body: @Sendable @escaping (TestShop) async throws -> Void) async throws {
        try await StaffTests.run { shop in
            try await shop.database.psqlAsStaff(
                """
                begin;
                update shop set languages = '{en,de}';
                insert into translations (subject, id, language, title) values
                    ('menu_items', 2001, 'de', 'Der Große'), ('options', 1102, 'de', 'Rosa'),
                    ('option_groups', 11, 'de', 'Garstufe'),
                    ('sales_groups', 200, 'de', 'Froher Samstag'), ('categories', 200, 'de', 'Burger auf Deutsch'),
                    ('coupons', (select id from coupons where key = 'FRST'), 'de', 'Willkommen');
                commit
                """)
            try await eventually("the server has loaded the German menu") {
                try await shop.server.get("/v1/menu/2001", headers: german).header("Content-Language") == "de"
            }
            try await body(shop)
        }
    }

    @Test("Every menu route responds in the client's language or the shop's, with Content-Language")
    func menu() async throws {
        try await Self.run { shop in
            for path in [
                "/v1/home", "/v1/shop", "/v1/menu", "/v1/menu/2001", "/v1/menu/3001", "/v1/categories", "/v1/sales",
                "/v1/sales/200",
                "/v1/coupons",
            ] {
                for (header, language) in [
                    ("de", "de"), ("de-CH, en;q=0.5", "de"), ("DE-at", "de"), ("gsw-CH", "de"), ("en", "en"),
                    ("fr", "en"),
                    ("fr, de;q=0.1", "de"),
                    ("*", "en"), ("de;q=0", "en"), (";;;", "en"), ("", "en"),
                ] {
                    let reply = try await shop.server.get(path, headers: [("Accept-Language", header)])
                    #expect(reply.status == 200 && reply.header("Content-Language") == language, "\(path) \(header)")
                    #expect(reply.header("Vary")?.hasPrefix("Accept-Language") == true, "\(path)")
                    let tag = try #require(reply.header("ETag"))
                    let revalidation = try await shop.server.get(
                        path, headers: [("Accept-Language", header), ("If-None-Match", tag)])
                    #expect(
                        revalidation.status == 304 && revalidation.header("Content-Language") == language,
                        "\(path) \(header)")
                    #expect(revalidation.header("Vary")?.hasPrefix("Accept-Language") == true)
                }
                let withoutHeader = try await shop.server.get(path)
                #expect(
                    try await shop.server.get(path, headers: [("Accept-Language", "en")]).text == withoutHeader.text)
            }
            let item = try await shop.server.get("/v1/menu/2001", headers: Self.german).decoded(MenuItemBody.self)
            #expect(item.title == "Der Große" && item.optionGroups?.first?.title == "Garstufe")
            #expect(item.optionGroups?.first?.options.map(\.title) == ["Medium rare", "Rosa", "Well done"])
            let other = try await shop.server.get("/v1/menu/2002", headers: Self.german).decoded(MenuItemBody.self)
            #expect(other.title == "BBQ Burger", "the item has no translation")
            // A text without a translation names its language.
            #expect(item.languages == TextLanguagesBody(description: "en"))
            #expect(other.languages == TextLanguagesBody(title: "en", description: "en"))
            #expect(item.optionGroups?.map { $0.languages?.title } == [nil, "en", "en"])
            #expect(item.optionGroups?.first?.options.map { $0.languages?.title } == ["en", nil, "en"])
            let categories = try await shop.server.get("/v1/categories", headers: Self.german).decoded(
                Page<CategoryBody>.self
            ).items
            #expect(categories.filter { $0.languages == nil }.map(\.id) == [200])
            let sale = try await shop.server.get("/v1/sales/200", headers: Self.german).decoded(SalesGroupBody.self)
            #expect(sale.languages == TextLanguagesBody(headline: "en", description: "en"))
            let coupons = try await shop.server.get("/v1/coupons", headers: Self.german).decoded(Page<CouponBody>.self)
                .items
            #expect(coupons.first { $0.key == "FRST" }?.languages == TextLanguagesBody(description: "en"))
            for path in ["/v1/home", "/v1/menu", "/v1/menu/2001", "/v1/sales/200"] {
                #expect(
                    try await !shop.server.get(path).text.contains(#""languages":"#),
                    "\(path) in the shop's own language")
            }
            let found = try await shop.server.get("/v1/menu?q=gro%C3%9Fe", headers: Self.german).decoded(
                Page<MenuItemBody>.self)
            #expect(found.items.map(\.id) == [2001])
            #expect(
                try await shop.server.get("/v1/sales/200", headers: Self.german).decoded(SalesGroupBody.self).title
                    == "Froher Samstag")

            // A price change applies to every language.
            try await shop.database.psqlAsStaff("update menu_items set price = 900 where id = 2001")
            try await eventually("the German menu has the new price") {
                try await shop.server.get("/v1/menu/2001", headers: Self.german).decoded(MenuItemBody.self).price == 900
            }
            #expect(
                try await shop.server.get("/v1/menu/2001", headers: Self.german).decoded(MenuItemBody.self).title
                    == "Der Große")
        }
    }

    @Test(
        "Baskets and quotes follow the request's language, and an order keeps the language of its checkout"
    )
    func order() async throws {
        try await Self.run { shop in
            let created = try await shop.server.send("POST", "/v1/baskets", headers: Self.german).expecting(201)
            #expect(created.header("Content-Language") == "de")
            let id = try created.decoded(BasketBody.self).id
            let address = "/v1/baskets/\(id)"
            let added = try await shop.server.post(
                "\(address)/items", json: #"{"menuItemId":2001}"#, headers: Self.german
            ).expecting(200)
            var basket = try added.decoded(BasketBody.self)
            #expect(basket.lines[0].title == "Der Große" && basket.lines[0].options.map(\.title) == ["Rosa"])
            #expect(added.header("Content-Language") == "de" && added.header("Vary") == "Accept-Language")
            basket = try await shop.server.post(
                "\(address)/sales", json: #"{"salesGroupId":200}"#, headers: Self.german
            ).decoded()
            #expect(basket.sales[0].title == "Froher Samstag")

            // A tag belongs to its language: in another language it matches neither If-None-Match nor If-Match.
            let german = try await shop.server.get(address, headers: Self.german)
            let english = try await shop.server.get(address)
            #expect(try english.decoded(BasketBody.self).lines[0].title == "The Big Tasty")
            #expect(try english.decoded(BasketBody.self).lines[0].options.map(\.title) == ["Medium"])
            let tag = try #require(german.header("ETag"))
            #expect(tag != english.header("ETag") && english.header("Content-Language") == "en")
            for (headers, status) in [(Self.german, 304), ([], 200)] {
                #expect(
                    try await shop.server.get(address, headers: headers + [("If-None-Match", tag)]).status == status)
            }
            let path = "\(address)/lines/1/increment"
            #expect(try await shop.server.send("POST", path, headers: [("If-Match", tag)]).status == 412)
            let more = try await shop.server.send("POST", path, headers: Self.german + [("If-Match", tag)]).expecting(
                200)
            basket = try more.decoded()

            var form = CheckoutBody.filled(for: basket, coupon: "FRST")
            form.expectedTotal = try #require(try await shop.server.validate(form).decoded(ValidationBody.self).quote)
                .total
            let sent = String(decoding: form.json, as: UTF8.self)
            let live = try await shop.server.post("/v1/checkout/validate", json: sent, headers: Self.german).expecting(
                200)
            #expect(live.header("Content-Language") == "de")
            let quote = try #require(try live.decoded(ValidationBody.self).quote)
            #expect(quote.lines[0].title == "Der Große" && quote.sales[0].title == "Froher Samstag")
            #expect(quote.totals.map(\.title) == ["Zwischensumme", "Willkommen", "Gesamt"])
            let wrong = String(decoding: CheckoutBody.filled(for: basket, coupon: "FRST").json, as: UTF8.self)
            let changed = try await shop.server.post(
                "/v1/checkout", json: wrong, headers: Self.german + [("Idempotency-Key", "k")]
            ).expecting(409)
            #expect(
                changed.header("Content-Language") == "de" && changed.text.contains("Zwischensumme"), "the quote in it")
            let key = [("Idempotency-Key", "k")]
            let placed = try await shop.server.post("/v1/checkout", json: sent, headers: Self.german + key).expecting(
                201)
            #expect(placed.header("Content-Language") == "de")
            let order = try placed.decoded(OrderBody.self)
            #expect(order.lines == quote.lines && order.sales == quote.sales)
            // A replay is the same response in any language.
            let replay = try await shop.server.post("/v1/checkout", json: sent, headers: key).expecting(201)
            #expect(replay.text == placed.text && replay.header("Content-Language") == "de")
            let read = try await shop.server.get("/v1/orders/\(id)", headers: [("Accept-Language", "en")])
            #expect(
                try read.decoded(OrderBody.self).lines[0].title == "Der Große"
                    && read.header("Content-Language") == "de")
            #expect(try read.decoded(OrderBody.self).totals.map(\.title) == ["Zwischensumme", nil, "Gesamt"])

            let today = try await shop.server.get("/v1/staff/today", headers: StaffTests.bearer).decoded(TodayBody.self)
            #expect(today.topItems.map(\.title).sorted() == ["BBQ Burger", "The Big Tasty"])
            for path in ["today", "orders", "orders/\(order.number)", "options"] {
                let reply = try await shop.server.get("/v1/staff/\(path)", headers: StaffTests.bearer + Self.german)
                #expect(reply.header("Content-Language") == "en", "\(path)")
            }
            for staff in [
                try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer).decoded(
                    OrderBody.self),
                try #require(
                    try await shop.server.get("/v1/staff/orders", headers: StaffTests.bearer).decoded(
                        Page<OrderBody>.self
                    ).items.first),
            ] {
                #expect(staff.totals.map(\.title) == ["Subtotal", "Welcome to the table", "Total"])
                #expect(staff.lines[0].title == "The Big Tasty" && staff.lines[0].options.map(\.title) == ["Medium"])
                #expect(
                    staff.sales[0].title == "Happy Saturday"
                        && staff.sales[0].items[0].options.map(\.title) == ["Medium"])
            }
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            let receipt = try await shop.server.get("/v1/orders/\(id)/receipt", headers: token).expecting(200)
            #expect(receipt.header("Content-Language") == "de" && receipt.text.contains("Zwischensumme"))
            let cancelled = try await shop.server.send("POST", "/v1/orders/\(id)/cancel", headers: token).expecting(200)
            #expect(cancelled.header("Content-Language") == "de" && cancelled.text.contains("Zwischensumme"))
        }
    }

    @Test("In a language without built-in texts, totals use staff's translations, or fall back to the shop's language")
    func translatedTotals() async throws {
        try await Self.run { shop in
            try await shop.database.psqlAsStaff(
                """
                begin;
                update shop set languages = '{en,fr}';
                insert into translations (subject, id, language, title)
                select 'totals', id, 'fr', case kind when 'subtotal' then 'Sous-total' else 'À payer' end
                from totals where kind in ('subtotal', 'total');
                commit
                """)
            let french = [("Accept-Language", "fr")]
            try await eventually("the server has loaded the French menu") {
                try await shop.server.get("/v1/menu/2001", headers: french).header("Content-Language") == "fr"
            }
            func order(tip: Int64?, key: String) async throws -> (sent: String, reply: TestServer.Reply) {
                var form = CheckoutBody.filled(for: try await shop.server.startBasket(items: [(2001, 1)]))
                form.tip = tip
                form.expectedTotal = (form.expectedTotal ?? 0) + (tip ?? 0)
                let sent = String(decoding: form.json, as: UTF8.self)
                let headers = french + [("Idempotency-Key", key)]
                return (sent, try await shop.server.post("/v1/checkout", json: sent, headers: headers).expecting(201))
            }
            let translated = try await order(tip: nil, key: "a")
            #expect(try translated.reply.decoded(OrderBody.self).totals.map(\.title) == ["Sous-total", "À payer"])
            #expect(translated.reply.header("Content-Language") == "fr")
            let fallback = try await order(tip: 50, key: "b")
            #expect(try fallback.reply.decoded(OrderBody.self).totals.map(\.title) == ["Sous-total", "Tip", "À payer"])
            #expect(fallback.reply.header("Content-Language") == "en")
            // Replays keep their bytes when staff change the translations.
            try await shop.database.psqlAsStaff(
                "delete from translations where subject = 'totals'; update shop set languages = '{de,en}'")
            try await eventually("the shop's language is German") {
                try await shop.server.get("/v1/menu").header("Content-Language") == "de"
            }
            for (order, language) in [(translated, "fr"), (fallback, "en")] {
                let key = [("Idempotency-Key", language == "fr" ? "a" : "b")]
                let replay = try await shop.server.post("/v1/checkout", json: order.sent, headers: key).expecting(201)
                #expect(replay.text == order.reply.text && replay.header("Content-Language") == language)
            }
        }
    }

    @Test(
        "Tax rates, areas and shop texts are in the guest's language, and an untranslated text names its language"
    )
    func termsAndTexts() async throws {
        try await Self.run { shop in
            try await shop.database.psqlAsStaff(
                """
                begin;
                update shop set imprint = 'Welm Ltd.', privacy = 'We keep little.';
                insert into tax_rates (id, title, percent) values (1, 'VAT on food', 7), (2, 'VAT on drinks', 19);
                insert into category_taxes (category_id, tax_rate_id) values (200, 1), (400, 2);
                insert into delivery_areas (id, title, postcodes) values
                    (1, 'The town', '{10*}'), (2, 'The hills', '{2*}');
                insert into translations (subject, id, language, title) values
                    ('tax_rates', 1, 'de', 'MwSt. auf Speisen'), ('delivery_areas', 1, 'de', 'Die Stadt');
                insert into translations (subject, id, language, description) values
                    ('shop_texts', 1, 'de', 'Welm GmbH.');
                commit
                """)
            func area(_ postcode: String, _ headers: [(String, String)]) async throws -> (
                reply: TestServer.Reply, area: DeliveryAreaBody?
            ) {
                let reply = try await shop.server.get("/v1/delivery?postcode=\(postcode)", headers: headers).expecting(
                    200)
                return (reply, try reply.decoded(DeliveryBody.self).area)
            }
            try await eventually("the server has loaded the areas") {
                try await area("10117", []).area?.title == "The town"
            }
            let german = try await area("10117", Self.german)
            #expect(
                german.area == DeliveryAreaBody(id: 1, title: "Die Stadt")
                    && german.reply.header("Content-Language") == "de")
            #expect(german.reply.header("Vary")?.contains("Accept-Language") == true)
            let tag = try #require(german.reply.header("ETag"))
            #expect(try await area("10117", []).reply.header("ETag") != tag)
            let unchanged = try await shop.server.get(
                "/v1/delivery?postcode=10117", headers: Self.german + [("If-None-Match", tag)])
            #expect(unchanged.status == 304 && unchanged.header("Content-Language") == "de")
            #expect(
                try await area("20095", Self.german).area
                    == DeliveryAreaBody(id: 2, title: "The hills", languages: TextLanguagesBody(title: "en")))
            let english = try await area("20095", [])
            #expect(
                english.area == DeliveryAreaBody(id: 2, title: "The hills")
                    && english.reply.header("Content-Language") == "en")

            let about = try await shop.server.get("/v1/shop", headers: Self.german).decoded(ShopBody.self)
            #expect(about.imprint == "Welm GmbH." && about.privacy == "We keep little.")
            #expect(about.textLanguages == ShopTextLanguagesBody(privacy: "en") && about.languages == ["en", "de"])
            let own = try await shop.server.get("/v1/shop").decoded(ShopBody.self)
            #expect(own.imprint == "Welm Ltd." && own.textLanguages == nil)

            let basket = try await shop.server.startBasket(items: [(2001, 1), (4001, 1)])
            var form = CheckoutBody.filled(for: basket)
            form.postcode = "10117"
            let sent = String(decoding: form.json, as: UTF8.self)
            func taxes(_ totals: [TotalBody]?) -> [String?] { (totals ?? []).filter { $0.kind == "tax" }.map(\.title) }
            let live = try await shop.server.post("/v1/checkout/validate", json: sent, headers: Self.german).expecting(
                200)
            #expect(
                try taxes(live.decoded(ValidationBody.self).quote?.totals) == ["MwSt. auf Speisen", "VAT on drinks"])
            #expect(live.header("Content-Language") == "de")
            let headers = Self.german + [("Idempotency-Key", "k")]
            let placed = try await shop.server.post("/v1/checkout", json: sent, headers: headers).expecting(201)
            let order = try placed.decoded(OrderBody.self)
            #expect(
                taxes(order.totals) == ["MwSt. auf Speisen", "VAT on drinks"]
                    && placed.header("Content-Language") == "de")
            // The order keeps its language, and staff see the shop's language.
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")"), ("Accept-Language", "en")]
            let receipt = try await shop.server.get("/v1/orders/\(order.id)/receipt", headers: token).decoded(
                ReceiptBody.self)
            #expect(receipt.taxes.map(\.title) == ["MwSt. auf Speisen", "VAT on drinks"])
            let staff = try await shop.server.get(
                "/v1/staff/orders/\(order.number)", headers: StaffTests.bearer + Self.german)
            #expect(try taxes(staff.decoded(OrderBody.self).totals) == ["VAT on food", "VAT on drinks"])
            #expect(try staff.decoded(StaffOrderBody.self).area == DeliveryAreaBody(id: 1, title: "The town"))
            let replay = try await shop.server.post("/v1/checkout", json: sent, headers: [("Idempotency-Key", "k")])
                .expecting(201)
            #expect(replay.text == placed.text)
        }
    }

    @Test("StorefrontClient reads texts in its configured language, and ignores a menu file in another language")
    func client() async throws {
        try await Self.run { shop in
            try await TemporaryDirectory.with { directory in
                var german = ClientConfiguration()
                (german.acceptLanguage, german.menuFilePath) = ("de", "\(directory)/menu.json")
                let basket = try await StorefrontClient.with(shop.server.storefront.address, configuration: german) {
                    client async throws in
                    #expect(try await client.menuItem(2001).body.title == "Der Große")
                    let basket = try await client.createBasket()
                    return try await client.addItem(2001, to: basket.id)
                }
                #expect(basket.lines.map(\.title) == ["Der Große"])
                var english = german
                english.acceptLanguage = nil
                try await StorefrontClient.with(shop.server.storefront.address, configuration: english) {
                    client async throws in
                    #expect(try await client.menuItem(2001).body.title == "The Big Tasty")
                    #expect(try await client.basket(basket.id).lines.map(\.title) == ["The Big Tasty"])
                }
            }
        }
    }
}
