// A file of plain SQL that staff load: the shipped menu of seed/, or one of their own. `psql -f FILE` does the same.
// Called by `welms seed`, by `welms serve` on a fresh embedded cluster, and by tests.
import Foundation
import Logging
import Postgres

/// A seed file: its name for messages, and its SQL with its own begin and commit.
public struct SeedFile: Sendable {
    /// The file's name or path, for messages.
    public let name: String
    /// Its statements.
    public let sql: String

    /// Why a seed can't be loaded: the file, and what PostgreSQL says about it with its hint.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The file, and what PostgreSQL says about it.
        public let description: String
    }

    /// The menu, sales and coupons that ship with the program, in the order in which they have to be loaded.
    public static func shipped() throws(Failure) -> [SeedFile] {
        do {
            let files = try Resources.files(in: "seed", ending: ".sql").map {
                SeedFile(name: $0.name, sql: String(decoding: $0.bytes, as: UTF8.self))
            }
            // Sales and coupons name items and categories of the menu.
            return files.sorted { ($0.name == "menu.sql" ? 0 : 1, $0.name) < ($1.name == "menu.sql" ? 0 : 1, $1.name) }
        } catch {
            throw Failure(description: error.description)
        }
    }

    /// A file of the operator's own.
    public static func read(_ path: String) throws(Failure) -> SeedFile {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "the seed file \(path) can't be read: check the path and its permissions")
        }
        guard let sql = String(validating: bytes, as: UTF8.self) else {
            throw Failure(description: "the seed file \(path) is not UTF-8 text")
        }
        return SeedFile(name: path, sql: sql)
    }

    /// The shipped files where the shop has no menu yet: a fresh cluster, or one whose first start was cut short.
    public static func shippedIfEmpty(_ url: String, logger: Logger) async throws(Failure) -> [SeedFile] {
        do {
            let connection = try await PostgresConnection.connect(url, logger: logger)
            let statement = Statement("has_menu", "select exists (select from categories)")
            let hasMenu = try await connection.query(statement, .reads) { row throws(PostgresError) in try row.next(Bool.self) }
            await connection.close()
            return hasMenu == [true] ? [] : try shipped()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "the menu can't be looked at: \(error)")
        }
    }

    /// Loads the file. A failure leaves the database as it was.
    public func load(into url: String, logger: Logger) async throws(Failure) {
        do {
            let connection = try await PostgresConnection.connect(
                url, sessionSettings: ["application_name": "welms seed", "client_min_messages": "warning"], logger: logger)
            do {
                try await connection.run(script: sql)
                await connection.close()
            } catch {
                await connection.close()  // an open transaction ends with it
                throw error
            }
        } catch {
            throw Failure(description: "\(name): \(error)")
        }
    }
}
