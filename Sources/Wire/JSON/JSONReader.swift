// A strict RFC 8259 pull parser over bytes: one pass, nothing allocated but the strings it hands out.
// It reads what our request bodies are made of (objects and lists of strings and integers) and refuses all else: unknown and
// duplicate keys, bad UTF-8, NUL, lone surrogates, trailing bytes, numbers that are no Int64. Foundation's JSONDecoder
// lets duplicate keys and NUL through. Lists are bounded in length, and in how deep they lie in each other. Read next: CheckoutBody.swift.

/// Something that can be read from a JSON text.
package protocol JSONReadable: Sendable {
    /// Reads one value where the reader stands.
    init(from reader: inout JSONReader) throws(MalformedBody)
}

extension JSONReadable {
    /// Reads a whole text: one value with nothing but white space around it (RFC 8259, section 2).
    package init(json bytes: [UInt8]) throws(MalformedBody) {
        var reader = JSONReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }
}

/// A reader that stands somewhere in a JSON text. Its time is linear in the bytes; it never traps.
package struct JSONReader {
    let bytes: [UInt8]
    var position = 0
    /// How many lists lie around what is read now.
    private var depth = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an object whose keys are all in the table, each once at most, in any order; `read` is called at each value.
    mutating func object<Field>(
        _ table: FieldTable<Field>, _ read: (inout JSONReader, Field) throws(MalformedBody) -> Void
    ) throws(MalformedBody) {
        try open(UInt8(ascii: "{"), "an object")
        var seen: UInt64 = 0
        skipSpace()
        if take(UInt8(ascii: "}")) { return }
        while true {
            let index = try key(table)
            let field = table.fields[index]
            guard seen & (1 << index) == 0 else { throw MalformedBody("The field \"\(field.rawValue)\" stands twice.", offset: position) }
            seen |= 1 << index
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected("a colon after a field's name") }
            do throws(MalformedBody) {
                try read(&self, field)
            } catch {
                throw error.inside(field.rawValue)
            }
            skipSpace()
            if take(UInt8(ascii: "}")) { return }
            guard take(UInt8(ascii: ",")) else { throw unexpected("a comma or the end of the object") }
            skipSpace()
        }
    }

    /// Reads a list, or nil for null; one of more than `limit` elements, or that lies in more than three others, is refused.
    mutating func listOrNull<Element: JSONReadable>(limit: Int = 100, of _: Element.Type = Element.self) throws(MalformedBody) -> [Element]?
    {
        if try takeNull() { return nil }
        try open(UInt8(ascii: "["), "a list")
        guard depth < 4 else { throw MalformedBody("Lists lie too deep in each other.", offset: position) }
        depth += 1
        defer { depth -= 1 }
        var elements: [Element] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            guard elements.count < limit else { throw MalformedBody("A list of at most \(limit) is expected here.", offset: position) }
            do throws(MalformedBody) {
                elements.append(try Element(from: &self))
            } catch {
                throw error.inside(String(elements.count))
            }
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw unexpected("a comma or the end of the list") }
        }
    }

    /// Reads an object, or nil for null.
    mutating func objectOrNull<Value: JSONReadable>(of _: Value.Type = Value.self) throws(MalformedBody) -> Value? {
        try takeNull() ? nil : try Value(from: &self)
    }

    /// Reads a string, or nil for null: to a guest's form a null is a field that was not filled in.
    mutating func stringOrNull() throws(MalformedBody) -> String? { try takeNull() ? nil : try string() }

    mutating func integerOrNull() throws(MalformedBody) -> Int64? { try takeNull() ? nil : try integer() }

    mutating func booleanOrNull() throws(MalformedBody) -> Bool? {
        if try takeNull() { return nil }
        if take("true") { return true }
        if take("false") { return false }
        throw unexpected("true or false")
    }

    /// Reads an integer without fraction or exponent that fits into 64 bits.
    mutating func integer() throws(MalformedBody) -> Int64 {
        skipSpace()
        let start = position
        let isNegative = take(UInt8(ascii: "-"))
        guard position < bytes.count, case 0x30...0x39 = bytes[position] else {
            if isNegative { throw MalformedBody("A minus stands without digits.", offset: start) }
            throw unexpected("an integer")
        }
        let startsWithZero = bytes[position] == UInt8(ascii: "0")
        let firstDigit = position
        var value: Int64 = 0
        while position < bytes.count, case let digit = bytes[position] &- 0x30, digit <= 9 {
            // Counted below zero, because Int64.min has no positive twin.
            let (shifted, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedToo) = shifted.subtractingReportingOverflow(Int64(digit))
            guard !overflowed, !overflowedToo else { throw MalformedBody("The number does not fit into 64 bits.", offset: start) }
            value = sum
            position += 1
        }
        if startsWithZero, position - firstDigit > 1 { throw MalformedBody("A number starts with a needless zero.", offset: start) }
        if position < bytes.count, [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[position]) {
            throw MalformedBody("An integer is expected here, without fraction or exponent.", offset: start)
        }
        if isNegative { return value }
        let (positive, overflowed) = Int64(0).subtractingReportingOverflow(value)
        guard !overflowed else { throw MalformedBody("The number does not fit into 64 bits.", offset: start) }
        return positive
    }

    /// Checks that nothing but white space is left.
    mutating func finish() throws(MalformedBody) {
        skipSpace()
        guard position == bytes.count else { throw MalformedBody("Something stands after the end of the JSON text.", offset: position) }
    }

    // MARK: Bytes

    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Steps over this byte if it stands here.
    mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func open(_ byte: UInt8, _ what: String) throws(MalformedBody) {
        skipSpace()
        guard take(byte) else { throw unexpected(what) }
    }

    /// What stands here instead of what was asked for.
    func unexpected(_ wanted: String) -> MalformedBody {
        guard position < bytes.count else {
            return MalformedBody(bytes.isEmpty ? "The body is empty." : "The body ends where \(wanted) is expected.", offset: position)
        }
        let found =
            switch bytes[position] {
            case UInt8(ascii: "{"): "an object"
            case UInt8(ascii: "["): "an array"
            case UInt8(ascii: "\""): "a string"
            case UInt8(ascii: "-"), 0x30...0x39: "a number"
            case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
            case UInt8(ascii: "n"): "null"
            default: "something else"
            }
        return MalformedBody("Here stands \(found) where \(wanted) is expected.", offset: position)
    }

    private mutating func takeNull() throws(MalformedBody) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "n") else { return false }
        guard take("null") else { throw unexpected("a value") }
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let isThere = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        if isThere { position += word.utf8CodeUnitCount }
        return isThere
    }

    /// Reads a key and finds it in the table; only a key that is written with escapes becomes a String first.
    private mutating func key<Field>(_ table: FieldTable<Field>) throws(MalformedBody) -> Int {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw unexpected("a field's name in quotes") }
        let start = position + 1
        if let end = bytes[start...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
            bytes[end] == UInt8(ascii: "\""), let index = table.index(of: bytes[start..<end])
        {
            position = end + 1
            return index
        }
        let name = try string()
        guard let index = table.index(of: ArraySlice(name.utf8)) else {
            // A name longer than any of ours is not worth repeating.
            let shown = name.utf8.count <= 64 ? " \"\(name)\"" : ""
            throw MalformedBody("There is no field\(shown) in this body.", offset: start)
        }
        return index
    }
}
