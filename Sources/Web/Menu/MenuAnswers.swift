// Every answer of one menu in one language, encoded when the menu is loaded; pages with parameters, and items with options, when they are first asked
// for, and kept while there is room. Made by MenuAnswerCache when the menu has changed. Read next: EncodedAnswer.swift; MenuBodies.swift for what is in them.
import HTTPTypes
import Ordering
import Synchronization
import Wire

/// A list that is given out in pages.
enum MenuList: String {
    case menu, categories, sales, coupons
}

/// The answers of one revision of the menu, from one of its moments to the next.
final class MenuAnswers: Sendable {
    private enum Target: Hashable {
        case page(MenuList, query: String)
        case item(MenuItemID)

        /// In bytes.
        var size: Int { if case .page(_, let query) = self { query.utf8.count } else { 8 } }
    }
    private struct Pages {
        var answers: [Target: EncodedAnswer] = [:]
        var bytes = 0
    }

    /// How many bytes of pages are kept; a page of the shipped menu has 7,000. When they are full, all are dropped: what is asked for often is
    /// back with the next request, and nobody can fill the memory with searches.
    private static let pagesLimit = 4 * 1024 * 1024
    /// What a kept page costs beside its bytes and its query.
    private static let pageOverhead = 512

    /// The menu that these are the answers of.
    let menu: Menu
    let home, shop: EncodedAnswer
    private let holds: TimeSpan
    /// What all of them go out with.
    private let headers: HTTPFields
    private let items: [MenuItemID: EncodedAnswer]
    private let sales: [SalesGroupID: EncodedAnswer]
    private let pages = Mutex(Pages())

    /// Encodes the menu: about a millisecond for a hundred items.
    init(_ menu: Menu) {
        var headers: HTTPFields = [:]
        headers.say(menu.language)
        (self.menu, holds, self.headers) = (menu, menu.holds, headers)
        home = EncodedAnswer(HomeBody(menu), headers: headers)
        shop = EncodedAnswer(ShopBody(menu), headers: headers)
        // Not compressed: a kilobyte each, and there may be thousands. What has options may be larger, and waits until somebody asks for it.
        let items = menu.items.filter { !$0.isRetired && !menu.options(of: $0.id).hasOptions }.map { item in
            (item.id, EncodedAnswer(MenuItemBody(item, in: menu, showsGroups: true), headers: headers, effort: nil))
        }
        self.items = Dictionary(items, uniquingKeysWith: { first, _ in first })
        let sales = menu.offeredSales.map { ($0.id, EncodedAnswer(SaleBody($0, in: menu), headers: headers)) }
        self.sales = Dictionary(sales, uniquingKeysWith: { first, _ in first })
    }

    /// Whether they are still what this menu reads like at its moment.
    func hold(for menu: Menu) -> Bool {
        self.menu.revision == menu.revision && self.menu.stock == menu.stock && holds.contains(menu.moment)
    }

    /// The item; nil if there is none or it is retired.
    func item(_ id: MenuItemID) -> EncodedAnswer? {
        if let ready = items[id] { return ready }
        guard let item = menu.item(id), !item.isRetired else { return nil }
        let target = Target.item(id)
        if let kept = pages.withLock({ $0.answers[target] }) { return kept }
        let answer = EncodedAnswer(MenuItemBody(item, in: menu, showsGroups: true), headers: headers)
        keep(answer, target)
        return answer
    }

    /// The sale; nil if there is none or it is not offered.
    func sale(_ id: SalesGroupID) -> EncodedAnswer? { sales[id] }

    /// A page of a list, for a query as it came.
    func page(of list: MenuList, _ query: String) throws -> EncodedAnswer {
        let target = Target.page(list, query: query)
        if let kept = pages.withLock({ $0.answers[target] }) { return kept }
        let page = try encodedPage(of: list, QueryParameters(query))
        keep(page, target)
        return page
    }

    private func keep(_ page: EncodedAnswer, _ target: Target) {
        let cost = page.count + target.size + Self.pageOverhead
        pages.withLock { pages in
            if pages.bytes + cost > Self.pagesLimit { pages = Pages() }
            // Two requests may have encoded the same page.
            if pages.answers.updateValue(page, forKey: target) == nil { pages.bytes += cost }
        }
    }

    private func encodedPage(of list: MenuList, _ query: QueryParameters) throws -> EncodedAnswer {
        switch list {
        case .menu:
            let page = try MenuListing(query).page(of: menu)
            return EncodedAnswer(Page(items: page.items.map { MenuItemBody($0, in: menu) }, nextCursor: page.nextCursor), headers: headers)
        case .categories:
            let (categories, next) = try ListWindow(query, of: list.rawValue).page(of: menu.categories) { "\($0.id)" }
            return EncodedAnswer(Page(items: categories.map { CategoryBody($0, in: menu) }, nextCursor: next), headers: headers)
        case .sales:
            let (sales, next) = try ListWindow(query, of: list.rawValue).page(of: menu.offeredSales) { "\($0.id)" }
            return EncodedAnswer(Page(items: sales.map { SaleBody($0, in: menu) }, nextCursor: next), headers: headers)
        case .coupons:
            let (coupons, next) = try ListWindow(query, of: list.rawValue).page(of: menu.coupons, id: \.key)
            return EncodedAnswer(Page(items: coupons.map { CouponBody($0, in: menu) }, nextCursor: next), headers: headers)
        }
    }
}
