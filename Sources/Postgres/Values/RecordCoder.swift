// Encodes and decodes the fields of one record, as record_send and record_recv in PostgreSQL's source define: the
// number of attributes, and for each its type, its length or -1 for null, and its bytes.
import FoundationEssentials

/// Receives the fields of a composite value in `PostgresComposite.code(with:)`.
package struct RecordCoder: ~Copyable {
    /// A field of the Swift type.
    struct DeclaredField {
        let name: String
        /// The field's type; nil if it is a composite type that has not been looked up.
        let type: PostgresType?
    }

    private enum Mode {
        case describing
        case encoding
        case decoding
    }

    private let mode: Mode
    private let layout: RecordLayout?
    private let types: CompositeTypes
    /// The output of the encoding.
    var buffer = EncodingBuffer()
    /// The input of the decoding.
    private var reader = BinaryReader(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    /// The output of the description.
    private(set) var declaredFields: [DeclaredField] = []
    /// The index of the next field in the declared order.
    private var index = 0
    /// The index of the next attribute in the database's order.
    private var position = 0
    /// The start of the first attribute in the buffer.
    private var start = 0
    /// The bytes of each attribute: in the buffer or in the input. Empty if the two orders agree.
    private var slices: [Range<Int>?] = []
    private var values: [UnsafeRawBufferPointer?] = []

    init(describingFor types: CompositeTypes) {
        (mode, layout, self.types) = (.describing, nil, types)
    }

    /// Throws if a field cannot be encoded for the database.
    init(encoding layout: RecordLayout, _ types: CompositeTypes) throws(CodingError) {
        (mode, self.layout, self.types) = (.encoding, layout, types)
        guard let problem = layout.encodingProblem else { return }
        types.requestLookup()
        throw CodingError(problem)
    }

    /// Reads the start of a record.
    init(
        decoding layout: RecordLayout, from field: borrowing PostgresField, _ types: CompositeTypes
    ) throws(CodingError) {
        (mode, self.layout, self.types) = (.decoding, layout, types)
        guard field.type == layout.type else {
            types.requestLookup()
            throw CodingError("expected \(layout.name), found \(field.type)")
        }
        guard let bytes = field.bytes else { throw CodingError("expected \(layout.name), found null") }
        reader = BinaryReader(bytes: bytes)
        let count = try reader.integer()
        guard count == layout.attributes.count else {
            types.requestLookup()
            throw CodingError("\(layout.name) has \(layout.attributes.count) attributes, found \(count)")
        }
        guard !layout.isInOrder else { return }
        while position < layout.attributes.count { values.append(try nextValue(layout)) }
    }

    // Specialised because the composite types are declared in other modules.
    /// Encodes or decodes the field that has the attribute's name.
    @_specialize(where Value == Bool)
    @_specialize(where Value == Int16)
    @_specialize(where Value == Int16?)
    @_specialize(where Value == Int32)
    @_specialize(where Value == Int32?)
    @_specialize(where Value == Int64)
    @_specialize(where Value == Int64?)
    @_specialize(where Value == String)
    @_specialize(where Value == String?)
    @_specialize(where Value == Timestamp)
    @_specialize(where Value == Timestamp?)
    @_specialize(where Value == UUID)
    package mutating func field<Value: PostgresEncodable & PostgresDecodable>(
        _ name: String, _ value: inout Value
    ) throws(CodingError) {
        guard let layout else {
            let type = try? Value.postgresType(in: types)
            return declaredFields.append(DeclaredField(name: name, type: type))
        }
        // Also protects against a type whose `code` declares other fields at each call.
        guard index < layout.fields.count, layout.fields[index].name == name else {
            throw CodingError("\(layout.name).\(name) is declared in another order")
        }
        let target = layout.fields[index].position
        index += 1
        do {
            if mode == .encoding {
                try encode(value, at: target, layout)
            } else {
                let bytes = try layout.isInOrder ? nextValue(skippingTo: target, layout) : values[target]
                value = try Value.decode(
                    PostgresField(type: layout.attributes[target].format, bytes: bytes, types: types))
            }
        } catch {
            throw CodingError("\(layout.name).\(name): \(error.reason)")
        }
    }

    // MARK: - Encoding

    /// Appends the start of a record to the buffer.
    mutating func beginEncoding() {
        guard let layout else { return }
        buffer.append(bigEndian: Int32(layout.attributes.count))
        start = buffer.bytes.count
        if !layout.isInOrder { slices = Array(repeating: nil, count: layout.attributes.count) }
    }

    private mutating func encode<Value: PostgresEncodable>(
        _ value: Value, at target: Int, _ layout: RecordLayout
    ) throws(CodingError) {
        if layout.isInOrder { appendNulls(upTo: target, layout) }
        let start = buffer.bytes.count
        buffer.append(bigEndian: layout.attributes[target].type.oid)
        try buffer.append(lengthAnd: value)
        if layout.isInOrder {
            position = target + 1
        } else {
            slices[target] = start..<buffer.bytes.count
        }
    }

    /// Appends the attributes that the Swift type does not have.
    private mutating func appendNulls(upTo end: Int, _ layout: RecordLayout) {
        while position < end {
            buffer.append(bigEndian: layout.attributes[position].type.oid)
            buffer.append(bigEndian: Int32(-1))
            position += 1
        }
    }

    /// Completes the record.
    mutating func finishEncoding() throws(CodingError) {
        guard let layout else { return }
        try checkEnd(layout)
        guard !layout.isInOrder else { return appendNulls(upTo: layout.attributes.count, layout) }
        let declared = Array(buffer.bytes[start...])
        buffer.bytes.removeSubrange(start...)
        for slice in slices {
            if let slice {
                buffer.append(contentsOf: declared[slice.lowerBound - start..<slice.upperBound - start])
                position += 1
            } else {
                appendNulls(upTo: position + 1, layout)
            }
        }
    }

    // MARK: - Decoding

    /// Skips the attributes that the Swift type does not have, and reads the one at `target`.
    private mutating func nextValue(
        skippingTo target: Int, _ layout: RecordLayout
    ) throws(CodingError) -> UnsafeRawBufferPointer? {
        while position < target { _ = try nextValue(layout) }
        return try nextValue(layout)
    }

    private mutating func nextValue(_ layout: RecordLayout) throws(CodingError) -> UnsafeRawBufferPointer? {
        let attribute = layout.attributes[position]
        position += 1
        let type = try reader.type()
        guard type == attribute.type else {
            types.requestLookup()
            throw CodingError("\(layout.name).\(attribute.name) is \(attribute.type), found \(type)")
        }
        return try reader.value()
    }

    /// Checks that the record has nothing else than its attributes.
    mutating func finishDecoding() throws(CodingError) {
        guard let layout else { return }
        try checkEnd(layout)
        while position < layout.attributes.count { _ = try nextValue(layout) }
        guard reader.bytes.isEmpty else { throw CodingError("a \(layout.name) longer than its header states") }
    }

    private func checkEnd(_ layout: RecordLayout) throws(CodingError) {
        guard index == layout.fields.count else { throw CodingError("\(layout.name) declares too few fields") }
    }
}
