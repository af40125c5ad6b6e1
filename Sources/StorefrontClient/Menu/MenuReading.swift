// Reads of the menu: from the server, or while it is away, or somebody else answers in its place, from what was read before, by this run or by the
// one that wrote the file. Called by StorefrontClient+Menu.swift. Read next: Remembered/MenuFile.swift.
import FoundationEssentials

extension StorefrontClient {
    func readMenu<Body: Decodable & Sendable>(_ path: String) async throws(StorefrontError) -> MenuAnswer<Body> {
        let key = RememberedAnswers.Key(path: path)
        // What can't be read (another version of this library wrote the file) is as good as nothing.
        guard let known = rememberedMenu[key], let knownBody = try? Incoming.decode(known.body, as: Body.self) else {
            return try await menuAnswer(try await exchange.read(key, known: nil), as: key)
        }
        do throws(StorefrontError) {
            return try await menuAnswer(
                try await exchange.read(key, known: known, .never, attemptTimeout: exchange.configuration.menuPatience), as: key)
        } catch {
            guard error.isPassing || error.isForeign else { throw error }
            return MenuAnswer(body: knownBody, freshness: .stale(since: Date(secondsSince1970: known.confirmedAt)))
        }
    }

    /// What was read, remembered and saved if it is of the menu: somebody else's page must not take the place of the last good one.
    private func menuAnswer<Body: Decodable & Sendable>(
        _ reading: Exchange.Reading, as key: RememberedAnswers.Key
    ) async throws(StorefrontError) -> MenuAnswer<Body> {
        let body = try Incoming.decode(reading.body, as: Body.self)
        if let answer = reading.answer { rememberedMenu.keep(answer, as: key) }
        await menuFile?.save(rememberedMenu)
        return MenuAnswer(body: body, freshness: Self.freshness(reading))
    }

    /// The server says itself for how long it could not read the menu.
    private static func freshness(_ reading: Exchange.Reading) -> Freshness {
        guard reading.headers.contains(name: "Menu-Stale") else { return .fresh }
        return .stale(since: Date(secondsSince1970: Exchange.confirmation(reading.headers)))
    }
}

extension StorefrontError {
    /// Whether the answer is none of the server's: what the server itself refuses is a problem.
    fileprivate var isForeign: Bool { if case .undecodable = self { true } else { false } }
}

extension Date {
    fileprivate init(secondsSince1970 seconds: Int64) {
        self.init(timeIntervalSince1970: TimeInterval(seconds))
    }
}
