// Tidies the capitals of a name or an address that was typed in a hurry; one with capitals and small letters was written with care and stays.
// Used by PersonName and DeliveryAddress. Next: CapitalWords.swift, the words that have capitals of their own.

/// Gives a capital first letter to each word of a line that is all small or ALL CAPITALS; any other line stays as it is.
///
/// Words with digits (5th, 7B) say nothing of how the line was typed and stay as they are. For the rest see `CapitalWords`: particles
/// stay small inside a line (Maria de la Cruz, Rue de l'Église), Roman numerals, PO Box and NY 10001 get capitals, and short words without a
/// vowel, which may be initials, keep theirs (JJ Abrams). A line never grows: ß and its like, which would become two letters, stay.
func capitalised(_ line: String) -> String {
    guard let typed = TypedCase(line) else { return line }
    let words = line.split(separator: " ")
    var result = ""
    result.reserveCapacity(line.utf8.count)
    for (index, word) in words.enumerated() {
        if index > 0 { result += " " }
        let next = index + 1 < words.count ? words[index + 1] : nil
        if word.unicodeScalars.contains(where: \.isNumeral) {
            result += word
        } else if let known = CapitalWords.known(word, isFirst: index == 0, next: next) {
            result += known
        } else if !typed.isSmall, CapitalWords.mayBeInitials(word) {
            result += word
        } else {
            result += WordParts(word, isFirst: index == 0, isLast: next == nil, letters: typed).capitalised
        }
    }
    return result
}

/// How a line was typed that is all in one case.
private struct TypedCase {
    private(set) var isSmall = false
    /// Whether it holds a letter that only Turkish and its sisters have: there i and İ, ı and I are pairs.
    private(set) var isTurkish = false

    /// Nil where the line has capitals and small letters outside of words with digits, or neither.
    init?(_ line: String) {
        var hasCapitals = false
        // By scalars: where a letter ends for the eye costs more to find out than all else here.
        for word in line.unicodeScalars.split(separator: " ") where !word.contains(where: \.isNumeral) {
            for scalar in word {
                switch scalar.letterCase {
                case .small: isSmall = true
                case .capital: hasCapitals = true
                case .both: return nil
                case .none: continue
                }
                if scalar == "ı" || scalar == "İ" || scalar == "ğ" || scalar == "Ğ" { isTurkish = true }
                if isSmall && hasCapitals { return nil }
            }
        }
        guard isSmall || hasCapitals else { return nil }
    }

    func small(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if isTurkish, scalar == "I" { return "ı" }
        if isTurkish, scalar == "İ" { return "i" }
        if scalar.isASCII { return ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar }
        return scalar.properties.lowercaseMapping.single ?? scalar
    }

    func capital(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let scalar = small(scalar)
        if isTurkish, scalar == "i" { return "İ" }
        if scalar.isASCII { return ("a"..."z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) & 0xDF) : scalar }
        return scalar.properties.titlecaseMapping.single ?? scalar
    }
}

/// A word with its parts, which begin behind hyphens, apostrophes and the like.
private struct WordParts {
    private let scalars: [Unicode.Scalar]
    private let isFirst: Bool
    private let isLast: Bool
    private let letters: TypedCase

    init(_ word: Substring, isFirst: Bool, isLast: Bool, letters: TypedCase) {
        (scalars, self.isFirst, self.isLast, self.letters) = (Array(word.unicodeScalars), isFirst, isLast, letters)
    }

    var capitalised: String {
        var result = String.UnicodeScalarView()
        var start = 0
        while start < scalars.count {
            let end = scalars[start...].firstIndex(where: \.isDash) ?? scalars.count
            let opens = start == 0 && isFirst
            let closes = end == scalars.count && isLast
            result.append(contentsOf: part(start..<end, isInside: !opens && !closes, mayElide: !opens))
            if end < scalars.count { result.append(scalars[end]) }
            start = end + 1
        }
        return String(result)
    }

    /// What stands between hyphens.
    private func part(_ range: Range<Int>, isInside: Bool, mayElide: Bool) -> [Unicode.Scalar] {
        let small: [Unicode.Scalar] = range.map { isFinalSigma($0) ? "ς" : letters.small(scalars[$0]) }
        if isInside || small.first?.isApostrophe == true, CapitalWords.particles.contains(text(small[...])) { return small }
        var result = small
        var opens = true
        var from = 0
        for (offset, scalar) in small.enumerated() {
            if scalar.isLetter, !scalar.isApostrophe {
                if opens { result[offset] = letters.capital(scalars[range.lowerBound + offset]) }
                opens = false
            } else if scalar.isApostrophe {
                // O'Brien, and l'Église inside a line; but Sa'd and King's.
                if offset == from { continue }
                let head = text(small[from..<offset])
                let isElision = CapitalWords.elisions.contains(head) && offset + 1 < small.count && small[offset + 1].isLetter
                if mayElide, isElision { result.replaceSubrange(from..<offset, with: small[from..<offset]) }
                opens = isElision || CapitalWords.openers.contains(head) || offset - from == 1
                from = offset + 1
            } else if scalar.isASCII || !scalar.properties.isCaseIgnorable {
                // Marks, joiners and Catalan's middle dot belong to the word they stand in.
                opens = true
                from = offset + 1
            }
        }
        // McDonald; Mac is left, for Mackey and Macedo have none.
        if small.count >= 5, small[0] == "m", small[1] == "c", small[2].isLetter {
            result[2] = letters.capital(scalars[range.lowerBound + 2])
        }
        return result
    }

    /// Whether a capital Σ ends a word here: a letter stands before it and none behind.
    private func isFinalSigma(_ index: Int) -> Bool {
        guard scalars[index] == "Σ", index > 0, scalars[index - 1].properties.isAlphabetic else { return false }
        return index + 1 == scalars.count || !scalars[index + 1].properties.isAlphabetic
    }

    private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

extension Unicode.Scalar {
    fileprivate enum LetterCase { case small, capital, both, none }

    /// Without Unicode's tables where it is ASCII: they cost 50 ns a character. A letter that has no partner of one character, such as ß or
    /// º, is neither, and so are Georgian's, whose capitals begin no words.
    fileprivate var letterCase: LetterCase {
        if isASCII { return ("a"..."z").contains(self) ? .small : ("A"..."Z").contains(self) ? .capital : .none }
        let properties = properties
        if properties.generalCategory == .titlecaseLetter { return .both }
        if !properties.isUppercase, let title = properties.titlecaseMapping.single, title != self { return .small }
        return properties.isUppercase && properties.changesWhenLowercased ? .capital : .none
    }

    fileprivate var isApostrophe: Bool { self == "'" || self == "’" || self == "‘" || self == "ʼ" }
    fileprivate var isDash: Bool { isASCII ? self == "-" : properties.generalCategory == .dashPunctuation }

    fileprivate var isLetter: Bool {
        if isASCII { return letterCase != .none }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    /// A digit, of any script or shape.
    fileprivate var isNumeral: Bool { isASCII ? ("0"..."9").contains(self) : properties.numericType != nil }
}

extension String {
    /// The only scalar of a text of one.
    fileprivate var single: Unicode.Scalar? { unicodeScalars.count == 1 ? unicodeScalars.first : nil }
}
