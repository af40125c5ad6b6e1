// Loads the whole menu in one statement, so that the revision and all rows belong to the same moment.
import Foundation
import Ordering
import Postgres

/// A menu, and the database's clock when it was loaded.
package struct LoadedMenu: Sendable {
    /// The menu.
    package let menu: Menu
    /// When this menu was current.
    package let clock: DatabaseClock
}

extension ShopDatabase {
    /// Loads the current menu.
    package func loadMenu() async throws(DatabaseFault) -> LoadedMenu {
        let documents = try await query(Self.loadMenuStatement, .reads) { row throws(PostgresError) in
            let document = try row.next(JSONB.self)
            do {
                return try JSONDecoder().decode(StoredMenu.self, from: Data(document.utf8)).loadedMenu()
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
            'revision', revision, 'now', (extract(epoch from clock_timestamp()) * 1000000)::bigint, 'currency',
            currency, 'default_country', default_country, 'time_zone', time_zone,
            'languages', languages, 'name', name, 'address', address, 'phone', phone, 'imprint', imprint, 'privacy',
            privacy, 'tax_number', tax_number, 'terms', \(shopTermsExpression),
            'categories', coalesce((select jsonb_agg(to_jsonb(categories)) from categories), '[]'),
            'items', coalesce((
                select jsonb_agg(to_jsonb(menu_items) || jsonb_build_object(
                    'sales_group_id', sales_group_items.sales_group_id, \(soldOut),
                    'photograph_widths', (select widths from photographs where digest = menu_items.photograph),
                    'groups', coalesce((select jsonb_agg(group_id order by position, group_id)
                        from menu_item_option_groups
                                        where menu_item_option_groups.menu_item_id = menu_items.id), '[]')))
                from menu_items left join sales_group_items on sales_group_items.menu_item_id = menu_items.id), '[]'),
            'groups', coalesce((select jsonb_agg(to_jsonb(option_groups))
                from option_groups where not is_retired), '[]'),
            'options', coalesce((
                select jsonb_agg(to_jsonb(options) || jsonb_build_object(
                    \(soldOut),
                    'groups', coalesce((select jsonb_agg(group_id order by position, group_id) from option_option_groups
                                        where option_id = options.id), '[]')))
                from options where not is_retired), '[]'),
            'sales', coalesce((
                select jsonb_agg(to_jsonb(sales_groups) || jsonb_build_object('items', coalesce((
                    select jsonb_agg(jsonb_build_object('menu_item_id', menu_item_id, 'quantity', quantity)
                        order by position, menu_item_id)
                    from sales_group_items where sales_group_id = sales_groups.id), '[]')))
                from sales_groups), '[]'),
            'coupons', coalesce((
                select jsonb_agg(jsonb_build_object(
                    'id', id, 'key', key, 'title', title, 'description', description, 'minimum_subtotal',
                    minimum_subtotal,
                    'starts_at', (extract(epoch from starts_at) * 1000000)::bigint,
                    'ends_at', (extract(epoch from ends_at) * 1000000)::bigint) order by position, id)
                from (select key, title, description, minimum_subtotal, position, id,
                             -- Null, infinite or limited to what RFC 3339 can represent.
                             case when starts_at > '-infinity' then least(greatest(starts_at, '0001-01-01Z'),
                                 '9999-12-31Z') end as starts_at,
                             case when ends_at < 'infinity' then least(greatest(ends_at, '0001-01-01Z'),
                                 '9999-12-31Z') end as ends_at
                      from coupons where is_listed) as listed), '[]'),
            'translations', coalesce((select jsonb_agg(to_jsonb(translations)) from translations), '[]'))
        from shop cross join menu_revision
        """)

    // All columns of shop except the long texts. Contains the clock changes of ten years: no server uses one menu
    // snapshot that long.
    private static let shopTermsExpression = """
        (to_jsonb(shop) - 'imprint' - 'privacy') || jsonb_build_object(
                'pause_until', \(moment("pause_until")), 'busy_until', \(moment("busy_until")),
                'zone', (select jsonb_agg(jsonb_build_object(
                                    'at', (extract(epoch from at) * 1000000)::bigint, 'seconds', seconds) order by at)
                         from zone_changes(time_zone, date_trunc('hour', now()) - interval '40 days',
                             now() + interval '10 years')),
                'opening_hours',
                coalesce((select jsonb_agg(to_jsonb(opening_hours) order by id) from opening_hours), '[]'),
                'opening_exceptions',
                coalesce((select jsonb_agg(to_jsonb(opening_exceptions) order by id) from opening_exceptions), '[]'),
                'serving_hours',
                coalesce((select jsonb_agg(to_jsonb(serving_hours) order by id) from serving_hours), '[]'),
                'fulfilments', (select jsonb_agg(to_jsonb(fulfilments) || jsonb_build_object(
                                    'service_charge', (service_charge_percent * 10000)::bigint)) from fulfilments),
                'areas', coalesce((
                    select jsonb_agg(to_jsonb(delivery_areas) || jsonb_build_object('fees', coalesce((
                        select jsonb_agg(to_jsonb(delivery_fees)) from delivery_fees
                            where area_id = delivery_areas.id), '[]')))
                    from delivery_areas), '[]'),
                'tax_rates', coalesce((
                    select jsonb_agg(to_jsonb(tax_rates) || jsonb_build_object('percent', (percent * 10000)::bigint))
                        from tax_rates), '[]'),
                'category_taxes', coalesce((select jsonb_agg(to_jsonb(category_taxes)) from category_taxes), '[]'))
        """

    /// The column's time in microseconds since 1970, limited to the years that RFC 3339 can represent. Null stays null:
    /// `least` and `greatest` ignore a null and would return the year 1.
    private static func moment(_ column: String) -> String {
        """
        case when \(column) is not null then
                    (extract(epoch from least(greatest(\(column), '0001-01-01Z'), '9999-12-31Z')) * 1000000)::bigint end
        """
    }

    /// Times after the year 9999, and infinity, mean until further notice; times before the year 1 are past.
    private static let soldOut = """
        'is_available', is_available and coalesce(sold_out_until < '10000-01-01Z', true),
                    'sold_out_until', case when sold_out_until < '10000-01-01Z' then
                        (extract(epoch from greatest(sold_out_until, '0001-01-01Z')) * 1000000)::bigint end
        """
}
