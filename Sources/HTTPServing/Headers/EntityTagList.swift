// Parses If-None-Match and If-Match (RFC 9110, sections 13.1.1 and 13.1.2) in linear time without allocation.
// Hummingbird compares the raw header, so a list, a weak tag or `*` never matches there.

enum EntityTagList {
    /// Whether the list contains the tag, or is `*`.
    /// - Parameters:
    ///   - tag: The tag without its quotes.
    ///   - takesWeak: Whether weak tags match (weak comparison).
    static func contains(_ value: String, _ tag: String, takesWeak: Bool) -> Bool {
        let value = value.utf8
        var rest = value[...]
        while true {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
            guard let first = rest.first else { return false }
            if first == UInt8(ascii: "*") {
                // `*` is valid only by itself, not as a list member.
                return rest.dropFirst().allSatisfy { $0 == 0x20 || $0 == 0x09 }
                    && value.allSatisfy { $0 != UInt8(ascii: ",") }
            }
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            let opaque: Substring.UTF8View
            if rest.first == UInt8(ascii: "\"") {
                // A comma inside quotes belongs to the tag. An unterminated quote ends the list without a match.
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return false }
                opaque = rest[..<end]
                rest = rest[rest.index(after: end)...]
            } else {
                opaque = rest.prefix { $0 != UInt8(ascii: ",") && $0 != 0x20 && $0 != 0x09 }
                rest = rest[opaque.endIndex...]
            }
            if !isWeak || takesWeak, opaque.elementsEqual(tag.utf8) { return true }
        }
    }
}
