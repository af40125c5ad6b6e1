// Case and diacritics aside: "Crème" is "creme", "Ørsted" is "orsted", "Ёжик" is "ежик". The search compares folded texts only.
// The standard library folds case but not diacritics; the Unicode names of the letters tell these.

extension String {
    /// Lower case without diacritics, for comparing and never for showing.
    var folded: String {
        var scalars = UnicodeScalarView()
        for scalar in lowercased().unicodeScalars where !Diacritics.marks.contains(scalar.value) {
            scalars.append(scalar.isASCII ? scalar : Diacritics.letter(under: scalar))
        }
        return String(scalars)
    }
}

private enum Diacritics {
    /// The block Combining Diacritical Marks. Marks of other blocks are vowels in their scripts and count.
    static let marks: ClosedRange<UInt32> = 0x0300...0x036F

    /// Letters that are a letter and a mark to Unicode, but have a name of their own.
    private static let named: [Unicode.Scalar: Unicode.Scalar] = ["й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к"]

    /// The small letters of Latin, Greek and Cyrillic by their names, those without " WITH …".
    private static let plainLetters: [String: Unicode.Scalar] = {
        let scalars = (UInt32(0x61)...0x52F).compactMap(Unicode.Scalar.init)
        let names = scalars.compactMap { scalar in scalar.properties.name.map { ($0, scalar) } }
        let plain = names.filter { $0.0.contains(" SMALL LETTER ") && !$0.0.contains(" WITH ") }
        return Dictionary(plain, uniquingKeysWith: { first, _ in first })
    }()

    /// "LATIN SMALL LETTER E WITH CIRCUMFLEX AND ACUTE" is the letter "LATIN SMALL LETTER E"; a letter without a mark is itself.
    static func letter(under scalar: Unicode.Scalar) -> Unicode.Scalar {
        if let plain = named[scalar] { return plain }
        guard let name = scalar.properties.name, let with = name.firstRange(of: " WITH ") else { return scalar }
        return plainLetters[String(name[..<with.lowerBound])] ?? scalar
    }
}
