// A list of the menu's page by page, each asked for when it is wanted. Made by StorefrontClient+Menu.swift.
import Wire

/// The pages of a list, from the first to the last.
public struct MenuPages<Item: Decodable & Hashable & Sendable>: AsyncSequence, Sendable {
    /// A page, and how old it is.
    public typealias Element = MenuAnswer<Page<Item>>
    /// What a page may fail with; the iteration is over then.
    public typealias Failure = StorefrontError

    /// Loads the page that begins at the cursor.
    let load: @Sendable (_ cursor: String?) async -> Result<Element, StorefrontError>

    /// One pass over the pages.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(load: load) }

    /// A place in the list.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let load: @Sendable (_ cursor: String?) async -> Result<Element, StorefrontError>
        var cursor: String?
        var isAtEnd = false

        /// The next page.
        public mutating func next() async throws(StorefrontError) -> Element? {
            guard !isAtEnd else { return nil }
            isAtEnd = true
            let answer = try await load(cursor).get()
            if let next = answer.body.nextCursor {
                guard next != cursor else { throw .undecodable(status: 200, reason: "a page whose next page is itself") }
                (cursor, isAtEnd) = (next, false)
            }
            return answer
        }
    }
}
