// Staff pause the shop, mark it as busy and change a day's hours over HTTP, under the same constraints as in SQL.

import Foundation
import Support
import Testing
import Wire

@Suite("Staff: pause, busy and opening hours", .timeLimit(.minutes(10)))
struct StaffShopTests {
    private static func send(_ shop: TestShop, _ method: String, _ path: String, _ json: String? = nil) async throws
        -> TestServer.Reply
    {
        let type = json == nil ? [] : [("Content-Type", "application/json")]
        return try await shop.server.send(
            method, "/v1/staff/\(path)", headers: StaffTests.bearer + type, body: json.map { Array($0.utf8) })
    }

    private static func shop(_ shop: TestShop) async throws -> StaffShopBody {
        try await send(shop, "GET", "shop").expecting(200).decoded()
    }

    @Test("The shop's status has its pause, its hours of today and its future exceptions")
    func read() async throws {
        try await StaffTests.run { shop in
            let plain = try await Self.shop(shop)
            #expect(
                plain.pauseUntil == nil && plain.busyMinutes == 0 && plain.busyUntil == nil && !plain.isException
                    && plain.exceptions == [])
            #expect(plain.fulfilments.map(\.isOpen) == [true, true])
            #expect(
                plain.hours
                    == ["delivery", "pickup"].map { ShiftBody(opens: "00:00", closes: "24:00", fulfilment: $0) })
            let noon = try await NoonShop(
                shop,
                NoonShop.openingHoursSQL("11:00", "14:00") + NoonShop.openingHoursSQL("18:00", "26:00", "delivery"))
            try await shop.database.psql(
                """
                insert into opening_exceptions (date, opens, closes)
                values ('\(noon.date(daysFromToday: 1))', null, null), ('\(noon.date(daysFromToday: -1))', null, null)
                """
            )
            try await eventually("the server has loaded the hours") { try await Self.shop(shop).exceptions.count == 1 }
            let now = try await Self.shop(shop)
            #expect(now.today == noon.today && !now.isException)
            #expect(
                now.hours == [
                    ShiftBody(opens: "11:00", closes: "14:00", fulfilment: "delivery"),
                    ShiftBody(opens: "18:00", closes: "26:00", fulfilment: "delivery"),
                    ShiftBody(opens: "11:00", closes: "14:00", fulfilment: "pickup"),
                ])
            #expect(
                now.exceptions == [
                    OpeningHoursExceptionBody(
                        date: try noon.date(daysFromToday: 1), opens: nil, closes: nil, fulfilment: nil)
                ])
            let reply = try await Self.send(shop, "GET", "shop")
            #expect(reply.header("Cache-Control") == "private, no-cache")
            let second = try await shop.server.get(
                "/v1/staff/shop", headers: StaffTests.bearer + [("If-None-Match", reply.header("ETag") ?? "")])
            #expect(second.status == 304)
        }
    }

    @Test("A pause rejects only wanted times before its end, guests see it at once, and staff can end it early")
    func pause() async throws {
        try await StaffTests.run { shop in
            let noon = try await NoonShop(shop, "update fulfilments set slot_minutes = 60;")
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody.filled(for: basket)
            let until = try noon.time("15:00")
            let body = #"{"until":"\#(until)","reason":"The oven is cold"}"#
            for _ in 0..<2 {
                let paused = try await Self.send(shop, "POST", "pause", body).expecting(200).decoded(StaffShopBody.self)
                #expect(
                    paused.pauseUntil == until && paused.pauseReason == "The oven is cold"
                        && paused.fulfilments.allSatisfy { !$0.isOpen })
            }
            #expect(
                try await shop.server.rejection(of: form)
                    == RejectedForm(errors: ["wantedAt: shop_paused"], params: ["until": .text(until)]))
            #expect(try await noon.slotStarts("") { !$0.isEmpty }.first == until)
            form.wantedAt = until
            #expect(try await shop.server.validate(form).decoded(ValidationBody.self).isReady)
            form.wantedAt = nil
            for _ in 0..<2 {
                let open = try await Self.send(shop, "DELETE", "pause").expecting(200).decoded(StaffShopBody.self)
                #expect(open.pauseUntil == nil && open.pauseReason == nil && open.fulfilments.allSatisfy(\.isOpen))
            }
            let minutes = try await Self.send(shop, "POST", "pause", #"{"minutes":30}"#).expecting(200).decoded(
                StaffShopBody.self)
            let ends = try #require(
                try minutes.pauseUntil.map { try Date(String($0.prefix(19)) + "Z", strategy: .iso8601) })
            #expect((1700...1801).contains(ends.timeIntervalSinceNow) && minutes.pauseReason == nil)
            _ = try await Self.send(shop, "DELETE", "pause").expecting(200)
            #expect(try await shop.server.checkout(form, key: "k").status == 201)
            #expect(
                try await shop.database.psql("select pause_until is null and pause_reason is null from shop") == "t")
        }
    }

    @Test("Busy minutes are added to the estimate until their end, and staff end them with 0 minutes")
    func busy() async throws {
        try await StaffTests.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let busy = try await Self.send(shop, "POST", "busy", #"{"minutes":20,"forMinutes":60}"#).expecting(200)
                .decoded(
                    StaffShopBody.self)
            #expect(busy.busyMinutes == 20 && busy.busyUntil != nil && busy.fulfilments.allSatisfy(\.isOpen))
            #expect(
                try await shop.server.validate(.filled(for: basket)).decoded(ValidationBody.self).quote?.etaMinutes
                    == 35)
            #expect(try await shop.server.get("/v1/delivery?postcode=10117").decoded(DeliveryBody.self).minutes == 35)
            for body in [#"{"minutes":0}"#, #"{"minutes":0,"forMinutes":60}"#] {
                let notBusy = try await Self.send(shop, "POST", "busy", body).expecting(200).decoded(StaffShopBody.self)
                #expect(notBusy.busyMinutes == 0 && notBusy.busyUntil == nil)
            }
            #expect(
                try await shop.server.checkout(.filled(for: basket), key: "k").decoded(OrderBody.self).etaMinutes == 15)
        }
    }

    @Test("Staff replace, close and reset a day's hours, and an invalid shift returns the database's message and hint")
    func hours() async throws {
        try await StaffTests.run { shop in
            let noon = try await NoonShop(shop, NoonShop.openingHoursSQL("11:00", "22:00"))
            func put(_ json: String, _ day: Int64 = 0) async throws -> TestServer.Reply {
                try await Self.send(shop, "PUT", "hours/\(noon.date(daysFromToday: day))", json)
            }
            let shifts =
                #"{"shifts":[{"opens":"10:00","closes":"13:00"},"#
                + #"{"opens":"18:00","closes":"26:00","fulfilment":"delivery"}]}"#
            for _ in 0..<2 {
                let changed = try await put(shifts).expecting(200).decoded(StaffShopBody.self)
                #expect(changed.isException && changed.exceptions.map(\.opens) == ["10:00", "18:00"])
                #expect(changed.hours.map(\.closes) == ["13:00", "26:00", "13:00"])
                #expect(changed.fulfilments.map(\.until) == [try noon.time("13:00"), try noon.time("13:00")])
            }
            #expect(try await shop.database.psql("select count(*) from opening_exceptions") == "2")
            let closed = try await put(#"{"shifts":[]}"#).expecting(200).decoded(StaffShopBody.self)
            #expect(closed.isException && closed.hours == [] && closed.fulfilments.map(\.isOpen) == [false, false])
            #expect(
                closed.exceptions == [
                    OpeningHoursExceptionBody(date: noon.today, opens: nil, closes: nil, fulfilment: nil)
                ])
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            #expect(
                try await shop.server.rejection(of: .filled(for: basket))
                    == RejectedForm(
                        errors: ["wantedAt: shop_closed"],
                        params: ["opensAt": .text(try noon.time("11:00", dayOffset: 1))]))
            for _ in 0..<2 {
                let usual = try await Self.send(shop, "DELETE", "hours/\(noon.today)").expecting(200).decoded(
                    StaffShopBody.self)
                #expect(
                    !usual.isException && usual.exceptions == [] && usual.fulfilments.map(\.isOpen) == [true, true])
            }
            for (json, errors) in [
                ("{}", ["shifts: required"]),
                (
                    #"{"shifts":[{"opens":"10:00"},{"fulfilment":"drone"}]}"#,
                    [
                        "shifts/0/closes: required", "shifts/1/opens: required", "shifts/1/closes: required",
                        "shifts/1/fulfilment: invalid_fulfilment",
                    ]
                ),
            ] {
                #expect(try await put(json).expecting(422).errors == errors, "\(json)")
            }
            for bad in [
                "18:00|17:00", "18:00|18:00", "24:00|25:00", "18:00|48:00", "8:00|9:00", "10:00|34:01", "noon|night",
                "10:60|11:00", "|",
            ] {
                let parts = bad.split(separator: "|", omittingEmptySubsequences: false)
                let reply = try await put(#"{"shifts":[{"opens":"\#(parts[0])","closes":"\#(parts[1])"}]}"#)
                let problem = try reply.expecting(422).decoded(ProblemBody.self)
                #expect(
                    problem.code == "shop_change_refused" && problem.hint?.isEmpty == false && !problem.detail.isEmpty,
                    "\(bad)")
            }
            #expect(try await shop.database.psql("select count(*) from opening_exceptions") == "0")
            for day in ["tomorrow", "2026-02-30", "20261124", "2026-11-24x"] {
                #expect(try await Self.send(shop, "PUT", "hours/\(day)", shifts).status == 404, "\(day)")
                #expect(try await Self.send(shop, "DELETE", "hours/\(day)").status == 404, "\(day)")
            }
        }
    }

    @Test("All errors of a pause or of busy minutes are reported in one response, and change nothing")
    func refused() async throws {
        try await StaffTests.run { shop in
            let revision = try await shop.database.psql("select revision from menu_revision")
            for (path, json, errors) in [
                ("pause", "{}", ["until: required"]),
                ("pause", #"{"reason":"\u0007"}"#, ["until: required", "reason: invalid_reason"]),
                ("pause", #"{"until":"soon"}"#, ["until: invalid_time"]),
                (
                    "pause", #"{"until":"2020-01-01T00:00:00Z","minutes":5}"#,
                    ["until: not_in_future", "minutes: not_with_until"]
                ),
                ("pause", #"{"minutes":0}"#, ["minutes: out_of_range"]),
                ("pause", #"{"minutes":10081}"#, ["minutes: out_of_range"]),
                ("busy", "{}", ["minutes: required"]), ("busy", #"{"minutes":10}"#, ["forMinutes: required"]),
                ("busy", #"{"minutes":-1,"forMinutes":0}"#, ["minutes: out_of_range", "forMinutes: out_of_range"]),
                ("busy", #"{"minutes":181,"forMinutes":1441}"#, ["minutes: out_of_range", "forMinutes: out_of_range"]),
            ] as [(String, String, [String])] {
                let reply = try await Self.send(shop, "POST", path, json)
                #expect(reply.status == 422 && reply.errors == errors, "\(path) \(json): \(reply.text)")
            }
            for (reason, error) in [
                (String(repeating: "x", count: 300), "too_long"),
                (String(repeating: "\u{1F355}", count: 201), "too_long"),
                ("<b>full</b>", "invalid_reason"), ("a\u{7}b", "invalid_reason"),
            ] {
                let reply = try await Self.send(
                    shop, "POST", "pause", String(decoding: PauseBody(minutes: 5, reason: reason).json, as: UTF8.self))
                #expect(
                    reply.status == 422 && reply.code == "validation_failed" && reply.errors == ["reason: \(error)"],
                    "\(reply.text)")
                let params = try reply.decoded(ProblemBody.self).errors?.first?.params
                #expect(params == (error == "too_long" ? ["limit": .integer(200)] : [:]))
            }
            for json in [
                #"{"minutes":"5"}"#, #"{"minutes":1.5}"#, #"{"minutes":9223372036854775808}"#, #"{"x":1}"#, "[]",
            ] {
                #expect(try await Self.send(shop, "POST", "pause", json).code == "malformed_body", "\(json)")
            }
            #expect(try await shop.database.psql("select revision from menu_revision") == revision)
        }
    }

    @Test("A reason of 200 characters is accepted, line breaks become spaces, and invisible characters are removed")
    func reasons() async throws {
        try await StaffTests.run { shop in
            for (reason, stored) in [
                (String(repeating: "\u{1F355}", count: 200), String(repeating: "\u{1F355}", count: 200)),
                (" The oven\r\nis\u{200B} cold.\n", "The oven is cold."),
                ("\u{202E}cold \u{2066}oven\u{2069}", "cold oven"),
                ("\u{200B}\n", nil),
            ] as [(String, String?)] {
                let reply = try await Self.send(
                    shop, "POST", "pause", String(decoding: PauseBody(minutes: 5, reason: reason).json, as: UTF8.self))
                #expect(try reply.expecting(200).decoded(StaffShopBody.self).pauseReason == stored)
            }
        }
    }

    @Test("While the shop's row is locked in SQL, staff get being_changed and guests are not blocked")
    func locked() async throws {
        try await StaffTests.run { shop in
            let holder = Task { try await shop.database.lockRows("select from shop for update") }
            try await shop.database.waitForRowLocks()
            #expect(try await Self.send(shop, "POST", "pause", #"{"minutes":5}"#).code == "being_changed")
            #expect(try await Self.shop(shop).pauseUntil == nil)
            #expect(try await shop.server.order().number.count == 8)
            try await shop.database.killLockHolder()
            await #expect(throws: (any Error).self) { try await holder.value }
            #expect(try await Self.send(shop, "POST", "pause", #"{"minutes":5}"#).status == 200)
        }
    }
}
