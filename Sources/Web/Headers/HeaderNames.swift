// The header names that swift-http-types does not list, headers that are always the same, and one that is added to.
import HTTPTypes

extension HTTPField.Name {
    /// X-Request-Id: the request's name, in every answer.
    package static let requestID = ours("X-Request-Id")
    /// Last-Event-ID: the last event an event stream's client has seen (HTML standard, section 9.2.4).
    package static let lastEventID = ours("Last-Event-ID")
    /// Idempotency-Key: the guest's name for one attempt to order.
    package static let idempotencyKey = ours("Idempotency-Key")
    /// Idempotency-Replayed: the answer is that of an earlier request with the same key.
    package static let idempotencyReplayed = ours("Idempotency-Replayed")
    /// Menu-Stale: for how many seconds the menu could not be read anew.
    package static let menuStale = ours("Menu-Stale")
    /// traceparent: the trace that the caller works on (W3C Trace Context).
    package static let traceparent = ours("traceparent")
    /// X-Forwarded-For: whom each proxy on the way had before it, the last one at the end.
    package static let xForwardedFor = ours("X-Forwarded-For")
    /// RateLimit: how much of a limit is left (draft-ietf-httpapi-ratelimit-headers).
    package static let rateLimit = ours("RateLimit")
    /// RateLimit-Policy: what the limit is.
    package static let rateLimitPolicy = ours("RateLimit-Policy")

    private static func ours(_ name: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(name)") else { preconditionFailure("a header's name is a token") }
        return name
    }
}

extension HTTPFields {
    /// What a header says, as the subscript tells it, which makes a string anew even of one that stands once: 0.5 µs.
    func value(of name: HTTPField.Name) -> String? {
        guard let index = firstIndex(where: { $0.name == name }) else { return nil }
        return self[self.index(after: index)...].contains { $0.name == name } ? self[name] : self[index].value
    }

    /// Says that the answer depends on one more header of the request.
    mutating func vary(by name: HTTPField.Name) {
        self[.vary] = value(of: .vary).map { "\($0), \(name.rawName)" } ?? name.rawName
    }
}

/// Made once, for they stand in each answer.
extension HTTPField {
    static let isJSON = HTTPField(name: .contentType, value: "application/json")
    static let isNotKept = HTTPField(name: .cacheControl, value: "no-store")
    static let isNoOtherType = HTTPField(name: .xContentTypeOptions, value: "nosniff")
    static let mayDoNothing = HTTPField(name: .contentSecurityPolicy, value: "default-src 'none'; frame-ancestors 'none'")
}
