// SHA-256 and HMAC-SHA256 with OpenSSL's libcrypto, which libpq links anyway.
// swift-crypto would add its own BoringSSL, a tenth of the time of a clean build.
import COpenSSL

/// A SHA-256 digest of 32 bytes (FIPS 180-4). Comparison takes constant time.
package struct SHA256Digest: Sendable {
    package let bytes: [UInt8]

    /// Fetched once, because a fetch takes as long as computing the digest of a request.
    private nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    /// Computes the digest of a message.
    package init(of message: [UInt8]) {
        var count: UInt32 = 0
        bytes = Self.filled { EVP_Digest(message, message.count, $0, &count, Self.algorithm, nil) == 1 && count == 32 }
    }

    /// Computes the authentication code of a message (HMAC-SHA256).
    package init(authenticating message: [UInt8], with secret: HMACKey) {
        bytes = Self.filled { secret.authenticate(message, into: $0) }
    }

    /// The first `count` bytes, by default all, as lower-case hexadecimal digits.
    package func hexadecimal(bytes count: Int = 32) -> String {
        bytes.prefix(count).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Returns whether the bytes equal the digest, in constant time: the duration does not reveal how many bytes match.
    package func isEqual(to other: [UInt8]) -> Bool {
        bytes.count == other.count && CRYPTO_memcmp(bytes, other, bytes.count) == 0
    }

    private static func filled(by fill: (UnsafeMutablePointer<UInt8>) -> Bool) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, written in
            guard let start = buffer.baseAddress, fill(start) else { fatalError("libcrypto cannot compute SHA-256") }
            written = 32
        }
    }
}

extension SHA256Digest: Equatable {
    package static func == (left: SHA256Digest, right: SHA256Digest) -> Bool { left.isEqual(to: right.bytes) }
}
