// The parameters after the question mark, decoded strictly and once. Called by handlers of lists.
// A parameter that can't be read is 400 `invalid_parameter`, as the contract says.
import Ordering

/// A query parameter that can't be read.
struct ParameterError: Error, Hashable {
    let name: String
    /// What would be right, for whoever writes the client.
    let message: String
}

/// The query's names and values (the form encoding of the URL standard: `+` is a space).
struct QueryParameters {
    /// More parameters than any route has.
    private static let limit = 32
    private var values: [String: String] = [:]

    /// Reads a query without its question mark.
    /// Throws 400 for a bad percent sign, bytes that are no UTF-8, a name that stands twice, NUL, or too many.
    init(_ query: String?) throws(ParameterError) {
        for pair in (query ?? "").utf8.split(separator: UInt8(ascii: "&"), maxSplits: Self.limit) {
            guard values.count < Self.limit else { throw ParameterError(name: "query", message: "There are too many parameters.") }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            guard let name = Self.decode(pair[..<(equals ?? pair.endIndex)]),
                let value = Self.decode(equals.map { pair[pair.index(after: $0)...] } ?? pair[pair.endIndex...])
            else { throw ParameterError(name: "query", message: "A parameter is not percent-encoded UTF-8.") }
            // As in bodies: PostgreSQL has no text with NUL.
            guard !name.utf8.contains(0) else {
                throw ParameterError(name: "query", message: "A parameter's name contains NUL.")
            }
            guard !value.utf8.contains(0) else { throw ParameterError(name: name, message: "It contains NUL.") }
            guard values.updateValue(value, forKey: name) == nil else { throw ParameterError(name: name, message: "It stands twice.") }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// What the parameter stands for; nil if it is not there, or empty.
    /// - Parameter expected: What it has to be, for whoever writes the client.
    func parsed<Value>(_ name: String, _ expected: String, _ parse: (String) -> Value?) throws(ParameterError) -> Value? {
        guard let text = self[name], !text.isEmpty else { return nil }
        guard let value = parse(text) else { throw ParameterError(name: name, message: "\(name) must be \(expected).") }
        return value
    }

    /// A text of bounded length. The bytes first: they are counted at once, and one character can be of any number of bytes.
    func text(_ name: String, upTo limit: Int) throws(ParameterError) -> String? {
        try parsed(name, "at most \(limit) characters") { $0.utf8.count <= 4 * limit && $0.count <= limit ? $0 : nil }
    }

    /// How many elements a page has at most: 1…100, by default 20.
    func limit() throws(ParameterError) -> Int {
        let limit = try parsed("limit", "a whole number from 1 to 100") { Int64(canonicalDigits: $0).flatMap { 1...100 ~= $0 ? $0 : nil } }
        return Int(limit ?? 20)
    }

    /// Where the page before ended, in a list whose cursors have so many numbers.
    func cursor<Place>(
        of list: String, numbers: Int, _ expected: String = "the nextCursor of a page of this list", _ place: (Cursor) -> Place?
    ) throws(ParameterError) -> Place? {
        try parsed("cursor", expected) { Cursor($0, of: list, numbers: numbers).flatMap(place) }
    }

    private static func decode(_ text: Substring.UTF8View.SubSequence) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }
}
