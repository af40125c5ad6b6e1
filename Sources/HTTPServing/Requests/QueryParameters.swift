// Decodes query parameters strictly. An invalid parameter is 400 `invalid_parameter`. Hummingbird's URI accepts invalid
// percent encoding and repeated names.

/// An invalid query parameter.
package struct ParameterError: Error, Hashable {
    package let name: String
    /// The expected value, for client developers.
    package let message: String

    package init(name: String, message: String) { (self.name, self.message) = (name, message) }
}

/// Names and values of the query (form encoding of the URL standard: `+` is a space).
package struct QueryParameters {
    /// The maximum number of parameters. No route has as many.
    private static let limit = 32
    private var values: [String: String] = [:]

    /// Parses a query without its question mark. Throws 400 for invalid percent encoding or UTF-8, repeated names,
    /// NUL, or too many parameters.
    package init(_ query: String?) throws(ParameterError) {
        for pair in (query ?? "").utf8.split(separator: UInt8(ascii: "&"), maxSplits: Self.limit) {
            guard values.count < Self.limit else {
                throw ParameterError(name: "query", message: "There are too many parameters.")
            }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            guard let name = Self.decode(pair[..<(equals ?? pair.endIndex)]),
                let value = Self.decode(equals.map { pair[pair.index(after: $0)...] } ?? pair[pair.endIndex...])
            else { throw ParameterError(name: "query", message: "A parameter is not valid percent-encoded UTF-8.") }
            // Databases such as PostgreSQL cannot store NUL in text.
            guard !name.utf8.contains(0) else {
                throw ParameterError(name: "query", message: "A parameter's name contains NUL.")
            }
            guard !value.utf8.contains(0) else { throw ParameterError(name: name, message: "The value contains NUL.") }
            guard values.updateValue(value, forKey: name) == nil else {
                throw ParameterError(name: name, message: "The parameter appears twice.")
            }
        }
    }

    package subscript(name: String) -> String? { values[name] }

    /// The parsed parameter; nil if it is missing or empty.
    /// - Parameter expected: The expected value, for client developers.
    package func parsed<Value>(_ name: String, _ expected: String, _ parse: (String) -> Value?) throws(ParameterError)
        -> Value?
    {
        guard let text = self[name], !text.isEmpty else { return nil }
        guard let value = parse(text) else { throw ParameterError(name: name, message: "\(name) must be \(expected).") }
        return value
    }

    /// A text of bounded length. Bytes are checked first, in constant time, because one character may have any number
    /// of bytes.
    package func text(_ name: String, upTo limit: Int) throws(ParameterError) -> String? {
        try parsed(name, "at most \(limit) characters") { $0.utf8.count <= 4 * limit && $0.count <= limit ? $0 : nil }
    }

    private static func decode(_ text: Substring.UTF8View.SubSequence) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
