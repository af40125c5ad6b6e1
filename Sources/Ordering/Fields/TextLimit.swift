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
    case letter, mark, digit, other, invisible, refused
}

/// Reads one line of plain text in one pass: trims it, makes every run of spaces one, removes what `sort` calls
/// invisible, and refuses control characters and whatever `sort` refuses.
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
    var hasBreak = false
    var count = 0
    for scalar in text.unicodeScalars {
        // The Braille pattern without dots is a space.
        if scalar == " "
            || !scalar.isASCII && (scalar.properties.generalCategory == .spaceSeparator || scalar == "\u{2800}")
        {
            hasGap = true
            previous = nil
            continue
        }
        if scalar.isASCII ? (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace {
            // A tab or a new line is trimmed at both ends and refused inside the text.
            hasBreak = count > 0
            previous = nil
            continue
        }
        let kind = sort(scalar, previous)
        if kind == .invisible { continue }
        isBlank = false
        switch kind {
        case .letter: hasLetter = true
        case .digit: hasDigit = true
        case .mark, .other, .invisible: break
        case .refused: isRefused = true
        }
        if hasBreak { isRefused = true }
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
