// Some of a short list of names, allergens or diets, that can hold nothing else. FoodFacts is made of them, MenuQuery filters by them;
// storage and Web read and write them as names. Next: Allergen.swift, Diet.swift.

/// A short list whose cases staff and guests know by name; 32 at most.
package protocol FoodName: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// Some of the names of a list.
package struct FoodNames<Name: FoodName>: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// One bit a name, in the list's order.
    private let bits: UInt32

    private init(bits: UInt32) { self.bits = bits }

    /// These names, whatever their order; one that stands twice counts once.
    package init(_ names: some Sequence<Name>) {
        bits = names.reduce(0) { $0 | FoodNames.bit(of: $1) }
    }

    /// These names.
    package init(arrayLiteral names: Name...) { self.init(names) }

    /// Reads names as they are written in SQL, JSON and queries, letter by letter; nil if the list lacks one of them.
    package init?(named texts: some Sequence<some StringProtocol>) {
        var bits: UInt32 = 0
        for text in texts {
            guard text.utf8.count <= 32, let name = Name(rawValue: String(text)) else { return nil }
            bits |= FoodNames.bit(of: name)
        }
        self.bits = bits
    }

    /// The names in the list's order.
    package var all: [Name] {
        guard bits != 0 else { return [] }
        return Name.allCases.enumerated().compactMap { index, name in bits & 1 << UInt32(index) != 0 ? name : nil }
    }

    /// The same as they are written. Made for both lists: through the generic function it took half of what a basket's answer takes.
    package var written: [String] {
        @_specialize(where Name == Allergen)
        @_specialize(where Name == Diet)
        get { all.map(\.rawValue) }
    }

    /// Whether there is none.
    package var isEmpty: Bool { bits == 0 }

    /// Whether the name is among them.
    package func contains(_ name: Name) -> Bool { bits & FoodNames.bit(of: name) != 0 }

    /// The names of either.
    package func union(_ other: FoodNames) -> FoodNames { FoodNames(bits: bits | other.bits) }

    /// The names of both.
    func intersection(_ other: FoodNames) -> FoodNames { FoodNames(bits: bits & other.bits) }

    /// Whether they have no name in common.
    package func isDisjoint(with other: FoodNames) -> Bool { bits & other.bits == 0 }

    private static func bit(of name: Name) -> UInt32 {
        for (index, other) in Name.allCases.enumerated() where other == name { return 1 << UInt32(index) }
        return 0
    }
}
