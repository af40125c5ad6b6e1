// How an order's lines lie in its row: one JSON document, the lines first, then the items of each set with the set's id and title.
// Written by PlaceOrders (by hand: it is on the way of every checkout, and JSONEncoder took 6 µs where this takes 0.5), read by
// LoadOrders. The column and the check that it adds up are in sql/004_orders.sql.
import Foundation
import Ordering
import Postgres

/// The document `orders.lines`.
enum StoredLines {
    static func document(lines: [OrderLine], sets: [OrderSet]) -> JSONB {
        var json: [UInt8] = []
        json.reserveCapacity(2 + 192 * (lines.count + sets.count))
        json.append(UInt8(ascii: "["))
        for line in lines { append(line, of: nil, to: &json) }
        for set in sets {
            for item in set.items { append(item, of: set, to: &json) }
        }
        json.append(UInt8(ascii: "]"))
        return JSONB(utf8: json)
    }

    private static func append(_ line: OrderLine, of set: OrderSet?, to json: inout [UInt8]) {
        if json.count > 1 { json.append(UInt8(ascii: ",")) }
        append(#"{"menuItemId":"#, line.menuItemID.rawValue, to: &json)
        append(#","kind":"#, line.kind.rawValue, to: &json)
        append(#","title":"#, line.title, to: &json)
        append(#","quantity":"#, Int64(line.quantity), to: &json)
        append(#","regularUnitPrice":"#, line.regularUnitPrice.minorUnits, to: &json)
        append(#","unitPrice":"#, line.unitPrice.minorUnits, to: &json)
        append(#","total":"#, line.total.minorUnits, to: &json)
        append(#","discount":"#, line.discount.minorUnits, to: &json)
        if let set {
            append(#","salesGroupId":"#, set.salesGroupID.rawValue, to: &json)
            append(#","salesGroupTitle":"#, set.title, to: &json)
        }
        json.append(UInt8(ascii: "}"))
    }

    private static func append(_ key: StaticString, _ number: Int64, to json: inout [UInt8]) {
        key.withUTF8Buffer { json.append(contentsOf: $0) }
        json.append(contentsOf: String(number).utf8)
    }

    /// RFC 8259, section 7: quotation mark, reverse solidus and the control characters are escaped.
    private static func append(_ key: StaticString, _ text: String, to json: inout [UInt8]) {
        key.withUTF8Buffer { json.append(contentsOf: $0) }
        json.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0..<0x20: json.append(contentsOf: String(format: "\\u%04x", byte).utf8)
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }

    /// The lines and sets of a document that `document` wrote.
    static func parse(_ document: JSONB) throws(PostgresError) -> (lines: [OrderLine], sets: [OrderSet]) {
        let stored: [StoredLine]
        do {
            stored = try JSONDecoder().decode([StoredLine].self, from: Data(document.utf8))
        } catch {
            throw .undecodable("an order's lines: \(error)")
        }
        var lines: [OrderLine] = []
        var sets: [OrderSet] = []
        for one in stored {
            let line = try one.orderLine()
            guard let id = one.salesGroupId, let title = one.salesGroupTitle else {
                lines.append(line)
                continue
            }
            let sale = SalesGroupID(rawValue: id)
            if let last = sets.last, last.salesGroupID == sale {
                sets[sets.count - 1] = OrderSet(salesGroupID: sale, title: title, items: last.items + [line])
            } else {
                sets.append(OrderSet(salesGroupID: sale, title: title, items: [line]))
            }
        }
        return (lines, sets)
    }
}

private struct StoredLine: Decodable {
    let menuItemId: Int64, kind: String, title: String, quantity: Int, regularUnitPrice: Int64, unitPrice: Int64, discount: Int64
    let salesGroupId: Int64?, salesGroupTitle: String?

    func orderLine() throws(PostgresError) -> OrderLine {
        guard let kind = MenuItemKind(rawValue: kind), let regular = Money(minorUnits: regularUnitPrice),
            let unit = Money(minorUnits: unitPrice),
            let discount = Money(minorUnits: discount)
        else { throw .undecodable("an order's line of item \(menuItemId) is out of range") }
        return OrderLine(
            menuItemID: MenuItemID(rawValue: menuItemId), kind: kind, title: title, quantity: quantity, regularUnitPrice: regular,
            unitPrice: unit,
            discount: discount)
    }
}
