// Tests that errors of time, place and lines are listed in one response, in the contract's order.

import Support
import Testing
import Wire

@Suite("All field errors in one response", .timeLimit(.minutes(10)))
struct CombinedErrorTests {
    @Test("Errors of form, time, place, tip, totals, basket and lines are listed together in the contract's order")
    func contractOrder() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(
                shop,
                """
                update fulfilments set slot_minutes = 30, horizon_days = 3;
                insert into delivery_areas (id, title, postcodes, minimum_subtotal) values (1, 'Mitte', '{10*}', 900);
                insert into serving_hours (category_id, weekday, opens, closes)
                select 200, day, '18:00', '20:00' from generate_series(1, 7) as day;
                """ + NoonShop.openingHoursSQL("11:00", "22:00"))
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody(basketId: basket.id)
            (form.name, form.phone, form.email, form.address) = ("1", "1", "1", "1")
            (form.comment, form.coupon, form.birthday) = ("\u{7}", "NOPE", "13-13")
            (form.wantedAt, form.postcode, form.tip) = (try noon.time("11:10", dayOffset: 2), "20095", -1)
            form.payment = SelectedPaymentBody(method: "card")
            (form.expectedTotal, form.currency, form.expectedTotals) = (-1, "?", [TotalBody(kind: "?", amount: 1)])
            let before = [
                "name: invalid_name", "phone: invalid_phone", "email: invalid_email", "address: invalid_address",
                "comment: invalid_comment",
                "coupon: coupon_unknown", "birthday: invalid_birthday",
            ]
            let after =
                ["payment: payment_method_not_offered"] + [
                    "expectedTotal: invalid_total", "currency: invalid_currency", "expectedTotals: invalid_total",
                ]
            let line = "lines/1: item_not_served_then"
            func expect(_ middle: [String], _ end: [String]) async throws {
                let errors = try await shop.server.rejection(of: form).errors
                #expect(errors == before + middle + ["tip: tip_out_of_range"] + after + end)
                let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
                #expect(live.errors.map { "\($0.field): \($0.code)" } == end && !live.isReady)
                let fields = [
                    ("wantedAt", live.fields[.wantedAt]), ("postcode", live.fields[.postcode]),
                    ("fulfilment", live.fields[.fulfilment]),
                ]
                let fieldErrors = fields.compactMap { name, field in field?.code.map { "\(name): \($0)" } }
                #expect(Set(fieldErrors) == Set(middle))
            }
            try await expect(["wantedAt: not_a_slot", "postcode: out_of_delivery_area"], [line])
            form.postcode = "10117"
            form.wantedAt = try noon.time("22:00", dayOffset: 2)
            try await expect(["wantedAt: shop_closed"], ["basket: order_minimum_not_reached", line])
            form.wantedAt = "soon"
            form.postcode = "!"
            // Without a valid wanted time, the dish is validated for now.
            try await expect(["wantedAt: invalid_time", "postcode: invalid_postcode"], [line])
            form.fulfilment = "drone"
            form.wantedAt = try noon.time("18:00", dayOffset: 2)
            form.postcode = "10117"
            try await expect(["fulfilment: invalid_fulfilment"], ["basket: order_minimum_not_reached"])
            try await shop.database.psql("update fulfilments set is_offered = false where fulfilment = 'delivery'")
            form.fulfilment = nil
            (form.wantedAt, form.postcode) = (try noon.time("11:10", dayOffset: 2), "20095")
            try await expect(["fulfilment: fulfilment_not_offered"], [line])
            #expect(try await shop.database.psql("select count(*) from orders") == "0")
        }
    }

    @Test("Errors of lines, options, sets and stock follow time and place, line by line and then set by set")
    func lineErrorsLast() async throws {
        try await TestShop.run { shop in
            let storefront = shop.server.storefront
            let start = try await shop.server.startBasket()
            _ = try await storefront.addItem(
                2001, options: [SelectedOptionBody(1102), SelectedOptionBody(1206)], to: start.id)
            _ = try await storefront.addItem(4001, quantity: 3, to: start.id)
            _ = try await storefront.addItem(3001, to: start.id)
            let basket = try await storefront.addSet(
                200,
                items: [LineBody(menuItemId: 2002, options: [SelectedOptionBody(1102), SelectedOptionBody(1202)])],
                to: start.id)
            let noon = try await NoonShop(
                shop,
                """
                update fulfilments set slot_minutes = 30, horizon_days = 3;
                insert into delivery_areas (id, title, postcodes, minimum_subtotal) values (1, 'Mitte', '{10*}', 99900);
                insert into serving_hours (menu_item_id, weekday, opens, closes)
                select 3001, day, '18:00', '20:00' from generate_series(1, 7) as day;
                update options set is_available = false where id in (1206, 1202);
                insert into item_stock (menu_item_id, per_day) values (4001, 2);
                """ + NoonShop.openingHoursSQL("11:00", "22:00"))
            var form = CheckoutBody.filled(for: basket, coupon: "NOPE")
            (form.postcode, form.wantedAt) = ("10117", try noon.time("12:00", dayOffset: 2))
            let lineErrors = [
                "basket: order_minimum_not_reached", "lines/1/options/12: option_sold_out", "lines/2: stock_short",
                "lines/3: item_not_served_then", "sales/200/items/2002/1/options/12: option_sold_out",
            ]
            #expect(try await shop.server.rejection(of: form).errors == ["coupon: coupon_unknown"] + lineErrors)
            let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
            #expect(live.errors.map { "\($0.field): \($0.code)" } == lineErrors && !live.isReady)
            #expect(live.fields[.coupon]?.code == "coupon_unknown")
            (form.postcode, form.wantedAt, form.coupon) = ("20095", try noon.time("22:30", dayOffset: 2), nil)
            let errorsOfTimeAndPlace = ["wantedAt: shop_closed", "postcode: out_of_delivery_area"]
            #expect(try await shop.server.rejection(of: form).errors == errorsOfTimeAndPlace + lineErrors.dropFirst())
            #expect(
                try await shop.database.psql(
                    "select (select count(*) from orders), coalesce(sum(sold), 0) from stock_days") == "0|0")
        }
    }
}
