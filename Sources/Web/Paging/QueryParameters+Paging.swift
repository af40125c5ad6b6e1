// The parameters `limit` and `cursor` of every list.
import HTTPServing
import Ordering

extension QueryParameters {
    /// The page size: 1 to 100, by default 20.
    func limit() throws(ParameterError) -> Int {
        let limit = try parsed("limit", "a whole number from 1 to 100") {
            Int64(canonicalDigits: $0).flatMap { 1...100 ~= $0 ? $0 : nil }
        }
        return Int(limit ?? 20)
    }

    /// The position after the previous page, from a cursor with this many numbers.
    func cursor<Position>(
        of list: String, numbers: Int, _ expected: String = "the nextCursor of a page of this list",
        _ position: (Cursor) -> Position?
    ) throws(ParameterError) -> Position? {
        try parsed("cursor", expected) { Cursor($0, of: list, numbers: numbers).flatMap(position) }
    }
}
