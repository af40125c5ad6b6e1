// Classifies the characters of real names and addresses in any script.

extension Unicode.Scalar {
    /// Classifies the scalar by Unicode's general categories: letters, marks and digits of any script.
    ///
    /// A mark must follow a letter, a mark or a digit (`previous`), so not a space or a quote.
    /// An invisible character is `invisible`, unless the spelling needs it: see `isNeeded(after:)`.
    func kind(after previous: Unicode.Scalar?) -> ScalarKind {
        if isASCII {
            switch self {
            case "a"..."z", "A"..."Z": return .letter
            case "0"..."9": return .digit
            default: return isASCIIControl ? .refused : .other
            }
        }
        if isInvisible { return isNeeded(after: previous) ? .mark : .invisible }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return .letter
        case .nonspacingMark, .spacingMark, .enclosingMark:
            guard let previous, previous.carriesMarks || previous.isInvisible else { return .refused }
            return .mark
        case .decimalNumber, .letterNumber, .otherNumber: return .digit
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            return .refused
        default: return .other
        }
    }

    var isASCIIControl: Bool { value < 0x20 || value == 0x7F }

    /// Whether the character has no visible form: Unicode's default ignorable code points (zero-width spaces, soft
    /// hyphens, direction marks, variation selectors, fillers, tags) and the interlinear annotation anchors.
    var isInvisible: Bool { !isASCII && (properties.isDefaultIgnorableCodePoint || (0xFFF9...0xFFFB).contains(value)) }

    /// Whether the character is invisible and no script and no emoji needs it: soft hyphens, zero-width spaces,
    /// direction controls. SQL's `is_plain_text` rejects all of them but the soft hyphen.
    var isNeverNeeded: Bool {
        switch value {
        case 0xAD, 0x200B, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
        default: false
        }
    }

    /// Whether the spelling needs this invisible character after the previous one: a joiner in Persian, Sinhala and
    /// other scripts, a variation selector after a Han character, the Mongolian vowel separator.
    private func isNeeded(after previous: Unicode.Scalar?) -> Bool {
        guard let previous, previous.carriesMarks else { return false }
        if isJoiner { return previous.usesJoiners }
        if value == 0x180E { return previous.isMongolianLetter }
        return properties.isVariationSelector && previous.hasVariants
    }

    /// ZERO WIDTH NON-JOINER and JOINER.
    private var isJoiner: Bool { value == 0x200C || value == 0x200D }

    private var isMongolianLetter: Bool { (0x1820...0x18AA).contains(value) }

    /// Scripts with variation sequences of letters: Han, Mongolian, Myanmar, Phags-pa and Manichaean.
    private var hasVariants: Bool {
        switch value {
        case 0x1000...0x109F, 0xA840...0xA877, 0xAA60...0xAA7F, 0x10AC0...0x10AFF: true
        default: isMongolianLetter || properties.isIdeographic
        }
    }

    /// A letter or a mark of a script that uses joiners: Arabic and related scripts, the Indic scripts up to Myanmar,
    /// Khmer and Mongolian, and the Arabic presentation forms.
    private var usesJoiners: Bool {
        switch value {
        case 0x0600...0x109F, 0x1780...0x18AF, 0xFB50...0xFDFF, 0xFE70...0xFEFE: true
        default: false
        }
    }

    private var carriesMarks: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark,
            .enclosingMark, .decimalNumber:
            true
        default: false
        }
    }
}

extension String {
    /// The text without invisible characters. Pasted texts contain them, and a guest cannot see what to remove.
    var withoutInvisibles: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        return String(unicodeScalars.filter { !$0.isInvisible })
    }

    /// Whether the text has only white space and invisible characters; it then counts as missing.
    var isBlank: Bool { unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.isInvisible } }
}
