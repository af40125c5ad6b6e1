// SHA-256 and its HMAC, by OpenSSL's libcrypto, which libpq links anyhow: swift-crypto brings a BoringSSL of its own, a tenth of a clean build.
// Used for tokens, entity tags, fingerprints of requests, and the names of photographs and migrations.
import COpenSSL

/// 32 bytes by SHA-256 (FIPS 180-4). Equal digests are found in constant time.
package struct SHA256Digest: Sendable {
    package let bytes: [UInt8]

    /// Looked up once: OpenSSL looks for it as long as the digest of a request takes.
    private nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    /// The digest of a message.
    package init(of message: [UInt8]) {
        var count: UInt32 = 0
        bytes = Self.filled { EVP_Digest(message, message.count, $0, &count, Self.algorithm, nil) == 1 && count == 32 }
    }

    /// The message's authentication code under a secret.
    package init(of message: [UInt8], under secret: SHA256Secret) {
        bytes = Self.filled { secret.authenticate(message, into: $0) }
    }

    /// In lower-case hexadecimal digits, all or the first of them.
    package func hexadecimal(bytes count: Int = 32) -> String {
        bytes.prefix(count).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Whether these bytes are the digest, in constant time: how far they are right does not show.
    package func isEqual(to other: [UInt8]) -> Bool { bytes.count == other.count && CRYPTO_memcmp(bytes, other, bytes.count) == 0 }

    private static func filled(by fill: (UnsafeMutablePointer<UInt8>) -> Bool) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, written in
            guard let start = buffer.baseAddress, fill(start) else { fatalError("libcrypto computes no SHA-256") }
            written = 32
        }
    }
}

extension SHA256Digest: Equatable {
    package static func == (one: SHA256Digest, other: SHA256Digest) -> Bool { one.isEqual(to: other.bytes) }
}
