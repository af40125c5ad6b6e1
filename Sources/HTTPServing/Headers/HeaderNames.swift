// Header names that swift-http-types lacks, constant headers, and a helper for Vary.
import HTTPTypes

extension HTTPField.Name {
    /// X-Request-Id: the request's id, in every response.
    package static let requestID = custom("X-Request-Id")
    /// Last-Event-ID: the last event that an event-stream client received (HTML standard, section 9.2.4).
    package static let lastEventID = custom("Last-Event-ID")
    /// Idempotency-Key: the client's key for one attempt.
    package static let idempotencyKey = custom("Idempotency-Key")
    /// Idempotency-Replayed: the response repeats that of an earlier request with the same key.
    package static let idempotencyReplayed = custom("Idempotency-Replayed")
    /// traceparent: the caller's trace (W3C Trace Context).
    package static let traceparent = custom("traceparent")
    /// X-Forwarded-For: the client address that each proxy saw, the last proxy's entry at the end.
    package static let xForwardedFor = custom("X-Forwarded-For")
    /// RateLimit: what remains of a limit (draft-ietf-httpapi-ratelimit-headers).
    package static let rateLimit = custom("RateLimit")
    /// RateLimit-Policy: the limit itself.
    package static let rateLimitPolicy = custom("RateLimit-Policy")

    /// A name that is not in swift-http-types. It must be a token.
    package static func custom(_ name: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(name)") else { preconditionFailure("A header name must be a token") }
        return name
    }
}

extension HTTPFields {
    /// Returns a header's value like the subscript. The subscript builds a new string even for a single value, which
    /// costs 0.5 µs.
    package func value(of name: HTTPField.Name) -> String? {
        guard let index = firstIndex(where: { $0.name == name }) else { return nil }
        return self[self.index(after: index)...].contains { $0.name == name } ? self[name] : self[index].value
    }

    /// Adds a request header to Vary.
    package mutating func vary(by name: HTTPField.Name) {
        self[.vary] = value(of: .vary).map { "\($0), \(name.rawName)" } ?? name.rawName
    }
}

/// Built once, because every response carries some of them.
extension HTTPField {
    static let jsonContentType = HTTPField(name: .contentType, value: "application/json")
    static let noStore = HTTPField(name: .cacheControl, value: "no-store")
    static let noSniff = HTTPField(name: .xContentTypeOptions, value: "nosniff")
    static let denyAllContentSecurityPolicy = HTTPField(
        name: .contentSecurityPolicy, value: "default-src 'none'; frame-ancestors 'none'")
}
