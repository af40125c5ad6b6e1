// What was chosen with a line as the document that a row keeps of it, and that a view shows to staff: [{"id", "group_id", "title", "quantity",
// "price", "total", "options"}], the last where there are some. Used by LineColumns.swift. The rules of a selection are Ordering's.
import FoundationEssentials
import Ordering
import Postgres

extension JSONB {
    /// The document of these options; nil where nothing was chosen.
    init?(_ options: [LineOption]) {
        guard !options.isEmpty else { return nil }
        var utf8: [UInt8] = []
        utf8.append(options)
        self.init(utf8: utf8)
    }

    /// The options that a row keeps. What can't have been chosen is a fault of this row, whatever stands there.
    func options() throws(PostgresError) -> [LineOption] {
        do {
            return try JSONDecoder().decode([StoredOption].self, from: Data(utf8)).map(\.option)
        } catch {
            throw .undecodable("a line's options: \(error)")
        }
    }
}

/// One option of the document, every number in its bounds.
private struct StoredOption: Decodable {
    private enum Key: String, CodingKey {
        case id, title, quantity, price, total, options
        case group = "group_id"
    }

    private struct OutOfRange: Error {}

    let option: LineOption

    init(from decoder: any Decoder) throws {
        // Each level is a list and a place in it, and a key between two.
        guard decoder.codingPath.count < 2 * Selection.levels else { throw OutOfRange() }
        let fields = try decoder.container(keyedBy: Key.self)
        guard let price = OptionPrice(minorUnits: try fields.decode(Int64.self, forKey: .price)),
            let option = LineOption(
                id: OptionID(rawValue: try fields.decode(Int64.self, forKey: .id)),
                groupID: OptionGroupID(rawValue: try fields.decode(Int64.self, forKey: .group)),
                title: try fields.decode(String.self, forKey: .title), quantity: try fields.decode(Int.self, forKey: .quantity),
                price: price, total: try fields.decode(Int64.self, forKey: .total),
                options: try fields.decodeIfPresent([StoredOption].self, forKey: .options)?.map(\.option) ?? [])
        else { throw OutOfRange() }
        self.option = option
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ options: [LineOption]) {
        append(UInt8(ascii: "["))
        for (index, option) in options.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            append(contentsOf: #"{"id":\#(option.id.rawValue),"group_id":\#(option.groupID.rawValue),"title":""#.utf8)
            append(escaped: option.title)
            append(contentsOf: #"","quantity":\#(option.quantity),"price":\#(option.price.minorUnits),"total":\#(option.total)"#.utf8)
            if !option.options.isEmpty {
                append(contentsOf: #","options":"#.utf8)
                append(option.options)
            }
            append(UInt8(ascii: "}"))
        }
        append(UInt8(ascii: "]"))
    }

    /// The text as it stands in a JSON string (RFC 8259, section 7).
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
