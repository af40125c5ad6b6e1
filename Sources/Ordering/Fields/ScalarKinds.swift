// Which characters real names and addresses are made of, in any script. Used by the parsers of this folder only.
// Read next: PersonName.swift.

extension Unicode.Scalar {
    /// Letters, marks and digits of any script, in terms of Unicode's general categories.
    ///
    /// A mark must follow a letter, a mark or a digit (`previous`), so that none lands on a space or a quote. What is drawn as
    /// nothing (a Hangul filler, a soft hyphen) is refused, or a name could look empty; but variation selectors, which choose the
    /// form of a Han character in Japanese names, and the joiners of the scripts that are written with them.
    func kind(after previous: Unicode.Scalar?) -> LineScalar {
        if isASCII {
            switch self {
            case "a"..."z", "A"..."Z": return .letter
            case "0"..."9": return .digit
            default: return isASCIIControl ? .refused : .other
            }
        }
        if isJoiner { return previous.map { $0.usesJoiners && $0.carriesMarks } == true ? .mark : .refused }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            return properties.isDefaultIgnorableCodePoint ? .refused : .letter
        case .nonspacingMark, .spacingMark, .enclosingMark:
            guard let previous, previous.carriesMarks || previous.isJoiner else { return .refused }
            return properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector ? .refused : .mark
        case .decimalNumber, .letterNumber, .otherNumber: return .digit
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return .refused
        default: return .other
        }
    }

    var isASCIIControl: Bool { value < 0x20 || value == 0x7F }

    /// ZERO WIDTH NON-JOINER and JOINER: part of the spelling in Persian, Sinhala and others, invisible elsewhere.
    private var isJoiner: Bool { value == 0x200C || value == 0x200D }

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

    /// The marks that keyboards and address books slip in around right-to-left text: they are drawn as nothing, and left
    /// in a stored line they could turn the text beside it around.
    var steersDirection: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
