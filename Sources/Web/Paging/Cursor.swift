// An opaque page cursor: returned as `nextCursor`, sent back as the parameter `cursor`.
import Digests
import FoundationEssentials
import Ordering

/// Numbers and a text that belong to one list.
struct Cursor: Equatable {
    /// The longest cursor, that of a menu sorted by title, has 152 bytes.
    private static let maxLength = 256

    let numbers: [Int64]
    let text: [UInt8]

    init(_ numbers: [Int64], _ text: some Sequence<UInt8>) { (self.numbers, self.text) = (numbers, Array(text)) }

    /// Parses a cursor of this list with `count` numbers; nil for anything else.
    init?(_ written: String, of list: String, numbers count: Int) {
        guard written.utf8.count <= Self.maxLength, let bytes = Self.decoded(written), bytes.count >= 8 + 8 * count
        else { return nil }
        let numbers = (0...count).map { index in
            Int64(bitPattern: bytes[(8 * index)..<(8 * index + 8)].reduce(0) { $0 << 8 | UInt64($1) })
        }
        self.init(Array(numbers.dropFirst()), bytes[(8 + 8 * count)...])
        // Rejects non-canonical base64 as well.
        guard self.encoded(for: list) == written else { return nil }
    }

    /// Base64url of a checksum, the numbers (8 bytes each, big-endian) and the text.
    func encoded(for list: String) -> String {
        let payload = numbers.flatMap(Self.bytes) + text
        let check = (Array(list.utf8) + [0] + payload).fnv1a.mixed
        return (Self.bytes(Int64(bitPattern: check)) + payload).base64URL
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// Decodes base64url without padding (RFC 4648, section 5).
    static func decoded(_ text: String) -> [UInt8]? {
        let plain = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return Data(base64Encoded: String(plain) + String(repeating: "=", count: (4 - plain.count % 4) % 4)).map(
            Array.init)
    }
}

extension Sequence<UInt8> {
    /// FNV-1a, 64 bits (RFC 9923): identical on all machines and in all versions.
    var fnv1a: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 } }
}
