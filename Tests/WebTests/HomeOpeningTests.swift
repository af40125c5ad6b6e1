// The opening status in `GET /v1/home`, and that it changes with time without a write.

import Foundation
import Support
import Testing
import Wire

@Suite("The home screen shows the opening status", .timeLimit(.minutes(10)))
struct HomeOpeningTests {
    private static func statuses(_ server: TestServer) async throws -> [OpeningStatusBody] {
        try await server.get("/v1/home").expecting(200).decoded(HomeBody.self).opening
    }

    private static func status(
        _ fulfilment: String, isOffered: Bool = true, isOpen: Bool, until: String? = nil, opensAt: String? = nil,
        pausedUntil: String? = nil, pauseReason: String? = nil
    ) -> OpeningStatusBody {
        let none = RangeBody(lowest: 0, highest: 0)
        return OpeningStatusBody(
            fulfilment: fulfilment, isOpen: isOpen, until: until, opensAt: opensAt, pausedUntil: pausedUntil,
            pauseReason: pauseReason,
            isOffered: isOffered, minutes: isOffered ? RangeBody(lowest: 15, highest: 15) : nil,
            minimumSubtotal: isOffered ? none : nil,
            fee: isOffered ? none : nil, currency: "USD", currencyExponent: 2, needsPostcode: false)
    }

    @Test("Delivery and pickup each have an opening status from hours, exceptions, pauses and whether it is offered")
    func statusPerFulfilment() async throws {
        try await TestShop.run { shop in
            #expect(
                try await Self.statuses(shop.server) == [
                    Self.status("delivery", isOpen: true), Self.status("pickup", isOpen: true),
                ])
            let noon = try await NoonShop(
                shop,
                NoonShop.openingHoursSQL("11:00", "14:00") + NoonShop.openingHoursSQL("14:00", "22:00", "delivery")
                    + NoonShop.openingHoursSQL("18:00", "26:00", "pickup"))
            func expect(_ statuses: OpeningStatusBody...) async throws {
                try await eventually("\(statuses)") { try await Self.statuses(shop.server) == statuses }
            }
            // Adjoining shifts count as one.
            try await expect(
                Self.status("delivery", isOpen: true, until: noon.time("22:00")),
                Self.status("pickup", isOpen: true, until: noon.time("14:00")))
            try await shop.database.psql(
                """
                insert into opening_exceptions (date, opens, closes, fulfilment)
                values ('\(noon.today)', '17:30', '21:00', 'pickup')
                """)
            try await expect(
                Self.status("delivery", isOpen: true, until: noon.time("22:00")),
                Self.status("pickup", isOpen: false, opensAt: noon.time("17:30")))
            try await shop.database.psql(
                "update shop set pause_until = '\(noon.time("13:30"))', pause_reason = 'The oven'")
            let paused = try noon.time("13:30")
            try await expect(
                Self.status(
                    "delivery", isOpen: false, until: noon.time("22:00"), pausedUntil: paused, pauseReason: "The oven"),
                Self.status(
                    "pickup", isOpen: false, opensAt: noon.time("17:30"), pausedUntil: paused, pauseReason: "The oven"))
            try await shop.database.psql(
                """
                update shop set pause_until = null, pause_reason = null; delete from opening_exceptions;
                update fulfilments set is_offered = false where fulfilment = 'pickup';
                delete from opening_hours where fulfilment is null
                """)
            try await expect(
                Self.status("delivery", isOpen: false, opensAt: noon.time("14:00")),
                Self.status("pickup", isOffered: false, isOpen: false, opensAt: noon.time("18:00")))
        }
    }

    @Test(
        "Home shows the ranges of minutes, minimum and fee over all areas, with busy minutes while they last"
    )
    func ranges() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                begin;
                update fulfilments set lead_minutes = 25 where fulfilment = 'delivery';
                insert into delivery_areas (id, title, postcodes, minimum_subtotal, extra_minutes, is_active) values
                    (1, 'Near', '{101*}', 800, 0, true), (2, 'Far', '{10*}', 2500, 20, true),
                    (3, 'Nowhere yet', '{9*}', 1, 90, false);
                insert into delivery_fees (area_id, from_subtotal, fee) values
                    (1, 0, 150), (1, 2000, 0), (2, 0, 990), (2, 2500, 490), (3, 0, 9900);
                commit
                """)
            func delivery() async throws -> OpeningStatusBody? { try await Self.statuses(shop.server).first }
            try await eventually("the server has loaded the areas") {
                try await delivery()?.minutes == RangeBody(lowest: 25, highest: 45)
            }
            // The far area's minimum is 25.00, so its fee of 9.90 below that is never charged.
            #expect(try await delivery()?.fee == RangeBody(lowest: 0, highest: 490))
            #expect(try await delivery()?.minimumSubtotal == RangeBody(lowest: 800, highest: 2500))
            #expect(try await Self.statuses(shop.server).last?.minutes == RangeBody(lowest: 15, highest: 15))
            #expect(try await Self.statuses(shop.server).map(\.needsPostcode) == [true, false])
            try await shop.database.psql(
                "update shop set busy_minutes = 30, busy_until = clock_timestamp() + interval '6 s'")
            try await eventually("delivery is busy") {
                try await delivery()?.minutes == RangeBody(lowest: 55, highest: 75)
            }
            let revision = try await shop.database.psql("select revision from menu_revision")
            try await eventually("delivery is no longer busy") {
                try await delivery()?.minutes == RangeBody(lowest: 25, highest: 45)
            }
            #expect(try await shop.database.psql("select revision from menu_revision") == revision)
            try await shop.database.psql("update delivery_areas set is_active = false")
            try await eventually("no area is active") { try await delivery()?.minutes == nil }
            #expect(try await delivery()?.isOffered == true)
        }
    }

    @Test("GET /v1/shop returns the texts of the shop's row, its currency and its time zone")
    func shopTexts() async throws {
        try await TestShop.run { shop in
            let before: ShopBody = try await shop.server.read("/v1/shop")
            #expect(
                before
                    == ShopBody(
                        name: "Welm's Delivery", address: nil, phone: nil, imprint: nil, privacy: nil, currency: "USD",
                        currencyExponent: 2,
                        timeZone: "America/New_York", languages: ["en"]))
            try await shop.database.psql(
                """
                update shop set address = '12 Baker Lane', phone = '+1 212 555 0100', imprint = 'W. Elms',
                    privacy = 'We keep orders for ten years.',
                    languages = '{en,de}', name = 'Elms'
                """)
            let expected = ShopBody(
                name: "Elms", address: "12 Baker Lane", phone: "+1 212 555 0100", imprint: "W. Elms",
                privacy: "We keep orders for ten years.", currency: "USD", currencyExponent: 2,
                timeZone: "America/New_York",
                languages: ["en", "de"])
            try await eventually("the server has loaded the texts") {
                try await shop.server.read("/v1/shop", as: ShopBody.self) == expected
            }
            #expect(try await shop.server.storefront.shop().body == expected)
        }
    }

    @Test("The end of a pause changes the home screen and its tag without a write, and restores the earlier tag")
    func pauseEnds() async throws {
        try await TestShop.run { shop in
            let before = try #require(try await shop.server.get("/v1/home").header("ETag"))
            try await shop.database.psql("update shop set pause_until = clock_timestamp() + interval '6 s'")
            try await eventually("the shop is paused") {
                try await Self.statuses(shop.server).allSatisfy { !$0.isOpen && $0.pausedUntil != nil }
            }
            let during = try #require(try await shop.server.get("/v1/home").header("ETag"))
            let revision = try await shop.database.psql("select revision from menu_revision")
            #expect(during != before)
            try await eventually("the pause is over") {
                try await shop.server.get("/v1/home", headers: [("If-None-Match", during)]).status == 200
            }
            #expect(try await shop.server.get("/v1/home").header("ETag") == before)
            #expect(try await shop.database.psql("select revision from menu_revision") == revision)
        }
    }

    @Test("The end of a shift and the start of serving hours change home, menu and their tags without a write")
    func shiftEnds() async throws {
        try await TestShop.run { shop in
            // The boundary is a full minute, late enough to read the responses before and after it.
            let noon = try await NoonShop(shop)
            let minute = try await shop.database.psql(
                "select to_char((clock_timestamp() + interval '70 s') at time zone time_zone, 'HH24:MI') from shop")
            try await shop.database.psql(
                """
                begin;
                \(NoonShop.openingHoursSQL("00:00", minute))
                insert into serving_hours (menu_item_id, weekday, opens, closes)
                select 2001, day, '\(minute)', '24:00' from generate_series(1, 7) as day;
                commit
                """)
            let boundary = try noon.time(minute)
            try await eventually("the server has loaded the hours") {
                try await Self.statuses(shop.server).allSatisfy { $0.until == boundary }
            }
            let paths = ["/v1/home", "/v1/menu/2001", "/v1/menu?category=200"]
            func tags() async throws -> [String] {
                var tags: [String] = []
                for path in paths { tags.append(try #require(try await shop.server.get(path).header("ETag"))) }
                return tags
            }
            let before = try await tags()
            let revision = try await shop.database.psql("select revision from menu_revision")
            #expect(
                try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).unavailable
                    == UnavailableBody(reason: "not_served", until: boundary))
            let basket = try await shop.server.startBasket(items: [(4001, 1)])
            let form = CheckoutBody.filled(for: basket)
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            try await eventually("the minute begins", within: .seconds(90)) {
                try await Self.statuses(shop.server).allSatisfy { !$0.isOpen && $0.opensAt != nil }
            }
            #expect(try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).isAvailable)
            for (tag, old) in zip(try await tags(), before) { #expect(tag != old) }
            #expect(try await shop.server.rejection(of: form).errors == ["wantedAt: shop_closed"])
            #expect(try await shop.database.psql("select revision from menu_revision") == revision)
        }
    }
}
