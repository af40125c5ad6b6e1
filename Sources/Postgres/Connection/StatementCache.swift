// Which statements a connection has prepared, under which name. Used by ConnectionLoop and Pipeline.

/// The prepared statements of one connection. A statement that is prepared anew gets a new name, so that no DEALLOCATE has to come before.
struct StatementCache {
    /// A statement under the name it was given by one of its preparations.
    struct Prepared {
        let index: Int
        let generation: Int
    }

    private struct Key: Hashable {
        let statement: Statement
        /// The same text may be used with other types; then it is another statement to the server.
        let fields: [Parameters.Field]

        static func == (left: Key, right: Key) -> Bool {
            left.statement == right.statement && left.fields.elementsEqual(right.fields) { $0.type == $1.type }
        }

        func hash(into hasher: inout Hasher) { hasher.combine(statement) }
    }

    private struct Entry {
        var name = ""
        /// Which preparation of the connection it was, counted from 1; 0 when it has to be prepared.
        var generation = 0
        /// Which preparation was refused last, and why.
        var refusal: (generation: Int, error: ServerError)?
    }

    private var indices: [Key: Int] = [:]
    private var entries: [Entry] = []
    private var generations = 0
    /// Whether a script has left a transaction open: what fails in it can't be sent again.
    var isInTransaction = false

    /// The statement as the server knows it, and whether it has to be prepared first; from then on it counts as prepared.
    mutating func use(_ statement: Statement, _ parameters: Parameters) -> (prepared: Prepared, name: String, isNew: Bool) {
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

    /// The server refused to prepare it; whatever was sent after that under this name will be refused as unknown.
    mutating func refuse(_ prepared: Prepared, _ error: ServerError) {
        entries[prepared.index].refusal = (prepared.generation, error)
        forget(prepared)
    }

    /// Why the server refused to prepare it.
    func refusal(of prepared: Prepared) -> ServerError? {
        guard let refusal = entries[prepared.index].refusal, refusal.generation == prepared.generation else { return nil }
        return refusal.error
    }

    /// The server doesn't know it, or its plan no longer fits. It is prepared again at its next use, unless that has happened already.
    mutating func forget(_ prepared: Prepared) {
        guard entries[prepared.index].generation == prepared.generation else { return }
        entries[prepared.index].generation = 0
    }
}
