// The member names of an object as bytes, so that a key is matched without creating a String.

/// The member names of one type of object. At most 64, because the reader keeps one bit for each in a UInt64.
struct FieldTable<Field: CaseIterable & RawRepresentable<String> & Sendable>: Sendable {
    let fields: [Field]
    private let names: [[UInt8]]

    init() {
        fields = Array(Field.allCases.prefix(64))
        names = fields.map { Array($0.rawValue.utf8) }
    }

    /// Returns the index of the field with this name. A linear search: a body has about 16 fields at most, and most
    /// names differ in length.
    func index(of key: ArraySlice<UInt8>) -> Int? {
        names.firstIndex { name in name.count == key.count && name.elementsEqual(key) }
    }
}
