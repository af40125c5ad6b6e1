// The storefront page as it is served: its files, their types and tags, and the policy that it runs under.
// What it does in a browser is tried in Tests/Browser.
import Foundation
import Support
import Testing

@Suite("The storefront page", .serialized) struct StorefrontPageTests {
    @Test("The page is HTML with a policy that allows nothing inline and nobody else's, on its 304 too")
    func page() async throws {
        try await TestShop.run { shop in
            let page = try await shop.server.get("/")
            #expect(page.status == 200)
            #expect(page.header("Content-Type") == "text/html; charset=utf-8")
            #expect(page.header("X-Content-Type-Options") == "nosniff")
            #expect(page.header("Referrer-Policy") == "no-referrer")
            let policy = try #require(page.header("Content-Security-Policy"))
            for part in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"] {
                #expect(policy.contains(part))
            }
            #expect(!policy.contains("unsafe"))
            let tag = try #require(page.header("ETag"))
            let unchanged = try await shop.server.get("/", headers: [("If-None-Match", tag)])
            #expect(unchanged.status == 304)
            #expect(unchanged.body.isEmpty)
            #expect(unchanged.header("Content-Security-Policy") == policy)
        }
    }

    @Test("Everything the page and its modules name is there, with its type; nothing is written inline or asked of another host")
    func assets() async throws {
        try await TestShop.run { shop in
            let page = try await shop.server.get("/").text
            #expect(!page.contains("<style") && !page.contains("style=\"") && !page.contains("http://") && !page.contains("https://"))
            var left = page.split(separator: "\"").filter { $0.hasPrefix("/assets/") }.map(String.init)
            #expect(left.count >= 5)
            var seen: Set<String> = []
            while let path = left.popLast() {
                guard seen.insert(path).inserted else { continue }
                let file = try await shop.server.get(path)
                #expect(file.status == 200, "\(path)")
                let type = [".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"]
                    .first { path.hasSuffix($0.key) }?.value
                #expect(file.header("Content-Type") == type, "\(path)")
                #expect(file.header("Cache-Control") == "no-cache")
                #expect(try await shop.server.get(path, headers: [("If-None-Match", file.header("ETag") ?? "")]).status == 304)
                guard path.hasSuffix(".js") else { continue }
                #expect(!file.text.contains("innerHTML") && !file.text.contains("https://"), "\(path)")
                left += imports(of: file.text, from: path)
            }
            #expect(seen.count > 20)
        }
    }

    @Test("A file that is not there is a 404 like any other, and no path leads out of the page's folder")
    func unknown() async throws {
        try await TestShop.run { shop in
            for path in ["/assets/nothing.js", "/assets/index.html", "/assets/screens", "/assets/../index.html", "/assets/..%2findex.html", "/assets/"] {
                #expect(try await shop.server.get(path).status == 404, "\(path)")
            }
            #expect(try await shop.server.post("/", json: "{}").status == 405)
        }
    }

    /// The paths that a module imports: `from './dom.js'`, relative to it.
    private func imports(of text: String, from path: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            guard line.contains(" from '"), let name = line.split(separator: "'").dropFirst().first, name.hasPrefix(".") else { return nil }
            let folder = path.split(separator: "/").dropLast()
            let steps = name.split(separator: "/")
            let up = steps.filter { $0 == ".." }.count
            return "/" + (folder.dropLast(up) + steps.filter { $0 != ".." && $0 != "." }).joined(separator: "/")
        }
    }
}
