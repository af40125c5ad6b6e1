// Columns as a server, or somebody in its place, might send them: any type, any length, any bytes.

import FoundationEssentials

@testable import Postgres

enum Rows {
    private static let types: [UInt32] = [
        16, 17, 18, 19, 20, 21, 23, 25, 26, 114, 705, 1042, 1043, 1082, 1184, 2950, 3802, 1000, 1001, 1003, 1005, 1007,
        1009, 1016, 1182,
        1185, 2951, 3807, 199, 701, 1700,
    ]

    static func check(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let type = PostgresType(oid: types[Int(first) % types.count])
        let value = Array(bytes.dropFirst())
        value.withUnsafeBytes { buffer in
            let field: UnsafeRawBufferPointer? = first == 255 ? nil : buffer
            comesBack(field, type, Bool.self)
            comesBack(field, type, Int16.self)
            comesBack(field, type, Int32.self)
            comesBack(field, type, Int64.self)
            comesBack(field, type, Int.self)
            comesBack(field, type, String.self)
            comesBack(field, type, [UInt8].self)
            comesBack(field, type, Bytea.self)
            comesBack(field, type, UUID.self)
            comesBack(field, type, Timestamp.self)
            comesBack(field, type, CalendarDate.self)
            comesBack(field, type, JSONB.self)
            comesBack(field, type, [Bool].self)
            comesBack(field, type, [Int64].self)
            comesBack(field, type, [Int16?].self)
            comesBack(field, type, [String].self)
            comesBack(field, type, [String?].self)
            comesBack(field, type, [UUID].self)
            comesBack(field, type, [Bytea].self)
            comesBack(field, type, [Timestamp].self)
            comesBack(field, type, [CalendarDate?].self)
            comesBack(field, type, [JSONB].self)
        }
    }

    /// What was read is written, and read again as the same.
    private static func comesBack<Value: PostgresDecodable & PostgresEncodable & Equatable>(
        _ bytes: UnsafeRawBufferPointer?, _ type: PostgresType, _: Value.Type
    ) {
        guard let value = try? Value.decode(PostgresField(type: type, bytes: bytes)) else { return }
        var written: [UInt8] = []
        // A text with NUL, and a moment past PostgreSQL's time, can be read from a liar but not sent.
        guard (try? value.encode(into: &written)) != nil else { return }
        written.withUnsafeBytes { buffer in
            let again = try? Value.decode(PostgresField(type: Value.postgresType, bytes: buffer))
            require(again == value, "a value comes back")
        }
    }
}
