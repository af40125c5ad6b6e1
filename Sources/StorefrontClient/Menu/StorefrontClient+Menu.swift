// The menu routes. While the server is unreachable they return cached responses, marked as stale.
import Wire

extension StorefrontClient {
    /// Returns the sections of the home screen.
    public func home() async throws(StorefrontError) -> MenuResponse<HomeBody> { try await readMenu("/v1/home") }

    /// Returns the shop's texts, currency, time zone and languages.
    public func shop() async throws(StorefrontError) -> MenuResponse<ShopBody> { try await readMenu("/v1/shop") }

    /// Returns a page of the menu.
    /// - Parameter cursor: The `nextCursor` of the previous page; nil for the first one.
    public func menu(_ query: MenuQuery = MenuQuery(), cursor: String? = nil) async throws(StorefrontError)
        -> MenuResponse<
            Page<MenuItemBody>
        >
    {
        try await readMenu(query.path(cursor))
    }

    /// Returns the menu page by page.
    public func menuPages(_ query: MenuQuery = MenuQuery()) -> MenuPages<MenuItemBody> {
        MenuPages { await page(query.path($0)) }
    }

    /// Returns a menu item with its options.
    public func menuItem(_ id: Int64) async throws(StorefrontError) -> MenuResponse<MenuItemBody> {
        try await readMenu("/v1/menu/\(id)")
    }

    /// Returns a page of the categories.
    public func categories(limit: Int? = nil, cursor: String? = nil) async throws(StorefrontError) -> MenuResponse<
        Page<CategoryBody>
    > {
        try await readMenu(Self.path("/v1/categories", limit, cursor))
    }

    /// Returns the categories page by page.
    public func categoryPages(limit: Int? = nil) -> MenuPages<CategoryBody> {
        MenuPages { await page(Self.path("/v1/categories", limit, $0)) }
    }

    /// Returns a page of the sales groups.
    public func salesGroups(limit: Int? = nil, cursor: String? = nil) async throws(StorefrontError) -> MenuResponse<
        Page<SalesGroupBody>
    > {
        try await readMenu(Self.path("/v1/sales", limit, cursor))
    }

    /// Returns the sales groups page by page.
    public func salesGroupPages(limit: Int? = nil) -> MenuPages<SalesGroupBody> {
        MenuPages { await page(Self.path("/v1/sales", limit, $0)) }
    }

    /// Returns a sales group.
    public func salesGroup(_ id: Int64) async throws(StorefrontError) -> MenuResponse<SalesGroupBody> {
        try await readMenu("/v1/sales/\(id)")
    }

    /// Returns a page of the public coupons.
    public func coupons(limit: Int? = nil, cursor: String? = nil) async throws(StorefrontError) -> MenuResponse<
        Page<CouponBody>
    > {
        try await readMenu(Self.path("/v1/coupons", limit, cursor))
    }

    /// Returns the public coupons page by page.
    public func couponPages(limit: Int? = nil) -> MenuPages<CouponBody> {
        MenuPages { await page(Self.path("/v1/coupons", limit, $0)) }
    }

    /// Returns the bytes of a picture on this server, or of one size of a photograph as a JPEG.
    /// - Parameter imageURL: A path from the menu. It begins with a slash and may have a query.
    /// - Throws: `invalidAddress` for any other URL.
    public func picture(_ imageURL: String) async throws(StorefrontError) -> [UInt8] {
        guard imageURL.hasPrefix("/") else { throw .invalidAddress(imageURL) }
        let key = ResponseCache.Key(path: imageURL.normalizedRequestTarget)
        let reading = try await transport.read(key, known: transport.cache[key])
        if let answer = reading.answer { transport.cache.store(answer, for: key) }
        return reading.body
    }

    private static func path(_ list: String, _ limit: Int?, _ cursor: String?) -> String {
        list.appending(query: [("limit", limit.map(String.init)), ("cursor", cursor)])
    }

    private func page<Item>(_ path: String) async -> Result<MenuResponse<Page<Item>>, StorefrontError> {
        do throws(StorefrontError) { return .success(try await readMenu(path)) } catch { return .failure(error) }
    }
}
