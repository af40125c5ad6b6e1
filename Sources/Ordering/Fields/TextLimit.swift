// The length limits of guests' texts, and the normalisation of one line.

/// A length limit in characters and in bytes.
///
/// A character is a Unicode scalar, as in PostgreSQL's `char_length`, so that the constraints of the tables agree.
/// Bytes (UTF-8) are counted first: a text of a megabyte, or a line of spaces, costs one comparison.
struct TextLimit {
    let characters: Int
    let bytes: Int

    func tooLongError(at path: FieldPath) -> FieldError {
        FieldError(path, .tooLong, ["limit": .integer(Int64(characters))])
    }
}

/// The kind of a scalar in a line.
enum ScalarKind {
    case letter, mark, digit, other, invisible, refused
}

/// Trims one line of plain text and collapses spaces in one pass. Removes scalars that `classifier` calls invisible.
/// Rejects scalars that `classifier` refuses, and tabs and line breaks inside the text.
/// - Parameter classifier: receives the scalar and the one before it, because a mark must follow a letter.
func normalizedLine(
    _ text: String, _ field: FormField, _ limit: TextLimit, invalid: FieldError,
    classify classifier: (_ scalar: Unicode.Scalar, _ previous: Unicode.Scalar?) -> ScalarKind
) -> Result<(text: String, hasLetter: Bool, hasDigit: Bool), FieldError> {
    guard text.utf8.count <= limit.bytes else { return .failure(limit.tooLongError(at: .form(field))) }
    var line = String.UnicodeScalarView()
    line.reserveCapacity(text.utf8.count)
    var previous: Unicode.Scalar?
    var isBlank = true
    var isRefused = false
    var hasLetter = false
    var hasDigit = false
    var hasGap = false
    var hasBreak = false
    var count = 0
    for scalar in text.unicodeScalars {
        // The Braille pattern without dots looks like a space.
        if scalar == " "
            || !scalar.isASCII && (scalar.properties.generalCategory == .spaceSeparator || scalar == "\u{2800}")
        {
            hasGap = true
            previous = nil
            continue
        }
        if scalar.isASCII ? (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace {
            // A tab or a line break is trimmed at both ends and rejected inside the text.
            hasBreak = count > 0
            previous = nil
            continue
        }
        let kind = classifier(scalar, previous)
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
    if count > limit.characters { return .failure(limit.tooLongError(at: .form(field))) }
    return .success((String(line), hasLetter, hasDigit))
}
