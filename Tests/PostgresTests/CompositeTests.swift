// Composite types: round trips, types that are altered while a connection is open, and malicious records.

import Foundation
import Testing

@testable import Postgres

private enum Kind: String, PostgresEncodable, PostgresDecodable, PostgresElement { case regular, special }

private struct Part: PostgresComposite, Equatable {
    static let compositeName = "part"
    var name = ""
    var amount: Int64?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("name", &name)
        try record.field("amount", &amount)
    }
}

private struct Machine: PostgresComposite, Equatable {
    static let compositeName = "machine"
    var id: Int64 = 0
    var title: String?
    var kind = Kind.regular
    var flags: [Int32?] = []
    var parts: [Part?] = []
    var spare: Part?
    var seen: Timestamp?
    var digest: [UInt8] = []

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("id", &id)
        try record.field("title", &title)
        try record.field("kind", &kind)
        try record.field("flags", &flags)
        try record.field("parts", &parts)
        try record.field("spare", &spare)
        try record.field("seen", &seen)
        try record.field("digest", &digest)
    }
}

/// Some attributes of `machine`, in another order than in the database.
private struct ShortMachine: PostgresComposite, Equatable {
    static let compositeName = "machine"
    var parts: [Part] = []
    var seen: Timestamp?
    var id: Int64 = 0

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("parts", &parts)
        try record.field("seen", &seen)
        try record.field("id", &id)
    }
}

/// Declares `part.amount` with another type than the database.
private struct WrongPart: PostgresComposite {
    static let compositeName = "part"
    var name = ""
    var amount: Int32?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("name", &name)
        try record.field("amount", &amount)
    }
}

/// Declares its fields in another order at each second call.
private struct UnstablePart: PostgresComposite {
    static let compositeName = "part"
    var name = ""
    var amount: Int64? = 1

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        if name.isEmpty { try record.field("name", &name) }
        try record.field("amount", &amount)
    }
}

private struct Missing: PostgresComposite {
    static let compositeName = "missing"
    var id: Int64 = 0

    mutating func code(with record: inout RecordCoder) throws(CodingError) { try record.field("id", &id) }
}

@Suite("Composite types", .timeLimit(.minutes(10)))
struct CompositeTests {
    private static let definitions = """
        create type kind as enum ('regular', 'special');
        create domain quantity as bigint check (value >= 0);
        create type part as (name text, amount quantity);
        create type machine as (
            id bigint, title text, kind kind, flags int[], parts part[], spare part, seen timestamptz, digest bytea);
        create table stored (machine machine);
        """
    private static let full = Machine(
        id: .min, title: "Zoë", kind: .special, flags: [1, nil, .max],
        parts: [Part(name: "a", amount: 1), nil, Part(name: "", amount: nil)], spare: Part(name: "s", amount: 0),
        seen: Timestamp(microseconds: 1_790_000_000_123_456), digest: [0, 255])

    private let store = Statement("store", "insert into stored select unnest($1::machine[])")
    private let load = Statement("load", "select machine from stored order by (machine).id")

    /// Runs `body` with a connection to a schema of its own, which has the definitions, and with a script runner that
    /// uses another connection.
    private func withTypes(
        _ body: (PostgresConnection, (String) async throws -> Void) async throws -> Void
    ) async throws {
        let schema = "composite_\(UUID().uuidString.prefix(8).lowercased())"
        try await withConnection(settings: ["search_path": schema]) { other in
            try await other.run(script: "create schema \(schema); \(Self.definitions)")
            try await withConnection(settings: ["search_path": schema]) { connection in
                try await body(connection) { try await other.run(script: $0) }
            }
        }
    }

    private func roundTrip<Value: PostgresEncodable & PostgresDecodable & Equatable>(
        _ type: String, _ values: [Value], _ connection: PostgresConnection,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let statement = Statement("round_trip", "select $1::\(type)")
        for value in values {
            let back = try await connection.values(of: Value.self, statement, .reads, value)
            #expect(back == [value], sourceLocation: sourceLocation)
        }
    }

    private func reason(_ error: PostgresError?) -> String? {
        switch error {
        case .invalidParameter(let reason), .undecodable(let reason): reason
        default: nil
        }
    }

    // MARK: - Round trips

    @Test("Records survive a round trip, alone and in arrays, with nulls, nested arrays and empty arrays")
    func roundTrips() async throws {
        try await withTypes { connection, _ in
            try await roundTrip("machine", [Self.full, Machine()], connection)
            try await roundTrip("machine", [nil, Self.full], connection)
            try await roundTrip("machine[]", [[], [Self.full], [Machine(), Self.full, Machine()]], connection)
            try await roundTrip("machine[]", [[nil, Self.full, nil], [nil], []], connection)
            try await roundTrip("machine[]", [[Machine]?.none, [Self.full]], connection)
            try await roundTrip("part[]", [(Int64(0)..<10_000).map { Part(name: "\($0)", amount: $0) }], connection)
        }
    }

    @Test("Texts with any characters survive a round trip in a record")
    func texts() async throws {
        try await withTypes { connection, _ in
            let texts = [
                "", " ", "NULL", "null", "()", "(,)", "{}", "{NULL}", "\"", "\\", "a,b", "',$1;--", "\n\t\r", "🍟\u{1}",
                String(repeating: "(\"", count: 100_000),
            ]
            try await roundTrip("part[]", [texts.map { Part(name: $0, amount: nil) }], connection)
            for text in texts {
                try await roundTrip("machine", [Machine(title: text, parts: [Part(name: text)])], connection)
            }
        }
    }

    @Test("SQL sees each field under its name")
    func names() async throws {
        try await withTypes { connection, _ in
            let statement = Statement(
                "names",
                """
                select ($1).id, ($1).title, ($1).kind::text, ($1).flags, ($1).parts[1].name, ($1).parts[2] is null,
                       ($1).spare.amount::bigint, ($1).seen, ($1).digest
                """)
            let rows = try await connection.query(statement, .reads, Self.full) { row in
                var machine = Machine()
                machine.id = try row.next()
                machine.title = try row.next()
                machine.kind = try row.next()
                machine.flags = try row.next()
                let name = try row.next(String.self)
                machine.parts.append(Part(name: name, amount: 1))
                if try row.next(Bool.self) { machine.parts.append(nil) }
                machine.spare = Part(name: "s", amount: try row.next())
                machine.seen = try row.next()
                machine.digest = try row.next()
                return machine
            }
            var expected = Self.full
            // The statement does not read the third part.
            expected.parts.removeLast()
            #expect(rows == [expected])
        }
    }

    @Test("A Swift type with some attributes in another order sends null for the others and skips them")
    func otherOrder() async throws {
        try await withTypes { connection, _ in
            let short = ShortMachine(parts: [Part(name: "p", amount: 2)], seen: Timestamp(microseconds: 3), id: 4)
            try await connection.execute(store, .writes, [short])
            #expect(try await connection.values(of: ShortMachine.self, load) == [short])
            let others = Statement(
                "others", "select num_nulls((machine).title, (machine).kind, (machine).flags) from stored")
            #expect(try await connection.values(of: Int.self, others) == [3])
            try await connection.execute(Statement("empty", "delete from stored"), .writes)
            var full = Self.full
            full.parts = [Part(name: "p", amount: 2)]
            try await connection.execute(store, .writes, [full])
            #expect(
                try await connection.values(of: ShortMachine.self, load)
                    == [ShortMachine(parts: [Part(name: "p", amount: 2)], seen: full.seen, id: full.id)])
        }
    }

    @Test("A statement that only returns records finds their types, and a write is executed once")
    func resultOnly() async throws {
        try await withTypes { connection, run in
            try await run("insert into stored values (row(7, 't', 'regular', '{}', '{}', null, null, '')::machine)")
            #expect(try await connection.values(of: Int64.self, Statement("one", "select 1::bigint")) == [1])
            let insert = Statement(
                "insert",
                """
                insert into stored select row(8, null, 'special', '{}', '{}', null, null, '')::machine
                returning machine
                """)
            let inserted = try await connection.values(of: Machine.self, insert, .writes)
            #expect(inserted == [Machine(id: 8, kind: .special)])
            #expect(try await connection.values(of: Machine.self, load).map(\.id) == [7, 8])
        }
    }

    @Test("Concurrent statements on new connections, with and without records, each get their own result")
    func concurrent() async throws {
        let schema = "composite_\(UUID().uuidString.prefix(8).lowercased())"
        try await withConnection(settings: ["search_path": schema]) { other in
            try await other.run(script: "create schema \(schema); \(Self.definitions)")
        }
        try await withPool({ $0.connection.sessionSettings["search_path"] = schema }) { pool in
            let part = Statement("part", "select $1::part")
            let number = Statement("number", "select $1::int8")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<500 {
                    group.addTask {
                        let (value, effect) = (
                            Part(name: "\(index)", amount: 1), index % 5 == 0 ? Effect.writes : .reads
                        )
                        if index % 2 == 0 {
                            let parts = try await pool.values(of: Part.self, part, effect, value)
                            #expect(parts == [value])
                        } else {
                            let numbers = try await pool.values(of: Int.self, number, effect, index)
                            #expect(numbers == [index])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("A connection that was opened again looks up the composite types again")
    func reconnected() async throws {
        let schema = "composite_\(UUID().uuidString.prefix(8).lowercased())"
        try await withConnection(settings: ["search_path": schema]) { other in
            try await other.run(script: "create schema \(schema); \(Self.definitions)")
            try await withPool({
                $0.connections = 1
                $0.connection.sessionSettings["search_path"] = schema
            }) { pool in
                let echo = Statement("echo", "select $1::part, pg_backend_pid()")
                let part = Part(name: "a", amount: 1)
                var processes: Set<Int32> = []
                for _ in 0..<3 {
                    let rows = try await pool.query(echo, .reads, part) { row in
                        (try row.next(Part.self), try row.next(Int32.self))
                    }
                    #expect(rows.map(\.0) == [part])
                    let process = try #require(rows.first?.1)
                    processes.insert(process)
                    try await other.execute(
                        Statement("kill", "select pg_terminate_backend($1::int, 10000)"), .writes, process)
                }
                #expect(processes.count == 3)
            }
        }
    }

    // MARK: - Altered types

    @Test("An attribute that is added while the connection is open is sent as null and skipped")
    func addedAttribute() async throws {
        try await withTypes { connection, run in
            try await connection.execute(store, .writes, [Self.full])
            #expect(try await connection.values(of: Machine.self, load) == [Self.full])
            try await run("alter type part add attribute extra point; alter type machine add attribute extra int[]")
            var second = Self.full
            second.id = 2
            try await connection.execute(store, .writes, [second])
            try await run("alter type machine add attribute more part")
            #expect(try await connection.values(of: Machine.self, load) == [Self.full, second])
            let extra = Statement(
                "extra", "select count(*) from stored where (machine).extra is null and (machine).more is null")
            #expect(try await connection.values(of: Int.self, extra) == [2])
        }
    }

    @Test("An altered type does not execute a write twice")
    func writtenOnce() async throws {
        try await withTypes { connection, run in
            let write = Statement(
                "write", "insert into stored select unnest($1::machine[]) returning machine")
            for id in Int64(1)...5 {
                let machine = Machine(id: id, title: "t")
                #expect(try await connection.values(of: Machine.self, write, .writes, [machine]) == [machine])
                try await run("alter type machine add attribute extra\(id) text")
            }
            #expect(try await connection.values(of: Machine.self, load).map(\.id) == [1, 2, 3, 4, 5])
        }
    }

    @Test("An attribute that the program does not declare can be dropped while the connection is open")
    func droppedAttribute() async throws {
        try await withTypes { connection, run in
            try await run("alter type machine add attribute extra text")
            try await connection.execute(store, .writes, [Self.full])
            try await run("alter type machine drop attribute extra; alter type machine add attribute other int")
            try await run("alter type machine drop attribute other")
            #expect(try await connection.values(of: Machine.self, load) == [Self.full])
            try await connection.execute(Statement("empty", "delete from stored"), .writes)
            try await connection.execute(store, .writes, [Self.full])
            #expect(try await connection.values(of: Machine.self, load) == [Self.full])
        }
    }

    @Test("A declared attribute that is dropped is an error with its name, until it is added again")
    func droppedDeclaredAttribute() async throws {
        try await withTypes { connection, run in
            try await connection.execute(store, .writes, [Machine(id: 1)])
            try await run("alter type machine drop attribute title")
            let written = await postgresError { try await connection.execute(store, .writes, [Machine(id: 2)]) }
            #expect(
                reason(written) == "parameter 1: the composite type machine of the database has no attribute title")
            #expect(written?.mayHaveCommitted == false)
            let read = await postgresError { try await connection.values(of: Machine.self, load) }
            #expect(
                reason(read)?.hasSuffix("the composite type machine of the database has no attribute title") == true)
            try await run("alter type machine add attribute title text")
            try await connection.execute(store, .writes, [Machine(id: 2, title: "t")])
            #expect(
                try await connection.values(of: Machine.self, load) == [Machine(id: 1), Machine(id: 2, title: "t")])
        }
    }

    @Test("A type that is dropped and created again with other attributes is used with its new object id")
    func createdAgain() async throws {
        try await withTypes { connection, run in
            let echo = Statement("echo", "select $1::part[]")
            let parts = [Part(name: "a", amount: 1)]
            #expect(try await connection.values(of: [Part].self, echo, .reads, parts) == [parts])
            try await run("drop type part cascade; create type part as (first int, amount bigint, name text)")
            #expect(try await connection.values(of: [Part].self, echo, .reads, parts) == [parts])
        }
    }

    @Test("A type that is created after a failed statement is found by the next one")
    func createdLater() async throws {
        try await withTypes { connection, run in
            let echo = Statement("echo", "select ($1::missing).id")
            let error = await postgresError {
                try await connection.values(of: Int64.self, echo, .reads, Missing(id: 3))
            }
            #expect(reason(error) == "parameter 1: the database has no composite type missing")
            try await run("create type missing as (id bigint)")
            #expect(try await connection.values(of: Int64.self, echo, .reads, Missing(id: 3)) == [3])
        }
    }

    @Test("Composite types are found and altered in an open transaction, and an aborted one reports its error")
    func transaction() async throws {
        try await withTypes { connection, run in
            try await connection.run(script: "begin; alter type machine add attribute extra text")
            try await connection.execute(store, .writes, [Self.full])
            #expect(try await connection.values(of: Machine.self, load) == [Self.full])
            try await connection.run(script: "rollback")
            #expect(try await connection.values(of: Machine.self, load) == [])
            try await connection.run(script: "begin")
            _ = await postgresError { try await connection.execute(Statement("bad", "select 1 / 0"), .writes) }
            let aborted = await postgresError { try await connection.execute(store, .writes, [Missing()]) }
            #expect(aborted?.sqlState == "25P02")
            try await connection.run(script: "rollback")
            try await connection.execute(store, .writes, [Self.full])
            #expect(try await connection.values(of: Machine.self, load) == [Self.full])
        }
    }

    @Test("A statement that raises the code of an altered type fails at once if no type was altered")
    func unchangedType() async throws {
        try await withTypes { connection, run in
            try await run(
                """
                create sequence calls;
                create function refuse(part) returns void language plpgsql as $$
                begin
                    perform nextval('calls');
                    raise exception 'refused' using errcode = '42804';
                end $$
                """)
            // From here on the type is known.
            let echo = Statement("echo", "select $1::part")
            #expect(try await connection.values(of: Part.self, echo, .reads, Part(name: "a")) == [Part(name: "a")])
            let refuse = Statement("refuse", "select refuse($1)")
            let error = await postgresError { try await connection.execute(refuse, .writes, Part(name: "a")) }
            #expect(error?.sqlState == "42804")
            // A sequence is not rolled back.
            #expect(
                try await connection.values(of: Int64.self, Statement("calls", "select last_value from calls")) == [1])
        }
    }

    // MARK: - Errors

    @Test("A field that cannot be encoded is rejected by its name before anything is sent")
    func unencodable() async throws {
        try await withTypes { connection, _ in
            let echo = Statement("echo", "select $1::part[]")
            let nul = await postgresError {
                try await connection.execute(echo, .writes, [Part(name: "a"), Part(name: "a\0b")])
            }
            #expect(reason(nul)?.hasPrefix("parameter 1: part.name: the text contains a NUL") == true)
            let wrong = await postgresError { try await connection.execute(echo, .writes, [WrongPart(name: "a")]) }
            #expect(reason(wrong)?.hasPrefix("parameter 1: part.amount is type ") == true)
            #expect(reason(wrong)?.hasSuffix(", not int4") == true)
            let unstable = await postgresError {
                try await connection.execute(echo, .writes, [UnstablePart(name: "a")])
            }
            #expect(reason(unstable) == "parameter 1: part.amount is declared in another order")
            let echoed = try await connection.values(of: [Part].self, echo, .reads, [Part(name: "b")])
            #expect(echoed == [[Part(name: "b")]])
        }
    }

    @Test(
        "A column that is not a record of the type is undecodable, and the error names the column",
        arguments: [
            "null::part", "row('a', 1)", "'a'::text", "array[row('a', 1)::part]", "'{}'::machine[]", "1::int8",
            "row(1, null, 'regular', '{}', '{}', null, null, '')::machine",
        ])
    func wrongColumn(expression: String) async throws {
        try await withTypes { connection, _ in
            let error = await postgresError {
                try await connection.values(of: Part.self, Statement("wrong", "select \(expression) as odd"))
            }
            #expect(reason(error)?.hasPrefix("column 1 (odd): expected part, found") == true)
            let good = Statement("good", "select row('a', 1)::part")
            let parts = try await connection.values(of: Part.self, good)
            #expect(parts == [Part(name: "a", amount: 1)])
        }
    }

    @Test(
        "A column that is not an array of the composite type is undecodable",
        arguments: [
            "row('a', 1)::part", "array['a']", "'{}'::machine[]", "array[[row('a', 1)::part], [row('b', 2)::part]]",
            "array[null::part]", "null::part[]",
        ])
    func wrongArray(expression: String) async throws {
        try await withTypes { connection, _ in
            let error = await postgresError {
                try await connection.values(of: [Part].self, Statement("wrong", "select \(expression) as odd"))
            }
            #expect(reason(error)?.hasPrefix("column 1 (odd): ") == true)
        }
    }

    @Test("A field that is null or of another type is undecodable, and the error names the field")
    func wrongField() async throws {
        try await withTypes { connection, run in
            let null = await postgresError {
                try await connection.values(of: Part.self, Statement("null", "select row(null, 1)::part as odd"))
            }
            #expect(reason(null) == "column 1 (odd): part.name: expected text, found null")
            try await run("drop table stored; alter type part alter attribute name type int")
            let wrong = await postgresError {
                try await connection.values(of: Part.self, Statement("wrong", "select row(1, 1)::part as odd"))
            }
            #expect(reason(wrong) == "column 1 (odd): part.name: expected text, found int4")
        }
    }

    // MARK: - Malicious bytes

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
