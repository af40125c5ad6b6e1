// Removes the comments of style sheets. They begin and end anywhere in a line, so the bytes are read in the tokens of
// CSS (CSS Syntax Level 3, section 4).

/// A style sheet while its bytes are copied without its comments.
struct StyleComments {
    private let source: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    private init(of sheet: String) { source = Array(sheet.utf8) }

    /// The sheet without its comments, and without the lines that contain nothing else. Strings and addresses in
    /// `url(…)` stay as they are.
    static func removed(from sheet: String, name: String) throws(ScriptBundler.BundlingError) -> String {
        var comments = StyleComments(of: sheet)
        while let byte = comments.next {
            switch byte {
            case UInt8(ascii: "/") where comments.byte(at: 1) == UInt8(ascii: "*"):
                guard comments.skipComment() else {
                    throw ScriptBundler.BundlingError(name: name, reason: "/* has no matching */")
                }
            case UInt8(ascii: "\""), UInt8(ascii: "'"): comments.copyString(quote: byte)
            case UInt8(ascii: "(") where comments.isAfterURL: comments.copyAddress()
            default: comments.copyCharacter()
            }
        }
        return String(decoding: comments.output, as: UTF8.self)
    }

    /// The first byte that is not copied yet.
    private var next: UInt8? { byte(at: 0) }

    private func byte(at offset: Int) -> UInt8? {
        position + offset < source.count ? source[position + offset] : nil
    }

    /// Copies one byte, or a backslash with the byte that it escapes.
    private mutating func copyCharacter() {
        let length = next == UInt8(ascii: "\\") ? 2 : 1
        output += source[position...].prefix(length)
        position += length
    }

    /// Copies a string up to its closing quote, or up to the end of the line, which ends an invalid string.
    private mutating func copyString(quote: UInt8) {
        copyCharacter()
        while let byte = next {
            copyCharacter()
            if byte == quote || byte == Self.newline { return }
        }
    }

    /// Whether the copied bytes end with the name `url`.
    private var isAfterURL: Bool {
        let end = String(decoding: output.suffix(4), as: UTF8.self).lowercased()
        guard end.hasSuffix("url") else { return false }
        return end.dropLast(3).allSatisfy { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }
    }

    /// Copies an address up to its parenthesis. An address with quotes is copied as a string.
    private mutating func copyAddress() {
        repeat { copyCharacter() } while Self.isWhiteSpace(next)
        guard next != UInt8(ascii: "\""), next != UInt8(ascii: "'") else { return }
        while let byte = next, byte != UInt8(ascii: ")") { copyCharacter() }
    }

    /// Skips a comment; false if it has no end. Copies `/**/` if the comment alone separates its neighbours, because
    /// white space has a meaning in selectors.
    private mutating func skipComment() -> Bool {
        position += 2
        while byte(at: 0) != UInt8(ascii: "*") || byte(at: 1) != UInt8(ascii: "/") {
            guard position < source.count else { return false }
            position += 1
        }
        position += 2
        let indentation = output.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        let before = output.dropLast(indentation).last
        if next == Self.newline, before == nil || before == Self.newline {
            output.removeLast(indentation)
            position += 1
        } else if next != nil, output.last != nil, !Self.isWhiteSpace(next), !Self.isWhiteSpace(output.last) {
            output += Array("/**/".utf8)
        }
        return true
    }

    private static let newline = UInt8(ascii: "\n")

    private static func isWhiteSpace(_ byte: UInt8?) -> Bool {
        [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), newline].contains(byte)
    }
}
