// Conditional reads: an unchanged resource costs a 304 without a body.
import FoundationEssentials
import NIOHTTP1

extension Transport {
    struct ReadResult {
        let body: [UInt8]
        let headers: HTTPHeaders
        /// The response for the cache, to be stored after the body is decoded; nil if it has no ETag.
        let answer: CachedResponse?
    }

    func read<Body: Decodable>(_ path: String, token: String? = nil, as _: Body.Type = Body.self)
        async throws(StorefrontError) -> Body
    {
        let key = ResponseCache.Key(path: path, token: token)
        let reading = try await read(key, known: cache[key])
        // Decodes before it caches, because a proxy's login page may also have an ETag.
        let body = try IncomingResponse.decode(reading.body, as: Body.self)
        if let answer = reading.answer { cache.store(answer, for: key) }
        return body
    }

    /// Reads a resource without caching it.
    /// - Parameter known: The cached response for `If-None-Match`.
    func read(
        _ key: ResponseCache.Key, known: CachedResponse?, _ repeats: RetryPolicy = .always,
        attemptTimeout: Duration? = nil
    ) async throws(StorefrontError) -> ReadResult {
        var outgoing = OutgoingRequest(.GET, key.path, repeats)
        outgoing.authorise(key.token)
        if let known { outgoing.headers.append(("If-None-Match", known.tag)) }
        let incoming = try await send(outgoing, attemptTimeout: attemptTimeout)
        guard incoming.status == 304 else {
            return ReadResult(body: incoming.body, headers: incoming.headers, answer: Self.cacheableResponse(incoming))
        }
        guard let known else { throw .unexpectedResponse(status: 304, reason: "304 without If-None-Match") }
        let answer = CachedResponse(
            tag: known.tag, body: known.body, confirmedAt: Self.confirmationTime(incoming.headers))
        return ReadResult(body: known.body, headers: incoming.headers, answer: answer)
    }

    /// Returns the response for the cache, or nil if it has no ETag.
    static func cacheableResponse(_ incoming: IncomingResponse) -> CachedResponse? {
        guard let tag = incoming.headers.first(name: "ETag"), incoming.status < 300 else { return nil }
        return CachedResponse(tag: tag, body: incoming.body, confirmedAt: confirmationTime(incoming.headers))
    }

    /// The time up to which a response is known to be valid, in seconds since 1970. It is in the past if the server
    /// itself could not read the menu.
    static func confirmationTime(_ headers: HTTPHeaders) -> Int64 {
        let staleSeconds = headers.first(name: "Menu-Stale").flatMap { Int64($0) } ?? 0
        let now = Int64(Date.now.timeIntervalSince1970)
        return now - min(max(staleSeconds, 0), now)
    }
}
