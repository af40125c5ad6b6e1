// Composite types in SQL and in Swift, for the tests of the client.

import Foundation

@testable import Postgres

enum Kind: String, PostgresEncodable, PostgresDecodable, PostgresElement { case regular, special }

struct Part: PostgresComposite, Equatable {
    static let compositeName = "part"
    var name = ""
    var amount: Int64?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("name", &name)
        try record.field("amount", &amount)
    }
}

struct Machine: PostgresComposite, Equatable {
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

extension Machine {
    /// A value in every field, with nulls in the arrays.
    static let full = Machine(
        id: .min, title: "Zoë", kind: .special, flags: [1, nil, .max],
        parts: [Part(name: "a", amount: 1), nil, Part(name: "", amount: nil)], spare: Part(name: "s", amount: 0),
        seen: Timestamp(microseconds: 1_790_000_000_123_456), digest: [0, 255])
}

/// Some attributes of `machine`, in another order than in the database.
struct ShortMachine: PostgresComposite, Equatable {
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

/// The definitions of the types, and a table.
let compositeDefinitions = """
    create type kind as enum ('regular', 'special');
    create domain quantity as bigint check (value >= 0);
    create type part as (name text, amount quantity);
    create type machine as (
        id bigint, title text, kind kind, flags int[], parts part[], spare part, seen timestamptz, digest bytea);
    create table stored (machine machine);
    """

/// Runs `body` with a connection to a schema of its own, which has `compositeDefinitions`, and with a script runner
/// that uses another connection.
func withCompositeTypes(
    _ body: (PostgresConnection, (String) async throws -> Void) async throws -> Void
) async throws {
    let schema = "composite_\(UUID().uuidString.prefix(8).lowercased())"
    try await withConnection(settings: ["search_path": schema]) { other in
        try await other.run(script: "create schema \(schema); \(compositeDefinitions)")
        try await withConnection(settings: ["search_path": schema]) { connection in
            try await body(connection) { try await other.run(script: $0) }
        }
    }
}

extension PostgresError {
    /// Why a value cannot be encoded or decoded; nil for any other error.
    var codingReason: String? {
        switch self {
        case .invalidParameter(let reason), .undecodable(let reason): reason
        default: nil
        }
    }
}
