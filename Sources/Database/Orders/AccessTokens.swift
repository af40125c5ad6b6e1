// The token that shows a guest's own details: an HMAC of the order's id under a secret of the shop's, so that it needs no storage
// and a repeated checkout gives the same one. Used by Web. The secret is in shop_secrets (sql/004_orders.sql).
import Crypto
import Foundation
import Ordering
import Postgres

/// Makes and checks access tokens.
public struct AccessTokens: Sendable {
    private let secret: SymmetricKey

    init(secret: [UInt8]) {
        self.secret = SymmetricKey(data: secret)
    }

    /// HMAC-SHA256 (RFC 2104) of the id's 16 bytes, in base64url (RFC 4648, section 5): 43 characters.
    public func token(for order: OrderID) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Self.bytes(of: order), using: secret)
        // By bytes, for this is on the way of every checkout: three replacements in a String take longer than the HMAC.
        let text = Data(code).base64EncodedString().utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether `token` is the order's. Compared in constant time.
    public func isValid(_ token: String, for order: OrderID) -> Bool {
        guard token.utf8.count == 43,
            let code = Data(base64Encoded: token.replacing("-", with: "+").replacing("_", with: "/") + "=")
        else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Self.bytes(of: order), using: secret)
    }

    private static func bytes(of order: OrderID) -> [UInt8] {
        withUnsafeBytes(of: order.uuid.uuid) { Array($0) }
    }
}

extension AccessTokens {
    /// The tokens of a shop; the same on all its servers.
    static func load(over connection: PostgresConnection) async throws(PostgresError) -> AccessTokens {
        let secrets = try await connection.query(Statement("load_token_secret", "select access_token from shop_secrets"), .reads) {
            row throws(PostgresError) in try row.next([UInt8].self)
        }
        guard let secret = secrets.first else { throw .undecodable("shop_secrets has no row") }
        return AccessTokens(secret: secret)
    }
}
