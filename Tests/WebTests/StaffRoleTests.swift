// Tests which role may use which staff route, and what the audit records of each change.
import Database
import ErrorChannel
import Foundation
import HTTPServing
import Ordering
import Shop
import Support
import Testing
import Wire

@testable import Web

@Suite("Staff: roles and the audit", .timeLimit(.minutes(10)))
struct StaffRoleTests {
    /// Runs a shop with a member of each role, whose token is the name of the role.
    private static func run(_ body: @Sendable @escaping (TestShop) async throws -> Void) async throws {
        try await StaffTests.run { shop in
            for role in StaffRole.allCases {
                try await shop.database.psql(addition("One of \(role)", role.rawValue, token: role.rawValue))
            }
            try await body(shop)
        }
    }

    private static func addition(_ name: String, _ role: String, token: String) -> String {
        "insert into staff_members (name, role, token_digest) values ('\(name)', '\(role)', sha256('\(token)'))"
    }

    private static func bearer(_ token: String) -> [(String, String)] { [("Authorization", "Bearer \(token)")] }

    /// A staff request that changes something, and the audit row that it causes.
    private struct Change {
        let method: String
        let path: String
        var address: String
        var json = "{}"
        let row: String
        /// Whether the same request is a change every time.
        var changesEveryTime = false
    }

    private static func changes(_ order: OrderBody) -> [Change] {
        let number = order.number
        func step(_ name: String, _ json: String, _ row: String, changesEveryTime: Bool = false) -> Change {
            Change(
                method: "POST", path: "/v1/staff/orders/{number}/\(name)",
                address: "/v1/staff/orders/\(number)/\(name)", json: json,
                row: "orders|\(number)|\(row)", changesEveryTime: changesEveryTime)
        }
        return [
            step("advance", #"{"state": "accepted"}"#, #"{"state": "placed"}|{"state": "accepted"}|"#),
            step("back", #"{"state": "accepted"}"#, #"{"state": "accepted"}|{"state": "placed"}|"#),
            step("accept", #"{"minutes": 25}"#, #"{"state": "placed"}|{"state": "accepted", "minutes": 25}|"#),
            step(
                "delay", #"{"minutes": 20, "reason": "The oven is cold."}"#,
                #"{"ready_at": "MOMENT"}|{"ready_at": "MOMENT"}|The oven is cold."#, changesEveryTime: true),
            step(
                "reject", #"{"reason": "no gas", "foodIsWasted": true}"#,
                #"{"pending_step": null}|{"pending_step": "rejected"}|no gas"#),
            step("back", #"{"state": "rejected"}"#, #"{"pending_step": "rejected"}|{"pending_step": null}|"#),
            step("advance", #"{"state": "preparing"}"#, #"{"state": "accepted"}|{"state": "preparing"}|"#),
            step("advance", #"{"state": "on_the_way"}"#, #"{"state": "preparing"}|{"state": "on_the_way"}|"#),
            step("deliver", "{}", #"{"pending_step": null}|{"pending_step": "delivered"}|"#),
            step("back", "{}", #"{"pending_step": "delivered"}|{"pending_step": null}|"#, changesEveryTime: true),
            step(
                "advance", #"{"state": "rejected", "reason": "no gas", "foodIsWasted": true}"#,
                #"{"state": "on_the_way"}|{"state": "rejected", "food_is_wasted": true}|no gas"#),
            Change(
                method: "POST", path: "/v1/staff/menu/{id}/availability", address: "/v1/staff/menu/2001/availability",
                json: #"{"isAvailable": false}"#,
                row: #"menu_items|2001|{"is_available": true}|{"is_available": false}|"#),
            Change(
                method: "POST", path: "/v1/staff/options/{id}/availability",
                address: "/v1/staff/options/1203/availability",
                json: #"{"isAvailable": false}"#,
                row: #"options|1203|{"is_available": true}|{"is_available": false}|"#),
            Change(
                method: "POST", path: "/v1/staff/menu/{id}/stock", address: "/v1/staff/menu/2001/stock",
                json: #"{"remaining": 7}"#,
                row: #"item_stock|2001||{"remaining": 7, "menu_item_id": 2001}|"#),
            Change(
                method: "POST", path: "/v1/staff/options/{id}/stock", address: "/v1/staff/options/1203/stock",
                json: #"{"perDay": 7}"#,
                row: #"option_stock|1203||{"per_day": 7, "option_id": 1203}|"#),
            Change(
                method: "POST", path: "/v1/staff/pause", address: "/v1/staff/pause",
                json: #"{"until": "2199-01-01T00:00:00Z"}"#,
                row: #"shop||{"pause_until": null}|{"pause_until": "MOMENT"}|"#),
            Change(
                method: "DELETE", path: "/v1/staff/pause", address: "/v1/staff/pause",
                row: #"shop||{"pause_until": "MOMENT"}|{"pause_until": null}|"#),
            Change(
                method: "POST", path: "/v1/staff/busy", address: "/v1/staff/busy",
                json: #"{"minutes": 10, "forMinutes": 60}"#,
                row: #"shop||{"busy_until": null, "busy_minutes": 0}|{"busy_until": "MOMENT", "busy_minutes": 10}|"#,
                changesEveryTime: true),
            Change(
                method: "PUT", path: "/v1/staff/acceptance", address: "/v1/staff/acceptance",
                json: #"{"withinMinutes": 1440}"#,
                row: #"shop||{"accept_within_minutes": null}|{"accept_within_minutes": 1440}|"#),
            Change(
                method: "PUT", path: "/v1/staff/hours/{date}", address: "/v1/staff/hours/2199-12-24",
                json: """
                    {"shifts": [{"opens": "10:00", "closes": "14:00"}, \
                    {"opens": "18:00", "closes": "26:00", "fulfilment": "pickup"}]}
                    """,
                row: """
                    opening_exceptions|2199-12-24||\
                    {"shifts": [{"opens": "10:00", "closes": "14:00", "fulfilment": null}, \
                    {"opens": "18:00", "closes": "26:00", "fulfilment": "pickup"}]}|
                    """),
            Change(
                method: "DELETE", path: "/v1/staff/hours/{date}", address: "/v1/staff/hours/2199-12-24",
                row: """
                    opening_exceptions|2199-12-24|\
                    {"shifts": [{"opens": "10:00", "closes": "14:00", "fulfilment": null}, \
                    {"opens": "18:00", "closes": "26:00", "fulfilment": "pickup"}]}||
                    """),
            Change(
                method: "PUT", path: "/v1/staff/menu/{id}/photograph", address: "/v1/staff/menu/2001/photograph",
                row: #"menu_items|2001|{"photograph": null}|{"photograph": "DIGEST"}|"#),
            Change(
                method: "DELETE", path: "/v1/staff/menu/{id}/photograph", address: "/v1/staff/menu/2001/photograph",
                row: #"menu_items|2001|{"photograph": "DIGEST"}|{"photograph": null}|"#),
        ]
    }

    private static func table() async throws -> [Route] {
        try await TestDatabase.with(.seeded) { database in
            let health = ShopHealth(errors: ErrorBroadcast(), logger: .silent)
            let shop = try await RunningShop.open(
                DatabaseConfiguration(url: database.serverURL), healthCallbacks: health.listeners, logger: .silent)
            let files = try ShippedFiles.shared()
            return shopRoutes(WebConfiguration(), files, shop, health, ShopMetrics()).reduce(into: RouteTable()) {
                $1.add(to: &$0)
            }.routes
        }
    }

    @Test("Every staff route declares its permission, no other route does, and each permission is used")
    func declared() async throws {
        let routes = try await Self.table()
        let open = routes.filter { ($0.permission != nil) != $0.path.hasPrefix("/v1/staff/") }.map {
            "\($0.method) \($0.path)"
        }
        #expect(open == [])
        #expect(Set(StaffPermission.allCases).subtracting(routes.compactMap(\.permission)) == [])
        #expect(Set(routes.filter { $0.permission != nil }.map(\.path)).count > 15)
        let document = try JSON(OpenAPIDocument.read())
        for route in routes {
            let security = document["paths"]?[route.path]?[route.method.rawValue.lowercased()]?["security"]?.elements
                .first?["staffToken"]
            #expect(security?.elements.first?.text == route.permission?.rawValue, "\(route.path)")
        }
    }

    @Test("Kitchen staff handle orders and stock, counter staff also cancel and pause, and managers may do everything")
    func permissions() throws {
        let kitchen: Set<StaffPermission> = [.readSelf, .readOrders, .moveOrders, .sellOut, .readShop]
        #expect(Set(StaffRole.kitchen.permissions) == kitchen)
        #expect(Set(StaffRole.counter.permissions) == kitchen.union([.cancelOrders, .pause]))
        #expect(StaffRole.manager.permissions == StaffPermission.allCases)
        let schema = try JSON(OpenAPIDocument.read())["components"]?["schemas"]?["StaffMember"]?["properties"]
        #expect(schema?["role"]?["enum"]?.elements.map(\.text) == StaffRole.allCases.map(\.rawValue))
        #expect(
            schema?["permissions"]?["items"]?["enum"]?.elements.map(\.text) == StaffPermission.allCases.map(\.rawValue))
    }

    @Test("On every staff route each role is permitted or gets 403 insufficient_role and changes nothing")
    func roles() async throws {
        let routes = try await Self.table().filter { $0.permission != nil }
        try await Self.run { shop in
            let order = try await shop.server.order()
            let addresses = ["{number}": order.number, "{id}": "2001", "{date}": "2199-12-24"]
            for role in StaffRole.allCases {
                for route in routes {
                    let permission = try #require(route.permission)
                    let path = addresses.reduce(route.path) { $0.replacing($1.key, with: $1.value) }
                    if path.hasSuffix("/events"), role.may(permission) {
                        try await shop.server.withRawConnection { connection in
                            try await connection.openStream(path, headers: Self.bearer(role.rawValue))
                            #expect(try await connection.nextEvent().name == "list_changed")
                        }
                        continue
                    }
                    let headers = Self.bearer(role.rawValue) + [("Content-Type", "application/json")]
                    // A body that no route accepts, so that permitted requests change nothing.
                    let body = route.method == .get || route.method == .delete ? nil : Array("[".utf8)
                    let before = try await shop.database.psql("select coalesce(max(id), 0) from audit")
                    let reply = try await shop.server.send(route.method.rawValue, path, headers: headers, body: body)
                    #expect(
                        (reply.status == 403) == !role.may(permission), "\(role) \(route.method) \(path): \(reply.text)"
                    )
                    #expect(reply.status != 401)
                    if reply.status == 403 {
                        #expect(reply.code == "insufficient_role")
                        #expect(reply.header("WWW-Authenticate")?.contains("scope=\"\(permission.rawValue)\"") == true)
                        #expect(try await shop.database.psql("select coalesce(max(id), 0) from audit") == before)
                    }
                }
            }
            let step = "/v1/staff/orders/\(order.number)/advance"
            let refused = try await shop.server.post(
                step, json: #"{"state": "rejected", "reason": "no gas"}"#, headers: Self.bearer("kitchen"))
            #expect(refused.status == 403 && refused.code == "insufficient_role")
            let moved = try await shop.server.post(
                step, json: #"{"state": "accepted"}"#, headers: Self.bearer("kitchen"))
            #expect(moved.status == 200)
            #expect(
                try await shop.database.psql("select who, role, after from audit where what = 'orders'")
                    == #"One of kitchen|kitchen|{"state": "accepted"}"#)
        }
    }

    @Test("Every change over HTTP adds one audit row with the member's name, and an unchanged repetition adds none")
    func audit() async throws {
        let routes = try await Self.table().filter { $0.permission != nil && $0.method != .get }
        try await Self.run { shop in
            let order = try await shop.server.order()
            let changes = Self.changes(order)
            #expect(Set(routes.map { "\($0.method) \($0.path)" }) == Set(changes.map { "\($0.method) \($0.path)" }))
            for change in changes {
                let before = try await shop.database.psql("select coalesce(max(id), 0) from audit")
                let isPicture = change.method == "PUT" && change.path.hasSuffix("photograph")
                // Longer than the limit of the other routes.
                let body =
                    isPicture
                    ? TestPicture.png(500, 400) + Array(repeating: 0, count: Request.bodyLimit)
                    : Array(change.json.utf8)
                let headers = Self.bearer("manager") + [("Content-Type", isPicture ? "image/png" : "application/json")]
                func send() async throws -> Int {
                    try await shop.server.send(
                        change.method, change.address, headers: headers, body: change.method == "DELETE" ? nil : body
                    ).status
                }
                #expect(try await send() == 200, "\(change.method) \(change.path)")
                let rows = try await shop.database.psql(
                    """
                    select who, role, what, subject, before, after, why from audit where id > \(before)
                    """
                ).replacing(/[0-9a-f]{64}/, with: "DIGEST").replacing(/"\d{4}-\d\d-\d\dT[^"]*"/, with: "\"MOMENT\"")
                #expect(rows == "One of manager|manager|\(change.row)")
                _ = change.changesEveryTime ? 0 : try await send()
                #expect(
                    try await shop.database.psql("select count(*) from audit where id > \(before)") == "1",
                    "\(change.method) \(change.path)")
            }
            _ = try await shop.server.post(
                "/v1/staff/busy", json: #"{"minutes": 20, "forMinutes": 9}"#, headers: StaffTests.bearer)
            #expect(
                try await shop.database.psql("select who, role from audit order by id desc limit 1") == "token|manager")
        }
    }

    @Test("A member reads its name and permissions, and a manager pages through the audit, newest first")
    func people() async throws {
        try await Self.run { shop in
            let me = try await shop.server.get("/v1/staff/me", headers: Self.bearer("counter")).expecting(200).decoded(
                StaffMemberBody.self)
            #expect(
                me
                    == StaffMemberBody(
                        name: "One of counter", role: "counter",
                        permissions: StaffRole.counter.permissions.map(\.rawValue)))
            #expect(me.permissions.contains("pause") && !me.permissions.contains("read_figures"))
            let own = try await shop.server.get("/v1/staff/me", headers: StaffTests.bearer).decoded(
                StaffMemberBody.self)
            #expect(
                own.name == "token" && own.role == "manager" && own.permissions.count == StaffPermission.allCases.count)

            try await shop.database.psqlAsStaff("update menu_items set price = 849 where id = 2001")
            for minutes in 1...3 {
                let json = #"{"minutes": \#(minutes), "forMinutes": 60}"#
                _ = try await shop.server.post("/v1/staff/busy", json: json, headers: Self.bearer("counter")).expecting(
                    200)
            }
            func page(_ query: String) async throws -> Page<AuditEntryBody> {
                try await shop.server.get("/v1/staff/audit?\(query)", headers: Self.bearer("manager")).expecting(200)
                    .decoded()
            }
            let first = try await page("limit=2")
            #expect(first.items.map { $0.after?["busy_minutes"] } == ["3", "2"])
            // PostgreSQL's own time format would have an offset and up to six digits.
            let times: [String] = first.items.compactMap { $0.after?["busy_until"] ?? nil }
            #expect(times.count == 2 && times.allSatisfy { Instant(rfc3339: $0)?.rfc3339 == $0 }, "\(times)")
            let second = try await page("limit=2&cursor=\(try #require(first.nextCursor))")
            #expect(
                second.items.map(\.who) == ["One of counter", "welms_staff"]
                    && second.items.map(\.role) == ["counter", nil])
            #expect(
                second.items[1].what == "menu_items" && second.items[1].subject == "2001"
                    && second.items[1].before == ["price": "805"])
            // New members are in the audit as well, without their tokens.
            let rest = try await page("limit=3&cursor=\(try #require(second.nextCursor))")
            #expect(rest.items.map(\.subject) == ["One of manager", "One of counter", "One of kitchen"])
            #expect(
                rest.items.allSatisfy {
                    $0.before == nil && $0.after?["token_digest"] == nil && $0.after?["role"] != nil
                })
            for query in ["limit=0", "cursor=x", "cursor=\(Cursor([-1], []).encoded(for: "audit"))", "limit=1&limit=1"]
            {
                let reply = try await shop.server.get("/v1/staff/audit?\(query)", headers: Self.bearer("manager"))
                #expect(reply.status == 400 && reply.code == "invalid_parameter", "\(query)")
            }
        }
    }

    @Test(
        "Without a configured token, a new member can sign in at once, and a withdrawn member is signed out at once"
    )
    func addAndWithdrawMember() async throws {
        try await TestShop.run { shop in
            let path = "/v1/staff/me"
            #expect(try await shop.server.get(path, headers: Self.bearer("ann")).code == "staff_token_missing")
            #expect(try await shop.server.get("/staff").text.contains("welms staff add"))
            try await shop.database.psql(Self.addition("Ann", "counter", token: "ann"))
            try await eventually("ann can sign in", within: .seconds(5)) {
                try await shop.server.get(path, headers: Self.bearer("ann")).status == 200
            }
            #expect(try await shop.server.get(path).code == "token_required")
            #expect(try await shop.server.get(path, headers: Self.bearer("bob")).code == "invalid_token")
            #expect(try await shop.server.get("/staff").text.contains("staff/app.js"))

            try await shop.server.withRawConnection { connection in
                try await connection.openStream("/v1/staff/orders/events", headers: Self.bearer("ann"))
                #expect(try await connection.nextEvent().name == "list_changed")
                try await shop.database.psql("update staff_members set role = 'kitchen' where name = 'Ann'")
                try await eventually("ann's role has changed", within: .seconds(5)) {
                    try await shop.server.get(path, headers: Self.bearer("ann")).text.contains("kitchen")
                }
                try await shop.database.psql(Self.addition("Bob", "kitchen", token: "bob"))
                // The change is noticed without a notification.
                try await shop.database.psql(
                    """
                    alter table staff_members disable trigger notify_staff_changed;
                    update staff_members set withdrawn_at = now() where name = 'Ann';
                    """)
                try await eventually("ann is signed out", within: .seconds(5)) {
                    try await shop.server.get(path, headers: Self.bearer("ann")).code == "invalid_token"
                }
                _ = try await shop.server.order()
                #expect(try await connection.eventsToEnd().isEmpty, "the stream ends before the next order")
            }
        }
    }
}
