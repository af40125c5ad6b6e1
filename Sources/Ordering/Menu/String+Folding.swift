// Folds case and diacritics for the search: "Crème" is "creme", "Ørsted" is "orsted", "Straße" is "strasse".
// The standard library folds only case, so diacritics are derived from the Unicode names of the letters.

extension String {
    /// Lower case without diacritics, for comparison and never for display.
    ///
    /// Uses Unicode's full case folding (final ς is σ, ß is ss, ﬁ is fi), also for the Turkish letters (ı and İ are i).
    /// Full-width and curly variants from keyboards are equal to the plain characters.
    var folded: String {
        var scalars = UnicodeScalarView()
        for scalar in lowercased().unicodeScalars where !Diacritics.marks.contains(scalar.value) {
            if scalar.isASCII {
                scalars.append(scalar)
            } else {
                scalars.append(contentsOf: Diacritics.foldedLetters(of: scalar).unicodeScalars)
            }
        }
        return String(scalars)
    }
}

private enum Diacritics {
    /// The block Combining Diacritical Marks. Marks of other blocks are vowels in their scripts, so they stay.
    static let marks: ClosedRange<UInt32> = 0x0300...0x036F

    /// Letters that Unicode decomposes into letter and mark, but whose names contain no " WITH ".
    private static let baseLetters: [Unicode.Scalar: Unicode.Scalar] = [
        "й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к",
    ]

    /// Spellings that people use if their keyboard lacks the character.
    private static let spellings: [Unicode.Scalar: String] = [
        "æ": "ae", "œ": "oe", "ĳ": "ij", "ǳ": "dz", "ǉ": "lj", "ǌ": "nj", "’": "'", "‘": "'", "ʼ": "'",
    ]

    /// The lower-case letters of Latin, Greek and Cyrillic by name, except those with " WITH " in their name.
    private static let plainLetters: [String: Unicode.Scalar] = {
        let scalars = (UInt32(0x61)...0x52F).compactMap(Unicode.Scalar.init)
        let names = scalars.compactMap { scalar in scalar.properties.name.map { ($0, scalar) } }
        let plain = names.filter { $0.0.contains(" SMALL LETTER ") && !$0.0.contains(" WITH ") }
        return Dictionary(plain, uniquingKeysWith: { first, _ in first })
    }()

    /// The folded form of a lower-case letter. Mapping to upper case and back makes ς and σ, ı and i, ß and ss equal.
    static func foldedLetters(of scalar: Unicode.Scalar) -> String {
        if (0xFF01...0xFF5E).contains(scalar.value) { return String(Unicode.Scalar(UInt8(scalar.value - 0xFEE0))) }
        let plain = baseLetter(of: scalar)
        if let spelling = spellings[plain] { return spelling }
        guard plain.properties.changesWhenUppercased else { return String(plain) }
        let pair = plain.properties.uppercaseMapping.unicodeScalars.map(\.properties.lowercaseMapping).joined()
        return pair.unicodeScalars.map { spellings[$0] ?? String($0) }.joined()
    }

    /// The letter without its mark: "LATIN SMALL LETTER E WITH CIRCUMFLEX AND ACUTE" becomes "LATIN SMALL LETTER E".
    private static func baseLetter(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        if let plain = baseLetters[scalar] { return plain }
        guard let name = scalar.properties.name, let with = name.firstRange(of: " WITH ") else { return scalar }
        guard let plain = plainLetters[String(name[..<with.lowerBound])] else { return scalar }
        return baseLetters[plain] ?? plain
    }
}
