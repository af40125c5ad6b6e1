// Where the answers of the newest menu lie ready, for each of the shop's languages from the first request for it on. Asked by MenuRoutes for each
// request; it encodes anew when CurrentMenu holds another menu or the time has come at which it reads otherwise, and says how old that is while
// the database is away. Read next: MenuAnswers.swift.
import HTTPTypes
import Ordering
import Shop
import Synchronization

final class MenuAnswerCache: Sendable {
    private let menu: CurrentMenu
    /// One for each language at most.
    private let answers = Mutex<[LanguageTag: MenuAnswers]>([:])

    init(_ menu: CurrentMenu) { self.menu = menu }

    /// The answers of the newest menu in the client's language, and for how long it could not be read anew; nil while all is well.
    /// Throws 503 `database_unavailable` until the menu was read for the first time.
    func newest(for request: Request) throws(Problem) -> (answers: MenuAnswers, stale: Duration?) {
        guard let current = menu.current else { throw Problem.menuUnavailable }
        let (now, language) = (current.menu, request.language(of: current.languages))
        let answers = answers.withLock { answers in
            if let kept = answers[language], kept.hold(for: now) { return kept }
            // Under the lock, so that a change is encoded once and not by everyone who asks at that moment.
            let fresh = MenuAnswers(menu.menu(now, in: language))
            answers = answers.filter { $1.hold(for: now) }
            answers[language] = fresh
            return fresh
        }
        return (answers, current.isStale ? current.age : nil)
    }
}

extension Problem {
    /// The menu was not read yet: the database has been away since the start.
    static let menuUnavailable = Problem(
        .serviceUnavailable, "database_unavailable", "The menu can’t be loaded at the moment. Please try again in a few seconds.",
        headers: [.retryAfter: "2"])
}
