// The guest's name. Parsed by CheckoutForm, printed on the bill.
// Read next: ScalarKinds.swift (what a letter is), Capitals.swift (how it is tidied).

/// A name of letters of any script with ' , . - and spaces, tidied: trimmed, single spaces, capitalised.
package struct PersonName: Hashable, Sendable {
    /// 1…100 characters (Unicode scalars), at most 400 bytes.
    package let text: String

    private static let invalid = FieldError(.name, .invalidName)
    private static let limit = TextLimit(characters: 100, bytes: 400)

    /// Reads a name; `required` when blank, else `invalid_name` or `too_long`.
    package static func parse(_ text: String) -> Result<PersonName, FieldError> {
        readLine(text, .name, limit, invalid: invalid) { scalar, previous in
            switch scalar.kind(after: previous) {
            case .letter: .letter
            case .mark: .mark
            case .invisible: .invisible
            case .other where scalar.standsBetweenNames: .other
            // Gershayim, as Hebrew's keyboards have them.
            case .other where scalar == "\"" && previous.map { ("א"..."ת").contains($0) } == true: .other
            case .digit, .other, .refused: .refused
            }
        }.flatMap { line in
            line.hasLetter ? .success(PersonName(text: capitalised(line.text))) : .failure(invalid)
        }
    }
}

extension Unicode.Scalar {
    /// The rule's ' , . - and what scripts and keyboards have in their place: every dash (the Hebrew maqaf and Armenian's hyphen among
    /// them, Unicode's Pd), and by name the apostrophes, commas, full stops and the dots between the parts of a name.
    fileprivate var standsBetweenNames: Bool {
        switch self {
        case "'", ",", ".", "-": true
        // Apostrophes: curly, as an accent or a prime where the keyboard has no other, full-width, Armenian; geresh and gershayim.
        case "’", "‘", "‛", "´", "`", "′", "＇", "՚", "׳", "״": true
        // Commas and full stops: Arabic, Armenian, ideographic and full-width; Urdu's, Devanagari's mark of an abbreviation.
        case "،", "՝", "、", "，", "。", "．", "۔", "։", "॰": true
        // Dots and strokes between parts: Catalan, Chinese, Japanese (full-width, half-width and =), hyphenation point, Tibetan, Ethiopic.
        case "·", "•", "・", "･", "＝", "‧", "་", "፡": true
        default: !isASCII && properties.generalCategory == .dashPunctuation
        }
    }
}
