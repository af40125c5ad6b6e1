// Delivery areas over HTTP: minimums and fees at their limits, pickup, and changes between quote and checkout.

import Foundation
import Support
import Testing
import Wire

@Suite("Delivery areas, minimums and fees", .timeLimit(.minutes(10)))
struct DeliveryTests {
    /// The Big Tasty costs 805.
    private static let areas = """
        begin;
        insert into delivery_areas (id, title, priority, postcodes, minimum_subtotal, extra_minutes) values
            (1, 'Mitte', 0, '{10117,1011*}', 805, 0), (2, 'Around', 5, '{10*,EC1A 1BB}', 1610, 20),
            (3, 'Old', 0, '{1*}', 0, 0);
        insert into delivery_fees (area_id, from_subtotal, fee) values
            (1, 0, 290), (1, 1610, 150), (1, 2415, 0), (2, 0, 490);
        update delivery_areas set is_active = false where id = 3;
        commit;
        """

    private static func delivery(_ shop: TestShop, _ postcode: String) async throws -> DeliveryBody {
        try await shop.server.get("/v1/delivery?postcode=\(postcode)").expecting(200).decoded()
    }

    @Test(
        "A shop without areas delivers everywhere for free, and one with areas returns the terms of each postcode"
    )
    func termsOfPostcodes() async throws {
        try await TestShop.run { shop in
            #expect(
                try await Self.delivery(shop, "ec1a-1bb")
                    == DeliveryBody(
                        postcode: "EC1A-1BB", isDelivered: true, minutes: 15, currency: "USD", currencyExponent: 2))
            // A postcode is optional.
            #expect(try await shop.server.get("/v1/delivery").expecting(200).decoded(DeliveryBody.self).isDelivered)
            #expect(try await !Self.delivery(shop, "!").isDelivered)
            let before = try #require(try await shop.server.get("/v1/delivery?postcode=10117").header("ETag"))
            try await shop.database.psql(Self.areas)
            let mitte = DeliveryBody(
                area: DeliveryAreaBody(id: 1, title: "Mitte"),
                fees: [
                    DeliveryFeeBody(from: 0, fee: 290), DeliveryFeeBody(from: 1610, fee: 150),
                    DeliveryFeeBody(from: 2415, fee: 0),
                ],
                minimum: 805, postcode: "10117", isDelivered: true, minutes: 15, currency: "USD", currencyExponent: 2)
            try await eventually("the server has loaded the areas") { try await Self.delivery(shop, "10117") == mitte }
            let reply = try await shop.server.get("/v1/delivery?postcode=10117", headers: [("If-None-Match", before)])
            #expect(reply.status == 200 && reply.header("ETag") != before)
            #expect(
                reply.text.hasPrefix(
                    #"{"area":{"id":1,"title":"Mitte"},"fees":[{"from":0,"fee":290},{"from":1610,"fee":150},"#
                        + #"{"from":2415,"fee":0}],"minimum":805,"extraMinutes":0,"#
                ))
            let around = try await Self.delivery(shop, "+10-999+")
            #expect(
                around.postcode == "10-999" && around.area?.id == 2 && around.minimum == 1610 && around.minutes == 35)
            #expect(around.extraMinutes == 20)
            for spelling in ["EC1A1BB", "ec1a1bb", "eC1a+1bB"] {
                #expect(try await Self.delivery(shop, spelling).area?.id == 2, "\(spelling)")
            }
            #expect(
                try await Self.delivery(shop, "20095")
                    == DeliveryBody(postcode: "20095", isDelivered: false, currency: "USD", currencyExponent: 2))
            // Malformed postcodes return 200.
            for query in [
                "", "postcode=", "postcode=+", "postcode=1234567890123", "postcode=10%2A", "postcode=%C3%A9%C3%A9",
            ] {
                let body = try await shop.server.get("/v1/delivery?\(query)").expecting(200).decoded(DeliveryBody.self)
                #expect(
                    body == DeliveryBody(postcode: nil, isDelivered: false, currency: "USD", currencyExponent: 2),
                    "\(query)")
            }
            #expect(try await shop.server.get("/v1/delivery?postcode=1&postcode=2").status == 400)
        }
    }

    @Test("The minimum and each fee tier apply from exactly their amount on")
    func limits() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(Self.areas)
            let basket = try await shop.server.startBasket(items: [(2001, 2)])
            var form = CheckoutBody.filled(for: basket)
            form.postcode = " 10 117 "
            func quote() async throws -> ValidationBody {
                try await shop.server.validate(form).expecting(200).decoded()
            }
            func fee(_ live: ValidationBody) -> Int64? {
                live.quote?.totals.first { $0.kind == "delivery_fee" }?.amount
            }
            for (minimum, from, isEnough, amount) in [
                (1610, 1610, true, 150), (1610, 1611, true, 290), (1611, 1609, false, 150), (1609, 1610, true, 150),
            ] as [(Int64, Int64, Bool, Int64)] {
                try await shop.database.psql(
                    """
                    update delivery_areas set minimum_subtotal = \(minimum) where id = 1;
                    update delivery_fees set from_subtotal = \(from) where area_id = 1 and fee = 150
                    """)
                form.expectedTotal = 1610 + amount
                let live = try await quote()
                #expect(
                    live.isReady == isEnough && fee(live) == amount && live.quote?.total == 1610 + amount,
                    "\(minimum) \(from)")
                #expect(live.fields[.postcode] == FieldResultBody(value: .text("10 117")))
                if !isEnough {
                    #expect(
                        live.errors.map(\.code) == ["order_minimum_not_reached"] && live.errors.first?.field == "basket"
                    )
                    let refusal = RejectedForm(
                        errors: ["basket: order_minimum_not_reached"], params: ["missingAmount": .integer(1)])
                    #expect(try await shop.server.rejection(of: form) == refusal)
                    // The basket does not depend on the minimum.
                    #expect(try await shop.server.basket(basket.id).actions.contains("checkout"))
                }
            }
            // The minimum applies to the subtotal before discounts.
            form.coupon = "FRST"
            form.expectedTotal = 1610 - 161 + 150
            let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
            #expect(order.totals.map(\.amount) == [1610, -161, 150, 1599] && order.customer?.postcode == "10 117")
            #expect(order.totals.map(\.title)[2] == "Delivery")
            // A fee of zero is listed.
            let large = try await shop.server.startBasket(items: [(2001, 3)])
            var second = CheckoutBody.filled(for: large, guest: 2)
            second.postcode = "10118"
            let free = try await shop.server.checkout(second, key: "k").expecting(201).decoded(OrderBody.self)
            #expect(free.totals.map { "\($0.kind) \($0.amount)" } == ["subtotal 2415", "delivery_fee 0", "total 2415"])
        }
    }

    @Test(
        "Without a postcode the quote has no fee, and checkout requires a postcode within a delivery area"
    )
    func missing() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(Self.areas)
            let basket = try await shop.server.startBasket(items: [(2001, 2)])
            var form = CheckoutBody.filled(for: basket)
            for blank in [nil, "", " "] {
                form.postcode = blank
                let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
                #expect(!live.isReady && live.fields[.postcode] == nil && live.errors.isEmpty)
                #expect(live.quote?.totals.map(\.kind) == ["subtotal", "total"])
                #expect(try await shop.server.rejection(of: form).errors == ["postcode: postcode_required"])
            }
            for (postcode, code) in [
                ("20095", "out_of_delivery_area"), ("2", "out_of_delivery_area"), ("1234567890123", "invalid_postcode"),
                ("10117!", "invalid_postcode"),
            ] {
                form.postcode = postcode
                #expect(try await shop.server.rejection(of: form).errors == ["postcode: \(code)"])
                let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
                #expect(live.fields[.postcode]?.code == code && !live.isReady)
            }
        }
    }

    @Test(
        "Staff see the current delivery area of each delivery order, and guests do not"
    )
    func areaForStaff() async throws {
        try await StaffTests.run { shop in
            let everywhere = try await shop.server.order()
            try await shop.database.psql(Self.areas)
            func order(_ guest: Int, _ fulfilment: String) async throws -> OrderBody {
                var form = CheckoutBody.filled(for: try await shop.server.startBasket(items: [(2001, 2)]), guest: guest)
                (form.fulfilment, form.postcode) = (fulfilment, "10-117")
                form.expectedTotal = try await shop.server.validate(form).decoded(ValidationBody.self).quote?.total
                return try await shop.server.checkout(form, key: "k").expecting(201).decoded()
            }
            let (delivered, pickedUp) = (try await order(2, "delivery"), try await order(3, "pickup"))
            func list() async throws -> [DeliveryAreaBody?] {
                try await shop.server.get("/v1/staff/orders", headers: StaffTests.bearer).decoded(
                    Page<StaffOrderBody>.self
                ).items.map(
                    \.area)
            }
            let mitte = DeliveryAreaBody(id: 1, title: "Mitte")
            try await eventually("the server has loaded the areas") { try await list() == [nil, mitte, nil] }
            let path = "/v1/staff/orders/\(delivered.number)"
            let reply = try await shop.server.get(path, headers: StaffTests.bearer).expecting(200)
            #expect(reply.text.hasSuffix(#","acceptBy":null,"area":{"id":1,"title":"Mitte"}}"#))
            let body = try reply.decoded(StaffOrderBody.self)
            #expect(
                body.order.totals.filter { $0.kind == "delivery_fee" }.map(\.amount) == [150]
                    && body.order.totals == delivered.totals)
            for order in [everywhere, pickedUp] {
                let reply = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer)
                    .expecting(200)
                #expect(reply.text.hasSuffix(#","area":null}"#))
            }
            let moved = try await shop.server.post(
                "\(path)/advance", json: #"{"state": "accepted"}"#, headers: StaffTests.bearer)
            #expect(try moved.expecting(200).decoded(StaffOrderBody.self).area == mitte)
            for headers in [[], [("Authorization", "Bearer \(delivered.accessToken ?? "")")]] {
                let reply = try await shop.server.get("/v1/orders/\(delivered.id)", headers: headers).expecting(200)
                #expect(!reply.text.contains(#""area""#))
            }
            // The area is the first active one by priority that contains the postcode, as in checkout.
            for (sql, area) in [
                ("set title = 'Centre' where id = 1", DeliveryAreaBody(id: 1, title: "Centre")),
                ("set is_active = false where id = 1", DeliveryAreaBody(id: 2, title: "Around")),
                ("set is_active = false", nil),
            ] {
                try await shop.database.psql("update delivery_areas \(sql)")
                try await eventually(sql) { try await list() == [nil, area, nil] }
            }
        }
    }

    @Test("Pickup requires no address, postcode or minimum, has no delivery fee, and stores no address")
    func pickup() async throws {
        try await StaffTests.run { shop in
            try await shop.database.psql(Self.areas + "update delivery_areas set minimum_subtotal = 9999")
            for (guest, address, postcode) in [
                (1, nil, nil), (2, "x", "!"), (3, "12 Elm Street, Springfield", "10117"),
            ]
                as [(Int, String?, String?)]
            {
                let basket = try await shop.server.startBasket(items: [(2001, 1)])
                var form = CheckoutBody.filled(for: basket, guest: guest)
                (form.fulfilment, form.address, form.postcode) = ("pickup", address, postcode)
                let live = try await shop.server.validate(form).decoded(ValidationBody.self)
                #expect(
                    live.isReady && live.fields[.address] == nil && live.fields[.postcode] == nil
                        && live.quote?.fulfilment == "pickup")
                let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
                #expect(order.totals.map(\.kind) == ["subtotal", "total"] && order.fulfilment == "pickup")
                #expect(
                    order.customer?.address == nil && order.customer?.postcode == nil
                        && order.customer?.name == "Ann Lee")
                let staff = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer)
                #expect(try staff.decoded(OrderBody.self).customer == order.customer)
            }
            #expect(
                try await shop.database.psql("select count(*) from orders where address is null and postcode is null")
                    == "3")
            // Delivery still requires the address.
            var form = CheckoutBody.filled(for: try await shop.server.startBasket(items: [(2001, 1)]))
            form.address = nil
            form.postcode = "10117"
            #expect(
                try await shop.server.rejection(of: form).errors == [
                    "address: required", "basket: order_minimum_not_reached",
                ])
        }
    }

    @Test(
        "A changed price, fee, tax or area returns 409 with the changes, and the fresh quote is accepted"
    )
    func changed() async throws {
        try await TestShop.run { shop in
            let taxes =
                """
                insert into tax_rates (id, title, percent) values (1, 'VAT', 10);
                insert into category_taxes (category_id, tax_rate_id) values (200, 1);
                """
            try await shop.database.psql(
                Self.areas + "begin;" + taxes + "update shop set prices_include_tax = false; commit;")
            var forms: [CheckoutBody] = []
            for guest in 1...2 {
                let basket = try await shop.server.startBasket(items: [(2001, 2)])
                var form = CheckoutBody.filled(for: basket, guest: guest)
                form.postcode = "10117"
                let quote = try #require(try await shop.server.validate(form).decoded(ValidationBody.self).quote)
                // 10 % of the goods and of their fee.
                #expect(quote.totals.map(\.amount) == [1610, 150, 176, 1936])
                (form.expectedTotal, form.currency) = (quote.total, quote.currency)
                if guest == 1 { form.expectedTotals = quote.totals }
                #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
                forms.append(form)
            }
            /// Runs the SQL and checks out; returns the reported changes with and without expected totals.
            func change(_ sql: String) async throws -> (paths: [String], plain: [PriceChangeBody]) {
                try await shop.database.psql(sql)
                var changes: [[PriceChangeBody]] = []
                for index in forms.indices {
                    let problem = try await shop.server.checkout(forms[index], key: "k").expecting(409).decoded(
                        ProblemBody.self)
                    #expect(problem.code == "price_changed")
                    changes.append(problem.changes ?? [])
                    let quote = try #require(problem.quote)
                    forms[index].expectedTotal = quote.total
                    if index == 0 { forms[index].expectedTotals = quote.totals }
                    let live = try await shop.server.validate(forms[index]).decoded(ValidationBody.self)
                    #expect(live.isReady, "the fresh quote is accepted")
                }
                #expect(changes[0].map(\.cause) == changes[0].map { $0.path.split(separator: "/")[1] }.map(String.init))
                return (changes[0].map { "\($0.path) \($0.old) \($0.new)" }, changes[1])
            }
            func expect(
                _ sql: String, _ paths: [String], _ old: Int64, _ new: Int64,
                sourceLocation: SourceLocation = #_sourceLocation
            ) async throws {
                let changes = try await change(sql)
                let paths = paths.map { path in
                    let parts = path.split(separator: " ")
                    let values = parts.dropFirst().prefix(2).map { FieldValue.integer(Int64($0) ?? -1) }
                    return "\(parts[0]) \(values[0]) \(values[1])"
                }
                #expect(changes.paths == paths, sourceLocation: sourceLocation)
                #expect(
                    changes.plain == [
                        PriceChangeBody(path: "expectedTotal", old: .integer(old), new: .integer(new), cause: "total")
                    ],
                    sourceLocation: sourceLocation)
            }
            try await expect(
                "update delivery_fees set fee = 250 where fee = 150",
                ["totals/delivery_fee 150 250", "totals/tax/1 176 186"],
                1936, 2046)
            try await expect("update tax_rates set percent = 20", ["totals/tax/1 186 372"], 2046, 2232)
            // A tax that the prices now include is not added: a sixth of 1860.
            try await expect("update shop set prices_include_tax = true", ["totals/tax/1 372 310"], 2232, 1860)
            try await expect("update shop set prices_include_tax = false", ["totals/tax/1 310 372"], 1860, 2232)
            // The dish's category moves to another rate, and its share of the fee follows.
            try await expect(
                """
                insert into tax_rates (id, title, percent) values (3, 'Reduced', 5);
                begin; update category_taxes set tax_rate_id = 3; commit
                """, ["totals/tax/1 372 0", "totals/tax/3 0 93"], 2232, 1953)
            try await expect(
                "update category_taxes set tax_rate_id = 1", ["totals/tax/1 0 372", "totals/tax/3 93 0"], 1953, 2232)
            // The postcode moves to another area: first by priority, then by postcodes.
            try await expect(
                "update delivery_areas set priority = -1 where id = 2",
                ["totals/delivery_fee 250 490", "totals/tax/1 372 420"], 2232, 2520)
            try await expect(
                "update delivery_areas set postcodes = '{10200}' where id = 2",
                ["totals/delivery_fee 490 250", "totals/tax/1 420 372"],
                2520, 2232)
            try await shop.database.psql(
                "update delivery_areas set postcodes = '{10*,EC1A 1BB}', priority = 5 where id = 2")
            try await expect(
                """
                insert into tax_rates (id, title, percent) values (2, 'None', 0);
                update shop set small_order_tax_rate_id = 2, service_tax_rate_id = 2;
                update fulfilments set service_charge_amount = 5
                """, ["totals/service_charge 0 5"], 2232, 2237)
            try await expect(
                "update fulfilments set service_charge_amount = null, small_order_below = 9999, small_order_fee = 7",
                ["totals/small_order_fee 0 7", "totals/service_charge 5 0"], 2237, 2239)
            try await expect("update fulfilments set small_order_fee = 0", ["totals/small_order_fee 7 0"], 2239, 2232)
            try await expect(
                "update delivery_areas set is_active = false where id = 1",
                ["totals/delivery_fee 250 490", "totals/tax/1 372 420"], 2232, 2520)
            // A dish's price change is reported at its line. With expected totals, its effects are reported too.
            try await shop.database.psql("update menu_items set price = 905 where id = 2001")
            for form in forms {
                let problem = try await shop.server.checkout(form, key: "k").expecting(409).decoded(ProblemBody.self)
                #expect(
                    problem.changes?.map(\.path)
                        == (form.expectedTotals == nil ? ["lines/1"] : ["totals/tax/1", "lines/1"]))
                #expect(
                    problem.changes?.last
                        == PriceChangeBody(path: "lines/1", old: .integer(805), new: .integer(905), cause: "menu_price")
                )
                var form = form
                form.expectedTotal = problem.quote?.total
                if form.expectedTotals != nil { form.expectedTotals = problem.quote?.totals }
                let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
                #expect(order.totals == problem.quote?.totals && order.total == 1810 + 490 + 460)
            }
            // All areas become inactive.
            try await shop.database.psql("update delivery_areas set is_active = false")
            var form = CheckoutBody.filled(for: try await shop.server.startBasket(items: [(2001, 2)]), guest: 3)
            form.postcode = "10117"
            #expect(try await shop.server.rejection(of: form).errors == ["postcode: out_of_delivery_area"])
            form.fulfilment = "pickup"
            form.expectedTotal = 1810 + 181 * 2
            #expect(try await shop.server.checkout(form, key: "k").status == 201)
        }
    }
}
