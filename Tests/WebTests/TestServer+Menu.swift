// Helpers of the menu tests that read pages, single items and problems over the socket.
import Support
import Testing
import Wire

extension TestServer {
    /// Reads a path that must return 200 with JSON.
    func read<Body: Decodable>(_ path: String, as _: Body.Type = Body.self) async throws -> Body {
        let reply = try await get(path)
        try #require(reply.status == 200, "\(path): \(reply.text)")
        #expect(reply.header("Content-Type") == "application/json")
        return try reply.decoded()
    }

    /// The ids of a menu page, in its order.
    func menuIDs(_ query: String) async throws -> [Int64] {
        try await read("/v1/menu?\(query)", as: Page<MenuItemBody>.self).items.map(\.id)
    }

    /// The items of every page, following `nextCursor` to the end.
    func pages<Item: JSONWritable & Decodable & Hashable>(_ path: String, of _: Item.Type = Item.self) async throws
        -> [[Item]]
    {
        var pages: [[Item]] = []
        var cursor = ""
        repeat {
            let page: Page<Item> = try await read("\(path)&cursor=\(cursor)")
            pages.append(page.items)
            cursor = page.nextCursor ?? ""
            try #require(pages.count < 1000, "the pages of \(path) never end")
        } while !cursor.isEmpty
        return pages
    }

    /// Reads a path that must return a problem.
    func problem(_ path: String, status: Int) async throws -> ProblemBody {
        let reply = try await get(path)
        #expect(reply.status == status, "\(path): \(reply.text)")
        #expect(reply.header("Content-Type") == "application/problem+json")
        return try reply.decoded()
    }
}
