// One row of a result, read from left to right by the caller's closure while libpq's result is alive, on the connection's thread.
// Made by Connection/Query.swift. Read next: PostgresDecodable.swift.
import CLibPQ

/// A row that is read column by column, from left to right. It can't leave the closure that it is given to.
package struct Row: ~Copyable {
    private let result: OpaquePointer
    private let index: Int32
    private var column: Int32 = 0
    package let columnCount: Int

    /// `index` is below `PQntuples(result)`, and `columnCount` is `PQnfields(result)`.
    init(result: OpaquePointer, index: Int32, columnCount: Int32) {
        (self.result, self.index) = (result, index)
        self.columnCount = Int(columnCount)
    }

    /// The next column as a value. Throws `undecodable` when there is none, or it is of another type or null.
    package mutating func next<Value: PostgresDecodable>(_ type: Value.Type = Value.self) throws(PostgresError) -> Value {
        guard column < columnCount else { throw .undecodable("column \(column + 1): the row has only \(columnCount)") }
        let current = column
        column += 1
        let bytes: UnsafeRawBufferPointer? =
            PQgetisnull(result, index, current) == 1
            ? nil
            : UnsafeRawBufferPointer(start: PQgetvalue(result, index, current), count: Int(PQgetlength(result, index, current)))
        do {
            return try Value.decode(PostgresField(type: PostgresType(oid: PQftype(result, current)), bytes: bytes))
        } catch {
            throw .undecodable("column \(current + 1) (\(String(cString: PQfname(result, current)))): \(error.reason)")
        }
    }
}
