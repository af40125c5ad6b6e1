// Menu reads with a fallback: while the server does not answer, the cached menu is returned.
import FoundationEssentials

extension StorefrontClient {
    func readMenu<Body: Decodable & Sendable>(_ path: String) async throws(StorefrontError) -> MenuResponse<Body> {
        let key = ResponseCache.Key(path: path)
        // An entry of a file from another client version may not decode. It then counts as missing.
        guard let known = menuCache[key], let knownBody = try? IncomingResponse.decode(known.body, as: Body.self) else {
            return try await menuAnswer(try await transport.read(key, known: nil), as: key)
        }
        do throws(StorefrontError) {
            return try await menuAnswer(
                try await transport.read(
                    key, known: known, .never, attemptTimeout: transport.configuration.cachedMenuTimeout), as: key)
        } catch {
            guard error.isTransient || error.isUnexpectedResponse else { throw error }
            return MenuResponse(body: knownBody, freshness: .stale(since: Date(secondsSince1970: known.confirmedAt)))
        }
    }

    /// Decodes the menu, then caches and saves it. Decodes first, because a proxy's login page must not replace the
    /// last valid menu.
    private func menuAnswer<Body: Decodable & Sendable>(
        _ reading: Transport.ReadResult, as key: ResponseCache.Key
    ) async throws(StorefrontError) -> MenuResponse<Body> {
        let body = try IncomingResponse.decode(reading.body, as: Body.self)
        if let answer = reading.answer { menuCache.store(answer, for: key) }
        await menuFile?.save(menuCache)
        return MenuResponse(body: body, freshness: Self.freshness(reading))
    }

    /// The age according to the server's `Menu-Stale` header.
    private static func freshness(_ reading: Transport.ReadResult) -> Freshness {
        guard reading.headers.contains(name: "Menu-Stale") else { return .fresh }
        return .stale(since: Date(secondsSince1970: Transport.confirmationTime(reading.headers)))
    }
}

extension StorefrontError {
    /// Whether the response did not come from the server. The server's own rejections are problems.
    fileprivate var isUnexpectedResponse: Bool { if case .unexpectedResponse = self { true } else { false } }
}

extension Date {
    fileprivate init(secondsSince1970 seconds: Int64) {
        self.init(timeIntervalSince1970: TimeInterval(seconds))
    }
}
