// A secret for authentication codes, made ready once: HMAC's own function begins anew for each code, and takes three times as long.
// Held by Shop's AccessTokens. Read next: SHA256Digest.swift.
import COpenSSL

/// What messages are authenticated with by HMAC-SHA256 (RFC 2104); any number of bytes.
package final class SHA256Secret: @unchecked Sendable {
    /// Only ever copied from, which OpenSSL allows several threads at once.
    private let ready: OpaquePointer

    /// Takes the bytes in.
    package init(_ bytes: [UInt8]) {
        let hmac = EVP_MAC_fetch(nil, "HMAC", nil)
        defer { EVP_MAC_free(hmac) }
        var digest = Array("SHA256".utf8CString)
        let made = OSSL_MAC_PARAM_DIGEST.withCString { name in
            // What a parameter points to is read when it is used, not when it is made.
            digest.withUnsafeMutableBufferPointer { digest in
                let parameters = [OSSL_PARAM_construct_utf8_string(name, digest.baseAddress, 0), OSSL_PARAM_construct_end()]
                return EVP_MAC_CTX_new(hmac).flatMap { EVP_MAC_init($0, bytes, bytes.count, parameters) == 1 ? $0 : nil }
            }
        }
        guard let made else { fatalError("libcrypto computes no HMAC-SHA256") }
        ready = made
    }

    deinit { EVP_MAC_CTX_free(ready) }

    /// Writes the 32 bytes of a message's code.
    func authenticate(_ message: [UInt8], into code: UnsafeMutablePointer<UInt8>) -> Bool {
        guard let context = EVP_MAC_CTX_dup(ready) else { return false }
        defer { EVP_MAC_CTX_free(context) }
        var count = 0
        return EVP_MAC_update(context, message, message.count) == 1 && EVP_MAC_final(context, code, &count, 32) == 1 && count == 32
    }
}
