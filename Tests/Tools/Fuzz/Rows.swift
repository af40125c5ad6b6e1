// Checks the decoding of columns from a malicious server: any type, any length, any bytes.

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
            checkRoundTrip(field, type, Bool.self)
            checkRoundTrip(field, type, Int16.self)
            checkRoundTrip(field, type, Int32.self)
            checkRoundTrip(field, type, Int64.self)
            checkRoundTrip(field, type, Int.self)
            checkRoundTrip(field, type, String.self)
            checkRoundTrip(field, type, [UInt8].self)
            checkRoundTrip(field, type, UUID.self)
            checkRoundTrip(field, type, Timestamp.self)
            checkRoundTrip(field, type, CalendarDate.self)
            checkRoundTrip(field, type, JSONB.self)
            checkRoundTrip(field, type, [Bool].self)
            checkRoundTrip(field, type, [Int64].self)
            checkRoundTrip(field, type, [Int16?].self)
            checkRoundTrip(field, type, [String].self)
            checkRoundTrip(field, type, [String?].self)
            checkRoundTrip(field, type, [UUID].self)
            checkRoundTrip(field, type, [Timestamp].self)
            checkRoundTrip(field, type, [CalendarDate?].self)
            checkRoundTrip(field, type, [JSONB].self)
            checkRecord(field, Node.self)
            checkRecord(field, [Node?].self)
        }
    }

    /// Two of the three attributes of its composite type, in another order.
    private struct Node: PostgresComposite, Equatable {
        static let compositeName = "node"
        var names: [String?] = []
        var id: Int64 = 0

        mutating func code(with record: inout RecordCoder) throws(CodingError) {
            try record.field("names", &names)
            try record.field("id", &id)
        }
    }

    /// Decodes the bytes as a composite type or its array, and checks that a decoded value survives a round trip.
    private static func checkRecord<Value: PostgresDecodable & PostgresEncodable & Equatable>(
        _ bytes: UnsafeRawBufferPointer?, _: Value.Type
    ) {
        let types = CompositeTypes()
        _ = types.replace(with: [
            "node": .init(
                type: PostgresType(oid: 20_001), arrayType: PostgresType(oid: 20_002),
                attributes: [
                    .init(name: "id", type: .int8, format: .int8),
                    .init(name: "unknown", type: .float8, format: .float8),
                    .init(name: "names", type: .textArray, format: .textArray),
                ])
        ])
        guard let type = try? Value.postgresType(in: types),
            let value = try? Value.decode(PostgresField(type: type, bytes: bytes, types: types))
        else { return }
        var written = EncodingBuffer(types: types)
        guard (try? value.encode(into: &written)) != nil else { return }
        written.bytes.withUnsafeBytes { buffer in
            let again = try? Value.decode(PostgresField(type: type, bytes: buffer, types: types))
            require(again == value, "a record survives a round trip")
        }
    }

    /// Checks that a decoded value survives a round trip.
    private static func checkRoundTrip<Value: PostgresDecodable & PostgresEncodable & Equatable>(
        _ bytes: UnsafeRawBufferPointer?, _ type: PostgresType, _: Value.Type
    ) {
        guard let value = try? Value.decode(PostgresField(type: type, bytes: bytes)) else { return }
        var written = EncodingBuffer()
        // A malicious server can send a text with NUL or a timestamp out of PostgreSQL's range, but we cannot.
        guard (try? value.encode(into: &written)) != nil else { return }
        written.bytes.withUnsafeBytes { buffer in
            let again = try? Value.decode(PostgresField(type: Value.postgresType, bytes: buffer))
            require(again == value, "a value survives a round trip")
        }
    }
}
