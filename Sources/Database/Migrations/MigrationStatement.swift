// A statement of a migration that runs outside a transaction, with what the migrator has to know about it.

/// A single statement and its kind.
struct MigrationStatement: Sendable, Hashable {
    /// The kinds that the migrator treats differently. Names are as the statement writes them.
    enum Kind: Sendable, Hashable {
        case createIndexConcurrently(index: String, table: String, hasIfNotExists: Bool)
        case dropIndexConcurrently(index: String)
        case reindexIndexConcurrently(index: String)
        case reindexTableConcurrently(table: String)
        case vacuum(table: String?, isFull: Bool)
        /// `begin`, `commit` and so on, which a migration must not contain.
        case transactionControl
        case other
    }

    let sql: String
    let kind: Kind

    init(_ sql: String) { (self.sql, kind) = (sql, Self.kind(of: SQLLexer.tokens(in: sql).map(\.text))) }

    /// The statement in one line, shortened, for the log.
    var title: String {
        let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count <= 80 ? line : line.prefix(79) + "…"
    }

    /// Whether the statement can run in a transaction that is rolled back.
    var canRunInTransaction: Bool {
        switch kind {
        case .transactionControl, .other: true
        default: false
        }
    }

    /// Whether the statement gives up when it waits for a lock. A concurrent change of an index takes hours on a large
    /// table, and must not begin again: while it waits, it blocks neither reads nor writes.
    var hasLockTimeout: Bool {
        switch kind {
        case .vacuum(_, let isFull): isFull
        case .transactionControl, .other: true
        default: false
        }
    }

    /// Why a migration must not contain the statement; nil: it may.
    func problem(inTransaction: Bool) -> String? {
        switch kind {
        case .transactionControl: "it must not begin or end a transaction"
        case .other: nil
        case _ where inTransaction: "its first line has to be `-- welms: no transaction` for: \(title)"
        case .createIndexConcurrently(let index, _, let hasIfNotExists) where index.isEmpty || !hasIfNotExists:
            "`create index concurrently` needs `if not exists` and a name, so that the file can be repeated"
        default: nil
        }
    }

    private static func kind(of words: [String]) -> Kind {
        var words = words[...]
        /// Removes these words if they come next.
        func skip(_ expected: String...) -> Bool {
            guard words.starts(with: expected) else { return false }
            words = words.dropFirst(expected.count)
            return true
        }
        /// Removes a name, which may have a schema.
        func name() -> String {
            var name = words.popFirst() ?? ""
            while words.first == "." {
                words = words.dropFirst()
                name += "." + (words.popFirst() ?? "")
            }
            return name
        }
        if skip("create", "index", "concurrently") || skip("create", "unique", "index", "concurrently") {
            let hasIfNotExists = skip("if", "not", "exists")
            let index = words.first == "on" ? "" : name()
            _ = skip("on")
            _ = skip("only")
            return .createIndexConcurrently(index: index, table: name(), hasIfNotExists: hasIfNotExists)
        }
        if skip("drop", "index", "concurrently") {
            _ = skip("if", "exists")
            return .dropIndexConcurrently(index: name())
        }
        if skip("reindex", "index", "concurrently") { return .reindexIndexConcurrently(index: name()) }
        if skip("reindex", "table", "concurrently") { return .reindexTableConcurrently(table: name()) }
        if skip("vacuum") {
            var isFull = false
            if words.first == "(" {
                isFull = words.prefix { $0 != ")" }.contains("full")
                words = words.drop { $0 != ")" }.dropFirst()
            }
            while ["full", "freeze", "verbose", "analyze"].contains(words.first) {
                isFull = isFull || words.first == "full"
                words = words.dropFirst()
            }
            return .vacuum(table: words.isEmpty ? nil : name(), isFull: isFull)
        }
        let isControl = ["begin", "start", "commit", "rollback", "abort"].contains(words.first)
        return isControl || skip("prepare", "transaction") ? .transactionControl : .other
    }
}
