// The guest's email address, one of the two keys that tell guests apart. Parsed by CheckoutForm.

/// A valid e-mail address as the HTML standard defines it (html.spec.whatwg.org, "valid e-mail address").
package struct EmailAddress: Hashable, Sendable {
    /// As the guest wrote it, at most 254 ASCII characters (RFC 5321, 4.5.3.1.3).
    package let text: String
    /// In lower case: two orders with equal ones are the same guest's.
    package let comparable: String

    /// Four bytes a character, so that a text of fewer than 254 characters is never called too long.
    private static let limit = TextLimit(characters: 254, bytes: 1016)

    /// Reads an address, without white space around it and without invisible characters; `required` when blank, else
    /// `invalid_email` or `too_long`.
    package static func parse(_ text: String) -> Result<EmailAddress, FieldError> {
        guard text.utf8.count <= limit.bytes else { return .failure(limit.error(.form(.email))) }
        let scalars = text.withoutInvisibles.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else {
            return .failure(FieldError(.email, .required))
        }
        let written = String(scalars[first...last])
        guard written.unicodeScalars.count <= limit.characters else { return .failure(limit.error(.form(.email))) }
        guard isValid(Array(written.utf8)[...]) else { return .failure(FieldError(.email, .invalidEmail)) }
        return .success(EmailAddress(text: written, comparable: written.lowercased()))
    }

    /// The white space that HTML strips from an email field, and all of Unicode's that is not ASCII, such as a no-break
    /// space.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? scalar == " " || (0x09...0x0D).contains(scalar.value) && scalar.value != 0x0B
            : scalar.properties.isWhitespace
    }

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
