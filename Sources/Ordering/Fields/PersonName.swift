// The guest's name.

/// Letters of any script with ' , . - and spaces, normalised: trimmed, single spaces, capitalised.
package struct PersonName: Hashable, Sendable {
    /// 1…100 characters (Unicode scalars), at most 400 bytes.
    package let text: String

    private static let invalid = FieldError(.name, .invalidName)
    private static let limit = TextLimit(characters: 100, bytes: 400)

    /// Parses a name: `required` if blank, else `invalid_name` or `too_long`.
    package static func parse(_ text: String) -> Result<PersonName, FieldError> {
        normalizedLine(text, .name, limit, invalid: invalid) { scalar, previous in
            switch scalar.kind(after: previous) {
            case .letter: .letter
            case .mark: .mark
            case .invisible: .invisible
            case .other where scalar.isNamePunctuation: .other
            // Gershayim, which Hebrew keyboards type as a quotation mark.
            case .other where scalar == "\"" && previous.map { ("א"..."ת").contains($0) } == true: .other
            case .digit, .other, .refused: .refused
            }
        }.flatMap { line in
            line.hasLetter ? .success(PersonName(text: capitalised(line.text))) : .failure(invalid)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is one of ' , . - or its equivalent in another script or on another keyboard: every dash
    /// (Unicode's Pd, with the Hebrew maqaf and the Armenian hyphen), apostrophes, commas, full stops and middle dots.
    fileprivate var isNamePunctuation: Bool {
        switch self {
        case "'", ",", ".", "-": true
        // Apostrophes: curly, accents and primes in their place, full-width, Armenian; geresh and gershayim.
        case "’", "‘", "‛", "´", "`", "′", "＇", "՚", "׳", "״": true
        // Commas and full stops: Arabic, Armenian, ideographic, full-width, Urdu; Devanagari's abbreviation sign.
        case "،", "՝", "、", "，", "。", "．", "۔", "։", "॰": true
        // Dots between parts of a name: Catalan, Chinese, Japanese (full-width, half-width, =), hyphenation point,
        // Tibetan, Ethiopic.
        case "·", "•", "・", "･", "＝", "‧", "་", "፡": true
        default: !isASCII && properties.generalCategory == .dashPunctuation
        }
    }
}
