// The values of If-None-Match and If-Match (RFC 9110, sections 13.1.1 and 13.1.2), by hand: Hummingbird compares the raw header, so that a list, a
// weak tag or `*` never matches there. Linear, tolerant of tags without quotes, allocates nothing. Called by Conditions.swift.

enum EntityTagList {
    /// Whether the tag stands in the list, or the list is `*`.
    /// - Parameters:
    ///   - tag: What stands between its quotes.
    ///   - takesWeak: Whether a weak tag counts, `W/` making no difference.
    static func contains(_ value: String, _ tag: String, takesWeak: Bool) -> Bool {
        let value = value.utf8
        var rest = value[...]
        while true {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
            guard let first = rest.first else { return false }
            if first == UInt8(ascii: "*") {
                // Only alone: `*` is no member of a list.
                return rest.dropFirst().allSatisfy { $0 == 0x20 || $0 == 0x09 } && value.allSatisfy { $0 != UInt8(ascii: ",") }
            }
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            let opaque: Substring.UTF8View
            if rest.first == UInt8(ascii: "\"") {
                // A comma inside the quotes belongs to the tag; a quote that never closes takes the rest and matches nothing.
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
