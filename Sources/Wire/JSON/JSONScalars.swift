// JSON output of the standard library's types, and the value that may be a number, a text or a list of texts.

extension Int64: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Int: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
}

extension Bool: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.boolean(self) }
}

extension String: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.array(self) }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in sorted(by: { $0.key < $1.key }) { writer.field(named: name, value) }
        }
    }
}

/// An integer, a text or a list of texts: a parameter of an error, a field's normalised value, or a changed value.
public enum FieldValue: Hashable, Sendable, Decodable, JSONWritable {
    /// An integer.
    case integer(Int64)
    /// A text.
    case text(String)
    /// Texts whose order matters, such as the times that are offered as alternatives.
    case texts([String])
    /// A value of a newer server that this version does not support. There is nothing to show.
    case unknown

    /// Decodes an integer, a string or a list of strings. Any other value becomes `unknown`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let values = try? container.decode([String].self) {
            self = .texts(values)
        } else {
            self = .unknown
        }
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .integer(let value): writer.integer(value)
        case .text(let value): writer.string(value)
        case .texts(let values): writer.array(values)
        case .unknown: writer.null()
        }
    }
}
