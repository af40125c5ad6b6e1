// Reads: asked for with the ETag of what is remembered, so that what has not changed costs a 304 without a body.
// Called by the features' functions; the menu's reads go on in Menu/MenuReading.swift.
import FoundationEssentials
import NIOHTTP1

extension Exchange {
    struct Reading {
        let body: [UInt8]
        let headers: HTTPHeaders
        /// To be remembered, once the body has proved to be what was asked for; nil if it has no tag.
        let answer: RememberedAnswer?
    }

    func read<Body: Decodable>(_ path: String, token: String? = nil, as _: Body.Type = Body.self) async throws(StorefrontError) -> Body {
        let key = RememberedAnswers.Key(path: path, token: token)
        let reading = try await read(key, known: remembered[key])
        // Before it is remembered: a page of somebody else's may have a tag too.
        let body = try Incoming.decode(reading.body, as: Body.self)
        if let answer = reading.answer { remembered.keep(answer, as: key) }
        return body
    }

    /// Reads what the key names. Nothing is remembered yet.
    /// - Parameter known: What the server may say is unchanged.
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
        guard let known else { throw .undecodable(status: 304, reason: "unchanged, where nothing was known") }
        let answer = RememberedAnswer(tag: known.tag, body: known.body, confirmedAt: Self.confirmation(incoming.headers))
        return Reading(body: known.body, headers: incoming.headers, answer: answer)
    }

    /// What can be remembered of an answer: one that has a tag.
    static func answer(_ incoming: Incoming) -> RememberedAnswer? {
        guard let tag = incoming.headers.first(name: "ETag"), incoming.status < 300 else { return nil }
        return RememberedAnswer(tag: tag, body: incoming.body, confirmedAt: confirmation(incoming.headers))
    }

    /// Up to when an answer is known to hold, seconds since 1970: now, or before if the server itself could not read the menu since then.
    static func confirmation(_ headers: HTTPHeaders) -> Int64 {
        let stale = headers.first(name: "Menu-Stale").flatMap { Int64($0) } ?? 0
        let now = Int64(Date.now.timeIntervalSince1970)
        return now - min(max(stale, 0), now)
    }
}
