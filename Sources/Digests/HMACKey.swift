// A prepared HMAC key. The one-call HMAC function sets up the key for each code and takes three times as long.
import COpenSSL

/// A secret key for HMAC-SHA256 (RFC 2104), of any length.
package final class HMACKey: @unchecked Sendable {
    /// The initialised context. It is only copied, which OpenSSL allows several threads to do at once.
    private let template: OpaquePointer

    /// Prepares the key.
    package init(_ bytes: [UInt8]) {
        let hmac = EVP_MAC_fetch(nil, "HMAC", nil)
        defer { EVP_MAC_free(hmac) }
        var digest = Array("SHA256".utf8CString)
        let context = OSSL_MAC_PARAM_DIGEST.withCString { name in
            // EVP_MAC_init reads the digest's name through the pointer, so the name must stay alive until then.
            digest.withUnsafeMutableBufferPointer { digest in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(name, digest.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_CTX_new(hmac).flatMap {
                    EVP_MAC_init($0, bytes, bytes.count, parameters) == 1 ? $0 : nil
                }
            }
        }
        guard let context else { fatalError("libcrypto cannot compute HMAC-SHA256") }
        template = context
    }

    deinit { EVP_MAC_CTX_free(template) }

    /// Writes the 32 bytes of the message's authentication code to `code`. Returns false when libcrypto fails.
    func authenticate(_ message: [UInt8], into code: UnsafeMutablePointer<UInt8>) -> Bool {
        guard let context = EVP_MAC_CTX_dup(template) else { return false }
        defer { EVP_MAC_CTX_free(context) }
        var count = 0
        return EVP_MAC_update(context, message, message.count) == 1 && EVP_MAC_final(context, code, &count, 32) == 1
            && count == 32
    }
}
