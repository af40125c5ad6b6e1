// What the home screen says of the hours: open or closed, until when, and that the answers which lie ready move on by themselves.
// Read next: Sources/Ordering/Menu/ShopDoor.swift, SoldOutUntilTests.swift.

import Foundation
import Support
import Testing
import Wire

@Suite("The home screen says whether the shop is open", .timeLimit(.minutes(10)))
struct HomeHoursTests {
    private static func doors(_ server: TestServer) async throws -> [DoorBody] {
        try await server.get("/v1/home").expecting(200).decoded(HomeBody.self).opening
    }

    private static func door(
        _ fulfilment: String, isOffered: Bool = true, isOpen: Bool, until: String? = nil, opensAt: String? = nil,
        pausedUntil: String? = nil, pauseReason: String? = nil
    ) -> DoorBody {
        let none = SpreadBody(lowest: 0, highest: 0)
        return DoorBody(
            fulfilment: fulfilment, isOpen: isOpen, until: until, opensAt: opensAt, pausedUntil: pausedUntil, pauseReason: pauseReason,
            isOffered: isOffered, minutes: isOffered ? SpreadBody(lowest: 15, highest: 15) : nil, minimumSubtotal: isOffered ? none : nil,
            fee: isOffered ? none : nil, currency: "USD", currencyExponent: 2, needsPostcode: false)
    }

    @Test("A shop that has said nothing is open for good; hours, exceptions, a pause and what is not offered are told for each kind")
    func told() async throws {
        try await TestShop.run { shop in
            #expect(try await Self.doors(shop.server) == [Self.door("delivery", isOpen: true), Self.door("pickup", isOpen: true)])
            let noon = try await Noon(
                shop, Noon.hours("11:00", "14:00") + Noon.hours("14:00", "22:00", "delivery") + Noon.hours("18:00", "26:00", "pickup"))
            func expect(_ doors: DoorBody...) async throws {
                try await eventually("\(doors)") { try await Self.doors(shop.server) == doors }
            }
            // Shifts that adjoin are one.
            try await expect(
                Self.door("delivery", isOpen: true, until: noon.at("22:00")), Self.door("pickup", isOpen: true, until: noon.at("14:00")))
            try await shop.database.psql(
                "insert into opening_exceptions (date, opens, closes, fulfilment) values ('\(noon.today)', '17:30', '21:00', 'pickup')")
            try await expect(
                Self.door("delivery", isOpen: true, until: noon.at("22:00")), Self.door("pickup", isOpen: false, opensAt: noon.at("17:30")))
            try await shop.database.psql("update shop set pause_until = '\(noon.at("13:30"))', pause_reason = 'The oven'")
            let paused = try noon.at("13:30")
            try await expect(
                Self.door("delivery", isOpen: false, until: noon.at("22:00"), pausedUntil: paused, pauseReason: "The oven"),
                Self.door("pickup", isOpen: false, opensAt: noon.at("17:30"), pausedUntil: paused, pauseReason: "The oven"))
            try await shop.database.psql(
                """
                update shop set pause_until = null, pause_reason = null; delete from opening_exceptions;
                update fulfilments set is_offered = false where fulfilment = 'pickup'; delete from opening_hours where fulfilment is null
                """)
            try await expect(
                Self.door("delivery", isOpen: false, opensAt: noon.at("14:00")),
                Self.door("pickup", isOffered: false, isOpen: false, opensAt: noon.at("18:00")))
        }
    }

    @Test(
        "What an order takes is told from the least to the most: minutes, minimum and fee of the areas, and busy minutes until they are over"
    )
    func takes() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                begin;
                update fulfilments set lead_minutes = 25 where fulfilment = 'delivery';
                insert into delivery_areas (id, title, postcodes, minimum_subtotal, extra_minutes, is_active) values
                    (1, 'Near', '{101*}', 800, 0, true), (2, 'Far', '{10*}', 2500, 20, true), (3, 'Nowhere yet', '{9*}', 1, 90, false);
                insert into delivery_fees (area_id, from_subtotal, fee) values
                    (1, 0, 150), (1, 2000, 0), (2, 0, 990), (2, 2500, 490), (3, 0, 9900);
                commit
                """)
            func delivery() async throws -> DoorBody? { try await Self.doors(shop.server).first }
            try await eventually("the areas are read") {
                try await delivery()?.minutes == SpreadBody(lowest: 25, highest: 45)
            }
            // Nobody is brought anything far away for less than 25.00, so that nobody pays 9.90.
            #expect(try await delivery()?.fee == SpreadBody(lowest: 0, highest: 490))
            #expect(try await delivery()?.minimumSubtotal == SpreadBody(lowest: 800, highest: 2500))
            #expect(try await Self.doors(shop.server).last?.minutes == SpreadBody(lowest: 15, highest: 15))
            #expect(try await Self.doors(shop.server).map(\.needsPostcode) == [true, false])
            try await shop.database.psql("update shop set busy_minutes = 30, busy_until = clock_timestamp() + interval '6 s'")
            try await eventually("it is busy") { try await delivery()?.minutes == SpreadBody(lowest: 55, highest: 75) }
            let revision = try await shop.database.psql("select revision from menu_revision")
            try await eventually("it is not busy any more") { try await delivery()?.minutes == SpreadBody(lowest: 25, highest: 45) }
            #expect(try await shop.database.psql("select revision from menu_revision") == revision)
            try await shop.database.psql("update delivery_areas set is_active = false")
            try await eventually("it delivers nowhere") { try await delivery()?.minutes == nil }
            #expect(try await delivery()?.isOffered == true)
        }
    }

    @Test("The shop says who it is in the words of its row, and what its prices and times are in")
    func about() async throws {
        try await TestShop.run { shop in
            let before: ShopBody = try await shop.server.read("/v1/shop")
            #expect(
                before
                    == ShopBody(
                        name: "Welm's Delivery", address: nil, phone: nil, imprint: nil, privacy: nil, currency: "USD", currencyExponent: 2,
                        timeZone: "America/New_York", languages: ["en"]))
            try await shop.database.psql(
                """
                update shop set address = '12 Baker Lane', phone = '+1 212 555 0100', imprint = 'W. Elms', privacy = 'We keep orders for ten years.',
                    languages = '{en,de}', name = 'Elms'
                """)
            let written = ShopBody(
                name: "Elms", address: "12 Baker Lane", phone: "+1 212 555 0100", imprint: "W. Elms",
                privacy: "We keep orders for ten years.", currency: "USD", currencyExponent: 2, timeZone: "America/New_York",
                languages: ["en", "de"])
            try await eventually("it is read") { try await shop.server.read("/v1/shop", as: ShopBody.self) == written }
            #expect(try await shop.server.storefront.shop().body == written)
        }
    }

    @Test("When a pause ends the home screen says so with another tag, with nothing written, and as before its tag is the one from before")
    func pauseEnds() async throws {
        try await TestShop.run { shop in
            let before = try #require(try await shop.server.get("/v1/home").header("ETag"))
            try await shop.database.psql("update shop set pause_until = clock_timestamp() + interval '6 s'")
            try await eventually("it is paused") { try await Self.doors(shop.server).allSatisfy { !$0.isOpen && $0.pausedUntil != nil } }
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

    @Test("When a shift ends and a dish's hours begin, home and menu say so with other tags, with nothing written")
    func shiftEnds() async throws {
        try await TestShop.run { shop in
            // A whole minute that is far enough to look at both sides of it.
            let noon = try await Noon(shop)
            let minute = try await shop.database.psql(
                "select to_char((clock_timestamp() + interval '70 s') at time zone time_zone, 'HH24:MI') from shop")
            try await shop.database.psql(
                """
                begin;
                \(Noon.hours("00:00", minute))
                insert into serving_hours (menu_item_id, weekday, opens, closes) select 2001, day, '\(minute)', '24:00' from generate_series(1, 7) as day;
                commit
                """)
            let boundary = try noon.at(minute)
            try await eventually("the hours are read") { try await Self.doors(shop.server).allSatisfy { $0.until == boundary } }
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
            try await eventually("the minute has come", within: .seconds(90)) {
                try await Self.doors(shop.server).allSatisfy { !$0.isOpen && $0.opensAt != nil }
            }
            #expect(try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).isAvailable)
            for (tag, old) in zip(try await tags(), before) { #expect(tag != old) }
            #expect(try await shop.server.refusal(form).errors == ["wantedAt: shop_closed"])
            #expect(try await shop.database.psql("select revision from menu_revision") == revision)
        }
    }
}
