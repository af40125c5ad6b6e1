// The secret that lets a manager in, from the program's settings. Only its digest is kept, so that nothing can print it.
// Asked by StaffDoor, before the members of staff are.
import Digests

/// What a manager has to show who is no member.
package struct StaffToken: Sendable {
    private let digest: SHA256Digest

    /// Nil unless the text has 20 to 1,000 visible ASCII characters: a header carries no others, and shorter tokens can
    /// be guessed.
    package init?(_ text: String) {
        guard (20...1000).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        digest = SHA256Digest(of: Array(text.utf8))
    }

    /// Compares digests, in constant time: neither the length nor a right beginning shows.
    func isMatched(by text: String) -> Bool { SHA256Digest(of: Array(text.utf8)) == digest }
}
