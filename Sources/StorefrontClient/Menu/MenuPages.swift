// A menu list as an asynchronous sequence of pages.
import Wire

/// The pages of a list. Each page is loaded when the iteration reaches it.
public struct MenuPages<Item: Decodable & Hashable & Sendable>: AsyncSequence, Sendable {
    /// A page with its age.
    public typealias Element = MenuResponse<Page<Item>>
    /// The error of a page, which ends the iteration.
    public typealias Failure = StorefrontError

    /// Loads the page that begins at the cursor.
    let load: @Sendable (_ cursor: String?) async -> Result<Element, StorefrontError>

    /// Starts an iteration at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(load: load) }

    /// An iteration over the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let load: @Sendable (_ cursor: String?) async -> Result<Element, StorefrontError>
        var cursor: String?
        var isAtEnd = false

        /// Loads the next page.
        public mutating func next() async throws(StorefrontError) -> Element? {
            guard !isAtEnd else { return nil }
            isAtEnd = true
            let answer = try await load(cursor).get()
            if let next = answer.body.nextCursor {
                guard next != cursor else {
                    throw .unexpectedResponse(status: 200, reason: "the next page of a page is the page itself")
                }
                (cursor, isAtEnd) = (next, false)
            }
            return answer
        }
    }
}
