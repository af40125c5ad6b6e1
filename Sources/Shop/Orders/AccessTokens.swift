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

    /// HMAC-SHA256 (RFC 2104) of the id's 16 bytes, in base64url (RFC 4648, section 5): 43 characters.
    package func token(for order: OrderID) -> String {
        let code = SHA256Digest(of: withUnsafeBytes(of: order.uuid.uuid) { Array($0) }, under: secret)
        // By hand, for this is on the way of every checkout: Foundation's base64 with three replacements takes longer than the HMAC.
        return String(unsafeUninitializedCapacity: 44) { text in
            var (count, bits, rest) = (0, 0, 0)
            for byte in code.bytes {
                bits = (bits << 8 | Int(byte)) & 0xFFFF
                rest += 8
                while rest >= 6 {
                    rest -= 6
                    text[count] = Self.digit(bits >> rest & 63)
                    count += 1
                }
            }
            text[count] = Self.digit(bits << (6 - rest) & 63)
            return count + 1
        }
    }

    private static func digit(_ value: Int) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + UInt8(value)
        case 26..<52: UInt8(ascii: "a") + UInt8(value - 26)
        case 52..<62: UInt8(ascii: "0") + UInt8(value - 52)
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    /// Whether `token` is the order's, in the one spelling that we give out. Compared in constant time.
    package func isValid(_ token: String, for order: OrderID) -> Bool {
        let right = self.token(for: order).utf8
        guard token.utf8.count == right.count else { return false }
        return zip(token.utf8, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
