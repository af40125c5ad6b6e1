// The strong ETag of an answer: equal tags are equal bytes (RFC 9110, section 8.8.3).
// Made of the bytes themselves. Read next: Conditions.swift.
import Crypto

/// A strong entity tag.
package struct EntityTag: Hashable, Sendable {
    /// What stands between the quotes; letters, digits and dashes.
    package let opaque: String

    /// A tag of the bytes: half of their SHA-256, 128 bits, which nobody can make collide on purpose.
    package init(hashing bytes: [UInt8]) {
        opaque = SHA256.hash(data: bytes).prefix(16).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// The tag of the same content as gzip: other bytes, so another strong tag (RFC 9110, section 8.8.3.3).
    var gzip: EntityTag { EntityTag(opaque: opaque + "-gzip") }

    init(opaque: String) { self.opaque = opaque }

    /// As in the header, with its quotes.
    package var header: String { "\"\(opaque)\"" }
}
