// Parses the parameters of the staff's order list: `state`, `open`, `q`, `limit` and `cursor`.
import HTTPServing
import Ordering

struct StaffOrderQuery {
    private static let list = "orders"

    let states: [OrderState]
    let search: OrderSearch?
    let limit: Int
    let after: OrderPosition?

    /// - Parameter defaultCountry: The shop's country, for phone numbers without a country code.
    init(_ query: QueryParameters, defaultCountry: String) throws(ParameterError) {
        let names = OrderState.allCases.map(\.rawValue).joined(separator: ", ")
        let states =
            try query.parsed("state", "one of \(names)", OrderState.init(rawValue:)).map { [$0] } ?? OrderState.allCases
        let isOpen = try query.parsed("open", "true or false") { Bool($0) }
        self.states = isOpen.map { isOpen in states.filter { $0.isOpen == isOpen } } ?? states
        search = try query.text("q", upTo: 100).flatMap { OrderSearch($0, defaultCountry: defaultCountry) }
        limit = try query.limit()
        after = try query.cursor(of: Self.list, numbers: 1) { cursor in
            // Up to the year 2100, well within PostgreSQL's timestamp range.
            guard 0...4_102_444_800_000_000 ~= cursor.numbers[0],
                let id = OrderID(String(decoding: cursor.text, as: UTF8.self))
            else {
                return nil
            }
            return OrderPosition(placedAt: Instant(microseconds: cursor.numbers[0]), id: id)
        }
    }

    /// The cursor of the page after this position.
    static func cursor(_ position: OrderPosition) -> String {
        Cursor([position.placedAt.microseconds], position.id.description.utf8).encoded(for: list)
    }
}
