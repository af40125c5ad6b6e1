// Encodes parameters in PostgreSQL's binary format, which the `*send` and `*recv` functions of its source define.

/// A value that PostgreSQL cannot represent, or a field that Swift cannot. The reason never contains the value.
package struct CodingError: Error, Sendable, Hashable {
    /// The cause of the error, without the value.
    package let reason: String

    /// Creates an error.
    package init(_ reason: String) { self.reason = reason }
}

/// A type whose values can be parameters of a statement.
package protocol PostgresEncodable: Sendable {
    /// The declared type of the parameter; `composite` if only a connection knows the object id.
    static var postgresType: PostgresType { get }
    /// The type with its object id in the connection's database.
    static func postgresType(in types: CompositeTypes?) throws(CodingError) -> PostgresType
    /// Whether a value of the type can be a null.
    static var mayBeNull: Bool { get }
    /// Whether the value is a null. `encode` is not called then.
    var isNull: Bool { get }
    /// Appends the value in PostgreSQL's binary format.
    func encode(into buffer: inout EncodingBuffer) throws(CodingError)
}

extension PostgresEncodable {
    /// Only Optional overrides these two.
    package static var mayBeNull: Bool { false }
    package var isNull: Bool { false }
    /// Only composite types, and their arrays and optionals, override this.
    package static func postgresType(in types: CompositeTypes?) throws(CodingError) -> PostgresType { postgresType }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }
    package static func postgresType(in types: CompositeTypes?) throws(CodingError) -> PostgresType {
        try Wrapped.postgresType(in: types)
    }
    package static var mayBeNull: Bool { true }
    package var isNull: Bool {
        guard let self else { return true }
        return self.isNull
    }
    package func encode(into buffer: inout EncodingBuffer) throws(CodingError) { try self?.encode(into: &buffer) }
}

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    package static var postgresType: PostgresType { RawValue.postgresType }
    package func encode(into buffer: inout EncodingBuffer) throws(CodingError) { try rawValue.encode(into: &buffer) }
}
