// The folded texts of an item. They are folded when the menu is loaded, so that a search only folds what was typed.

struct SearchText: Sendable {
    /// The key by which titles are sorted: the folded title in UTF-8, cut to `MenuSortKey.maximumTextLength` bytes.
    let titleKey: [UInt8]
    /// The words of title and tags.
    let titleWords: [String]
    /// The words of the description.
    let descriptionWords: [String]
    /// Title, description and tags, separated by line breaks so that no word spans two of them.
    private let text: String
    private let tags: [String]

    init(_ item: any MenuItem) {
        let title = item.title.folded
        let description = item.description.folded
        titleKey = Array(title.utf8.prefix(MenuSortKey.maximumTextLength))
        tags = item.tags.map(\.folded)
        text = ([title, description] + tags).joined(separator: "\n")
        titleWords = ([title] + tags).flatMap(\.words)
        descriptionWords = description.words
    }

    /// Whether the folded word appears as a whole word or inside one.
    func contains(_ word: String) -> Bool { text.contains(word) }

    func contains(tag: String) -> Bool { tags.contains(tag) }
}

extension String {
    /// The runs of letters, marks and digits.
    var words: [String] {
        unicodeScalars.split { scalar in
            if scalar.isASCII {
                return !("a"..."z").contains(scalar) && !("0"..."9").contains(scalar) && !("A"..."Z").contains(scalar)
            }
            return switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
                .spacingMark,
                .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
                false
            default: true
            }
        }.map { String($0) }
    }
}
