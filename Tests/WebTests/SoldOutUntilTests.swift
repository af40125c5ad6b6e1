// Items that are sold out until a time: every response has the reason and the time, and they return without a write.

import Foundation
import Support
import Testing
import Wire

@Suite("Items that are sold out until a time", .timeLimit(.minutes(10)))
struct SoldOutUntilTests {
    /// The availability of the BBQ Burger in every response that shows it, with the ETags of the responses.
    private static func views(
        _ server: TestServer, _ basket: BasketBody
    ) async throws -> (availability: [(Bool, UnavailableBody?)], tags: [String]) {
        var availability: [(Bool, UnavailableBody?)] = []
        var tags: [String] = []
        func read<Body: Decodable>(_ path: String, _: Body.Type) async throws -> Body {
            let reply = try await server.get(path).expecting(200)
            tags.append(try #require(reply.header("ETag")))
            return try reply.decoded()
        }
        let item = try await read("/v1/menu/2002", MenuItemBody.self)
        availability.append((item.isAvailable, item.unavailable))
        for path in ["/v1/menu?category=200", "/v1/menu?q=bbq&limit=1", "/v1/menu"] {
            let listed = try #require(try await read(path, Page<MenuItemBody>.self).items.first { $0.id == 2002 })
            availability.append((listed.isAvailable, listed.unavailable))
        }
        for section in try await read("/v1/home", HomeBody.self).sections {
            var items: [MenuItemBody] = []
            if case .specials(let specials) = section { items = specials }
            if case .salesGroups(let sales) = section { items = sales.flatMap { $0.items.map(\.menuItem) } }
            availability += items.filter { $0.id == 2002 }.map { ($0.isAvailable, $0.unavailable) }
        }
        availability += try await read("/v1/sales/200", SalesGroupBody.self).items.map {
            ($0.menuItem.isAvailable, $0.menuItem.unavailable)
        }
        availability += try await read("/v1/sales", Page<SalesGroupBody>.self).items.flatMap(\.items).filter {
            $0.menuItem.id == 2002
        }.map {
            ($0.menuItem.isAvailable, $0.menuItem.unavailable)
        }
        let now = try await read("/v1/baskets/\(basket.id)", BasketBody.self)
        availability +=
            now.lines.map { ($0.isAvailable, $0.unavailable) } + now.sales.map { ($0.isAvailable, $0.unavailable) }
        availability += now.sales.flatMap(\.items).map { ($0.isAvailable, $0.unavailable) }
        return (availability, tags)
    }

    @Test(
        "While an item is sold out until a time, responses show the time, and afterwards they are as before"
    )
    func everywhere() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2002, 1)], sales: [200])
            let form = CheckoutBody.filled(for: basket)
            let before = try await Self.views(shop.server, basket)
            #expect(before.availability.count == 11 && before.availability.allSatisfy { $0.0 && $0.1 == nil })

            let returned = try await shop.database.psql(
                """
                update menu_items set sold_out_until = date_trunc('milliseconds', clock_timestamp() + interval '10 s')
                where id = 2002
                returning to_char(sold_out_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                """
            ).split(separator: "\n")[0]
            let until = String(returned).replacing(".000Z", with: "Z")
            try await eventually("the item is sold out") {
                try await !shop.server.get("/v1/menu/2002").decoded(MenuItemBody.self).isAvailable
            }
            let during = try await Self.views(shop.server, basket)
            #expect(
                during.availability.allSatisfy { !$0.0 && $0.1 == UnavailableBody(reason: "sold_out", until: until) },
                "\(during.availability)")
            #expect(Set(during.tags).isDisjoint(with: before.tags))
            #expect(try await shop.server.add(2002, to: basket.id).code == "item_sold_out")
            let live = try await shop.server.validate(form).decoded(ValidationBody.self)
            #expect(live.errors.map(\.field) == ["lines/1", "sales/200/items/2002"] && !live.isReady)
            let refused = try await shop.server.checkout(form, key: "k").expecting(422).decoded(ProblemBody.self)
            #expect(refused.errors?.map(\.params) == [["until": .text(until)], ["until": .text(until)]])
            let revision = try await shop.database.psql("select revision from menu_revision")

            try await eventually("the item is available") {
                try await shop.server.get("/v1/menu/2002").decoded(MenuItemBody.self).isAvailable
            }
            let after = try await Self.views(shop.server, basket)
            // The basket's tag differs, because it contains the menu revision, which the update has incremented.
            #expect(
                after.availability.allSatisfy { $0.0 && $0.1 == nil } && after.tags.dropLast() == before.tags.dropLast()
            )
            #expect(after.tags.last != during.tags.last)
            #expect(try await shop.server.checkout(form, key: "k").status == 201)
            #expect(try await shop.database.psql("select revision from menu_revision") == revision)
        }
    }

    @Test("While the menu cannot be loaded, an item still becomes available at its time")
    func menuUnavailable() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                "update menu_items set sold_out_until = clock_timestamp() + interval '3 s' where id = 2001")
            try await eventually("the item is sold out") {
                try await !shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).isAvailable
            }
            try await shop.database.psql("revoke select on menu_revision from welms_server")
            try await eventually("the item is available in a stale menu") {
                let reply = try await shop.server.get("/v1/menu/2001")
                return try reply.decoded(MenuItemBody.self).isAvailable && reply.header("Menu-Stale") != nil
            }
        }
    }

    @Test("Staff mark an item as sold out until a time or until further notice, and invalid requests change nothing")
    func staff() async throws {
        try await StaffTests.run { shop in
            func set(_ json: String) async throws -> TestServer.Reply {
                try await shop.server.post("/v1/staff/menu/2001/availability", json: json, headers: StaffTests.bearer)
            }
            func row() async throws -> String {
                try await shop.database.psql(
                    "select is_available, sold_out_until at time zone 'UTC' from menu_items where id = 2001")
            }
            let untilTime = #"{"isAvailable":false,"until":"2999-01-01T00:00:00.25+01:00"}"#
            for _ in 0..<2 {
                let item = try await set(untilTime).expecting(200).decoded(MenuItemBody.self)
                #expect(
                    !item.isAvailable
                        && item.unavailable == UnavailableBody(reason: "sold_out", until: "2998-12-31T23:00:00.250Z"))
                #expect(try await row() == "t|2998-12-31 23:00:00.25")
            }
            let revision = try await shop.database.psql("select revision from menu_revision")
            #expect(try await set(untilTime).status == 200)
            #expect(
                try await shop.database.psql("select revision from menu_revision") == revision,
                "an equal value is no change")
            for (json, errors) in [
                (#"{"isAvailable":false,"until":"tomorrow"}"#, ["until: invalid_time"]),
                (#"{"isAvailable":false,"until":""}"#, ["until: invalid_time"]),
                (#"{"until":"2999-02-29T00:00:00Z"}"#, ["isAvailable: required", "until: invalid_time"]),
                (#"{"isAvailable":false,"until":"2020-01-01T00:00:00Z"}"#, ["until: not_in_future"]),
                (#"{"isAvailable":true,"until":"2999-01-01T00:00:00Z"}"#, ["until: only_when_sold_out"]),
                (#"{"until":"2999-01-01T00:00:00Z"}"#, ["isAvailable: required"]),
            ] {
                let reply = try await set(json)
                #expect(reply.status == 422 && reply.errors == errors, "\(json): \(reply.text)")
            }
            for json in [#"{"isAvailable":false,"until":5}"#, #"{"isAvailable":false,"until":"x","until":"x"}"#] {
                #expect(try await set(json).code == "malformed_body", "\(json)")
            }
            #expect(try await row() == "t|2998-12-31 23:00:00.25")
            let item = try await set(#"{"isAvailable":false,"until":null}"#).expecting(200).decoded(MenuItemBody.self)
            #expect(item.unavailable == UnavailableBody(reason: "sold_out") && !item.isAvailable)
            #expect(try await row() == "f|")
            #expect(try await set(untilTime).decoded(MenuItemBody.self).unavailable?.until != nil)
            #expect(try await set(#"{"isAvailable":true}"#).expecting(200).decoded(MenuItemBody.self).isAvailable)
            #expect(try await row() == "t|")
        }
    }
}
