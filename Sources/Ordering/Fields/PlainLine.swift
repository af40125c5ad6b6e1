// One line of plain text that staff send over HTTP and that guests read, held to the same rules as SQL's is_plain_text.
// Parsed by Web's StaffShop.swift.

/// Plain text in one line: no mark-up, no control characters, no space at either end, something to see.
package struct PlainLine: Hashable, Sendable {
    /// Why a text is refused.
    package enum Fault: Error, Hashable, Sendable {
        /// More characters (Unicode scalars) than the limit.
        case tooLong
        /// Mark-up or characters that can't be printed.
        case invalid
    }

    /// Accepted by `is_plain_text` of sql/000_rules.sql with the same limit.
    package let text: String

    /// Reads a line; nil when blank. Line breaks and tabs become spaces. Invisible characters that nothing needs are
    /// removed. Joiners and variation selectors stay, because emoji need them.
    package static func parse(_ text: String, limit: Int) -> Result<PlainLine?, Fault> {
        var line = String.UnicodeScalarView()
        var count = 0
        var gap = String.UnicodeScalarView()
        var isSeen = false
        for scalar in text.unicodeScalars {
            if scalar.isNeverNeeded { continue }
            if scalar.properties.isWhitespace {
                // White space is written only between words, which trims both ends.
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
            isSeen = isSeen || !scalar.isInvisible && scalar != "\u{2800}"
            line.append(scalar)
            count += 1
        }
        guard count <= limit else { return .failure(.tooLong) }
        return .success(isSeen ? PlainLine(text: String(line)) : nil)
    }

    private init(text: String) { self.text = text }
}
