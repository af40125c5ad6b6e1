// Attacks in SQL with the credentials of staff, beyond the grants that RoleTests lists: the owner's functions on the
// attacker's tables, tables and types that shadow the shop's, and settings of the attacker's session.
import Support
import Testing

@Suite("Privileges of staff")
struct StaffPrivilegeTests {
    @Test("PUBLIC may execute no function, now or later, and no role may execute a trigger function")
    func functions() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            for file in ["002_checkout_facts", "004_prune_baskets", "006_retention"] {
                try await Psql.run(file: "\(Repository.path)/sql/distributed/\(file).sql", url: database.url)
            }
            #expect(try await database.psql(Self.executable) == "")
            try await database.psql("create function of_a_later_migration() returns int return 1")
            #expect(try await database.psql(Self.executable) == "")
            // The query finds a function that PUBLIC may execute, and a trigger function that staff may execute.
            try await database.psql(
                """
                grant execute on function of_a_later_migration() to public;
                grant execute on function record_stock() to welms_staff;
                """)
            #expect(
                try await database.psql(Self.executable)
                    == "of_a_later_migration()|public\nrecord_stock()|welms_staff")
        }
    }

    /// The functions that PUBLIC may execute, and the trigger functions that a role may execute.
    private static let executable = """
        select pg_proc.oid::regprocedure::text, role
        from pg_proc cross join unnest(array['public', 'welms_server', 'welms_staff']) as role
        where pronamespace = 'public'::regnamespace and has_function_privilege(role, pg_proc.oid, 'execute')
          and (prorettype = 'trigger'::regtype or role = 'public')
          and not (role <> 'public' and has_function_privilege('public', pg_proc.oid, 'execute'))
        order by 1, 2
        """

    @Test("A role may execute every function that its writes, its views and its own calls need")
    func neededFunctions() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            #expect(try await database.psql(Self.missing) == "")
            // The query finds the function of a constraint, a function that it calls, and one that a trigger calls.
            try await database.psql(
                """
                revoke execute on function
                    is_picture_url(text), is_language_tag(text), shifts_overlap(text, text, text, text, integer)
                from welms_server, welms_staff
                """)
            let missing = try await database.psql(Self.missing).split(separator: "\n").map(String.init)
            #expect(
                missing == [
                    "welms_server|is_language_tag(text)", "welms_server|is_picture_url(text)",
                    "welms_staff|is_language_tag(text)", "welms_staff|is_picture_url(text)",
                    "welms_staff|shifts_overlap(text,text,text,text,integer)",
                ])
        }
    }

    /// Functions that a role needs and may not execute, as role|function.
    /// A body calls a function if its name precedes a parenthesis.
    private static let missing = """
        with recursive roles (role) as (values ('welms_server'), ('welms_staff')),
        functions as (
            select oid, proname, prosrc, prosecdef from pg_proc where pronamespace = 'public'::regnamespace
        ), written as (
            select role, oid as relation from roles cross join pg_class
            where relnamespace = 'public'::regnamespace and relkind = 'r'
              and (has_any_column_privilege(role, oid, 'insert, update') or has_table_privilege(role, oid, 'delete'))
        ), dependencies as (
            select classid, objid, refobjid as oid from pg_depend where refclassid = 'pg_proc'::regclass
        ), evaluated as (
            select role, dependencies.oid from written join pg_constraint on conrelid = relation
                join dependencies on classid = 'pg_constraint'::regclass and objid = pg_constraint.oid
            union
            select role, dependencies.oid from written join pg_trigger on tgrelid = relation
                join dependencies on classid = 'pg_trigger'::regclass and objid = pg_trigger.oid
            where dependencies.oid <> tgfoid
            union
            select role, dependencies.oid from written join pg_attrdef on adrelid = relation
                join dependencies on classid = 'pg_attrdef'::regclass and objid = pg_attrdef.oid
            union
            select role, dependencies.oid from written join pg_index on indrelid = relation
                join dependencies on classid = 'pg_class'::regclass and objid = indexrelid
            union
            select role, dependencies.oid from roles cross join pg_rewrite
                join dependencies on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid
            where has_table_privilege(role, ev_class, 'select')
        ), needed (role, oid, is_trigger) as (
            select role, oid, false from evaluated join functions using (oid)
            union
            select role, oid, false from roles cross join functions where has_function_privilege(role, oid, 'execute')
            union
            select role, tgfoid, true from written join pg_trigger on tgrelid = relation
                join functions on functions.oid = tgfoid
            union
            select role, called.oid, false from needed
                join functions as caller on caller.oid = needed.oid and not caller.prosecdef
                join functions as called
                    on called.oid <> caller.oid and caller.prosrc ~ ('\\m' || called.proname || '\\(')
        )
        select distinct role, oid::regprocedure::text from needed
        where not is_trigger and not has_function_privilege(role, oid, 'execute') order by 1, 2
        """

    @Test("Staff cannot attach a trigger function of the shop to a temporary table to change a redemption count")
    func triggers() async throws {
        try await ShopFixture.with { fixture async throws in
            let database = fixture.database
            try await database.psql("grant temporary on database \"\(database.name)\" to welms_staff")
            try await database.psqlAsStaff("update coupons set redemption_limit = 2 where key = 'FOLLOW'")
            #expect(try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW").isPlaced)
            let functions = try await database.psql(
                """
                select proname from pg_proc
                where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype order by 1
                """)
            let names = functions.split(separator: "\n")
            #expect(names.count > 30)
            let attempts = names.map { name in
                "create trigger x after delete on t for each row execute function \(name)();\n\\echo"
            }
            let answers = try await database.psqlAsStaff(
                """
                create temporary table t (id bigint);
                insert into t values (3);
                \\set VERBOSITY sqlstate
                \\set ON_ERROR_STOP 0
                \(attempts.joined(separator: "\n"))
                delete from t;
                """)
            #expect(answers.split(separator: "\n") == names.map { _ in "ERROR:  42501" })
            let count = "select redeemed, redemption_limit from coupon_redemptions where coupon_id = 3"
            #expect(try await database.psql(count) == "1|2")
        }
    }

    @Test("A temporary table or a search_path of staff hides no table from the constraints")
    func hiddenTables() async throws {
        try await ShopFixture.with { fixture async throws in
            let database = fixture.database
            try await database.psql("grant temporary on database \"\(database.name)\" to welms_staff")
            #expect(try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW").isPlaced)
            try await database.psqlAsStaff(
                """
                insert into tax_rates (id, title, percent) values (1, 'VAT', 7);
                insert into category_taxes (category_id, tax_rate_id) values (200, 1);
                insert into opening_hours (weekday, opens, closes) values (1, '11:00', '15:00');
                """)
            let hide = try await database.psql(
                """
                select format('create temporary table %1$I (like public.%1$I);', relname) from pg_class
                where relnamespace = 'public'::regnamespace and relkind = 'r'
                  and has_table_privilege('welms_staff', oid, 'select')
                """)
            for (sql, constraint) in Self.mistakes {
                for path in ["pg_temp, public", "pg_temp, pg_catalog, public", "pg_temp"] {
                    let refusal = await #expect(throws: PsqlFailed.self, "\(sql)") {
                        try await database.psqlAsStaff(
                            """
                            \\set VERBOSITY verbose
                            \(hide)
                            create temporary table pg_timezone_names as select 'Nowhere/City'::text as name;
                            set search_path = \(path);
                            begin; \(sql); commit;
                            """)
                    }
                    let output = refusal?.output ?? ""
                    #expect(output.contains("CONSTRAINT NAME:  \(constraint)\n"), "\(sql) with \(path): \(output)")
                }
            }
            let withoutSearchPath = try await database.psql(
                """
                select oid::regprocedure from pg_proc
                where pronamespace = 'public'::regnamespace and (prosecdef or prorettype = 'trigger'::regtype)
                  and 'search_path=public, pg_temp' = any (proconfig) is not true
                """)
            #expect(withoutSearchPath == "")
        }
    }

    /// Changes that staff may not make, each with the constraint that reads another table to reject it.
    private static let mistakes = [
        ("delete from public.coupons where key = 'FOLLOW'", "redeemed_coupons_are_not_deleted"),
        (
            "insert into public.opening_hours (weekday, opens, closes) values (1, '14:00', '22:00')",
            "opening_hours_do_not_overlap"
        ),
        ("delete from public.tax_rates", "tax_rate_is_used"),
        ("update public.shop set time_zone = 'Nowhere/City'", "shop_time_zone_is_known"),
        ("update public.options set is_default = true where id = 1101", "option_defaults_are_possible"),
        (
            "insert into public.option_option_groups (option_id, group_id) values (1101, 11)",
            "option_groups_have_no_cycle"
        ),
    ]

    @Test("A type that staff create is never used with the owner's privileges")
    func types() async throws {
        try await ShopFixture.with { fixture async throws in
            let database = fixture.database
            let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            try await database.psql("grant temporary on database \"\(database.name)\" to welms_staff")
            // PL/pgSQL resolves the types of variables once per session, and the owner's functions may run later in it.
            // A function that staff may call therefore declares no variables, unless its search_path is fixed.
            let declaring = try await database.psql(
                """
                select oid::regprocedure from pg_proc
                where pronamespace = 'public'::regnamespace and prosrc ~* '\\mdeclare\\M'
                  and has_function_privilege('welms_staff', oid, 'execute')
                  and 'search_path=public, pg_temp' = any (proconfig) is not true
                """)
            #expect(declaring == "")
            let output = try await database.psqlAsStaff(
                """
                create function pg_temp.as_staff(value pg_catalog.text) returns boolean language plpgsql as $$
                begin
                    if current_user <> 'welms_staff' then raise 'runs as %', current_user; end if;
                    return true;
                end $$;
                \(["text", "jsonb", "uuid", "date", "timestamptz"].map {
                    "create domain pg_temp.\($0) as pg_catalog.\($0) check (pg_temp.as_staff(value::pg_catalog.text));"
                }.joined(separator: "\n"))
                set search_path = pg_temp, pg_catalog, public;
                update public.menu_items set price = price + 1 where id = 2001;
                insert into public.item_stock (menu_item_id, remaining) values (2001, 5);
                update public.coupons set redemption_limit = 5 where key = 'FOLLOW';
                insert into public.opening_hours (weekday, opens, closes) values (1, '00:00', '24:00');
                select public.advance_order('\(order.number)', 'accepted');
                """)
            #expect(output == "order \(order.number): placed -> accepted")
        }
    }

    @Test("No setting of a session prevents a change from being counted or audited")
    func settings() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let change = "update public.menu_items set price = price + 1 where id = 2001"
            let attempts = try await database.psql(
                """
                select format('begin; set local %s = %L; \(change); commit;', name, value)
                from (select name, case setting when 'on' then 'off' else 'on' end
                      from pg_settings where context = 'user' and vartype = 'bool'
                      union
                      select (regexp_matches(prosrc, 'welms\\.\\w+', 'g'))[1], 'yes'
                      from pg_proc where pronamespace = 'public'::regnamespace
                      union
                      values ('welms.menu_is_counted', 'yes'), ('datestyle', 'SQL, DMY'),
                             ('intervalstyle', 'sql_standard'), ('timezone', 'Asia/Kolkata'),
                             ('bytea_output', 'escape'), ('backslash_quote', 'on'), ('client_encoding', 'LATIN1'),
                             ('plan_cache_mode', 'force_generic_plan'), ('transaction_isolation', 'serializable'),
                             ('search_path', 'pg_temp')
                     ) as setting (name, value)
                """)
            #expect(attempts.split(separator: "\n").count > 40 && attempts.contains("welms.suppress_audit"))
            let sums = """
                select (select price from menu_items where id = 2001), (select revision from menu_revision),
                       (select count(*) from audit where what = 'menu_items')
                """
            func read() async throws -> [Int] {
                try await database.psql(sums).split(separator: "|").compactMap { Int($0) }
            }
            let before = try await read()
            // Some settings make the statement fail, such as a read-only transaction. A failed statement has no effect.
            try await database.psqlAsStaff("\\set ON_ERROR_STOP 0\n\(attempts)")
            let after = try await read()
            let changes = zip(after, before).map { $0 - $1 }
            #expect(changes[0] > 40 && changes[1] == changes[0] && changes[2] == changes[0], "\(changes)")
            // A change after a rolled back savepoint is counted, and one transaction is counted once.
            try await database.psqlAsStaff(
                """
                begin;
                savepoint first; \(change); rollback to first;
                \(change); update menu_items set position = position + 1 where id = 2001;
                savepoint second; \(change); release second;
                commit;
                """)
            #expect(try await read() == [after[0] + 2, after[1] + 1, after[2] + 3])
        }
    }

    @Test("The server serves a new price even if staff set an invented setting, welms.menu_is_counted, in the session")
    func servedPrice() async throws {
        try await ShopFixture.with { fixture async throws in
            let before = try await fixture.makeBasket().total.minorUnits
            try await fixture.database.psqlAsStaff(
                "set welms.menu_is_counted = 'yes'; update menu_items set price = price + 100 where id = 2001")
            try await eventually("the server returns the new price", within: .seconds(10)) {
                try await fixture.makeBasket().total.minorUnits == before + 100
            }
        }
    }
}
