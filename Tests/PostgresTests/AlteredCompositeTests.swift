// Composite types that are altered, dropped or created while a connection is open.

import Testing

@testable import Postgres

private struct Missing: PostgresComposite {
    static let compositeName = "missing"
    var id: Int64 = 0

    mutating func code(with record: inout RecordCoder) throws(CodingError) { try record.field("id", &id) }
}

@Suite("Altered composite types", .timeLimit(.minutes(10)))
struct AlteredCompositeTests {
    private let store = Statement("store", "insert into stored select unnest($1::machine[])")
    private let load = Statement("load", "select machine from stored order by (machine).id")

    @Test("An attribute that is added while the connection is open is sent as null and skipped")
    func addedAttribute() async throws {
        try await withCompositeTypes { connection, run in
            try await connection.execute(store, .writes, [Machine.full])
            #expect(try await connection.values(of: Machine.self, load) == [Machine.full])
            try await run("alter type part add attribute extra point; alter type machine add attribute extra int[]")
            var second = Machine.full
            second.id = 2
            try await connection.execute(store, .writes, [second])
            try await run("alter type machine add attribute more part")
            #expect(try await connection.values(of: Machine.self, load) == [Machine.full, second])
            let extra = Statement(
                "extra", "select count(*) from stored where (machine).extra is null and (machine).more is null")
            #expect(try await connection.values(of: Int.self, extra) == [2])
        }
    }

    @Test("An altered type does not execute a write twice")
    func writtenOnce() async throws {
        try await withCompositeTypes { connection, run in
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
        try await withCompositeTypes { connection, run in
            try await run("alter type machine add attribute extra text")
            try await connection.execute(store, .writes, [Machine.full])
            try await run("alter type machine drop attribute extra; alter type machine add attribute other int")
            try await run("alter type machine drop attribute other")
            #expect(try await connection.values(of: Machine.self, load) == [Machine.full])
            try await connection.execute(Statement("empty", "delete from stored"), .writes)
            try await connection.execute(store, .writes, [Machine.full])
            #expect(try await connection.values(of: Machine.self, load) == [Machine.full])
        }
    }

    @Test("A declared attribute that is dropped is an error with its name, until it is added again")
    func droppedDeclaredAttribute() async throws {
        try await withCompositeTypes { connection, run in
            try await connection.execute(store, .writes, [Machine(id: 1)])
            try await run("alter type machine drop attribute title")
            let written = await postgresError { try await connection.execute(store, .writes, [Machine(id: 2)]) }
            let problem = "the composite type machine of the database has no attribute title"
            #expect(written?.codingReason == "parameter 1: \(problem)")
            #expect(written?.mayHaveCommitted == false)
            let read = await postgresError { try await connection.values(of: Machine.self, load) }
            #expect(read?.codingReason?.hasSuffix(problem) == true)
            try await run("alter type machine add attribute title text")
            try await connection.execute(store, .writes, [Machine(id: 2, title: "t")])
            #expect(
                try await connection.values(of: Machine.self, load) == [Machine(id: 1), Machine(id: 2, title: "t")])
        }
    }

    @Test("A type that is dropped and created again with other attributes is used with its new object id")
    func createdAgain() async throws {
        try await withCompositeTypes { connection, run in
            let echo = Statement("echo", "select $1::part[]")
            let parts = [Part(name: "a", amount: 1)]
            #expect(try await connection.values(of: [Part].self, echo, .reads, parts) == [parts])
            try await run("drop type part cascade; create type part as (first int, amount bigint, name text)")
            #expect(try await connection.values(of: [Part].self, echo, .reads, parts) == [parts])
        }
    }

    @Test("A type that is created after a failed statement is found by the next one")
    func createdLater() async throws {
        try await withCompositeTypes { connection, run in
            let echo = Statement("echo", "select ($1::missing).id")
            let error = await postgresError {
                try await connection.values(of: Int64.self, echo, .reads, Missing(id: 3))
            }
            #expect(error?.codingReason == "parameter 1: the database has no composite type missing")
            try await run("create type missing as (id bigint)")
            #expect(try await connection.values(of: Int64.self, echo, .reads, Missing(id: 3)) == [3])
        }
    }

    @Test("Composite types are found and altered in an open transaction, and an aborted one reports its error")
    func transaction() async throws {
        try await withCompositeTypes { connection, run in
            try await connection.run(script: "begin; alter type machine add attribute extra text")
            try await connection.execute(store, .writes, [Machine.full])
            #expect(try await connection.values(of: Machine.self, load) == [Machine.full])
            try await connection.run(script: "rollback")
            #expect(try await connection.values(of: Machine.self, load) == [])
            try await connection.run(script: "begin")
            _ = await postgresError { try await connection.execute(Statement("bad", "select 1 / 0"), .writes) }
            let aborted = await postgresError { try await connection.execute(store, .writes, [Missing()]) }
            #expect(aborted?.sqlState == "25P02")
            try await connection.run(script: "rollback")
            try await connection.execute(store, .writes, [Machine.full])
            #expect(try await connection.values(of: Machine.self, load) == [Machine.full])
        }
    }

    @Test("A statement that raises the code of an altered type fails at once if no type was altered")
    func unchangedType() async throws {
        try await withCompositeTypes { connection, run in
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
}
