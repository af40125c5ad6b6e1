// The parameters after the question mark, decoded strictly and once. Called by handlers of lists.
// A parameter that can't be read is 400 `invalid_parameter`, as the contract says.

import Ordering

/// The query's names and values (the form encoding of the URL standard: `+` is a space).
package struct QueryParameters: Sendable {
    /// More parameters than any route has.
    private static let limit = 32
    private var values: [String: String] = [:]

    /// Reads a query without its question mark.
    /// Throws 400 for a bad percent sign, bytes that are no UTF-8, a name that stands twice, or too many.
    init(_ query: String?) throws(ParameterError) {
        for pair in (query ?? "").utf8.split(separator: UInt8(ascii: "&"), maxSplits: Self.limit) {
            guard values.count < Self.limit else { throw ParameterError(name: "query", message: "There are too many parameters.") }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            guard let name = Self.decode(pair[..<(equals ?? pair.endIndex)]),
                let value = Self.decode(equals.map { pair[pair.index(after: $0)...] } ?? pair[pair.endIndex...])
            else { throw ParameterError(name: "query", message: "A parameter is not percent-encoded UTF-8.") }
            guard values.updateValue(value, forKey: name) == nil else { throw ParameterError(name: name, message: "It stands twice.") }
        }
    }

    /// The parameter's value; nil if it is not there.
    package subscript(name: String) -> String? { values[name] }

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

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
