// Reads of the menu: from the server, or while it is away from what was read before, by this run or by the one that wrote the file.
// Called by StorefrontClient+Menu.swift. Read next: MenuFile.swift.

import FoundationEssentials

extension StorefrontClient {
    /// Reads a path of the menu as this body.
    func readMenu<Body: Decodable & Sendable>(_ path: String) async throws(StorefrontError) -> MenuAnswer<Body> {
        let key = RememberedAnswers.Key(path: path, isMenu: true)
        // What can't be read (another version of this library wrote the file) is as good as nothing.
        guard let known = remembered[key], let knownBody = try? Self.decode(known.body, as: Body.self) else {
            let reading = try await read(key, known: nil)
            await menuFile?.save(remembered)
            return MenuAnswer(body: try Self.decode(reading.body), freshness: Self.freshness(reading))
        }
        do throws(StorefrontError) {
            let reading = try await read(key, known: known, .never, attemptTimeout: configuration.menuPatience)
            await menuFile?.save(remembered)
            return MenuAnswer(body: try Self.decode(reading.body), freshness: Self.freshness(reading))
        } catch {
            guard error.isPassing else { throw error }
            return MenuAnswer(body: knownBody, freshness: .stale(since: Date(secondsSince1970: known.confirmedAt)))
        }
    }

    /// The server says itself for how long it could not read the menu.
    private static func freshness(_ reading: Reading) -> Freshness {
        guard reading.headers.contains(name: "Menu-Stale") else { return .fresh }
        return .stale(since: Date(secondsSince1970: confirmation(reading.headers)))
    }
}

extension Date {
    fileprivate init(secondsSince1970 seconds: Int64) {
        self.init(timeIntervalSince1970: TimeInterval(seconds))
    }
}
