// One row of a result. The caller's closure decodes it on the connection's thread while libpq's result is alive.
import CLibPQ

/// A row that is decoded column by column, from left to right. It cannot escape the closure that receives it.
package struct Row: ~Copyable {
    private let result: OpaquePointer
    private let index: Int32
    private var column: Int32 = 0
    /// Unowned like `PostgresField.types`.
    private unowned(unsafe) let types: CompositeTypes?
    /// The number of columns.
    package let columnCount: Int

    /// `index` must be below `PQntuples(result)`, and `columnCount` must be `PQnfields(result)`.
    init(result: OpaquePointer, index: Int32, columnCount: Int32, types: CompositeTypes? = nil) {
        (self.result, self.index) = (result, index)
        self.types = types
        self.columnCount = Int(columnCount)
    }

    /// Decodes the next column. Throws `undecodable` if it is missing, null or of another type.
    package mutating func next<Value: PostgresDecodable>(_ type: Value.Type = Value.self) throws(PostgresError) -> Value
    {
        guard column < columnCount else { throw .undecodable("column \(column + 1): the row has only \(columnCount)") }
        let current = column
        column += 1
        let bytes: UnsafeRawBufferPointer? =
            PQgetisnull(result, index, current) == 1
            ? nil
            : UnsafeRawBufferPointer(
                start: PQgetvalue(result, index, current), count: Int(PQgetlength(result, index, current)))
        do {
            let type = PostgresType(oid: PQftype(result, current))
            return try Value.decode(PostgresField(type: type, bytes: bytes, types: types))
        } catch {
            throw .undecodable("column \(current + 1) (\(String(cString: PQfname(result, current)))): \(error.reason)")
        }
    }
}
