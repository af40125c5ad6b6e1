// A file of plain SQL that staff load: a shipped file of seed/, or their own. `psql -f FILE` does the same.
import Foundation
import Logging
import Postgres

/// A seed file: its name for messages, and its SQL with begin and commit.
package struct SeedFile: Sendable {
    /// The file name or path, for messages.
    package let name: String
    package let sql: String

    /// Why a seed file could not be loaded: the file, and PostgreSQL's message with its hint.
    package struct Failure: Error, Sendable, CustomStringConvertible { package let description: String }

    /// The shipped menu, options, sales groups and coupons, in loading order. The optional `seed/restaurant*.sql` are
    /// loaded only on request.
    package static func shipped() throws(Failure) -> [SeedFile] {
        do {
            let files = try Resources.files(in: "seed", ending: ".sql").filter { !$0.name.hasPrefix("restaurant") }.map
            {
                SeedFile(name: $0.name, sql: String(decoding: $0.bytes, as: UTF8.self))
            }
            // Options, sales groups and coupons refer to the menu.
            return files.sorted { ($0.name == "menu.sql" ? 0 : 1, $0.name) < ($1.name == "menu.sql" ? 0 : 1, $1.name) }
        } catch {
            throw Failure(description: error.description)
        }
    }

    /// Reads a file of the operator.
    package static func read(_ path: String) throws(Failure) -> SeedFile {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "the seed file \(path) can't be read: check the path and its permissions")
        }
        guard let sql = String(validating: bytes, as: UTF8.self) else {
            throw Failure(description: "the seed file \(path) is not UTF-8 text")
        }
        return SeedFile(name: path, sql: sql)
    }

    /// Loads the shipped files if the shop has no menu: on a new cluster, or after an interrupted first start. Servers
    /// that start at the same time wait for each other. Returns whether this call loaded them.
    @discardableResult
    package static func loadShippedIfEmpty(into url: String, logger: Logger) async throws(Failure) -> Bool {
        let files = try shipped()
        return try await connected(to: url, "the menu can't be read", logger) { connection throws(Failure) in
            let hasMenu: [Bool]
            do {
                // A session lock: PostgreSQL releases it with the connection, even if this process dies.
                try await connection.run(script: "select pg_advisory_lock(\(Self.lock))")
                hasMenu = try await connection.query(Self.hasMenu, .reads) { try $0.next(Bool.self) }
            } catch {
                throw Failure(description: "the menu can't be read: \(error)")
            }
            guard hasMenu != [true] else { return false }
            for file in files { try await file.load(over: connection) }
            return true
        }
    }

    /// Loads the file. A failure leaves the database unchanged.
    package func load(into url: String, logger: Logger) async throws(Failure) {
        try await Self.connected(to: url, name, logger) { connection throws(Failure) in try await load(over: connection)
        }
    }

    private func load(over connection: PostgresConnection) async throws(Failure) {
        do {
            // Dates without a zone are in the shop's time zone, if the shop exists.
            try await connection.run(
                script: """
                    do $$ begin
                        if to_regclass('shop') is not null then perform set_config('timezone', time_zone, false)
                            from shop; end if;
                    end $$
                    """)
            try await connection.run(script: sql)
        } catch {
            throw Failure(description: "\(name): \(Self.explanation(of: error))")
        }
    }

    private static func explanation(of error: PostgresError) -> String {
        if case .server(let refusal) = error { refusal.seedFileDescription } else { "\(error)" }
    }

    private static func connected<Value: Sendable>(
        to url: String, _ purpose: String, _ logger: Logger, _ work: (PostgresConnection) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await PostgresConnection.with(
            url, sessionSettings: ["application_name": "welms seed", "client_min_messages": "warning"], logger: logger,
            orThrow: { Failure(description: "\(purpose): \($0)") }, work)
    }

    /// "seeds" in ASCII: one lock per database.
    private static let lock: Int64 = 0x73_6565_6473

    private static let hasMenu = Statement("has_menu", "select exists (select from categories)")
}
