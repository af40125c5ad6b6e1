// Reads JSON strings (RFC 8259, section 7). A string without escapes is scanned once and copied once.

extension JSONReader {
    /// Reads a string. Rejects control characters, NUL also as an escape (PostgreSQL's text type can't store it),
    /// invalid UTF-8 and lone surrogates.
    mutating func string() throws(MalformedBody) -> String {
        try expect(UInt8(ascii: "\""), "a string")
        let start = position
        var combinedBits: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                let text = try text(bytes[start..<position], isASCII: combinedBits < 0x80)
                position += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard byte >= 0x20 else { throw MalformedBody("A string contains a control character.", offset: position) }
            combinedBits |= byte
            position += 1
        }
        throw MalformedBody("A string does not end.", offset: position)
    }

    private func text(_ slice: ArraySlice<UInt8>, isASCII: Bool) throws(MalformedBody) -> String {
        if isASCII { return String(decoding: slice, as: UTF8.self) }
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw MalformedBody("A string is not valid UTF-8.", offset: slice.startIndex)
        }
        return text
    }

    /// Reads the rest of a string from its first backslash, which is at `position`.
    private mutating func escapedString(from start: Int) throws(MalformedBody) -> String {
        var buffer = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(buffer[...], isASCII: false)
            case UInt8(ascii: "\\"): try appendEscape(to: &buffer)
            case 0..<0x20: throw MalformedBody("A string contains a control character.", offset: position - 1)
            default: buffer.append(byte)
            }
        }
        throw MalformedBody("A string does not end.", offset: position)
    }

    private mutating func appendEscape(to buffer: inout [UInt8]) throws(MalformedBody) {
        guard position < bytes.count else { throw MalformedBody("A string does not end.", offset: position) }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(letter)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer.append(contentsOf: String(Character(try unicodeEscape())).utf8)
        default: throw MalformedBody("JSON has no such escape.", offset: position - 2)
        }
    }

    /// Reads the part after `\u`: four hex digits, and a second escape after a high surrogate.
    private mutating func unicodeEscape() throws(MalformedBody) -> Unicode.Scalar {
        let start = position
        let first = try fourHexDigits()
        var value = first
        if 0xD800...0xDBFF ~= first, consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) {
            let second = try fourHexDigits()
            if 0xDC00...0xDFFF ~= second { value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00) }
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw MalformedBody("A surrogate is not part of a pair.", offset: start)
        }
        guard value != 0 else { throw MalformedBody("A string contains a NUL character.", offset: start) }
        return scalar
    }

    private mutating func fourHexDigits() throws(MalformedBody) -> UInt32 {
        guard bytes.count - position >= 4 else {
            throw MalformedBody("A \\u escape needs four hex digits.", offset: position)
        }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: throw MalformedBody("A \\u escape needs four hex digits.", offset: position)
            }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}
