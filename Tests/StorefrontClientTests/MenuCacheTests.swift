// The response cache and the menu file: stale menus, conditional requests and size limits.

import Foundation
import Support
import Testing
import Wire

@testable import StorefrontClient

@Suite("StorefrontClient: cache and menu file", .timeLimit(.minutes(5)))
struct MenuCacheTests {
    @Test("A storefront that starts while the server is unreachable shows the stored menu with its age")
    func unreachableServer() async throws {
        try await TemporaryDirectory.with { directory in
            let file = "\(directory)/menu.json"
            let start = Date.now.addingTimeInterval(-1)
            let (address, menu) = try await TestShop.run { shop in
                try await StorefrontClient.with(shop.server.address, configuration: .fast(menuFile: file)) { client in
                    let menu = try await client.menu()
                    #expect(menu.freshness == .fresh)
                    #expect(try await client.menuItem(2001).body.price == 805)
                    _ = try await client.createBasket()
                    return (shop.server.address, menu.body)
                }
            }
            // The server has stopped, and the storefront starts again.
            let clock = InstantClock()
            try await StorefrontClient.with(address, configuration: .fast(clock, menuFile: file)) { client in
                let cached = try await client.menu()
                #expect(cached.body == menu)
                guard case .stale(let since) = cached.freshness else {
                    Issue.record("the menu is not marked as stale")
                    return
                }
                #expect((start...Date.now).contains(since))
                #expect(clock.sleeps == [], "a guest does not wait for an unreachable server")
                #expect(try await client.menuItem(2001).body.price == 805)
                // A resource that was never read is not in the cache.
                let error = await failure { () async throws(StorefrontError) in _ = try await client.home() }
                #expect(error?.isTransient == true)
            }
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains("baskets"), "only the menu, which has no personal data, is written to disk")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory) == ["menu.json"],
                "the file is replaced, and no temporary file remains")
        }
    }

    @Test("A file that is damaged, too large or from another server or version is ignored and then replaced")
    func invalidFiles() async throws {
        try await TemporaryDirectory.with { directory in
            let file = "\(directory)/menu.json"
            try await TestShop.run { shop in
                try await StorefrontClient.with(shop.server.address, configuration: .fast(menuFile: file)) {
                    _ = try await $0.home()
                }
                let good = try Data(contentsOf: URL(filePath: file))
                let text = String(decoding: good, as: UTF8.self)
                let huge = Data(repeating: 0x20, count: 20 << 20)
                let wrong = [
                    Data(), Data([0xFF, 0x00]), good.prefix(good.count / 2),
                    Data(text.replacing("\"version\":1", with: "\"version\":2").utf8),
                    Data(text.replacing("127.0.0.1", with: "shop.example").utf8), huge + good,
                    Data(text.replacing("\\\"sections\\\"", with: "\\\"parts\\\"").utf8),
                ]
                for data in wrong {
                    try data.write(to: URL(filePath: file))
                    try await FaultyProxy.run(to: 1, []) { proxy in
                        // There is no server behind this proxy, so a menu can only come from the file.
                        let text = String(decoding: data.count < 1 << 20 ? data : Data(), as: UTF8.self)
                        try Data(text.replacing(shop.server.address, with: proxy.address).utf8).write(
                            to: URL(filePath: "\(file).away"))
                        try await StorefrontClient.with(proxy.address, configuration: .fast(menuFile: "\(file).away")) {
                            client in
                            let error = await failure { () async throws(StorefrontError) in _ = try await client.home()
                            }
                            #expect(error?.isTransient == true, "\(text.prefix(80))")
                        }
                    }
                    try await StorefrontClient.with(shop.server.address, configuration: .fast(menuFile: file)) {
                        client in
                        let freshness = try await client.home().freshness
                        #expect(freshness == .fresh)
                    }
                    #expect(try Data(contentsOf: URL(filePath: file)).count == good.count)
                }
                // The menu is also available if the file can't be written.
                try await StorefrontClient.with(
                    shop.server.address, configuration: .fast(menuFile: "\(directory)/none/menu.json")
                ) {
                    client in
                    let freshness = try await client.home().freshness
                    #expect(freshness == .fresh)
                }
            }
        }
    }

    @Test("A proxy's page, with or without an ETag, does not replace the last valid menu in the cache or in the file")
    func proxyPages() async throws {
        let login = "<html>Log in to the guests' network</html>"
        func page(_ status: String, _ headers: String = "") -> Fault {
            .responds(
                "HTTP/1.1 \(status)\r\nContent-Type: text/html\r\nContent-Length: \(login.utf8.count)\r\n"
                    + "Connection: close\r\n\(headers)\r\n\(login)"
            )
        }
        let moved = page("302 Found", "Location: /login\r\n")
        let pages = [page("200 OK", "ETag: \"login\"\r\n"), page("200 OK"), page("404 Not Found"), moved]
        let unchanged = Fault.responds("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n")
        let menu = Fault.responds(
            200, "ETag: \"a\"\r\n", json: #"{"sections":[{"kind":"coupons","items":[]}],"opening":[]}"#)
        try await TemporaryDirectory.with { directory in
            let configuration = ClientConfiguration.fast(menuFile: "\(directory)/menu.json")
            try await FaultyProxy.run(to: 1, [menu] + pages + pages + [unchanged, .rejects(404, "not_found")]) {
                proxy in
                @Sendable func expectStale(_ client: StorefrontClient) async throws {
                    for _ in pages {
                        let answer = try await client.home()
                        #expect(answer.body.sections == [.coupons([])] && answer.freshness != .fresh)
                    }
                }
                try await StorefrontClient.with(proxy.address, configuration: configuration) { client in
                    #expect(try await client.home().freshness == .fresh)
                    try await expectStale(client)
                }
                // After a restart, the storefront has only the file.
                try await StorefrontClient.with(proxy.address, configuration: configuration) { client in
                    try await expectStale(client)
                    let answer = try await client.home()
                    #expect(answer.body.sections == [.coupons([])] && answer.freshness == .fresh)
                    // A problem response of the server is thrown.
                    let error = await failure { () async throws(StorefrontError) in _ = try await client.home() }
                    #expect(error?.problem?.code == .notFound)
                }
            }
        }
    }

    @Test("Reading many pictures does not evict the menu from the cache or from the file")
    func pictures() async throws {
        func tagged(_ json: String) -> Fault { .responds(200, "ETag: \"a\"\r\n", json: json) }
        let home = tagged(#"{"sections":[{"kind":"coupons","items":[]}],"opening":[]}"#)
        let page = tagged(#"{"items":[],"nextCursor":null}"#)
        let pictures = Array(repeating: tagged(String(repeating: "x", count: 50)), count: 8)
        try await TemporaryDirectory.with { directory in
            var configuration = ClientConfiguration.fast(menuFile: "\(directory)/menu.json")
            (configuration.cacheEntryLimit, configuration.cacheByteLimit) = (4, 1000)
            let smallCache = configuration
            // After these responses no server is behind this proxy.
            try await FaultyProxy.run(to: 1, [home, page] + pictures + [page]) { proxy in
                @Sendable func expectMenu(_ client: StorefrontClient) async throws {
                    let home = try await client.home()
                    #expect(home.body.sections == [.coupons([])] && home.freshness != .fresh)
                    let menu = try await client.menu()
                    #expect(menu.body.items == [] && menu.freshness != .fresh)
                }
                try await StorefrontClient.with(proxy.address, configuration: smallCache) { client in
                    _ = try await client.home()
                    _ = try await client.menu()
                    for number in pictures.indices {
                        #expect(try await client.picture("/images/\(number).svg").count == 50)
                    }
                    // This saves the file again.
                    _ = try await client.categories()
                    try await expectMenu(client)
                    #expect(client.transport.cache.size.count <= 4)
                }
                try await StorefrontClient.with(proxy.address, configuration: smallCache) { try await expectMenu($0) }
            }
        }
    }

    @Test("A menu with the header Menu-Stale is stale, with the age from the header")
    func stale() async throws {
        let answer = Fault.responds(200, "ETag: \"a\"\r\nMenu-Stale: 90\r\n", json: #"{"sections":[],"opening":[]}"#)
        try await FaultyProxy.run(to: 1, [answer]) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                for _ in 1...2 {
                    guard case .stale(let since) = try await client.home().freshness else {
                        Issue.record("the menu is not marked as stale")
                        return
                    }
                    #expect((88...100).contains(Date.now.timeIntervalSince(since)))
                }
            }
        }
    }

    @Test("Reads use ETags, are cached separately for each token, and a basket is changed only if it is unchanged")
    func conditionalRequests() async throws {
        try await TestShop.run { shop in
            try await StorefrontClient.with(shop.server.address) { client in
                let order = try await shop.server.order()
                for _ in 1...2 {
                    #expect(try await client.order(order.id).customer == nil)
                    #expect(try await client.order(order.id, accessToken: order.accessToken).customer != nil)
                    #expect(try await client.menuItem(1003).body.price == 2099)
                }
                let metrics = try await shop.server.get("/metrics").text
                for (route, count) in [("/v1/orders/{orderId}", 2), ("/v1/menu/{id}", 1)] {
                    let metric = #"welms_http_requests_total{method="GET",route="\#(route)",status="304"} \#(count)"#
                    #expect(metrics.contains(metric))
                }
                try await shop.database.psql("update menu_items set price = 2199 where id = 1003")
                try await eventually("the client reads the new price") {
                    try await client.menuItem(1003).body.price == 2199
                }

                let first = try await client.createBasket()
                let second = try await client.addItem(2001, to: first.id, ifUnchanged: first)
                let error = await failure { () async throws(StorefrontError) in
                    _ = try await client.addItem(2001, to: first.id, ifUnchanged: first)
                }
                #expect(error?.problem?.code == .preconditionFailed)
                #expect(try await client.incrementItem(2001, in: first.id, ifUnchanged: second).totalCount == 2)
            }
        }
    }

    @Test("The cache is limited in entries and bytes, and evicts the least recently used entry")
    func cacheLimits() {
        let remembered = ResponseCache(countLimit: 3, byteLimit: 100)
        func key(_ number: Int) -> ResponseCache.Key { .init(path: "/\(number)") }
        func keep(_ number: Int, _ size: Int) {
            remembered.store(
                CachedResponse(tag: "t", body: .init(repeating: 0, count: size), confirmedAt: 0), for: key(number))
        }
        for number in 1...3 { keep(number, 10) }
        #expect(remembered[key(1)] != nil)
        keep(4, 10)
        #expect(remembered[key(2)] == nil && remembered[key(1)] != nil && remembered.size == (3, 30))
        keep(5, 85)
        #expect(remembered[key(5)] != nil && remembered.size.bytes <= 100)
        keep(5, 101)
        #expect(remembered[key(5)] == nil)
        #expect(remembered.size.bytes >= 0 && remembered.size.count <= 3)
    }
}
