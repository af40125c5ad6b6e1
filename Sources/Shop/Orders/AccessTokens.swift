// Order tokens: an HMAC of the order's id under a secret of the shop, so that tokens need no storage and a replay
// returns the same one. The secret is in shop_secrets (sql/004_orders.sql).
import Digests
import FoundationEssentials
import Ordering

/// Makes and verifies order tokens.
package struct AccessTokens: Sendable {
    private let secret: HMACKey

    /// - Parameter secret: The same on all servers of a shop.
    init(secret: [UInt8]) { self.secret = HMACKey(secret) }

    /// HMAC-SHA256 (RFC 2104) of the id's 16 bytes, in base64url: 43 characters.
    package func token(for order: OrderID) -> String {
        SHA256Digest(authenticating: withUnsafeBytes(of: order.uuid.uuid) { Array($0) }, with: secret).bytes.base64URL
    }

    /// Whether `token` is the token of the order, in the canonical encoding. Compares in constant time.
    package func isValid(_ token: String, for order: OrderID) -> Bool {
        let expected = self.token(for: order).utf8
        guard token.utf8.count == expected.count else { return false }
        return zip(token.utf8, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
