// Composite types that do not change: round trips through PostgreSQL, and values that cannot be encoded or decoded.

import Foundation
import Testing

@testable import Postgres

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

@Suite("Composite types", .timeLimit(.minutes(10)))
struct CompositeTests {
    private let store = Statement("store", "insert into stored select unnest($1::machine[])")
    private let load = Statement("load", "select machine from stored order by (machine).id")

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

    // MARK: - Round trips

    @Test("Records survive a round trip, alone and in arrays, with nulls, nested arrays and empty arrays")
    func roundTrips() async throws {
        try await withCompositeTypes { connection, _ in
            try await roundTrip("machine", [Machine.full, Machine()], connection)
            try await roundTrip("machine", [nil, Machine.full], connection)
            try await roundTrip("machine[]", [[], [Machine.full], [Machine(), Machine.full, Machine()]], connection)
            try await roundTrip("machine[]", [[nil, Machine.full, nil], [nil], []], connection)
            try await roundTrip("machine[]", [[Machine]?.none, [Machine.full]], connection)
            try await roundTrip("part[]", [(Int64(0)..<10_000).map { Part(name: "\($0)", amount: $0) }], connection)
        }
    }

    @Test("Texts with any characters survive a round trip in a record")
    func texts() async throws {
        try await withCompositeTypes { connection, _ in
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
        try await withCompositeTypes { connection, _ in
            let statement = Statement(
                "names",
                """
                select ($1).id, ($1).title, ($1).kind::text, ($1).flags, ($1).parts[1].name, ($1).parts[2] is null,
                       ($1).spare.amount::bigint, ($1).seen, ($1).digest
                """)
            let rows = try await connection.query(statement, .reads, Machine.full) { row in
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
            var expected = Machine.full
            // The statement does not read the third part.
            expected.parts.removeLast()
            #expect(rows == [expected])
        }
    }

    @Test("A Swift type with some attributes in another order sends null for the others and skips them")
    func otherOrder() async throws {
        try await withCompositeTypes { connection, _ in
            let short = ShortMachine(parts: [Part(name: "p", amount: 2)], seen: Timestamp(microseconds: 3), id: 4)
            try await connection.execute(store, .writes, [short])
            #expect(try await connection.values(of: ShortMachine.self, load) == [short])
            let others = Statement(
                "others", "select num_nulls((machine).title, (machine).kind, (machine).flags) from stored")
            #expect(try await connection.values(of: Int.self, others) == [3])
            try await connection.execute(Statement("empty", "delete from stored"), .writes)
            var full = Machine.full
            full.parts = [Part(name: "p", amount: 2)]
            try await connection.execute(store, .writes, [full])
            #expect(
                try await connection.values(of: ShortMachine.self, load)
                    == [ShortMachine(parts: [Part(name: "p", amount: 2)], seen: full.seen, id: full.id)])
        }
    }

    @Test("A statement that only returns records finds their types, and a write is executed once")
    func resultOnly() async throws {
        try await withCompositeTypes { connection, run in
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
            try await other.run(script: "create schema \(schema); \(compositeDefinitions)")
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
            try await other.run(script: "create schema \(schema); \(compositeDefinitions)")
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

    // MARK: - Errors

    @Test("A field that cannot be encoded is rejected by its name before anything is sent")
    func unencodable() async throws {
        try await withCompositeTypes { connection, _ in
            let echo = Statement("echo", "select $1::part[]")
            let nul = await postgresError {
                try await connection.execute(echo, .writes, [Part(name: "a"), Part(name: "a\0b")])
            }
            #expect(nul?.codingReason?.hasPrefix("parameter 1: part.name: the text contains a NUL") == true)
            let wrong = await postgresError { try await connection.execute(echo, .writes, [WrongPart(name: "a")]) }
            #expect(wrong?.codingReason?.hasPrefix("parameter 1: part.amount is type ") == true)
            #expect(wrong?.codingReason?.hasSuffix(", not int4") == true)
            let unstable = await postgresError {
                try await connection.execute(echo, .writes, [UnstablePart(name: "a")])
            }
            #expect(unstable?.codingReason == "parameter 1: part.amount is declared in another order")
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
        try await withCompositeTypes { connection, _ in
            let error = await postgresError {
                try await connection.values(of: Part.self, Statement("wrong", "select \(expression) as odd"))
            }
            #expect(error?.codingReason?.hasPrefix("column 1 (odd): expected part, found") == true)
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
        try await withCompositeTypes { connection, _ in
            let error = await postgresError {
                try await connection.values(of: [Part].self, Statement("wrong", "select \(expression) as odd"))
            }
            #expect(error?.codingReason?.hasPrefix("column 1 (odd): ") == true)
        }
    }

    @Test("A field that is null or of another type is undecodable, and the error names the field")
    func wrongField() async throws {
        try await withCompositeTypes { connection, run in
            let null = await postgresError {
                try await connection.values(of: Part.self, Statement("null", "select row(null, 1)::part as odd"))
            }
            #expect(null?.codingReason == "column 1 (odd): part.name: expected text, found null")
            try await run("drop table stored; alter type part alter attribute name type int")
            let wrong = await postgresError {
                try await connection.values(of: Part.self, Statement("wrong", "select row(1, 1)::part as odd"))
            }
            #expect(wrong?.codingReason == "column 1 (odd): part.name: expected text, found int4")
        }
    }
}
