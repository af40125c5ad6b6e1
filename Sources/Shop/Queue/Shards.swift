// Computes the shard of a basket, as Citus distributes a table by a uuid, so that the jobs of a batch are on one shard.
// A wrong shard would cost a round trip between machines, but would change no outcome.
import FoundationEssentials
import Ordering

/// A number of shards; 1 without distribution.
package struct Shards: Sendable, Hashable {
    /// The number of shards.
    package let count: Int

    /// A database without distribution.
    package static let single = Shards(count: 1)

    private init(count: Int) { self.count = count }

    /// Nil unless the count is between 1 and 1024.
    package init?(_ count: Int) {
        guard (1...1024).contains(count) else { return nil }
        self.count = count
    }

    /// The index of a basket's shard, from 0: `(uuid_hash(id)::bigint + 2147483648) / (4294967296 / count)`.
    /// Citus gives each shard an equal part of the hash range, and the last one also the remainder.
    func shard(of basket: BasketID) -> Int {
        guard count > 1 else { return 0 }
        let hash = UInt64(UInt32(bitPattern: Self.uuidHash(of: basket)) ^ 0x8000_0000)
        return min(Int(hash / ((1 << 32) / UInt64(count))), count - 1)
    }

    /// PostgreSQL's `uuid_hash`: Bob Jenkins' lookup3 of the 16 bytes, with the seed of hash_bytes
    /// (src/common/hashfn.c).
    static func uuidHash(of basket: BasketID) -> Int32 {
        // The first twelve bytes go through a full mix, and the last four through the final mix.
        let words = withUnsafeBytes(of: basket.uuid.uuid) { bytes in
            (0..<4).map { UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)) }
        }
        let start: UInt32 = 0x9e37_79b9 &+ 16 &+ 3_923_095
        var (a, b, c) = (start &+ words[0], start &+ words[1], start &+ words[2])

        a &-= c
        a ^= rotated(c, 4)
        c &+= b
        b &-= a
        b ^= rotated(a, 6)
        a &+= c
        c &-= b
        c ^= rotated(b, 8)
        b &+= a
        a &-= c
        a ^= rotated(c, 16)
        c &+= b
        b &-= a
        b ^= rotated(a, 19)
        a &+= c
        c &-= b
        c ^= rotated(b, 4)
        b &+= a

        a &+= words[3]

        c ^= b
        c &-= rotated(b, 14)
        a ^= c
        a &-= rotated(c, 11)
        b ^= a
        b &-= rotated(a, 25)
        c ^= b
        c &-= rotated(b, 16)
        a ^= c
        a &-= rotated(c, 4)
        b ^= a
        b &-= rotated(a, 14)
        c ^= b
        c &-= rotated(b, 24)
        return Int32(bitPattern: c)
    }

    private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
}
