// Base64url encoding. Implemented here because every checkout encodes a token:
// Foundation's base64 with three replacements takes longer than the HMAC.

extension [UInt8] {
    /// The bytes as base64url without padding (RFC 4648, section 5): four characters for every three bytes.
    package var base64URL: String {
        String(unsafeUninitializedCapacity: (count * 4 + 2) / 3) { text in
            var (written, bits, bitCount) = (0, 0, 0)
            func write(_ value: Int) {
                text[written] = Self.digit(value & 63)
                written += 1
            }
            for byte in self {
                bits = (bits << 8 | Int(byte)) & 0xFFFF
                bitCount += 8
                while bitCount >= 6 {
                    bitCount -= 6
                    write(bits >> bitCount)
                }
            }
            if bitCount > 0 { write(bits << (6 - bitCount)) }
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
