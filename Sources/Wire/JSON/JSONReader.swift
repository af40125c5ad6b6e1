// A strict pull parser of JSON bytes (RFC 8259). It reads in one pass and allocates little more than the returned
// values. Unlike JSONDecoder it rejects duplicate keys and NUL. It also rejects invalid UTF-8, lone surrogates, unknown
// keys, trailing bytes and numbers that do not fit into Int64. Lists are limited in length and in depth.

/// A type that can be read from JSON.
package protocol JSONReadable: Sendable {
    /// Reads one value at the reader's position.
    init(from reader: inout JSONReader) throws(MalformedBody)
}

extension JSONReadable {
    /// Reads a complete JSON text: one value, surrounded only by white space (RFC 8259, section 2).
    package init(json bytes: [UInt8]) throws(MalformedBody) {
        var reader = JSONReader(bytes)
        try self.init(from: &reader)
        try reader.expectEnd()
    }
}

/// A reader with a position in a JSON text. It takes linear time and never traps.
package struct JSONReader {
    let bytes: [UInt8]
    var position = 0
    /// The number of lists around the current position.
    private var depth = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an object whose keys are all in the table, in any order and without duplicates; `read` reads each value.
    mutating func object<Field>(
        _ table: FieldTable<Field>, _ read: (inout JSONReader, Field) throws(MalformedBody) -> Void
    ) throws(MalformedBody) {
        try expect(UInt8(ascii: "{"), "an object")
        var seen: UInt64 = 0
        skipWhiteSpace()
        if consume(UInt8(ascii: "}")) { return }
        while true {
            let index = try key(table)
            let field = table.fields[index]
            guard seen & (1 << index) == 0 else {
                throw MalformedBody("The field \"\(field.rawValue)\" appears twice.", offset: position)
            }
            seen |= 1 << index
            skipWhiteSpace()
            guard consume(UInt8(ascii: ":")) else { throw unexpected("a colon after a field's name") }
            do throws(MalformedBody) {
                try read(&self, field)
            } catch {
                throw error.prefixingPath(field.rawValue)
            }
            skipWhiteSpace()
            if consume(UInt8(ascii: "}")) { return }
            guard consume(UInt8(ascii: ",")) else { throw unexpected("a comma or the end of the object") }
            skipWhiteSpace()
        }
    }

    /// Reads a list, or nil for null. Rejects more than `limit` elements and more than four nested lists.
    mutating func listOrNull<Element: JSONReadable>(limit: Int = 100, of _: Element.Type = Element.self)
        throws(MalformedBody) -> [Element]?
    {
        if try takeNull() { return nil }
        try expect(UInt8(ascii: "["), "a list")
        guard depth < 4 else { throw MalformedBody("Lists are nested too deeply.", offset: position) }
        depth += 1
        defer { depth -= 1 }
        var elements: [Element] = []
        skipWhiteSpace()
        if consume(UInt8(ascii: "]")) { return elements }
        while true {
            guard elements.count < limit else {
                throw MalformedBody("A list of at most \(limit) elements is expected here.", offset: position)
            }
            do throws(MalformedBody) {
                elements.append(try Element(from: &self))
            } catch {
                throw error.prefixingPath(String(elements.count))
            }
            skipWhiteSpace()
            if consume(UInt8(ascii: "]")) { return elements }
            guard consume(UInt8(ascii: ",")) else { throw unexpected("a comma or the end of the list") }
        }
    }

    /// Reads an object, or nil for null.
    mutating func objectOrNull<Value: JSONReadable>(of _: Value.Type = Value.self) throws(MalformedBody) -> Value? {
        try takeNull() ? nil : try Value(from: &self)
    }

    /// Reads a string, or nil for null: in a form, null means that a field is not filled in.
    mutating func stringOrNull() throws(MalformedBody) -> String? { try takeNull() ? nil : try string() }

    mutating func integerOrNull() throws(MalformedBody) -> Int64? { try takeNull() ? nil : try integer() }

    mutating func booleanOrNull() throws(MalformedBody) -> Bool? {
        if try takeNull() { return nil }
        if consume("true") { return true }
        if consume("false") { return false }
        throw unexpected("true or false")
    }

    /// Reads an integer without fraction and exponent that fits into 64 bits.
    mutating func integer() throws(MalformedBody) -> Int64 {
        skipWhiteSpace()
        let start = position
        let isNegative = consume(UInt8(ascii: "-"))
        guard position < bytes.count, case 0x30...0x39 = bytes[position] else {
            if isNegative { throw MalformedBody("A minus sign has no digits after it.", offset: start) }
            throw unexpected("an integer")
        }
        let startsWithZero = bytes[position] == UInt8(ascii: "0")
        let firstDigit = position
        var value: Int64 = 0
        while position < bytes.count, case let digit = bytes[position] &- 0x30, digit <= 9 {
            // The value is accumulated as a negative number, because Int64 cannot represent -Int64.min.
            let (shifted, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflowed) = shifted.subtractingReportingOverflow(Int64(digit))
            guard !overflowed, !sumOverflowed else {
                throw MalformedBody("The number does not fit into 64 bits.", offset: start)
            }
            value = sum
            position += 1
        }
        if startsWithZero, position - firstDigit > 1 {
            throw MalformedBody("A number has a leading zero.", offset: start)
        }
        if position < bytes.count, [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[position]) {
            throw MalformedBody("An integer is expected here, without fraction or exponent.", offset: start)
        }
        if isNegative { return value }
        let (positive, overflowed) = Int64(0).subtractingReportingOverflow(value)
        guard !overflowed else { throw MalformedBody("The number does not fit into 64 bits.", offset: start) }
        return positive
    }

    /// Checks that only white space is left.
    mutating func expectEnd() throws(MalformedBody) {
        skipWhiteSpace()
        guard position == bytes.count else {
            throw MalformedBody("There are more bytes after the end of the JSON text.", offset: position)
        }
    }

    // MARK: Bytes

    mutating func skipWhiteSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Advances over this byte if it is the next one.
    mutating func consume(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func expect(_ byte: UInt8, _ expected: String) throws(MalformedBody) {
        skipWhiteSpace()
        guard consume(byte) else { throw unexpected(expected) }
    }

    /// Describes the value at the current position, which is not the expected one.
    func unexpected(_ expected: String) -> MalformedBody {
        guard position < bytes.count else {
            return MalformedBody(
                bytes.isEmpty ? "The body is empty." : "The body ends where \(expected) is expected.", offset: position)
        }
        let found =
            switch bytes[position] {
            case UInt8(ascii: "{"): "an object"
            case UInt8(ascii: "["): "an array"
            case UInt8(ascii: "\""): "a string"
            case UInt8(ascii: "-"), 0x30...0x39: "a number"
            case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
            case UInt8(ascii: "n"): "null"
            default: "an unexpected character"
            }
        return MalformedBody("Found \(found) where \(expected) is expected.", offset: position)
    }

    private mutating func takeNull() throws(MalformedBody) -> Bool {
        skipWhiteSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "n") else { return false }
        guard consume("null") else { throw unexpected("a value") }
        return true
    }

    private mutating func consume(_ word: StaticString) -> Bool {
        let isPresent = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        if isPresent { position += word.utf8CodeUnitCount }
        return isPresent
    }

    /// Reads a key and finds its index in the table. Only a key with escapes is converted to a String first.
    private mutating func key<Field>(_ table: FieldTable<Field>) throws(MalformedBody) -> Int {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            throw unexpected("a field's name in quotes")
        }
        let start = position + 1
        if let end = bytes[start...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
            bytes[end] == UInt8(ascii: "\""), let index = table.index(of: bytes[start..<end])
        {
            position = end + 1
            return index
        }
        let name = try string()
        guard let index = table.index(of: ArraySlice(name.utf8)) else {
            // The message does not repeat a long name.
            let quotedName = name.utf8.count <= 64 ? " \"\(name)\"" : ""
            throw MalformedBody("There is no field\(quotedName) in this body.", offset: start)
        }
        return index
    }
}
