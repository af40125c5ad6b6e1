// The arguments of a call of a SQL function, each by its name, so that no two can be mistaken for each other.
// Made by the callers of functions with many arguments. Read next: Values/Parameters.swift, Statement.swift.
import FoundationEssentials

/// Names and values, in any order but for the first, which the call gives by position: Citus looks there for the shard that does the work.
package struct Arguments: Sendable {
    package private(set) var names: [String] = []
    package private(set) var parameters = Parameters()

    package init() {}

    // Made for these types as well: the arrays of a batch are built by other modules, and element by element through a generic function they
    // were 6 % of what a checkout takes.
    @_specialize(where Value == [Int64])
    @_specialize(where Value == [Int32])
    @_specialize(where Value == [String])
    @_specialize(where Value == [String?])
    @_specialize(where Value == [Int64?])
    @_specialize(where Value == [Bytea])
    @_specialize(where Value == [JSONB?])
    @_specialize(where Value == [UUID])
    package mutating func append<Value: PostgresEncodable>(_ name: String, _ value: Value) {
        names.append(name)
        parameters.append(value)
    }

    /// The same of a value that there may not be: then a null, for which nothing of its type is looked up.
    @_specialize(where Value == [Int64])
    @_specialize(where Value == [Int32])
    @_specialize(where Value == [String])
    @_specialize(where Value == [String?])
    @_specialize(where Value == [Int64?])
    @_specialize(where Value == [JSONB?])
    @_specialize(where Value == [Timestamp?])
    package mutating func append<Value: PostgresEncodable>(_ name: String, _ value: Value?) {
        if let value { return append(name, value) }
        names.append(name)
        parameters.appendNull(of: Value.postgresType)
    }
}

extension Statement {
    /// A call of a function, which also names the statement: `select … from function($1, second => $2, …)`.
    package init(calling function: String, _ arguments: Arguments, columns: String = "*") {
        let list = arguments.names.enumerated().map { $0 == 0 ? "$1" : "\($1) => $\($0 + 1)" }
        self.init(function, "select \(columns) from \(function)(\(list.joined(separator: ", ")))")
    }
}
