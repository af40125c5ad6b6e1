// Encodes text for the headers of a mail (RFC 2047). libcurl sends header lines as they are.

/// Makes header values that cannot begin another header: control characters become spaces, and non-ASCII text is
/// encoded.
enum HeaderText {
    /// Encodes unstructured text, such as a subject.
    static func unstructured(_ text: String) -> String {
        let line = singleLine(text)
        return isPlain(line) && !line.contains("=?") ? line : encoded(line)
    }

    /// Encodes the display name before an address (RFC 5322, section 3.2.5).
    static func phrase(_ text: String) -> String {
        let line = singleLine(text)
        guard isPlain(line), !line.contains("=?") else { return encoded(line) }
        return "\"" + line.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "\""
    }

    /// Replaces control characters, line ends included, with spaces.
    static func singleLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0 }))
    }

    /// Whether the text needs no encoding. Text of more than 60 bytes is encoded too, because encoded words can be
    /// folded.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 60 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Encoded words of at most 75 characters, one per line: 42 bytes become 56 in base64. Words are split between
    /// scalars, as section 5 of RFC 2047 requires.
    private static func encoded(_ text: String) -> String {
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > 42 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(base64($0))?=" }.joined(separator: "\r\n ")
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 { text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : "=") }
        }
        return text
    }
}
