-- Members of staff, and the audit: who has changed what.
-- Read by Sources/Database/Staff/StaffMembers.swift and LoadAudit.swift. Who may do what over HTTP is in Sources/Ordering/Staff/StaffRole.swift.

-- 1. Members. Made and withdrawn with `welms staff`, which shows a token once; what is kept of it is its digest. A member who has lost the token is
-- withdrawn and added again, under the same name.

create table staff_members (
    name         text        not null,
    role         text        not null,
    token_digest bytea       not null,               -- SHA-256
    created_at   timestamptz not null default now(), -- when the token was made
    withdrawn_at timestamptz,                        -- since when it opens nothing; null: it does
    constraint staff_members_pkey primary key (name),
    constraint staff_member_has_a_token_alone unique (token_digest),
    constraint staff_member_name_is_plain_text check (explained(is_plain_text(name, 60), 'staff_member_name_is_plain_text',
        'Write 1 to 60 characters of plain text, without < or > and without spaces around it.')),
    constraint staff_member_name_is_free check (explained(
        lower(name) not in ('token', 'the shop itself', 'the guest'), 'staff_member_name_is_free',
        'The audit uses this name for the token of the settings, for the shop itself or for a guest: take another name.')),
    constraint staff_member_role_is_known check (explained(role in ('kitchen', 'counter', 'manager'), 'staff_member_role_is_known',
        'role is kitchen, counter or manager.')),
    constraint staff_member_token_is_digested check (explained(length(token_digest) = 32, 'staff_member_token_is_digested',
        'welms staff add makes tokens, and keeps their SHA-256.'))
);
create unique index staff_members_by_name on staff_members (lower(name));

-- Servers hold the members, and read them again.
create function tell_staff_changed() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    notify staff_changed;
    return null;
end $$;
create trigger tell_staff_changed after insert or update or delete or truncate on staff_members for each statement execute function tell_staff_changed();

-- 2. The audit: a row for each row that staff have changed, in the transaction that changes it. What was refused, taken back or so already has none.

create table audit (
    id      bigint      not null generated always as identity,
    at      timestamptz not null default clock_timestamp(), -- of the change, not of the transaction's beginning
    who     text        not null, -- a member's name; token, for the one of the settings; where role is null, the database user, the shop itself (021_deadlines.sql) or the guest (cancel_order)
    role    text,                 -- the member's; null: by SQL, or by itself
    what    text        not null, -- the table, such as menu_items
    subject text,                 -- the row in it; null: the only one
    before  jsonb,                -- the columns that are others now; null: there was no such row
    after   jsonb,                -- null: there is none any more
    why     text,                 -- the reason of an order's step, or what was given with  set welms.why = '...'
    constraint audit_pkey primary key (id),
    constraint audit_tells_a_change check (before is distinct from after)
);

-- Kept for two years; then it may go, for it names people.
create function is_kept_audit(at timestamptz) returns boolean
language sql stable as $$ select at > now() - interval '2 years' $$;

create function refuse_audit_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    if tg_op = 'DELETE' then
        if not is_kept_audit(old.at) then
            return old;
        end if;
    end if;
    raise exception 'what stands in the audit stays as it is'
        using errcode = 'restrict_violation', constraint = 'audit_is_append_only',
              hint = 'Correct what was changed, and the audit has another row. Rows of more than two years may be deleted: delete from audit where at < now() - interval ''2 years'';';
end $$;
create trigger audit_is_append_only before update or delete on audit for each row execute function refuse_audit_change();
create trigger audit_is_not_truncated before truncate on audit for each statement execute function refuse_audit_change();

-- Called by pruning, again and again until nothing is left to do. Returns how many rows are gone.
create function prune_audit(most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    gone integer;
begin
    -- The oldest have the lowest ids.
    delete from audit where id = any (array(select id from audit where not is_kept_audit(at) order by id limit least(most, 10000)));
    get diagnostics gone = row_count;
    return gone;
end $$;

-- 3. Who acts. The server says it of each change, in the statement that makes it:  update shop set ... from act_as('Ann', 'counter') where ...
-- Settings are everybody's to write, so those alone are believed who may call this; all others are who they have logged in as.

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

-- Writes one row, unless nothing is different.
create function write_audit(its_table text, its_subject text, before jsonb, after jsonb, reason text) returns void
language plpgsql as $$
declare
    member constant text := case when may_act_for_others() then nullif(current_setting('welms.member', true), '') end;
begin
    insert into audit (who, role, what, subject, before, after, why)
    select coalesce(member, session_user), case when member is not null then nullif(current_setting('welms.member_role', true), '') end, its_table, its_subject, before, after,
           coalesce(reason, nullif(left(current_setting('welms.why', true), 500), ''))
    where before is distinct from after;
end $$;

-- One changed row of a table, of which these columns are the key; nothing is told of those that are hidden.
create function audit_row(its_table text, key_columns text[], hidden text[], old_row jsonb, new_row jsonb) returns void
language plpgsql as $$
declare
    before  jsonb := old_row - hidden;
    after   jsonb := new_row - hidden;
    subject text  := (select string_agg(coalesce(new_row, old_row) ->> name, ' ' order by n) from unnest(key_columns) with ordinality as part (name, n));
begin
    if before is not null and after is not null then
        select jsonb_object_agg(name, before -> name), jsonb_object_agg(name, after -> name) into before, after
        from jsonb_object_keys(after) as name where before -> name is distinct from after -> name;
    end if;
    -- What stands in no column is not worth a word, where a row comes or goes.
    if old_row is null then after := jsonb_strip_nulls(after); end if;
    if new_row is null then before := jsonb_strip_nulls(before); end if;
    perform write_audit(its_table, subject, before, after, null);
end $$;

-- Its arguments: the table, which on Citus is not called so where the trigger stands; the columns of its key; what is hidden.
create function audit_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    -- Where a function tells the whole of a change itself: see set_hours.
    if current_setting('welms.is_told', true) = 'yes' and may_act_for_others() then
        return null;
    end if;
    if tg_op = 'TRUNCATE' then
        perform write_audit(tg_argv[0], null, '{"rows": "all"}', null, null);
    else
        perform audit_row(tg_argv[0], tg_argv[1]::text[], tg_argv[2]::text[],
                          case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
    end if;
    return null;
end $$;

-- Every table that staff write. The two of counts are told by record_stock (015_stock.sql), which knows staff's changes from those of orders; an order's
-- step by advance_order (007_order_steps.sql).
do $do$
declare
    place record;
begin
    for place in select * from (values
        ('shop', '{}', '{}'), ('categories', '{id}', '{}'), ('menu_items', '{id}', '{}'), ('sales_groups', '{id}', '{}'),
        ('sales_group_items', '{sales_group_id,menu_item_id}', '{}'), ('coupons', '{id}', '{version}'), ('option_groups', '{id}', '{}'), ('options', '{id}', '{}'),
        ('menu_item_option_groups', '{menu_item_id,group_id}', '{}'), ('option_option_groups', '{option_id,group_id}', '{}'),
        ('translations', '{subject,id,language}', '{}'), ('opening_hours', '{id}', '{}'), ('opening_exceptions', '{date}', '{id}'), ('serving_hours', '{id}', '{}'),
        ('fulfilments', '{fulfilment}', '{}'), ('delivery_areas', '{id}', '{}'), ('delivery_fees', '{area_id,from_subtotal}', '{}'), ('tax_rates', '{id}', '{}'),
        ('category_taxes', '{id}', '{}'), ('staff_members', '{name}', '{token_digest}')) as place (name, key, hidden)
    loop
        execute format($ddl$
            create trigger audit_change after insert or delete on %1$I for each row execute function audit_change(%1$L, %2$L, %3$L);
            create trigger audit_change_update after update on %1$I for each row when (old.* is distinct from new.*) execute function audit_change(%1$L, %2$L, %3$L);
            create trigger audit_change_truncate after truncate on %1$I for each statement execute function audit_change(%1$L);
            $ddl$, place.name, place.key, place.hidden);
    end loop;
end $do$;

-- The shifts that begin on a day, none: closed; null: those of every week. Of the day as a whole, so that the audit has one row of it. What is so already
-- is left alone, or everybody would read the menu again for nothing.
create function set_hours(day date, its_opens text[], its_closes text[], its_fulfilments text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    before jsonb;
    after  jsonb;
begin
    -- The turn at the menu, before anything is looked at.
    perform from menu_revision for update;
    select jsonb_build_object('shifts', jsonb_agg(jsonb_build_object('opens', opens, 'closes', closes, 'fulfilment', fulfilment) order by opens, closes, fulfilment))
    into before from opening_exceptions where date = day having count(*) > 0;
    select jsonb_build_object('shifts', jsonb_agg(jsonb_build_object('opens', opens, 'closes', closes, 'fulfilment', fulfilment) order by opens, closes, fulfilment))
    into after from (select distinct * from unnest(its_opens, its_closes, its_fulfilments)) as shift (opens, closes, fulfilment) having count(*) > 0;
    if before is not distinct from after then
        return;
    end if;
    perform set_config('welms.is_told', 'yes', true);
    delete from opening_exceptions where date = day;
    insert into opening_exceptions (date, opens, closes, fulfilment)
    select distinct day, opens, closes, fulfilment from unnest(its_opens, its_closes, its_fulfilments) as shift (opens, closes, fulfilment);
    perform set_config('welms.is_told', '', true);
    perform write_audit('opening_exceptions', day::text, before, after, null);
end $$;

-- 4. Who may do what, as 009_roles.sql has it for the rest. Nobody but the owner makes members, and nobody writes the audit but by changing something.

grant execute on function act_as(text, text), prune_audit(integer), set_hours(date, text[], text[], text[]) to welms_server;
grant select on staff_members to welms_server;
grant select (name, role, created_at, withdrawn_at) on staff_members to welms_staff;
grant select on audit to welms_server, welms_staff;
