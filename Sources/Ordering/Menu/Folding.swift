// Case and diacritics aside: "Crème" is "creme", "Ørsted" is "orsted", "Ёжик" is "ежик", "Straße" is "strasse". The search compares folded
// texts only. The standard library folds case but not diacritics; the Unicode names of the letters tell these.

extension String {
    /// Lower case without diacritics, for comparing and never for showing.
    ///
    /// What differs in case only is equal (Unicode's full case folding: final ς is σ, ß is ss, ﬁ is fi), also where a language has two
    /// letters for one (ı and İ are i), and whatever the keyboard makes of letters and apostrophes (full-width, curly).
    var folded: String {
        var scalars = UnicodeScalarView()
        for scalar in lowercased().unicodeScalars where !Diacritics.marks.contains(scalar.value) {
            if scalar.isASCII {
                scalars.append(scalar)
            } else {
                scalars.append(contentsOf: Diacritics.letters(of: scalar).unicodeScalars)
            }
        }
        return String(scalars)
    }
}

private enum Diacritics {
    /// The block Combining Diacritical Marks. Marks of other blocks are vowels in their scripts and count.
    static let marks: ClosedRange<UInt32> = 0x0300...0x036F

    /// Letters that are a letter and a mark to Unicode, but have a name of their own.
    private static let named: [Unicode.Scalar: Unicode.Scalar] = ["й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к"]

    /// What people write where they lack the key.
    private static let spelled: [Unicode.Scalar: String] = [
        "æ": "ae", "œ": "oe", "ĳ": "ij", "ǳ": "dz", "ǉ": "lj", "ǌ": "nj", "’": "'", "‘": "'", "ʼ": "'",
    ]

    /// The small letters of Latin, Greek and Cyrillic by their names, those without " WITH …".
    private static let plainLetters: [String: Unicode.Scalar] = {
        let scalars = (UInt32(0x61)...0x52F).compactMap(Unicode.Scalar.init)
        let names = scalars.compactMap { scalar in scalar.properties.name.map { ($0, scalar) } }
        let plain = names.filter { $0.0.contains(" SMALL LETTER ") && !$0.0.contains(" WITH ") }
        return Dictionary(plain, uniquingKeysWith: { first, _ in first })
    }()

    /// A small letter as it is compared. To capitals and back folds what two small letters share: ς and σ, ı and i, ß and ss.
    static func letters(of scalar: Unicode.Scalar) -> String {
        if (0xFF01...0xFF5E).contains(scalar.value) { return String(Unicode.Scalar(UInt8(scalar.value - 0xFEE0))) }
        let plain = letter(under: scalar)
        if let spelling = spelled[plain] { return spelling }
        guard plain.properties.changesWhenUppercased else { return String(plain) }
        let pair = plain.properties.uppercaseMapping.unicodeScalars.map(\.properties.lowercaseMapping).joined()
        return pair.unicodeScalars.map { spelled[$0] ?? String($0) }.joined()
    }

    /// "LATIN SMALL LETTER E WITH CIRCUMFLEX AND ACUTE" is the letter "LATIN SMALL LETTER E"; a letter without a mark is itself.
    private static func letter(under scalar: Unicode.Scalar) -> Unicode.Scalar {
        if let plain = named[scalar] { return plain }
        guard let name = scalar.properties.name, let with = name.firstRange(of: " WITH ") else { return scalar }
        guard let plain = plainLetters[String(name[..<with.lowerBound])] else { return scalar }
        return named[plain] ?? plain
    }
}
