// Wanted times over HTTP: exactly the offered slots are accepted, and changes are reported with the alternatives.

import Foundation
import Ordering
import Support
import Testing
import Wire

@Suite("Wanted times and slots", .timeLimit(.minutes(10)))
struct WantedTimeTests {
    private static let slots = "update fulfilments set slot_minutes = 30;"

    @Test(
        "Every slot of a day is accepted in any UTC offset, and order, guest and staff see the same time"
    )
    func offered() async throws {
        try await StaffTests.run { shop in
            let noon = try await NoonShop(shop, Self.slots + NoonShop.openingHoursSQL("18:00", "26:00"))
            let day = try noon.date(daysFromToday: 2)
            let starts = try await noon.slotStarts("date=\(day)") { !$0.isEmpty }
            // The slots from 18:00 to midnight, and those after midnight of the previous evening's shift.
            let expected =
                try (0..<4).map { try noon.time("0\($0 / 2):\($0 % 2 == 0 ? "00" : "30")", dayOffset: 2) }
                + (36..<48).map { try noon.time("\($0 / 2):\($0 % 2 == 0 ? "00" : "30")", dayOffset: 2) }
            #expect(starts == expected)
            let first = try #require(try await noon.times("date=\(day)").slots.first)
            #expect(
                first
                    == SlotBody(
                        startsAt: try noon.time("00:00", dayOffset: 2), endsAt: try noon.time("00:30", dayOffset: 2),
                        left: nil))
            for (n, start) in starts.enumerated() {
                let basket = try await shop.server.startBasket(items: [(2001, 1)])
                var form = CheckoutBody.filled(for: basket, guest: n)
                // The same time with another UTC offset.
                let moment = try Date(start, strategy: .iso8601).addingTimeInterval(5400)
                form.wantedAt = n % 2 == 0 ? start : String(moment.ISO8601Format().dropLast()) + "+01:30"
                let live = try await shop.server.validate(form).decoded(ValidationBody.self)
                #expect(
                    live.isReady && live.fields[.wantedAt] == FieldResultBody(value: .text(start)), "\(start): \(live)")
                #expect(
                    live.quote?.wantedAt == start && live.quote?.etaMinutes == nil
                        && live.quote?.fulfilment == "delivery")
                let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
                #expect(
                    order.wantedAt == start && order.readyAt == start && order.etaMinutes == nil
                        && order.fulfilment == "delivery")
                let seen = try await shop.server.get("/v1/orders/\(order.id)").decoded(OrderBody.self)
                #expect(seen.wantedAt == start && seen.readyAt == start)
                let staff = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer)
                #expect(try staff.decoded(OrderBody.self).wantedAt == start)
            }
            // Times between the slots are rejected.
            var form = CheckoutBody.filled(for: try await shop.server.startBasket(items: [(2001, 1)]))
            for time in ["18:01", "18:15", "25:59"] {
                form.wantedAt = try noon.time(time, dayOffset: 2)
                #expect(try await shop.server.rejection(of: form).errors == ["wantedAt: not_a_slot"], "\(time)")
            }
        }
    }

    @Test("GET /v1/times offers as soon as possible with the estimate of an order, counted from its placement")
    func asSoonAsPossible() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(
                shop, "update fulfilments set lead_minutes = 31 where fulfilment = 'delivery';")
            var readyAt: String?
            try await eventually("the server has loaded the lead time") {
                readyAt = try await noon.times().asSoonAsPossible?.readyAt
                guard let readyAt else { return false }
                return try Date(String(readyAt.prefix(19)) + "Z", strategy: .iso8601).timeIntervalSinceNow > 30 * 60
            }
            let pickup = try #require(try await noon.times("fulfilment=pickup").asSoonAsPossible?.readyAt)
            #expect(pickup < (readyAt ?? ""))
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            #expect(
                try await shop.server.validate(.filled(for: basket)).decoded(ValidationBody.self).quote?.etaMinutes
                    == 35)
            let order = try await shop.server.checkout(.filled(for: basket), key: "k").expecting(201).decoded(
                OrderBody.self)
            #expect(order.etaMinutes == 35 && order.wantedAt == nil)
            let placedAt = try #require(Instant(rfc3339: order.placedAt))
            #expect(order.readyAt == placedAt.advanced(by: .seconds(35 * 60)).rfc3339)
            for (query, code) in [
                ("postcode=*", "invalid_parameter"), ("fulfilment=drone", "invalid_parameter"),
                ("date=tomorrow", "invalid_parameter"),
                ("date=2026-02-29", "invalid_parameter"),
                ("date=20260301", "invalid_parameter"), ("basketId=x", "basket_not_found"),
                ("basketId=01912f4c-7a3e-7b1c-9d2e-3f4a5b6c7d8e", "basket_not_found"),
            ] {
                #expect(try await shop.server.get("/v1/times?\(query)").code == code, "\(query)")
            }
            let reply = try await shop.server.get("/v1/times?fulfilment=&date=&basketId=").expecting(200)
            #expect(reply.header("Cache-Control") == "private, no-cache" && reply.header("ETag") != nil)
        }
    }

    @Test("The extra minutes of a delivery area delay the offered slots, and an earlier wanted time is too soon")
    func area() async throws {
        try await TestShop.run { shop in
            #expect(try await shop.database.psql("select distinct lead_minutes from fulfilments") == "0")
            let noon = try await NoonShop(
                shop,
                """
                update fulfilments set slot_minutes = 5;
                insert into delivery_areas (id, title, postcodes, extra_minutes) values
                    (1, 'Near', '{101*}', 0), (2, 'Far', '{10*}', 90);
                """)
            func first(_ query: String) async throws -> Instant? {
                try await noon.times(query).slots.first.flatMap { Instant(rfc3339: $0.startsAt) }
            }
            _ = try await noon.slotStarts("postcode=10200") { !$0.isEmpty }
            let near = try #require(try await first("postcode=10117"))
            let far = try #require(try await first("postcode=10-200"))
            // Slots begin every five minutes, so the difference is rounded up to them.
            let minutes = (far.microseconds - near.microseconds) / 60_000_000
            #expect(minutes == 90 || minutes == 95, "\(near) \(far)")
            for query in ["", "postcode=", "fulfilment=pickup&postcode=10200", "fulfilment=pickup&postcode=*"] {
                let start = try #require(try await first(query))
                #expect(start >= near && start < far, "\(query)")
            }
            let soon = try #require(
                try await noon.times("postcode=10200").asSoonAsPossible.flatMap { Instant(rfc3339: $0.readyAt) })
            #expect(soon >= near.advanced(by: .seconds(90 * 60)))
            #expect(try await noon.times("postcode=99999") == TimesBody(slots: []))

            var form = CheckoutBody.filled(for: try await shop.server.startBasket(items: [(2001, 1)]))
            form.postcode = "10200"
            form.wantedAt = far.advanced(by: .seconds(-10 * 60)).rfc3339
            let refusal = try await shop.server.rejection(of: form)
            #expect(refusal.errors == ["wantedAt: too_soon"])
            guard case .text(let earliest)? = refusal.params["earliest"], let earliest = Instant(rfc3339: earliest)
            else {
                Issue.record("\(refusal)")
                return
            }
            #expect(earliest > far.advanced(by: .seconds(-10 * 60)) && earliest <= far.advanced(by: .seconds(5 * 60)))
            form.postcode = "10117"
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            (form.postcode, form.wantedAt) = ("10200", far.advanced(by: .seconds(10 * 60)).rfc3339)
            #expect(
                try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self).readyAt
                    == form.wantedAt)
        }
    }

    @Test("A wanted time has at most one error, the first that applies, with its parameters")
    func refused() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(
                shop,
                """
                update fulfilments set slot_minutes = 30, horizon_days = 3;
                update fulfilments set is_offered = false where fulfilment = 'pickup';
                insert into opening_exceptions (date, opens, closes)
                select (clock_timestamp() at time zone time_zone)::date + 1, null, null from shop;
                """ + NoonShop.openingHoursSQL("11:00", "22:00"))
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody.filled(for: basket)
            func expect(_ wanted: String, _ code: String, _ params: [String: FieldValue]) async throws {
                form.wantedAt = wanted
                let refusal = try await shop.server.rejection(of: form)
                #expect(refusal == RejectedForm(errors: ["wantedAt: \(code)"], params: params), "\(wanted)")
                let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
                let result = live.fields[.wantedAt]
                #expect(result?.code == code && result?.params == params && !live.isReady)
            }
            try await expect("in an hour", "invalid_time", [:])
            try await expect("", "invalid_time", [:])
            form.wantedAt = "2020-01-01T00:00:00Z"
            let tooSoon = try await shop.server.rejection(of: form)
            #expect(tooSoon.errors == ["wantedAt: too_soon"] && tooSoon.params.keys.contains("earliest"))
            try await expect(
                noon.time("11:00", dayOffset: 4), "too_far", ["latest": .text(noon.time("21:30", dayOffset: 3))])
            try await expect(
                "9999-12-31T23:59:59.999999Z", "too_far", ["latest": .text(noon.time("21:30", dayOffset: 3))])
            try await expect(noon.time("22:00"), "shop_closed", ["opensAt": .text(noon.time("11:00", dayOffset: 2))])
            try await expect(
                noon.time("15:00", dayOffset: 1), "shop_closed", ["opensAt": .text(noon.time("11:00", dayOffset: 2))])
            try await expect(
                noon.time("10:59", dayOffset: 2), "shop_closed", ["opensAt": .text(noon.time("11:00", dayOffset: 2))])
            try await expect(noon.time("11:10", dayOffset: 2), "not_a_slot", [:])
            form.fulfilment = "drone"
            #expect(try await shop.server.rejection(of: form).errors.first == "fulfilment: invalid_fulfilment")
            form.fulfilment = "pickup"
            #expect(try await shop.server.rejection(of: form).errors == ["fulfilment: fulfilment_not_offered"])
            #expect(
                try await noon.times("fulfilment=pickup&date=\(noon.date(daysFromToday: 2))") == TimesBody(slots: []))
            form.fulfilment = nil
            form.wantedAt = try noon.time("11:00", dayOffset: 2)
            try await shop.database.psql(
                "update shop set pause_until = '\(noon.time("12:00", dayOffset: 2))', pause_reason = 'The oven'")
            try await expect(
                noon.time("11:30", dayOffset: 2), "shop_paused", ["until": .text(noon.time("12:00", dayOffset: 2))])
            form.wantedAt = nil
            let paused = RejectedForm(
                errors: ["wantedAt: shop_paused"], params: ["until": .text(try noon.time("12:00", dayOffset: 2))])
            #expect(try await shop.server.rejection(of: form) == paused)
            #expect(
                try await noon.slotStarts("date=\(noon.date(daysFromToday: 2))") { $0.count == 20 }.first
                    == noon.time("12:00", dayOffset: 2))
            // Without slots, only as soon as possible can be ordered.
            try await shop.database.psql(
                "update shop set pause_until = null, pause_reason = null; update fulfilments set slot_minutes = null")
            try await expect(noon.time("12:00", dayOffset: 2), "not_a_slot", [:])
            form.wantedAt = nil
            #expect(try await shop.server.checkout(form, key: "k").status == 201)
        }
    }

    @Test("A closed shop returns its opening time, and guests can fill a basket and order it after the opening")
    func closed() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(shop, Self.slots + NoonShop.openingHoursSQL("18:00", "23:00"))
            let basket = try await shop.server.startBasket(items: [(2001, 1)], sales: [200])
            #expect(basket.actions.contains("checkout"))
            let form = CheckoutBody.filled(for: basket)
            let closed = RejectedForm(
                errors: ["wantedAt: shop_closed"], params: ["opensAt": .text(try noon.time("18:00"))])
            #expect(try await shop.server.rejection(of: form) == closed)
            let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
            #expect(
                live.errors.isEmpty && live.fields[.wantedAt]?.code == "shop_closed" && !live.isReady
                    && live.quote?.total == basket.total)
            var later = form
            later.wantedAt = try noon.time("18:00")
            #expect(try await shop.server.validate(later).decoded(ValidationBody.self).isReady)
            try await eventually("the server has loaded the hours") {
                try await noon.times().closed == ClosedBody(opensAt: noon.time("18:00"))
            }
            let times = try await noon.times()
            let evening = try noon.time("18:00")
            #expect(times.asSoonAsPossible == nil && times.slots.first?.startsAt == evening && times.slots.count == 10)
            #expect(try await shop.server.add(4001, to: basket.id).status == 200)
            let fuller = try await shop.server.basket(basket.id)
            try await shop.database.psql("update opening_hours set opens = '11:00'")
            #expect(try await shop.server.checkout(.filled(for: fuller), key: "k").status == 201)
        }
    }

    @Test(
        "A full slot is not offered, its rejection offers the next three, and a cancelled order frees its units"
    )
    func fullSlot() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(
                shop,
                "update fulfilments set slot_minutes = 30, orders_per_slot = 2, items_per_slot = 6;"
                    + NoonShop.openingHoursSQL("11:00", "22:00"))
            let (day, wanted) = (try noon.date(daysFromToday: 2), try noon.time("18:00", dayOffset: 2))
            func order(_ quantity: Int64, guest: Int) async throws -> TestServer.Reply {
                let basket = try await shop.server.startBasket(items: [(2001, quantity)])
                var form = CheckoutBody.filled(for: basket, guest: guest)
                form.wantedAt = wanted
                return try await shop.server.checkout(form, key: "k")
            }
            func left(_ basket: BasketBody? = nil) async throws -> Int64? {
                try await noon.times("date=\(day)" + (basket.map { "&basketId=\($0.id)" } ?? "")).slots.first {
                    $0.startsAt == wanted
                }?
                .left
            }
            _ = try await noon.slotStarts("date=\(day)") { $0.count == 22 }
            #expect(try await left() == 2)
            let first = try await order(4, guest: 1).expecting(201).decoded(OrderBody.self)
            #expect(try await left() == 1)
            let alternatives: [String: FieldValue] = [
                "alternatives": .texts(try ["18:30", "19:00", "19:30"].map { try noon.time($0, dayOffset: 2) })
            ]
            // Three more dishes exceed the limit, two do not.
            let large = try await shop.server.startBasket(items: [(2001, 3)])
            #expect(try await left(large) == nil)
            let refused = try await order(3, guest: 2).expecting(422).decoded(ProblemBody.self)
            #expect(refused.errors?.map(\.code) == ["slot_full"] && refused.errors?.first?.params == alternatives)
            let second = try await order(2, guest: 3).expecting(201).decoded(OrderBody.self)
            #expect(try await left() == nil)
            #expect(
                try await order(1, guest: 4).expecting(422).decoded(ProblemBody.self).errors?.first?.params
                    == alternatives)
            // Seven dishes exceed the limit of every slot.
            let limit = try await order(7, guest: 7).expecting(422).decoded(ProblemBody.self)
            #expect(limit.errors?.map(\.code) == ["slot_full"] && limit.errors?.first?.params == ["limit": .integer(6)])
            for _ in 0..<2 { _ = try await shop.server.cancel(first).expecting(200) }
            #expect(try await left() == 1)
            #expect(try await order(4, guest: 5).status == 201)
            try await shop.database.psql("select advance_order('\(second.number)', 'rejected', 'no buns')")
            #expect(try await left() == 1)
            #expect(try await shop.database.psql("select order_count, item_count from slot_uses") == "1|4")
            // An order for as soon as possible uses no slot.
            _ = try await shop.server.order(guest: 6)
            #expect(try await shop.database.psql("select count(*) from slot_uses") == "1")
        }
    }

    @Test("Hours that change between quote and checkout return the alternatives, which are accepted")
    func changed() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(shop, Self.slots + NoonShop.openingHoursSQL("11:00", "22:00"))
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody.filled(for: basket)
            form.wantedAt = try noon.time("18:00", dayOffset: 2)
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            try await shop.database.psql(
                """
                insert into opening_exceptions (date, opens, closes) values
                    ('\(noon.date(daysFromToday: 2))', '19:00', '20:00')
                """)
            let closed = RejectedForm(
                errors: ["wantedAt: shop_closed"], params: ["opensAt": .text(try noon.time("19:00", dayOffset: 2))])
            #expect(try await shop.server.rejection(of: form) == closed)
            let offered = try await noon.slotStarts("date=\(noon.date(daysFromToday: 2))&basketId=\(basket.id)") {
                $0.count == 2
            }
            #expect(offered == [try noon.time("19:00", dayOffset: 2), try noon.time("19:30", dayOffset: 2)])
            form.wantedAt = offered[1]
            #expect(
                try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self).readyAt
                    == offered[1])
        }
    }

    @Test(
        "Availability is judged at the wanted time, and a basket accepts a dish that is unavailable now"
    )
    func servingHours() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(
                shop,
                Self.slots + NoonShop.openingHoursSQL("11:00", "22:00")
                    + """
                    insert into serving_hours (menu_item_id, weekday, opens, closes)
                    select 2001, day, '18:00', '20:00' from generate_series(1, 7) as day;
                    """
            )
            let unavailable = UnavailableBody(reason: "not_served", until: try noon.time("18:00"))
            try await eventually("the server has loaded the hours") {
                try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).unavailable == unavailable
            }
            let listed = try await shop.server.get("/v1/menu?category=200").decoded(Page<MenuItemBody>.self).items
            #expect(listed.filter { !$0.isAvailable }.map(\.id) == [2001])
            let basket = try await shop.server.startBasket(items: [(2001, 2), (4001, 1)])
            #expect(basket.lines.map(\.isAvailable) == [false, true] && basket.lines[0].unavailable == unavailable)
            #expect(basket.actions.contains("checkout") && basket.actions.contains("increment"))
            var form = CheckoutBody.filled(for: basket)
            let window: [String: FieldValue] = [
                "from": .text(try noon.time("18:00")), "until": .text(try noon.time("20:00")),
            ]
            let errors = ["lines/1: item_not_served_then"]
            #expect(try await shop.server.rejection(of: form) == RejectedForm(errors: errors, params: window))
            form.wantedAt = try noon.time("20:00", dayOffset: 2)
            let next: [String: FieldValue] = [
                "from": .text(try noon.time("18:00", dayOffset: 3)),
                "until": .text(try noon.time("20:00", dayOffset: 3)),
            ]
            #expect(try await shop.server.rejection(of: form) == RejectedForm(errors: errors, params: next))
            let offered = try await noon.slotStarts("date=\(noon.date(daysFromToday: 2))&basketId=\(basket.id)")
            #expect(offered == (try ["18:00", "18:30", "19:00", "19:30"].map { try noon.time($0, dayOffset: 2) }))
            #expect(try await noon.times("date=\(noon.date(daysFromToday: 2))").slots.count == 22)
            // An item that is sold out until tomorrow can be ordered for the day after.
            try await shop.database.psql(
                "update menu_items set sold_out_until = '\(noon.time("04:00", dayOffset: 1))' where id = 4001")
            form.wantedAt = try noon.time("18:30")
            #expect(try await shop.server.rejection(of: form).errors == ["lines/2: item_sold_out"])
            form.wantedAt = offered[1]
            #expect(try await shop.server.checkout(form, key: "k").status == 201)
            // A dish's own serving hours replace those of its category; other dishes keep the category's.
            try await shop.database.psql(
                """
                insert into serving_hours (category_id, weekday, opens, closes)
                select 200, day, '12:30', '14:00' from generate_series(1, 7) as day
                """
            )
            func starts(_ items: [(Int64, Int64)]) async throws -> [String] {
                let basket = try await shop.server.startBasket(items: items)
                return try await noon.slotStarts("date=\(noon.date(daysFromToday: 2))&basketId=\(basket.id)")
            }
            let another = try await shop.server.startBasket(items: [(2002, 1)])
            let atNoon = try ["12:30", "13:00", "13:30"].map { try noon.time($0, dayOffset: 2) }
            #expect(
                try await noon.slotStarts("date=\(noon.date(daysFromToday: 2))&basketId=\(another.id)") {
                    $0.count == 3
                } == atNoon)
            #expect(try await starts([(2001, 1)]) == offered)
            #expect(try await starts([(3001, 1)]).count == 22)
            #expect(try await starts([(2001, 1), (2002, 1)]) == [])
            form = CheckoutBody.filled(for: try await shop.server.startBasket(items: [(2001, 1), (2002, 1)]), guest: 2)
            for (time, line) in [("18:30", 2), ("13:00", 1)] {
                form.wantedAt = try noon.time(time, dayOffset: 2)
                #expect(try await shop.server.rejection(of: form).errors == ["lines/\(line): item_not_served_then"])
            }
        }
    }

    @Test("Fulfilment, wanted time and postcode are part of the fingerprint as they were sent")
    func fingerprint() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(shop, Self.slots)
            let wanted = try noon.time("18:00", dayOffset: 2)
            let other = String(wanted.dropLast()) + ".000Z"
            var keys = 0
            for (fulfilment, wantedAt, postcode) in [
                (nil, nil, nil), ("delivery", wanted, "10117"), ("pickup", nil, ""),
            ]
                as [(String?, String?, String?)]
            {
                let basket = try await shop.server.startBasket(items: [(2001, 1)])
                keys += 1
                var form = CheckoutBody.filled(for: basket, guest: keys)
                (form.fulfilment, form.wantedAt, form.postcode) = (fulfilment, wantedAt, postcode)
                let first = try await shop.server.checkout(form, key: "k").expecting(201)
                let replay = try await shop.server.checkout(form, key: "k").expecting(201)
                #expect(replay.body == first.body && replay.header("Idempotency-Replayed") == "true")
                for changed in ["delivery", "pickup", "", nil] where changed != fulfilment {
                    form.fulfilment = changed
                    #expect(try await shop.server.checkout(form, key: "k").code == "idempotency_key_reused")
                }
                form.fulfilment = fulfilment
                for changed in [wanted, other, "", nil] where changed != wantedAt {
                    form.wantedAt = changed
                    #expect(try await shop.server.checkout(form, key: "k").code == "idempotency_key_reused")
                }
                form.wantedAt = wantedAt
                for changed in ["10117", "10 117", "", nil] where changed != postcode {
                    form.postcode = changed
                    #expect(try await shop.server.checkout(form, key: "k").code == "idempotency_key_reused")
                }
            }
        }
    }
}
