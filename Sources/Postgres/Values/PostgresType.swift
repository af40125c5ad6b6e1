// The PostgreSQL types that this client supports, by their object ids.

/// A PostgreSQL data type, identified by its object id (`pg_type.oid`, constant for built-in types).
package struct PostgresType: Sendable, Hashable, CustomStringConvertible {
    /// The type's object id.
    package let oid: UInt32

    /// A type with an object id.
    package init(oid: UInt32) { self.oid = oid }

    /// A composite type or an array of one. Its object id differs between databases; `CompositeTypes` knows it.
    static let composite = PostgresType(oid: 0)

    static let bool = PostgresType(oid: 16)
    static let bytea = PostgresType(oid: 17)
    static let char = PostgresType(oid: 18)
    static let name = PostgresType(oid: 19)
    static let int8 = PostgresType(oid: 20)
    static let int2 = PostgresType(oid: 21)
    static let int4 = PostgresType(oid: 23)
    static let text = PostgresType(oid: 25)
    static let oid = PostgresType(oid: 26)
    static let json = PostgresType(oid: 114)
    static let float8 = PostgresType(oid: 701)
    static let unknown = PostgresType(oid: 705)
    static let bpchar = PostgresType(oid: 1042)
    static let varchar = PostgresType(oid: 1043)
    static let date = PostgresType(oid: 1082)
    static let timestamp = PostgresType(oid: 1114)
    static let timestamptz = PostgresType(oid: 1184)
    static let numeric = PostgresType(oid: 1700)
    static let uuid = PostgresType(oid: 2950)
    static let jsonb = PostgresType(oid: 3802)

    static let boolArray = PostgresType(oid: 1000)
    static let byteaArray = PostgresType(oid: 1001)
    static let nameArray = PostgresType(oid: 1003)
    static let int2Array = PostgresType(oid: 1005)
    static let int4Array = PostgresType(oid: 1007)
    static let textArray = PostgresType(oid: 1009)
    static let bpcharArray = PostgresType(oid: 1014)
    static let varcharArray = PostgresType(oid: 1015)
    static let int8Array = PostgresType(oid: 1016)
    static let dateArray = PostgresType(oid: 1182)
    static let timestamptzArray = PostgresType(oid: 1185)
    static let jsonArray = PostgresType(oid: 199)
    static let uuidArray = PostgresType(oid: 2951)
    static let jsonbArray = PostgresType(oid: 3807)

    /// The names of the types above, for messages.
    private static let names: [UInt32: String] = [
        0: "a composite type", 16: "bool", 17: "bytea", 18: "\"char\"", 19: "name", 20: "int8", 21: "int2", 23: "int4",
        25: "text", 26: "oid",
        114: "json",
        701: "float8", 705: "unknown", 1042: "bpchar", 1043: "varchar", 1082: "date", 1114: "timestamp",
        1184: "timestamptz",
        1700: "numeric", 2950: "uuid", 3802: "jsonb",
        199: "json[]", 1000: "bool[]", 1001: "bytea[]", 1003: "name[]", 1005: "int2[]", 1007: "int4[]", 1009: "text[]",
        1014: "bpchar[]",
        1015: "varchar[]", 1016: "int8[]", 1022: "float8[]", 1182: "date[]", 1185: "timestamptz[]", 2951: "uuid[]",
        3807: "jsonb[]",
    ]

    /// Types with the binary format of `text`.
    private static let texts: Set<PostgresType> = [.text, .varchar, .bpchar, .name, .json, .unknown]

    /// Whether a value of this type can be sent for an attribute whose values have the format `other`.
    func hasFormat(of other: PostgresType) -> Bool { self == other || self == .text && Self.texts.contains(other) }

    /// The type's name if it is known, otherwise its object id.
    package var description: String { Self.names[oid] ?? "type \(oid)" }
}
