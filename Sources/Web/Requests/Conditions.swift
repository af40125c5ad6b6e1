// If-None-Match and If-Match (RFC 9110, sections 13.1.1 and 13.1.2), with a parser of our own: Hummingbird compares the raw header,
// so that a list, a weak tag or `*` never matches there. Linear, tolerant of tags without quotes, allocates nothing.
// Called by Response.conditional for reads, and by basket changes. Read next: Responses/EntityTag.swift.

import HTTPTypes

extension Request {
    /// Whether the client holds this version already: answer 304 then. Weak comparison: `W/` makes no difference.
    public func holds(_ current: EntityTag) -> Bool {
        Self.lists(headers[values: .ifNoneMatch], current, takesWeak: true)
    }

    /// Whether If-Match allows a change of this version; true without the header. Strong comparison: a weak tag never matches.
    public func allowsChange(of current: EntityTag) -> Bool {
        !headers.contains(.ifMatch) || Self.lists(headers[values: .ifMatch], current, takesWeak: false)
    }

    /// Throws 412 `precondition_failed` unless If-Match allows a change of this version.
    public func requireMatch(of current: EntityTag) throws(Problem) {
        guard allowsChange(of: current) else { throw Problem.preconditionFailed }
    }

    static func lists(_ values: [String], _ tag: EntityTag, takesWeak: Bool) -> Bool {
        values.contains { lists($0.utf8[...], tag, takesWeak: takesWeak) }
    }

    private static func lists(_ value: Substring.UTF8View, _ tag: EntityTag, takesWeak: Bool) -> Bool {
        var rest = value
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
            if !isWeak || takesWeak, opaque.elementsEqual(tag.opaque.utf8) { return true }
        }
    }
}
