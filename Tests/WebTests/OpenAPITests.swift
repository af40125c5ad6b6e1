// Compares the OpenAPI document with the server's routes and responses, and its examples with its schemas.

import Database
import ErrorChannel
import Ordering
import Shop
import Support
import Testing
import Wire

@testable import HTTPServing
@testable import Web

@Suite("The OpenAPI document", .timeLimit(.minutes(10)))
struct OpenAPITests {
    private let document: JSON
    private var schemas: JSONSchema { JSONSchema(document: document) }

    init() throws {
        document = try JSON(try OpenAPIDocument.read())
    }

    @Test("The document describes exactly the server's routes, with the same summaries")
    func routes() async throws {
        let described = document["paths"]?.members.flatMap { path, item in
            item.members.filter { $0.key != "parameters" }.map {
                "\($0.key.uppercased()) \(path): \($0.value["summary"]?.text ?? "")"
            }
        }
        let table = try await TestDatabase.with(.seeded) { database in
            let health = ShopHealth(errors: ErrorBroadcast(), logger: .silent)
            let shop = try await RunningShop.open(
                DatabaseConfiguration(url: database.serverURL), healthCallbacks: health.listeners, logger: .silent)
            return routeTable(
                WebConfiguration(),
                OperationsServices(errorChannel: health.errors, readiness: health.readiness(of: shop)),
                shopRoutes(WebConfiguration(), try ShippedFiles.shared(), shop, health, ShopMetrics()))
        }
        // The pages for people are not part of the contract.
        let contract = table.routes.filter { $0.path != "/" && $0.path != "/staff" && !$0.path.hasPrefix("/assets/") }
        let there = contract.map { "\($0.method.rawValue) \($0.path): \($0.summary)" }
        #expect(Set(described ?? []).symmetricDifference(there) == [])
    }

    @Test("The document has the version of the program")
    func version() {
        #expect(document["info"]?["version"]?.text == ProgramVersion().number)
    }

    @Test("Every reference resolves, every component is used, and every path parameter is described")
    func references() throws {
        var used: Set<String> = []
        func visit(_ value: JSON) {
            for (name, member) in value.members {
                if name == "$ref", let pointer = member.text {
                    used.insert(pointer)
                    #expect(document.resolved(pointer) != nil, "\(pointer)")
                } else {
                    visit(member)
                }
            }
            value.elements.forEach(visit)
        }
        visit(document)
        for (kind, parts) in try #require(document["components"]?.members) where kind != "securitySchemes" {
            for name in parts.members.keys {
                #expect(used.contains("#/components/\(kind)/\(name)"), "\(kind)/\(name) is not used")
            }
        }
        for (path, item) in try #require(document["paths"]?.members) {
            let names = Set(
                path.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first.map(String.init) })
            for (method, operation) in item.members where method != "parameters" {
                let parameters = (item["parameters"]?.elements ?? []) + (operation["parameters"]?.elements ?? [])
                let inPath = parameters.map { $0["$ref"]?.text.flatMap(document.resolved) ?? $0 }.filter {
                    $0["in"] == .string("path")
                }
                #expect(Set(inPath.compactMap { $0["name"]?.text }) == names, "\(method) \(path)")
            }
        }
    }

    @Test("Every body has an example, and every example matches its schema")
    func examples() throws {
        var count = 0
        func visit(_ value: JSON, _ path: String) {
            for (mediaType, body) in value["content"]?.members ?? [:] {
                #expect(body["example"] != nil, "\(path) \(mediaType)")
            }
            if let schema = value["schema"], let example = value["example"] {
                count += 1
                #expect(schemas.violations(of: example, against: schema) == [], "\(path)")
            }
            // Only a schema has an array of `examples`. Elsewhere it is a map.
            for example in value["examples"]?.elements ?? [] {
                count += 1
                #expect(schemas.violations(of: example, against: value) == [], "\(path)")
            }
            for (name, member) in value.members { visit(member, "\(path)/\(name)") }
            value.elements.forEach { visit($0, path) }
        }
        visit(document, "")
        #expect(count > 60)
    }

    @Test(
        "A client generator supports the document: each body has a schema, and each property has one type"
    )
    func generators() throws {
        var kinds: [String: Set<String>] = [:]
        func kind(_ schema: JSON) -> String {
            if let pointer = schema["$ref"]?.text { return pointer }
            // A nullable type counts as the same type.
            if let choice = schema["anyOf"]?.elements.filter({ $0["type"] != .string("null") }), choice.count == 1 {
                return kind(choice[0])
            }
            let types =
                (schema["type"]?.elements ?? []).filter { $0 != .string("null") }
                + [schema["type"]].compactMap(\.self).filter { $0.text != nil }
            return types.compactMap(\.text).sorted().joined(separator: " or ")
                + (schema["format"]?.text.map { " (\($0))" } ?? "")
        }
        func visit(_ value: JSON, _ path: String) {
            for (mediaType, body) in value["content"]?.members ?? [:] {
                #expect(body["schema"] != nil, "\(path) \(mediaType)")
            }
            // openapi-python-client leaves out a response that narrows an enum with a constant.
            for narrowing in (value["allOf"]?.elements ?? []).filter({ $0["$ref"] == nil }) {
                for (name, property) in narrowing["properties"]?.members ?? [:] {
                    #expect(property["enum"] != nil && property["const"] == nil, "\(path): \(name)")
                }
            }
            // Three kinds of properties may differ. The form's currency is unvalidated text, a Field is the result of a
            // validation, and option prices may be negative.
            for (name, property) in value["properties"]?.members ?? [:]
            where Self.sharedNames.contains(name) && !path.hasSuffix("Option")
                && !(path.hasSuffix("/CheckoutForm") && name == "currency")
                && !kind(property).hasSuffix("/Field")
            {
                kinds[name, default: []].insert(kind(property))
            }
            if value["in"] == .string("path"), let name = value["name"]?.text, let schema = value["schema"] {
                kinds[name, default: []].insert(kind(schema))
            }
            for (name, member) in value.members where name != "example" { visit(member, "\(path)/\(name)") }
            value.elements.forEach { visit($0, path) }
        }
        visit(document, "")
        for name in Self.sharedNames { #expect(kinds[name]?.count == 1, "\(name): \(kinds[name] ?? [])") }
        let basketID = "#/components/schemas/BasketID"
        for name in ["basketId", "orderId"] { #expect(kinds[name] == [basketID]) }
        for (owner, id) in [("Basket", basketID), ("Order", basketID)] {
            #expect(document["components"]?["schemas"]?[owner]?["properties"]?["id"].map(kind) == id)
        }
        #expect(kinds["menuItemId"] == ["#/components/schemas/StaffID"])
        #expect(document.resolved(basketID)?["format"] == nil, "an id is opaque: an invalid one returns 404, not 400")
    }

    /// Property names that occur in several schemas.
    private static let sharedNames: Set = [
        "basketId", "orderId", "menuItemId", "salesGroupId", "currency", "total", "subtotal", "discount", "unitPrice",
        "regularUnitPrice",
        "previousUnitPrice", "price", "number", "nextCursor",
    ]

    @Test("The document and both pages name every order state")
    func orderStates() throws {
        let names = OrderState.allCases.map(\.rawValue)
        #expect(document["components"]?["schemas"]?["OrderState"]?["enum"]?.elements.compactMap(\.text) == names)
        let guestPage = try Repository.text(of: "Sources/Pages/Storefront/orders/orderStateTexts.js")
        let staffPage = try Repository.text(of: "Sources/Pages/Storefront/staff/orderStates.js")
        for name in names {
            #expect(guestPage.contains("\n  ['\(name)', ") || guestPage.contains("\n  \(name): ["), "\(name)")
            #expect(staffPage.contains("\n  \(name): {"), "\(name)")
        }
    }

    @Test("A problem's detail is for guests and contains no term of HTTP, JSON, paths or headers")
    func details() throws {
        var details: [String] = []
        func visit(_ value: JSON) {
            if let detail = value["detail"]?.text, value["code"] != nil { details.append(detail) }
            value.members.values.forEach(visit)
            value.elements.forEach(visit)
        }
        visit(document)
        #expect(details.count > 25)
        let refusals: [BasketChangeRejection] = [
            .basketAlreadyOrdered, .itemNotInBasket, .menuItemNotFound, .saleNotFound, .saleAlreadyInBasket,
            .itemSoldOut,
            .quantityOutOfRange(limit: 99), .basketFull(limit: 50), .saleHasNoItems,
        ]
        let id = BasketID.make(now: Instant(microseconds: 0), random: (1, 2))
        let problems: [Problem] =
            refusals.map { Problem($0, id) } + OrderState.allCases.map(Problem.orderNotCancellable) + [
                .notFound, .methodNotAllowed(allow: "GET"), BodyError.tooLarge.problem, BodyError.notJSON.problem,
                BodyError.contentEncoding.problem, ParameterError(name: "x", message: "y").problem,
                MalformedBody("x", offset: 0).problem,
                .preconditionFailed, .requestTimeout,
                .malformedRequest, .headersTooLarge,
                .unknownTransferCoding, .overloaded(), .internalError, .databaseUnavailable, .databaseRejected,
                .outcomeUnknown,
                .basketNotFound,
                .unknownMenuItem, .unknownSale, .orderNotFound, .tokenRequired, .invalidToken,
                Problem(.idempotencyKeyReused, id),
                .validationFailed([]), CheckoutIdempotencyKey.ParseError.missing.problem,
                CheckoutIdempotencyKey.ParseError.invalid.problem,
            ]
        for detail in details + problems.map(\.detail) {
            for word in [
                "GET", "POST", "DELETE", "/v1", "HTTP", "JSON", "header", "Header", "Idempotency", "If-Match",
                "Content-", "Authorization",
                "requestId", "accessToken", "expectedTotal", "byte", "route", "path", "quote", "errors", "database",
                " id", "server is",
                "_",
            ] { #expect(!detail.contains(word), "\(word): \(detail)") }
            #expect(
                detail.hasSuffix(".") && detail.first?.isUppercase == true || detail.hasPrefix("order "), "\(detail)")
        }
        #expect(problems.count { $0.hint != nil } > 15)
    }

    @Test("Every example of a request is accepted with the ids of this run")
    func acceptedExamples() async throws {
        try await TestShop.run(configuration: StaffTests.configuration()) { shop in
            let digest = String(repeating: "5", count: 64)
            try await shop.database.psql(
                """
                select set_photograph(
                    5002, '\(digest)', array[row(800, 'webp', convert_to('RIFF', 'UTF8'))::photograph_file])
                """)
            var sent: Set<String> = []
            for (path, item) in try #require(document["paths"]?.members) {
                for (method, operation) in item.members where method != "parameters" {
                    // An event stream never ends; Tests/Tools/OpenAPI reads its beginning.
                    if operation["responses"]?["200"]?["content"]?["text/event-stream"] != nil { continue }
                    let basket = try await shop.server.startBasket(
                        items: [(2001, 1)], sales: path.contains("{salesGroupId}") ? [200] : [])
                    let order = try await shop.server.order(guest: sent.count)
                    if ["/advance", "/back", "/delay"].contains(where: path.hasSuffix) {
                        try await shop.database.psql("select advance_order('\(order.number)', 'accepted')")
                    } else if path.hasSuffix("/deliver") {
                        try await shop.database.psql(
                            """
                            select advance_order('\(order.number)', state)
                            from unnest(array['accepted', 'preparing', 'on_the_way']) as state
                            """)
                    }
                    let ids = ["basketId": basket.id, "orderId": order.id, "number": order.number, "digest": digest]
                    var (address, query, headers) = (path, [String](), [(String, String)]())
                    for described in (item["parameters"]?.elements ?? []) + (operation["parameters"]?.elements ?? []) {
                        let parameter = described["$ref"]?.text.flatMap(document.resolved) ?? described
                        guard let name = parameter["name"]?.text,
                            let value = ids[name] ?? parameter["example"].map(Self.urlText)
                        else { continue }
                        switch parameter["in"]?.text {
                        case "path": address.replace("{\(name)}", with: value)
                        case "query": query.append("\(name)=\(value)")
                        default: headers.append((name, value))
                        }
                    }
                    let needs = Set((operation["security"]?.elements ?? []).flatMap(\.members.keys))
                    if needs.contains("staffToken") { headers += StaffTests.bearer }
                    if needs.contains("accessToken") {
                        headers.append(("Authorization", "Bearer \(order.accessToken ?? "")"))
                    }
                    let described = operation["requestBody"].map { $0["$ref"]?.text.flatMap(document.resolved) ?? $0 }
                    var example = described?["content"]?["application/json"]?["example"]
                    // A JSON document cannot contain a photograph.
                    let file = described?["content"]?["application/octet-stream"] == nil ? nil : TestPicture.png()
                    #expect(described == nil || example != nil || file != nil, "\(method) \(path) has no example")
                    if case .object(var fields)? = example, fields["basketId"] != nil {
                        fields["basketId"] = .string(basket.id)
                        example = .object(fields)
                    } else if case .object(var fields)? = example, fields["readyAt"] != nil {
                        // Later than the checkout's estimate, and within the permitted three hours.
                        fields["readyAt"] = .string(
                            try await shop.database.psql(
                                """
                                select to_char(
                                    now() at time zone 'UTC' + interval '2 hours', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                                """))
                        example = .object(fields)
                    }
                    if example != nil { headers.append(("Content-Type", "application/json")) }
                    let reply = try await shop.server.send(
                        method.uppercased(), address + (query.isEmpty ? "" : "?" + query.joined(separator: "&")),
                        headers: headers,
                        body: file ?? example.map { Array($0.plainText.utf8) })
                    #expect(200..<300 ~= reply.status, "\(method) \(path): \(reply.text)")
                    #expect(operation["responses"]?["\(reply.status)"] != nil, "\(method) \(path): \(reply.status)")
                    sent.insert("\(method) \(path)")
                    // The next basket needs the item.
                    if path.hasSuffix("/availability") {
                        try await shop.database.psql("update menu_items set is_available = true")
                    }
                    // This test sells more than the example's 40 a day.
                    if path.hasSuffix("/stock") {
                        try await shop.database.psql("delete from item_stock; delete from option_stock")
                    }
                    if path.hasSuffix("/pause") {
                        try await shop.database.psql("update shop set pause_until = null, pause_reason = null")
                    }
                    if path.hasPrefix("/v1/staff/hours") {
                        try await shop.database.psql("delete from opening_exceptions")
                    }
                }
            }
            #expect(sent.count > 25)
        }
    }

    /// The value in a path or query. A list is separated by commas: `style: form` without `explode`.
    private static func urlText(_ example: JSON) -> String {
        if case .array(let elements) = example {
            elements.map(\.plainText).joined(separator: ",")
        } else {
            example.plainText
        }
    }

    @Test("The document lists exactly the codes of field errors")
    func codes() {
        let described = document.resolved("#/components/schemas/FieldErrorCode")?["enum"]?.elements.compactMap(\.text)
        #expect(Set(described ?? []) == Set(FieldErrorCode.allCases.map(\.rawValue)))
    }

    @Test("The server's responses match the document, for successes and errors")
    func answers() async throws {
        try await TestShop.run(configuration: StaffTests.configuration()) { shop in
            func check(
                _ method: String, _ template: String, _ path: String? = nil, json: String? = nil,
                headers: [(String, String)] = [],
                status: Int
            ) async throws {
                let type = json == nil ? [] : [("Content-Type", "application/json")]
                let reply = try await shop.server.send(
                    method, path ?? template, headers: headers + type, body: json.map { Array($0.utf8) })
                #expect(reply.status == status, "\(method) \(path ?? template): \(reply.text)")
                let operation = try #require(document["paths"]?[template]?[method.lowercased()])
                let response = try #require(operation["responses"]?["\(status)"], "\(method) \(template) \(status)")
                let described = response["$ref"]?.text.flatMap(document.resolved) ?? response
                guard !reply.body.isEmpty else { return }
                let mediaType = try #require(reply.header("Content-Type")?.split(separator: ";").first.map(String.init))
                let content = try #require(
                    described["content"]?[mediaType], "\(method) \(template) \(status) \(mediaType)")
                if let schema = content["schema"], mediaType.hasSuffix("json") {
                    #expect(
                        schemas.violations(of: try JSON(reply.body), against: schema) == [],
                        "\(method) \(path ?? template)")
                }
            }
            for path in [
                "/v1/home", "/v1/shop", "/v1/categories", "/v1/menu", "/v1/sales", "/v1/coupons", "/v1/errors",
                "/livez", "/readyz",
                "/metrics",
            ] {
                try await check("GET", path, status: 200)
            }
            try await check("GET", "/openapi.json", status: 200)
            try await check("GET", "/v1/menu", "/v1/menu?limit=0", status: 400)
            for (id, status) in [("1003", 200), ("9", 404), ("x", 404)] {
                try await check("GET", "/v1/menu/{id}", "/v1/menu/\(id)", status: status)
                try await check("GET", "/v1/sales/{id}", "/v1/sales/\(id == "1003" ? "200" : id)", status: status)
            }
            for (query, status) in [
                ("", 200), ("?fulfilment=pickup&date=2026-03-01", 200), ("?date=x", 400), ("?fulfilment=drone", 400),
                ("?basketId=x", 404),
                ("?postcode=10117", 200), ("?postcode=-", 400), ("?postcode=-&fulfilment=pickup", 200),
            ] {
                try await check("GET", "/v1/times", "/v1/times\(query)", status: status)
            }
            for (query, status) in [
                ("?postcode=10117", 200), ("?postcode=!", 200), ("", 200), ("?postcode=1&postcode=2", 400),
            ] {
                try await check("GET", "/v1/delivery", "/v1/delivery\(query)", status: status)
            }
            try await check("GET", "/pictures/{file}", "/pictures/2001.svg", status: 200)
            try await check("GET", "/pictures/{file}", "/pictures/none.svg", status: 404)

            try await check("POST", "/v1/baskets", status: 201)
            try await check("POST", "/v1/baskets", json: "[]", status: 400)
            let basket = try await shop.server.startBasket()
            let items = "/v1/baskets/{basketId}/items"
            let address = "/v1/baskets/\(basket.id)"
            try await check(
                "POST", items, "\(address)/items", json: #"{"menuItemId": 2001, "quantity": 2}"#, status: 200)
            try await check(
                "POST", items, "\(address)/items", json: #"{"menuItemId": 2001, "quantity": 99}"#, status: 422)
            try await check("POST", items, "\(address)/items", json: #"{"menuItemId": 9}"#, status: 404)
            try await check("POST", items, "\(address)/items", json: "{}", status: 422)
            try await check("POST", items, "\(address)/items", json: "{", status: 400)
            try await check("POST", items, "\(address)/items", headers: [("Content-Type", "text/plain")], status: 415)
            try await check(
                "POST", items, "\(address)/items", json: #"{"menuItemId": 2001}"#, headers: [("If-Match", "\"old\"")],
                status: 412)
            try await check("POST", items, "/v1/baskets/x/items", json: #"{"menuItemId": 2001}"#, status: 404)
            try await check("POST", "\(items)/{menuItemId}/increment", "\(address)/items/2001/increment", status: 200)
            try await check("POST", "\(items)/{menuItemId}/decrement", "\(address)/items/2001/decrement", status: 200)
            try await check("DELETE", "\(items)/{menuItemId}", "\(address)/items/2002", status: 404)
            let sales = "/v1/baskets/{basketId}/sales"
            try await check("POST", sales, "\(address)/sales", json: #"{"salesGroupId": 200}"#, status: 200)
            try await check("POST", sales, "\(address)/sales", json: #"{"salesGroupId": 200}"#, status: 409)
            try await check("POST", sales, "\(address)/sales", json: #"{"salesGroupId": 100}"#, status: 422)
            try await check("GET", "/v1/baskets/{basketId}", address, status: 200)
            let (inSet, inThisSet) = ("\(sales)/{salesGroupId}/items/{menuItemId}", "\(address)/sales/200/items")
            try await check("DELETE", inSet, "\(inThisSet)/2001", status: 404)
            try await check("DELETE", inSet, "\(inThisSet)/2002", headers: [("If-Match", "\"old\"")], status: 412)
            try await check("DELETE", inSet, "\(inThisSet)/2002", status: 200)
            try await check("POST", sales, "\(address)/sales", json: #"{"salesGroupId": 200}"#, status: 200)
            try await check("DELETE", "\(sales)/{salesGroupId}", "\(address)/sales/200", status: 200)

            var form = CheckoutBody.filled(
                for: try await shop.server.basket(basket.id), guest: 1, coupon: "FRST", total: 1)
            func json(_ form: CheckoutBody) -> String { String(decoding: form.json, as: UTF8.self) }
            let key = [("Idempotency-Key", "k")]
            for wrong in [#"{"email": "nobody", "expectedTotal": -1}"#, #"{"basketId": "x"}"#, json(form)] {
                try await check("POST", "/v1/checkout/validate", json: wrong, status: 200)
            }
            try await check("POST", "/v1/checkout", json: json(form), status: 400)
            try await check("POST", "/v1/checkout", json: json(form), headers: key, status: 409)
            try await check("POST", "/v1/checkout", json: #"{"coupon": "nope"}"#, headers: key, status: 422)
            form.expectedTotal = 1449
            try await check("POST", "/v1/checkout", json: json(form), headers: key, status: 201)
            try await check("POST", "/v1/checkout/validate", json: json(form), status: 200)
            try await check(
                "POST", "/v1/checkout", json: json(form), headers: [("Idempotency-Key", "other")], status: 409)
            try await check("DELETE", items, "\(address)/items", status: 409)
            form.name = "Another"
            try await check("POST", "/v1/checkout", json: json(form), headers: key, status: 422)

            let order = try await shop.server.order(guest: 2)
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            try await check("GET", "/v1/orders/{orderId}", "/v1/orders/\(order.id)", status: 200)
            try await check("GET", "/v1/orders/{orderId}", "/v1/orders/\(order.id)", headers: token, status: 200)
            try await check("GET", "/v1/orders/{orderId}", "/v1/orders/x", status: 404)
            for (id, headers, status) in [(order.id, token, 200), (order.id, [], 401), ("x", token, 404)]
                as [(String, [(String, String)], Int)]
            {
                try await check(
                    "GET", "/v1/orders/{orderId}/receipt", "/v1/orders/\(id)/receipt", headers: headers, status: status)
            }
            try await check("POST", "/v1/orders/{orderId}/cancel", "/v1/orders/\(order.id)/cancel", status: 401)
            try await check(
                "POST", "/v1/orders/{orderId}/cancel", "/v1/orders/\(order.id)/cancel", headers: token, status: 200)
            try await shop.database.psql("select advance_order(number, 'accepted') from orders where state = 'placed'")
            let other = try await shop.server.order(guest: 3)
            try await shop.database.psql("select advance_order('\(other.number)', 'rejected', 'closed')")
            let otherToken = [("Authorization", "Bearer \(other.accessToken ?? "")")]
            try await check("GET", "/v1/orders/{orderId}", "/v1/orders/\(other.id)", headers: otherToken, status: 200)
            try await check(
                "POST", "/v1/orders/{orderId}/cancel", "/v1/orders/\(other.id)/cancel", headers: otherToken, status: 409
            )

            try await check("GET", "/v1/orders/{orderId}/events", "/v1/orders/\(other.id)/events", status: 200)
            try await check(
                "GET", "/v1/orders/{orderId}/events", "/v1/orders/\(other.id)/events",
                headers: [("Last-Event-ID", "2")], status: 204)
            try await check("GET", "/v1/orders/{orderId}/events", "/v1/orders/x/events", status: 404)
            let wrong = [("Authorization", "Bearer x")]
            try await check(
                "GET", "/v1/orders/{orderId}/events", "/v1/orders/\(other.id)/events", headers: wrong, status: 401)
            let ordered = "/v1/baskets/\(other.id)"
            try await check("GET", "/v1/baskets/{basketId}", ordered, status: 200)
            try await check("GET", "/v1/baskets/{basketId}", ordered, headers: otherToken, status: 200)
            try await check("GET", "/v1/baskets/{basketId}", ordered, headers: wrong, status: 401)
            let staff = StaffTests.bearer
            try await check("GET", "/v1/staff/orders", headers: staff, status: 200)
            try await check("GET", "/v1/staff/orders", "/v1/staff/orders?state=eaten", headers: staff, status: 400)
            try await check("GET", "/v1/staff/orders", status: 401)
            try await check("GET", "/v1/staff/today", headers: staff, status: 200)
            try await check("GET", "/v1/staff/me", headers: staff, status: 200)
            try await shop.database.psql(
                "insert into staff_members (name, role, token_digest) values ('Kit', 'kitchen', sha256('kit'))")
            let kitchen = [("Authorization", "Bearer kit")]
            try await check("GET", "/v1/staff/me", headers: kitchen, status: 200)
            try await check("GET", "/v1/staff/today", headers: kitchen, status: 403)
            try await check("GET", "/v1/staff/audit", headers: staff, status: 200)
            try await check("GET", "/v1/staff/audit", "/v1/staff/audit?cursor=x", headers: staff, status: 400)
            try await check(
                "GET", "/v1/staff/orders/{number}", "/v1/staff/orders/\(other.number)", headers: staff, status: 200)
            try await check("GET", "/v1/staff/orders/{number}", "/v1/staff/orders/1", headers: staff, status: 404)
            let (step, advance) = ("/v1/staff/orders/{number}/advance", "/v1/staff/orders/\(other.number)/advance")
            try await check("POST", step, advance, json: #"{"state": "accepted"}"#, headers: staff, status: 409)
            try await check(
                "POST", step, advance, json: #"{"state": "eaten", "reason": "\u0007"}"#, headers: staff, status: 422)
            try await check("POST", step, advance, json: #"{"state": 1}"#, headers: staff, status: 400)
            let third = try await shop.server.order(guest: 4)
            try await check(
                "POST", step, "/v1/staff/orders/\(third.number)/advance", json: #"{"state": "accepted"}"#,
                headers: staff, status: 200)
            let (sellOut, item) = ("/v1/staff/menu/{id}/availability", "/v1/staff/menu/2001/availability")
            try await check("POST", sellOut, item, json: #"{"isAvailable": false}"#, headers: staff, status: 200)
            try await check("POST", sellOut, item, json: "{}", headers: staff, status: 422)
            try await check(
                "POST", sellOut, "/v1/staff/menu/9/availability", json: #"{"isAvailable": false}"#, headers: staff,
                status: 404)
            try await check("GET", "/v1/staff/options", headers: staff, status: 200)
            try await check("GET", "/v1/staff/shop", headers: staff, status: 200)
            try await check("GET", "/v1/staff/shop", status: 401)
            for (json, status) in [(#"{"minutes": 30}"#, 200), ("{}", 422), (#"{"minutes": "x"}"#, 400)] {
                try await check("POST", "/v1/staff/pause", json: json, headers: staff, status: status)
            }
            try await check("GET", "/v1/times", status: 200)
            try await check("GET", "/v1/home", status: 200)
            try await check("GET", "/v1/shop", status: 200)
            try await check("DELETE", "/v1/staff/pause", headers: staff, status: 200)
            for (json, status) in [(#"{"minutes": 10, "forMinutes": 60}"#, 200), (#"{"minutes": -1}"#, 422)] {
                try await check("POST", "/v1/staff/busy", json: json, headers: staff, status: status)
            }
            for (json, status) in [
                (#"{"withinMinutes": 10}"#, 200), (#"{"withinMinutes": 0, "automatically": true}"#, 422),
                (#"{"automatically": 1}"#, 400),
            ] {
                try await check("PUT", "/v1/staff/acceptance", json: json, headers: staff, status: status)
            }
            let (hours, day) = ("/v1/staff/hours/{date}", "/v1/staff/hours/2199-12-24")
            for (json, status) in [
                (#"{"shifts": [{"opens": "18:00", "closes": "26:00"}]}"#, 200),
                (#"{"shifts": [{"opens": "18", "closes": "26"}]}"#, 422),
                (#"{"shifts": []}"#, 200), ("{}", 422),
            ] {
                try await check("PUT", hours, day, json: json, headers: staff, status: status)
            }
            try await check("GET", "/v1/staff/shop", headers: staff, status: 200)
            try await check("PUT", hours, "/v1/staff/hours/x", json: #"{"shifts": []}"#, headers: staff, status: 404)
            try await check("DELETE", hours, day, headers: staff, status: 200)
            let option = "/v1/staff/options/{id}/availability"
            let soldOut = #"{"isAvailable": false}"#
            try await check(
                "POST", option, "/v1/staff/options/1203/availability", json: soldOut, headers: staff, status: 200)
            try await check(
                "POST", option, "/v1/staff/options/9/availability", json: soldOut, headers: staff, status: 404)
            for thing in ["menu/2001", "options/1203"] {
                let (kind, path) = (thing.prefix { $0 != "/" }, "/v1/staff/\(thing)/stock")
                for (json, status) in [
                    (#"{"remaining": 3}"#, 200), (#"{"perDay": -1}"#, 422), ("{}", 422), (#"{"remaining": null}"#, 200),
                ] {
                    try await check(
                        "POST", "/v1/staff/\(kind)/{id}/stock", path, json: json, headers: staff, status: status)
                }
            }
        }
    }
}
