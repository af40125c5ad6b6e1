// A set of names from a short list: allergens or diets.

/// A label from a short list with names in SQL and JSON; at most 32 cases.
package protocol FoodLabel: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// A set of labels from one list.
package struct FoodLabelSet<Name: FoodLabel>: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// One bit per label, in the list's order.
    private let bits: UInt32

    private init(bits: UInt32) { self.bits = bits }

    /// The set of these labels, in any order and with duplicates.
    package init(_ names: some Sequence<Name>) {
        bits = names.reduce(0) { $0 | FoodLabelSet.bit(of: $1) }
    }

    /// The set of these labels.
    package init(arrayLiteral names: Name...) { self.init(names) }

    /// Parses names as written in SQL, JSON and queries, case-sensitively; nil if a name is unknown.
    package init?(rawValues texts: some Sequence<some StringProtocol>) {
        var bits: UInt32 = 0
        for text in texts {
            guard text.utf8.count <= 32, let name = Name(rawValue: String(text)) else { return nil }
            bits |= FoodLabelSet.bit(of: name)
        }
        self.bits = bits
    }

    /// The labels in the list's order.
    package var all: [Name] {
        guard bits != 0 else { return [] }
        return Name.allCases.enumerated().compactMap { index, name in bits & 1 << UInt32(index) != 0 ? name : nil }
    }

    /// The names in the list's order.
    /// Specialised, because the generic getter took half of the time of a basket response.
    package var rawValues: [String] {
        @_specialize(where Name == Allergen)
        @_specialize(where Name == Diet)
        get { all.map(\.rawValue) }
    }

    /// Whether the set is empty.
    package var isEmpty: Bool { bits == 0 }

    /// Whether the set contains the label.
    package func contains(_ name: Name) -> Bool { bits & FoodLabelSet.bit(of: name) != 0 }

    /// The labels that are in either set.
    package func union(_ other: FoodLabelSet) -> FoodLabelSet { FoodLabelSet(bits: bits | other.bits) }

    /// The labels that are in both sets.
    func intersection(_ other: FoodLabelSet) -> FoodLabelSet { FoodLabelSet(bits: bits & other.bits) }

    /// Whether the sets have no label in common.
    package func isDisjoint(with other: FoodLabelSet) -> Bool { bits & other.bits == 0 }

    private static func bit(of name: Name) -> UInt32 {
        for (index, other) in Name.allCases.enumerated() where other == name { return 1 << UInt32(index) }
        return 0
    }
}
