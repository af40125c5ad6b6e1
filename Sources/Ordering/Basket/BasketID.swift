// The id of a basket and of its order: opaque, hard to guess, and ordered by time so that new rows are stored
// together.
import FoundationEssentials

/// A UUID; generated ids are of version 7 (RFC 9562, section 5.7) with 74 random bits.
package struct BasketID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The value of PostgreSQL's type uuid.
    package let uuid: UUID

    /// An id from a stored value.
    package init(_ uuid: UUID) { self.uuid = uuid }

    /// Parses the canonical form, 36 characters in lower case (RFC 9562, section 4). Returns nil for anything else.
    package init?(_ text: some StringProtocol) {
        // Checks the length first, so that long text is not copied. The comparison below rejects upper case.
        guard text.utf8.count == 36, let uuid = UUID(uuidString: String(text)) else { return nil }
        self.init(uuid)
        guard description == text else { return nil }
    }

    /// A new id: 48 bits of milliseconds since 1970, 74 random bits, and the version.
    package static func make(now: Instant, random: (UInt64, UInt64)) -> BasketID {
        let milliseconds = UInt64(clamping: now.microseconds / 1000)
        let high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        return BasketID(
            UUID(
                uuid: (
                    byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                    byte(high, 6), byte(high, 7),
                    byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6),
                    byte(low, 7)
                )))
    }

    /// Compares bytes, in the same order as PostgreSQL.
    package static func < (left: BasketID, right: BasketID) -> Bool { left.uuid < right.uuid }

    /// 36 characters in lower case. Hand-written because every response contains ids: lowercasing Foundation's text
    /// takes ten times as long.
    package var description: String {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                func digit(_ value: UInt8) -> UInt8 {
                    value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "a")
                }
                var position = 0
                for (index, byte) in bytes.enumerated() {
                    if [4, 6, 8, 10].contains(index) {
                        text[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    text[position] = digit(byte >> 4)
                    text[position + 1] = digit(byte & 15)
                    position += 2
                }
                return position
            }
        }
    }
}

/// An order has the id of its basket.
package typealias OrderID = BasketID
