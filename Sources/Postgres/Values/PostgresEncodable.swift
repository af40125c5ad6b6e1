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
    /// The declared type of the parameter.
    static var postgresType: PostgresType { get }
    /// Whether the value is a null. `encode` is not called then.
    var isNull: Bool { get }
    /// Appends the value in PostgreSQL's binary format.
    func encode(into bytes: inout [UInt8]) throws(CodingError)
}

extension PostgresEncodable {
    /// Only Optional overrides this.
    package var isNull: Bool { false }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }
    package var isNull: Bool {
        guard let self else { return true }
        return self.isNull
    }
    package func encode(into bytes: inout [UInt8]) throws(CodingError) { try self?.encode(into: &bytes) }
}

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    package static var postgresType: PostgresType { RawValue.postgresType }
    package func encode(into bytes: inout [UInt8]) throws(CodingError) { try rawValue.encode(into: &bytes) }
}

extension Array where Element == UInt8 {
    /// Appends an integer in network byte order.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
