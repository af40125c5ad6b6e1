// What can be a parameter, in PostgreSQL's binary format (the `*send`/`*recv` functions of its source). The types themselves are beside this
// file; Array.swift holds arrays. Read next: PostgresDecodable.swift.

/// A value that has no form in PostgreSQL, or a field that has none in Swift. The reason never contains the value.
package struct ValueFault: Error, Sendable, Hashable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// A value that can be a parameter of a statement.
package protocol PostgresEncodable: Sendable {
    /// The type that the parameter is declared to have.
    static var postgresType: PostgresType { get }
    /// Whether the value is SQL's null; then `encode` is not called.
    var isNull: Bool { get }
    /// Appends the value in PostgreSQL's binary format.
    func encode(into bytes: inout [UInt8]) throws(ValueFault)
}

extension PostgresEncodable {
    /// Only an Optional can be null.
    package var isNull: Bool { false }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }
    package var isNull: Bool {
        guard let self else { return true }
        return self.isNull
    }
    package func encode(into bytes: inout [UInt8]) throws(ValueFault) { try self?.encode(into: &bytes) }
}

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    package static var postgresType: PostgresType { RawValue.postgresType }
    package func encode(into bytes: inout [UInt8]) throws(ValueFault) { try rawValue.encode(into: &bytes) }
}

extension Array where Element == UInt8 {
    /// Appends an integer in network byte order.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
