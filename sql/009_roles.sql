-- Three roles and their privileges.
--
--     the role that runs the migrations   owns everything; welms_owner in the embedded cluster
--     welms_staff                         menu, sales, coupons and the steps of orders; reads all but the secrets
--     welms_server                        reads what the API needs, writes through the functions below
--
-- Every later file grants privileges on its own tables and functions. RoleTests compares all privileges with a list.

-- Roles belong to the cluster. A migration of another database may have created them, or may create them concurrently.
do $$
declare
    missing text[] := array(select name from unnest(array['welms_server', 'welms_staff']) as name
                            where not exists (select from pg_roles where rolname = name) order by name);
    role    text;
    timeout constant text := 'alter role welms_staff set idle_in_transaction_session_timeout = ''10min'';';
begin
    foreach role in array missing loop
        begin
            -- No password: if the cluster requires one, nobody can log in before  alter role ... password '...';
            execute format('create role %I login', role);
        exception
            when duplicate_object or unique_violation then null; -- created concurrently
            when insufficient_privilege then
                raise exception 'the role % is missing, and % may not create roles', role, current_user
                    using errcode = 'insufficient_privilege',
                          hint = 'A superuser has to do it once for the cluster: '
                                 || (select string_agg(format('create role %I login;', name), ' ')
                                     from unnest(missing) as name)
                                 || case when 'welms_staff' = any (missing) then ' ' || timeout else '' end;
        end;
    end loop;
    -- A transaction that staff leave open keeps its locks until PostgreSQL ends it. This sets a default for the
    -- cluster, unless one exists. Operators can override it with  alter role welms_staff in database ... set ...
    if not exists (select from pg_db_role_setting cross join unnest(setconfig) as setting
                   where setrole = 'welms_staff'::regrole and setdatabase = 0
                     and starts_with(setting, 'idle_in_transaction_session_timeout=')) then
        begin
            execute timeout;
        exception
            when unique_violation or internal_error then null; -- another migration sets it concurrently
            when insufficient_privilege then
                begin
                    -- A role may change its own settings, and a member may act as the role.
                    set local role welms_staff;
                    execute timeout;
                    reset role;
                exception
                    when unique_violation or internal_error then null;
                    when insufficient_privilege then
                        raise warning 'transactions that staff leave open never end. A superuser has to run once: %',
                            timeout;
                end;
        end;
    end if;
    -- PUBLIC may create no tables. By default it may create temporary ones, and permanent ones in a database that was
    -- upgraded from PostgreSQL 14. Staff need temporary tables: seed files load their rows into them first.
    execute format('revoke temporary on database %I from public', current_database());
    execute format('grant temporary on database %I to welms_staff', current_database());
    execute format('grant connect on database %I to welms_server, welms_staff', current_database());
end $$;
revoke create on schema public from public;
grant usage on schema public to welms_server, welms_staff;

-- 1. Functions that run as the owner. They have a fixed search_path, so that no caller can shadow our tables.

alter function write_baskets security definer set search_path = public, pg_temp;
alter function place_orders security definer set search_path = public, pg_temp;
alter function advance_order(text, text, text, numeric, boolean) security definer set search_path = public, pg_temp;
alter function take_back_step(text, text) security definer set search_path = public, pg_temp;
alter function delay_order(text, numeric, text) security definer set search_path = public, pg_temp;
alter function request_step(text, text, text, boolean) security definer set search_path = public, pg_temp;
alter function cancel_order(uuid) security definer set search_path = public, pg_temp;

-- A function may be executed by its owner and by the roles that it is granted to (000_rules.sql). Trigger functions are
-- granted to no role: triggers fire without EXECUTE, and a role with EXECUTE could attach the function to its own
-- table. A CHECK needs EXECUTE, because PostgreSQL evaluates it with the privileges of the writing role. Each role is
-- granted the functions in the rules of the tables that it writes.
grant execute on function
    check_with_hint(boolean, text, text, bigint), is_plain_text(text, integer), is_country_code(text),
        is_currency_code(text),
    is_picture_url(text), are_tags(text[]), is_language_tag(text), are_language_tags(text[])
to welms_server, welms_staff;

-- 2. The server. It cannot raise the limit of a coupon, change a price, or change an order except by a step.

grant execute on function
    write_baskets, place_orders, advance_order(text, text, text, numeric, boolean), take_back_step(text, text),
    delay_order(text, numeric, text), cancel_order(uuid), number_orders(uuid[]), write_day_numbers(), take_back_time(),
    request_step(text, text, text, boolean), execute_pending_step(uuid)
to welms_server;
grant select on shop, menu_revision, categories, menu_items, sales_groups, sales_group_items, coupons,
    coupon_redemptions, coupon_uses, baskets, orders, order_steps,
    pending_order_steps, day_numbers, schema_migrations to welms_server;
-- The server draws order numbers in advance (OrderNumberRange.swift).
grant usage on sequence order_sequence to welms_server;
grant select (access_token, order_number) on shop_secrets to welms_server;
grant update (is_available, sold_out_until) on menu_items to welms_server; -- POST /v1/staff/menu/{id}/availability

-- 3. Staff. They may delete what the triggers permit. They cannot write the number of redemptions.

grant select on shop, menu_revision, categories, menu_items, sales_groups, sales_group_items, coupons,
    coupon_redemptions, coupon_uses, baskets, orders, order_lines, order_totals,
    order_steps, pending_order_steps, schema_migrations to welms_staff;
grant update on shop to welms_staff;
grant insert, update, delete on categories, menu_items, sales_groups, sales_group_items to welms_staff;
grant delete,
    insert (id, key, title, description, benefit, percent, amount, free_category_id, condition, starts_at, ends_at,
        minimum_subtotal, redemption_limit,
            guest_limit, guest_period, is_listed, position),
    update (id, key, title, description, benefit, percent, amount, free_category_id, condition, starts_at, ends_at,
        minimum_subtotal, redemption_limit,
            guest_limit, guest_period, is_listed, position)
on coupons to welms_staff;
grant execute on function
    advance_order(text, text, text, numeric, boolean), advance_order(bigint, text, text), take_back_step(text, text),
    delay_order(text, numeric, text), options_as_json(order_option[], bigint, bigint) -- of the view order_lines
to welms_staff;
