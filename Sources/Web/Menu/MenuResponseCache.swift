// Caches the encoded responses of the newest menu, per language, from the first request on. Encodes again when the
// menu changes or its validity ends. Reports the menu's age while the database is unavailable.
import HTTPServing
import HTTPTypes
import Ordering
import Shop
import Synchronization

final class MenuResponseCache: Sendable {
    private let menu: CurrentMenu
    /// At most one entry per language.
    private let responses = Mutex<[LanguageTag: MenuResponses]>([:])

    init(_ menu: CurrentMenu) { self.menu = menu }

    /// The responses of the newest menu in the client's language. `stale` is the menu's age if it could not be
    /// refreshed, otherwise nil. Throws 503 `database_unavailable` until the menu has been loaded for the first time.
    func newest(for request: Request) throws(Problem) -> (answers: MenuResponses, stale: Duration?) {
        guard let current = menu.current else { throw Problem.menuUnavailable }
        let (now, language) = (current.menu, request.language(of: current.languages))
        let answers = responses.withLock { answers in
            if let kept = answers[language], kept.isCurrent(for: now) { return kept }
            // Encoded under the lock, so that concurrent requests do not encode the same change repeatedly.
            let fresh = MenuResponses(menu.menu(now, in: language))
            answers = answers.filter { $1.isCurrent(for: now) }
            answers[language] = fresh
            return fresh
        }
        return (answers, current.isStale ? current.age : nil)
    }
}

extension Problem {
    /// The menu has never been loaded: the database has been unavailable since the start.
    static let menuUnavailable = Problem(
        .serviceUnavailable, "database_unavailable",
        "The menu can’t be loaded at the moment. Please try again in a few seconds.",
        headers: [.retryAfter: "2"])
}
