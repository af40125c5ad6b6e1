-- Staff members and the audit. Sources/Ordering/Staff/StaffRole.swift says which role permits which action over HTTP.

-- 1. Members. `welms staff` adds and withdraws them. It shows a token once and stores its digest. A member who has lost
-- the token is withdrawn and added again under the same name.

create table staff_members (
    name         text        not null,
    role         text        not null,
    token_digest bytea       not null,               -- SHA-256
    created_at   timestamptz not null default now(), -- when the token was created
    withdrawn_at timestamptz,                        -- when the token was withdrawn; null: it is valid
    constraint staff_members_pkey primary key (name),
    constraint staff_member_token_is_unique unique (token_digest),
    constraint staff_member_name_is_plain_text
        check (check_with_hint(is_plain_text(name, 60), 'staff_member_name_is_plain_text',
        'Write 1 to 60 characters of plain text, without < or > and without spaces around it.')),
    constraint staff_member_name_is_not_reserved check (check_with_hint(
        lower(name) not in ('token', 'the shop itself', 'the guest'), 'staff_member_name_is_not_reserved',
        'The audit uses this name for the token of the settings, the shop itself or a guest: choose another name.')),
    constraint staff_member_role_is_known
        check (check_with_hint(role in ('kitchen', 'counter', 'manager'), 'staff_member_role_is_known',
        'role is kitchen, counter or manager.')),
    constraint staff_member_token_is_digested
        check (check_with_hint(length(token_digest) = 32, 'staff_member_token_is_digested',
        'welms staff add makes tokens, and keeps their SHA-256.'))
);
create unique index staff_members_by_name on staff_members (lower(name));

-- Servers cache the members and reload them on this notification.
create function notify_staff_changed() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    notify staff_changed;
    return null;
end $$;
create trigger notify_staff_changed after insert or update or delete or truncate on staff_members for each statement
    execute function notify_staff_changed();

-- 2. The audit: one row per row that staff change, in the same transaction. Rejected changes and updates without a
-- difference have none.

create table audit (
    id      bigint      not null generated always as identity,
    -- the time of the change, not of the start of the transaction
    at      timestamptz not null default clock_timestamp(),
    -- a member's name; token: the token of the settings. With role null: the database user, the shop itself
    -- (021_deadlines.sql) or the guest (cancel_order)
    who     text        not null,
    role    text,                 -- the member's role; null: by SQL or automatic
    what    text        not null, -- the table, such as menu_items
    subject text,                 -- the key of the row; null: the table has one row
    before  jsonb,                -- the changed columns; null: a new row
    after   jsonb,                -- null: a deleted row
    why     text,                 -- the reason of a step, or the text from  set welms.why = '...'
    constraint audit_pkey primary key (id),
    constraint audit_records_a_change check (before is distinct from after)
);

-- Kept for two years. Older rows may be deleted, because they name people.
create function audit_is_retained(at timestamptz) returns boolean
language sql stable as $$ select at > now() - interval '2 years' $$;

create function refuse_audit_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    if tg_op = 'DELETE' then
        if not audit_is_retained(old.at) then
            return old;
        end if;
    end if;
    raise exception 'audit rows cannot be changed'
        using errcode = 'restrict_violation', constraint = 'audit_is_append_only',
              hint = 'Correct the changed row instead; the audit records it. Rows older than two years may be deleted: '
                  'delete from audit where at < now() - interval ''2 years'';';
end $$;
create trigger audit_is_append_only before update or delete on audit for each row
    execute function refuse_audit_change();
create trigger audit_is_not_truncated before truncate on audit for each statement
    execute function refuse_audit_change();

-- Pruning calls it until it returns less than batch_size. Returns the number of deleted rows.
create function prune_audit(batch_size integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    gone integer;
begin
    -- The oldest rows have the lowest ids.
    delete from audit
        where id = any (array(select id from audit where not audit_is_retained(at) order by id
        limit least(batch_size, 10000)));
    get diagnostics gone = row_count;
    return gone;
end $$;

-- 3. The acting member. The server names the member in the statement of each change:
--     update shop set ... from act_as('Ann', 'counter') where ...
-- Any session can write these settings, so they count only for roles that may call this function. Other sessions act as
-- the user who has logged in.

create function act_as(member text, its_role text) returns boolean -- true; Citus takes no column of type void
language plpgsql as $$
begin
    perform set_config('welms.member', member, true), set_config('welms.member_role', its_role, true);
    return true;
end $$;

create function may_act_for_others() returns boolean
language plpgsql stable as $$
begin
    return has_function_privilege(session_user, 'public.act_as(text, text)', 'execute');
end $$;

-- Writes one row, unless before and after are equal.
create function write_audit(its_table text, its_subject text, before jsonb, after jsonb, reason text) returns void
language plpgsql as $$
declare
    member constant text := case when may_act_for_others() then nullif(current_setting('welms.member', true), '') end;
begin
    insert into audit (who, role, what, subject, before, after, why)
    select coalesce(member, session_user),
        case when member is not null then nullif(current_setting('welms.member_role', true), '') end, its_table,
        its_subject, before, after,
           coalesce(reason, nullif(left(current_setting('welms.why', true), 500), ''))
    where before is distinct from after;
end $$;

-- Audits a changed row of a table. key_columns identify the row; hidden columns are left out.
create function audit_row(its_table text, key_columns text[], hidden text[], old_row jsonb, new_row jsonb) returns void
language plpgsql as $$
declare
    before  jsonb := old_row - hidden;
    after   jsonb := new_row - hidden;
    subject text  := (select string_agg(coalesce(new_row, old_row) ->> name, ' ' order by n) from unnest(key_columns)
        with ordinality as part (name, n));
begin
    if before is not null and after is not null then
        select jsonb_object_agg(name, before -> name), jsonb_object_agg(name, after -> name) into before, after
        from jsonb_object_keys(after) as name where before -> name is distinct from after -> name;
    end if;
    -- Null columns of an inserted or deleted row are left out.
    if old_row is null then after := jsonb_strip_nulls(after); end if;
    if new_row is null then before := jsonb_strip_nulls(before); end if;
    perform write_audit(its_table, subject, before, after, null);
end $$;

-- Trigger arguments: the table (on Citus a shard has another name), its key columns, and hidden columns.
create function audit_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    -- Suppressed by functions that write one audit row for the whole change: see set_hours.
    if current_setting('welms.suppress_audit', true) = 'yes' and may_act_for_others() then
        return null;
    end if;
    if tg_op = 'TRUNCATE' then
        perform write_audit(tg_argv[0], null, '{"rows": "all"}', null, null);
    else
        perform audit_row(tg_argv[0], tg_argv[1]::text[], tg_argv[2]::text[],
                          case when tg_op <> 'INSERT' then to_jsonb(old) end,
                              case when tg_op <> 'DELETE' then to_jsonb(new) end);
    end if;
    return null;
end $$;

-- All tables that staff write. record_stock audits counts (015_stock.sql), because it separates changes by staff from
-- those by orders. advance_order audits steps (007_order_steps.sql).
do $do$
declare
    audited record;
begin
    for audited in select * from (values
        ('shop', '{}', '{}'), ('categories', '{id}', '{}'), ('menu_items', '{id}', '{}'),
            ('sales_groups', '{id}', '{}'),
        ('sales_group_items', '{sales_group_id,menu_item_id}', '{}'), ('coupons', '{id}', '{version}'),
            ('option_groups', '{id}', '{}'), ('options', '{id}', '{}'),
        ('menu_item_option_groups', '{menu_item_id,group_id}', '{}'),
            ('option_option_groups', '{option_id,group_id}', '{}'),
        ('translations', '{subject,id,language}', '{}'), ('opening_hours', '{id}', '{}'),
            ('opening_exceptions', '{date}', '{id}'), ('serving_hours', '{id}', '{}'),
        ('fulfilments', '{fulfilment}', '{}'), ('delivery_areas', '{id}', '{}'),
            ('delivery_fees', '{area_id,from_subtotal}', '{}'), ('tax_rates', '{id}', '{}'),
        ('category_taxes', '{id}', '{}'), ('staff_members', '{name}', '{token_digest}')) as audited (name, key, hidden)
    loop
        execute format($ddl$
            create trigger audit_change after insert or delete on %1$I for each row
                execute function audit_change(%1$L, %2$L, %3$L);
            create trigger audit_change_update after update on %1$I for each row when (old.* is distinct from new.*)
                execute function audit_change(%1$L, %2$L, %3$L);
            create trigger audit_change_truncate after truncate on %1$I for each statement
                execute function audit_change(%1$L);
            $ddl$, audited.name, audited.key, audited.hidden);
    end loop;
end $do$;

-- A shift of a day; without times the shop is closed.
create type opening_shift as (opens text, closes text, fulfilment text);

-- Replaces the shifts that start on a day. An empty array removes the exception, so that the weekly hours apply. The
-- audit gets one row for the whole day. An unchanged day is not written, because every write makes all servers reload
-- the menu.
create function set_hours(day date, shifts opening_shift[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    before jsonb;
    after  jsonb;
begin
    -- Locks menu_revision before the first read.
    perform from menu_revision for update;
    select jsonb_build_object('shifts',
        jsonb_agg(jsonb_build_object('opens', opens, 'closes', closes, 'fulfilment', fulfilment)
        order by opens, closes, fulfilment))
    into before from opening_exceptions where date = day having count(*) > 0;
    select jsonb_build_object('shifts',
        jsonb_agg(jsonb_build_object('opens', opens, 'closes', closes, 'fulfilment', fulfilment)
        order by opens, closes, fulfilment))
    into after
    from (select distinct * from unnest(shifts)) as shift having count(*) > 0;
    if before is not distinct from after then
        return;
    end if;
    perform set_config('welms.suppress_audit', 'yes', true);
    delete from opening_exceptions where date = day;
    insert into opening_exceptions (date, opens, closes, fulfilment)
    select distinct day, opens, closes, fulfilment from unnest(shifts);
    perform set_config('welms.suppress_audit', '', true);
    perform write_audit('opening_exceptions', day::text, before, after, null);
end $$;

-- 4. Privileges. Only the owner writes members, and the audit is written only by the functions above.

grant execute on function act_as(text, text), prune_audit(integer),
    set_hours(date, opening_shift[]) to welms_server;
grant select on staff_members to welms_server;
grant select (name, role, created_at, withdrawn_at) on staff_members to welms_staff;
grant select on audit to welms_server, welms_staff;
