// The manager token from the settings. Only its digest is stored, so it can never be printed.
import Digests

/// A token that authenticates as a manager without a member.
package struct StaffToken: Sendable {
    private let digest: SHA256Digest

    /// Nil unless the text has 20 to 1,000 visible ASCII characters: headers carry no others, and shorter tokens can
    /// be guessed.
    package init?(_ text: String) {
        guard (20...1000).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        digest = SHA256Digest(of: Array(text.utf8))
    }

    /// Compares digests in constant time, so that timing reveals neither the length nor a correct prefix.
    func matches(_ text: String) -> Bool { SHA256Digest(of: Array(text.utf8)) == digest }
}
