// Maps the selection of a line to its JSON document: [{"id", "group_id", "title", "quantity", "price", "total",
// "options"}], where "options" may be missing.
import Ordering
import Postgres

extension JSONB {
    /// The document of these options; nil without options.
    init?(_ options: [LineOption]) {
        guard !options.isEmpty else { return nil }
        var utf8: [UInt8] = []
        utf8.append(options)
        self.init(utf8: utf8)
    }

    /// The options in the document. An impossible selection is a fault of this row.
    func options() throws(PostgresError) -> [LineOption] {
        var reader = OptionReader(utf8)
        return try reader.read()
    }
}

/// Parses the document and validates numbers and depth. Hand-written, because JSONDecoder takes 10 µs for a line with
/// one option, which most burgers have, and a whole checkout takes 80 µs.
private struct OptionReader {
    private let utf8: [UInt8]
    private var position = 0

    init(_ utf8: [UInt8]) { self.utf8 = utf8 }

    mutating func read() throws(PostgresError) -> [LineOption] {
        let options = try list(level: 1)
        guard position == utf8.count else { throw syntaxError }
        return options
    }

    private var syntaxError: PostgresError { .undecodable("a line's options, at byte \(position) of \(utf8.count)") }

    private mutating func list(level: Int) throws(PostgresError) -> [LineOption] {
        guard level <= Selection.maximumDepth else { throw syntaxError }
        var options: [LineOption] = []
        try expect("[")
        if take("]") { return options }
        repeat {
            guard options.count < Selection.maximumEntryCount else { throw syntaxError }
            options.append(try option(level: level))
        } while take(",")
        try expect("]")
        return options
    }

    private mutating func option(level: Int) throws(PostgresError) -> LineOption {
        var (id, group, quantity, price, total): (Int64?, Int64?, Int64?, Int64?, Int64?)
        var title: String?
        var below: [LineOption] = []
        try expect("{")
        repeat {
            let key = try text()
            try expect(":")
            switch key {
            case "id": id = try integer()
            case "group_id": group = try integer()
            case "title": title = try text()
            case "quantity": quantity = try integer()
            case "price": price = try integer()
            case "total": total = try integer()
            case "options": below = try list(level: level + 1)
            default: throw syntaxError
            }
        } while take(",")
        try expect("}")
        guard let id, let group, let title, let quantity = quantity.flatMap(Int.init(exactly:)),
            let price = price.flatMap(OptionPrice.init(minorUnits:)), let total,
            let option = LineOption(
                id: OptionID(rawValue: id), groupID: OptionGroupID(rawValue: group), title: title, quantity: quantity,
                price: price,
                total: total, options: below)
        else { throw syntaxError }
        return option
    }

    /// Parses an integer; PostgreSQL writes no exponent, and a fraction is rejected.
    private mutating func integer() throws(PostgresError) -> Int64 {
        skipSpaces()
        let start = position
        while position < utf8.count,
            utf8[position] == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(utf8[position])
        {
            position += 1
        }
        guard let number = Int64(String(decoding: utf8[start..<position], as: UTF8.self)) else { throw syntaxError }
        return number
    }

    /// Parses a string as PostgreSQL writes it (escape_json).
    private mutating func text() throws(PostgresError) -> String {
        try expect("\"")
        let start = position
        while position < utf8.count, utf8[position] != UInt8(ascii: "\""), utf8[position] != UInt8(ascii: "\\") {
            position += 1
        }
        var text = Array(utf8[start..<position])
        while position < utf8.count, utf8[position] != UInt8(ascii: "\"") {
            if utf8[position] == UInt8(ascii: "\\") {
                text.append(try escaped())
            } else {
                text.append(utf8[position])
                position += 1
            }
        }
        position += 1
        guard position <= utf8.count, let text = String(validating: text, as: UTF8.self) else { throw syntaxError }
        return text
    }

    private mutating func escaped() throws(PostgresError) -> UInt8 {
        guard position + 1 < utf8.count else { throw syntaxError }
        position += 2
        switch utf8[position - 1] {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            // PostgreSQL writes only control characters this way.
            guard position + 4 <= utf8.count,
                let code = UInt8(String(decoding: utf8[position..<position + 4], as: UTF8.self), radix: 16), code < 0x80
            else { throw syntaxError }
            position += 4
            return code
        case let itself: return itself
        }
    }

    private mutating func skipSpaces() {
        while position < utf8.count, utf8[position] == UInt8(ascii: " ") { position += 1 }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard position < utf8.count, utf8[position] == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ sign: Unicode.Scalar) throws(PostgresError) {
        guard take(sign) else { throw syntaxError }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ options: [LineOption]) {
        append(UInt8(ascii: "["))
        for (index, option) in options.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            append(contentsOf: #"{"id":\#(option.id.rawValue),"group_id":\#(option.groupID.rawValue),"title":""#.utf8)
            append(escaped: option.title)
            append(
                contentsOf:
                    #"","quantity":\#(option.quantity),"price":\#(option.price.minorUnits),"total":\#(option.total)"#
                    .utf8)
            if !option.options.isEmpty {
                append(contentsOf: #","options":"#.utf8)
                append(option.options)
            }
            append(UInt8(ascii: "}"))
        }
        append(UInt8(ascii: "]"))
    }

    /// Appends the text as the content of a JSON string (RFC 8259, section 7).
    private mutating func append(escaped text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case 0..<0x20: append(contentsOf: "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: append(byte)
            }
        }
    }
}
