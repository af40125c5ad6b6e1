// Escapes text of clients for the log, so that it cannot forge lines, set colours or change the writing direction.

extension String {
    /// The text with control characters, line separators and direction marks escaped, such as `\u{1B}`.
    var escapingControlCharacters: String {
        guard unicodeScalars.contains(where: \.needsEscape) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.needsEscape {
                result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// True for C0 and C1 controls, line and paragraph separators, and direction marks.
    fileprivate var needsEscape: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
