// The composite types of one connection's database, and how the Swift types correspond to them.
import Synchronization

/// The composite types that a connection has looked up. Only the connection's thread uses them.
package final class CompositeTypes {
    /// An attribute of a composite type.
    struct Attribute: Equatable {
        let name: String
        /// The type that a record states for the attribute.
        let type: PostgresType
        /// The type whose format the values have: `text` for an enum, the base type for a domain, otherwise `type`.
        let format: PostgresType
    }

    /// A composite type of the database.
    struct Definition: Equatable {
        let type: PostgresType
        let arrayType: PostgresType
        /// In the order of a record, without the dropped ones.
        var attributes: [Attribute] = []
    }

    /// The names that any connection of this process has needed. A new connection looks them all up at once.
    private static let neededNames = Mutex<Set<String>>([])
    private var definitions: [String: Definition] = [:]
    /// The correspondence of each Swift type with its definition.
    private var layouts: [ObjectIdentifier: RecordLayout] = [:]
    /// The names that were needed and are not known.
    private var missing: Set<String> = []
    /// How often a value needed another or a newer definition. The caller of a coder compares it to notice that.
    private(set) var requestCount = 0
    /// Whether a lookup is due.
    private(set) var needsLookup = false

    init() {}

    /// Records that a value does not agree with its definition, which may be out of date.
    func requestLookup() {
        requestCount += 1
        needsLookup = true
    }

    /// Forgets the requests that a lookup did not satisfy. The next statement that needs them makes them again.
    func clearRequests() {
        missing = []
        needsLookup = false
    }

    /// How many types are known.
    var knownCount: Int { definitions.count }

    /// The names to look up: all that were ever needed, because each of them may have changed.
    var namesToLookUp: [String] {
        Self.neededNames.withLock { names in
            names.formUnion(missing)
            return names.union(definitions.keys).sorted()
        }
    }

    /// Replaces all definitions. Returns whether a definition that was known has changed.
    func replace(with new: [String: Definition]) -> Bool {
        let isChanged = definitions.contains { new[$0.key] != $0.value }
        if new != definitions {
            definitions = new
            layouts = [:]
        }
        clearRequests()
        return isChanged
    }

    /// Returns the definition of a type. If it is not known, requests it and the types of its fields.
    func definition<Value: PostgresComposite>(of type: Value.Type) throws(CodingError) -> Definition {
        if let definition = definitions[Value.compositeName] { return definition }
        if missing.insert(Value.compositeName).inserted { _ = try Value.declaredFields(in: self) }
        requestLookup()
        throw CodingError("the database has no composite type \(Value.compositeName)")
    }

    /// Returns how the fields of a Swift type correspond to the attributes of its composite type.
    func layout<Value: PostgresComposite>(of type: Value.Type) throws(CodingError) -> RecordLayout {
        if let layout = layouts[ObjectIdentifier(type)] { return layout }
        let definition = try self.definition(of: type)
        let requests = requestCount
        let fields = try Value.declaredFields(in: self)
        guard requestCount == requests else {
            throw CodingError("the database has no composite type for a field of \(Value.compositeName)")
        }
        do {
            let layout = try RecordLayout(name: Value.compositeName, definition, fields)
            layouts[ObjectIdentifier(type)] = layout
            return layout
        } catch {
            requestLookup()
            throw error
        }
    }
}

/// How the fields of a Swift type correspond to the attributes of its composite type.
final class RecordLayout {
    let name: String
    let type: PostgresType
    let attributes: [CompositeTypes.Attribute]
    /// The declared fields, each with the index of its attribute.
    let fields: [(name: String, position: Int)]
    /// Whether the fields are declared in the order of the attributes, so that one pass suffices.
    let isInOrder: Bool
    /// Why a value cannot be encoded: a field has another type than its attribute. Decoding may convert the type.
    let encodingProblem: String?

    /// Throws if a field has no attribute.
    init(
        name: String, _ definition: CompositeTypes.Definition, _ declared: [RecordCoder.DeclaredField]
    ) throws(CodingError) {
        var fields: [(name: String, position: Int)] = []
        var problem: String?
        for field in declared {
            guard let position = definition.attributes.firstIndex(where: { $0.name == field.name }) else {
                throw CodingError("the composite type \(name) of the database has no attribute \(field.name)")
            }
            guard !fields.contains(where: { $0.position == position }) else {
                throw CodingError("\(name).\(field.name) is declared twice")
            }
            fields.append((field.name, position))
            let attribute = definition.attributes[position]
            if let type = field.type, type != attribute.type, !type.hasFormat(of: attribute.format) {
                problem = problem ?? "\(name).\(field.name) is \(attribute.type), not \(type)"
            }
        }
        isInOrder = zip(fields, fields.dropFirst()).allSatisfy { $0.position < $1.position }
        (self.name, type, attributes) = (name, definition.type, definition.attributes)
        (self.fields, encodingProblem) = (fields, problem)
    }
}
