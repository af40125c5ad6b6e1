// An item's texts as a search sees them: lower case, without diacritics. Menu makes one of each item when it is loaded, so that a
// search as you type folds only what was typed. Next: Folding.swift.

struct SearchText: Sendable {
    /// What the title sorts by: the folded title in UTF-8, cut to `MenuPlace.longestText` bytes.
    let titleKey: [UInt8]
    /// Title, description and tags; no word reaches over a line's end.
    private let text: String
    private let tags: [String]

    init(_ item: any MenuItem) {
        let title = item.title.folded
        titleKey = Array(title.utf8.prefix(MenuPlace.longestText))
        tags = item.tags.map(\.folded)
        text = ([title, item.description.folded] + tags).joined(separator: "\n")
    }

    /// Whether each of the folded words stands somewhere, as a whole word or inside one.
    func holds(_ words: [String]) -> Bool {
        words.allSatisfy { text.contains($0) }
    }

    func holds(tag: String) -> Bool { tags.contains(tag) }
}
