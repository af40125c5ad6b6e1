// Staff mark items and options as sold out and count their stock over HTTP, and list the options.

import Support
import Testing
import Wire

@testable import Web

@Suite("Staff: sold out and stock", .timeLimit(.minutes(10)))
struct StaffStockTests {
    @Test("The options are listed in pages by group and position without retired ones, and a repeated GET returns 304")
    func list() async throws {
        try await StaffTests.run { shop in
            try await shop.database.psql(
                """
                begin;
                update options set is_retired = true where id = 1204;
                update option_groups set is_retired = true where id = 13;
                commit
                """)
            func page(_ query: String) async throws -> Page<StaffOptionBody> {
                try await shop.server.get("/v1/staff/options?\(query)", headers: StaffTests.bearer).expecting(200)
                    .decoded()
            }
            try await eventually("the server has loaded the menu") {
                try await !page("limit=100").items.contains { $0.id == 1204 }
            }
            let rows = try await shop.database.psql(
                """
                select string_agg(options.id::text, ' ' order by group_id, options.position, options.id) from options
                join option_groups on option_groups.id = group_id
                where not options.is_retired and not option_groups.is_retired
                """)
            let all = try await page("limit=100").items
            #expect(all.map { "\($0.id)" } == rows.split(separator: " ").map(String.init) && all.count > 20)
            let egg = StaffOptionBody(
                id: 1203, title: "Fried egg", groupId: 12, groupTitle: "Extras", isAvailable: true, unavailable: nil,
                left: nil)
            #expect(all.contains(egg))
            var (seen, cursor): ([StaffOptionBody], String?) = ([], "")
            while let next = cursor {
                let page = try await page("limit=7&cursor=\(next)")
                #expect(page.items.count <= 7)
                seen += page.items
                cursor = page.nextCursor
            }
            #expect(seen == all)
            let tag = try #require(
                try await shop.server.get("/v1/staff/options", headers: StaffTests.bearer).header("ETag"))
            let second = try await shop.server.get(
                "/v1/staff/options", headers: StaffTests.bearer + [("If-None-Match", tag)])
            #expect(second.status == 304 && second.header("Vary")?.contains("Authorization") == true)
            for query in ["limit=0", "limit=101", "cursor=x"] {
                let reply = try await shop.server.get("/v1/staff/options?\(query)", headers: StaffTests.bearer)
                #expect(reply.status == 400 && reply.code == "invalid_parameter", "\(query)")
            }
        }
    }

    @Test("Staff mark an option as sold out until further notice or a time, and as available again")
    func options() async throws {
        try await StaffTests.run { shop in
            func set(_ json: String, _ id: String = "1203") async throws -> TestServer.Reply {
                try await shop.server.post(
                    "/v1/staff/options/\(id)/availability", json: json, headers: StaffTests.bearer)
            }
            func row() async throws -> String {
                try await shop.database.psql(
                    "select is_available, sold_out_until at time zone 'UTC' from options where id = 1203")
            }
            for _ in 0..<2 {
                let egg = try await set(#"{"isAvailable":false}"#).expecting(200).decoded(StaffOptionBody.self)
                #expect(egg.id == 1203 && egg.title == "Fried egg" && egg.groupTitle == "Extras")
                #expect(!egg.isAvailable && egg.unavailable == UnavailableBody(reason: "sold_out"))
                #expect(try await row() == "f|")
            }
            let listed = try await shop.server.get("/v1/staff/options?limit=100", headers: StaffTests.bearer)
                .decoded(Page<StaffOptionBody>.self).items
            #expect(listed.filter { !$0.isAvailable }.map(\.id) == [1203])
            let later = try await set(#"{"isAvailable":false,"until":"2999-01-01T00:00:00Z"}"#).expecting(200).decoded(
                StaffOptionBody.self)
            #expect(later.unavailable == UnavailableBody(reason: "sold_out", until: "2999-01-01T00:00:00.000Z"))
            #expect(try await row() == "t|2999-01-01 00:00:00")
            #expect(try await set(#"{"isAvailable":true}"#).expecting(200).decoded(StaffOptionBody.self).isAvailable)
            #expect(try await row() == "t|")
            #expect(try await set("{}").errors == ["isAvailable: required"])
            try await shop.database.psql("update options set is_retired = true where id = 1205")
            for id in ["9999", "1205", "x", "0", "-1", "01203", "9223372036854775807", "9223372036854775808"] {
                let reply = try await set(#"{"isAvailable":false}"#, id)
                #expect(reply.status == 404 && reply.code == "option_not_found", "\(id)")
            }
            #expect(try await shop.database.psql("select is_available from options where id = 1205") == "t")
        }
    }

    @Test("Sold out until tomorrow ends when the next business day begins, and cannot be combined with a time")
    func tomorrow() async throws {
        try await StaffTests.run { shop in
            try await shop.database.psql("update shop set time_zone = 'Asia/Kathmandu', business_day_start = '05:30'")
            for (thing, table) in [("menu/2001", "menu_items"), ("options/1203", "options")] {
                func set(_ json: String) async throws -> TestServer.Reply {
                    try await shop.server.post(
                        "/v1/staff/\(thing)/availability", json: json, headers: StaffTests.bearer)
                }
                let id = thing.split(separator: "/")[1]
                for (json, errors) in [
                    (
                        #"{"isAvailable":false,"untilTomorrow":true,"until":"2999-01-01T00:00:00Z"}"#,
                        ["untilTomorrow: not_with_until"]
                    ),
                    (#"{"isAvailable":true,"untilTomorrow":true}"#, ["untilTomorrow: only_when_sold_out"]),
                    (#"{"untilTomorrow":true}"#, ["isAvailable: required"]),
                ] {
                    let reply = try await set(json)
                    #expect(reply.status == 422 && reply.errors == errors, "\(json): \(reply.text)")
                }
                #expect(try await set(#"{"isAvailable":false,"untilTomorrow":1}"#).code == "malformed_body")
                let column =
                    """
                    (sold_out_until at time zone 'Asia/Kathmandu')::time, sold_out_until > now(), \
                    sold_out_until <= now() + interval '1 day'
                    """
                #expect(
                    try await shop.database.psql("select sold_out_until is null from \(table) where id = \(id)") == "t")
                #expect(
                    try await set(#"{"isAvailable":false,"untilTomorrow":true}"#).expecting(200).text.contains(
                        #""until":""#))
                #expect(
                    try await shop.database.psql("select is_available, \(column) from \(table) where id = \(id)")
                        == "t|05:30:00|t|t")
                #expect(try await set(#"{"isAvailable":false,"untilTomorrow":false}"#).status == 200)
                #expect(
                    try await shop.database.psql("select is_available, sold_out_until from \(table) where id = \(id)")
                        == "f|")
            }
        }
    }

    @Test("Staff set the remaining stock, a daily stock or none, and invalid requests change nothing")
    func counts() async throws {
        try await StaffTests.run { shop in
            for (thing, table, column) in [
                ("menu/2001", "item_stock", "menu_item_id"), ("options/1203", "option_stock", "option_id"),
            ] {
                let id = thing.split(separator: "/")[1]
                func set(_ json: String) async throws -> TestServer.Reply {
                    try await shop.server.post("/v1/staff/\(thing)/stock", json: json, headers: StaffTests.bearer)
                }
                func row() async throws -> String {
                    try await shop.database.psql("select remaining, per_day from \(table) where \(column) = \(id)")
                }
                for (json, left, stored) in [
                    (#"{"remaining":5}"#, "5", "5|"), (#"{"remaining":5,"perDay":null}"#, "5", "5|"),
                    (#"{"perDay":20}"#, "20", "|20"),
                    (#"{"remaining":1000000000}"#, "1000000000", "1000000000|"), (#"{"perDay":7}"#, "7", "|7"),
                    (#"{"remaining":null}"#, "null", ""),
                    (#"{"perDay":2}"#, "2", "|2"),
                    (#"{"remaining":null,"perDay":null}"#, "null", ""), (#"{"remaining":1}"#, "1", "1|"),
                ] {
                    let reply = try await set(json).expecting(200)
                    #expect(
                        reply.text.contains("\"left\":\(left)") && reply.text.contains(#""isAvailable":true"#),
                        "\(json): \(reply.text)")
                    #expect(try await row() == stored, "\(json)")
                }
                for (json, errors) in [
                    (#"{"remaining":-1}"#, ["remaining: out_of_range"]),
                    (#"{"perDay":1000000001}"#, ["perDay: out_of_range"]),
                    (#"{"remaining":5,"perDay":20}"#, ["perDay: not_with_remaining"]), ("{}", ["remaining: required"]),
                    (
                        #"{"remaining":9223372036854775807,"perDay":0}"#,
                        ["remaining: out_of_range", "perDay: not_with_remaining"]
                    ),
                ] {
                    let reply = try await set(json)
                    #expect(reply.status == 422 && reply.errors == errors, "\(json): \(reply.text)")
                }
                for json in [
                    #"{"remaining":1.5}"#, #"{"remaining":"5"}"#, #"{"left":5}"#, #"{"perDay":9223372036854775808}"#,
                ] {
                    #expect(try await set(json).code == "malformed_body", "\(json)")
                }
                #expect(try await row() == "1|")
                let soldOut = try await set(#"{"remaining":0}"#).expecting(200)
                #expect(
                    soldOut.text.contains(#""isAvailable":false"#) && soldOut.text.contains(#""left":0"#)
                        && soldOut.text.contains("sold_out"))
                let kind = thing.prefix { $0 != "/" }
                for unknown in ["9999", "x", "-1", "9223372036854775807"] {
                    for json in [#"{"remaining":1}"#, #"{"remaining":null}"#] {
                        let reply = try await shop.server.post(
                            "/v1/staff/\(kind)/\(unknown)/stock", json: json, headers: StaffTests.bearer)
                        #expect(
                            reply.status == 404
                                && reply.code == (kind == "menu" ? "menu_item_not_found" : "option_not_found"),
                            "\(unknown)"
                        )
                    }
                }
                #expect(try await shop.database.psql("select count(*) from \(table)") == "1")
            }
            // The sums of the stock movements equal the current counts.
            let sums =
                """
                select reason, sum(change)::bigint from stock_movements where subject = 'options'
                group by reason order by reason
                """
            #expect(try await shop.database.psql(sums) == "set|0\nset_per_day|0")
        }
    }
}
