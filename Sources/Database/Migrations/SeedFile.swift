// A file of plain SQL that staff load: the shipped menu of seed/, or one of their own. `psql -f FILE` does the same.
// Called by `welms seed`, by `welms serve` on a fresh embedded cluster, and by tests.
import Foundation
import Logging
import Postgres

/// A seed file: its name for messages, and its SQL with its own begin and commit.
package struct SeedFile: Sendable {
    /// The file's name or path, for messages.
    package let name: String
    package let sql: String

    /// Why a seed can't be loaded: the file, and what PostgreSQL says about it with its hint.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The menu with its options, the sales and the coupons that ship with the program, in the order in which they have to be loaded. What a
    /// shop may do without, `seed/restaurant*.sql`, is loaded by who asks for it.
    package static func shipped() throws(Failure) -> [SeedFile] {
        do {
            let files = try Resources.files(in: "seed", ending: ".sql").filter { !$0.name.hasPrefix("restaurant") }.map {
                SeedFile(name: $0.name, sql: String(decoding: $0.bytes, as: UTF8.self))
            }
            // Options, sales and coupons name items and categories of the menu.
            return files.sorted { ($0.name == "menu.sql" ? 0 : 1, $0.name) < ($1.name == "menu.sql" ? 0 : 1, $1.name) }
        } catch {
            throw Failure(description: error.description)
        }
    }

    /// A file of the operator's own.
    package static func read(_ path: String) throws(Failure) -> SeedFile {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "the seed file \(path) can't be read: check the path and its permissions")
        }
        guard let sql = String(validating: bytes, as: UTF8.self) else {
            throw Failure(description: "the seed file \(path) is not UTF-8 text")
        }
        return SeedFile(name: path, sql: sql)
    }

    /// Loads the shipped files where the shop has no menu yet: on a fresh cluster, or one whose first start was cut short. Servers that start
    /// together wait for one another, so that one of them loads. Answers whether this one did.
    @discardableResult
    package static func loadShippedIfEmpty(into url: String, logger: Logger) async throws(Failure) -> Bool {
        let files = try shipped()
        return try await connected(to: url, "the menu can't be looked at", logger) { connection throws(Failure) in
            let hasMenu: [Bool]
            do {
                // Held by the session: it is gone with the connection, whatever happens to this process.
                try await connection.run(script: "select pg_advisory_lock(\(Self.lock))")
                hasMenu = try await connection.query(Self.hasMenu, .reads) { row throws(PostgresError) in try row.next(Bool.self) }
            } catch {
                throw Failure(description: "the menu can't be looked at: \(error)")
            }
            guard hasMenu != [true] else { return false }
            for file in files { try await file.load(over: connection) }
            return true
        }
    }

    /// Loads the file. A failure leaves the database as it was.
    package func load(into url: String, logger: Logger) async throws(Failure) {
        try await Self.connected(to: url, name, logger) { connection throws(Failure) in try await load(over: connection) }
    }

    private func load(over connection: PostgresConnection) async throws(Failure) {
        do {
            // A date without a zone is one of the shop's, where there is one yet.
            try await connection.run(
                script: """
                    do $$ begin
                        if to_regclass('shop') is not null then perform set_config('timezone', time_zone, false) from shop; end if;
                    end $$
                    """)
            try await connection.run(script: sql)
        } catch {
            throw Failure(description: "\(name): \(Self.explanation(of: error))")
        }
    }

    private static func explanation(of error: PostgresError) -> String {
        if case .server(let refusal) = error { refusal.explanationOfSeed } else { "\(error)" }
    }

    private static func connected<Value: Sendable>(
        to url: String, _ purpose: String, _ logger: Logger, _ work: (PostgresConnection) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await PostgresConnection.with(
            url, sessionSettings: ["application_name": "welms seed", "client_min_messages": "warning"], logger: logger,
            orThrow: { Failure(description: "\(purpose): \($0)") }, work)
    }

    /// "seeds" in ASCII: one lock for the first menu of one database.
    private static let lock: Int64 = 0x73_6565_6473

    private static let hasMenu = Statement("has_menu", "select exists (select from categories)")
}
