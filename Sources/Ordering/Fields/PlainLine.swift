// One line of plain text that staff send over HTTP and guests read, with the rules of SQL's is_plain_text.

/// Plain text in one line: no mark-up, no control characters, trimmed, with at least one visible character.
package struct PlainLine: Hashable, Sendable {
    /// The reason why a text is rejected.
    package enum ParsingError: Error, Hashable, Sendable {
        /// More characters (Unicode scalars) than the limit.
        case tooLong
        /// Mark-up or unprintable characters.
        case invalid
    }

    /// A text that `is_plain_text` of sql/000_rules.sql accepts with the same limit.
    package let text: String

    /// Parses a line; nil if blank. Line breaks and tabs become spaces. Unneeded invisible characters are removed.
    /// Joiners and variation selectors stay, because emoji need them.
    package static func parse(_ text: String, limit: Int) -> Result<PlainLine?, ParsingError> {
        var line = String.UnicodeScalarView()
        var count = 0
        var gap = String.UnicodeScalarView()
        var hasVisibleCharacter = false
        for scalar in text.unicodeScalars {
            if scalar.isNeverNeeded { continue }
            if scalar.properties.isWhitespace {
                // Appends white space only between words, which trims both ends.
                if scalar.properties.generalCategory == .spaceSeparator {
                    gap.append(scalar)
                } else if gap.last != " " {
                    gap.append(" ")
                }
                continue
            }
            switch scalar.properties.generalCategory {
            case .control, .privateUse, .unassigned, .surrogate: return .failure(.invalid)
            default: if scalar == "<" || scalar == ">" { return .failure(.invalid) }
            }
            if count > 0 {
                line.append(contentsOf: gap)
                count += gap.count
            }
            gap = String.UnicodeScalarView()
            hasVisibleCharacter = hasVisibleCharacter || !scalar.isInvisible && scalar != "\u{2800}"
            line.append(scalar)
            count += 1
        }
        guard count <= limit else { return .failure(.tooLong) }
        return .success(hasVisibleCharacter ? PlainLine(text: String(line)) : nil)
    }

    private init(text: String) { self.text = text }
}
