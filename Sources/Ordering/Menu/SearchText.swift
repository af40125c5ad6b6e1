// An item's texts as a search sees them: lower case, without diacritics. Menu makes one of each item when it is loaded, so that a
// search as you type folds only what was typed. Next: Folding.swift; MenuWords.swift for words that stand nowhere.

struct SearchText: Sendable {
    /// What the title sorts by: the folded title in UTF-8, cut to `MenuPlace.longestText` bytes.
    let titleKey: [UInt8]
    /// The words of title and tags.
    let titleWords: [String]
    /// The words of the description.
    let descriptionWords: [String]
    /// Title, description and tags; no word reaches over a line's end.
    private let text: String
    private let tags: [String]

    init(_ item: any MenuItem) {
        let title = item.title.folded
        let description = item.description.folded
        titleKey = Array(title.utf8.prefix(MenuPlace.longestText))
        tags = item.tags.map(\.folded)
        text = ([title, description] + tags).joined(separator: "\n")
        titleWords = ([title] + tags).flatMap(\.words)
        descriptionWords = description.words
    }

    /// Whether the folded word stands somewhere, as a whole word or inside one.
    func holds(_ word: String) -> Bool { text.contains(word) }

    func holds(tag: String) -> Bool { tags.contains(tag) }
}

extension String {
    /// The runs of letters, marks and digits.
    var words: [String] {
        unicodeScalars.split { scalar in
            if scalar.isASCII { return !("a"..."z").contains(scalar) && !("0"..."9").contains(scalar) && !("A"..."Z").contains(scalar) }
            return switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
                .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
                false
            default: true
            }
        }.map { String($0) }
    }
}
