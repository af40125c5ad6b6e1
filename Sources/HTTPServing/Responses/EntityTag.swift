// The strong ETag of a response: equal tags mean equal bytes (RFC 9110, section 8.8.3). Derived from the bytes, or
// from everything that determines them, including the program's response shape.
import Digests

/// A strong entity tag.
package struct EntityTag: Hashable, Sendable {
    /// The tag without quotes: letters, digits and dashes.
    package let opaque: String

    /// A tag of the bytes: half of their SHA-256, 128 bits, for which no attacker can construct a collision.
    package init(hashing bytes: [UInt8]) {
        opaque = SHA256Digest(of: bytes).hexadecimal(bytes: 16)
    }

    /// The tag of the gzip variant: different bytes need a different strong tag (RFC 9110, section 8.8.3.3).
    var gzip: EntityTag { EntityTag(opaque: opaque + "-gzip") }

    package init(opaque: String) { self.opaque = opaque }

    /// The header value, with quotes.
    package var header: String { "\"\(opaque)\"" }
}
