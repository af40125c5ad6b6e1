// A hash that is the same on all machines and in all versions, unlike the standard library's, which is seeded anew in every process.
// MenuOrder shuffles with it and MenuCursor checks itself with it. It keeps no secrets.

enum StableHash {
    /// FNV-1a, 64 bits (RFC 9923).
    static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// The output function of SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014): mixes all bits.
    static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Where an item lands in the shuffle of this seed.
    static func place(of id: MenuItemID, seed: String) -> UInt64 {
        mixed(fnv1a(seed.utf8) ^ mixed(UInt64(bitPattern: id.rawValue)))
    }
}
