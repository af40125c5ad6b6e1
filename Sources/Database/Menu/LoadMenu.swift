// Reads the whole menu as one snapshot: one statement, so that the revision and the rows are of the same moment.
// Called by Shop's CurrentMenu when the revision moved. The tables are in sql/001_menu.sql.
import Foundation
import Ordering
import Postgres

/// A menu as it was read, and when that was by the database's clock.
package struct MenuReading: Sendable {
    /// The menu.
    package let menu: Menu
    /// When it was this one.
    package let now: Instant
}

extension ShopDatabase {
    /// The menu as it is now.
    package func loadMenu() async throws(DatabaseFault) -> MenuReading {
        let documents = try await query(Self.loadMenuStatement, .reads) { row throws(PostgresError) in
            let document = try row.next(JSONB.self)
            do {
                return try JSONDecoder().decode(StoredMenu.self, from: Data(document.utf8)).reading()
            } catch let error as PostgresError {
                throw error
            } catch {
                throw .undecodable("the menu: \(error)")
            }
        }
        guard let menu = documents.first else { throw .undecodable("the shop has no row") }
        return menu
    }

    private static let loadMenuStatement = Statement(
        "load_menu",
        """
        select jsonb_build_object(
            'revision', revision, 'now', (extract(epoch from now()) * 1000000)::bigint, 'currency', currency, 'default_country', default_country, 'time_zone', time_zone,
            'tip_limit_percent', tip_limit_percent,
            'categories', coalesce((select jsonb_agg(to_jsonb(categories)) from categories), '[]'),
            'items', coalesce((
                select jsonb_agg(to_jsonb(menu_items) || jsonb_build_object(
                    'sales_group_id', sales_group_items.sales_group_id,
                    -- Past what a date can be told of, for ever too, is until further notice; long ago is over.
                    'is_available', is_available and coalesce(sold_out_until < '10000-01-01Z', true),
                    'sold_out_until', case when sold_out_until < '10000-01-01Z' then
                        (extract(epoch from greatest(sold_out_until, '0001-01-01Z')) * 1000000)::bigint end))
                from menu_items left join sales_group_items on menu_item_id = menu_items.id), '[]'),
            'sales', coalesce((
                select jsonb_agg(to_jsonb(sales_groups) || jsonb_build_object('items', coalesce((
                    select jsonb_agg(jsonb_build_object('menu_item_id', menu_item_id, 'quantity', quantity) order by position, menu_item_id)
                    from sales_group_items where sales_group_id = sales_groups.id), '[]')))
                from sales_groups), '[]'),
            'coupons', coalesce((
                select jsonb_agg(jsonb_build_object(
                    'key', key, 'title', title, 'description', description, 'minimum_subtotal', minimum_subtotal,
                    'starts_at', (extract(epoch from starts_at) * 1000000)::bigint,
                    'ends_at', (extract(epoch from ends_at) * 1000000)::bigint) order by position, id)
                from (select key, title, description, minimum_subtotal, position, id,
                             -- Without a beginning or an end, or with one that a date can't be told of: that many microseconds are no number.
                             case when starts_at > '-infinity' then least(greatest(starts_at, '0001-01-01Z'), '9999-12-31Z') end as starts_at,
                             case when ends_at < 'infinity' then least(greatest(ends_at, '0001-01-01Z'), '9999-12-31Z') end as ends_at
                      from coupons where is_listed) as listed), '[]'))
        from shop cross join menu_revision
        """)
}

/// The document that the statement builds, key for key. What the schema's constraints forbid is a fault here.
private struct StoredMenu: Decodable {
    struct Category: Decodable {
        let id: Int64, title: String, image_url: String, position: Int
    }
    struct Item: Decodable {
        let id: Int64, category_id: Int64, kind: String, title: String, description: String, image_url: String, price: Int64
        let sale_percent: Int?, tags: [String], is_available: Bool, sold_out_until: Int64?, is_retired: Bool, position: Int
        let sales_group_id: Int64?
    }
    struct Entry: Decodable {
        let menu_item_id: Int64, quantity: Int
    }
    struct Sale: Decodable {
        let id: Int64, kind: String, title: String, headline: String, description: String, preview_image_url: String
        let background_image_url: String, is_retired: Bool, position: Int, items: [Entry]
    }
    struct Coupon: Decodable {
        let key: String, title: String, description: String, minimum_subtotal: Int64?, starts_at: Int64?, ends_at: Int64?
    }

    let revision: Int64, now: Int64, currency: String, default_country: String, time_zone: String, tip_limit_percent: Int
    let categories: [Category], items: [Item], sales: [Sale], coupons: [Coupon]

    func reading() throws(PostgresError) -> MenuReading {
        guard let currency = Currency(currency) else { throw .undecodable("the shop's currency is \(currency)") }
        var menuItems: [any MenuItem] = []
        for item in items { menuItems.append(try item.menuItem()) }
        let menu = Menu(
            revision: revision, currency: currency, defaultCountry: default_country, timeZone: time_zone,
            terms: ShopTerms(tipLimitPercent: tip_limit_percent),
            categories: categories.map {
                Ordering.Category(id: CategoryID(rawValue: $0.id), title: $0.title, imageURL: $0.image_url, position: $0.position)
            },
            items: menuItems,
            sales: sales.map(\.salesGroup),
            coupons: coupons.map {
                PublicCoupon(
                    key: $0.key, title: $0.title, description: $0.description, startsAt: $0.starts_at.map(Instant.init(microseconds:)),
                    endsAt: $0.ends_at.map(Instant.init(microseconds:)),
                    minimumSubtotal: $0.minimum_subtotal.flatMap(Money.init(minorUnits:)))
            }, at: Instant(microseconds: now))
        return MenuReading(menu: menu, now: menu.moment)
    }
}

extension StoredMenu.Item {
    fileprivate func menuItem() throws(PostgresError) -> any MenuItem {
        guard let price = Money(minorUnits: price) else { throw .undecodable("menu item \(id) costs \(price)") }
        let facts = MenuItemFacts(
            id: MenuItemID(rawValue: id), category: CategoryID(rawValue: category_id), title: title, description: description,
            imageURL: image_url, price: price, tags: tags, isAvailable: is_available,
            soldOutUntil: sold_out_until.map(Instant.init(microseconds:)), isRetired: is_retired, position: position)
        switch (MenuItemKind(rawValue: kind), sale_percent.flatMap(Percent.init)) {
        case (.regular, nil): return RegularItem(facts)
        case (.discount, let percent?): return DiscountItem(facts, salePercent: percent)
        case (.special, let percent?): return SpecialItem(facts, salePercent: percent, salesGroupID: sales_group_id.map(SalesGroupID.init))
        default: throw .undecodable("menu item \(id): kind \(kind) and its sale percent don't agree")
        }
    }
}

extension StoredMenu.Sale {
    fileprivate var salesGroup: SalesGroup {
        let entries = items.compactMap { SetEntry(menuItemID: MenuItemID(rawValue: $0.menu_item_id), quantity: $0.quantity) }
        return SalesGroup(
            id: SalesGroupID(rawValue: id), title: title, headline: headline, description: description, previewImageURL: preview_image_url,
            backgroundImageURL: background_image_url, position: position, isRetired: is_retired,
            content: kind == "set" ? .set(entries) : .information)
    }
}
