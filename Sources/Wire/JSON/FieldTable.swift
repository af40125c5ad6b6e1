// The names an object may have, as bytes, so that a key is matched without making a String of it.
// Used by JSONReader.object; each body keeps one as a static constant.

/// The field names of one kind of object; at most 64, one bit each for "was here already".
struct FieldTable<Field: CaseIterable & RawRepresentable<String> & Sendable>: Sendable {
    let fields: [Field]
    private let names: [[UInt8]]

    init() {
        fields = Array(Field.allCases.prefix(64))
        names = fields.map { Array($0.rawValue.utf8) }
    }

    /// The index of the field whose name is these bytes. Linear: a body has some sixteen fields at most, and most differ in length.
    func index(of key: ArraySlice<UInt8>) -> Int? {
        names.firstIndex { name in name.count == key.count && name.elementsEqual(key) }
    }
}
