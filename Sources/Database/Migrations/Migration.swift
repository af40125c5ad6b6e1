// One numbered file of sql/, as it ships with the program. Migrator.swift applies them; SeedFile.swift is the same for seed/.
import Digests
import Foundation

/// A schema change in plain SQL. Its number orders it, its checksum tells whether an applied file was edited afterwards.
package struct Migration: Sendable, Hashable {
    /// The file's name, such as `001_menu.sql`.
    package let name: String
    /// The file's text: one or more statements, run in one transaction.
    package let sql: String
    /// SHA-256 of the text, in hexadecimal.
    package let checksum: String

    package init(name: String, sql: String) {
        (self.name, self.sql) = (name, sql)
        checksum = SHA256Digest(of: Array(sql.utf8)).hexadecimal()
    }

    /// The migrations that ship with this program, in the order in which they are applied.
    /// - Throws: `MigrationError.unreadable` when the program's resources are not beside it.
    package static func shipped() throws(MigrationError) -> [Migration] {
        do {
            return try Resources.files(in: "sql", ending: ".sql").map {
                Migration(name: $0.name, sql: String(decoding: $0.bytes, as: UTF8.self))
            }
        } catch {
            throw MigrationError.unreadable(error.description)
        }
    }
}

/// Why the schema can't be brought up to date: each says in one line what to do.
package enum MigrationError: Error, Sendable, CustomStringConvertible {
    /// The program's own files can't be read.
    case unreadable(String)
    /// A file that was applied has another text now.
    case edited(name: String)
    /// A file that was applied does not ship with this program.
    case missing(name: String)
    /// A file fails; the database is as it was before it.
    case failed(name: String, reason: String)
    /// So many files are not applied, and the role may not apply them.
    case notAllowed(pending: Int)
    /// The database can't be used at all.
    case database(String)

    /// One line for the operator.
    package var description: String {
        switch self {
        case .unreadable(let reason):
            "the migrations can't be read: \(reason)"
        case .edited(let name):
            "migration \(name) was changed after it had been applied: put the old text back and write a new file for the change"
        case .missing(let name):
            "migration \(name) is applied but not part of this program: run the version that brought it, or a newer one"
        case .failed(let name, let reason):
            "migration \(name) failed and was rolled back: \(reason)"
        case .notAllowed(let pending):
            "\(pending) migrations are not applied, and this role may not apply them: run `welms migrate` with --owner-url, or give it to serve"
        case .database(let reason):
            "the migrations can't be applied: \(reason)"
        }
    }
}
