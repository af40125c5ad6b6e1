// The arguments of a SQL function call, each with its name, so that two arguments cannot be confused.
import FoundationEssentials

/// Named arguments. The call passes only the first by position, because Citus derives the shard from it.
package struct Arguments: Sendable {
    package private(set) var names: [String] = []
    package private(set) var parameters = Parameters()

    /// No arguments.
    package init() {}

    // Specialised because other modules pass a batch's arrays. Encoding their elements through the generic function
    // took 6 % of a checkout.
    /// Appends an argument.
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

    /// Appends an optional argument; nil becomes a null.
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
