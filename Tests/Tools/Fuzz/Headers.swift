// Checks the parsers of headers and URLs: tags, keys, cursors, ids, traces and query parameters.

@testable import ErrorChannel
@testable import HTTPServing
@testable import Ordering
@testable import Web

enum Headers {
    static func checkEntityTags(_ bytes: [UInt8]) {
        let value = String(decoding: bytes, as: UTF8.self)
        for tag in ["v1.a", value] {
            let weak = EntityTagList.contains(value, tag, takesWeak: true)
            let strong = EntityTagList.contains(value, tag, takesWeak: false)
            require(weak || !strong, "a strong match is also a weak match")
        }
        require(
            EntityTagList.contains("\"v1.a\", " + value, "v1.a", takesWeak: false), "the first tag of a list is found")
        require(!EntityTagList.contains("W/\"v1.a\"", "v1.a", takesWeak: false), "a weak tag does not match strongly")
    }

    /// Checks that the time is linear in the length, up to the limit for request heads.
    static func checkTime(_ bytes: [UInt8]) {
        let long = String(repeating: String(decoding: bytes, as: UTF8.self), count: 16_384 / bytes.count)
        requireLinear(long.utf8.count, "a header") {
            _ = EntityTagList.contains(long, "v1.a", takesWeak: true)
            _ = try? QueryParameters(long)
            _ = (
                BearerToken.parse(long), HostHeader(long), EventID(long), TraceParent(long),
                Cursor(long, of: "orders", numbers: 1)
            )
        }
    }

    static func checkKeys(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if case .success(let key) = CheckoutIdempotencyKey.parse(text) {
            require(key.text == text && (1...255).contains(text.utf8.count), "a key keeps its text")
            require(text.utf8.allSatisfy { 0x20...0x7E ~= $0 }, "a key is printable")
        }
        let token = BearerToken.parse(text)
        require(token.map { text.hasSuffix($0) && !$0.hasPrefix(" ") } ?? true, "a token is the rest of its header")
    }

    /// The menu that the queries search.
    private static let menu = Currency("USD").map { currency in
        Menu(
            revision: 1, currency: currency, defaultCountry: "US", timeZone: "UTC", categories: [],
            items: ["Chickenburger", "Grüne Soße", "Ωμέγα ΣΊΣΥΦΟΣ", "トマトソース", "BBQ sauce, hot"].enumerated().map {
                index, title in
                RegularItem(
                    MenuItemDetails(
                        id: MenuItemID(rawValue: Int64(index)), category: CategoryID(rawValue: 100), title: title,
                        description: title.lowercased(),
                        imageURL: "", price: .zero, tags: ["crispy"], isAvailable: true, isRetired: false,
                        position: index))
            }, sales: [], coupons: [], at: Instant(microseconds: 0))
    }

    static func checkQuery(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let query = try? QueryParameters(text) else { return }
        let names = ["category", "kind", "tag", "q", "sort", "seed", "limit", "cursor"]
        let values = names.map { query[$0] }
        // With all bytes percent-encoded the query has the same meaning.
        let again = zip(names, values).compactMap { name, value in
            value.map {
                name + "=" + $0.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            }
        }
        let read = try? QueryParameters(again.joined(separator: "&"))
        require(read.map { read in names.map { read[$0] } } == values, "parameters survive a round trip")
        if let asked = try? MenuListing(query), let menu {
            let limit = asked.query.limit
            require((1...100).contains(limit), "a page is bounded")
            let page = asked.page(of: menu)
            require(
                page.items.count <= limit && page.items.count <= menu.items.count,
                "a page has at most the items of the menu")
        }
        let folded = text.folded
        require(folded.folded.utf8.count <= 4 * text.utf8.count, "folded text is bounded")
        _ = try? ListWindow(query, of: "sales").page(of: Array(0..<5), id: String.init)
    }

    static func checkCursors(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let cursor = Cursor(text, of: "orders", numbers: 1) {
            require(cursor.encoded(for: "orders") == text, "a cursor survives a round trip")
        }
        let number = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let place = MenuSortKey(
            number: number, text: Array(bytes.prefix(MenuSortKey.maximumTextLength)), position: ~number,
            id: MenuItemID(rawValue: number))
        let written = Cursor(place).encoded(for: "menu price")
        require(
            Cursor(written, of: "menu price", numbers: 3).map(MenuSortKey.init) == place,
            "a new cursor survives a round trip")
        require(Cursor(written, of: "menu title", numbers: 3) == nil, "a cursor is valid for one sort order only")
        require(
            Cursor(written, of: "menu price", numbers: 2) != Cursor(place),
            "a cursor is valid for one number of values only")
    }

    static func checkIDs(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let id = EventID(text) { require(id.number >= 1 && id.description == text, "an event id has one notation") }
        if let host = HostHeader(text) {
            require(text.hasPrefix(host.host) && !host.host.isEmpty, "a host keeps its text")
            require(HostHeader(host.host + (host.port.map { ":\($0)" } ?? "")) == host, "a host survives a round trip")
            require(text.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "a host has visible characters only")
        }
        if let id = BasketID(text) { require(id.description == text, "a basket id has one notation") }
        if let id = MenuItemID(text) {
            require(id.description == text && id.rawValue >= 0, "an item id has one notation")
        }
    }

    static func checkTraceParent(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let trace = TraceParent(text) else { return }
        require(trace.traceID.utf8.count == 32, "a trace id has 32 digits")
        require(
            trace.traceID.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }, "a trace id has hex digits only")
        require(
            TraceParent("00-\(trace.traceID)-00f067aa0ba902b7-01")?.traceID == trace.traceID,
            "a trace id survives a round trip")
    }
}
