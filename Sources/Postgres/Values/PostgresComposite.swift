// Composite types (`create type … as (…)`) as parameters and columns, alone and in arrays.
//
// The binary format of a record names its attributes only by position, and PostgreSQL refuses a record that has not
// exactly the attributes of its type. Therefore the attributes' names, order and object ids are looked up in each
// connection's database, and the connection's thread encodes and decodes all composite values:
//
// 1. `Parameters` keeps a composite value until the statement is sent. Only then its connection, and so the object ids,
//    are known. A statement that moves to another connection is encoded again.
// 2. If a value needs a type that the connection has not looked up, the thread sends nothing more until the statements
//    in flight are answered. It then looks up all types that any connection of the process has needed, in one query
//    (`CompositeTypes+Lookup`).
// 3. A result that cannot be decoded with the known types is kept. It is decoded again after the same lookup, so that a
//    committed write never loses its result.
// 4. An error that an altered type can cause also starts a lookup. If a type has changed, the statement is sent again,
//    which is safe because PostgreSQL rolled it back. Otherwise its caller receives the error.
//
// Steps 2 to 4 are repeated for a statement only while a lookup finds types that were not known.

/// A Swift type for a composite type of the database.
///
///     struct Address: PostgresComposite {
///         static let compositeName = "address"
///         var street = ""
///         var floor: Int32?
///
///         mutating func code(with record: inout RecordCoder) throws(CodingError) {
///             try record.field("street", &street)
///             try record.field("floor", &floor)
///         }
///     }
///
/// An attribute of the database that the Swift type does not have is sent as null, and skipped when it is read. A field
/// that the database does not have is an error. An enum's values are texts; a domain's values are those of its base
/// type. Arrays of enums and of domains are not supported.
///
/// An altered type is noticed by the number of its attributes and by their types. If an attribute is dropped and
/// another one of the same type takes its position, open connections continue to use it under the old name.
package protocol PostgresComposite: PostgresEncodable, PostgresDecodable, PostgresElement {
    /// The type's name in SQL, with its schema if the search path does not find it, and quoted where SQL needs it.
    static var compositeName: String { get }
    /// A value for `code` to overwrite.
    init()
    /// Passes every field to `record`, each time in the same order: reads the fields to encode a record, and writes
    /// them to decode one.
    mutating func code(with record: inout RecordCoder) throws(CodingError)
}

extension PostgresComposite {
    package static var postgresType: PostgresType { .composite }
    package static var postgresArrayType: PostgresType { .composite }
    package static func postgresType(in types: CompositeTypes?) throws(CodingError) -> PostgresType {
        try known(types).definition(of: Self.self).type
    }
    package static func postgresArrayType(in types: CompositeTypes?) throws(CodingError) -> PostgresType {
        try known(types).definition(of: Self.self).arrayType
    }

    package func encode(into buffer: inout EncodingBuffer) throws(CodingError) {
        let types = try Self.known(buffer.types)
        var record = try RecordCoder(encoding: try types.layout(of: Self.self), types)
        // Swapped, because a copy would make the next append copy all bytes.
        swap(&record.buffer, &buffer)
        record.beginEncoding()
        var value = self
        try value.code(with: &record)
        try record.finishEncoding()
        swap(&record.buffer, &buffer)
    }

    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Self {
        let types = try known(field.types)
        var record = try RecordCoder(decoding: try types.layout(of: Self.self), from: field, types)
        var value = Self()
        try value.code(with: &record)
        try record.finishDecoding()
        return value
    }

    /// The fields that `code` declares. Also resolves the types of the fields, so that the unknown ones are looked up.
    static func declaredFields(in types: CompositeTypes) throws(CodingError) -> [RecordCoder.DeclaredField] {
        var record = RecordCoder(describingFor: types)
        var value = Self()
        try value.code(with: &record)
        return record.declaredFields
    }

    private static func known(_ types: CompositeTypes?) throws(CodingError) -> CompositeTypes {
        guard let types else { throw CodingError("only a connection can encode and decode \(compositeName)") }
        return types
    }
}
