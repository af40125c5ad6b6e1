// Tests the cache of encoded pages, with menus that are built in memory. MenuListTests cover the pages over HTTP.
import HTTPTypes
import NIOCore
import Ordering
import Testing

@testable import HTTPServing
@testable import Web

@Suite("The cached pages of a menu") struct MenuResponsesTests {
    @Test("Two reads of all pages of a large menu encode and compress each page once")
    func largeMenu() throws {
        let menu = try Self.menu(items: 1_200)
        let responses = MenuResponses(menu)
        var queries = ["limit=100"]
        while let cursor = try MenuListing(QueryParameters(queries[queries.count - 1])).page(of: menu).nextCursor {
            queries.append("limit=100&cursor=\(cursor)")
            try #require(queries.count <= 12)
        }
        // Both reads are kept to the end, so that a page that is encoded again has another address.
        let first = try queries.map { try responses.page(of: .menu, $0) }
        let second = try queries.map { try responses.page(of: .menu, $0) }
        #expect(first.count == 12 && first.reduce(0) { $0 + $1.count } > 5_000_000)
        for acceptsGzip in [false, true] {
            let addresses = try first.map { try Self.bodyAddress($0, acceptsGzip: acceptsGzip) }
            #expect(Set(addresses).count == 12)
            #expect(try second.map { try Self.bodyAddress($0, acceptsGzip: acceptsGzip) } == addresses)
        }
    }

    @Test("The first page is evicted when the cached pages of a very large menu exceed 16 MiB")
    func upperLimit() throws {
        let responses = MenuResponses(try Self.menu(items: 2_200))
        let first = try responses.page(of: .menu, "limit=100&n=0")
        var bytes = first.count
        for number in 1..<42 { bytes += try responses.page(of: .menu, "limit=100&n=\(number)").count }
        #expect(bytes > 16 * 1024 * 1024)
        let again = try responses.page(of: .menu, "limit=100&n=0")
        #expect(
            try Self.bodyAddress(again, acceptsGzip: false) != Self.bodyAddress(first, acceptsGzip: false))
    }

    /// A menu of items that take 4.4 KB each. Few of them fill the cache, and the long URLs are not indexed for the
    /// search.
    private static func menu(items count: Int) throws -> Menu {
        let price = try #require(Money(minorUnits: 805))
        let url = "/" + String(repeating: "x", count: 3_999)
        let items = (0..<count).map { number in
            RegularItem(
                MenuItemDetails(
                    id: MenuItemID(rawValue: Int64(200_000 + number)), category: CategoryID(rawValue: 200),
                    title: "Burger \(number)", description: "", imageURL: url, price: price, tags: [],
                    isAvailable: true, isRetired: false, position: number))
        }
        return Menu(
            revision: 1, currency: try #require(Currency("USD")), defaultCountry: "US", timeZone: "America/New_York",
            categories: [], items: items, sales: [], coupons: [], at: Instant(microseconds: 1_790_000_000_000_000))
    }

    /// The address of the body that a client receives.
    private static func bodyAddress(_ response: EncodedResponse, acceptsGzip: Bool) throws -> UInt {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "/v1/menu")
        if acceptsGzip { head.headerFields[.acceptEncoding] = "gzip" }
        var bytes: ByteBuffer?
        if case .bytes(let body) = response.response(to: Request(head: head, body: ByteBuffer())).body { bytes = body }
        let body = try #require(bytes)
        return body.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
    }
}
