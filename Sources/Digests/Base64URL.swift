// Bytes as text that stands in an address as it is. Used by Shop's AccessTokens and Web's Cursor.
// By hand, for a token is on the way of every checkout: Foundation's base64 with three replacements takes longer than the HMAC.

extension [UInt8] {
    /// Base64url without padding (RFC 4648, section 5): four characters for each three bytes.
    package var base64URL: String {
        String(unsafeUninitializedCapacity: (count * 4 + 2) / 3) { text in
            var (written, bits, rest) = (0, 0, 0)
            func write(_ value: Int) {
                text[written] = Self.digit(value & 63)
                written += 1
            }
            for byte in self {
                bits = (bits << 8 | Int(byte)) & 0xFFFF
                rest += 8
                while rest >= 6 {
                    rest -= 6
                    write(bits >> rest)
                }
            }
            if rest > 0 { write(bits << (6 - rest)) }
            return written
        }
    }

    private static func digit(_ value: Int) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + UInt8(value)
        case 26..<52: UInt8(ascii: "a") + UInt8(value - 26)
        case 52..<62: UInt8(ascii: "0") + UInt8(value - 52)
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }
}
