// What the guest wants the kitchen or the courier to know. Parsed by CheckoutForm.

/// Plain text of one or more lines. It is stored as typed, "<3" too: whoever shows it escapes it for the place where it is shown.
package struct OrderComment: Hashable, Sendable {
    /// 1…500 characters (Unicode scalars), at most 2,000 bytes; lines end with `\n`.
    package let text: String

    private static let limit = TextLimit(characters: 500, bytes: 2_000)

    /// Reads a comment; nil when blank, `too_long`, or `invalid_comment` for control characters and for those that turn the
    /// direction of the text around it.
    package static func parse(_ text: String) -> Result<OrderComment?, FieldError> {
        guard text.utf8.count <= limit.bytes else { return .failure(limit.error(.comment)) }
        var lines = String.UnicodeScalarView()
        var count = 0
        var gap = String.UnicodeScalarView()
        var followsReturn = false
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
            case .control, .privateUse, .unassigned, .surrogate: return .failure(FieldError(.comment, .invalidComment))
            case .format where scalar.overridesDirection: return .failure(FieldError(.comment, .invalidComment))
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
                lines.append(scalar)
                count += 1
            }
        }
        guard count <= limit.characters else { return .failure(limit.error(.comment)) }
        return .success(count == 0 ? nil : OrderComment(text: String(lines)))
    }
}

extension Unicode.Scalar {
    /// Embeddings, overrides and isolates: unclosed, they would turn the rest of a kitchen ticket around.
    fileprivate var overridesDirection: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}
