// What is sold out until a moment, over HTTP: wherever `isAvailable` is false it says why and until when, and all of it is back by itself, the
// answers that lie ready too. Read next: Sources/Ordering/Availability/Availability.swift.

import Foundation
import Support
import Testing
import Wire

@Suite("Offered = accepted: what is sold out until a moment is back by itself", .timeLimit(.minutes(10)))
struct SoldOutUntilTests {
    /// Everything that says whether the BBQ Burger can be had, with the ETag of its answer.
    private static func views(_ server: TestServer, _ basket: BasketBody) async throws -> (said: [(Bool, UnavailableBody?)], tags: [String])
    {
        var said: [(Bool, UnavailableBody?)] = []
        var tags: [String] = []
        func read<Body: Decodable>(_ path: String, _: Body.Type) async throws -> Body {
            let reply = try await server.get(path).expecting(200)
            tags.append(try #require(reply.header("ETag")))
            return try reply.decoded()
        }
        let item = try await read("/v1/menu/2002", MenuItemBody.self)
        said.append((item.isAvailable, item.unavailable))
        for path in ["/v1/menu?category=200", "/v1/menu?q=bbq&limit=1", "/v1/menu"] {
            let listed = try #require(try await read(path, Page<MenuItemBody>.self).items.first { $0.id == 2002 })
            said.append((listed.isAvailable, listed.unavailable))
        }
        for section in try await read("/v1/home", HomeBody.self).sections {
            var items: [MenuItemBody] = []
            if case .specials(let specials) = section { items = specials }
            if case .sales(let sales) = section { items = sales.flatMap { $0.items.map(\.menuItem) } }
            said += items.filter { $0.id == 2002 }.map { ($0.isAvailable, $0.unavailable) }
        }
        said += try await read("/v1/sales/200", SaleBody.self).items.map { ($0.menuItem.isAvailable, $0.menuItem.unavailable) }
        said += try await read("/v1/sales", Page<SaleBody>.self).items.flatMap(\.items).filter { $0.menuItem.id == 2002 }.map {
            ($0.menuItem.isAvailable, $0.menuItem.unavailable)
        }
        let now = try await read("/v1/baskets/\(basket.id)", BasketBody.self)
        said += now.lines.map { ($0.isAvailable, $0.unavailable) } + now.sales.map { ($0.isAvailable, $0.unavailable) }
        said += now.sales.flatMap(\.items).map { ($0.isAvailable, $0.unavailable) }
        return (said, tags)
    }

    @Test(
        "Menu, home, sets, baskets, quote and checkout say until when, and are as before from that moment on, ETags too, with nothing written"
    )
    func everywhere() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2002, 1)], sales: [200])
            let form = CheckoutBody.filled(for: basket)
            let before = try await Self.views(shop.server, basket)
            #expect(before.said.count == 11 && before.said.allSatisfy { $0.0 && $0.1 == nil })

            let written = try await shop.database.psql(
                """
                update menu_items set sold_out_until = date_trunc('milliseconds', clock_timestamp() + interval '10 s') where id = 2002
                returning to_char(sold_out_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                """
            ).split(separator: "\n")[0]
            let until = String(written).replacing(".000Z", with: "Z")
            try await eventually("it is sold out") { try await !shop.server.get("/v1/menu/2002").decoded(MenuItemBody.self).isAvailable }
            let during = try await Self.views(shop.server, basket)
            #expect(during.said.allSatisfy { !$0.0 && $0.1 == UnavailableBody(reason: "sold_out", until: until) }, "\(during.said)")
            #expect(Set(during.tags).isDisjoint(with: before.tags))
            #expect(try await shop.server.add(2002, to: basket.id).code == "item_sold_out")
            let live = try await shop.server.validate(form).decoded(ValidationBody.self)
            #expect(live.errors.map(\.field) == ["lines/1", "sales/200/items/2002"] && !live.isReady)
            let refused = try await shop.server.checkout(form, key: "k").expecting(422).decoded(ProblemBody.self)
            #expect(refused.errors?.map(\.params) == [["until": .text(until)], ["until": .text(until)]])
            let revision = try await shop.database.psql("select revision from menu_revision")

            try await eventually("it is back") { try await shop.server.get("/v1/menu/2002").decoded(MenuItemBody.self).isAvailable }
            let after = try await Self.views(shop.server, basket)
            // The basket's names the menu's revision, which the update has moved on.
            #expect(after.said.allSatisfy { $0.0 && $0.1 == nil } && after.tags.dropLast() == before.tags.dropLast())
            #expect(after.tags.last != during.tags.last)
            #expect(try await shop.server.checkout(form, key: "k").status == 201)
            #expect(try await shop.database.psql("select revision from menu_revision") == revision)
        }
    }

    @Test("While the menu can't be read the time goes on: what is sold out until a moment is back in the menu all the same")
    func away() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql("update menu_items set sold_out_until = clock_timestamp() + interval '3 s' where id = 2001")
            try await eventually("it is sold out") { try await !shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).isAvailable }
            try await shop.database.psql("revoke select on menu_revision from welms_server")
            try await eventually("it is back, and told to be stale") {
                let reply = try await shop.server.get("/v1/menu/2001")
                return try reply.decoded(MenuItemBody.self).isAvailable && reply.header("Menu-Stale") != nil
            }
        }
    }

    @Test("Staff sell out until a moment over HTTP, until further notice, and bring back; what is wrong is told, and changes nothing")
    func staff() async throws {
        try await StaffTests.run { shop in
            func set(_ json: String) async throws -> TestServer.Reply {
                try await shop.server.post("/v1/staff/menu/2001/availability", json: json, headers: StaffTests.bearer)
            }
            func row() async throws -> String {
                try await shop.database.psql("select is_available, sold_out_until at time zone 'UTC' from menu_items where id = 2001")
            }
            let until = #"{"isAvailable":false,"until":"2999-01-01T00:00:00.25+01:00"}"#
            for _ in 0..<2 {
                let item = try await set(until).expecting(200).decoded(MenuItemBody.self)
                #expect(!item.isAvailable && item.unavailable == UnavailableBody(reason: "sold_out", until: "2998-12-31T23:00:00.250Z"))
                #expect(try await row() == "t|2998-12-31 23:00:00.25")
            }
            let revision = try await shop.database.psql("select revision from menu_revision")
            #expect(try await set(until).status == 200)
            #expect(try await shop.database.psql("select revision from menu_revision") == revision, "what is so already is left alone")
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
            #expect(try await set(until).decoded(MenuItemBody.self).unavailable?.until != nil)
            #expect(try await set(#"{"isAvailable":true}"#).expecting(200).decoded(MenuItemBody.self).isAvailable)
            #expect(try await row() == "t|")
        }
    }
}
