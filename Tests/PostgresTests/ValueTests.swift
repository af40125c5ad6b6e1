// Round trips of all value types, limits included, and the errors for values that do not fit.

import Foundation
import Postgres
import Testing

@Suite("Values")
struct ValueTests {
    enum Kind: String, PostgresEncodable, PostgresDecodable, PostgresElement { case regular, special }

    private func roundTrip<Value: PostgresEncodable & PostgresDecodable & Equatable>(
        _ type: String, _ values: [Value], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await withConnection { connection in
            let statement = Statement("round_trip", "select $1::\(type)")
            for value in values {
                let back = try await connection.query(statement, .reads, value) { row in try row.next(Value.self) }
                #expect(back == [value], sourceLocation: sourceLocation)
            }
        }
    }

    @Test("Every type survives a round trip, limits included")
    func everyType() async throws {
        try await roundTrip("bool", [true, false])
        try await roundTrip("int2", [0, -1, Int16.min, .max])
        try await roundTrip("int4", [0, -1, Int32.min, .max])
        try await roundTrip("int8", [0, -1, Int64.min, .max])
        try await roundTrip("int8", [0, -1, Int.min, .max])
        try await roundTrip(
            "text", ["", "a", "Zoë 李 محمد 🍔", String(repeating: "x", count: 1 << 20), "'; drop table x; --", "$1"])
        try await roundTrip("varchar", ["abc"])
        try await roundTrip("bytea", [[], [0], Array(0...255), [UInt8](repeating: 7, count: 1 << 20)])
        try await roundTrip("uuid", [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))])
        try await roundTrip(
            "timestamptz",
            [
                Timestamp(microseconds: 0), Timestamp(microseconds: -1), Timestamp(microseconds: 1_790_000_000_123_456),
                .infinity,
                .negativeInfinity,
                // 4713 BC, PostgreSQL's first timestamp.
                Timestamp(microseconds: -210_866_803_200_000_000),
            ])
        try await roundTrip("text", [Kind.regular, .special])
    }

    @Test("A null of every type decodes as nil")
    func nulls() async throws {
        try await roundTrip("bool", [Bool?.none, true])
        try await roundTrip("int8", [Int64?.none, 1])
        try await roundTrip("text", [String?.none, ""])
        try await roundTrip("bytea", [[UInt8]?.none, []])
        try await roundTrip("uuid", [UUID?.none])
        try await roundTrip("timestamptz", [Timestamp?.none])
        try await roundTrip("date", [CalendarDate?.none])
        try await roundTrip("int8[]", [[Int64]?.none])
    }

    @Test("Arrays survive a round trip, empty and with nulls")
    func arrays() async throws {
        try await roundTrip("bool[]", [[], [true, false]])
        try await roundTrip("int2[]", [[], [Int16.min, .max]])
        try await roundTrip("int4[]", [[], [Int32.min, .max]])
        try await roundTrip("int8[]", [[], [Int64.min, .max], Array(0..<10_000)])
        try await roundTrip("text[]", [[], ["", "NULL", "{}", "a,b", "\"", "🍟"]])
        try await roundTrip("text[]", [[String?.none, "a", nil], [nil]])
        try await roundTrip("uuid[]", [[UUID()]])
        try await roundTrip("timestamptz[]", [[Timestamp(microseconds: 1)]])
        try await roundTrip("date[]", [[CalendarDate?.none]])
        try await roundTrip("text[]", [[Kind.special, .regular]])
    }

    @Test(
        "Dates equal PostgreSQL's dates",
        arguments: [
            (2000, 1, 1, "2000-01-01"), (2024, 2, 29, "2024-02-29"), (1999, 12, 31, "1999-12-31"),
            (1, 1, 1, "0001-01-01"),
            (9999, 12, 31, "9999-12-31"), (1900, 3, 1, "1900-03-01"), (0, 3, 1, "0001-03-01 BC"),
            (-4712, 1, 1, "4713-01-01 BC"),
        ])
    func days(year: Int, month: Int, day: Int, text: String) async throws {
        let date = try #require(CalendarDate(year: year, month: month, day: day))
        let statement = Statement("days", "select $1::date, $1::date::text, $2::text::date")
        let row = try await withConnection { connection in
            try await connection.query(statement, .reads, date, text) { row in
                (try row.next(CalendarDate.self), try row.next(String.self), try row.next(CalendarDate.self))
            }
        }
        #expect(row.first?.0 == date)
        #expect(row.first?.1 == text)
        #expect(row.first?.2 == date)
    }

    @Test("A date that the calendar does not have is nil")
    func invalidDates() {
        #expect(CalendarDate(year: 2025, month: 2, day: 29) == nil)
        #expect(CalendarDate(year: 1900, month: 2, day: 29) == nil)
        #expect(CalendarDate(year: 2025, month: 13, day: 1) == nil)
        #expect(CalendarDate(year: 2025, month: 4, day: 31) == nil)
        #expect(CalendarDate(year: Int.max, month: 1, day: 1) == nil)
    }

    @Test("JSON is encoded as jsonb and decoded from json and jsonb, as JSON and as text")
    func json() async throws {
        let statement = Statement("json", "select $1::jsonb, $1::jsonb, $2::text::json, array[$1]")
        let row = try await withConnection { connection in
            try await connection.query(statement, .reads, JSONB(#"{"a": [1, "é"]}"#), "[1]") { row in
                (
                    try row.next(JSONB.self), try row.next(String.self), try row.next(JSONB.self),
                    try row.next([JSONB].self)
                )
            }
        }
        #expect(row.first?.0 == JSONB(#"{"a": [1, "é"]}"#))
        #expect(row.first?.1 == #"{"a": [1, "é"]}"#)
        #expect(row.first?.2 == JSONB("[1]"))
        #expect(row.first?.3 == [JSONB(#"{"a": [1, "é"]}"#)])
    }

    @Test("An integer decodes into a wider type")
    func widening() async throws {
        let statement = Statement("widening", "select 7::int2, 8::int2, 9::int4, 10::oid")
        let row = try await withConnection { connection in
            try await connection.query(statement, .reads) { row in
                (try row.next(Int32.self), try row.next(Int64.self), try row.next(Int.self), try row.next(Int64.self))
            }
        }
        #expect(row.first ?? (0, 0, 0, 0) == (7, 8, 9, 10))
    }

    @Test("A text with a NUL is rejected before anything is sent, also in an array and in JSON")
    func nul() async throws {
        try await withConnection { connection in
            let statement = Statement("nul", "select 1 where $1::text is not null")
            for error in [
                await postgresError { try await connection.execute(statement, .writes, "a\0b") },
                await postgresError { try await connection.execute(statement, .writes, ["a", "\0"]) },
                await postgresError { try await connection.execute(statement, .writes, JSONB("\"\0\"")) },
            ] {
                guard case .invalidParameter(let reason) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(reason.contains("parameter 1"))
            }
        }
    }

    @Test(
        "A column of another type, null, or out of range is undecodable, and the error names the column",
        arguments: [
            "'1'::text", "null::int8", "1.5::numeric", "1::float8", "array[1]", "true", "'{}'::jsonb", "now()",
            "row(1, 2)", "point(1, 2)",
        ])
    func wrongType(expression: String) async throws {
        let error = try await withConnection { connection in
            await postgresError {
                try await connection.query(Statement("wrong", "select 0, \(expression) as odd"), .reads) { row in
                    (try row.next(Int.self), try row.next(Int.self))
                }
            }
        }
        guard case .undecodable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("column 2 (odd)"))
    }

    @Test(
        "A column that is not a one-dimensional array of the type is undecodable",
        arguments: [
            "'abc'::text", "array[[1::int8, 2], [3, 4]]", "array['a']", "array[null::int8]", "null::int8[]",
            "array[1.5]", "'\\x00'::bytea",
        ])
    func wrongArray(expression: String) async throws {
        let error = try await withConnection { connection in
            await postgresError {
                try await connection.query(Statement("wrong", "select \(expression)"), .reads) { row in
                    try row.next([Int64].self)
                }
            }
        }
        guard case .undecodable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Missing columns, unknown raw values, out-of-range timestamps and dates, and foreign errors are undecodable")
    func outOfRange() async throws {
        try await withConnection { connection in
            for error in [
                await postgresError {
                    try await connection.query(Statement("a", "select 1"), .reads) { row in
                        (try row.next(Int.self), try row.next(Int.self))
                    }
                },
                await postgresError {
                    try await connection.query(Statement("b", "select 'x'"), .reads) { row in try row.next(Kind.self) }
                },
                await postgresError {
                    try await connection.query(Statement("c", "select '294276-12-31'::timestamptz"), .reads) { row in
                        try row.next(Timestamp.self)
                    }
                },
                await postgresError {
                    try await connection.query(Statement("d", "select 'infinity'::date"), .reads) { row in
                        try row.next(CalendarDate.self)
                    }
                },
                await postgresError {
                    try await connection.query(Statement("e", "select 1"), .reads) { _ -> Int in
                        throw CancellationError()
                    }
                },
            ] {
                guard case .undecodable = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
            let left = await postgresError {
                try await connection.execute(
                    Statement("f", "select $1::timestamptz"), .reads, Timestamp(microseconds: .min + 1))
            }
            guard case .invalidParameter = left else {
                Issue.record("\(String(describing: left))")
                return
            }
        }
    }

    @Test("A statement can have 65,535 parameters, but not one more")
    func manyParameters() async throws {
        func sum(_ count: Int) -> (Statement, Parameters) {
            var parameters = Parameters()
            for _ in 0..<count { parameters.append(1) }
            return (
                Statement(
                    "many", "select " + (1...3).map { "$\($0)::int8" }.joined(separator: "+") + " + $\(count)::int8"),
                parameters
            )
        }
        try await withConnection { connection in
            let (statement, parameters) = sum(65_535)
            let four = try await connection.query(statement, parameters, .reads) { row in try row.next(Int.self) }
            #expect(four == [4])
            let (tooMany, values) = sum(65_536)
            let error = await postgresError { try await connection.execute(tooMany, values, .reads) }
            #expect(error == .invalidParameter("more than 65535 parameters"))
        }
    }
}
