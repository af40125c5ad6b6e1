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
    let isShouted = !words.contains { $0.small > 0 }
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

    var isRomanNumeral: Bool { capitals > 1 && text.utf8.allSatisfy("IVX".utf8.contains) }

    var capitalised: String {
        var result = ""
        var part = ""
        var opensPart = true
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
                let closesPart = index + 1 == scalars.count || !scalars[index + 1].properties.isAlphabetic
                let letter =
                    if opensPart {
                        scalar.properties.titlecaseMapping
                    } else if scalar == "Σ", closesPart {
                        "ς"
                    } else {
                        scalar.properties.lowercaseMapping
                    }
                result += letter
                part += letter
                opensPart = false
            case .nonspacingMark, .spacingMark, .enclosingMark, .format:
                result.unicodeScalars.append(scalar)
            default:
                let isApostrophe = scalar == "'" || scalar == "’" || scalar == "‘"
                opensPart = !isApostrophe || part.unicodeScalars.count == 1 || prefixes.contains(part.lowercased())
                part = ""
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
