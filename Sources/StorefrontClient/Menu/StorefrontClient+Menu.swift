// The menu: home, shop, categories, items, sales, coupons and their pictures. While the server is away all of it is what was read before, if it
// was, and says so. Read next: MenuAnswer.swift.
import Wire

extension StorefrontClient {
    /// The sections of the home screen.
    public func home() async throws(StorefrontError) -> MenuAnswer<HomeBody> { try await readMenu("/v1/home") }

    /// Who the shop is, and what its prices and times are in.
    public func shop() async throws(StorefrontError) -> MenuAnswer<ShopBody> { try await readMenu("/v1/shop") }

    /// A page of the menu.
    /// - Parameter cursor: The `nextCursor` of the page before; nil for the first one.
    public func menu(_ query: MenuQuery = MenuQuery(), cursor: String? = nil) async throws(StorefrontError) -> MenuAnswer<
        Page<MenuItemBody>
    > {
        try await readMenu(query.path(cursor))
    }

    /// The menu page by page.
    public func menuPages(_ query: MenuQuery = MenuQuery()) -> MenuPages<MenuItemBody> {
        MenuPages { await page(query.path($0)) }
    }

    /// One item.
    public func menuItem(_ id: Int64) async throws(StorefrontError) -> MenuAnswer<MenuItemBody> {
        try await readMenu("/v1/menu/\(id)")
    }

    /// A page of the categories.
    public func categories(limit: Int? = nil, cursor: String? = nil) async throws(StorefrontError) -> MenuAnswer<Page<CategoryBody>> {
        try await readMenu(Self.path("/v1/categories", limit, cursor))
    }

    /// The categories page by page.
    public func categoryPages(limit: Int? = nil) -> MenuPages<CategoryBody> {
        MenuPages { await page(Self.path("/v1/categories", limit, $0)) }
    }

    /// A page of the sales.
    public func sales(limit: Int? = nil, cursor: String? = nil) async throws(StorefrontError) -> MenuAnswer<Page<SaleBody>> {
        try await readMenu(Self.path("/v1/sales", limit, cursor))
    }

    /// The sales page by page.
    public func salePages(limit: Int? = nil) -> MenuPages<SaleBody> {
        MenuPages { await page(Self.path("/v1/sales", limit, $0)) }
    }

    /// One sale.
    public func sale(_ id: Int64) async throws(StorefrontError) -> MenuAnswer<SaleBody> {
        try await readMenu("/v1/sales/\(id)")
    }

    /// A page of the coupons that are listed publicly.
    public func coupons(limit: Int? = nil, cursor: String? = nil) async throws(StorefrontError) -> MenuAnswer<Page<CouponBody>> {
        try await readMenu(Self.path("/v1/coupons", limit, cursor))
    }

    /// The public coupons page by page.
    public func couponPages(limit: Int? = nil) -> MenuPages<CouponBody> {
        MenuPages { await page(Self.path("/v1/coupons", limit, $0)) }
    }

    /// The bytes of a picture that lies on this server, or of a photograph's size, which is a JPEG here.
    /// - Parameter imageURL: As the menu names it, a path that begins with a slash, and maybe a query; other addresses are `invalidAddress`.
    public func picture(_ imageURL: String) async throws(StorefrontError) -> [UInt8] {
        guard imageURL.hasPrefix("/") else { throw .invalidAddress(imageURL) }
        let key = RememberedAnswers.Key(path: imageURL.asWritten)
        let reading = try await exchange.read(key, known: exchange.remembered[key])
        if let answer = reading.answer { exchange.remembered.keep(answer, as: key) }
        return reading.body
    }

    private static func path(_ list: String, _ limit: Int?, _ cursor: String?) -> String {
        list.with(query: [("limit", limit.map(String.init)), ("cursor", cursor)])
    }

    private func page<Item>(_ path: String) async -> Result<MenuAnswer<Page<Item>>, StorefrontError> {
        do throws(StorefrontError) { return .success(try await readMenu(path)) } catch { return .failure(error) }
    }
}
