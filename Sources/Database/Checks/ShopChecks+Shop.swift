// Health checks of the shop's rows and of the server's privileges.
import Postgres

extension ShopChecks {
    /// Checks in a new session whether a guest could order: an open session may use libraries that a new session can no
    /// longer load.
    func ordering(_ connection: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            var configuration = DatabaseConfiguration(url: url)
            configuration.isDistributed = try await ShopDatabase.isDistributed(over: connection)
            let problem: String? =
                switch await OrderingProbe(configuration, logger: logger).run(writes: true) {
                case .succeeded: nil
                case .failed(let reason), .sessionLost(let reason), .unknown(let reason), .unresponsive(let reason):
                    "nobody can order: \(reason)"
                }
            return Finding(name: "ordering", problem: problem)
        } catch {
            return Finding(name: "ordering", problem: "\(error)")
        }
    }

    static let shopChecks = [
        Check(
            "grants", remedy: "sql/009_roles.sql grants it to welms_server: give --database-url that role, or grant it",
            """
            select format('%s may not read %s', current_user, name)
            from unnest(array['shop', 'menu_revision', 'categories', 'menu_items', 'sales_groups', 'sales_group_items',
                              'coupons', 'coupon_redemptions', 'coupon_uses', 'baskets', 'orders', 'order_steps',
                              'pending_order_steps',
                              'staff_members']) as name
            where not has_table_privilege(name, 'select')
            union all select format('%s may not call %s', current_user, proname) from pg_proc
            where pronamespace = 'public'::regnamespace
              and (proname in ('write_baskets', 'place_orders', 'advance_order', 'cancel_order', 'act_as',
                               'request_step', 'execute_pending_step')
                   or proname ^@ 'prune_')
            group by proname having not bool_or(has_function_privilege(oid, 'execute'))
            union all select format('there is no role %s', name)
                from unnest(array['welms_server', 'welms_staff']) as name
            where not exists (select from pg_roles where rolname = name)
            """),
        Check(
            "open transactions",
            remedy: "as a superuser: alter role welms_staff set idle_in_transaction_session_timeout = '10min'",
            """
            select 'PostgreSQL does not end a transaction that staff leave open'
            where current_setting('idle_in_transaction_session_timeout') = '0' and not exists (
                select from pg_db_role_setting cross join unnest(setconfig) as setting
                where setrole = to_regrole('welms_staff')
                  and setdatabase in (0, (select oid from pg_database where datname = current_database()))
                  and starts_with(setting, 'idle_in_transaction_session_timeout='))
            """),
        // Any role can create large objects and default privileges. pg_dump cannot read large objects of another role,
        // and pg_restore cannot restore default privileges of a role without membership in it.
        Check(
            "objects of roles",
            remedy: "backups can fail on them: as that role, call lo_unlink(oid), or set the default privileges back",
            """
            select format('%s owns %s large objects', lomowner::regrole, count(*)) from pg_largeobject_metadata
            where lomowner in (to_regrole('welms_staff'), to_regrole('welms_server'))
              and lomowner <> (select relowner from pg_class where oid = 'shop'::regclass)
            group by lomowner
            union all select format('%s has default privileges of its own', defaclrole::regrole) from pg_default_acl
            where defaclrole in (to_regrole('welms_staff'), to_regrole('welms_server'))
              and defaclrole <> (select relowner from pg_class where oid = 'shop'::regclass)
            """),
        Check(
            "time zone",
            remedy: "update shop set time_zone = 'America/New_York', or another that pg_timezone_names lists",
            """
            select format('the shop''s is %s, which the database doesn''t know', time_zone)
            from shop where not exists (select from pg_timezone_names where name = time_zone)
            """),
        Check(
            "menu", remedy: "load one: `welms seed` loads the shipped menu",
            "select 'there is no item on it' where not exists (select from menu_items where not is_retired)"),
        Check(
            "sales", remedy: "bring the item back or take it out of the set",
            """
            select format('the set %s holds item %s, which can''t be ordered', sales_groups.title, menu_items.id)
            from sales_groups join sales_group_items on sales_group_id = sales_groups.id join menu_items
                on menu_items.id = menu_item_id
            where not sales_groups.is_retired and (menu_items.is_retired or not is_available)
            """),
        Check(
            "coupons", remedy: "change ends_at, or take the coupon off the list",
            "select format('%s is listed and has expired', key) from coupons where is_listed and ends_at <= now()"),
        Check(
            "coupon windows", remedy: "move starts_at or ends_at so that such a day lies between them",
            """
            select format('%s is for the last day of a month, and none lies between starts_at and ends_at', key)
            from coupons, shop
            where condition = 'last_day_of_month' and ends_at > now()
              and (date_trunc('month', greatest(starts_at, now()) at time zone time_zone)
                   + interval '1 month - 1 day') at time zone time_zone
                  >= ends_at
            """),
        Check(
            "coupon openings", remedy: "move starts_at, or end the coupon with ends_at",
            """
            select case when isfinite(starts_at) then format('%s opens in the year %s', key,
                extract(year from starts_at))
                        else format('%s never opens', key) end
            from coupons where starts_at > now() + interval '10 years'
            """),
        Check(
            "birthday coupons",
            remedy: "leave starts_at or ends_at null, or a year between them, "
                + "and set guest_limit = 1, guest_period = 'calendar_year'",
            """
            select format('%s is valid for less than a year, so guests born on other days never get it', key)
                from coupons, shop
            where condition = 'birthday' and ends_at > now()
              and ends_at at time zone time_zone < starts_at at time zone time_zone + interval '1 year'
            union all select format('%s has no guest_limit, so a guest can use it every day', key) from coupons
            where condition = 'birthday' and guest_limit is null and coalesce(ends_at > now(), true)
            """),
        Check(
            "coupon limits", remedy: "raise the limit, or end the coupon with ends_at = now()",
            """
            select format('%s can be redeemed %s times in all and %s times by one guest', key, redemption_limit,
                guest_limit)
            from coupons where guest_limit > redemption_limit and redemption_limit > 0
                and coalesce(ends_at > now(), true)
            union all select format('%s can be redeemed by nobody: its redemption_limit is 0', key)
            from coupons where redemption_limit = 0 and coalesce(ends_at > now(), true)
            union all select format('%s gives an item of a category in which nothing can be ordered', key)
            from coupons where benefit = 'free_item' and coalesce(ends_at > now(), true) and not exists (
                select from menu_items where category_id = free_category_id and is_available and not is_retired)
            """),
    ]
}
