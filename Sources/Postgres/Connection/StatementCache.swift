// The statements that a connection has prepared, and their names on the server.

/// The prepared statements of one connection. Every preparation has a new name, so that no DEALLOCATE is needed.
struct StatementCache {
    /// One preparation of a statement.
    struct Prepared {
        let index: Int
        let generation: Int
    }

    private struct Key: Hashable {
        let statement: Statement
        /// Parameter types are part of the key: the server needs one prepared statement for each combination.
        let fields: [Parameters.Field]

        static func == (left: Key, right: Key) -> Bool {
            left.statement == right.statement && left.fields.elementsEqual(right.fields) { $0.type == $1.type }
        }

        func hash(into hasher: inout Hasher) { hasher.combine(statement) }
    }

    private struct Entry {
        var name = ""
        /// The number of the preparation, counted from 1 in each connection; 0 if the statement must be prepared.
        var generation = 0
        /// The last preparation that the server rejected, and its error.
        var refusal: (generation: Int, error: ServerError)?
    }

    private var indices: [Key: Int] = [:]
    private var entries: [Entry] = []
    private var generations = 0
    /// Whether a script has left a transaction open. Statements that fail in it cannot be retried.
    var isInTransaction = false

    /// Returns the statement's server-side name and whether the caller must prepare it first. Records it as prepared.
    mutating func preparedStatement(for statement: Statement, _ parameters: Parameters) -> (
        prepared: Prepared, name: String, isNew: Bool
    ) {
        let key = Key(statement: statement, fields: parameters.fields)
        let index: Int
        if let known = indices[key] {
            index = known
        } else {
            index = entries.count
            entries.append(Entry())
            indices[key] = index
        }
        let isNew = entries[index].generation == 0
        if isNew {
            generations += 1
            entries[index].name = "\(statement.name).\(generations)"
            entries[index].generation = generations
        }
        return (Prepared(index: index, generation: entries[index].generation), entries[index].name, isNew)
    }

    /// Records that the server rejected a preparation. Statements already sent under its name will fail as unknown.
    mutating func recordRejection(of prepared: Prepared, _ error: ServerError) {
        entries[prepared.index].refusal = (prepared.generation, error)
        invalidate(prepared)
    }

    /// The error with which the server rejected the preparation.
    func rejection(of prepared: Prepared) -> ServerError? {
        guard let refusal = entries[prepared.index].refusal, refusal.generation == prepared.generation else {
            return nil
        }
        return refusal.error
    }

    /// Marks a preparation as unknown to the server or outdated. The next use prepares it, unless a newer one exists.
    mutating func invalidate(_ prepared: Prepared) {
        guard entries[prepared.index].generation == prepared.generation else { return }
        entries[prepared.index].generation = 0
    }
}
