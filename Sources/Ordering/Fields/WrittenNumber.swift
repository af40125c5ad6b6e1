// A phone number as people write it, read from left to right in one pass. Used by PhoneNumber only.

/// The digits of a written number, and whether it began with +.
struct WrittenNumber {
    private(set) var digits = ""
    private(set) var hasPlus = false

    private enum Place { case start, afterPlus, afterDigit, afterDash, inside, afterInside }

    /// Nil where a sign stands at no sensible place: a dash, dot, slash or ~ (8~10, wait for the tone) needs digits on both sides,
    /// parentheses hold 1…5 digits (also as in (0-612)) and don't nest, and + stands first. Spaces may stand anywhere, and all signs may be full-width.
    /// Invisible characters are passed over, and so are tabs and new lines at both ends.
    init?(_ text: String) {
        var place = Place.start
        var group = ""
        var isOver = false
        for scalar in text.unicodeScalars.lazy.map(\.narrow) {
            if scalar.isASCII
                ? scalar == " " : scalar.isInvisible || scalar.properties.generalCategory == .spaceSeparator
            {
                continue
            }
            if scalar.isASCII ? (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace {
                isOver = place != .start
                continue
            }
            if isOver { return nil }
            if let digit = scalar.decimalDigit {
                if place == .inside { group.unicodeScalars.append(digit) } else { digits.unicodeScalars.append(digit) }
                if place != .inside { place = .afterDigit }
                continue
            }
            switch (scalar, place) {
            case ("+", .start):
                hasPlus = true
                place = .afterPlus
            case ("+", .inside) where digits.isEmpty && group.isEmpty && !hasPlus:
                hasPlus = true
            case ("-", .afterDigit), (".", .afterDigit), ("/", .afterDigit), ("~", .afterDigit), ("‐"..."–", .afterDigit),
                ("−", .afterDigit), ("-", .afterInside), (".", .afterInside), ("/", .afterInside), ("‐"..."–", .afterInside),
                ("−", .afterInside):
                place = .afterDash
            case ("(", .start), ("(", .afterPlus), ("(", .afterDigit), ("(", .afterDash), ("(", .afterInside):
                place = .inside
                group = ""
            case ("-", .inside) where !group.isEmpty: continue
            case (")", .inside):
                guard (1...5).contains(group.utf8.count) else { return nil }
                digits += group
                place = .afterInside
            default: return nil
            }
        }
        guard place == .afterDigit || place == .afterInside else { return nil }
    }
}

extension Unicode.Scalar {
    /// The ASCII character that a full-width one (U+FF01…FF5E, as Japanese keyboards make them) is the wide form of.
    var narrow: Unicode.Scalar { (0xFF01...0xFF5E).contains(value) ? Unicode.Scalar(UInt8(value - 0xFEE0)) : self }

    /// "0"…"9" for a decimal digit of any script.
    var decimalDigit: Unicode.Scalar? {
        if isASCII { return ("0"..."9").contains(self) ? self : nil }
        guard properties.numericType == .decimal, let value = properties.numericValue, (0...9).contains(value) else { return nil }
        return Unicode.Scalar(0x30 + UInt8(value))
    }
}
