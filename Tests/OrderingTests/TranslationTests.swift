// Translations of the menu: translated texts are shown and searched, all other texts stay in the shop's language.
import Testing

@testable import Ordering

@Suite("Translations of the menu")
struct TranslationTests {
    private static func tag(_ text: String) throws -> LanguageTag { try #require(LanguageTag(text)) }

    private static func text(_ title: String?, _ description: String? = nil) -> TranslatedText {
        TranslatedText(title: title, description: description)
    }

    private static func menu() throws -> Menu {
        let (german, swiss, spanish) = (try tag("de"), try tag("de-CH"), try tag("es"))
        var app = MenuFixture()
        app.changeItem(2003) { $0.description = "With melted cheese" }
        let later = Instant(microseconds: app.moment.microseconds + 1)
        app.changeItem(4001) { $0.soldOutUntil = later }
        app.languages = ShopLanguages(own: .english, others: [german, swiss, spanish])
        app.coupons = [
            PublicCoupon(
                id: CouponID(rawValue: 7), key: "FRST", title: "First order", description: "10 % off", startsAt: nil,
                endsAt: nil,
                minimumSubtotal: nil),
            PublicCoupon(
                key: "LAST", title: "Last day", description: "", startsAt: nil, endsAt: nil, minimumSubtotal: nil),
        ]
        app.translations = Translations([
            Translation(.menuItems, 2003, german, text("Käseburger", "Mit geschmolzenem Käse")),
            Translation(.menuItems, 2003, swiss, text("Chäsburger")),
            Translation(.menuItems, 2003, swiss, text("Another")),
            Translation(.menuItems, 3001, german, text("", "Frisch frittiert")),
            Translation(.menuItems, 1004, german, text("Dreierlei")),
            Translation(.menuItems, 2002, german, text("BBQ-Burger")),
            Translation(.categories, 200, german, text("Burger")),
            Translation(.salesGroups, 200, german, text("Froher Samstag", "Drei BBQ-Burger")),
            Translation(.coupons, 7, german, text("Erste Bestellung", "10 % weniger")),
            Translation(.options, 2001, german, text("Nicht der Burger")),
            Translation(.menuItems, 9999, german, text("Nichts")),
        ])
        return try app.menu()
    }

    @Test("Items, categories, sales groups and coupons show their translated texts, each text by itself")
    func texts() throws {
        let menu = try Self.menu()
        let german = menu.translated(into: try Self.tag("de"))
        #expect((menu.language.text, german.language.text) == ("en", "de"))
        #expect(german.item(2003)?.title == "Käseburger" && german.item(2003)?.description == "Mit geschmolzenem Käse")
        #expect(german.item(3001)?.title == "French Fries" && german.item(3001)?.description == "Frisch frittiert")
        #expect(german.item(1004)?.title == "Dreierlei" && german.item(2002)?.title == "BBQ-Burger")
        #expect(german.item(2001)?.title == "The Big Tasty")
        #expect(german.categories.map(\.title) == ["Combo", "Burger", "Fries", "Beverages", "Sauces"])
        #expect(german.sale(200)?.title == "Froher Samstag" && german.sale(200)?.description == "Drei BBQ-Burger")
        #expect(german.sale(400)?.title == "Hot Chicken Days")
        #expect(
            german.coupons.map(\.title) == ["Erste Bestellung", "Last day"]
                && german.coupons[0].description == "10 % weniger")
    }

    @Test("Prices, kinds, sales groups, positions, stock and times are the same in every language")
    func untranslatedProperties() throws {
        let menu = try Self.menu()
        let german = menu.translated(into: try Self.tag("de"))
        #expect(german.revision == menu.revision && german.moment == menu.moment && german.validity == menu.validity)
        #expect(german.items.map(\.id) == menu.items.map(\.id) && german.items.map(\.kind) == menu.items.map(\.kind))
        #expect(german.items.map(\.currentPrice) == menu.items.map(\.currentPrice))
        #expect(german.items.map(\.salesGroupID) == menu.items.map(\.salesGroupID))
        #expect(german.items.map(\.details.food) == menu.items.map(\.details.food))
        #expect(german.sales.map(\.content) == menu.sales.map(\.content) && german.timeZone == menu.timeZone)
        #expect(!german.availability(of: 4001).isAvailable)
        #expect(
            german.evaluated(at: Instant(microseconds: menu.moment.microseconds + 1)).availability(of: 4001).isAvailable
        )
        #expect(PricedBasket(CheckoutFixture.basket([(2003, 2)]), menu: german).lines[0].title == "Käseburger")
    }

    @Test("A translated menu reports the translated texts of a row, and a menu in the shop's language reports none")
    func translated() throws {
        let menu = try Self.menu()
        let german = menu.translated(into: try Self.tag("de"))
        #expect(german.translation(of: .menuItems, 3001) == Self.text(nil, "Frisch frittiert"))
        #expect(
            german.translation(of: .menuItems, 2001) == Self.text(nil) && menu.translation(of: .menuItems, 3001) == nil)
    }

    @Test("A text that de-CH lacks is taken from de, and otherwise from the shop's language")
    func fallback() throws {
        let menu = try Self.menu()
        let swiss = menu.translated(into: try Self.tag("de-ch"))
        #expect(swiss.item(2003)?.title == "Chäsburger" && swiss.item(2003)?.description == "Mit geschmolzenem Käse")
        #expect(swiss.item(1004)?.title == "Dreierlei" && swiss.language.text == "de-CH")
        let spanish = menu.translated(into: try Self.tag("es"))
        #expect(spanish.items.map(\.title) == menu.items.map(\.title) && spanish.language.text == "es")
    }

    @Test("Search matches the translated texts, also with typing errors, and titles sort in the menu's language")
    func search() throws {
        let menu = try Self.menu()
        let german = menu.translated(into: try Self.tag("de"))
        func found(_ words: String, _ menu: Menu) -> [MenuItemID] {
            MenuPageQuery(words: words, limit: 100).page(of: menu).items.map(\.id)
        }
        #expect(found("geschmolzen", german) == [2003] && found("geschmolzen", menu).isEmpty)
        #expect(found("melted", menu) == [2003] && found("melted", german).isEmpty)
        #expect(found("kaseburgre", german) == [2003])
        let titles = MenuPageQuery(category: CategoryID(rawValue: 100), order: .title).page(of: german).items.map(
            \.title)
        #expect(titles == ["Cheese Peasy", "Date Tonight", "Dreierlei", "Grandma Dinner", "Grill Combo"])
    }

    @Test("A menu stays unchanged for its own language, for an unknown language, and after it was translated")
    func unchanged() throws {
        let menu = try Self.menu()
        for language in ["en", "fr", "en-GB", "de-AT"] {
            let same = menu.translated(into: try Self.tag(language))
            #expect(same.language.text == "en" && same.items.map(\.title) == menu.items.map(\.title), "\(language)")
        }
        let german = menu.translated(into: try Self.tag("de"))
        for language in ["en", "es", "de", "de-CH"] {
            let same = german.translated(into: try Self.tag(language))
            #expect(same.language.text == "de" && same.item(2003)?.title == "Käseburger", "\(language)")
        }
    }

    @Test("Translation subjects have the names of their tables")
    func subjects() {
        let names = [
            "menu_items", "options", "option_groups", "categories", "sales_groups", "coupons", "totals", "tax_rates",
            "delivery_areas",
            "shop_texts",
        ]
        #expect(TranslationSubject.allCases.map(\.rawValue) == names)
    }

    @Test("Totals are titled by staff's translation, then by built-in words, then in the shop's language")
    func totals() throws {
        let (german, swiss, french) = (try Self.tag("de"), try Self.tag("de-CH"), try Self.tag("fr"))
        let translations = Translations([
            Translation(.totals, TotalKind.tip.translationID, german, Self.text("Danke")),
            Translation(.totals, TotalKind.subtotal.translationID, french, Self.text("Sous-total")),
            Translation(.totals, TotalKind.total.translationID, french, Self.text("Total à payer")),
        ])
        var app = MenuFixture()
        (app.languages, app.translations) = (
            ShopLanguages(own: .english, others: [german, swiss, french]), translations
        )
        let menu = try app.menu()
        func bill(_ menu: Menu, tip: Int64) throws -> Bill {
            let id = try #require(BasketID("01912f4c-7a3e-7b1c-9d2e-3f4a5b6c7d8e"))
            let empty = Basket(id: id, currency: menu.currency.code)
            let basket = try empty.applying(.addItem(MenuItemID(rawValue: 2001), quantity: 1), menu: menu).get()
            return Bill(PricedBasket(basket, menu: menu), menu.terms, tip: tip, titles: menu.totalTitles)
        }
        for (language, tip, titles, answer) in [
            (LanguageTag.english, 5, ["Subtotal", "Tip", "Total"], "en"),
            (german, 5, ["Zwischensumme", "Danke", "Gesamt"], "de"),
            (swiss, 5, ["Zwischensumme", "Danke", "Gesamt"], "de-CH"),
            (french, 0, ["Sous-total", "Total à payer"], "fr"),
            (french, 5, ["Sous-total", "Tip", "Total à payer"], "en"),
        ] as [(LanguageTag, Int64, [String], String)] {
            let translated = try bill(menu.translated(into: language), tip: tip)
            #expect(translated.totals.all.map(\.title) == titles && translated.language.text == answer, "\(language)")
        }
        // The shop's own language has no built-in words.
        app.languages = ShopLanguages(own: french, others: [german])
        #expect(try bill(app.menu(), tip: 5).totals.all.map(\.title) == ["Sous-total", "Tip", "Total à payer"])
        #expect(try bill(app.menu(), tip: 5).language == french)
    }

    @Test(
        "Titles of tax rates and delivery areas show staff's translation, and otherwise the shop's title"
    )
    func terms() throws {
        let german = try Self.tag("de")
        var app = MenuFixture()
        app.languages = ShopLanguages(own: .english, others: [german])
        let percent = try #require(Rate(tenThousandths: 70_000))
        let rates = [
            TaxRate(id: 1, title: "VAT on food", percent: percent),
            TaxRate(id: 2, title: "VAT on drinks", percent: percent),
        ]
        let postcodes = [try #require(PostcodePattern("10*"))]
        let areas = [
            DeliveryArea(
                id: 1, title: "The town", postcodes: postcodes, extraMinutes: 5,
                fees: [DeliveryFee(from: .zero, fee: .zero)]),
            DeliveryArea(id: 2, title: "The hills", priority: 1, postcodes: [try #require(PostcodePattern("*"))]),
        ]
        app.terms = ShopTerms(
            areas: DeliveryAreas(areas),
            taxes: TaxTerms(
                rates: rates,
                categories: [
                    CategoryTax(CategoryID(rawValue: 200), rate: 1), CategoryTax(CategoryID(rawValue: 400), rate: 2),
                ], pricesIncludeTax: true,
                serviceRate: 2))
        app.translations = Translations([
            Translation(.taxRates, 1, german, Self.text("MwSt. auf Speisen")),
            Translation(.deliveryAreas, 1, german, Self.text("Die Stadt")),
        ])
        let menu = try app.menu()
        let translated = menu.translated(into: german)
        func bill(_ menu: Menu) -> Bill {
            Bill(
                PricedBasket(CheckoutFixture.basket([(2001, 1), (4001, 1)]), menu: menu), menu.terms,
                titles: menu.totalTitles)
        }
        func taxes(_ bill: Bill) -> [String] { bill.totals.all.filter { $0.key.kind == .tax }.map(\.title) }
        #expect(taxes(bill(menu)) == ["VAT on food", "VAT on drinks"])
        #expect(taxes(bill(translated)) == ["MwSt. auf Speisen", "VAT on drinks"])
        #expect(
            bill(translated).totals.all.map(\.amount) == bill(menu).totals.all.map(\.amount)
                && bill(translated).language == german)
        // All properties except the titles are equal.
        for postcode in ["10117", "80331"] {
            let postcode = try #require(try Postcode.parse(postcode).get())
            let (own, other) = (menu.terms.areas.area(for: postcode), translated.terms.areas.area(for: postcode))
            #expect(own?.id == other?.id && own?.fees == other?.fees && own?.extraMinutes == other?.extraMinutes)
        }
        let mitte = try #require(try Postcode.parse("10117").get())
        #expect(
            menu.terms.areas.area(for: mitte)?.title == "The town"
                && translated.terms.areas.area(for: mitte)?.title == "Die Stadt")
        let same = translated.terms.translated { subject, id in
            subject == .taxRates && id == 1
                ? Self.text("VAT on food")
                : subject == .deliveryAreas && id == 1 ? Self.text("The town") : Self.text(nil)
        }
        #expect(same == menu.terms)
    }

    @Test("The shop's imprint and privacy text are translated independently")
    func shopTexts() {
        let about = ShopProfile(
            name: "Welm's", address: "Here", phone: "1", imprint: "Imprint", privacy: "Privacy", taxNumber: "DE1")
        let translated = about.translated { subject, id in
            TranslatedText(
                title: nil, description: subject == .shopTexts && id == ShopText.imprint.rawValue ? "Impressum" : nil)
        }
        #expect(
            translated
                == ShopProfile(
                    name: "Welm's", address: "Here", phone: "1", imprint: "Impressum", privacy: "Privacy",
                    taxNumber: "DE1"))
        #expect(ShopText.allCases.map(\.rawValue) == [1, 2])
    }

    @Test("A menu of 1,000 items is translated in the same way at each call")
    func many() throws {
        var app = MenuFixture()
        app.items = (1...1_000).map { MenuFixture.ItemRow($0, "Item \($0)", .regular, 100) }
        let german = try Self.tag("de")
        app.languages = ShopLanguages(own: .english, others: [german])
        app.translations = Translations(
            (1...1_000).map { Translation(.menuItems, $0, german, Self.text("Gericht \($0)")) })
        let menu = try app.menu()
        #expect(menu.translated(into: german).items.map(\.title) == (1...1_000).map { "Gericht \($0)" })
        #expect(menu.translated(into: german).items.map(\.title) == menu.translated(into: german).items.map(\.title))
    }
}
