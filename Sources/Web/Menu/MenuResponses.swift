// All encoded responses of one menu in one language. Pages with parameters and items with options are encoded on
// first request and cached up to a limit.
import HTTPServing
import HTTPTypes
import Ordering
import Synchronization
import Wire

/// A list that is returned in pages.
enum MenuList: String {
    case menu, categories, sales, coupons
}

/// The responses of one menu revision, for one validity.
final class MenuResponses: Sendable {
    private enum Target: Hashable {
        case page(MenuList, query: String)
        case item(MenuItemID)

        /// In bytes.
        var size: Int { if case .page(_, let query) = self { query.utf8.count } else { 8 } }
    }
    private struct Pages {
        var answers: [Target: EncodedResponse] = [:]
        var bytes = 0
    }

    /// The smallest and largest limit of the cached pages in bytes, per language. A page of the shipped menu has 7,000.
    /// A full cache is cleared completely: frequent pages return with the next request, and searches cannot exhaust
    /// the memory.
    private static let pagesLimits = 4 * 1024 * 1024...16 * 1024 * 1024
    /// Bytes that a cached page costs besides its content and its query.
    private static let pageOverhead = 512

    /// The menu of these responses.
    let menu: Menu
    let home, shop: EncodedResponse
    private let validity: TimeRange
    /// Headers of every response.
    private let headers: HTTPFields
    private let items: [MenuItemID: EncodedResponse]
    private let sales: [SalesGroupID: EncodedResponse]
    private let pages = Mutex(Pages())
    /// The limit of the cached pages in bytes.
    private let pagesLimit: Int

    /// Encodes the menu: about 1 ms for a hundred items.
    init(_ menu: Menu) {
        var headers: HTTPFields = [:]
        headers.setContentLanguage(menu.language)
        (self.menu, validity, self.headers) = (menu, menu.validity, headers)
        pagesLimit = MenuResponses.pagesLimit(for: menu.items)
        home = EncodedResponse(HomeBody(menu), headers: headers)
        shop = EncodedResponse(ShopBody(menu), headers: headers)
        // Not compressed: 1 KB each, and there may be thousands. Items with options may be larger and are encoded on
        // first request.
        let items = menu.items.filter { !$0.isRetired && !menu.optionTree(of: $0.id).hasOptions }.map { item in
            (item.id, EncodedResponse(MenuItemBody(item, in: menu, showsGroups: true), headers: headers, effort: nil))
        }
        self.items = Dictionary(items, uniquingKeysWith: { first, _ in first })
        let sales = menu.offeredSales.map { ($0.id, EncodedResponse(SalesGroupBody($0, in: menu), headers: headers)) }
        self.sales = Dictionary(sales, uniquingKeysWith: { first, _ in first })
    }

    /// Whether these responses are still current for this menu at its time.
    func isCurrent(for menu: Menu) -> Bool {
        self.menu.revision == menu.revision && self.menu.stock == menu.stock && validity.contains(menu.moment)
    }

    /// The response for an item; nil if it does not exist or is retired.
    func item(_ id: MenuItemID) -> EncodedResponse? {
        if let ready = items[id] { return ready }
        guard let item = menu.item(id), !item.isRetired else { return nil }
        let target = Target.item(id)
        if let kept = pages.withLock({ $0.answers[target] }) { return kept }
        let answer = EncodedResponse(MenuItemBody(item, in: menu, showsGroups: true), headers: headers)
        cache(answer, for: target)
        return answer
    }

    /// The response for a sale; nil if it does not exist or is not offered.
    func sale(_ id: SalesGroupID) -> EncodedResponse? { sales[id] }

    /// A page of a list for a raw query string.
    func page(of list: MenuList, _ query: String) throws -> EncodedResponse {
        let target = Target.page(list, query: query)
        if let kept = pages.withLock({ $0.answers[target] }) { return kept }
        let page = try encodedPage(of: list, QueryParameters(query))
        cache(page, for: target)
        return page
    }

    /// The limit in proportion to the menu, so that all its pages fit, plain and as gzip: 6.5 MB for 10,000 items. An
    /// item needs 0.5 to 1 KiB besides its texts. Menus of fewer than about 3,000 items get the smallest limit.
    private static func pagesLimit(for items: [any MenuItem]) -> Int {
        var bytes = 0
        for item in items {
            let texts = item.title.utf8.count + item.description.utf8.count + item.imageURL.utf8.count
            bytes += 1024 + 2 * texts
        }
        return min(max(bytes, pagesLimits.lowerBound), pagesLimits.upperBound)
    }

    private func cache(_ page: EncodedResponse, for target: Target) {
        let cost = page.count + target.size + Self.pageOverhead
        pages.withLock { pages in
            if pages.bytes + cost > pagesLimit { pages = Pages() }
            // Two concurrent requests may have encoded the same page.
            if pages.answers.updateValue(page, forKey: target) == nil { pages.bytes += cost }
        }
    }

    private func encodedPage(of list: MenuList, _ query: QueryParameters) throws -> EncodedResponse {
        switch list {
        case .menu:
            let page = try MenuListing(query).page(of: menu)
            return EncodedResponse(
                Page(items: page.items.map { MenuItemBody($0, in: menu) }, nextCursor: page.nextCursor),
                headers: headers)
        case .categories:
            let (categories, next) = try ListWindow(query, of: list.rawValue).page(of: menu.categories) { "\($0.id)" }
            return EncodedResponse(
                Page(items: categories.map { CategoryBody($0, in: menu) }, nextCursor: next), headers: headers)
        case .sales:
            let (sales, next) = try ListWindow(query, of: list.rawValue).page(of: menu.offeredSales) { "\($0.id)" }
            return EncodedResponse(
                Page(items: sales.map { SalesGroupBody($0, in: menu) }, nextCursor: next), headers: headers)
        case .coupons:
            let (coupons, next) = try ListWindow(query, of: list.rawValue).page(of: menu.coupons, id: \.key)
            return EncodedResponse(
                Page(items: coupons.map { CouponBody($0, in: menu) }, nextCursor: next), headers: headers)
        }
    }
}
