// The pages: the storefront at `/`, the staff's at `/staff`, and their files below `/assets/`, all of Sources/Web/Storefront. A browser loads
// them and then talks to the API like any other client. All are read at the start and lie ready; no path from outside ever reaches the
// file system.

import Database
import Foundation
import HTTPTypes

/// The routes of the pages. They stand below no version, and are no part of the API's description.
struct StorefrontPage: Routes {
    /// What a page may do: run our own scripts and talk to us. Nothing inline, nothing from elsewhere but the pictures that the menu names,
    /// no text that is made into mark-up (Content Security Policy Level 3; Trusted Types), and nobody may frame it.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
        frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """

    private let page: EncodedAnswer
    private let staffPage: EncodedAnswer
    private let assets: [String: EncodedAnswer]

    /// Reads the files; throws if they don't lie beside the program. Without a staff token, the staff's page says how to set one.
    init(hasStaffToken: Bool) throws(Resources.Missing) {
        let root = Bundle.module.bundlePath + "/Storefront"
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: root) else { throw Resources.Missing(path: root) }
        var pages: [String: EncodedAnswer] = [:]
        var assets: [String: EncodedAnswer] = [:]
        for name in names {
            guard let type = Self.contentType(of: name) else { continue }
            let bytes = try Resources.bytes(of: root + "/" + name)
            if name.hasSuffix(".html") {
                pages[name] = EncodedAnswer(bytes, contentType: type, headers: Self.pageHeaders)
            } else {
                // Their names carry no version, so they are asked for each time: a page never runs half old and half new scripts.
                assets[name] = EncodedAnswer(bytes, contentType: type)
            }
        }
        func page(_ name: String) throws(Resources.Missing) -> EncodedAnswer {
            guard let page = pages[name] else { throw Resources.Missing(path: root + "/" + name) }
            return page
        }
        self.page = try page("index.html")
        staffPage = try page(hasStaffToken ? "staff.html" : "staff-closed.html")
        self.assets = assets
    }

    /// Adds the routes to the table.
    func add(to routes: inout RouteTable) {
        routes.get("/", "The storefront page") { request, _ in page.response(to: request) }
        routes.get("/staff", "The staff's page") { request, _ in staffPage.response(to: request) }
        routes.get("/assets/{file}", "A file of the storefront page") { request, context in
            try asset(context.path("file"), request)
        }
        routes.get("/assets/{folder}/{file}", "A file of the storefront page") { request, context in
            try asset(context.path("folder") + "/" + context.path("file"), request)
        }
    }

    private func asset(_ name: String, _ request: Request) throws(Problem) -> Response {
        guard let answer = assets[name] else { throw .notFound }
        return answer.response(to: request)
    }

    /// On the 304 too: what it carries replaces what the browser has kept (RFC 9111, section 4.3.4).
    private static var pageHeaders: HTTPFields {
        var headers: HTTPFields = [.contentSecurityPolicy: policy]
        if let referrerPolicy = HTTPField.Name("Referrer-Policy") { headers[referrerPolicy] = "no-referrer" }
        return headers
    }

    /// Nil for what is no part of the page.
    private static func contentType(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: nil
        }
    }
}
