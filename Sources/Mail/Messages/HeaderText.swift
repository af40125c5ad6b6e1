// Text of people in a header of a mail (RFC 2047). Used by MailMessage and MailSender: nothing else writes a header's value.

/// A value that can't end its line: what is not plain ASCII is encoded, and control characters are spaces.
enum HeaderText {
    /// As unstructured text, for a subject.
    static func unstructured(_ text: String) -> String {
        let line = oneLine(text)
        return isPlain(line) && !line.contains("=?") ? line : encoded(line)
    }

    /// As the name before an address (RFC 5322, section 3.2.5).
    static func phrase(_ text: String) -> String {
        let line = oneLine(text)
        guard isPlain(line), !line.contains("=?") else { return encoded(line) }
        return "\"" + line.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "\""
    }

    /// Without what ends a line or can't be seen.
    static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0 }))
    }

    /// What needs no encoding; longer lines are folded where they are encoded words.
    private static func isPlain(_ text: String) -> Bool { text.utf8.count <= 60 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    /// Encoded words of at most 75 characters, a line each: 42 bytes are 56 in base64. Cut between scalars, as section 5 wants.
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
            for place in 0..<4 { text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : "=") }
        }
        return text
    }
}
