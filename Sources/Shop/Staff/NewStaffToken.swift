// A new token of a staff member: shown once, and stored as its digest.
import Digests

/// A new token of a staff member.
package struct NewStaffToken: Sendable {
    /// 64 hexadecimal digits: 256 random bits of the system's generator. Hexadecimal needs no escaping in a header.
    package let text: String

    /// Makes a random token.
    package init() {
        text = (0..<32).map { _ in
            let byte = String(UInt8.random(in: .min ... .max), radix: 16)
            return byte.count == 1 ? "0" + byte : byte
        }.joined()
    }

    /// The SHA-256 digest. 256 random bits can't be guessed, so it needs no salt and no slow function.
    package var digest: [UInt8] { SHA256Digest(of: Array(text.utf8)).bytes }
}
