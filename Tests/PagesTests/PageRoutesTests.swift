// Tests the pages of guests and staff as they are sent: their files, caching and security policy. Tests/Tools/Browser
// tests their behaviour.
import Foundation
import Support
import Testing

@testable import Pages

@Suite("The pages over HTTP") struct PageRoutesTests {
    @Test(
        "A page has a policy that permits only own files, and a conditional GET returns 304 with the policy",
        arguments: ["/", "/staff"])
    func page(path: String) async throws {
        try await withPages { server in
            let page = try await server.get(path)
            #expect(page.status == 200)
            #expect(page.header("Content-Type") == "text/html; charset=utf-8")
            #expect(page.header("X-Content-Type-Options") == "nosniff")
            #expect(page.header("Cache-Control") == "no-cache")
            let policy = try #require(page.header("Content-Security-Policy"))
            let rules = policy.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            for rule in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' https:",
                "font-src 'self'",
                "connect-src 'self'", "worker-src 'self'", "require-trusted-types-for 'script'", "trusted-types worker",
                "base-uri 'none'",
                "frame-ancestors 'none'",
            ] {
                #expect(rules.contains(rule))
            }
            #expect(!policy.contains("unsafe"))

            let second = try await server.get(
                path, headers: [("If-None-Match", try #require(page.header("ETag")))])
            #expect(second.status == 304)
            #expect(second.body.isEmpty)
            #expect(second.header("Content-Security-Policy") == policy)
        }
    }

    @Test("Without a staff token, /staff explains how to set one and has no scripts")
    func noStaffToken() async throws {
        let configured = try await withPages { server in try await server.get("/staff") }
        let notConfigured = try await withPages(mayHaveStaffToken: false) { server in try await server.get("/staff") }
        #expect(
            notConfigured.status == 200 && notConfigured.text.contains("WELMS_STAFF_TOKEN=")
                && !notConfigured.text.contains("type=\"module\""))
        #expect(
            configured.status == 200 && !configured.text.contains("WELMS_STAFF_TOKEN=")
                && configured.text.contains("/staff/app.js\""))
    }

    @Test(
        "All files that a page refers to exist: a typeface below 20 kB, and others below 400 kB in total",
        arguments: [
            (
                "/", ["words/de.json", "words/es.json"],
                [
                    "app.js", "app.webmanifest", "basket/basketScreen.js", "basket/dishSheet.js", "basket/fixes.js",
                    "checkout/checkoutScreen.js", "checkout/startSending.js", "dish/dishForm.js", "early.js",
                    "guest.css", "icon.svg", "menu/aboutScreen.js", "menu/foodFilterDialog.js",
                    "orders/orderListScreen.js", "orders/orderScreen.js", "orders/receipt.js", "typeface.woff2",
                    "words/de.json", "words/es.json",
                ]
            ), ("/staff", [], ["early.js", "icon.svg", "staff/app.js", "staff/staff.css"]),
        ])
    func files(path page: String, lazyFiles: [String], expectedFiles: [String]) async throws {
        try await withPages { server in
            let page = try await server.get(page)
            var pending = Set(quoted(in: page.text).filter { $0.hasPrefix("/assets/") })
            for name in lazyFiles { pending.insert(try await server.asset(name)) }
            var seen: Set<String> = []
            var size = page.body.count
            while let path = pending.popFirst() {
                seen.insert(path)
                let file = try await server.get(path)
                #expect(file.status == 200, "\(path)")
                if path.hasSuffix(".woff2") { #expect(file.body.count < 20_000) } else { size += file.body.count }
                let type = try #require(types.first { path.hasSuffix($0.key) }, "\(path)").value
                #expect(file.header("Content-Type") == type, "\(path)")
                #expect(file.header("Cache-Control") == "public, max-age=31536000, immutable", "\(path)")
                #expect(file.header("X-Content-Type-Options") == "nosniff", "\(path)")
                let second = try await server.get(
                    path, headers: [("If-None-Match", try #require(file.header("ETag")))])
                #expect(
                    second.status == 304 && second.header("Cache-Control") == file.header("Cache-Control"), "\(path)")
                let base = try #require(URL(string: "http://shop" + path))
                func follow(_ names: [String]) {
                    pending.formUnion(
                        names.compactMap { URL(string: $0, relativeTo: base)?.absoluteURL.path }.filter {
                            !seen.contains($0)
                        })
                }
                if path.hasSuffix(".css") { follow(quoted(in: file.text).filter { $0.hasSuffix(".woff2") }) }
                guard path.hasSuffix(".js") else { continue }
                #expect(file.text.hasPrefix("// "), "\(path) has a header comment")
                #expect(!file.text.contains("innerHTML"), "\(path)")
                #expect(!file.text.contains("insertAdjacentHTML"), "\(path)")
                follow(quoted(in: file.text).filter { $0.hasPrefix("./") || $0.hasPrefix("../") })
            }
            #expect(seen.map { $0.split(separator: "/").dropFirst(2).joined(separator: "/") }.sorted() == expectedFiles)
            // Limits unnoticed growth. A browser test measures what a first visit loads.
            #expect(size < 400_000)
        }
    }

    @Test("The pages have no inline scripts or styles and refer to no other host", arguments: ["/", "/staff"])
    func nothingInline(path: String) async throws {
        try await withPages { server in
            let text = try await server.get(path).text
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

    @Test("A file of another version returns 404, which is not cached")
    func otherVersion() async throws {
        try await withPages { server in
            for name in ["app.js", "checkout/checkoutScreen.js", "staff/app.js", "guest.css", "icon.svg"] {
                let own = try await server.get(server.asset(name))
                #expect(own.status == 200, "\(name)")
                let other = "/assets/0123456789abcdef0123456789abcdef/\(name)"
                let reply = try await server.get(other)
                #expect(reply.status == 404 && reply.header("Cache-Control")?.contains("max-age") != true, "\(name)")
                #expect(try await server.send("HEAD", other).status == 404, "\(name)")
            }
        }
    }

    @Test(
        "An unknown path returns the page with 404 to a browser, and a problem to API clients"
    )
    func unknown() async throws {
        try await withPages { server in
            let page = try await server.get("/")
            let browser = [("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")]
            let tag = try #require(page.header("ETag"))
            for (method, path, headers) in [
                ("GET", "/menus", browser), ("GET", "/menus/of/old?a=b", browser), ("HEAD", "/menus", browser),
                ("GET", "/v1menus", browser),
                ("GET", "/menus", browser + [("If-None-Match", tag)]), ("GET", "/menus", [("Accept", "TEXT/HTML")]),
            ] {
                let reply = try await server.send(method, path, headers: headers)
                #expect(reply.status == 404 && reply.body == (method == "HEAD" ? [] : page.body), "\(method) \(path)")
                for name in ["Content-Type", "Content-Security-Policy"] {
                    #expect(reply.header(name) == page.header(name), "\(path) \(name)")
                }
                #expect(reply.header("Cache-Control") == "no-store", "\(path)")
            }
            for (method, path, headers) in [
                ("GET", "/menus", []), ("GET", "/menus", [("Accept", "*/*")]),
                ("GET", "/menus", [("Accept", "text/html;q=0, application/json")]),
                ("GET", "/v1/menus", browser), ("POST", "/menus", browser), ("GET", "/pictures/none.svg", browser),
            ] {
                let reply = try await server.send(method, path, headers: headers)
                #expect(
                    reply.status == 404 && reply.header("Content-Type") == "application/problem+json",
                    "\(method) \(path)")
            }
        }
    }

    @Test("Only the service worker may serve the page at /, and it may connect to this server only")
    func worker() async throws {
        try await withPages { server in
            let worker = try await server.get(server.asset("worker.js"))
            #expect(worker.status == 200 && worker.header("Service-Worker-Allowed") == "/")
            #expect(
                worker.header("Content-Security-Policy")
                    == "default-src 'none'; connect-src 'self'; frame-ancestors 'none'")
            #expect(try await server.get(server.asset("app.js")).header("Service-Worker-Allowed") == nil)
        }
    }

    @Test("The version changes with any byte, name or number of the files, and is the same for equal files")
    func version() {
        let files = ["a.js": Array("1".utf8), "b.js": Array("2".utf8)]
        let version = PageFiles.version(of: files)
        #expect(
            version.utf8.count == 32
                && version == PageFiles.version(of: ["b.js": Array("2".utf8), "a.js": Array("1".utf8)]))
        for others in [
            ["a.js": Array("1".utf8), "b.js": Array("3".utf8)], ["a.js": Array("1".utf8), "c.js": Array("2".utf8)],
            ["a.js": Array("1".utf8)],
            ["a.js": Array("2".utf8), "b.js": Array("1".utf8)], [:],
        ] { #expect(PageFiles.version(of: others) != version) }
    }

    @Test("A path under /assets that is not a file of the pages returns 404")
    func otherFilesAreNotServed() async throws {
        try await withPages { server in
            let version = try await server.asset("").split(separator: "/")[1]
            for path in [
                "", "app.js", "staff/app.js", "\(version)", "\(version)/", "\(version)/index.html",
                "\(version)/staff.html",
                "\(version)/none.js",
                "\(version)/menu", "\(version)/menu/", "\(version)/menu/none.js", "\(version)/APP.js",
                "\(version)/app.js%00",
                "\(version)/..%2F..%2Fopenapi.json", "\(version)/../openapi.json", "\(version.uppercased())/app.js",
                "\(version.dropLast())/app.js",
                "\(version.dropLast())g/app.js", "index.html", "staff.html", "..%2Fopenapi.json", "../openapi.json",
                "%2e%2e/openapi.json",
                "menu", "menu/",
                "menu/none.js",
                "APP.js", "app.js%00",
            ] {
                // Raw bytes, because an HTTP client would normalise the path.
                let status = try await server.withRawConnection { connection in
                    try await connection.send("GET /assets/\(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                    return try await connection.read(until: "\r\n")
                }
                #expect(status == "HTTP/1.1 404 Not Found\r\n", "\(path)")
            }
        }
    }
}

private let types = [
    ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
    ".json": "application/json", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
]

/// The texts between quotation marks of either kind, line by line.
private func quoted(in text: String) -> [String] {
    text.split(separator: "\n").flatMap { line in
        ["\"", "'"].flatMap { mark in
            line.components(separatedBy: mark).enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        }
    }
}
