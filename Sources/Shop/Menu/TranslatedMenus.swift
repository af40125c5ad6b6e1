// The menu in the shop's other languages: each is made when somebody first asks for it and kept until the menu changes, for it costs as much as
// loading one. Kept by CurrentMenu. Read next: Sources/Ordering/Menu/Translations/ShopLanguages.swift.
import Ordering
import Synchronization

/// One revision's, at most two for each language of the shop.
final class TranslatedMenus: Sendable {
    private struct Key: Hashable {
        let language: LanguageTag
        /// Baskets look at what is left; checkouts, which know it better, don't.
        let isCounted: Bool
    }
    private struct State {
        var revision: Int64?
        var menus: [Key: Menu] = [:]
    }

    private let state = Mutex(State())

    /// The menu in a language; as it is where that is not one of the shop's, or nil.
    func menu(_ menu: Menu, in language: LanguageTag?) -> Menu {
        guard let language, language != menu.language, menu.languages.all.contains(language) else { return menu }
        // Under the lock, so that it is made once and not by everyone who asks at that moment.
        return state.withLock { state in
            if state.revision != menu.revision { state = State(revision: menu.revision) }
            let key = Key(language: language, isCounted: !menu.stock.isUntracked)
            if let known = state.menus[key], known.stock == menu.stock { return known.at(menu.moment) }
            let made = (state.menus[key]?.at(menu.moment) ?? menu.translated(into: language)).stocked(menu.stock)
            state.menus[key] = made
            return made
        }
    }
}
