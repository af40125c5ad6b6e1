// Capitalises names and addresses that were typed in one case. Foundation's `capitalized` and ICU get 31 of our 63
// sample spellings wrong, and Ordering does not import Foundation.

/// Capitalises each word of a line that is all lower case or ALL CAPITALS; a line in mixed case stays unchanged.
///
/// Words with digits (5th, 7B) stay unchanged and do not count for the case of the line. `CapitalisationExceptions`
/// lists the other exceptions. Particles stay lower case inside a line (Maria de la Cruz, Rue de l'Église). Roman
/// numerals, PO Box and NY 10001 get capitals. Short words without a vowel may be initials and keep their capitals
/// (JJ Abrams).
///
/// A line never grows: letters such as ß, whose capital form has two letters, stay unchanged.
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
        } else if let fixedSpelling = CapitalisationExceptions.fixedSpelling(of: word, isFirst: index == 0, next: next)
        {
            result += fixedSpelling
        } else if !typed.isLowercase, CapitalisationExceptions.mayBeInitials(word) {
            result += word
        } else {
            result += WordParts(word, isFirst: index == 0, isLast: next == nil, typed: typed).capitalised
        }
    }
    return result
}

/// The case of a line that was typed in one case.
private struct TypedCase {
    private(set) var isLowercase = false
    /// Whether the line contains a letter of the Turkic alphabets, in which i and İ, ı and I are pairs.
    private(set) var isTurkish = false

    /// Nil if the words without digits contain both cases, or no cased letter.
    init?(_ line: String) {
        var hasUppercase = false
        // Iterates over scalars, because finding grapheme boundaries would cost more than everything else here.
        var rest = line.unicodeScalars[...]
        while !rest.isEmpty {
            let word = rest.prefix { $0 != " " }
            rest = rest[word.endIndex...].dropFirst()
            guard !word.contains(where: \.isNumeral) else { continue }
            for scalar in word {
                switch scalar.letterCase {
                case .lowercase: isLowercase = true
                case .uppercase: hasUppercase = true
                case .both: return nil
                case .none: continue
                }
                if scalar == "ı" || scalar == "İ" || scalar == "ğ" || scalar == "Ğ" { isTurkish = true }
                if isLowercase && hasUppercase { return nil }
            }
        }
        guard isLowercase || hasUppercase else { return nil }
    }

    func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if isTurkish, scalar == "I" { return "ı" }
        if isTurkish, scalar == "İ" { return "i" }
        if scalar.isASCII { return ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar }
        return scalar.properties.lowercaseMapping.single ?? scalar
    }

    func titlecased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let scalar = lowercased(scalar)
        if isTurkish, scalar == "i" { return "İ" }
        if scalar.isASCII { return ("a"..."z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) & 0xDF) : scalar }
        return scalar.properties.titlecaseMapping.single ?? scalar
    }
}

/// Capitalises one word, whose parts begin after hyphens, apostrophes and similar characters.
private struct WordParts {
    private let scalars: [Unicode.Scalar]
    private let isFirst: Bool
    private let isLast: Bool
    private let typed: TypedCase

    init(_ word: Substring, isFirst: Bool, isLast: Bool, typed: TypedCase) {
        (scalars, self.isFirst, self.isLast, self.typed) = (Array(word.unicodeScalars), isFirst, isLast, typed)
    }

    var capitalised: String {
        var result = String.UnicodeScalarView()
        var start = 0
        while start < scalars.count {
            let end = scalars[start...].firstIndex(where: \.isDash) ?? scalars.count
            let isAtStart = start == 0 && isFirst
            let isAtEnd = end == scalars.count && isLast
            result.append(contentsOf: part(start..<end, isInside: !isAtStart && !isAtEnd, allowsElision: !isAtStart))
            if end < scalars.count { result.append(scalars[end]) }
            start = end + 1
        }
        return String(result)
    }

    /// Capitalises the text between two hyphens.
    private func part(_ range: Range<Int>, isInside: Bool, allowsElision: Bool) -> [Unicode.Scalar] {
        let lowercase: [Unicode.Scalar] = range.map { isFinalSigma($0) ? "ς" : typed.lowercased(scalars[$0]) }
        if isInside || lowercase.first?.isApostrophe == true,
            CapitalisationExceptions.particles.contains(text(lowercase[...]))
        {
            return lowercase
        }
        var result = lowercase
        var isWordStart = true
        var start = 0
        for (offset, scalar) in lowercase.enumerated() {
            if scalar.isLetter, !scalar.isApostrophe {
                if isWordStart { result[offset] = typed.titlecased(scalars[range.lowerBound + offset]) }
                isWordStart = false
            } else if scalar.isApostrophe {
                // A capital follows the apostrophe in O'Brien and in l'Église, but not in Sa'd and King's.
                if offset == start { continue }
                let head = text(lowercase[start..<offset])
                let isElision =
                    CapitalisationExceptions.elisions.contains(head) && offset + 1 < lowercase.count
                    && lowercase[offset + 1].isLetter
                if allowsElision, isElision { result.replaceSubrange(start..<offset, with: lowercase[start..<offset]) }
                isWordStart =
                    isElision || CapitalisationExceptions.capitalisedPrefixes.contains(head) || offset - start == 1
                start = offset + 1
            } else if scalar.isASCII || !scalar.properties.isCaseIgnorable {
                // Combining marks, joiners and Catalan's middle dot do not end a word.
                isWordStart = true
                start = offset + 1
            }
        }
        // McDonald. Mac is not handled, because Mackey and Macedo have no inner capital.
        if lowercase.count >= 5, lowercase[0] == "m", lowercase[1] == "c", lowercase[2].isLetter {
            result[2] = typed.titlecased(scalars[range.lowerBound + 2])
        }
        return result
    }

    /// Whether a capital Σ ends a word: a letter precedes it and no letter follows.
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
    fileprivate enum LetterCase { case lowercase, uppercase, both, none }

    /// The case of a letter. Avoids Unicode's tables for ASCII, because a lookup costs 50 ns per character.
    ///
    /// Letters without a one-character partner, such as ß or º, have no case. Georgian letters have none either,
    /// because Georgian words do not begin with capitals.
    fileprivate var letterCase: LetterCase {
        if isASCII { return ("a"..."z").contains(self) ? .lowercase : ("A"..."Z").contains(self) ? .uppercase : .none }
        let properties = properties
        if properties.generalCategory == .titlecaseLetter { return .both }
        if !properties.isUppercase, let title = properties.titlecaseMapping.single, title != self { return .lowercase }
        return properties.isUppercase && properties.changesWhenLowercased ? .uppercase : .none
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

    /// A digit of any script or form.
    fileprivate var isNumeral: Bool { isASCII ? ("0"..."9").contains(self) : properties.numericType != nil }
}

extension String {
    /// The scalar of a string that has exactly one.
    fileprivate var single: Unicode.Scalar? { unicodeScalars.count == 1 ? unicodeScalars.first : nil }
}
