// Parses the Host header (RFC 9110, section 7.2) in linear time. Does not depend on HTTP types, so that
// Tests/Tools/Fuzz can compile it alone. Neither swift-nio nor Hummingbird checks this header.

/// `uri-host [ ":" port ]` with a non-empty host (RFC 3986, section 3.2.2).
struct HostHeader: Equatable {
    /// The name or address as sent; an IPv6 address includes its brackets.
    let host: String
    /// The port; nil if the header has none.
    let port: UInt16?

    /// Parses a header value; returns nil if it is invalid.
    init?(_ value: String) {
        let bytes = value.utf8
        // A domain name has at most 255 bytes (RFC 1035, section 2.3.4).
        guard bytes.count <= 300 else { return nil }
        var rest = bytes[...]
        if rest.first == UInt8(ascii: "[") {
            guard let closing = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let inside = rest[..<closing].dropFirst()
            guard inside.contains(UInt8(ascii: ":")),
                inside.allSatisfy({ Self.isUnreserved($0) || $0 == UInt8(ascii: ":") })
            else {
                return nil
            }
            rest = rest[bytes.index(after: closing)...]
        } else {
            rest = rest.drop { $0 != UInt8(ascii: ":") }
            guard Self.isName(bytes[..<rest.startIndex]) else { return nil }
        }
        host = String(value[..<rest.startIndex])
        guard let colon = rest.popFirst() else {
            port = nil
            return
        }
        guard colon == UInt8(ascii: ":"), rest.count <= 5, rest.allSatisfy(Self.isDigit) else { return nil }
        guard !rest.isEmpty else {
            port = nil
            return
        }
        guard let number = UInt16(String(Substring(rest))) else { return nil }
        port = number
    }

    /// One or more letters, digits, permitted signs or percent-encoded bytes.
    private static func isName(_ name: Substring.UTF8View) -> Bool {
        var rest = name
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst(), let low = rest.popFirst(), isHexDigit(high), isHexDigit(low) else {
                    return false
                }
            } else if !isUnreserved(byte), !"!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
        }
        return !name.isEmpty
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
