// Which part of a short list is asked for: `limit` and `cursor` of categories, sales and coupons, which have no order to choose and
// nothing to filter. The menu itself has Ordering's MenuQuery. Called by MenuAnswers.

import Ordering

/// A part of a list: at most `limit` elements from a place on.
struct ListWindow {
    private let limit: Int
    private let cursor: (count: Int, lastID: String)?

    /// Reads `limit` (1…100, by default 20) and `cursor` (a page's `nextCursor`).
    init(_ query: QueryParameters) throws(ParameterError) {
        limit = try Self.limit(query["limit"])
        cursor = try Self.cursor(query["cursor"])
    }

    /// The part, and the next one's cursor; nil at the end. It goes on after the last element seen, wherever that has moved to, or where it
    /// stood if it is gone.
    func page<Element>(of elements: [Element], id: (Element) -> String) -> (elements: ArraySlice<Element>, nextCursor: String?) {
        let start = cursor.map { cursor in
            elements.firstIndex { id($0) == cursor.lastID }.map { $0 + 1 } ?? min(max(cursor.count - 1, 0), elements.count)
        }
        let page = elements[(start ?? 0)...].prefix(limit)
        guard page.endIndex < elements.count, let last = page.last else { return (page, nil) }
        return (page, "\(page.endIndex).\(id(last))")
    }

    /// 1…100, by default 20.
    static func limit(_ text: String?) throws(ParameterError) -> Int {
        guard let text, !text.isEmpty else { return 20 }
        guard let limit = Int(text), "\(limit)" == text, (1...100).contains(limit) else {
            throw ParameterError(name: "limit", message: "limit must be a whole number from 1 to 100.")
        }
        return limit
    }

    /// How many elements came before the page, and the last one's id: `20.400`.
    private static func cursor(_ text: String?) throws(ParameterError) -> (Int, String)? {
        guard let text, !text.isEmpty else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard text.utf8.count <= 64, parts.count == 2, let count = Int(parts[0]), count > 0, "\(count)" == parts[0] else {
            throw ParameterError(name: "cursor", message: "cursor must be the nextCursor of a page of this list.")
        }
        return (count, String(parts[1]))
    }
}
