// Menu reads with a fallback: while the server does not answer, the cached menu is returned.
import FoundationEssentials

extension StorefrontClient {
    func readMenu<Body: Decodable & Sendable>(_ path: String) async throws(StorefrontError) -> MenuAnswer<Body> {
        let key = RememberedAnswers.Key(path: path)
        // An entry that can't be decoded, from another version's file, counts as missing.
        guard let known = rememberedMenu[key], let knownBody = try? Incoming.decode(known.body, as: Body.self) else {
            return try await menuAnswer(try await exchange.read(key, known: nil), as: key)
        }
        do throws(StorefrontError) {
            return try await menuAnswer(
                try await exchange.read(key, known: known, .never, attemptTimeout: exchange.configuration.menuPatience), as: key)
        } catch {
            guard error.isPassing || error.isUnexpectedResponse else { throw error }
            return MenuAnswer(body: knownBody, freshness: .stale(since: Date(secondsSince1970: known.confirmedAt)))
        }
    }

    /// Decodes the menu, then caches and saves it. A proxy's page must not replace the last valid menu.
    private func menuAnswer<Body: Decodable & Sendable>(
        _ reading: Exchange.Reading, as key: RememberedAnswers.Key
    ) async throws(StorefrontError) -> MenuAnswer<Body> {
        let body = try Incoming.decode(reading.body, as: Body.self)
        if let answer = reading.answer { rememberedMenu.keep(answer, as: key) }
        await menuFile?.save(rememberedMenu)
        return MenuAnswer(body: body, freshness: Self.freshness(reading))
    }

    /// The age according to the server's `Menu-Stale` header.
    private static func freshness(_ reading: Exchange.Reading) -> Freshness {
        guard reading.headers.contains(name: "Menu-Stale") else { return .fresh }
        return .stale(since: Date(secondsSince1970: Exchange.confirmation(reading.headers)))
    }
}

extension StorefrontError {
    /// Whether the response did not come from the server. The server's own rejections are problems.
    fileprivate var isUnexpectedResponse: Bool { if case .undecodable = self { true } else { false } }
}

extension Date {
    fileprivate init(secondsSince1970 seconds: Int64) {
        self.init(timeIntervalSince1970: TimeInterval(seconds))
    }
}
