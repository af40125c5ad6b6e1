// Which characters real names and addresses are made of, in any script. Used by the parsers of this folder only.
// Read next: PersonName.swift.

extension Unicode.Scalar {
    /// Letters, marks and digits of any script, in terms of Unicode's general categories.
    ///
    /// A mark must follow a letter, a mark or a digit (`previous`), so that none lands on a space or a quote. Invisible
    /// characters are `invisible`, unless the spelling needs them: see `isNeeded(after:)`.
    func kind(after previous: Unicode.Scalar?) -> LineScalar {
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
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return .refused
        default: return .other
        }
    }

    var isASCIIControl: Bool { value < 0x20 || value == 0x7F }

    /// Whether the character is drawn as nothing: Unicode's default ignorable code points (zero-width spaces, soft
    /// hyphens, direction marks, variation selectors, fillers, tags) and the anchors of interlinear annotations.
    var isInvisible: Bool { !isASCII && (properties.isDefaultIgnorableCodePoint || (0xFFF9...0xFFFB).contains(value)) }

    /// Whether the character is invisible and no script and no emoji needs it: soft hyphens, zero-width spaces, and the
    /// characters that turn the direction of text. SQL's `is_plain_text` refuses all of them but the soft hyphen.
    var isNeverNeeded: Bool {
        switch value {
        case 0xAD, 0x200B, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
        default: false
        }
    }

    /// Whether this invisible character is part of the spelling behind the character before it: a joiner in Persian,
    /// Sinhala and other scripts, a variation selector behind a Han character, the vowel separator of Mongolian.
    private func isNeeded(after previous: Unicode.Scalar?) -> Bool {
        guard let previous, previous.carriesMarks else { return false }
        if isJoiner { return previous.usesJoiners }
        if value == 0x180E { return previous.isMongolianLetter }
        return properties.isVariationSelector && previous.hasVariants
    }

    /// ZERO WIDTH NON-JOINER and JOINER.
    private var isJoiner: Bool { value == 0x200C || value == 0x200D }

    private var isMongolianLetter: Bool { (0x1820...0x18AA).contains(value) }

    /// The scripts that have variation sequences of letters: Han, Mongolian, Myanmar, Phags-pa and Manichaean.
    private var hasVariants: Bool {
        switch value {
        case 0x1000...0x109F, 0xA840...0xA877, 0xAA60...0xAA7F, 0x10AC0...0x10AFF: true
        default: isMongolianLetter || properties.isIdeographic
        }
    }

    /// A letter or a mark of a script that is written with joiners: Arabic and its neighbours, the Indic scripts up to
    /// Myanmar, Khmer and Mongolian, and the Arabic presentation forms.
    private var usesJoiners: Bool {
        switch value {
        case 0x0600...0x109F, 0x1780...0x18AF, 0xFB50...0xFDFF, 0xFE70...0xFEFE: true
        default: false
        }
    }

    private var carriesMarks: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
            .enclosingMark, .decimalNumber:
            true
        default: false
        }
    }
}

extension String {
    /// The same without invisible characters. Texts are pasted with them, and a guest cannot see what to remove.
    var withoutInvisibles: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        return String(unicodeScalars.filter { !$0.isInvisible })
    }

    /// Nothing but white space and invisible characters: as if the field had not been given.
    var isBlank: Bool { unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.isInvisible } }
}
