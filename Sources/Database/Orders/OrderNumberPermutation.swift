// The permutation behind order numbers: the same as order_number in sql/004_orders.sql, with the same secret.
import Digests

/// A keyed permutation of 0...99,999,999: a Feistel network of four rounds with SHA-256.
package struct OrderNumberPermutation: Sendable {
    /// The secret, and four bytes for a value.
    private let template: [UInt8]

    /// Makes the permutation of a shop.
    package init(secret: [UInt8]) { template = secret + [0, 0, 0, 0] }

    /// The order number for a value of order_sequence: eight digits.
    package func number(at position: Int64) -> String {
        var (high, low) = position.quotientAndRemainder(dividingBy: 10_000)
        var message = template
        // The rounds change the halves alternately, so they need not be swapped.
        high = (high + Self.hash(10_000 + low, &message)) % 10_000
        low = (low + Self.hash(20_000 + high, &message)) % 10_000
        high = (high + Self.hash(30_000 + low, &message)) % 10_000
        low = (low + Self.hash(40_000 + high, &message)) % 10_000
        return String(String(100_000_000 + high * 10_000 + low).dropFirst())
    }

    /// The first three bytes of the digest of the secret and four bytes of the value.
    private static func hash(_ value: Int64, _ message: inout [UInt8]) -> Int64 {
        for byte in 1...4 { message[message.count - byte] = UInt8(truncatingIfNeeded: value >> (8 * (byte - 1))) }
        return SHA256Digest(of: message).bytes.prefix(3).reduce(0) { $0 << 8 | Int64($1) }
    }
}
