// Randomness for property tests, printed with each expectation so that a failure can be seen again.
// Used by every property test of this target; WELMS_SEED in the environment repeats a run.
import FoundationEssentials

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
struct SeededRandom: RandomNumberGenerator, CustomStringConvertible {
    let seed: UInt64
    private var state: UInt64

    init() {
        seed = ProcessInfo.processInfo.environment["WELMS_SEED"].flatMap(UInt64.init) ?? .random(in: .min ... .max)
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    var description: String { "WELMS_SEED=\(seed)" }
}
