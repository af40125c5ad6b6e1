// Repeatable random numbers, for tests that search at random.
import FoundationEssentials

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
///
/// Each search prints its seed. `WELMS_SEED` in the environment repeats the search.
package struct SeededRandom: RandomNumberGenerator, CustomStringConvertible {
    package let seed: UInt64
    private var state: UInt64

    /// - Parameters:
    ///   - range: The seeds to choose from.
    ///   - test: The name of the test, which is printed with the seed.
    package init(_ range: ClosedRange<UInt64> = .min ... .max, file: String = #fileID, test: String = #function) {
        seed = ProcessInfo.processInfo.environment["WELMS_SEED"].flatMap(UInt64.init) ?? .random(in: range)
        state = seed
        TestStart.record()
        print("WELMS_SEED=\(seed) \(file) \(test)")
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package var description: String { "WELMS_SEED=\(seed)" }
}

/// How many cases a random search tries.
package enum SearchBudget {
    /// Whether the search runs in its long form: `make test-long`.
    package static let isLong = ProcessInfo.processInfo.environment["WELMS_LONG"] == "1"

    /// The number of cases: `short` in `make test`, `long` in `make test-long`.
    package static func cases(_ short: Int, long: Int) -> Int { isLong ? long : short }
}
