// A new token of a member of staff: shown once by `welms staff add`, and kept as its digest.
import Digests

package struct MadeToken: Sendable {
    /// 64 hexadecimal digits: 256 bits of the system's generator. No sign in it needs a thought, neither in a header nor on paper.
    package let text: String

    package init() {
        text = (0..<32).map { _ in
            let byte = String(UInt8.random(in: .min ... .max), radix: 16)
            return byte.count == 1 ? "0" + byte : byte
        }.joined()
    }

    /// SHA-256: of 256 random bits nobody finds the text, so it needs no salt and no slow function.
    package var digest: [UInt8] { SHA256Digest(of: Array(text.utf8)).bytes }
}
