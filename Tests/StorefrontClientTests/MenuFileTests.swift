// The menu while the server is away, and what is remembered: unchanged answers cost a 304, the file outlives the client, nothing grows.
// Read next: Sources/StorefrontClient/Menu/MenuReading.swift.

import Foundation
import Support
import Testing
import Wire

@testable import StorefrontClient

@Suite("StorefrontClient: what is remembered", .timeLimit(.minutes(5)))
struct MenuFileTests {
    @Test("A storefront that starts while the server is away shows the last good menu, and says since when it is")
    func away() async throws {
        try await TemporaryDirectory.with { directory in
            let file = "\(directory)/menu.json"
            let began = Date.now.addingTimeInterval(-1)
            let (address, menu) = try await TestShop.run { shop in
                try await StorefrontClient.with(shop.server.address, configuration: .fast(menuFile: file)) { client in
                    let menu = try await client.menu()
                    #expect(menu.freshness == .fresh)
                    #expect(try await client.menuItem(2001).body.price == 805)
                    _ = try await client.createBasket()
                    return (shop.server.address, menu.body)
                }
            }
            // The server is gone; this is another run of the storefront.
            let clock = InstantClock()
            try await StorefrontClient.with(address, configuration: .fast(clock, menuFile: file)) { client in
                let held = try await client.menu()
                #expect(held.body == menu)
                guard case .stale(let since) = held.freshness else {
                    Issue.record("it is not told")
                    return
                }
                #expect((began...Date.now).contains(since))
                #expect(clock.waits == [], "a guest does not wait for a server that is away")
                #expect(try await client.menuItem(2001).body.price == 805)
                // What was never read can't be shown.
                let error = await failure { () async throws(StorefrontError) in _ = try await client.home() }
                #expect(error?.isPassing == true)
            }
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains("baskets"), "only the menu, which is for everybody, goes to the disk")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory) == ["menu.json"], "replaced, with nothing left beside it")
        }
    }

    @Test("A file that is damaged, another server's, another version's or too large is no file; the next menu mends it")
    func damaged() async throws {
        try await TemporaryDirectory.with { directory in
            let file = "\(directory)/menu.json"
            try await TestShop.run { shop in
                try await StorefrontClient.with(shop.server.address, configuration: .fast(menuFile: file)) { _ = try await $0.home() }
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
                    try await FaultyWay.run(to: 1, []) { way in
                        // Nobody is behind this way: whatever is shown is the file's.
                        let text = String(decoding: data.count < 1 << 20 ? data : Data(), as: UTF8.self)
                        try Data(text.replacing(shop.server.address, with: way.address).utf8).write(to: URL(filePath: "\(file).away"))
                        try await StorefrontClient.with(way.address, configuration: .fast(menuFile: "\(file).away")) { client in
                            let error = await failure { () async throws(StorefrontError) in _ = try await client.home() }
                            #expect(error?.isPassing == true, "\(text.prefix(80))")
                        }
                    }
                    try await StorefrontClient.with(shop.server.address, configuration: .fast(menuFile: file)) { client in
                        let freshness = try await client.home().freshness
                        #expect(freshness == .fresh)
                    }
                    #expect(try Data(contentsOf: URL(filePath: file)).count == good.count)
                }
                // A file that can't be written is no reason to show no menu.
                try await StorefrontClient.with(shop.server.address, configuration: .fast(menuFile: "\(directory)/none/menu.json")) {
                    client in
                    let freshness = try await client.home().freshness
                    #expect(freshness == .fresh)
                }
            }
        }
    }

    @Test("A page of somebody else's, with a tag or without one, neither hides the last good menu nor takes its place, in the file either")
    func foreign() async throws {
        let login = "<html>Log in to the guests' network</html>"
        func page(_ status: String, _ headers: String = "") -> Fault {
            .answers(
                "HTTP/1.1 \(status)\r\nContent-Type: text/html\r\nContent-Length: \(login.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(login)"
            )
        }
        let moved = page("302 Found", "Location: /login\r\n")
        let pages = [page("200 OK", "ETag: \"login\"\r\n"), page("200 OK"), page("404 Not Found"), moved]
        let unchanged = Fault.answers("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n")
        let menu = Fault.answers(200, "ETag: \"a\"\r\n", json: #"{"sections":[{"kind":"coupons","items":[]}],"opening":[]}"#)
        try await TemporaryDirectory.with { directory in
            let configuration = ClientConfiguration.fast(menuFile: "\(directory)/menu.json")
            try await FaultyWay.run(to: 1, [menu] + pages + pages + [unchanged, .refuses(404, "not_found")]) { way in
                @Sendable func expectStale(_ client: StorefrontClient) async throws {
                    for _ in pages {
                        let answer = try await client.home()
                        #expect(answer.body.sections == [.coupons([])] && answer.freshness != .fresh)
                    }
                }
                try await StorefrontClient.with(way.address, configuration: configuration) { client in
                    #expect(try await client.home().freshness == .fresh)
                    try await expectStale(client)
                }
                // Another run of the storefront has the file only.
                try await StorefrontClient.with(way.address, configuration: configuration) { client in
                    try await expectStale(client)
                    let answer = try await client.home()
                    #expect(answer.body.sections == [.coupons([])] && answer.freshness == .fresh)
                    // What the server itself refuses is refused.
                    let error = await failure { () async throws(StorefrontError) in _ = try await client.home() }
                    #expect(error?.problem?.code == .notFound)
                }
            }
        }
    }

    @Test("However many pictures are read, the menu stays, in memory and in the file")
    func pictures() async throws {
        func tagged(_ json: String) -> Fault { .answers(200, "ETag: \"a\"\r\n", json: json) }
        let home = tagged(#"{"sections":[{"kind":"coupons","items":[]}],"opening":[]}"#)
        let page = tagged(#"{"items":[],"nextCursor":null}"#)
        let pictures = Array(repeating: tagged(String(repeating: "x", count: 50)), count: 8)
        try await TemporaryDirectory.with { directory in
            var configuration = ClientConfiguration.fast(menuFile: "\(directory)/menu.json")
            (configuration.rememberedAnswers, configuration.rememberedBytes) = (4, 1000)
            let remembering = configuration
            // After these nobody is behind this way.
            try await FaultyWay.run(to: 1, [home, page] + pictures + [page]) { way in
                @Sendable func expectMenu(_ client: StorefrontClient) async throws {
                    let home = try await client.home()
                    #expect(home.body.sections == [.coupons([])] && home.freshness != .fresh)
                    let menu = try await client.menu()
                    #expect(menu.body.items == [] && menu.freshness != .fresh)
                }
                try await StorefrontClient.with(way.address, configuration: remembering) { client in
                    _ = try await client.home()
                    _ = try await client.menu()
                    for number in pictures.indices { #expect(try await client.picture("/images/\(number).svg").count == 50) }
                    // The file is written anew.
                    _ = try await client.categories()
                    try await expectMenu(client)
                    #expect(client.exchange.remembered.size.count <= 4)
                }
                try await StorefrontClient.with(way.address, configuration: remembering) { try await expectMenu($0) }
            }
        }
    }

    @Test("A menu that the server itself calls stale is stale, since when the server says")
    func stale() async throws {
        let answer = Fault.answers(200, "ETag: \"a\"\r\nMenu-Stale: 90\r\n", json: #"{"sections":[],"opening":[]}"#)
        try await FaultyWay.run(to: 1, [answer]) { way in
            try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                for _ in 1...2 {
                    guard case .stale(let since) = try await client.home().freshness else {
                        Issue.record("it is not told")
                        return
                    }
                    #expect((88...100).contains(Date.now.timeIntervalSince(since)))
                }
            }
        }
    }

    @Test(
        "What has not changed is not sent again, an order's holder and others are told apart, and a basket is changed only if it still is")
    func conditional() async throws {
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
                    #expect(metrics.contains(#"welms_http_requests_total{method="GET",route="\#(route)",status="304"} \#(count)"#))
                }
                try await shop.database.psql("update menu_items set price = 2199 where id = 1003")
                try await eventually("the new price is read") { try await client.menuItem(1003).body.price == 2199 }

                let first = try await client.createBasket()
                let second = try await client.addItem(2001, to: first.id, ifStill: first)
                let error = await failure { () async throws(StorefrontError) in
                    _ = try await client.addItem(2001, to: first.id, ifStill: first)
                }
                #expect(error?.problem?.code == .preconditionFailed)
                #expect(try await client.incrementItem(2001, in: first.id, ifStill: second).totalCount == 2)
            }
        }
    }

    @Test("What is remembered is bounded in number and bytes, and what was asked for last stays")
    func bounds() {
        let remembered = RememberedAnswers(countLimit: 3, byteLimit: 100)
        func key(_ number: Int) -> RememberedAnswers.Key { .init(path: "/\(number)") }
        func keep(_ number: Int, _ size: Int) {
            remembered.keep(RememberedAnswer(tag: "t", body: .init(repeating: 0, count: size), confirmedAt: 0), as: key(number))
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
