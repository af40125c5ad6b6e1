// The token that shows a guest's own details: an HMAC of the order's id under a secret of the shop's, so that it needs no storage
// and a repeated checkout gives the same one. Used by Web. The secret is in shop_secrets (sql/004_orders.sql), read by Sources/Database/FirstLook.swift.
import Digests
import FoundationEssentials
import Ordering

/// Makes and checks access tokens.
package struct AccessTokens: Sendable {
    private let secret: SHA256Secret

    /// The tokens of a shop; the same on all its servers.
    init(secret: [UInt8]) { self.secret = SHA256Secret(secret) }

    /// HMAC-SHA256 (RFC 2104) of the id's 16 bytes, in base64url: 43 characters.
    package func token(for order: OrderID) -> String {
        SHA256Digest(of: withUnsafeBytes(of: order.uuid.uuid) { Array($0) }, under: secret).bytes.base64URL
    }

    /// Whether `token` is the order's, in the one spelling that we give out. Compared in constant time.
    package func isValid(_ token: String, for order: OrderID) -> Bool {
        let right = self.token(for: order).utf8
        guard token.utf8.count == right.count else { return false }
        return zip(token.utf8, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
