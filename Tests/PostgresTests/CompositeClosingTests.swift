// A connection that is closed while a statement waits for composite types.
import Foundation
import Testing

@testable import Postgres

private struct First: PostgresComposite {
    static let compositeName = "closing_first"
    var value: Int32 = 0

    mutating func code(with record: inout RecordCoder) throws(CodingError) { try record.field("value", &value) }
}

private struct Second: PostgresComposite {
    static let compositeName = "closing_second"
    var value: Int32 = 0

    mutating func code(with record: inout RecordCoder) throws(CodingError) { try record.field("value", &value) }
}

@Suite("Closing a connection that looks up types", .timeLimit(.minutes(1))) struct CompositeClosingTests {
    @Test("A write whose result needs two lookups is answered although its connection is being closed")
    func twoLookups() async throws {
        let schema = "closing_\(UUID().uuidString.prefix(8).lowercased())"
        try await withConnection { holder in
            try await holder.run(
                script: """
                    create schema \(schema);
                    create type \(schema).closing_first as (value integer);
                    create type \(schema).closing_second as (value integer);
                    """)
            try await holder.run(script: "begin; select pg_advisory_xact_lock(hashtext('\(schema)'))")
            try await withConnection(settings: ["search_path": schema]) { connection in
                let statement = Statement(
                    "both",
                    """
                    select row(1)::closing_first, row(2)::closing_second
                    from pg_advisory_xact_lock_shared(hashtext('\(schema)'))
                    """)
                let rows = Task {
                    try await connection.query(statement, .writes) { row throws(PostgresError) in
                        [try row.next(First.self).value, try row.next(Second.self).value]
                    }
                }
                _ = try await eventually("the statement is accepted") {
                    connection.mailbox.load.load(ordering: .relaxed) > 0 ? true : nil
                }
                async let closed: Void = connection.close()
                _ = try await eventually("the connection is being closed") {
                    connection.mailbox.phase == .draining ? true : nil
                }
                try await holder.run(script: "commit")
                #expect(try await rows.value == [[1, 2]])
                await closed
            }
            try await holder.run(script: "drop schema \(schema) cascade")
        }
    }
}
