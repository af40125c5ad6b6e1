// Conditional reads: an unchanged resource costs a 304 without a body.
import FoundationEssentials
import NIOHTTP1

extension Exchange {
    struct Reading {
        let body: [UInt8]
        let headers: HTTPHeaders
        /// The response for the cache, to be stored after the body is decoded; nil if it has no ETag.
        let answer: RememberedAnswer?
    }

    func read<Body: Decodable>(_ path: String, token: String? = nil, as _: Body.Type = Body.self) async throws(StorefrontError) -> Body {
        let key = RememberedAnswers.Key(path: path, token: token)
        let reading = try await read(key, known: remembered[key])
        // Decodes before it caches, because a proxy's page may also have an ETag.
        let body = try Incoming.decode(reading.body, as: Body.self)
        if let answer = reading.answer { remembered.keep(answer, as: key) }
        return body
    }

    /// Reads a resource without caching it.
    /// - Parameter known: The cached response for `If-None-Match`.
    func read(
        _ key: RememberedAnswers.Key, known: RememberedAnswer?, _ repeats: Repeats = .always, attemptTimeout: Duration? = nil
    ) async throws(StorefrontError) -> Reading {
        var outgoing = Outgoing(.GET, key.path, repeats)
        outgoing.authorize(key.token)
        if let known { outgoing.headers.append(("If-None-Match", known.tag)) }
        let incoming = try await send(outgoing, attemptTimeout: attemptTimeout)
        guard incoming.status == 304 else {
            return Reading(body: incoming.body, headers: incoming.headers, answer: Self.answer(incoming))
        }
        guard let known else { throw .undecodable(status: 304, reason: "304 without If-None-Match") }
        let answer = RememberedAnswer(tag: known.tag, body: known.body, confirmedAt: Self.confirmation(incoming.headers))
        return Reading(body: known.body, headers: incoming.headers, answer: answer)
    }

    /// Returns the response for the cache, or nil if it has no ETag.
    static func answer(_ incoming: Incoming) -> RememberedAnswer? {
        guard let tag = incoming.headers.first(name: "ETag"), incoming.status < 300 else { return nil }
        return RememberedAnswer(tag: tag, body: incoming.body, confirmedAt: confirmation(incoming.headers))
    }

    /// The time up to which a response is known to be valid, in seconds since 1970. It is in the past if the server
    /// itself could not read the menu.
    static func confirmation(_ headers: HTTPHeaders) -> Int64 {
        let staleSeconds = headers.first(name: "Menu-Stale").flatMap { Int64($0) } ?? 0
        let now = Int64(Date.now.timeIntervalSince1970)
        return now - min(max(staleSeconds, 0), now)
    }
}
