// The strong ETag of an answer: equal tags are equal bytes (RFC 9110, section 8.8.3).
// Made of the bytes themselves, or of all that they are made of, the program's shape among it. Read next: Conditions.swift.
import Digests

/// A strong entity tag.
package struct EntityTag: Hashable, Sendable {
    /// What stands between the quotes; letters, digits and dashes.
    package let opaque: String

    /// A tag of the bytes: half of their SHA-256, 128 bits, which nobody can make collide on purpose.
    package init(hashing bytes: [UInt8]) {
        opaque = SHA256Digest(of: bytes).hexadecimal(bytes: 16)
    }

    /// The tag of the same content as gzip: other bytes, so another strong tag (RFC 9110, section 8.8.3.3).
    var gzip: EntityTag { EntityTag(opaque: opaque + "-gzip") }

    init(opaque: String) { self.opaque = opaque }

    /// As in the header, with its quotes.
    package var header: String { "\"\(opaque)\"" }
}
