// Tidies the capitals of a name or an address that was typed in a hurry. Used by PersonName and DeliveryAddress.
// Names belong to their owners: what was written with care (mixed case) is never touched.

/// Words that many names and streets carry in lower case. They stay as the guest wrote them, so that de la Cruz survives.
private let particles: Set<String> = [
    "'t", "’t", "aan", "af", "al", "am", "and", "ap", "au", "aux", "av", "bin", "bint", "da", "dal", "dalla", "das", "de", "degli", "dei",
    "del", "della", "den", "der", "des", "di", "do", "dos", "du", "el", "het", "ibn", "im", "in", "la", "las", "le", "les", "lo", "los",
    "of", "og", "on", "op", "sur", "te", "ten", "ter", "the", "und", "van", "vom", "von", "y", "zu", "zum", "zur",
]

/// What stands before an apostrophe where the next letter is a capital: O'Brien, D'Angelo, Dell'Acqua; but Sa'd and King's.
private let prefixes: Set<String> = ["dall", "dell", "nell", "sant"]

/// Gives a capital first letter to each word that is all lower case or ALL CAPS; parts joined by hyphens and the like count as words
/// (Ann-Marie).
///
/// Left as they are: words of mixed case (McDonald), words with digits (5th, SW1A), Roman numerals, capitals of at most
/// `initialism` letters in a line that is not all capitals (AJ Lee), and lower-case particles, unless one opens a line that has no
/// capital at all or closes the line.
func capitalised(_ line: String, initialism: Int) -> String {
    let words = line.split(separator: " ").map(Word.init)
    let isLower = !words.contains { $0.capitals > 0 }
    // By what will be small: a letter alone becomes a capital, and the line has to be read then as it is now.
    let isShouted = !words.contains { $0.staysPartlySmall }
    var result = ""
    result.reserveCapacity(line.utf8.count)
    for (index, word) in words.enumerated() {
        if index > 0 { result += " " }
        let isParticle = word.capitals == 0 && particles.contains(String(word.text))
        let isInitialism = !isShouted && word.small == 0 && word.capitals <= initialism
        let staysSmall = isParticle && index + 1 < words.count && !(isLower && index == 0)
        if word.isMixed || word.hasDigit || staysSmall || isInitialism || (index > 0 && word.isRomanNumeral) {
            result += word.text
        } else {
            result += word.capitalised
        }
    }
    return result
}

/// A run without spaces, and what its letters look like.
private struct Word {
    let text: Substring
    private(set) var capitals = 0
    private(set) var small = 0
    private(set) var hasDigit = false

    init(_ text: Substring) {
        self.text = text
        for scalar in text.unicodeScalars {
            // Without Unicode's tables, which cost 50 ns a character.
            if scalar.isASCII {
                switch scalar {
                case "A"..."Z": capitals += 1
                case "a"..."z": small += 1
                case "0"..."9": hasDigit = true
                default: break
                }
                continue
            }
            let properties = scalar.properties
            if properties.generalCategory == .titlecaseLetter {
                capitals += 1
                small += 1
            } else if properties.isUppercase {
                capitals += 1
            } else if properties.isLowercase {
                small += 1
            } else if properties.numericType != nil {
                hasDigit = true
            }
        }
    }

    var isMixed: Bool { capitals > 0 && small > 0 }

    var staysPartlySmall: Bool { small > 0 && (isMixed || hasDigit || Word(capitalised[...]).small > 0) }

    var isRomanNumeral: Bool { capitals > 1 && text.utf8.allSatisfy("IVX".utf8.contains) }

    var capitalised: String {
        var result = ""
        var part = ""
        var opensPart = true
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            if scalar.isCasedOrOtherLetter {
                let letter = opensPart ? scalar.titlecase : scalar == "Σ" && closesPart(index) ? "ς" : scalar.lowercase
                result += letter
                part += letter
                opensPart = false
            } else if scalar == "'" || scalar == "’" || scalar == "‘" {
                result.unicodeScalars.append(scalar)
                opensPart = part.unicodeScalars.count == 1 || prefixes.contains(part.lowercased())
                part = ""
            } else {
                result.unicodeScalars.append(scalar)
                // Marks, joiners and Catalan's middle dot belong to the word they stand in.
                if scalar.isASCII || !scalar.properties.isCaseIgnorable {
                    opensPart = true
                    part = ""
                }
            }
        }
        return result
    }

    /// Whether no letter follows: there a capital Σ becomes ς.
    private func closesPart(_ index: String.UnicodeScalarView.Index) -> Bool {
        let next = text.unicodeScalars.index(after: index)
        return next == text.unicodeScalars.endIndex || !text.unicodeScalars[next].properties.isAlphabetic
    }
}

extension Unicode.Scalar {
    fileprivate var isCasedOrOtherLetter: Bool {
        if isASCII { return isASCIILetter }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    private var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }

    /// As the first letter of a word; some letters become two or three. The deprecated ŉ would become an apostrophe and a capital whose
    /// small form it is not, so that tidying again went on changing it.
    fileprivate var titlecase: String {
        if self == "ŉ" { return "ŉ" }
        return isASCII ? String(Unicode.Scalar(UInt8(value) & (isASCIILetter ? 0xDF : 0xFF))) : properties.titlecaseMapping
    }

    fileprivate var lowercase: String {
        isASCII ? String(Unicode.Scalar(UInt8(value) | (isASCIILetter ? 0x20 : 0))) : properties.lowercaseMapping
    }
}
