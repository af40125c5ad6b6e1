// The steps of a pending migration, and their locks on the existing tables.

/// A pending migration with the locks that each of its steps takes.
package struct MigrationPreview: Sendable, Hashable {
    /// A file that runs as one transaction, or a statement of a file that runs outside a transaction.
    package struct Step: Sendable, Hashable {
        /// The origin of the locks.
        package enum Origin: Sendable, Hashable {
            /// The step ran in a transaction that was rolled back.
            case measured
            /// The step needs an earlier one. Locks that the earlier ones take too may be missing.
            case measuredAfterEarlier
            /// The step cannot run in a transaction.
            case documented
            /// The locks are not known, for this reason.
            case unknown(String)
        }

        /// The statement in one line; nil: the step is the whole file.
        package let statement: String?
        /// Sorted by table and mode.
        package let locks: [TableLock]
        package let origin: Origin
    }

    package let name: String
    package let isTransaction: Bool
    package let steps: [Step]

    /// The preview as `welms migrate --dry-run` prints it.
    package var lines: [String] {
        ["would apply \(name)\(isTransaction ? "" : ", statement by statement without a transaction")"]
            + steps.flatMap { step in
                let indentation = step.statement == nil ? "    " : "        "
                let title = step.statement.map { ["    \($0)"] } ?? []
                return title + step.lines.map { indentation + $0 }
            }
    }
}

extension MigrationPreview.Step {
    fileprivate var lines: [String] {
        if case .unknown(let reason) = origin { return ["its locks are unknown: \(reason)"] }
        let tables = Dictionary(grouping: locks, by: \.table).sorted { $0.key < $1.key }
        let lines = tables.map { table, locks in
            let modes = locks.map(\.mode).sorted(by: >)
            let effect = modes.first.map { " (\($0.effect))" } ?? ""
            return "locks \(table): \(modes.map(\.name).joined(separator: ", "))\(effect)"
        }
        let remark = origin == .measuredAfterEarlier ? ["needs the steps before it, whose locks are not repeated"] : []
        return (lines.isEmpty ? ["locks no existing table"] : lines) + remark
    }
}
