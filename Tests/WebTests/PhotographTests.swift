// Photographs of dishes, from the staff's upload to the guest's browser. HostilePhotographTests cover invalid files,
// PhotoStudioTests the processing.

import HTTPTypes
import NIOCore
import Support
import Testing
import Wire

@testable import Photographs
@testable import HTTPServing
@testable import Web

@Suite("Photographs of dishes", .timeLimit(.minutes(5)))
struct PhotographTests {
    static func put(
        _ bytes: [UInt8], _ item: Int64 = 2001, on shop: TestShop, headers: [(String, String)] = StaffTests.bearer
    ) async throws -> TestServer.Reply {
        try await shop.server.send("PUT", "/v1/staff/menu/\(item)/photograph", headers: headers, body: bytes)
    }

    static let browser = [("Accept", "image/avif,image/webp,image/apng,image/*,*/*;q=0.8")]

    @Test("An upload becomes three sizes in two formats with immutable URLs, and is listed wherever the item is")
    func uploadAndRead() async throws {
        try await StaffTests.run { shop in
            let before = try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self)
            #expect(before.photograph == nil)
            let changed = try await Self.put(TestPicture.png(1700, 1300), on: shop).expecting(200).decoded(
                MenuItemBody.self)
            let photograph = try #require(changed.photograph)
            #expect(
                photograph.sizes.map(\.width) == [400, 800, 1600] && photograph.sizes.map(\.height) == [300, 600, 1200])
            #expect(try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).photograph == photograph)
            let listed = try await shop.server.get("/v1/menu?category=200").decoded(Page<MenuItemBody>.self).items
            #expect(listed.map(\.photograph) == listed.map { $0.id == 2001 ? photograph : nil })
            #expect(
                try await shop.server.get("/v1/menu/2001").text.hasSuffix(#"/1600"}]}}"#),
                "the photograph is the last member")

            for size in photograph.sizes {
                let webP = try await shop.server.get(size.url, headers: Self.browser).expecting(200)
                let jpeg = try await shop.server.get(size.url).expecting(200)
                for (reply, kind) in [(webP, ImageHeader.Kind.webp), (jpeg, .jpeg)] {
                    let head = try #require(ImageHeader(kind, reply.body))
                    #expect(
                        ImageHeader.kind(of: reply.body) == kind
                            && (head.width, head.height) == (size.width, size.height))
                    #expect(reply.header("Content-Type") == "image/\(kind)" && reply.header("Vary") == "Accept")
                    #expect(reply.header("Cache-Control") == "public, max-age=31536000, immutable")
                    #expect(reply.header("X-Content-Type-Options") == "nosniff")
                }
                let tag = try #require(webP.header("ETag"))
                let revalidation = try await shop.server.get(size.url, headers: Self.browser + [("If-None-Match", tag)])
                #expect(
                    revalidation.status == 304 && revalidation.body == [] && revalidation.header("Vary") == "Accept")
                #expect(jpeg.header("ETag") != tag)
                let head = try await shop.server.send("HEAD", size.url)
                #expect(head.status == 200 && head.header("Content-Length") == "\(jpeg.body.count)")
            }
            let jpeg = try await shop.server.storefront.picture(photograph.sizes[0].url)
            #expect(ImageHeader.kind(of: jpeg) == .jpeg)

            let url = photograph.sizes[0].url
            let others = [
                "/photographs/x/400", url + "0", url.replacing("/400", with: "/-1"),
                url.replacing("/400", with: "/0400"),
                url.replacing("/photographs/", with: "/photographs/0"),
                "/photographs/\(String(repeating: "0", count: 64))/400",
            ]
            for other in others {
                #expect(try await shop.server.get(other).status == 404, "\(other)")
            }
        }
    }

    @Test("While the database is unavailable, a cached photograph is served and an uncached one returns 503")
    func databaseAway() async throws {
        try await StaffTests.run { shop in
            let sizes = try #require(
                try await Self.put(TestPicture.png(500, 400), on: shop).expecting(200).decoded(MenuItemBody.self)
                    .photograph?.sizes)
            let cached = try await shop.server.get(sizes[0].url).expecting(200).body
            try await shop.database.refuseConnections()
            #expect(try await shop.server.get(sizes[0].url).body == cached)
            let other = try await shop.server.get(sizes[1].url)
            #expect(other.status == 503 && other.code == "database_unavailable")
            try await shop.database.acceptConnections()
            try await eventually("the photograph is served") { try await shop.server.get(sizes[1].url).status == 200 }
        }
    }

    @Test("A photograph that no item uses is deleted, after a removal, a replacement or a change in SQL")
    func unusedIsDeleted() async throws {
        try await StaffTests.run { shop in
            func rows() async throws -> String {
                try await shop.database.psql(
                    "select (select count(*) from photographs), (select count(*) from photograph_files)")
            }
            // Concurrent uploads, two of which are the same file.
            async let first = Self.put(TestPicture.png(), 2001, on: shop)
            async let second = Self.put(TestPicture.png(tint: 200), 2002, on: shop)
            async let third = Self.put(TestPicture.png(tint: 200), 2003, on: shop)
            for reply in try await [first, second, third] { _ = try reply.expecting(200) }
            #expect(try await rows() == "2|4")
            _ = try await Self.put(TestPicture.png(tint: 99), 2001, on: shop).expecting(200)
            #expect(try await rows() == "2|4", "the new photograph replaces the old one")
            let revision = try await shop.database.psql("select revision from menu_revision")
            _ = try await Self.put(TestPicture.png(tint: 99), 2001, on: shop).expecting(200)
            #expect(
                try await shop.database.psql("select revision from menu_revision") == revision,
                "the same file is no change")
            try await shop.database.psqlAsStaff(
                """
                update menu_items set photograph = (select photograph from menu_items where id = 2001)
                where id = 2002
                """)
            #expect(try await rows() == "2|4", "item 2003 still uses it")
            for _ in 0..<2 {
                let reply = try await shop.server.send(
                    "DELETE", "/v1/staff/menu/2003/photograph", headers: StaffTests.bearer)
                #expect(try reply.expecting(200).decoded(MenuItemBody.self).photograph == nil)
                #expect(try await rows() == "1|2")
            }
            try await shop.database.psqlAsStaff("update menu_items set photograph = null")
            #expect(try await rows() == "0|0")
            try await shop.database.psql("update menu_items set is_retired = true where id = 5003")
            for id: Int64 in [9999, 5003, 0] {
                #expect(try await Self.put(TestPicture.png(), id, on: shop).code == "menu_item_not_found")
            }
            #expect(
                try await shop.server.send("DELETE", "/v1/staff/menu/9999/photograph", headers: StaffTests.bearer)
                    .status == 404)
            #expect(try await rows() == "0|0")
        }
    }

    @Test("Without libvips an upload returns 501 with the package to install, and a removal still works")
    func withoutProgram() async throws {
        try await TestShop.run(
            configuration: StaffTests.configuration(), studio: PhotoProcessor(program: "/nowhere/vips")
        ) { shop in
            let reply = try await Self.put(TestPicture.png(), on: shop)
            #expect(
                reply.status == 501 && reply.code == "photographs_not_offered" && reply.text.contains("libvips-tools"))
            let removed = try await shop.server.send(
                "DELETE", "/v1/staff/menu/2001/photograph", headers: StaffTests.bearer)
            #expect(removed.status == 200)
        }
    }

    @Test("A client gets WebP only if its Accept header names it")
    func accept() {
        let cases: [(String?, Bool)] = [
            (nil, false), ("*/*", false), ("image/*", false), ("image/webp", true), ("IMAGE/WEBP;q=0.1", true),
            ("image/png, image/webp", true),
            ("image/webp;q=0", false), ("image/webpx", false), ("", false), (",;q=1,image/webp;q=x", false),
        ]
        for (accept, acceptsWebP) in cases {
            var fields = HTTPFields()
            fields[.accept] = accept
            let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: fields)
            #expect(Request(head: head, body: ByteBuffer()).acceptsWebP == acceptsWebP, "\(accept ?? "none")")
        }
    }
}
