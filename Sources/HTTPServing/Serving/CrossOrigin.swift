// Lets pages of the configured origins use the API (Fetch standard, section 3.2). There are no cookies: pages
// authenticate with tokens that they send themselves. Hummingbird's CORSMiddleware lists the exposed headers only for
// OPTIONS, where browsers ignore them.
import HTTPTypes

/// The origins whose pages may read the responses.
package struct CrossOrigin: Sendable {
    private let origins: Set<String>
    /// The response headers that pages may read.
    private var exposedHeaders = [
        HTTPField.Name.eTag, .idempotencyReplayed, .location, .rateLimit, .rateLimitPolicy, .retryAfter, .requestID,
    ].map(\.rawName)
    private var exposedHeaderList: String

    private init(origins: Set<String>) {
        self.origins = origins
        exposedHeaderList = exposedHeaders.joined(separator: ", ")
    }

    package struct InvalidOrigin: Error, CustomStringConvertible {
        package let description: String
    }

    /// Parses exact origins, such as `https://app.example` or `http://localhost:3000`. Nil for an empty list, which
    /// permits no other origin.
    package static func parse(_ origins: [String]) -> Result<CrossOrigin?, InvalidOrigin> {
        for origin in origins where !isOrigin(origin) {
            return .failure(
                InvalidOrigin(
                    description: """
                        "\(origin)" is not an origin: give scheme and host as browsers do, \
                        such as https://app.example, without a path or *
                        """
                ))
        }
        return .success(origins.isEmpty ? nil : CrossOrigin(origins: Set(origins)))
    }

    /// The form that browsers send (RFC 6454, section 6.2): lowercase, without a trailing slash or default port.
    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let host = text.dropFirst(scheme.count)
        let defaultPort = scheme == "https://" ? ":443" : ":80"
        return !host.isEmpty && text.utf8.count <= 300 && !host.hasSuffix(defaultPort)
            && host.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || ".-:[]".utf8.contains($0)
            }
    }

    /// The same origins, whose pages may read these headers too.
    package func exposing(_ names: [HTTPField.Name]) -> CrossOrigin {
        var copy = self
        copy.exposedHeaders = (exposedHeaders + names.map(\.rawName)).sorted()
        copy.exposedHeaderList = copy.exposedHeaders.joined(separator: ", ")
        return copy
    }

    private func allowed(_ request: Request) -> String? {
        request.headers[.origin].flatMap { origins.contains($0) ? $0 : nil }
    }

    /// The response to a preflight request; nil for other requests and unknown origins.
    func preflight(_ request: Request, allow: String) -> Response? {
        guard request.method == .options, request.headers[.accessControlRequestMethod] != nil, allowed(request) != nil
        else { return nil }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: allow,
                .accessControlAllowHeaders:
                    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, traceparent",
                // Chromium caches a preflight response for at most two hours.
                .accessControlMaxAge: "7200",
            ])
    }

    /// Permits the origin to read the response. Every response varies by Origin, because a shared cache may serve it
    /// to other origins.
    func addHeaders(to response: inout Response, for request: Request) {
        response.headers.vary(by: .origin)
        guard let origin = allowed(request) else { return }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = exposedHeaderList
    }
}
