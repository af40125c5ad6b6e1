// The words of the menu, for searches that would find nothing because of a typing error.

/// A resolved word of a search.
enum SearchTerm {
    /// The word appears on the menu, as a word or inside one, and matches where it appears.
    case exact(String)
    /// The word does not appear on the menu; it matches these items, which contain similar words.
    case similar(Set<MenuItemID>)
}

/// Every word of the items, with the items that contain it.
struct MenuVocabulary: Sendable {
    private struct Word {
        let letters: [UInt32]
        var inTitles: [MenuItemID] = []
        var inDescriptions: [MenuItemID] = []
    }
    private let words: [Word]

    init(_ texts: some Sequence<(MenuItemID, SearchText)>) {
        var words: [String: Word] = [:]
        for (id, text) in texts {
            for word in Set(text.titleWords) {
                words[word, default: Word(letters: word.unicodeScalars.map(\.value))].inTitles.append(id)
            }
            for word in Set(text.descriptionWords) {
                words[word, default: Word(letters: word.unicodeScalars.map(\.value))].inDescriptions.append(id)
            }
        }
        self.words = Array(words.values)
    }

    /// The items with the words that are most similar to a mistyped word.
    ///
    /// Fewer errors rank first. Any match in a title or a tag ranks before one in a description, and words that share
    /// only the ending (hamburger, cheeseburger) rank last. Only used for words that do not appear on the menu.
    func items(similarTo typed: String) -> Set<MenuItemID> {
        guard let matcher = FuzzyMatcher(typed) else { return [] }
        var found = [Set<MenuItemID>](repeating: [], count: 6)
        for word in words {
            if let errors = matcher.errorCount(in: word.letters) {
                let rank = max(errors, 1) - 1
                found[rank].formUnion(word.inTitles)
                if !matcher.isShort { found[rank + 2].formUnion(word.inDescriptions) }
            } else if matcher.sharesEnding(with: word.letters) {
                found[4].formUnion(word.inTitles)
                found[5].formUnion(word.inDescriptions)
            }
        }
        return found.first { !$0.isEmpty } ?? []
    }
}
