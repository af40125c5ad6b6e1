// Tests which responses are compressed, and their tags and headers.

import Support
import Testing
import Wire

@testable import Web

@Suite("Compression", .timeLimit(.minutes(5))) struct CompressionTests {
    private static let gzip = [("Accept-Encoding", "gzip, deflate, br, zstd")]

    @Test("Pages, assets, pictures, menu and contract shrink by a third or more with gzip, and have their own tag")
    func forms() async throws {
        try await TestShop.run { shop in
            for path in [
                "/", "/staff", try await shop.server.asset("app.js"), try await shop.server.asset("guest.css"),
                "/pictures/2001.svg",
                "/v1/home", "/v1/menu", "/v1/menu?q=burger", "/v1/menu/2001",
                "/v1/sales", "/openapi.json",
            ] {
                let plain = try await shop.server.get(path)
                let compressed = try await shop.server.get(path, headers: Self.gzip)
                #expect(plain.status == 200 && compressed.status == 200, "\(path)")
                #expect(
                    plain.header("Content-Encoding") == nil && compressed.header("Content-Encoding") == "gzip",
                    "\(path)")
                #expect(
                    compressed.body.count * 3 < plain.body.count * 2,
                    "\(path): \(compressed.body.count) of \(plain.body.count)")
                #expect(inflated(compressed.body) == plain.body, "\(path)")
                #expect(compressed.header("Content-Length") == "\(compressed.body.count)", "\(path)")
                #expect(compressed.header("Content-Type") == plain.header("Content-Type"), "\(path)")
                // The menu's responses depend on the language.
                let vary = path.hasPrefix("/v1/") ? "Accept-Language, Accept-Encoding" : "Accept-Encoding"
                for reply in [plain, compressed] { #expect(reply.header("Vary") == vary, "\(path)") }
                let (plainTag, compressedTag) = (
                    try #require(plain.header("ETag")), try #require(compressed.header("ETag"))
                )
                #expect(plainTag != compressedTag && !compressedTag.hasPrefix("W/"), "\(path)")

                // The tag of one encoding does not match the other.
                for (headers, tag, status) in [
                    ([], plainTag, 304), (Self.gzip, compressedTag, 304), ([], compressedTag, 200),
                    (Self.gzip, plainTag, 200),
                ] {
                    let revalidation = try await shop.server.get(path, headers: headers + [("If-None-Match", tag)])
                    #expect(revalidation.status == status, "\(path)")
                    #expect(revalidation.header("Vary") == vary, "\(path)")
                    #expect(revalidation.header("ETag") == (headers.isEmpty ? plainTag : compressedTag), "\(path)")
                    #expect(
                        revalidation.body.isEmpty == (status == 304)
                            && (status == 200 || revalidation.header("Content-Encoding") == nil), "\(path)")
                }
                for (headers, reply) in [([], plain), (Self.gzip, compressed)] {
                    let head = try await shop.server.send("HEAD", path, headers: headers)
                    #expect(head.body.isEmpty)
                    for name in ["Content-Length", "Content-Encoding", "ETag", "Vary", "Content-Type"] {
                        #expect(head.header(name) == reply.header(name), "\(path) \(name)")
                    }
                }
            }
        }
    }

    @Test("The lists of staff and of the error channel are compressed on request")
    func lists() async throws {
        try await StaffTests.run { shop in
            for guest in 1...3 { _ = try await shop.server.order(guest: guest) }
            let path = "/v1/staff/orders"
            let plain = try await shop.server.get(path, headers: StaffTests.bearer)
            let compressed = try await shop.server.get(path, headers: StaffTests.bearer + Self.gzip)
            #expect(plain.header("Content-Encoding") == nil && compressed.header("Content-Encoding") == "gzip")
            #expect(inflated(compressed.body) == plain.body)
            let tag = try #require(compressed.header("ETag"))
            #expect(tag != plain.header("ETag"))
            for reply in [plain, compressed] { #expect(reply.header("Vary") == "Authorization, Accept-Encoding") }
            let revalidation = try await shop.server.get(
                path, headers: StaffTests.bearer + Self.gzip + [("If-None-Match", tag)])
            #expect(
                revalidation.status == 304 && revalidation.header("ETag") == tag
                    && revalidation.header("Vary") == "Authorization, Accept-Encoding")
        }
    }

    @Test("Baskets, quotes, orders and event streams are not compressed, because they are small or stay open")
    func notCompressed() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order(guest: 1)
            let basket = try await shop.server.send("POST", "/v1/baskets", headers: Self.gzip)
            let id = try #require(basket.header("Location"))
            var replies = [basket]
            for menuItem in [1001, 1002, 2001, 2002, 3001, 3002, 4001, 4002] {
                replies.append(
                    try await shop.server.send(
                        "POST", "\(id)/items", headers: Self.gzip + [("Content-Type", "application/json")],
                        body: Array(#"{"menuItemId": \#(menuItem), "quantity": 1}"#.utf8)))
            }
            replies.append(try await shop.server.get(id, headers: Self.gzip))
            replies.append(try await shop.server.get("/v1/orders/\(order.id)", headers: Self.gzip))
            replies.append(try await shop.server.get("/v1/menu/3001", headers: Self.gzip))
            #expect(replies.contains { $0.body.count > 1_000 })
            for reply in replies {
                #expect(reply.status < 300)
                #expect(
                    reply.header("Content-Encoding") == nil && reply.header("Vary")?.contains("Accept-Encoding") != true
                )
            }
            let head = try await shop.server.withRawConnection { connection in
                try await connection.send(
                    "GET /v1/orders/\(order.id)/events HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n")
                return try await connection.read(until: "event: status")
            }
            #expect(head.hasPrefix("HTTP/1.1 200 OK") && !head.lowercased().contains("content-encoding"))
        }
    }
}
