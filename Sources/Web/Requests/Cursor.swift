// Where a page of a list ended, as opaque text: an answer's `nextCursor`, which comes back as the parameter `cursor`. Read and written by
// MenuListing, ListWindow and StaffOrderQuery, each of which says what stands in its own.
import Digests
import FoundationEssentials
import Ordering

/// Some numbers and a text, which belong to one list.
struct Cursor: Equatable {
    /// The longest that we write is that of a menu by title, 152 bytes.
    private static let longest = 256

    let numbers: [Int64]
    let text: [UInt8]

    init(_ numbers: [Int64], _ text: some Sequence<UInt8>) { (self.numbers, self.text) = (numbers, Array(text)) }

    /// Reads a cursor that was written for this list, with so many numbers. Anything else is nil.
    init?(_ written: String, of list: String, numbers count: Int) {
        guard written.utf8.count <= Self.longest, let bytes = Self.decoded(written), bytes.count >= 8 + 8 * count else { return nil }
        let numbers = (0...count).map { index in
            Int64(bitPattern: bytes[(8 * index)..<(8 * index + 8)].reduce(0) { $0 << 8 | UInt64($1) })
        }
        self.init(Array(numbers.dropFirst()), bytes[(8 + 8 * count)...])
        // Also what base64 reads in two ways.
        guard self.written(for: list) == written else { return nil }
    }

    /// Base64url of a check, the numbers (8 bytes each, big-endian), and the text.
    func written(for list: String) -> String {
        let payload = numbers.flatMap(Self.bytes) + text
        let check = (Array(list.utf8) + [0] + payload).fnv1a.mixed
        return (Self.bytes(Int64(bitPattern: check)) + payload).base64URL
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// Reads base64url without padding (RFC 4648, section 5).
    static func decoded(_ text: String) -> [UInt8]? {
        let plain = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return Data(base64Encoded: String(plain) + String(repeating: "=", count: (4 - plain.count % 4) % 4)).map(Array.init)
    }
}

extension Sequence<UInt8> {
    /// FNV-1a, 64 bits (RFC 9923): the same on all machines and in all versions.
    var fnv1a: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 } }
}
