// Encoding and decoding of records without a server: malicious bytes, and definitions that are missing or out of date.

import Testing

@testable import Postgres

@Suite("Bytes of records") struct RecordBytesTests {
    private static let partType = PostgresType(oid: 20_001)
    private static let partArrayType = PostgresType(oid: 20_002)
    private static let shortType = PostgresType(oid: 20_003)

    /// The types of a database, as a lookup finds them.
    private func knownTypes() -> CompositeTypes {
        let types = CompositeTypes()
        _ = types.replace(with: [
            "part": .init(
                type: Self.partType, arrayType: Self.partArrayType,
                attributes: [
                    .init(name: "unknown", type: PostgresType(oid: 30_000), format: PostgresType(oid: 30_000)),
                    .init(name: "name", type: .text, format: .text),
                    .init(name: "amount", type: PostgresType(oid: 20_004), format: .int8),
                ]),
            "machine": .init(
                type: Self.shortType, arrayType: PostgresType(oid: 20_005),
                attributes: [
                    .init(name: "id", type: .int8, format: .int8),
                    .init(name: "seen", type: .timestamptz, format: .timestamptz),
                    .init(name: "parts", type: Self.partArrayType, format: Self.partArrayType),
                ]),
        ])
        return types
    }

    private func decode<Value: PostgresDecodable>(
        _ bytes: [UInt8], as _: Value.Type, _ type: PostgresType, _ types: CompositeTypes
    ) throws(CodingError) -> Value {
        let result: Result<Value, CodingError> = bytes.withUnsafeBytes { buffer in
            Result { () throws(CodingError) in
                try Value.decode(PostgresField(type: type, bytes: buffer, types: types))
            }
        }
        return try result.get()
    }

    private let short = ShortMachine(
        parts: [Part(name: "ab", amount: 7), Part(name: "", amount: nil)], seen: Timestamp(microseconds: 5), id: 9)

    private func encodedShort(_ types: CompositeTypes) throws -> [UInt8] {
        var buffer = EncodingBuffer(types: types)
        try short.encode(into: &buffer)
        return buffer.bytes
    }

    @Test("An unknown attribute of any content is skipped")
    func unknownAttribute() throws {
        let types = knownTypes()
        var buffer = EncodingBuffer(types: types)
        try Part(name: "ab", amount: 7).encode(into: &buffer)
        // The number of attributes, then the type and the length of the first one.
        let expected: [UInt8] = [0, 0, 0, 3, 0, 0, 0x75, 0x30, 255, 255, 255, 255, 0, 0, 0, 25, 0, 0, 0, 2, 97, 98]
        #expect(Array(buffer.bytes.prefix(expected.count)) == expected)
        for content: [UInt8] in [[], [0], [UInt8](repeating: 255, count: 300)] {
            var bytes = buffer.bytes
            bytes.replaceSubrange(
                8..<12, with: [0, 0, UInt8(content.count >> 8), UInt8(content.count & 255)] + content)
            #expect(try decode(bytes, as: Part.self, Self.partType, types) == Part(name: "ab", amount: 7))
        }
        #expect(!types.needsLookup)
    }

    @Test("A truncated or extended record is undecodable")
    func truncated() throws {
        let types = knownTypes()
        let bytes = try encodedShort(types)
        #expect(try decode(bytes, as: ShortMachine.self, Self.shortType, types) == short)
        for count in 0..<bytes.count {
            #expect(throws: CodingError.self) {
                _ = try decode(Array(bytes.prefix(count)), as: ShortMachine.self, Self.shortType, types)
            }
        }
        for extra in 1...8 {
            #expect(throws: CodingError.self) {
                let extended = bytes + [UInt8](repeating: 0, count: extra)
                _ = try decode(extended, as: ShortMachine.self, Self.shortType, types)
            }
        }
    }

    @Test("Any changed bytes of a record decode or throw, and never trap")
    func changedBytes() throws {
        let types = knownTypes()
        let bytes = try encodedShort(types)
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 2, 127, 128, 254, 255] {
                var changed = bytes
                changed[index] = value
                _ = try? decode(changed, as: ShortMachine.self, Self.shortType, types)
                _ = try? decode(changed, as: [ShortMachine?].self, PostgresType(oid: 20_005), types)
                guard index + 4 <= changed.count else { continue }
                changed.replaceSubrange(index..<index + 4, with: [value, value, value, value])
                _ = try? decode(changed, as: ShortMachine.self, Self.shortType, types)
                _ = try? decode(changed, as: [Part].self, Self.partArrayType, types)
            }
        }
    }

    @Test("A record with another number or other types of attributes requests a lookup")
    func outdatedDefinition() throws {
        for (offset, value) in [(3, 2), (3, 4), (7, 21)] as [(Int, UInt8)] {
            let types = knownTypes()
            var bytes = try encodedShort(types)
            bytes[offset] = value
            #expect(throws: CodingError.self) { _ = try decode(bytes, as: ShortMachine.self, Self.shortType, types) }
            #expect(types.needsLookup)
            #expect(Set(types.namesToLookUp).isSuperset(of: ["machine", "part"]))
        }
    }

    @Test("An unknown composite type requests a lookup of itself and of the types of its fields")
    func unknownTypes() {
        let types = CompositeTypes()
        var buffer = EncodingBuffer(types: types)
        #expect(throws: CodingError.self) { try short.encode(into: &buffer) }
        #expect(Set(types.namesToLookUp).isSuperset(of: ["machine", "part"]))
        types.clearRequests()
        #expect(!types.needsLookup)
        var without = EncodingBuffer()
        #expect(throws: CodingError.self) { try short.encode(into: &without) }
    }
}
