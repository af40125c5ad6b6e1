// Pages a short list without filters or sort orders: `limit` and `cursor` of categories, sales, coupons and options.
// The menu itself uses MenuListing.
import HTTPServing

/// At most `limit` elements from a position on.
struct ListWindow {
    private let list: String
    private let limit: Int
    /// The number of elements before the page, and the last element's id.
    private let cursor: Cursor?

    init(_ query: QueryParameters, of list: String) throws(ParameterError) {
        self.list = list
        limit = try query.limit()
        cursor = try query.cursor(of: list, numbers: 1) { $0 }
    }

    /// The page and the next cursor; nil on the last page. Continues after the last element seen even if it moved, or
    /// at its old position if it is gone.
    func page<Element>(of elements: [Element], id: (Element) -> String) -> (
        elements: ArraySlice<Element>, nextCursor: String?
    ) {
        let start = cursor.map { cursor in
            elements.firstIndex { id($0).utf8.elementsEqual(cursor.text) }.map { $0 + 1 }
                ?? min(Int(max(cursor.numbers[0], 1)) - 1, elements.count)
        }
        let page = elements[(start ?? 0)...].prefix(limit)
        guard page.endIndex < elements.count, let last = page.last else { return (page, nil) }
        return (page, Cursor([Int64(page.endIndex)], id(last).utf8).encoded(for: list))
    }
}
