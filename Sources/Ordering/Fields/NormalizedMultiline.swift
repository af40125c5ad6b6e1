// Normalises texts of several lines: comments and kitchen notes.

/// Trims plain text of one or more lines and ends its lines with `\n`; nil if blank or without a visible character.
/// Removes the invisible characters that no script and no emoji needs.
/// - Parameter invalid: the error for control characters.
func normalizedMultiline(_ text: String, _ path: FieldPath, _ limit: TextLimit, invalid: FieldError) -> Result<
    String?, FieldError
> {
    guard text.utf8.count <= limit.bytes else { return .failure(limit.tooLongError(at: path)) }
    var lines = String.UnicodeScalarView()
    var count = 0
    var gap = String.UnicodeScalarView()
    var followsReturn = false
    var hasVisibleCharacter = false
    for scalar in text.unicodeScalars {
        if followsReturn, scalar == "\n" {
            followsReturn = false
            continue
        }
        followsReturn = scalar == "\r"
        // Avoids Unicode's tables for ASCII, of which most comments consist: a lookup costs 50 ns per character.
        let category =
            scalar.isASCII && !scalar.isASCIIControl && scalar != " " ? .otherLetter : scalar.properties.generalCategory
        switch category {
        case .control where scalar == "\n" || scalar == "\r", .lineSeparator, .paragraphSeparator: gap.append("\n")
        case .control, .privateUse, .unassigned, .surrogate: return .failure(invalid)
        case .format where scalar.isNeverNeeded: continue
        case .spaceSeparator: gap.append(scalar)
        default:
            // Appends white space only between words, which trims both ends.
            if !gap.isEmpty {
                if count > 0 {
                    lines.append(contentsOf: gap)
                    count += gap.count
                }
                gap = String.UnicodeScalarView()
            }
            hasVisibleCharacter =
                hasVisibleCharacter || category != .format && !scalar.isInvisible && scalar != "\u{2800}"
            lines.append(scalar)
            count += 1
        }
    }
    guard count <= limit.characters else { return .failure(limit.tooLongError(at: path)) }
    return .success(hasVisibleCharacter ? String(lines) : nil)
}
