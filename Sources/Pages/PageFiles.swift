// Loads, bundles and compresses the files of the pages at the start. No path from a request reaches the file system.
// Hummingbird's FileMiddleware reads a file from the disk for each request.
import Foundation
import HTTPServing
import HTTPTypes

/// The pages of guests and staff, and the files that they refer to.
package struct PageFiles: Sendable {
    /// The Content Security Policy of the pages (Level 3, with Trusted Types): only our own scripts, styles and API,
    /// pictures over https, one worker, no inline code, no framing.
    static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; font-src 'self'; \
        connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker
        """

    let guestPage: EncodedResponse
    let staffPage: EncodedResponse
    /// The page shown while no staff token exists: it explains how to create one.
    let closedStaffPage: EncodedResponse
    private let assets: [String: EncodedResponse]
    /// The version in the assets' paths: a digest that changes with every byte of them.
    private let version: String

    /// Loads the files; throws if they are missing.
    package init() throws(ShippedFile.Missing) {
        let root = Bundle.module.bundlePath + "/Storefront"
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: root) else {
            throw ShippedFile.Missing(path: root)
        }
        var pages: [String: [UInt8]] = [:]
        var files: [String: [UInt8]] = [:]
        for name in names where Self.contentType(of: name) != nil {
            let bytes = try ShippedFile.bytes(of: root + "/" + name)
            if name.hasSuffix(".html") { pages[name] = bytes } else { files[name] = bytes }
        }
        try Self.bundle(&files, below: root)
        let version = Self.version(of: files)
        func page(_ name: String) throws(ShippedFile.Missing) -> EncodedResponse {
            guard let bytes = pages[name] else { throw ShippedFile.Missing(path: root + "/" + name) }
            // Only the page itself is revalidated each time. It references the assets with their version, and assets
            // reference each other by relative paths.
            let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(
                of: "\"/assets/", with: "\"/assets/\(version)/")
            return EncodedResponse(
                Array(text.utf8), contentType: Self.contentType(of: name) ?? "", headers: Self.pageHeaders)
        }
        guestPage = try page("index.html")
        (staffPage, closedStaffPage) = (try page("staff.html"), try page("staff-closed.html"))
        var assets: [String: EncodedResponse] = [:]
        for (name, bytes) in files {
            assets[name] = EncodedResponse(
                bytes, contentType: Self.contentType(of: name) ?? "",
                cacheControl: "public, max-age=31536000, immutable",
                headers: name == "worker.js" ? Self.workerHeaders : [:])
        }
        (self.assets, self.version) = (assets, version)
    }

    /// Bundles each page's styles into one file, and its scripts into few.
    private static func bundle(_ files: inout [String: [UInt8]], below root: String) throws(ShippedFile.Missing) {
        func texts(_ ending: String) -> [String: String] {
            files.filter { $0.key.hasSuffix(ending) }.mapValues { String(decoding: $0, as: UTF8.self) }
        }
        let (styles, modules) = (texts(".css"), texts(".js"))
        do {
            let bundled = try StyleBundler.bundle(styles).merging(
                ScriptBundler.bundle(modules, entries: ["app.js", "staff/app.js"])
            ) { $1 }
            files = files.filter { styles[$0.key] == nil && modules[$0.key] == nil }.merging(
                bundled.mapValues { Array($0.utf8) }
            ) { $1 }
        } catch { throw ShippedFile.Missing(path: "\(root)/\(error.name)", reason: error.reason) }
    }

    /// A digest of file names and contents: 32 hexadecimal digits.
    static func version(of files: [String: [UInt8]]) -> String {
        let list = files.keys.sorted().map { name in "\(name) \(EntityTag(hashing: files[name] ?? []).opaque)\n" }
            .joined()
        return EntityTag(hashing: Array(list.utf8)).opaque
    }

    /// Returns nil for a file of another version, because modules of two versions are incompatible. The page then
    /// offers a reload.
    func asset(_ name: String, version requestedVersion: String) -> EncodedResponse? {
        requestedVersion == version ? assets[name] : nil
    }

    /// Sent with the 304 too, because its headers replace those in the browser's cache (RFC 9111, section 4.3.4).
    private static var pageHeaders: HTTPFields {
        var headers: HTTPFields = [.contentSecurityPolicy: contentSecurityPolicy]
        if let referrerPolicy = HTTPField.Name("Referrer-Policy") { headers[referrerPolicy] = "no-referrer" }
        return headers
    }

    /// The worker controls the page at `/` although it is below `/assets` (Service Workers, section 6.1), and fetches
    /// files from this server.
    private static var workerHeaders: HTTPFields {
        var headers: HTTPFields = [
            .contentSecurityPolicy: "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
        ]
        if let allowed = HTTPField.Name("Service-Worker-Allowed") { headers[allowed] = "/" }
        return headers
    }

    /// Nil for files that do not belong to the pages.
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
