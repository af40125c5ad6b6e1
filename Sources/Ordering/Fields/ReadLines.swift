// How a text of several lines is read: a comment, a note for the kitchen. Used by their parsers only.
// Read next: TextLimit.swift, which has the limit and the same for one line.

/// Reads plain text of one or more lines: trims it, ends its lines with `\n`; nil when blank, or where nobody could see a character of it.
/// Removes the invisible characters that no script and no emoji needs.
///
/// - Parameter invalid: for control characters.
func readLines(_ text: String, _ path: FieldPath, _ limit: TextLimit, invalid: FieldError) -> Result<String?, FieldError> {
    guard text.utf8.count <= limit.bytes else { return .failure(limit.error(path)) }
    var lines = String.UnicodeScalarView()
    var count = 0
    var gap = String.UnicodeScalarView()
    var followsReturn = false
    var isSeen = false
    for scalar in text.unicodeScalars {
        if followsReturn, scalar == "\n" {
            followsReturn = false
            continue
        }
        followsReturn = scalar == "\r"
        // ASCII is told without Unicode's tables: most comments are nothing else, and these cost 50 ns a character.
        let category = scalar.isASCII && !scalar.isASCIIControl && scalar != " " ? .otherLetter : scalar.properties.generalCategory
        switch category {
        case .control where scalar == "\n" || scalar == "\r", .lineSeparator, .paragraphSeparator: gap.append("\n")
        case .control, .privateUse, .unassigned, .surrogate: return .failure(invalid)
        case .format where scalar.isNeverNeeded: continue
        case .spaceSeparator: gap.append(scalar)
        default:
            // White space is written once something follows it, and not before the first word: that trims both ends.
            if !gap.isEmpty {
                if count > 0 {
                    lines.append(contentsOf: gap)
                    count += gap.count
                }
                gap = String.UnicodeScalarView()
            }
            isSeen = isSeen || category != .format && !scalar.isInvisible && scalar != "\u{2800}"
            lines.append(scalar)
            count += 1
        }
    }
    guard count <= limit.characters else { return .failure(limit.error(path)) }
    return .success(isSeen ? String(lines) : nil)
}
