// The key that makes a checkout safe to repeat: the same key and basket always return the same order.

/// An idempotency key of 1 to 255 printable ASCII characters.
public struct IdempotencyKey: RawRepresentable, Hashable, Sendable, Codable {
    /// The text that is sent.
    public let rawValue: String

    /// Creates a key from 128 random bits.
    public init() {
        var random = SystemRandomNumberGenerator()
        self.init(random: (random.next(), random.next()))
    }

    /// Creates a key of 32 hex digits from these bits.
    init(random: (UInt64, UInt64)) {
        func hex(_ number: UInt64) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        rawValue = hex(random.0) + hex(random.1)
    }

    /// Creates a key from a stored text; nil if the server would reject it.
    public init?(rawValue: String) {
        guard (1...255).contains(rawValue.utf8.count), rawValue.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self.rawValue = rawValue
    }
}
