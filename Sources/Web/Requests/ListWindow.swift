// Which part of a short list is asked for: `limit` and `cursor` of categories, sales and coupons, which have no order to choose and
// nothing to filter. The menu itself has MenuListing. Called by MenuAnswers.

/// A part of a list: at most `limit` elements from a place on.
struct ListWindow {
    private let list: String
    private let limit: Int
    /// How many elements came before the page, and the last one's id.
    private let cursor: Cursor?

    init(_ query: QueryParameters, of list: String) throws(ParameterError) {
        self.list = list
        limit = try query.limit()
        cursor = try query.cursor(of: list, numbers: 1) { $0 }
    }

    /// The part, and the next one's cursor; nil at the end. It goes on after the last element seen, wherever that has moved to, or where it
    /// stood if it is gone.
    func page<Element>(of elements: [Element], id: (Element) -> String) -> (elements: ArraySlice<Element>, nextCursor: String?) {
        let start = cursor.map { cursor in
            elements.firstIndex { id($0).utf8.elementsEqual(cursor.text) }.map { $0 + 1 }
                ?? min(Int(max(cursor.numbers[0], 1)) - 1, elements.count)
        }
        let page = elements[(start ?? 0)...].prefix(limit)
        guard page.endIndex < elements.count, let last = page.last else { return (page, nil) }
        return (page, Cursor([Int64(page.endIndex)], id(last).utf8).written(for: list))
    }
}
