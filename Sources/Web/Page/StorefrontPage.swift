// The pages: the storefront at `/`, the staff's for StaffPage, and their files below `/assets/<version>/`, all of Sources/Web/Storefront, read at the
// start: no path from outside ever reaches the file system. A browser loads them and then talks to the API like any other client.
import Foundation
import HTTPTypes

/// The routes of the pages. They stand below no version, and are no part of the API's description.
struct StorefrontPage: Routes {
    /// What a page may do: run our own scripts and talk to us. Nothing inline, nothing from elsewhere but the pictures that the menu names,
    /// no text that is made into mark-up (Content Security Policy Level 3; Trusted Types), one worker by one policy, and nobody may frame it.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker
        """

    private let page: EncodedAnswer
    let staffPage: EncodedAnswer
    /// What stands there while nobody has a token: how to make one.
    let closedStaffPage: EncodedAnswer
    private let assets: [String: EncodedAnswer]
    /// What stands in the assets' addresses: another as soon as one byte of them is another.
    private let version: String

    /// Reads the files; throws if they don't lie beside the program.
    init() throws(ShippedFile.Missing) {
        let root = Bundle.module.bundlePath + "/Storefront"
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: root) else { throw ShippedFile.Missing(path: root) }
        var pages: [String: [UInt8]] = [:]
        var files: [String: [UInt8]] = [:]
        for name in names where Self.contentType(of: name) != nil {
            let bytes = try ShippedFile.bytes(of: root + "/" + name)
            if name.hasSuffix(".html") { pages[name] = bytes } else { files[name] = bytes }
        }
        try Self.join(&files, below: root)
        let version = Self.version(of: files)
        func page(_ name: String) throws(ShippedFile.Missing) -> EncodedAnswer {
            guard let bytes = pages[name] else { throw ShippedFile.Missing(path: root + "/" + name) }
            // The page alone is asked for each time: it names the assets of its own version, and those name each other relative to themselves.
            let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\"/assets/", with: "\"/assets/\(version)/")
            return EncodedAnswer(Array(text.utf8), contentType: Self.contentType(of: name) ?? "", headers: Self.pageHeaders)
        }
        self.page = try page("index.html")
        (staffPage, closedStaffPage) = (try page("staff.html"), try page("staff-closed.html"))
        var assets: [String: EncodedAnswer] = [:]
        for (name, bytes) in files {
            assets[name] = EncodedAnswer(
                bytes, contentType: Self.contentType(of: name) ?? "", cacheControl: "public, max-age=31536000, immutable",
                headers: name == "worker.js" ? Self.workerHeaders : [:])
        }
        (self.assets, self.version) = (assets, version)
    }

    /// Each page's styles in one file, and its scripts in few.
    private static func join(_ files: inout [String: [UInt8]], below root: String) throws(ShippedFile.Missing) {
        func texts(_ ending: String) -> [String: String] {
            files.filter { $0.key.hasSuffix(ending) }.mapValues { String(decoding: $0, as: UTF8.self) }
        }
        let (styles, modules) = (texts(".css"), texts(".js"))
        do {
            let sent = try JoinedStyles.sent(styles).merging(JoinedModules.sent(modules, entries: ["app.js", "staff/app.js"])) { $1 }
            files = files.filter { styles[$0.key] == nil && modules[$0.key] == nil }.merging(sent.mapValues { Array($0.utf8) }) { $1 }
        } catch { throw ShippedFile.Missing(path: "\(root)/\(error.name)", reason: error.reason) }
    }

    /// A digest of files by their names: 32 hexadecimal digits.
    static func version(of files: [String: [UInt8]]) -> String {
        let list = files.keys.sorted().map { name in "\(name) \(EntityTag(hashing: files[name] ?? []).opaque)\n" }.joined()
        return EntityTag(hashing: Array(list.utf8)).opaque
    }

    func add(to routes: inout RouteTable) {
        routes.get("/", "The storefront page") { request, _ in page.response(to: request) }
        routes.otherwise = { request in isForPeople(request) ? page.response(to: request, status: .notFound, cacheControl: "no-store") : nil
        }
        routes.get("/assets/{version}/{file}", "A file of the pages") { request, context in
            try asset(context.path("file"), of: context.path("version"), request)
        }
        routes.get("/assets/{version}/{folder}/{file}", "A file of the pages") { request, context in
            try asset(context.path("folder") + "/" + context.path("file"), of: context.path("version"), request)
        }
    }

    /// A browser that goes to an address where nothing is: the page says so (early.js), and leads on. Clients of the API read why.
    private func isForPeople(_ request: Request) -> Bool {
        [.get, .head].contains(request.method) && !request.uri.path.hasPrefix("/v1/") && request.names("text/html")
    }

    /// Answers 404 for a file of another version, because modules of two versions don't fit together. The page then
    /// offers a reload.
    private func asset(_ name: String, of asked: String, _ request: Request) throws(Problem) -> Response {
        guard asked == version, let answer = assets[name] else { throw .notFound }
        return answer.response(to: request)
    }

    /// On the 304 too: what it carries replaces what the browser has kept (RFC 9111, section 4.3.4).
    private static var pageHeaders: HTTPFields {
        var headers: HTTPFields = [.contentSecurityPolicy: policy]
        if let referrerPolicy = HTTPField.Name("Referrer-Policy") { headers[referrerPolicy] = "no-referrer" }
        return headers
    }

    /// The worker serves the page at `/`, though it lies below `/assets` (Service Workers, section 6.1), and asks us for files.
    private static var workerHeaders: HTTPFields {
        var headers: HTTPFields = [.contentSecurityPolicy: "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"]
        if let allowed = HTTPField.Name("Service-Worker-Allowed") { headers[allowed] = "/" }
        return headers
    }

    /// Nil for what is no part of the page.
    private static func contentType(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        case "woff2": "font/woff2"
        case "webmanifest": "application/manifest+json"
        default: nil
        }
    }
}
