// The guest's name. Parsed by CheckoutForm, printed on the bill.
// Read next: ScalarKinds.swift (what a letter is), Capitals.swift (how it is tidied).

/// A name of letters of any script with ' , . - and spaces, tidied: trimmed, single spaces, capitalised.
public struct PersonName: Hashable, Sendable {
    /// 1…100 characters (Unicode scalars), at most 400 bytes.
    public let text: String

    private static let invalid = FieldError(.name, .invalidName)
    private static let limit = TextLimit(characters: 100, bytes: 400)

    /// Reads a name; `required` when blank, else `invalid_name` or `too_long`.
    public static func parse(_ text: String) -> Result<PersonName, FieldError> {
        readLine(text, .name, limit, invalid: invalid) { scalar, previous in
            switch scalar.kind(after: previous) {
            case .letter: .letter
            case .mark: .mark
            case .other where scalar.standsBetweenNames: .other
            case .digit, .other, .refused: .refused
            }
        }.flatMap { line in
            guard line.hasLetter else { return .failure(invalid) }
            // A capital can be longer than its small letter (ŉ), so the limit is checked once more.
            let tidied = capitalised(line.text, initialism: 2)
            guard tidied.unicodeScalars.count <= limit.characters else { return .failure(limit.error(.name)) }
            return .success(PersonName(text: tidied))
        }
    }
}

extension Unicode.Scalar {
    /// The rule's ' , . - and what keyboards and scripts write in their place: curly quotes, Unicode's hyphens, the middle dots of
    /// Catalan and Japanese, Hebrew's geresh.
    fileprivate var standsBetweenNames: Bool {
        switch self {
        case "'", ",", ".", "-", "’", "‘", "‐", "‑", "·", "・", "׳", "״": true
        default: false
        }
    }
}
