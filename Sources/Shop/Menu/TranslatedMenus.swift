// Caches the menu in the shop's other languages. A translation is made on demand and kept until the menu changes,
// because it costs as much as loading a menu.
import Ordering
import Synchronization

/// The translations of one revision, at most two per language.
final class TranslatedMenus: Sendable {
    private struct Key: Hashable {
        let language: LanguageTag
        /// Baskets show stock levels. Checkouts don't, because they read newer ones.
        let isCounted: Bool
    }
    private struct State {
        var revision: Int64?
        var menus: [Key: Menu] = [:]
    }

    private let state = Mutex(State())

    /// The menu in a language; unchanged for nil or a language that the shop does not have.
    func menu(_ menu: Menu, in language: LanguageTag?) -> Menu {
        guard let language, language != menu.language, menu.languages.all.contains(language) else { return menu }
        // Under the lock, so that concurrent requests make one translation.
        return state.withLock { state in
            if state.revision != menu.revision { state = State(revision: menu.revision) }
            let key = Key(language: language, isCounted: !menu.stock.isUntracked)
            if let known = state.menus[key], known.stock == menu.stock { return known.evaluated(at: menu.moment) }
            let translation = (state.menus[key]?.evaluated(at: menu.moment) ?? menu.translated(into: language))
                .withStock(menu.stock)
            state.menus[key] = translation
            return translation
        }
    }
}
