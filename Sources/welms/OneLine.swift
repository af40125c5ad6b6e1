// What a client sent can stand in a log, in a path for instance, and can't look like a line of its own there, nor like colours or another
// direction of writing. Used by both log handlers.

extension String {
    /// The text with control characters, other line ends and marks of direction written as `\u{1B}`.
    var onOneLine: String {
        guard unicodeScalars.contains(where: \.breaksLines) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.breaksLines {
                result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// C0 and C1 controls, the line and paragraph separators, and what turns the direction around.
    fileprivate var breaksLines: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
