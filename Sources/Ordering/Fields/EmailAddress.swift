// The guest's email address, one of the two keys that tell guests apart. Parsed by CheckoutForm.

/// A valid e-mail address as the HTML standard defines it (html.spec.whatwg.org, "valid e-mail address").
package struct EmailAddress: Hashable, Sendable {
    /// As the guest wrote it, at most 254 ASCII characters (RFC 5321, 4.5.3.1.3).
    package let text: String
    /// In lower case: two orders with equal ones are the same guest's.
    package let comparable: String

    private static let limit = TextLimit(characters: 254, bytes: 320)

    /// Reads an address, white space around it left out; `required` when blank, else `invalid_email` or `too_long`.
    package static func parse(_ text: String) -> Result<EmailAddress, FieldError> {
        guard text.utf8.count <= limit.bytes else { return .failure(limit.error(.form(.email))) }
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else {
            return .failure(FieldError(.email, .required))
        }
        let address = bytes[first...last]
        guard address.count <= limit.characters else { return .failure(limit.error(.form(.email))) }
        guard isValid(address) else { return .failure(FieldError(.email, .invalidEmail)) }
        let written = String(decoding: address, as: UTF8.self)
        return .success(EmailAddress(text: written, comparable: written.lowercased()))
    }

    /// The white space that HTML strips from an email field.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B }

    /// One pass: a local part, one @, and labels of 1…63 letters, digits and inner hyphens.
    private static func isValid(_ address: ArraySlice<UInt8>) -> Bool {
        guard let at = address.firstIndex(of: UInt8(ascii: "@")), at > address.startIndex else { return false }
        guard address[..<at].allSatisfy(isLocal) else { return false }
        var length = 0
        var previous = UInt8(ascii: ".")
        for byte in address[(at + 1)...] {
            switch byte {
            case UInt8(ascii: "."):
                guard length > 0, previous != UInt8(ascii: "-") else { return false }
                length = 0
            case UInt8(ascii: "-"):
                guard length > 0 else { return false }
                length += 1
            default:
                guard isAlphanumeric(byte) else { return false }
                length += 1
            }
            guard length <= 63 else { return false }
            previous = byte
        }
        return length > 0 && previous != UInt8(ascii: "-")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    private static func isLocal(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte) }
}
