// Splits SQL into tokens and statements, because a migration outside a transaction runs statement by statement.

/// A word, a quoted text or a symbol of SQL.
struct SQLToken: Hashable {
    /// The text as PostgreSQL compares it: a word outside of quotes is in lower case.
    let text: String
    /// Its bytes in the UTF-8 of the source.
    let range: Range<Int>
}

/// Reads the tokens of a SQL text, without white space and comments. It does not know the bodies of SQL-standard
/// functions (`begin atomic`), which contain semicolons.
struct SQLLexer {
    private let bytes: [UInt8]
    private var position = 0

    init(_ sql: String) { bytes = Array(sql.utf8) }

    /// All tokens of the text.
    static func tokens(in sql: String) -> [SQLToken] {
        var lexer = SQLLexer(sql)
        var tokens: [SQLToken] = []
        while let token = lexer.next() { tokens.append(token) }
        return tokens
    }

    /// The statements of the text, each from its first to its last token, without the semicolon.
    static func statements(in sql: String) -> [String] {
        let bytes = Array(sql.utf8)
        let statements = tokens(in: sql).split { $0.text == ";" }
        return statements.compactMap { tokens in
            guard let first = tokens.first, let last = tokens.last else { return nil }
            return String(decoding: bytes[first.range.lowerBound..<last.range.upperBound], as: UTF8.self)
        }
    }

    /// Returns the next token; nil at the end.
    mutating func next() -> SQLToken? {
        skipSpaceAndComments()
        guard position < bytes.count else { return nil }
        let start = position
        switch bytes[start] {
        case UInt8(ascii: "'"): skipString(hasEscapes: false)
        case UInt8(ascii: "\""): skip(through: "\"")
        case UInt8(ascii: "$"): skipDollarQuote()
        case let byte where Self.isPartOfWord(byte):
            while position < bytes.count, Self.isPartOfWord(bytes[position]) || isAt("$") { position += 1 }
            let word = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
            // The prefix of a string, as in E'a\'b'.
            if isAt("'"), word == "e" { skipString(hasEscapes: true) } else { return token(from: start, word) }
        default: position += 1
        }
        return token(from: start, String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private func token(from start: Int, _ text: String) -> SQLToken { SQLToken(text: text, range: start..<position) }

    private mutating func skipSpaceAndComments() {
        while position < bytes.count {
            if isAt("--") {
                while position < bytes.count, !isAt("\n") { position += 1 }
            } else if isAt("/*") {
                skipBlockComment()
            } else if bytes[position] <= UInt8(ascii: " ") {
                position += 1
            } else {
                return
            }
        }
    }

    /// Skips a block comment, which may contain others.
    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                (depth, position) = (depth + 1, position + 2)
            } else if isAt("*/") {
                (depth, position) = (depth - 1, position + 2)
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    /// Skips a string. A doubled quote ends it and begins another one, which leads to the same statements.
    private mutating func skipString(hasEscapes: Bool) {
        position += 1
        while position < bytes.count, !isAt("'") { position += hasEscapes && isAt("\\") ? 2 : 1 }
        position = min(position + 1, bytes.count)
    }

    /// Skips a text between dollar quotes, such as `$body$ … $body$`, or a single `$`.
    private mutating func skipDollarQuote() {
        let tag = bytes[(position + 1)...].prefix { Self.isPartOfWord($0) }
        let isParameter = tag.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
        let end = position + 1 + tag.count
        guard !isParameter, end < bytes.count, bytes[end] == UInt8(ascii: "$") else {
            position += 1
            return
        }
        let quote = String(decoding: bytes[position...end], as: UTF8.self)
        skip(through: quote)
    }

    /// Skips an opening quote and everything up to and including the closing one.
    private mutating func skip(through quote: String) {
        position += quote.utf8.count
        while position < bytes.count, !isAt(quote) { position += 1 }
        position = min(position + quote.utf8.count, bytes.count)
    }

    private func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
