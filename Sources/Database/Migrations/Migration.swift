// A numbered file of sql/ that ships with the program.
import Digests
import Foundation

/// A schema change in plain SQL. Its number defines the order; its checksum detects edits after it was applied.
package struct Migration: Sendable, Hashable {
    /// The file name, such as `001_menu.sql`.
    package let name: String
    /// One or more statements. They run in one transaction, unless the first line is `-- welms: no transaction`.
    package let sql: String
    /// The SHA-256 of the text, in hexadecimal.
    package let checksum: String

    /// The migrations up to this number never change. Tests/Data/Migrations/frozen.sha256 has their checksums.
    package static let lastFrozenNumber = 22

    /// The checksums of earlier texts with the same effect, by file name. A database may have applied such a text.
    static let formerChecksums: [String: Set<String>] = [
        // Citus could not execute a statement, which is now two.
        "030_personal_data.sql": ["21844cf8e9ed0cdaef43b46053e64f96559e5b4ba9f5945486444661eb3bf0b2"]
    ]

    package init(name: String, sql: String) {
        (self.name, self.sql) = (name, sql)
        checksum = SHA256Digest(of: Array(sql.utf8)).hexadecimal()
    }

    /// Whether the file is one transaction. Otherwise each of its statements runs alone, as `create index concurrently`
    /// requires, and an interrupted file is repeated from its first statement.
    package var isTransaction: Bool { sql.prefix { !$0.isNewline } != "-- welms: no transaction" }

    /// The statements of the file.
    var statements: [MigrationStatement] { SQLLexer.statements(in: sql).map(MigrationStatement.init) }

    /// The texts to send for a file in one transaction. Each statement is alone, because for some changes of
    /// distributed tables Citus sends the whole text to its workers. Frozen files precede the distribution of a shop.
    var scripts: [String] { Self.isFrozen(name) ? [sql] : statements.map(\.sql) }

    /// Why the file must not be applied; nil: it may. The frozen files are not checked again.
    var problem: String? {
        if Self.isFrozen(name) { return nil }
        return statements.lazy.compactMap { $0.problem(inTransaction: isTransaction) }.first
    }

    /// The number at the start of a file name; nil if it starts with another character.
    package static func number(of name: String) -> Int? { Int(name.prefix { ("0"..."9").contains($0) }) }

    /// Whether a file of this name belongs to the frozen migrations.
    package static func isFrozen(_ name: String) -> Bool {
        number(of: name).map { $0 <= lastFrozenNumber } ?? false
    }

    /// The migrations that ship with this program, in order.
    /// - Throws: `MigrationError.unreadable` if the program's resources are missing.
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

/// Why the schema cannot be migrated. Each message says what to do.
package enum MigrationError: Error, Sendable, CustomStringConvertible {
    /// The program's resources cannot be read.
    case unreadable(String)
    /// A frozen file of the database differs from ours: a version before the schema freeze created the database.
    case predatesFreeze(name: String)
    /// An applied file was edited.
    case edited(name: String)
    /// An applied file is not part of this program.
    case missing(name: String)
    /// A file failed; its transaction was rolled back.
    case failed(name: String, reason: String)
    /// A statement of a file without a transaction failed.
    case statementFailed(name: String, number: Int, count: Int, reason: String)
    /// The transactions of others held the locks of a file during all attempts.
    case locked(name: String, attempts: Int, holders: [String])
    /// A file breaks a rule for files without a transaction.
    case invalid(name: String, reason: String)
    /// Files are pending, and the role may not apply them.
    case notAllowed(pending: Int)
    /// The database cannot be used.
    case database(String)

    /// One line for the operator.
    package var description: String {
        switch self {
        case .unreadable(let reason): "the migrations can't be read: \(reason)"
        case .predatesFreeze(let name):
            "a version before the schema freeze created this database (its migration \(name) differs), so it can't be "
                + "upgraded: use a new, empty database, or run the version that created this one"
        case .edited(let name):
            "migration \(name) was edited after it had been applied: restore it, and write a new file for the change"
        case .missing(let name):
            "migration \(name) is applied but not part of this program: run the version that brought it, or a newer one"
        case .failed(let name, let reason): "migration \(name) failed and was rolled back: \(reason)"
        case .statementFailed(let name, let number, let count, let reason):
            "statement \(number) of \(count) of migration \(name) failed, outside a transaction: the statements before "
                + "it remain, and the next run repeats the file: \(reason)"
        case .locked(let name, let attempts, let holders):
            "migration \(name) could not get its locks in \(attempts) attempts: end the transactions that hold them"
                + "\(holders.isEmpty ? "" : ", such as \(holders.joined(separator: "; "))"), and migrate again"
        case .invalid(let name, let reason): "migration \(name) can't be applied: \(reason)"
        case .notAllowed(let pending):
            "\(pending) migrations are not applied, and this role may not apply them: "
                + "run `welms migrate` with --owner-url, or give it to serve"
        case .database(let reason): "the migrations can't be applied: \(reason)"
        }
    }
}
