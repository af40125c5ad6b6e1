// The guest's email address, one of the two guest keys.

/// A valid e-mail address as the HTML standard defines it (html.spec.whatwg.org, "valid e-mail address").
package struct EmailAddress: Hashable, Sendable {
    /// As the guest wrote it, at most 254 ASCII characters (RFC 5321, 4.5.3.1.3).
    package let text: String
    /// In lower case. Orders with equal values belong to the same guest.
    package let comparisonKey: String

    /// Four bytes per character, so that the limit in bytes never rejects a text of at most 254 characters.
    private static let limit = TextLimit(characters: 254, bytes: 1016)

    /// Parses an address without surrounding white space and invisible characters.
    /// Returns `required` if blank, else `invalid_email` or `too_long`.
    package static func parse(_ text: String) -> Result<EmailAddress, FieldError> {
        guard text.utf8.count <= limit.bytes else { return .failure(limit.tooLongError(at: .form(.email))) }
        let scalars = text.withoutInvisibles.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else {
            return .failure(FieldError(.email, .required))
        }
        let trimmed = String(scalars[first...last])
        guard trimmed.unicodeScalars.count <= limit.characters else {
            return .failure(limit.tooLongError(at: .form(.email)))
        }
        guard isValid(Array(trimmed.utf8)[...]) else { return .failure(FieldError(.email, .invalidEmail)) }
        return .success(EmailAddress(text: trimmed, comparisonKey: trimmed.lowercased()))
    }

    /// The white space that HTML strips from an email field, and Unicode's white space that is not ASCII.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? scalar == " " || (0x09...0x0D).contains(scalar.value) && scalar.value != 0x0B
            : scalar.properties.isWhitespace
    }

    /// Checks in one pass: a local part, one @, and labels of 1…63 letters, digits and inner hyphens.
    private static func isValid(_ address: ArraySlice<UInt8>) -> Bool {
        guard let atSign = address.firstIndex(of: UInt8(ascii: "@")), atSign > address.startIndex else { return false }
        guard address[..<atSign].allSatisfy(isLocalPartCharacter) else { return false }
        var length = 0
        var previous = UInt8(ascii: ".")
        for byte in address[(atSign + 1)...] {
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
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isLocalPartCharacter(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }
}
