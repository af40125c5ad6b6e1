// The words of the menu, for searches that would find nothing because of a typing error. Menu makes it when it is loaded, MenuQuery asks.
// Next: MistypedWord.swift.

/// A word of a search.
enum SearchedWord {
    /// It stands on the menu: found where it stands, in a word or as one.
    case standing(String)
    /// It stands nowhere: found where something like it does.
    case near(Set<MenuItemID>)
}

/// Each word that the items have, and who has it.
struct MenuWords: Sendable {
    private struct Word {
        let letters: [UInt32]
        var inTitles: [MenuItemID] = []
        var inDescriptions: [MenuItemID] = []
    }
    private let words: [Word]

    init(_ texts: some Sequence<(MenuItemID, SearchText)>) {
        var words: [String: Word] = [:]
        for (id, text) in texts {
            for word in Set(text.titleWords) { words[word, default: Word(letters: word.unicodeScalars.map(\.value))].inTitles.append(id) }
            for word in Set(text.descriptionWords) {
                words[word, default: Word(letters: word.unicodeScalars.map(\.value))].inDescriptions.append(id)
            }
        }
        self.words = Array(words.values)
    }

    /// The items that a mistyped word may have meant: those nearest to it.
    ///
    /// Fewer errors are nearer than more, any error in a title or a tag is nearer than one in a description, and words that only end alike
    /// (hamburger, cheeseburger) come last. Nobody who types a word right meets this: it is asked for words that stand nowhere.
    func near(_ typed: String) -> Set<MenuItemID> {
        guard let typed = MistypedWord(typed) else { return [] }
        var found = [Set<MenuItemID>](repeating: [], count: 6)
        for word in words {
            if let errors = typed.errors(in: word.letters) {
                let rank = max(errors, 1) - 1
                found[rank].formUnion(word.inTitles)
                if !typed.isShort { found[rank + 2].formUnion(word.inDescriptions) }
            } else if typed.endsLike(word.letters) {
                found[4].formUnion(word.inTitles)
                found[5].formUnion(word.inDescriptions)
            }
        }
        return found.first { !$0.isEmpty } ?? []
    }
}
