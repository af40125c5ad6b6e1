// Lets the pages of other origins use the API: those that the operator names, and no others (Fetch standard, section 3.2).
// Asked by Responder, where any are named. There are no cookies: what a guest may see goes with tokens that the page sends itself.
import HTTPTypes

/// The origins whose pages may read our answers.
package struct CrossOrigin: Sendable {
    private let origins: Set<String>

    package struct NoOrigin: Error, CustomStringConvertible {
        package let description: String
    }

    /// Exact origins, such as `https://shop.example` or `http://localhost:3000`; nil for none, when nothing is allowed.
    package static func parse(_ origins: [String]) -> Result<CrossOrigin?, NoOrigin> {
        for origin in origins where !isOrigin(origin) {
            return .failure(
                NoOrigin(
                    description:
                        "\"\(origin)\" is no origin: write scheme and host as browsers do, such as https://shop.example, without a path or *"
                ))
        }
        return .success(origins.isEmpty ? nil : CrossOrigin(origins: Set(origins)))
    }

    /// As a browser sends it (RFC 6454, section 6.2): small letters, no slash at the end, no port where it is the usual one.
    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let host = text.dropFirst(scheme.count)
        let usual = scheme == "https://" ? ":443" : ":80"
        return !host.isEmpty && text.utf8.count <= 300 && !host.hasSuffix(usual)
            && host.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || ".-:[]".utf8.contains($0) }
    }

    private func allowed(_ request: Request) -> String? {
        request.headers[.origin].flatMap { origins.contains($0) ? $0 : nil }
    }

    /// The answer to a browser that asks beforehand; nil where it is none that asks, or for an origin that we don't know.
    func preflight(_ request: Request, allow: String) -> Response? {
        guard request.method == .options, request.headers[.accessControlRequestMethod] != nil, allowed(request) != nil else { return nil }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: allow,
                .accessControlAllowHeaders:
                    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, traceparent",
                // Two hours is as long as Chromium keeps it.
                .accessControlMaxAge: "7200",
            ])
    }

    /// Says on an answer who may read it. That it depends on who asks is said on every answer: a cache may keep it for another.
    func mark(_ response: inout Response, to request: Request) {
        response.headers.vary(by: .origin)
        guard let origin = allowed(request) else { return }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] =
            "ETag, Idempotency-Replayed, Location, Menu-Stale, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
    }
}
