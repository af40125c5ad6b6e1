// Hostile request bodies: every response is a 4xx problem, and nothing changes. Accepted text is stored unchanged.

import Foundation
import Ordering
import Support
import Testing
import Wire

@testable import Web

@Suite("Hostile request bodies", .timeLimit(.minutes(10)))
struct HostileBodyTests {
    /// The contents of every table as text, to prove that nothing changed.
    static func dump(_ database: TestDatabase) async throws -> String {
        let tables = try await database.psql("select tablename from pg_tables where schemaname = 'public' order by 1")
            .split(
                separator: "\n")
        var text = ""
        for table in tables { text += try await database.psql("select '\(table)', t::text from \(table) t order by 2") }
        return text
    }

    static let bytes: [[UInt8]] = {
        let texts = [
            "", " ", "[]", "null", "\"", "{", "}", "{\"", "{}{}", "{} x", "{,}", "{\"state\":}", "{'state':1}",
            "{state:1}", "// x\n{}",
            "\u{FEFF}{}",
            "{\"state\":\"a\",\"state\":\"b\"}", "{\"st\\u0061te\":\"a\",\"state\":\"b\"}", "{\"nobody\":1}",
            "{\"name\":\"\\u0000\"}",
            "{\"name\":\"a\u{0}b\"}", "{\"name\":\"\\ud800\"}", "{\"name\":\"\\udc00\\ud800\"}",
            "{\"name\":\"\\uD83C\\u0041\"}",
            "{\"name\":\"\\x\"}",
            "{\"name\":\"\n\"}", "{\"name\":true}", "{\"name\":1}", "{\"name\":{}}", "{\"name\":[\"a\"]}",
            "{\"quantity\":1.0}",
            "{\"quantity\":1e0}",
            "{\"quantity\":1e400}", "{\"quantity\":-}", "{\"quantity\":01}", "{\"quantity\":+1}", "{\"quantity\":0x10}",
            "{\"quantity\":NaN}",
            "{\"quantity\":Infinity}", "{\"quantity\":9223372036854775808}", "{\"quantity\":-9223372036854775809}",
            "{\"quantity\":\"1\"}",
            "{\"menuItemId\":1e3}", "{\"expectedTotal\":1.5}",
            "{\"expectedTotal\":" + String(repeating: "9", count: 60_000) + "}",
            String(repeating: "[", count: 60_000), String(repeating: "{\"name\":", count: 8_000),
            "{\"name\":\"" + String(repeating: "\\u0041", count: 10_000),
        ]
        let invalid: [[UInt8]] = [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x28, 0xA1], [0xC3],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
        ]
        return texts.map { Array($0.utf8) } + invalid.map { Array("{\"name\":\"".utf8) + $0 + Array("\"}".utf8) } + [
            [0], [0xFE, 0xFF],
        ]
    }()

    @Test("A malformed body returns 400 on every route that reads a body, and changes nothing")
    func refused() async throws {
        try await TestShop.run(configuration: StaffTests.configuration()) { shop in
            let order = try await shop.server.order()
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let before = try await Self.dump(shop.database)
            let headers = [("Content-Type", "application/json"), ("Idempotency-Key", "k")] + StaffTests.bearer
            let paths = [
                "/v1/baskets", "/v1/baskets/\(basket.id)/items", "/v1/baskets/\(basket.id)/sales",
                "/v1/baskets/\(basket.id)/items/2001/increment",
                "/v1/checkout", "/v1/checkout/validate", "/v1/staff/orders/\(order.number)/advance",
                "/v1/staff/menu/2001/availability",
                "/v1/staff/options/1201/availability", "/v1/staff/menu/2001/stock", "/v1/staff/options/1201/stock",
            ]
            for path in paths {
                for bytes in Self.bytes {
                    // These routes accept an empty body.
                    if bytes.isEmpty, path == "/v1/baskets" || path.hasSuffix("increment") { continue }
                    let reply = try await shop.server.send("POST", path, headers: headers, body: bytes)
                    #expect(
                        reply.status == 400 && reply.code == "malformed_body",
                        "\(path): \(String(decoding: bytes.prefix(80), as: UTF8.self))")
                    #expect(reply.body.count < 1_000)
                }
                let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
                #expect(try await shop.server.send("POST", path, headers: headers, body: deep).status == 413)
            }
            #expect(try await Self.dump(shop.database) == before)
            #expect(try await shop.server.get("/v1/baskets/\(basket.id)").status == 200)
        }
    }

    @Test("A number at the edge of its range returns the error of the rule that it breaks")
    func numbers() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let before = try await Self.dump(shop.database)
            for quantity in [Int64.max, .max - 1, .min, -1, 0, 99, 100, 1 << 32, 1 << 53] {
                let reply = try await shop.server.add(2001, quantity, to: basket.id)
                #expect(reply.status == 422 && reply.code == "quantity_out_of_range", "\(quantity): \(reply.text)")
            }
            let minusZero = try await shop.server.post(
                "/v1/baskets/\(basket.id)/items", json: #"{"menuItemId": 2001, "quantity": -0}"#)
            #expect(minusZero.code == "quantity_out_of_range")
            for id in [Int64.max, .min, -1, 0, 1 << 32 + 2001] {
                #expect(try await shop.server.add(id, 1, to: basket.id).code == "menu_item_not_found")
                #expect(try await shop.server.addSale(id, to: basket.id).code == "sale_not_found")
            }
            for total in [Int64.max, .min, -1, 0, 806, 9_000_000_000_000_001] {
                let reply = try await shop.server.checkout(.filled(for: basket, total: total), key: "k")
                #expect(reply.status == 422 || reply.status == 409, "\(total): \(reply.text)")
                #expect(try await shop.server.validate(.filled(for: basket, total: total)).status == 200)
            }
            #expect(try await Self.dump(shop.database) == before)
        }
    }

    @Test("The most expensive possible basket is priced, discounted and ordered without an overflow")
    func mostExpensiveBasket() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                "update menu_items set price = 100000000, is_available = true where not is_retired")
            try await eventually("the server has loaded the prices") {
                try await shop.server.get("/v1/menu/2001").text.contains("\"price\":100000000")
            }
            let ids: [Int64] = [1001, 2001, 2004, 3001, 3002, 3003, 4001, 4002, 4003, 4005, 5001, 5002, 5003]
            let basket = try await shop.server.startBasket(items: ids.map { ($0, 99) })
            #expect(basket.total == 99 * 100_000_000 * Int64(ids.count))
            let order = try await shop.server.checkout(
                .filled(for: basket, coupon: "FRST", total: basket.total / 10 * 9), key: "k"
            ).expecting(201).decoded(OrderBody.self)
            #expect(order.total + order.discount == order.subtotal && order.subtotal == basket.total)
        }
    }

    @Test("The cost of a form per byte does not grow with the length of a field")
    func linearCost() throws {
        let patterns = [
            "a", "a ", "A'", "1", "(212) ", "a@", "a.", "@.", "-", "\u{301}", "é", "ŉ", "Σ", "🍔", "\u{1F468}\u{200D}",
            "\u{202E}", "\n",
            " ", "\t", "'", "\"",
            "\\", "xn--", "ﷺ", "\u{FEFF}",
        ]
        for pattern in patterns {
            for field in 0..<8 {
                let (short, long) = (try Self.work(pattern, 5_120, field), try Self.work(pattern, 20_480, field))
                // A linear cost grows by 4, a quadratic cost by 16.
                #expect(long < 9 * short, "\(pattern.debugDescription) in field \(field): \(short) s and \(long) s")
            }
        }
    }

    /// The CPU seconds of this thread for a form with `count` bytes in a field. The minimum of 5 runs excludes
    /// interruptions.
    private static func work(_ pattern: String, _ count: Int, _ field: Int) throws -> Double {
        let text = String(repeating: pattern, count: count / pattern.utf8.count)
        var body = CheckoutBody()
        switch field {
        case 0: body.basketId = text
        case 1: body.name = text
        case 2: body.phone = text
        case 3: body.email = text
        case 4: body.address = text
        case 5: body.comment = text
        case 6: body.coupon = text
        default: body.birthday = text
        }
        let json = body.json
        var least = Double.infinity
        for _ in 0..<5 {
            let start = threadTime()
            let read = try CheckoutBody(json: json)
            let form = CheckoutForm(
                name: read.name, phone: read.phone, email: read.email, address: read.address, comment: read.comment,
                coupon: read.coupon, birthday: read.birthday, expectedTotal: nil)
            _ = form.validated(defaultCountry: "US")
            _ = form.validatedFields(defaultCountry: "US")
            _ = read.basketId.map { BasketID($0) }
            least = min(least, threadTime() - start)
        }
        return least
    }

    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Payloads of tools such as sqlmap, and of attacks on shells, templates, terminals and spreadsheets.
    static let payloads = [
        "' or '1'='1", "'; drop table orders; --", "1); delete from baskets; --",
        "' union select access_token from shop_secrets --",
        "$$; select pg_sleep(9); $$", "\\'; commit; --", "1' and (select pg_sleep(5)) is null --", "%27%20or%201=1",
        "$1", "{{7*7}}",
        "${jndi:ldap://x}", "<script>alert(1)</script>", "=cmd|' /C calc'!A0", "`reboot`", "$(reboot)",
        "../../etc/passwd", "%s%s%n",
        "E'\\\\x27'", "U&'\\0027'", "null", "undefined", "true", "Ａ＇ ｏｒ １＝１",
    ]

    @Test("SQL injection in any field, parameter or header changes nothing")
    func injection() async throws {
        try await TestShop.run(configuration: StaffTests.configuration()) { shop in
            let order = try await shop.server.order()
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let before = try await Self.dump(shop.database)
            for payload in Self.payloads {
                let inPath = payload.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                var replies: [TestServer.Reply] = []
                for path in [
                    "/v1/menu?q=\(inPath)", "/v1/menu?category=\(inPath)", "/v1/menu?tag=\(inPath)",
                    "/v1/menu?sort=\(inPath)",
                    "/v1/menu?sort=random&seed=\(inPath)", "/v1/menu?cursor=\(inPath)", "/v1/menu?limit=\(inPath)",
                    "/v1/menu/\(inPath)",
                    "/v1/sales/\(inPath)", "/v1/baskets/\(inPath)", "/v1/orders/\(inPath)",
                    "/v1/orders/\(inPath)/events",
                    "/v1/staff/orders?state=\(inPath)", "/v1/staff/orders?cursor=\(inPath)",
                    "/v1/staff/orders/\(inPath)",
                    "/pictures/\(inPath)",
                ] { replies.append(try await shop.server.get(path, headers: StaffTests.bearer)) }
                func filled(_ change: (inout CheckoutBody) -> Void) -> CheckoutBody {
                    // The wrong total prevents an order when the payload itself is valid.
                    var form = CheckoutBody.filled(for: basket, guest: 7, total: 1)
                    change(&form)
                    return form
                }
                for form in [
                    filled { $0.name = payload }, filled { $0.phone = payload }, filled { $0.email = payload },
                    filled { $0.address = payload },
                    filled { $0.comment = payload }, filled { $0.coupon = payload }, filled { $0.birthday = payload },
                    filled { $0.basketId = payload },
                ] {
                    replies.append(try await shop.server.checkout(form, key: "k"))
                    replies.append(try await shop.server.validate(form))
                }
                let printable = payload.allSatisfy(\.isASCII)
                if printable { replies.append(try await shop.server.checkout(filled { _ in }, key: payload)) }
                let advance = String(decoding: AdvanceBody(state: payload, reason: payload).json, as: UTF8.self)
                replies.append(
                    try await shop.server.post(
                        "/v1/staff/orders/\(order.number)/advance", json: advance, headers: StaffTests.bearer))
                replies.append(
                    try await shop.server.get(
                        "/v1/orders/\(order.id)",
                        headers: [("Authorization", "Bearer " + inPath), ("If-None-Match", inPath)]))
                for reply in replies { #expect(reply.status < 500, "\(payload): \(reply.text)") }
            }
            #expect(try await Self.dump(shop.database) == before)
        }
    }

    @Test("An accepted payload is stored as plain text")
    func plainText() async throws {
        try await TestShop.run { shop in
            for (guest, payload) in Self.payloads.enumerated() {
                let basket = try await shop.server.startBasket(items: [(2001, 1)])
                var form = CheckoutBody.filled(for: basket, guest: guest)
                form.comment = payload
                let key = payload.allSatisfy(\.isASCII) ? payload : "k"
                let order = try await shop.server.checkout(form, key: key).expecting(201).decoded(OrderBody.self)
                #expect(order.customer?.comment == payload)
                #expect(
                    try await shop.database.psql("select comment from orders where number = '\(order.number)'")
                        == payload)
            }
        }
    }
}
