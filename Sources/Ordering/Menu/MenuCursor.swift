// Where a page of the menu ended, as opaque text: the place of its last item in the order. The next page begins after that place,
// so items that come, go or are retired between two pages make no other item appear twice or not at all. MenuQuery reads and writes it.

struct MenuCursor: Sendable, Hashable {
    /// The longest cursor we write: 33 bytes and a title's key.
    static let longestText = (33 + MenuPlace.longestText) * 4 / 3 + 2

    let last: MenuPlace

    init(last: MenuPlace) {
        self.last = last
    }

    /// Reads a cursor that was written for this order. Anything else is nil.
    init?(_ text: String, order: MenuOrder) {
        guard text.utf8.count <= MenuCursor.longestText, let bytes = Base64URL.decode(text), bytes.count >= 33 else { return nil }
        func number(at offset: Int) -> Int64 {
            Int64(bitPattern: bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) })
        }
        let payload = Array(bytes[9...])
        guard bytes[0] == MenuCursor.version, number(at: 1) == MenuCursor.check(of: payload, order: order) else { return nil }
        let id = MenuItemID(rawValue: number(at: 25))
        last = MenuPlace(number: number(at: 9), text: Array(bytes[33...]), position: number(at: 17), id: id)
    }

    /// Base64url of a version, 8 bytes of check, the number, the position, the id (8 bytes each, big-endian), and the title's key.
    func text(order: MenuOrder) -> String {
        let payload = MenuCursor.bytes(last.number) + MenuCursor.bytes(last.position) + MenuCursor.bytes(last.id.rawValue) + last.text
        return Base64URL.encode([MenuCursor.version] + MenuCursor.bytes(MenuCursor.check(of: payload, order: order)) + payload)
    }

    private static let version: UInt8 = 1

    private static func check(of payload: [UInt8], order: MenuOrder) -> Int64 {
        Int64(bitPattern: StableHash.mixed(StableHash.fnv1a(Array(order.fingerprint.utf8) + [0] + payload)))
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
