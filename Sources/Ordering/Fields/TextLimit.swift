// How long a guest's text may be, and how one line of it is read. Used by the parsers of this folder only.
// Read next: PersonName.swift and DeliveryAddress.swift, which say what may stand in their line.

/// A length limit in characters and in bytes.
///
/// A character is a Unicode scalar, as in PostgreSQL's `char_length`, so that the tables' constraints agree. Bytes (UTF-8) are
/// counted before anything is read: a megabyte is refused at the cost of a comparison, and a line of spaces is no way around it.
struct TextLimit {
    let characters: Int
    let bytes: Int

    func error(_ path: FieldPath) -> FieldError { FieldError(path, .tooLong, ["limit": .integer(Int64(characters))]) }
}

/// What a line is made of.
enum LineScalar {
    case letter, mark, digit, other, refused
}

/// Reads one line of plain text in one pass: trims it, makes every run of spaces one, drops the invisible marks that only
/// steer the direction of writing, and refuses control characters and whatever `sort` refuses.
///
/// - Parameter sort: told the scalar and what stood before it, because a mark needs a letter to stand on.
func readLine(
    _ text: String, _ field: FormField, _ limit: TextLimit, invalid: FieldError,
    sort: (_ scalar: Unicode.Scalar, _ previous: Unicode.Scalar?) -> LineScalar
) -> Result<(text: String, hasLetter: Bool, hasDigit: Bool), FieldError> {
    guard text.utf8.count <= limit.bytes else { return .failure(limit.error(.form(field))) }
    var line = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    var isBlank = true
    var isRefused = false
    var hasLetter = false
    var hasDigit = false
    var hasGap = false
    var count = 0
    for scalar in text.unicodeScalars {
        if scalar == " " || (!scalar.isASCII && scalar.properties.generalCategory == .spaceSeparator) {
            hasGap = true
            previous = nil
            continue
        }
        if scalar.steersDirection { continue }
        if scalar.isASCII ? (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace {
            // A tab or a new line inside the text is refused; a field of nothing else is just empty.
            isRefused = true
            continue
        }
        isBlank = false
        switch sort(scalar, previous) {
        case .letter: hasLetter = true
        case .digit: hasDigit = true
        case .mark, .other: break
        case .refused: isRefused = true
        }
        if hasGap, count > 0 {
            line.append(" ")
            count += 1
        }
        hasGap = false
        line.append(scalar)
        count += 1
        previous = scalar
    }
    if isBlank { return .failure(FieldError(field, .required)) }
    if isRefused { return .failure(invalid) }
    if count > limit.characters { return .failure(limit.error(.form(field))) }
    return .success((String(line), hasLetter, hasDigit))
}

extension String {
    /// Nothing but white space: as if the field had not been given.
    var isBlank: Bool { unicodeScalars.allSatisfy { $0.properties.isWhitespace } }
}
