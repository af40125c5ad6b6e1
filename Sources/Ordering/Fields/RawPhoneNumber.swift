// Scans a phone number as people write it, from left to right in one pass.

/// The digits of a phone number as typed, and whether it began with +.
struct RawPhoneNumber {
    private(set) var digits = ""
    private(set) var hasPlus = false

    private enum State { case start, afterPlus, afterDigit, afterDash, inParentheses, afterParentheses }

    /// Nil if a sign is misplaced. A dash, dot, slash or ~ (8~10, wait for the tone) needs digits on both sides.
    /// Parentheses contain 1…5 digits (also as in (0-612)) and do not nest; + stands first. Spaces may stand anywhere.
    /// Signs may be full-width. Skips invisible characters, and tabs and line breaks at both ends.
    init?(_ text: String) {
        var state = State.start
        var group = ""
        var hasEnded = false
        for scalar in text.unicodeScalars.lazy.map(\.halfWidth) {
            if scalar.isASCII
                ? scalar == " " : scalar.isInvisible || scalar.properties.generalCategory == .spaceSeparator
            {
                continue
            }
            if scalar.isASCII ? (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace {
                hasEnded = state != .start
                continue
            }
            if hasEnded { return nil }
            if let digit = scalar.decimalDigit {
                if state == .inParentheses {
                    group.unicodeScalars.append(digit)
                } else {
                    digits.unicodeScalars.append(digit)
                }
                if state != .inParentheses { state = .afterDigit }
                continue
            }
            switch (scalar, state) {
            case ("+", .start):
                hasPlus = true
                state = .afterPlus
            case ("+", .inParentheses) where digits.isEmpty && group.isEmpty && !hasPlus:
                hasPlus = true
            case ("-", .afterDigit), (".", .afterDigit), ("/", .afterDigit), ("~", .afterDigit),
                ("‐"..."–", .afterDigit),
                ("−", .afterDigit), ("-", .afterParentheses), (".", .afterParentheses), ("/", .afterParentheses),
                ("‐"..."–", .afterParentheses),
                ("−", .afterParentheses):
                state = .afterDash
            case ("(", .start), ("(", .afterPlus), ("(", .afterDigit), ("(", .afterDash), ("(", .afterParentheses):
                state = .inParentheses
                group = ""
            case ("-", .inParentheses) where !group.isEmpty: continue
            case (")", .inParentheses):
                guard (1...5).contains(group.utf8.count) else { return nil }
                digits += group
                state = .afterParentheses
            default: return nil
            }
        }
        guard state == .afterDigit || state == .afterParentheses else { return nil }
    }
}

extension Unicode.Scalar {
    /// The ASCII form of a full-width character (U+FF01…FF5E, typed on Japanese keyboards).
    var halfWidth: Unicode.Scalar { (0xFF01...0xFF5E).contains(value) ? Unicode.Scalar(UInt8(value - 0xFEE0)) : self }

    /// "0"…"9" for a decimal digit of any script.
    var decimalDigit: Unicode.Scalar? {
        if isASCII { return ("0"..."9").contains(self) ? self : nil }
        guard properties.numericType == .decimal, let value = properties.numericValue, (0...9).contains(value) else {
            return nil
        }
        return Unicode.Scalar(0x30 + UInt8(value))
    }
}
