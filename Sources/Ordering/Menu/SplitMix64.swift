// Mixes the bits of a number. Not for secrets. Unlike the standard library's hash, which every process seeds anew,
// the result is the same on all machines and in all versions.

extension UInt64 {
    /// The output function of SplitMix64, which mixes all bits.
    /// Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014.
    package var mixed: UInt64 {
        var mixed = self &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
