// The server's writer encodes every body, and the client's decoder reads it. The bytes have the documented members in
// the documented order.

import Foundation
import Testing
import Wire

@Suite("Response bodies")
struct ResponseBodyTests {
    static let item = MenuItemBody(
        id: 1003, kind: "special", category: 100, title: "Cheese \"Peasy\"", description: "Zwölf Käse\n🍕",
        imageURL: "/pictures/1003.svg",
        price: 2099, salePercent: 20, currentPrice: 1679, currency: "USD", tags: ["cheese", "hot"], isAvailable: true,
        salesGroupId: 400,
        currencyExponent: 2, hasOptions: true, left: 3, contains: ["milk"], mayContain: ["nuts"],
        allergensAreKnown: true,
        diets: ["vegetarian"], minimumAge: 18, nutrition: NutritionBody(kilojoules: 1_000, salt: 0),
        optionGroups: [
            OptionGroupBody(
                id: 12, title: "Extras", minimum: 0, maximum: nil, included: 1,
                options: [
                    OptionBody(
                        id: 1201, title: "Cheddar", price: -95, maximum: 2, isDefault: true, isAvailable: false,
                        unavailable: UnavailableBody(reason: "stock_short", available: 1), left: 1, contains: ["milk"],
                        allergensAreKnown: true, diets: ["vegetarian"], minimumAge: 16, nutrition: NutritionBody(),
                        optionGroups: [
                            OptionGroupBody(id: 13, title: "Kind", minimum: 1, maximum: 1, included: 0, options: [])
                        ])
                ])
        ])
    static let lineOption = LineOptionBody(
        optionId: 1201, groupId: 12, title: "Cheddar", quantity: 2, price: -95, total: -90,
        options: [LineOptionBody(optionId: 1301, groupId: 13, title: "Old", quantity: 1, price: 5, total: 5)])
    static let plainItem = MenuItemBody(
        id: 5001, kind: "regular", category: 500, title: "Tomato Sauce", description: "", imageURL: "", price: 165,
        currentPrice: 165,
        currency: "USD", tags: [], isAvailable: false, currencyExponent: 2,
        unavailable: UnavailableBody(reason: "sold_out"))
    static let sale = SalesGroupBody(
        id: 200, kind: "set", title: "Happy Saturday", headline: "Three", description: "Burgers", previewImageURL: "/a",
        backgroundImageURL: "",
        items: [SalesGroupItemBody(menuItem: item, quantity: 3)], total: 5037, currency: "USD", currencyExponent: 2)
    static let basketLine = BasketLineBody(
        menuItemId: 1003, kind: "special", title: "Cheese Peasy", quantity: 2, unitPrice: 1679, regularUnitPrice: 2099,
        total: 3358,
        isAvailable: true, previousUnitPrice: 1700, lineId: 3, options: [lineOption], note: "no onions",
        contains: ["milk"],
        mayContain: ["nuts"], allergensAreKnown: true, diets: ["halal"], minimumAge: 18)
    static let orderLine = OrderLineBody(
        menuItemId: 1003, kind: "special", title: "Cheese Peasy", quantity: 2, regularUnitPrice: 2099, unitPrice: 1679,
        total: 3358,
        discount: 336, lineId: 3, options: [lineOption], note: "no onions", tax: 249)
    static let orderSale = OrderSetBody(salesGroupId: 400, title: "Hot Chicken Days", items: [orderLine], total: 3358)
    static let customer = CustomerBody(
        name: "Zoë O'Brien", phone: "+12025550123", email: "z@example.com", address: "1 Main St", comment: nil,
        postcode: "10 117")
    static let order = OrderBody(
        id: "0197-b", number: "04219377", state: "placed", basketId: "0197-b", lines: [orderLine], sales: [orderSale],
        coupon: "FRST",
        subtotal: 6716,
        discount: 672, total: 6044, currency: "USD", etaMinutes: 25, placedAt: "2026-03-01T10:00:00Z",
        customer: customer,
        actions: ["cancel"],
        accessToken: "secret", currencyExponent: 2,
        totals: [
            TotalBody(kind: "subtotal", title: "Subtotal", amount: 6716),
            TotalBody(kind: "discount", code: "FRST", title: "First", amount: -672),
            TotalBody(kind: "discount", amount: -1),
            TotalBody(kind: "tax", code: "2", title: "Tax", amount: 500, isIncluded: true, rate: "8.875"),
            TotalBody(kind: "total", title: "Total", amount: 6044),
        ], minimumAge: 18, fulfilment: "delivery", readyAt: "2026-03-01T10:25:00Z")
    static let preOrder = OrderBody(
        id: "0197-c", number: "04219378", state: "placed", basketId: "0197-c", lines: [], sales: [], subtotal: 0,
        discount: 0, total: 0,
        currency: "JPY", etaMinutes: nil, placedAt: "2026-03-01T10:00:00Z",
        customer: CustomerBody(name: "Zoë", phone: "+12025550123", email: "z@example.com", address: nil), actions: [],
        currencyExponent: 0,
        totals: [], fulfilment: "pickup", wantedAt: "2026-03-01T18:00:00Z", readyAt: "2026-03-01T18:00:00Z")
    static let quote = QuoteBody(
        subtotal: 6716, discount: 0, total: 6716, currency: "USD", lines: [orderLine], sales: [orderSale],
        conditions: ["coupon_first_order_only"], currencyExponent: 2,
        totals: [
            TotalBody(kind: "subtotal", title: "Subtotal", amount: 6716),
            TotalBody(kind: "total", title: "Total", amount: 6716),
        ],
        fulfilment: "delivery", etaMinutes: 25, tipMaximum: 6716)
    static let fieldError = FieldErrorBody(
        field: "coupon", code: "coupon_minimum_not_reached", message: "Add 5.00 more.",
        params: [
            "missingAmount": .integer(500), "startsAt": .text("2026-03-01T00:00:00Z"),
            "alternatives": .texts(["a", "\"b\""]),
            "none": .texts([]),
        ])
    static let event = ErrorEventBody(
        id: "9f-7", at: "2026-03-01T10:00:00Z", kind: "fault", code: "menu_unavailable", message: "Sorry",
        subject: "menu", link: "/v1/menu"
    )

    static let openingStatus = OpeningStatusBody(
        fulfilment: "pickup", isOpen: false, until: nil, opensAt: "2026-03-01T17:00:00Z",
        pausedUntil: "2026-03-01T10:30:00Z",
        pauseReason: "The oven", isOffered: true, minutes: RangeBody(lowest: 15, highest: 40), minimumSubtotal: nil,
        fee: RangeBody(lowest: 0, highest: 390), currency: "USD", currencyExponent: 2, needsPostcode: true)

    func expectRoundTrip<Body: JSONWritable & Decodable & Equatable>(_ body: Body) throws {
        let json = Data(body.json)
        #expect(try JSONSerialization.jsonObject(with: json) is [String: Any])
        #expect(try JSONDecoder().decode(Body.self, from: json) == body, "\(String(decoding: json, as: UTF8.self))")
    }

    @Test("Every body decodes to the value that was encoded")
    func allRoundTrip() throws {
        let category = CategoryBody(id: 100, title: "Combo", imageURL: "/pictures/combo.svg")
        let coupon = CouponBody(
            key: "FRST", title: "First", description: "10 % off", currency: "USD", currencyExponent: 2)
        try expectRoundTrip(Self.item)
        try expectRoundTrip(Self.plainItem)
        try expectRoundTrip(Self.sale)
        try expectRoundTrip(Page(items: [Self.item, Self.plainItem], nextCursor: "abc"))
        try expectRoundTrip(Page(items: [category]))
        try expectRoundTrip(
            HomeBody(
                sections: [
                    .categories([category]), .salesGroups([Self.sale]), .specials([]), .coupons([coupon]),
                    .unknown(kind: "new"),
                ],
                opening: [Self.openingStatus]))
        try expectRoundTrip(
            BasketBody(
                id: "b", state: "open", version: 3, lines: [Self.basketLine],
                sales: [
                    BasketSetBody(
                        salesGroupId: 400, title: "Hot", items: [Self.basketLine], total: 3358, isAvailable: true)
                ],
                totalCount: 3,
                total: 6716, currency: "USD", actions: ["checkout", "clear"], currencyExponent: 2))
        try expectRoundTrip(
            ShopBody(
                name: "Welm's", address: nil, phone: "1", imprint: "\"Ä\"", privacy: nil, currency: "EUR",
                currencyExponent: 2,
                timeZone: "Europe/Berlin", languages: ["de", "en"]))
        try expectRoundTrip(Self.order)
        try expectRoundTrip(Self.preOrder)
        try expectRoundTrip(Self.quote)
        try expectRoundTrip(
            ValidationBody(
                fields: FieldResultsBody([
                    .name: FieldResultBody(value: .text("Ann Lee")),
                    .phone: FieldResultBody(code: "invalid_phone", message: "…", params: ["limit": .integer(10)]),
                    .expectedTotal: FieldResultBody(value: .integer(6716)),
                ]),
                errors: [Self.fieldError], quote: Self.quote, isReady: false))
        try expectRoundTrip(
            ProblemBody(
                type: "urn:x", title: "Price changed", status: 409, code: "price_changed", detail: "…", requestId: "r",
                errors: [Self.fieldError],
                orderId: "b",
                changes: [
                    PriceChangeBody(path: "currency", old: .text("USD"), new: .text("KWD"), cause: "currency"),
                    PriceChangeBody(path: "lines/1003", old: .integer(1), new: .integer(2), cause: "menu_price"),
                ], quote: Self.quote))
        try expectRoundTrip(ErrorsBody(condition: "degraded", events: [Self.event]))
        try expectRoundTrip(MissedEventsBody(missed: 12))
        try expectRoundTrip(
            OrderEventBody(
                orderId: "b", number: "04219377", state: "rejected", at: "2026-03-01T10:00:00Z",
                rejectionReason: "\"out\"",
                link: "/v1/orders/b"))
        try expectRoundTrip(
            OrderEventBody(
                orderId: "b", number: "04219377", state: "accepted", at: "2026-03-01T10:00:00Z", link: "/v1/orders/b",
                isTakenBack: true,
                readyAt: "2026-03-01T10:25:00Z", delayReason: "The oven is cold."))
        try expectRoundTrip(ListChangedBody(link: "/v1/staff/orders"))
        for unavailable in [nil, UnavailableBody(reason: "sold_out", until: "2026-03-01T10:00:00Z")] {
            try expectRoundTrip(
                StaffOptionBody(
                    id: 1203, title: "Fried egg", groupId: 12, groupTitle: "Extras", isAvailable: unavailable == nil,
                    unavailable: unavailable,
                    left: unavailable == nil ? 5 : nil))
        }
        try expectRoundTrip(
            TodayBody(
                date: "2026-03-01", timeZone: "Europe/Berlin", asOf: "2026-03-01T10:00:00Z",
                orders: ["total": 28, "placed": 1, "on_the_way": 27],
                revenue: 12, currency: "EUR", ordersPerHour: Array(0..<24),
                topItems: [
                    TopItemBody(
                        menuItemId: 2001, title: "The Big Tasty", quantity: 3, revenue: 2415, currency: "EUR",
                        currencyExponent: 2)
                ],
                currencyExponent: 2, revenues: [RevenueBody(revenue: 12, currency: "EUR", currencyExponent: 2)]))
        try expectRoundTrip(AdvanceBody(state: "rejected", reason: "out of buns", foodIsWasted: true))
        try expectRoundTrip(AcceptBody(minutes: 25))
        try expectRoundTrip(TakeBackBody(state: "accepted"))
        try expectRoundTrip(RejectBody(reason: "out of buns", foodIsWasted: true))
        try expectRoundTrip(DelayBody(minutes: 20, reason: "The oven is cold."))
        try expectRoundTrip(AvailabilityBody(isAvailable: false))
        try expectRoundTrip(AvailabilityBody(isAvailable: false, until: "2026-03-01T10:00:00Z"))
        try expectRoundTrip(AvailabilityBody(isAvailable: false, untilTomorrow: true))
        for body in [StockBody(), StockBody(isSpecified: false), StockBody(remaining: 5), StockBody(perDay: 20)] {
            try expectRoundTrip(body)
        }
        try expectRoundTrip(
            ReceiptBody(
                shop: ReceiptShopBody(title: "Welm's", address: "\"Ä\"", phone: nil, taxNumber: "DE1"),
                order: Self.order,
                taxes: [ReceiptTaxBody(code: "2", title: "Tax", rate: "8.875", gross: 6144, net: 5643, tax: 501)]))
        try expectRoundTrip(
            TimesBody(
                asSoonAsPossible: AsSoonAsPossibleBody(readyAt: "2026-03-01T10:25:00Z"),
                slots: [
                    SlotBody(startsAt: "2026-03-01T18:00:00Z", endsAt: "2026-03-01T18:15:00Z", left: 0),
                    SlotBody(startsAt: "2026-03-01T18:15:00Z", endsAt: "2026-03-01T18:30:00Z"),
                ]))
        for opensAt in [nil, "2026-03-01T18:00:00Z"] {
            try expectRoundTrip(TimesBody(slots: [], closed: ClosedBody(opensAt: opensAt)))
        }
        try expectRoundTrip(
            DeliveryBody(
                area: DeliveryAreaBody(id: 1, title: "Mitte"),
                fees: [DeliveryFeeBody(from: 0, fee: 290), DeliveryFeeBody(from: 3000, fee: 0)],
                minimum: 1500, extraMinutes: 20, postcode: "10117", isDelivered: true, minutes: 35, currency: "EUR",
                currencyExponent: 2))
        try expectRoundTrip(DeliveryBody(postcode: nil, isDelivered: false, currency: "EUR", currencyExponent: 2))
        try expectRoundTrip(
            StaffShopBody(
                pauseUntil: "2026-03-01T10:30:00Z", pauseReason: "the oven", busyMinutes: 10, busyUntil: nil,
                fulfilments: [
                    StaffOpeningStatusBody(
                        fulfilment: "delivery", isOffered: true, isOpen: false, until: nil,
                        opensAt: "2026-03-01T17:00:00Z")
                ],
                today: "2026-03-01", hours: [ShiftBody(opens: "18:00", closes: "26:00", fulfilment: "delivery")],
                isException: true,
                exceptions: [OpeningHoursExceptionBody(date: "2026-03-01", opens: nil, closes: nil, fulfilment: nil)],
                acceptWithinMinutes: 10))
        for body in [PauseBody(until: "2026-03-01T10:30:00Z"), PauseBody(minutes: 30, reason: "the oven")] {
            try expectRoundTrip(body)
        }
        for body in [BusyBody(minutes: 10, forMinutes: 60), BusyBody(minutes: nil)] { try expectRoundTrip(body) }
        for body in [AcceptanceBody(withinMinutes: 10), AcceptanceBody(automatically: true)] {
            try expectRoundTrip(body)
        }
        for shifts in [
            nil, [],
            [ShiftBody(opens: "18:00", closes: "26:00"), ShiftBody(opens: nil, closes: nil, fulfilment: "pickup")],
        ] {
            try expectRoundTrip(HoursBody(shifts: shifts))
        }
        try expectRoundTrip(LivenessBody(version: "1.0.0", commit: nil, isChanged: false))
        try expectRoundTrip(
            LivenessBody(version: "1.0.0", commit: "5e1c309dae7f45e0f39b1bf3ac3cd9db12e7d689", isChanged: true))
        try expectRoundTrip(
            ReadinessBody(status: "ready", checks: [ReadinessCheckBody(name: "database", status: "ok")]))
    }

    @Test("A menu item has its members in the documented order, with null for missing values")
    func menuItemMembers() {
        #expect(
            String(decoding: Self.plainItem.json, as: UTF8.self)
                == #"""
                {"id":5001,"kind":"regular","category":500,"title":"Tomato Sauce","description":"","imageURL":"",\#
                "price":165,"salePercent":null,"currentPrice":165,"currency":"USD","tags":[],"isAvailable":false,\#
                "salesGroupId":null,"currencyExponent":2,"unavailable":{"reason":"sold_out"},"hasOptions":false,\#
                "needsChoice":false,"left":null,"contains":[],"mayContain":[],"allergensAreKnown":false,"diets":[],\#
                "minimumAge":null,"nutrition":null,"photograph":null}
                """#
        )
        let item = String(decoding: Self.item.json, as: UTF8.self)
        #expect(
            item.contains(
                #""minimumAge":18,"nutrition":{"kilojoules":1000,"kilocalories":null,"fat":null,"saturates":null,"#))
        #expect(
            item.hasSuffix(
                #"""
                "optionGroups":[{"id":12,"title":"Extras","minimum":0,"maximum":null,"included":1,\#
                "options":[{"id":1201,"title":"Cheddar","price":-95,"maximum":2,"isDefault":true,\#
                "isAvailable":false,"unavailable":{"reason":"stock_short","available":1},"left":1,\#
                "contains":["milk"],"mayContain":[],"allergensAreKnown":true,"diets":["vegetarian"],\#
                "minimumAge":16,"nutrition":{"kilojoules":null,"kilocalories":null,"fat":null,"saturates":null,\#
                "carbohydrate":null,"sugars":null,"protein":null,"salt":null},"optionGroups":[{"id":13,\#
                "title":"Kind","minimum":1,"maximum":1,"included":0,"options":[]}]}]}],"photograph":null}
                """#))
    }

    @Test("A line has its options as a tree, and a basket line appends the food information of the whole dish")
    func lineMembers() {
        let options =
            #"""
            "options":[{"optionId":1201,"groupId":12,"title":"Cheddar","quantity":2,"price":-95,"total":-90,\#
            "options":[{"optionId":1301,"groupId":13,"title":"Old","quantity":1,"price":5,"total":5,\#
            "options":[]}]}],"note":"no onions"
            """#
        #expect(String(decoding: Self.orderLine.json, as: UTF8.self).hasSuffix(#""lineId":3,\#(options),"tax":249}"#))
        #expect(
            String(decoding: Self.basketLine.json, as: UTF8.self).hasSuffix(
                #"""
                "lineId":3,\#(options),"unavailable":null,"contains":["milk"],"mayContain":["nuts"],\#
                "allergensAreKnown":true,"diets":["halal"],"minimumAge":18}
                """#))
        #expect(
            String(decoding: Self.order.json, as: UTF8.self).hasSuffix(
                #"],"minimumAge":18,"fulfilment":"delivery","wantedAt":null,"readyAt":"2026-03-01T10:25:00Z"}"#))
    }

    @Test("A pre-order has a null etaMinutes, a pickup has a null address, and the last members are in order")
    func preOrderMembers() {
        let order = String(decoding: Self.preOrder.json, as: UTF8.self)
        #expect(order.contains(#""etaMinutes":null,"placedAt""#))
        #expect(order.contains(#""email":"z@example.com","address":null,"comment":null,"postcode":null}"#))
        #expect(
            order.hasSuffix(
                #""fulfilment":"pickup","wantedAt":"2026-03-01T18:00:00Z","readyAt":"2026-03-01T18:00:00Z"}"#))
        #expect(
            String(decoding: Self.quote.json, as: UTF8.self).hasSuffix(
                #""amount":6716}],"fulfilment":"delivery","wantedAt":null,"etaMinutes":25,"tipMaximum":6716}"#))
        #expect(
            String(decoding: HomeBody(sections: [], opening: [Self.openingStatus]).json, as: UTF8.self)
                == #"""
                {"sections":[],"opening":[{"fulfilment":"pickup","isOpen":false,"until":null,\#
                "opensAt":"2026-03-01T17:00:00Z","pausedUntil":"2026-03-01T10:30:00Z","pauseReason":"The oven",\#
                "isOffered":true,"minutes":{"lowest":15,"highest":40},"minimumSubtotal":null,"fee":{"lowest":0,\#
                "highest":390},"currency":"USD","currencyExponent":2,"needsPostcode":true}]}
                """#)
        #expect(
            String(
                decoding: TimesBody(slots: [SlotBody(startsAt: "a", endsAt: "b")], closed: ClosedBody(opensAt: nil))
                    .json, as: UTF8.self)
                    == #"""
                    {"asSoonAsPossible":null,"slots":[{"startsAt":"a","endsAt":"b","left":null}],\#
                    "closed":{"opensAt":null}}
                    """#)
    }

    @Test("An order without its token omits the customer, the coupon and the token")
    func personalData() throws {
        let order = OrderBody(
            id: "b", number: "04219377", state: "placed", basketId: "b", lines: [], sales: [], subtotal: 0, discount: 0,
            total: 0,
            currency: "USD",
            etaMinutes: 15, placedAt: "2026-03-01T10:00:00Z", actions: [], currencyExponent: 2, totals: [],
            fulfilment: "delivery",
            readyAt: "2026-03-01T10:15:00Z")
        let own = OrderBody(
            id: "b", number: "04219377", state: "placed", basketId: "b", lines: [], sales: [], subtotal: 0, discount: 0,
            total: 0,
            currency: "USD", etaMinutes: 15, placedAt: "2026-03-01T10:00:00Z", customer: Self.customer, actions: [],
            currencyExponent: 2, totals: [], fulfilment: "delivery", readyAt: "2026-03-01T10:15:00Z")
        #expect(
            String(decoding: own.json, as: UTF8.self).contains("\"coupon\":null"),
            "with the token, an order without a coupon has a null coupon")
        let anonymous = OrderBody(
            id: "b", number: "04219377", state: "delivered", basketId: "b", lines: [], sales: [], coupon: "FRST",
            subtotal: 0, discount: 0, total: 0, currency: "USD", etaMinutes: 15, placedAt: "2026-03-01T10:00:00Z",
            actions: [], currencyExponent: 2, totals: [], fulfilment: "delivery", readyAt: "2026-03-01T10:15:00Z",
            payment: PaymentBody(method: "cash"))
        let anonymousText = String(decoding: anonymous.json, as: UTF8.self)
        #expect(
            anonymousText.contains("\"coupon\":\"FRST\"") && !anonymousText.contains("customer"),
            "with the token, an order without personal data has its coupon and no customer")
        let text = String(decoding: order.json, as: UTF8.self)
        #expect(!text.contains("customer") && !text.contains("accessToken"))
        #expect(!text.contains("coupon"))
        try expectRoundTrip(order)
    }

    @Test("JSONSerialization reads back every escaped control character and quote")
    func escapes() throws {
        let text = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init(_:)))) + "\u{2028}🍔"
        try expectRoundTrip(
            CategoryBody(
                id: .min, title: text, imageURL: "\\\"", languages: TextLanguagesBody(title: "en", headline: "de-CH")))
        try expectRoundTrip(CategoryBody(id: .max, title: "", imageURL: ""))
    }

    @Test(
        "decimal(exponent:) formats an amount with the decimals of its currency",
        arguments: [
            (2899, 2, "28.99"), (2899, 0, "2899"), (2899, 3, "2.899"), (2899, 4, "0.2899"), (5, 2, "0.05"),
            (0, 2, "0.00"),
            (100, 2, "1.00"),
            (-5, 2, "-0.05"), (-2899, 3, "-2.899"), (.max, 2, "92233720368547758.07"),
            (.min, 2, "-92233720368547758.08"), (7, -1, "7"),
            (7, .max, "0.0000000000000000007"),
        ] as [(Int64, Int, String)])
    func decimal(amount: Int64, exponent: Int, text: String) {
        #expect(amount.decimal(exponent: exponent) == text)
    }
}
