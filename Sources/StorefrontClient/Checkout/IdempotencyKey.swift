// What makes a checkout safe to send again: the same key and basket are the same order, however often they come.

/// A key: 1 to 255 printable ASCII characters.
public struct IdempotencyKey: RawRepresentable, Hashable, Sendable, Codable {
    /// As it is sent.
    public let rawValue: String

    /// A new key of 128 random bits.
    public init() {
        var random = SystemRandomNumberGenerator()
        self.init(random: (random.next(), random.next()))
    }

    /// A key of these bits, as 32 hex digits.
    init(random: (UInt64, UInt64)) {
        func hex(_ number: UInt64) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        rawValue = hex(random.0) + hex(random.1)
    }

    /// A key that was kept; nil for what the server would not take.
    public init?(rawValue: String) {
        guard (1...255).contains(rawValue.utf8.count), rawValue.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.rawValue = rawValue
    }
}
