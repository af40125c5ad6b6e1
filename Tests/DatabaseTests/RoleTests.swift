// The privileges of each role, read from the catalog and tried as each role. Tests sql/009_roles.sql.
// A new table or function fails the first test until its privileges are listed here.
import Database
import EmbeddedPostgres
import Logging
import Support
import Testing

@Suite("Database roles")
struct RoleTests {
    @Test("Every table, column and function has the listed privileges, and no role has others in the cluster")
    func privileges() async throws {
        // This database is not a clone, because a clone does not have the database privileges of its template.
        try await TestDatabase.with { database async throws in
            try await Migrator(url: database.url, migrations: Migration.shipped(), logger: .silent).migrate()
            let tables = try await database.psql(Self.tables)
            #expect(
                tables == """
                    audit|select|select
                    audit_id_seq||
                    basket_pruning||select
                    baskets|select|select
                    categories|select|select insert update delete
                    category_taxes|select|select insert update delete
                    category_taxes_id_seq||
                    coupon_redemptions|select|select
                    coupon_uses|select|select
                    coupons|select|select delete insert(-version) update(-version)
                    day_numbers|select|
                    day_numbers_1||
                    day_numbers_2||
                    day_numbers_3||
                    day_numbers_4||
                    day_numbers_5||
                    day_numbers_6||
                    day_numbers_7||
                    delivery_areas|select|select insert update delete
                    delivery_fees|select|select insert update delete
                    fulfilments|select|select update
                    item_stock|select delete insert(-sold) update(remaining,per_day)\
                    |select delete insert(-sold) update(remaining,per_day)
                    mailing|select insert|select
                    menu_item_option_groups|select|select insert update delete
                    menu_items|select update(is_available,sold_out_until)|select insert update delete
                    menu_revision|select|select
                    opening_exceptions|select|select insert update delete
                    opening_exceptions_id_seq||
                    opening_hours|select|select insert update delete
                    opening_hours_id_seq||
                    option_groups|select|select insert update delete
                    option_option_groups|select|select insert update delete
                    option_stock|select delete insert(-sold) update(remaining,per_day)\
                    |select delete insert(-sold) update(remaining,per_day)
                    options|select update(is_available,sold_out_until)|select insert update delete
                    order_lines||select
                    order_mails|select insert update|select
                    order_sequence|usage|
                    order_steps|select|select
                    order_totals||select
                    orders|select|select
                    pending_order_steps|select|select
                    personal_data_pruning||select
                    photograph_files|select|select
                    photographs|select|select
                    postponed_orders||select
                    recent_mails|select delete|
                    sales_group_items|select|select insert update delete
                    sales_groups|select|select insert update delete
                    schema_migrations|select|select
                    serving_hours|select|select insert update delete
                    serving_hours_id_seq||
                    shop|select update(pause_until,pause_reason,busy_minutes,busy_until,accept_within_minutes,\
                    accepts_automatically)|select update
                    shop_secrets|select(-only_row)|
                    shop_texts|select|select
                    slot_uses|select|select
                    staff_members|select|select(-token_digest)
                    stock_days|select|select
                    stock_movements|select|select
                    tax_rates|select|select insert update delete
                    totals|select|select
                    translations|select|select insert update delete
                    unfinished_baskets||select
                    """)
            // The second column is the role whose privileges the function has while it runs.
            let functions = try await database.psql(Self.functions)
            #expect(
                functions == """
                    act_as(text,text)|caller|execute|
                    advance_order(bigint,text,text)|caller||execute
                    advance_order(text,text,text,numeric,boolean)|owner|execute|execute
                    are_allergens(text[])|caller|execute|execute
                    are_diets(text[])|caller|execute|execute
                    are_language_tags(text[])|caller|execute|execute
                    are_postcodes(text[])|caller||execute
                    are_tags(text[])|caller|execute|execute
                    audit_is_retained(timestamp with time zone)|caller||
                    audit_row(text,text[],text[],jsonb,jsonb)|caller||
                    basket_id_at(timestamp with time zone)|caller||
                    basket_is_valid(text,bigint,basket_line[],order_option[])|caller||
                    begin_order_mail(uuid,text,timestamp with time zone,bigint)|owner|execute|
                    business_day(timestamp with time zone)|caller|execute|
                    cancel_order(uuid)|owner|execute|
                    check_step(orders,text,text,numeric,boolean)|caller||
                    check_with_hint(boolean,text,text,bigint)|caller|execute|execute
                    checkout_number_source(timestamp with time zone)|caller||
                    day_number_source(timestamp with time zone)|caller||
                    delay_order(text,numeric,text)|owner|execute|execute
                    draw_order_number(bytea)|caller||
                    empty_baskets(uuid[])|caller||
                    execute_pending_step(uuid)|owner|execute|
                    fail_order_mail(uuid,text,text,text)|caller|execute|
                    finish_baskets(uuid[],timestamp with time zone)|caller||
                    first_shown(timestamp without time zone,text)|caller|execute|
                    give_slot_back(text,timestamp with time zone,integer)|caller||
                    give_stock_back(uuid)|caller||
                    hashed_guest_history|caller|execute|
                    hashed_guest_key(text,bytea)|caller|execute|
                    held_snapshots()|owner|execute|
                    hmac_pads(bytea)|caller||
                    is_country_code(text)|caller|execute|execute
                    is_currency_code(text)|caller|execute|execute
                    is_due(timestamp with time zone)|caller||
                    is_language_tag(text)|caller|execute|execute
                    is_picture_url(text)|caller|execute|execute
                    is_plain_text(text,integer)|caller|execute|execute
                    is_shift(text,text)|caller||execute
                    is_translated(text)|caller||execute
                    limit_lock_wait()|caller||
                    lines_are_distinct(basket_line[],order_option[])|caller||
                    lock_order(text)|caller||
                    lock_stock(bigint[],bigint[])|caller||
                    locked_rows(contested_row[])|owner|execute|
                    mail_recipient(text)|caller||
                    may_act_for_others()|caller||
                    minutes_of_day(text)|caller||execute
                    move_order|caller||
                    notify_order_changed(uuid)|caller||
                    number_orders(uuid[])|owner|execute|
                    options_are_complete(order_option[],integer)|caller||
                    options_as_json(order_option[],bigint,bigint)|caller||execute
                    order_is_valid|caller||
                    order_may_move(text,text)|caller||
                    order_number(bigint,bytea)|caller||
                    order_number_origin()|caller||
                    order_promise(orders)|caller||
                    order_step_count(uuid)|caller|execute|
                    place_orders(uuid,timestamp with time zone,bigint,text,new_order[])|owner|execute|
                    prolong_lock_wait()|caller|execute|
                    prune_audit(integer)|owner|execute|
                    prune_basket_batch(uuid,timestamp with time zone,integer)|owner|execute|
                    prune_baskets(uuid,timestamp with time zone,integer)|owner|execute|
                    prune_coupon_uses(integer)|owner|execute|
                    prune_order_mails(integer)|owner|execute|
                    prune_personal_data(integer)|owner|execute|
                    prune_recent_mails(integer)|owner|execute|
                    prune_slot_uses(integer)|owner|execute|
                    prune_stock_days(integer)|owner|execute|
                    record_waste(uuid)|caller||
                    redeem_coupon(bigint,bigint,integer)|caller||
                    replace_personal_data(uuid,timestamp with time zone,bytea)|caller||
                    replace_personal_data_batch(uuid[],timestamp with time zone,bytea)|caller||
                    request_step(text,text,text,boolean)|owner|execute|
                    retained_since(text)|caller||execute
                    selection_of(order_option[],bigint)|caller||
                    set_count(text,bigint,numeric,numeric)|caller|execute|
                    set_hours(date,opening_shift[])|owner|execute|
                    set_photograph(bigint,text,photograph_file[])|owner|execute|
                    settle_waiting_order(uuid,bigint,timestamp with time zone,text)|owner|execute|
                    shifts_overlap(text,text,text,text,integer)|caller||execute
                    slots_taken(timestamp with time zone)|caller|execute|
                    slots_taken(timestamp with time zone[])|caller|execute|
                    stock_left(bigint[],bigint[],timestamp with time zone[])|caller|execute|
                    take_back_step(text,text)|owner|execute|execute
                    take_back_time()|caller|execute|
                    take_slots(new_order[],uuid[])|caller||
                    take_stock(new_order[],uuid[],timestamp with time zone)|caller||
                    total_kinds()|caller||
                    try_writing()|owner|execute|
                    withdraw_pending_step(orders)|caller||
                    write_audit(text,text,jsonb,jsonb,text)|caller||
                    write_baskets(uuid,bigint,text,basket_write[])|owner|execute|
                    write_day_numbers()|owner|execute|
                    zone_changes(text,timestamp with time zone,timestamp with time zone)|caller|execute|
                    """)
            let furtherPrivileges = try await database.psql(Self.furtherPrivileges)
            #expect(furtherPrivileges == "", "further privileges of a role")
        }
    }

    @Test("A function that runs as the owner has a fixed search_path, so temporary tables cannot shadow the shop's")
    func searchPath() async throws {
        try await ShopFixture.with { fixture async throws in
            let withoutSearchPath = try await fixture.database.psql(
                """
                select proname from pg_proc
                where prosecdef and 'search_path=public, pg_temp' = any (proconfig) is not true
                """)
            #expect(withoutSearchPath == "")
            let order = try #require(await fixture.placeOrder(by: Guest(1)).order)
            // The owner may let staff create temporary tables, as every database does before its migration.
            try await fixture.database.psql("grant temporary on database \"\(fixture.database.name)\" to welms_staff")
            let output = try await fixture.database.psqlAsStaff(
                """
                create temporary table orders as select * from public.orders;
                create temporary table order_steps as select * from public.order_steps;
                set search_path = pg_temp, public;
                select public.advance_order('\(order.number)', 'accepted');
                """)
            #expect(output == "order \(order.number): placed -> accepted")
            #expect(
                try await fixture.database.psql(
                    "select orders.state, step from orders join order_steps on order_id = id") == "accepted|1")
        }
    }

    @Test("The server's role cannot change the schema, a price or an order directly: each attempt fails with 42501")
    func server() async throws {
        try await expectRefusals(of: Self.serverRefusals) { $0.serverURL }
    }

    @Test("The role of staff cannot change money, baskets, counts or secrets: each attempt fails with 42501")
    func staff() async throws {
        try await expectRefusals(of: Self.staffRefusals) { $0.staffURL }
    }

    @Test("Staff can load and change the whole menu with psql, and each change increments the menu revision")
    func staffMenuChanges() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            for file in try SeedFile.shipped() { try await file.load(into: database.staffURL, logger: .silent) }
            let revision = try await database.psql("select revision from menu_revision")
            try await database.psqlAsStaff(
                """
                update shop set name = 'Welm''s';
                insert into categories (id, title) values (600, 'Pies');
                insert into menu_items (id, category_id, kind, title, description, price)
                values (6001, 600, 'regular', 'Pie', 'Apple.', 450);
                update menu_items set price = 460, is_available = false where id = 6001;
                update menu_items set is_retired = true where id = 6001;
                insert into sales_groups (id, kind, title) values (700, 'information', 'Pies are here');
                update sales_groups set headline = 'Try one' where id = 700;
                delete from sales_group_items where menu_item_id = 2002;
                insert into sales_group_items (sales_group_id, menu_item_id) values (200, 2002);
                insert into coupons (id, key, title, description, benefit, amount, redemption_limit)
                values (9, 'PIE', 'Pie', 'A pie.', 'amount', 100, 5);
                update coupons set redemption_limit = 50 where id = 9;
                delete from coupons where id = 9;
                delete from categories where id not in (select category_id from menu_items);
                insert into option_groups (id, title) values (90, 'With it');
                insert into options (id, group_id, title) values (9001, 90, 'Cream');
                insert into menu_item_option_groups (menu_item_id, group_id) values (6001, 90);
                insert into translations (subject, id, language, title) values ('options', 9001, 'de', 'Sahne');
                select count(*) from orders, order_lines, order_steps, baskets;
                """)
            let later = try await database.psql("select revision > \(revision) + 8 from menu_revision")
            #expect(later == "t")
            let refused = await #expect(throws: PsqlFailed.self) {
                try await database.psqlAsStaff("delete from menu_items where id = 2001")
            }
            #expect(
                refused?.output.contains("is_retired = true") == true,
                "a hint instead of a missing privilege: \(refused?.output ?? "")")
        }
    }

    @Test("Concurrent migrations of a cluster create the roles once, and an owner without createrole gets a hint")
    func concurrentMigrations() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let cluster = try await EmbeddedPostgres.start(dataDirectory: directory, logger: .silent)
            func psql(_ sql: String) async throws { try await Psql.run(sql, url: cluster.superuserURL) }
            do {
                try await psql("drop role welms_server, welms_staff")
                let migrations = try Migration.shipped()
                let refusal = await #expect(throws: MigrationError.self) {
                    try await Migrator(url: cluster.url, migrations: migrations, logger: .silent).migrate()
                }
                let text = refusal?.description ?? ""
                #expect(text.contains("welms_owner may not create roles") && !text.contains("\n"), "\(text)")
                #expect(text.contains("create role welms_server login; create role welms_staff login;"), "\(text)")

                try await psql("alter role welms_owner createrole")
                let names = (1...4).map { "shop_\($0)" }
                for name in names { try await psql("create database \(name) owner welms_owner") }
                let urls = names.map { cluster.url.replacing("@/welms?", with: "@/\($0)?") } + [cluster.url]
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for url in urls {
                        group.addTask {
                            try await Migrator(url: url, migrations: migrations, logger: .silent).migrate()
                        }
                    }
                    try await group.waitForAll()
                }
                for url in urls {
                    let may = try await Psql.run(
                        "select has_table_privilege('welms_server', 'orders', 'select')", url: url)
                    #expect(may == "t")
                }
                await cluster.stop()
            } catch {
                await cluster.stop()
                throw error
            }
        }
    }
}

extension RoleTests {
    private func expectRefusals(of statements: [String], as url: (TestDatabase) -> String) async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            // A database that was migrated directly has this privilege revoked.
            try await database.psql("revoke temporary on database \"\(database.name)\" from public")
            let script = statements.map { "\($0);\n\\echo" }.joined(separator: "\n")
            let answers = try await Psql.run(
                "\\set VERBOSITY sqlstate\n\\set ON_ERROR_STOP 0\n\(script)", url: url(database)
            ).split(
                separator: "\n")
            #expect(answers.count == statements.count)
            for (statement, answer) in zip(statements, answers) { #expect(answer == "ERROR:  42501", "\(statement)") }
        }
    }

    private static let ddl = [
        "create table t (i int)", "create temporary table t (i int)", "create schema s",
        "create function f() returns int return 1",
        "alter table orders add column c int", "drop table orders", "create index on orders (total)", "truncate orders",
        "alter table orders disable trigger all", "drop function advance_order(text, text, text, numeric, boolean)",
        "create or replace view order_lines as select 1 as i", "alter function cancel_order(uuid) security invoker",
        "create role r", "set role welms_owner", "set session_replication_role = replica",
        "copy orders to program 'cat'", "copy orders to '/tmp/orders'", "select pg_read_file('/etc/passwd')",
    ]
    private static let orders = [
        "delete from orders", "update orders set total = 1, subtotal = 1, discount = 0, lines = '{}'",
        "update orders set state = 'delivered'",
        "insert into orders select * from orders", "delete from order_steps", "update order_steps set reason = ''",
        "insert into order_steps values (gen_random_uuid(), 1, 'accepted', null, now())", "delete from coupon_uses",
        "delete from baskets",
        "update baskets set state = 'open'", "update baskets set lines = '{}'",
        "update coupon_redemptions set redeemed = 0",
        "update menu_revision set revision = 1", "delete from schema_migrations",
        "select setval('order_sequence', 0)", "select last_value from order_sequence",
        "alter sequence order_sequence restart", "update shop_secrets set access_token = ''",
        "select order_number(1, '')",
        "select move_order(orders, 'delivered', null) from orders",
        "select nextval('day_numbers_1')", "update day_numbers set first = 0",
        "insert into day_numbers (day, first) values ('2099-01-01', 0)", "delete from day_numbers",
        "delete from pending_order_steps", "update pending_order_steps set execute_at = now()",
        "select replace_personal_data(id, now(), '') from orders", "select hmac_pads('')",
        "update shop_secrets set guest_key = ''", "update personal_data_pruning set examined_to = now()",
        "delete from postponed_orders",
    ]
    static let serverRefusals =
        ddl + orders + [
            "update coupons set redemption_limit = 1000000", "update coupons set redemption_limit = null",
            "update coupons set ends_at = null",
            """
            insert into coupons (id, key, title, description, benefit, percent)
            values (99, 'FREE', 'a', 'a', 'percent', 100)
            """,
            "delete from coupons", "update menu_items set price = 1 where id = 2001",
            "update menu_items set is_retired = true",
            "update options set price = 0 where id = 1201", "update option_groups set minimum = 0",
            "update fulfilments set orders_per_slot = null",
            "update slot_uses set order_count = 0", "select take_slots(null, null)",
            "delete from opening_hours",
            "update shop set prices_include_tax = false", "delete from delivery_fees",
            "update tax_rates set percent = 0",
            "delete from menu_item_option_groups",
            "insert into option_option_groups values (1101, 12)", "delete from translations",
            "insert into categories (id, title) values (900, 'a')", "delete from sales_group_items",
            "update shop set currency = 'EUR'",
            "delete from opening_exceptions", "update staff_members set role = 'manager'",
            "select write_audit('shop', null, null, '{}', null)",
            "select * from shop_secrets", "delete from audit", "insert into audit (who, what) values ('a', 'a')",
        ]
    static let staffRefusals =
        ddl + orders + [
            "select access_token from shop_secrets", "select order_number from shop_secrets",
            "select guest_key from shop_secrets", "select hashed_guest_key('tel:1', '')",
            "select prune_personal_data(1)",
            "select nextval('order_sequence')", "select cancel_order(id) from orders", "select cancel_order(null)",
            """
            insert into coupons (id, key, title, description, benefit, percent, version)
            values (99, 'A', 'a', 'a', 'percent', 1, 1)
            """,
            "select place_orders(\(nulls(5)))", "select write_baskets(\(nulls(4)))",
            "update slot_uses set order_count = 0",
            "select give_slot_back('delivery', now(), 1)", "insert into shop (name) values ('a')",
            "select token_digest from staff_members", "update staff_members set role = 'manager'",
            "delete from staff_members",
            "insert into staff_members values ('a', 'manager', '')", "select act_as('Ann', 'manager')",
            "select prune_audit(1)", "select prune_coupon_uses(1)", "select prune_basket_batch(null, null, 1)",
            "delete from unfinished_baskets", "update basket_pruning set examined_to = examined_to",
            "insert into audit (who, what, after) values ('a', 'a', '{}')", "update audit set who = 'a'",
            "delete from audit",
            "truncate audit",
            "alter table audit disable trigger all", "select write_audit('shop', null, null, '{}', null)",
            "select set_hours(null, null)", "select number_orders('{}')", "select write_day_numbers()",
            "select request_step('04219377', 'delivered')", "select execute_pending_step(null)",
        ]

    private static func nulls(_ count: Int) -> String { Array(repeating: "null", count: count).joined(separator: ", ") }

    /// name|server|staff: the privileges on the whole table, then on columns; `-` marks excluded columns.
    private static let tables = """
        select relname, server, staff
        from pg_class, lateral (
            select max(privileges) filter (where role = 'welms_server') as server,
                   max(privileges) filter (where role = 'welms_staff') as staff
            from unnest(array['welms_server', 'welms_staff']) as role, lateral (
                select concat_ws(' ',
                    (select string_agg(lower(privilege), ' ' order by n)
                     from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER',
                                       'USAGE']) with ordinality as p (privilege, n)
                     where case when relkind <> 'S' then
                                    case when privilege <> 'USAGE' then
                                        has_table_privilege(role, pg_class.oid, privilege) end
                                when privilege in ('SELECT', 'UPDATE', 'USAGE') then
                                    has_sequence_privilege(role, pg_class.oid, privilege) end),
                    (select string_agg(format('%s(%s)', lower(privilege),
                                             case when allowed > denied then '-' || others else columns end),
                                                               ' ' order by n)
                     from unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES'])
                         with ordinality as p (privilege, n), lateral (
                         select string_agg(attname, ',' order by attnum) filter (where may) as columns,
                                count(*) filter (where may) as allowed,
                                string_agg(attname, ',' order by attnum) filter (where not may) as others,
                                count(*) filter (where not may) as denied
                         from (select attname, attnum,
                                      has_column_privilege(role, pg_class.oid, attnum, privilege) as may
                               from pg_attribute
                               where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as attribute) as which
                     where relkind <> 'S' and allowed > 0
                       and not has_table_privilege(role, pg_class.oid, privilege))) as privileges
            ) as granted) as both_roles
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        order by 1
        """

    /// name(arguments)|the role that the function runs as|server|staff. StaffPrivilegeTests covers trigger functions.
    private static let functions = """
        select case when pronargs > 5 then proname::text else format('%s(%s)', proname, arguments) end,
               case when prosecdef then 'owner' else 'caller' end,
               case when has_function_privilege('welms_server', pg_proc.oid, 'EXECUTE') then 'execute' end,
               case when has_function_privilege('welms_staff', pg_proc.oid, 'EXECUTE') then 'execute' end
        from pg_proc, lateral (
            select string_agg(type::regtype::text, ',' order by n)
            from unnest(proargtypes::oid[]) with ordinality as a (type, n)
        ) as a (arguments)
        where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
        order by 1
        """

    /// Privileges beyond tables and functions. Only staff have one, for temporary tables, which seed files use.
    private static let furtherPrivileges = """
        select rolname, 'is more than a login' from pg_roles
        where rolname in ('welms_server', 'welms_staff')
          and (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls or not rolcanlogin)
        union all
        select member::regrole::text, 'is a member of ' || roleid::regrole from pg_auth_members
        where member in ('welms_server'::regrole, 'welms_staff'::regrole)
        union all
        select role, 'may make objects' from unnest(array['welms_server', 'welms_staff']) as role
        where has_schema_privilege(role, 'public', 'CREATE')
          or has_database_privilege(role, current_database(), 'CREATE')
          or role = 'welms_server' and has_database_privilege(role, current_database(), 'TEMPORARY')
        """
}
