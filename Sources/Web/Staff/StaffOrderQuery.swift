// What staff ask of the list of orders: `state`, `open`, `q`, `limit` and `cursor`. Called by StaffRoutes.
import Ordering

struct StaffOrderQuery {
    private static let list = "orders"

    let states: [OrderState]
    let search: OrderSearch?
    let limit: Int
    let after: OrderPosition?

    /// - Parameter defaultCountry: the shop's, which a phone without a country belongs to.
    init(_ query: QueryParameters, defaultCountry: String) throws(ParameterError) {
        let names = OrderState.allCases.map(\.rawValue).joined(separator: ", ")
        let states = try query.parsed("state", "one of \(names)", OrderState.init(rawValue:)).map { [$0] } ?? OrderState.allCases
        let isOpen = try query.parsed("open", "true or false") { Bool($0) }
        self.states = isOpen.map { isOpen in states.filter { $0.isOpen == isOpen } } ?? states
        search = try query.text("q", upTo: 100).flatMap { OrderSearch($0, defaultCountry: defaultCountry) }
        limit = try query.limit()
        after = try query.cursor(of: Self.list, numbers: 1) { cursor in
            // Up to the year 2100, far from the end of PostgreSQL's time.
            guard 0...4_102_444_800_000_000 ~= cursor.numbers[0], let id = OrderID(String(decoding: cursor.text, as: UTF8.self)) else {
                return nil
            }
            return OrderPosition(placedAt: Instant(microseconds: cursor.numbers[0]), id: id)
        }
    }

    /// The cursor of the page after this position.
    static func cursor(_ position: OrderPosition) -> String {
        Cursor([position.placedAt.microseconds], position.id.description.utf8).written(for: list)
    }
}
