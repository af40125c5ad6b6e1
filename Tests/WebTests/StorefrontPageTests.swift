// The storefront page as it is sent: every file it is made of, their caching, and what the page may do.
// Its behaviour in a browser is another matter: Tests/Browser.
import Foundation
import Support
import Testing
import Wire

// One after the other: a shop each, and a run has connections for some dozens at one time.
@Suite("The storefront page over HTTP", .serialized) struct StorefrontPageTests {
    @Test("The page at / is HTML that may run our own files only, and is answered 304 to those who have it, with its policy")
    func page() async throws {
        try await TestShop.run { shop in
            let page = try await shop.server.get("/")
            #expect(page.status == 200)
            #expect(page.header("Content-Type") == "text/html; charset=utf-8")
            #expect(page.header("X-Content-Type-Options") == "nosniff")
            #expect(page.header("Cache-Control") == "no-cache")
            let policy = try #require(page.header("Content-Security-Policy"))
            let rules = policy.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            for rule in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'", "base-uri 'none'",
                "frame-ancestors 'none'",
            ] {
                #expect(rules.contains(rule))
            }
            #expect(!policy.contains("unsafe"))

            let again = try await shop.server.get("/", headers: [("If-None-Match", try #require(page.header("ETag")))])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(again.header("Content-Security-Policy") == policy)
        }
    }

    @Test("Every file that the page, its scripts and its styles name is there, in its type; together they are below 250 kB")
    func files() async throws {
        try await TestShop.run { shop in
            let page = try await shop.server.get("/")
            var waiting = Set(quoted(in: page.text).filter { $0.hasPrefix("/assets/") })
            var seen: Set<String> = []
            var size = page.body.count
            while let path = waiting.popFirst() {
                seen.insert(path)
                let file = try await shop.server.get(path)
                #expect(file.status == 200, "\(path)")
                size += file.body.count
                let type = try #require(types.first { path.hasSuffix($0.key) }, "\(path)").value
                #expect(file.header("Content-Type") == type, "\(path)")
                #expect(file.header("Cache-Control") == "no-cache", "\(path)")
                #expect(file.header("X-Content-Type-Options") == "nosniff", "\(path)")
                let again = try await shop.server.get(path, headers: [("If-None-Match", try #require(file.header("ETag")))])
                #expect(again.status == 304, "\(path)")
                guard path.hasSuffix(".js") else { continue }
                #expect(file.text.hasPrefix("// "), "\(path) says what it is")
                #expect(!file.text.contains("innerHTML"), "\(path)")
                #expect(!file.text.contains("insertAdjacentHTML"), "\(path)")
                let base = try #require(URL(string: "http://shop" + path))
                let imported = quoted(in: file.text).filter { $0.hasPrefix("./") || $0.hasPrefix("../") }
                waiting.formUnion(
                    imported.compactMap { URL(string: $0, relativeTo: base)?.absoluteURL.path }.filter { !seen.contains($0) })
            }
            #expect(seen.count > 30)
            #expect(size < 250_000)
        }
    }

    @Test("The page has nothing inline, and names no other host")
    func nothingInline() async throws {
        try await TestShop.run { shop in
            let text = try await shop.server.get("/").text
            #expect(!text.contains("style="))
            #expect(!text.contains("<style"))
            #expect(!text.contains(" onclick"))
            #expect(!text.contains("://"))
            for script in text.components(separatedBy: "<script").dropFirst() {
                #expect(script.contains("src=\"/assets/"))
                #expect(script.contains("></script>"))
            }
        }
    }

    @Test("Nothing but the page's files can be had under /assets")
    func nothingElse() async throws {
        try await TestShop.run { shop in
            for path in [
                "", "index.html", "..%2Fopenapi.json", "../openapi.json", "%2e%2e/openapi.json", "screens", "screens/", "screens/none.js",
                "APP.js", "app.js%00",
            ] {
                // No client: it would tidy the path up.
                let status = try await shop.server.raw { connection in
                    try await connection.send("GET /assets/\(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                    return try await connection.read(until: "\r\n")
                }
                #expect(status == "HTTP/1.1 404 Not Found\r\n", "\(path)")
            }
        }
    }
}

private let types = [".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"]

/// What stands between quotation marks of either kind, line by line.
private func quoted(in text: String) -> [String] {
    text.split(separator: "\n").flatMap { line in
        ["\"", "'"].flatMap { mark in
            line.components(separatedBy: mark).enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        }
    }
}
