// Photographs of dishes, from staff's file to the guest's browser. What is refused: HostilePhotographTests.swift. The work itself:
// PhotoStudioTests.swift. Read next: Sources/Web/Photographs.

import HTTPTypes
import NIOCore
import Support
import Testing
import Wire

@testable import Photographs
@testable import Web

@Suite("Photographs of dishes", .timeLimit(.minutes(5)))
struct PhotographTests {
    static func put(
        _ bytes: [UInt8], _ item: Int64 = 2001, on shop: TestShop, headers: [(String, String)] = StaffTests.bearer
    ) async throws -> TestServer.Reply {
        try await shop.server.send("PUT", "/v1/staff/menu/\(item)/photograph", headers: headers, body: bytes)
    }

    static let browser = [("Accept", "image/avif,image/webp,image/apng,image/*,*/*;q=0.8")]

    @Test("A file becomes three sizes in two formats, each kept for ever by who takes it, and stands wherever the item does")
    func wholeWay() async throws {
        try await StaffTests.run { shop in
            let before = try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self)
            #expect(before.photograph == nil)
            let changed = try await Self.put(TestPicture.png(1700, 1300), on: shop).expecting(200).decoded(MenuItemBody.self)
            let photograph = try #require(changed.photograph)
            #expect(photograph.sizes.map(\.width) == [400, 800, 1600] && photograph.sizes.map(\.height) == [300, 600, 1200])
            #expect(try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).photograph == photograph)
            let listed = try await shop.server.get("/v1/menu?category=200").decoded(Page<MenuItemBody>.self).items
            #expect(listed.map(\.photograph) == listed.map { $0.id == 2001 ? photograph : nil })
            #expect(try await shop.server.get("/v1/menu/2001").text.hasSuffix(#"/1600"}]}}"#), "behind all that was there before")

            for size in photograph.sizes {
                let webP = try await shop.server.get(size.url, headers: Self.browser).expecting(200)
                let jpeg = try await shop.server.get(size.url).expecting(200)
                for (reply, kind) in [(webP, ImageHead.Kind.webp), (jpeg, .jpeg)] {
                    let head = try #require(ImageHead(kind, reply.body))
                    #expect(ImageHead.kind(of: reply.body) == kind && (head.width, head.height) == (size.width, size.height))
                    #expect(reply.header("Content-Type") == "image/\(kind)" && reply.header("Vary") == "Accept")
                    #expect(reply.header("Cache-Control") == "public, max-age=31536000, immutable")
                    #expect(reply.header("X-Content-Type-Options") == "nosniff")
                }
                let tag = try #require(webP.header("ETag"))
                let again = try await shop.server.get(size.url, headers: Self.browser + [("If-None-Match", tag)])
                #expect(again.status == 304 && again.body == [] && again.header("Vary") == "Accept")
                #expect(jpeg.header("ETag") != tag)
                let head = try await shop.server.send("HEAD", size.url)
                #expect(head.status == 200 && head.header("Content-Length") == "\(jpeg.body.count)")
            }
            let jpeg = try await shop.server.storefront.picture(photograph.sizes[0].url)
            #expect(ImageHead.kind(of: jpeg) == .jpeg)

            let url = photograph.sizes[0].url
            let others = [
                "/photographs/x/400", url + "0", url.replacing("/400", with: "/-1"), url.replacing("/400", with: "/0400"),
                url.replacing("/photographs/", with: "/photographs/0"), "/photographs/\(String(repeating: "0", count: 64))/400",
            ]
            for other in others {
                #expect(try await shop.server.get(other).status == 404, "\(other)")
            }
        }
    }

    @Test("Who looks at it gets it while the database is away; who asks for one that nobody has looked at hears so")
    func databaseAway() async throws {
        try await StaffTests.run { shop in
            let sizes = try #require(
                try await Self.put(TestPicture.png(500, 400), on: shop).expecting(200).decoded(MenuItemBody.self).photograph?.sizes)
            let held = try await shop.server.get(sizes[0].url).expecting(200).body
            try await shop.database.refuseConnections()
            #expect(try await shop.server.get(sizes[0].url).body == held)
            let other = try await shop.server.get(sizes[1].url)
            #expect(other.status == 503 && other.code == "database_unavailable")
            try await shop.database.acceptConnections()
            try await eventually("it is read") { try await shop.server.get(sizes[1].url).status == 200 }
        }
    }

    @Test("A photograph that no item shows any more is gone, whether staff took it away, sent another one, or wrote SQL")
    func gone() async throws {
        try await StaffTests.run { shop in
            func rows() async throws -> String {
                try await shop.database.psql("select (select count(*) from photographs), (select count(*) from photograph_files)")
            }
            // Two at once, and the same file for two items.
            async let one = Self.put(TestPicture.png(), 2001, on: shop)
            async let two = Self.put(TestPicture.png(tint: 200), 2002, on: shop)
            async let three = Self.put(TestPicture.png(tint: 200), 2003, on: shop)
            for reply in try await [one, two, three] { _ = try reply.expecting(200) }
            #expect(try await rows() == "2|4")
            _ = try await Self.put(TestPicture.png(tint: 99), 2001, on: shop).expecting(200)
            #expect(try await rows() == "2|4", "another one took its place")
            let revision = try await shop.database.psql("select revision from menu_revision")
            _ = try await Self.put(TestPicture.png(tint: 99), 2001, on: shop).expecting(200)
            #expect(try await shop.database.psql("select revision from menu_revision") == revision, "the same once more is no news")
            try await shop.database.staff(
                "update menu_items set photograph = (select photograph from menu_items where id = 2001) where id = 2002")
            #expect(try await rows() == "2|4", "2003 shows it still")
            for _ in 0..<2 {
                let reply = try await shop.server.send("DELETE", "/v1/staff/menu/2003/photograph", headers: StaffTests.bearer)
                #expect(try reply.expecting(200).decoded(MenuItemBody.self).photograph == nil)
                #expect(try await rows() == "1|2")
            }
            try await shop.database.staff("update menu_items set photograph = null")
            #expect(try await rows() == "0|0")
            try await shop.database.psql("update menu_items set is_retired = true where id = 5003")
            for id: Int64 in [9999, 5003, 0] {
                #expect(try await Self.put(TestPicture.png(), id, on: shop).code == "menu_item_not_found")
            }
            #expect(try await shop.server.send("DELETE", "/v1/staff/menu/9999/photograph", headers: StaffTests.bearer).status == 404)
            #expect(try await rows() == "0|0")
        }
    }

    @Test("Without libvips a file is refused, and the answer says what to install; all else goes on")
    func withoutProgram() async throws {
        try await TestShop.run(configuration: StaffTests.configuration(), studio: PhotoStudio(program: "/nowhere/vips")) { shop in
            let reply = try await Self.put(TestPicture.png(), on: shop)
            #expect(reply.status == 501 && reply.code == "photographs_not_offered" && reply.text.contains("libvips-tools"))
            let removed = try await shop.server.send("DELETE", "/v1/staff/menu/2001/photograph", headers: StaffTests.bearer)
            #expect(removed.status == 200)
        }
    }

    @Test("WebP goes to who names it")
    func accept() {
        let cases: [(String?, Bool)] = [
            (nil, false), ("*/*", false), ("image/*", false), ("image/webp", true), ("IMAGE/WEBP;q=0.1", true),
            ("image/png, image/webp", true),
            ("image/webp;q=0", false), ("image/webpx", false), ("", false), (",;q=1,image/webp;q=x", false),
        ]
        for (accept, takes) in cases {
            var fields = HTTPFields()
            fields[.accept] = accept
            let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: fields)
            #expect(Request(head: head, body: ByteBuffer()).takesWebP == takes, "\(accept ?? "none")")
        }
    }
}
