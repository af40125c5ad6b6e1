-- Who may do what: three roles, and this page is the whole of it. A role has what is granted here and nothing else.
--
--     whoever applies the migrations   owns everything; welms_owner in the embedded cluster
--     welms_staff                      menu, sales, coupons, and an order's next step; reads all but the secrets
--     welms_server                     the server: reads what it answers from, writes through the functions below
--
-- A table or function that comes later says here, or in its own file, who may use it: a test walks the catalog and knows no default.

-- Roles belong to the cluster, and another database of it may have brought them, or be bringing them right now.
do $$
declare
    missing text[] := array(select name from unnest(array['welms_server', 'welms_staff']) as name
                            where not exists (select from pg_roles where rolname = name) order by name);
    role    text;
    timeout constant text := 'alter role welms_staff set idle_in_transaction_session_timeout = ''10min'';';
begin
    foreach role in array missing loop
        begin
            -- Without a password: where the cluster asks for one, nobody gets in before  alter role ... password '...';
            execute format('create role %I login', role);
        exception
            when duplicate_object or unique_violation then null; -- somebody else was faster
            when insufficient_privilege then
                raise exception 'the role % is missing, and % may not create roles', role, current_user
                    using errcode = 'insufficient_privilege',
                          hint = 'A superuser has to do it once for the cluster: '
                                 || (select string_agg(format('create role %I login;', name), ' ')
                                     from unnest(missing) as name)
                                 || case when 'welms_staff' = any (missing) then ' ' || timeout else '' end;
        end;
    end loop;
    -- A transaction that staff leave open keeps its locks until PostgreSQL ends it. This sets the cluster's default,
    -- unless there is one. An operator overrides it with  alter role welms_staff in database ... set ...  .
    if not exists (select from pg_db_role_setting cross join unnest(setconfig) as setting
                   where setrole = 'welms_staff'::regrole and setdatabase = 0
                     and starts_with(setting, 'idle_in_transaction_session_timeout=')) then
        begin
            execute timeout;
        exception
            when unique_violation or internal_error then null; -- the migration of another database was faster
            when insufficient_privilege then
                begin
                    -- A role may change its own settings, and a member of it may act as it.
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
    -- Temporary tables are tables too; and on a database that comes from PostgreSQL 14 everybody may make lasting ones. Staff's files put their
    -- rows into temporary ones first.
    execute format('revoke temporary on database %I from public', current_database());
    execute format('grant temporary on database %I to welms_staff', current_database());
    execute format('grant connect on database %I to welms_server, welms_staff', current_database());
end $$;
revoke create on schema public from public;
grant usage on schema public to welms_server, welms_staff;

-- 1. What is done for somebody who may not do it himself. Each of these runs as the owner, so its search_path is fixed: nobody can
-- put a table of their own before ours.

alter function write_baskets security definer set search_path = public, pg_temp;
alter function place_orders security definer set search_path = public, pg_temp;
alter function advance_order(text, text, text, numeric, boolean) security definer set search_path = public, pg_temp;
alter function take_back_step(text, text) security definer set search_path = public, pg_temp;
alter function delay_order(text, numeric, text) security definer set search_path = public, pg_temp;
alter function request_step(text, text, text, boolean) security definer set search_path = public, pg_temp;
alter function cancel_order(uuid) security definer set search_path = public, pg_temp;

-- A function is executed by its owner and by the roles that it is granted to (000_rules.sql). A trigger function is
-- granted to nobody: a trigger fires without EXECUTE, and a role that has it can put the function on a table of its
-- own. A CHECK does need EXECUTE, because PostgreSQL evaluates it with the rights of the role that writes: each role is
-- granted the rules of the tables that it writes, and the functions that these rules call.
grant execute on function
    explained(boolean, text, text, bigint), is_plain_text(text, integer), is_country_code(text), is_currency_code(text),
    is_picture_url(text), are_tags(text[]), is_language_tag(text), are_language_tags(text[])
to welms_server, welms_staff;

-- 2. The server. It can't raise a coupon's limit, change a price, or touch an order but by one of its steps.

grant execute on function
    write_baskets, place_orders, advance_order(text, text, text, numeric, boolean), take_back_step(text, text),
    delay_order(text, numeric, text), cancel_order(uuid), number_orders(uuid[]), write_day_numbers(), take_back_time(),
    request_step(text, text, text, boolean), execute_pending_step(uuid)
to welms_server;
grant select on shop, menu_revision, categories, menu_items, sales_groups, sales_group_items, coupons, coupon_redemptions, coupon_uses, baskets, orders, order_steps,
    pending_order_steps, day_numbers, schema_migrations to welms_server;
grant select (access_token) on shop_secrets to welms_server;
grant update (is_available, sold_out_until) on menu_items to welms_server; -- POST /v1/staff/menu/{id}/availability

-- 3. Staff. They delete what a trigger lets them, with a hint where it doesn't. How often a coupon was redeemed is counted, not written.

grant select on shop, menu_revision, categories, menu_items, sales_groups, sales_group_items, coupons, coupon_redemptions, coupon_uses, baskets, orders, order_lines, order_totals,
    order_steps, pending_order_steps, schema_migrations to welms_staff;
grant update on shop to welms_staff;
grant insert, update, delete on categories, menu_items, sales_groups, sales_group_items to welms_staff;
grant delete,
    insert (id, key, title, description, benefit, percent, amount, free_category_id, condition, starts_at, ends_at, minimum_subtotal, redemption_limit,
            guest_limit, guest_period, is_listed, position),
    update (id, key, title, description, benefit, percent, amount, free_category_id, condition, starts_at, ends_at, minimum_subtotal, redemption_limit,
            guest_limit, guest_period, is_listed, position)
on coupons to welms_staff;
grant execute on function
    advance_order(text, text, text, numeric, boolean), advance_order(bigint, text, text), take_back_step(text, text),
    delay_order(text, numeric, text)
to welms_staff;
