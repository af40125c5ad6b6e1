-- Made by Tests/Data/Upgrade/make.py.

prepare "advance_order" (text, text, text, integer, boolean, text, text) as
select advance_order($1, $2, $3, $4::integer, $5) from act_as($6, $7);

prepare "answers" as
select;

prepare "are_day_numbers_written" as
select exists (select from day_numbers join shop using (time_zone, business_day_start) where day = today.day),
       exists (select from day_numbers join shop using (time_zone, business_day_start) where day = next.day)
from business_day(now()) as today cross join lateral business_day(today.ends) as next;

prepare "begin_mail" (uuid, text, timestamp with time zone, bigint) as
select begin_order_mail($1, $2, $3, $4);

prepare "begin_mailing" as
insert into mailing default values on conflict do nothing;

prepare "cancel_order" (uuid) as
select cancel_order($1);

prepare "count_day" (timestamp with time zone, timestamp with time zone, text) as
select state, extract(hour from counted_at at time zone $3)::integer as hour, currency, count(*),
       sum(total)::bigint
from (select state, currency, total, placed_at as counted_at
      from orders where placed_at >= $1 and placed_at < $2 and wanted_at is null
      union all
      select state, currency, total, wanted_at from orders where wanted_at >= $1 and wanted_at < $2) as day
group by state, hour, currency;

prepare "delay_order" (text, integer, text, text, text) as
select delay_order($1, $2::integer, $3) from act_as($4, $5);

prepare "doctor birthday coupons" as
select format('%s is valid for less than a year, so guests born on other days never get it', key)
    from coupons, shop
where condition = 'birthday' and ends_at > now()
  and ends_at at time zone time_zone < starts_at at time zone time_zone + interval '1 year'
union all select format('%s has no guest_limit, so a guest can use it every day', key) from coupons
where condition = 'birthday' and guest_limit is null and coalesce(ends_at > now(), true);

prepare "doctor coupon limits" as
select format('%s can be redeemed %s times in all and %s times by one guest', key, redemption_limit,
    guest_limit)
from coupons where guest_limit > redemption_limit and redemption_limit > 0
    and coalesce(ends_at > now(), true)
union all select format('%s can be redeemed by nobody: its redemption_limit is 0', key)
from coupons where redemption_limit = 0 and coalesce(ends_at > now(), true)
union all select format('%s gives an item of a category in which nothing can be ordered', key)
from coupons where benefit = 'free_item' and coalesce(ends_at > now(), true) and not exists (
    select from menu_items where category_id = free_category_id and is_available and not is_retired);

prepare "doctor coupon openings" as
select case when isfinite(starts_at) then format('%s opens in the year %s', key,
    extract(year from starts_at))
            else format('%s never opens', key) end
from coupons where starts_at > now() + interval '10 years';

prepare "doctor coupon windows" as
select format('%s is for the last day of a month, and none lies between starts_at and ends_at', key)
from coupons, shop
where condition = 'last_day_of_month' and ends_at > now()
  and (date_trunc('month', greatest(starts_at, now()) at time zone time_zone)
       + interval '1 month - 1 day') at time zone time_zone
      >= ends_at;

prepare "doctor coupons" as
select format('%s is listed and has expired', key) from coupons where is_listed and ends_at <= now();

prepare "doctor durability" as
select name || ' is off' from pg_settings
where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off';

prepare "doctor encoding" as
select 'it is ' || current_setting('server_encoding') where current_setting('server_encoding') <> 'UTF8';

prepare "doctor grants" as
select format('%s may not read %s', current_user, name)
from unnest(array['shop', 'menu_revision', 'categories', 'menu_items', 'sales_groups', 'sales_group_items',
                  'coupons', 'coupon_redemptions', 'coupon_uses', 'baskets', 'orders', 'order_steps',
                  'pending_order_steps',
                  'staff_members']) as name
where not has_table_privilege(name, 'select')
union all select format('%s may not call %s', current_user, proname) from pg_proc
where pronamespace = 'public'::regnamespace
  and proname in ('write_baskets', 'place_orders', 'advance_order', 'cancel_order', 'prune_baskets',
      'act_as',
                  'request_step', 'execute_pending_step')
group by proname having not bool_or(has_function_privilege(oid, 'execute'))
union all select format('there is no role %s', name)
    from unnest(array['welms_server', 'welms_staff']) as name
where not exists (select from pg_roles where rolname = name);

prepare "doctor menu" as
select 'there is no item on it' where not exists (select from menu_items where not is_retired);

prepare "doctor objects of roles" as
select format('%s owns %s large objects', lomowner::regrole, count(*)) from pg_largeobject_metadata
where lomowner in (to_regrole('welms_staff'), to_regrole('welms_server'))
  and lomowner <> (select relowner from pg_class where oid = 'shop'::regclass)
group by lomowner
union all select format('%s has default privileges of its own', defaclrole::regrole) from pg_default_acl
where defaclrole in (to_regrole('welms_staff'), to_regrole('welms_server'))
  and defaclrole <> (select relowner from pg_class where oid = 'shop'::regclass);

prepare "doctor open transactions" as
select 'PostgreSQL does not end a transaction that staff leave open'
where current_setting('idle_in_transaction_session_timeout') = '0' and not exists (
    select from pg_db_role_setting cross join unnest(setconfig) as setting
    where setrole = to_regrole('welms_staff')
      and setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and starts_with(setting, 'idle_in_transaction_session_timeout='));

prepare "doctor room" as
select current_user::text, current_database()::text,
       current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
           - coalesce(current_setting('reserved_connections', true)::integer, 0),
       (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
       (select nullif(datconnlimit, -1) from pg_database where datname = current_database());

prepare "doctor sales" as
select format('the set %s holds item %s, which can''t be ordered', sales_groups.title, menu_items.id)
from sales_groups join sales_group_items on sales_group_id = sales_groups.id join menu_items
    on menu_items.id = menu_item_id
where not sales_groups.is_retired and (menu_items.is_retired or not is_available);

prepare "doctor server version" as
select current_setting('server_version_num')::integer, current_setting('server_version');

prepare "doctor time" as
select clock_timestamp();

prepare "doctor time zone" as
select format('the shop''s is %s, which the database doesn''t know', time_zone)
from shop where not exists (select from pg_timezone_names where name = time_zone);

prepare "draw_order_numbers" (bigint) as
select array(select nextval('order_sequence') from generate_series(1, $1)), order_number,
       pg_postmaster_start_time()
from shop_secrets, set_config('synchronous_commit', 'local', true), pg_logical_emit_message(true, 'welms', '');

prepare "due_mails" (bigint) as
select order_id, state, at, attempts from order_mails
    where sent_at is null and failed_at is null and due_at <= now()
order by due_at limit $1;

prepare "end_of_look" (timestamp with time zone, uuid, bigint) as
select placed_at, id from orders where (placed_at, id) < ($1, $2)
order by placed_at desc, id desc offset $3 limit 1;

prepare "execute_pending_step" (uuid) as
select execute_pending_step($1);

prepare "find_order" (text) as
select id from orders where number = $1;

prepare "is_distributed" as
select to_regproc('load_checkout_facts') is not null;

prepare "list_migrations" as
select name, checksum, to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SSZ')
from schema_migrations order by name;

prepare "list_orders" (timestamp with time zone, uuid, text[], bigint, bigint) as
select placed_at, id from (
    select placed_at, id, state from orders where (placed_at, id) < ($1, $2) order by placed_at desc, id desc
        limit $5
) as newest
where state = any ($3) order by placed_at desc, id desc limit $4;

prepare "load_audit" (bigint, bigint) as
select id, at, who, role, what, subject, why, before_names, before_values, after_names, after_values
from (select * from audit where id < $1 order by id desc limit $2) as entry,
     lateral (select array_agg(key), array_agg(value)
         from jsonb_each_text(before)) as b (before_names, before_values),
     lateral (select array_agg(key), array_agg(value)
         from jsonb_each_text(after)) as a (after_names, after_values)
order by id desc;

prepare "load_baskets" (uuid[]) as
select revision, now(), baskets.id, baskets.id, baskets.state, baskets.version, baskets.currency, lines_made, baskets.lines, baskets.options, removed_items
from menu_revision left join baskets on id = any ($1);

prepare "load_checkout_facts" (checkout_query[]) as
select case when draft.ordinality = 1 then clock.stock end as stock,
       case when draft.ordinality = 1 then clock.slots end as slots,
       case when draft.wanted_at is not null and clock.stock is not null
            then stock_left(null, null, array[draft.wanted_at]) end as stock_then,
       clock.now, clock.today, clock.revision,
       baskets.id, baskets.state, baskets.version, baskets.currency, lines_made, baskets.lines, baskets.options,
       placed.idempotency_key, placed.fingerprint,
       coupons.id as coupon_id, coupons.key, coupons.title, benefit, percent::integer, amount::bigint,
       free_category_id, condition, starts_at, ends_at, minimum_subtotal::bigint, redemption_limit::bigint,
       (select redeemed from coupon_redemptions where coupon_id = coupons.id) as redeemed,
       guest_limit::integer, guest_period, coupons.version as coupon_version,
       case when condition = 'first_order' then
           exists (select from orders where phone = draft.phone and state not in ('cancelled', 'rejected'))
           or exists (select from orders where lower(email collate "C") = draft.email
               and state not in ('cancelled', 'rejected')) end as has_ordered,
       case when coupon.counted is not null then (
           select count(distinct order_id)::integer
           from ((select orders.id as order_id from orders
                  where orders.phone = draft.phone and orders.coupon_id = coupon.counted
                      and (placed_at >= coupon.since) is true
                    and orders.state not in ('cancelled', 'rejected') limit 100)
                 union all
                 (select orders.id from orders
                  where lower(orders.email collate "C") = draft.email and orders.coupon_id = coupon.counted
                      and (placed_at >= coupon.since) is true
                    and orders.state not in ('cancelled', 'rejected') limit 100)) as use) end as uses,
       case when coupon.used_up is not null then array(
           select use_number::integer from coupon_uses
           where coupon_id = coupon.used_up and guest_key = 'tel:' || draft.phone
               and coupon_uses.period = coupon.period
           union all
           select use_number::integer from coupon_uses
           where coupon_id = coupon.used_up and guest_key = 'mailto:' || draft.email
               and coupon_uses.period = coupon.period) end as used_numbers
from (select now(), clock.today, clock.new_year, clock.revision,
             case when exists (select from item_stock) or exists (select from option_stock) then
                 stock_left(case when (select count(*) from item_stock) > 50 then
                     array(select line.menu_item_id from unnest($1::checkout_query[]) as draft
                           cross join lateral (select lines from baskets
                                               where id = draft.basket_id offset 0) as basket
                           cross join unnest(basket.lines) as line) end,
                     null, array[now()]) end as stock,
             case when exists (select from unnest($1::checkout_query[]) as draft
                               where draft.wanted_at is not null) then slots_taken(now()) end as slots
      from (select (now() at time zone time_zone)::date as today,
                   date_trunc('year', now(), time_zone) as new_year, revision
            from shop cross join menu_revision) as clock
      offset 0) as clock
cross join unnest($1::checkout_query[]) with ordinality as draft
left join lateral (select * from baskets where id = draft.basket_id offset 0) as baskets on true
left join lateral (
    select idempotency_key, fingerprint from orders
        where baskets.state = 'ordered' and orders.id = draft.basket_id offset 0
) as placed on true
left join coupons on coupons.key = draft.coupon_key
cross join lateral (
    select case when guest_period = 'calendar_year' and condition <> 'first_order'
                then extract(year from clock.today)::integer else 0 end,
           case when guest_period = 'calendar_year' then clock.new_year else '-infinity' end,
           -- The coupon of the used numbers (see coupon_uses), and the coupon whose orders count.
           case when condition = 'first_order' then 0 when guest_limit is not null then coupons.id end,
           case when condition <> 'first_order' and guest_limit is not null then coupons.id end
) as coupon (period, since, used_up, counted)
order by draft.ordinality;

prepare "load_due_steps" (timestamp with time zone, uuid, bigint) as
select order_id, state, execute_at, member from pending_order_steps
where execute_at <= now() and (execute_at, order_id) > ($1, $2) order by execute_at, order_id limit $3;

prepare "load_kitchen_orders" as
select count(*) from (
    (select from (select state, placed_at, wanted_at from orders
                  order by placed_at desc, id desc limit 1000) as newest
     where placed_at > now() - interval '2 hours' and wanted_at is null and state in ('placed', 'accepted', 'preparing', 'on_the_way') limit 100)
    union all
    (select from (select state from orders
                  where wanted_at > now() - interval '2 hours'
                    and wanted_at <= now() + interval '3600 seconds'
                  order by wanted_at desc, id desc limit 1000) as wanted
     where state in ('placed', 'accepted', 'preparing', 'on_the_way') limit 100)
) as open;

prepare "load_menu" as
select jsonb_build_object(
    'revision', revision, 'now', (extract(epoch from clock_timestamp()) * 1000000)::bigint, 'currency',
    currency, 'default_country', default_country, 'time_zone', time_zone,
    'languages', languages, 'name', name, 'address', address, 'phone', phone, 'imprint', imprint, 'privacy',
    privacy, 'tax_number', tax_number, 'terms', (to_jsonb(shop) - 'imprint' - 'privacy') || jsonb_build_object(
        'pause_until', case when pause_until is not null then
            (extract(epoch from least(greatest(pause_until, '0001-01-01Z'), '9999-12-31Z')) * 1000000)::bigint end, 'busy_until', case when busy_until is not null then
            (extract(epoch from least(greatest(busy_until, '0001-01-01Z'), '9999-12-31Z')) * 1000000)::bigint end,
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
        'category_taxes', coalesce((select jsonb_agg(to_jsonb(category_taxes)) from category_taxes), '[]')),
    'categories', coalesce((select jsonb_agg(to_jsonb(categories)) from categories), '[]'),
    'items', coalesce((
        select jsonb_agg(to_jsonb(menu_items) || jsonb_build_object(
            'sales_group_id', sales_group_items.sales_group_id, 'is_available', is_available and coalesce(sold_out_until < '10000-01-01Z', true),
            'sold_out_until', case when sold_out_until < '10000-01-01Z' then
                (extract(epoch from greatest(sold_out_until, '0001-01-01Z')) * 1000000)::bigint end,
            'photograph_widths', (select widths from photographs where digest = menu_items.photograph),
            'groups', coalesce((select jsonb_agg(group_id order by position, group_id)
                from menu_item_option_groups
                                where menu_item_option_groups.menu_item_id = menu_items.id), '[]')))
        from menu_items left join sales_group_items on sales_group_items.menu_item_id = menu_items.id), '[]'),
    'groups', coalesce((select jsonb_agg(to_jsonb(option_groups))
        from option_groups where not is_retired), '[]'),
    'options', coalesce((
        select jsonb_agg(to_jsonb(options) || jsonb_build_object(
            'is_available', is_available and coalesce(sold_out_until < '10000-01-01Z', true),
            'sold_out_until', case when sold_out_until < '10000-01-01Z' then
                (extract(epoch from greatest(sold_out_until, '0001-01-01Z')) * 1000000)::bigint end,
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
from shop cross join menu_revision;

prepare "load_menu_revision" as
select revision, clock_timestamp(), case when exists (select from item_stock)
    or exists (select from option_stock) then stock_left(null, null, array[now()]) end
from menu_revision;

prepare "load_order_histories" (uuid[]) as
select id, number, state, at, reason, kind, promised_at from (
    select id, number, 0 as step, 'placed' as state, placed_at as at, null as reason, 'moved' as kind,
        null::timestamptz as promised_at
    from orders where id = any ($1)
    union all
    select order_id, null, step, state, at, reason, kind, promised_at from order_steps where order_id = any ($1)
) as steps
order by id, step;

prepare "load_orders" (uuid[]) as
select id, number, state, language, lines, options, coupon_key,
       subtotal, total, totals, subtotal_title, total_title,
       currency, fulfilment, wanted_at, eta_minutes::integer, placed_at,
       name, phone, email, address, postcode, comment,
       case when state = 'rejected' then (
           select reason from order_steps
               where order_id = any ($1) and order_id = orders.id and order_steps.state = 'rejected') end,
       case when state = 'rejected' then (
           select case when is_by_deadline then 'deadline' else 'staff' end from order_steps
           where order_id = any ($1) and order_id = orders.id and order_steps.state = 'rejected') end,
       minimum_age::integer, promised_at, delay_reason, day_number, day_number_wanted_at is not null
from orders where id = any ($1);

prepare "load_pending_steps" (uuid[]) as
select order_id, state, execute_at, member from pending_order_steps where order_id = any ($1);

prepare "load_photograph" (text, bigint, text) as
select bytes from photograph_files where digest = $1 and width = $2::bigint and format = $3;

prepare "load_plain_facts" (checkout_query[]) as
select case when draft.ordinality = 1 then clock.stock end as stock,
       case when draft.ordinality = 1 then clock.slots end as slots,
       case when draft.wanted_at is not null and clock.stock is not null
            then stock_left(null, null, array[draft.wanted_at]) end as stock_then,
       clock.now, clock.today, clock.revision,
       baskets.id, baskets.state, baskets.version, baskets.currency, lines_made, baskets.lines, baskets.options,
       placed.idempotency_key, placed.fingerprint
from (select now(), clock.today, clock.new_year, clock.revision,
             case when exists (select from item_stock) or exists (select from option_stock) then
                 stock_left(case when (select count(*) from item_stock) > 50 then
                     array(select line.menu_item_id from unnest($1::checkout_query[]) as draft
                           cross join lateral (select lines from baskets
                                               where id = draft.basket_id offset 0) as basket
                           cross join unnest(basket.lines) as line) end,
                     null, array[now()]) end as stock,
             case when exists (select from unnest($1::checkout_query[]) as draft
                               where draft.wanted_at is not null) then slots_taken(now()) end as slots
      from (select (now() at time zone time_zone)::date as today,
                   date_trunc('year', now(), time_zone) as new_year, revision
            from shop cross join menu_revision) as clock
      offset 0) as clock
cross join unnest($1::checkout_query[]) with ordinality as draft
left join lateral (select * from baskets where id = draft.basket_id offset 0) as baskets on true
left join lateral (
    select idempotency_key, fingerprint from orders
        where baskets.state = 'ordered' and orders.id = draft.basket_id offset 0
) as placed on true
order by draft.ordinality;

prepare "load_staff" (bigint) as
select name, role, token_digest from staff_members where withdrawn_at is null order by name limit $1;

prepare "load_token_secret" as
select access_token from shop_secrets;

prepare "load_unnumbered_orders" (timestamp with time zone, uuid, bigint) as
select id, coalesce(day_number_wanted_at, wanted_at, placed_at) from orders
where day_number is null and state not in ('cancelled', 'rejected')
  and coalesce(day_number_wanted_at, wanted_at, placed_at) > now() - interval '1 day'
  and coalesce(day_number_wanted_at, wanted_at, placed_at)
      <= now() + interval '3600 seconds'
  and (coalesce(day_number_wanted_at, wanted_at, placed_at), id) > ($1, $2)
order by coalesce(day_number_wanted_at, wanted_at, placed_at), id limit $3;

prepare "lock_pruning" as
select pg_try_advisory_lock(482956635749);

prepare "mail_released" (uuid, text) as
update order_mails set attempts = attempts - 1, due_at = at where order_id = $1 and state = $2;

prepare "mail_sent" (uuid, text) as
update order_mails set sent_at = now(), answer = null
where order_id = $1 and state = $2 and failed_at is null;

prepare "mailing_since" as
select since from mailing;

prepare "migrations_table_exists" as
select to_regclass('schema_migrations') is not null;

prepare "note_mails" (due_mail[]) as
insert into order_mails (order_id, state, at, due_at)
select order_id, state, at,
    at + case when state in ('accepted', 'preparing', 'on_the_way')
        then take_back_time() else interval '0' end
from unnest($1) as found
on conflict (order_id, state) do update set at = excluded.at, due_at = excluded.due_at
    where order_mails.attempts = 0 and order_mails.at < excluded.at;

prepare "place_orders" (uuid, timestamp with time zone, bigint, text, new_order[]) as
select id, number, placed_at, day_number from place_orders($1, $2, $3, $4, $5);

prepare "placed_to_mail" (timestamp with time zone, bigint) as
select id, 'placed' as state, placed_at from orders
where placed_at > $1
    and not exists (select from order_mails where order_id = orders.id and order_mails.state = 'placed')
order by placed_at, id limit $2;

prepare "prune_audit" (integer) as
select prune_audit($1);

prepare "prune_baskets" (uuid, timestamp with time zone, integer) as
select last, abandoned, emptied from prune_baskets($1, $2, $3);

prepare "prune_now" as
select now();

prepare "prune_recent_mails" as
delete from recent_mails where at <= now() - interval '1 hour';

prepare "request_step" (text, text, text, boolean, text, text) as
select request_step($1, $2, $3, $4) from act_as($5, $6);

prepare "search_orders" (timestamp with time zone, uuid, text[], bigint, bigint, text, text, text[]) as
select placed_at, id from (
    select placed_at, id, state, number, name, phone from orders where (placed_at, id) < ($1, $2)
        order by placed_at desc, id desc limit $5
) as newest
where state = any ($3)
    and (starts_with(number, $7) or position($7 in phone) > 0 or phone ^@ any ($8)
         or position($6 in lower(name)) > 0)
order by placed_at desc, id desc limit $4;

prepare "set_acceptance" (bigint, boolean, text, text) as
update shop set accept_within_minutes = $1::bigint, accepts_automatically = $2 from act_as($3, $4)
where (accept_within_minutes, accepts_automatically) is distinct from ($1::bigint, $2);

prepare "set_availability" (bigint, boolean, timestamp with time zone, text, text) as
update menu_items set is_available = $2, sold_out_until = $3 from act_as($4, $5)
where id = $1 and (is_available, sold_out_until) is distinct from ($2, $3) and not is_retired;

prepare "set_busy" (bigint, timestamp with time zone, text, text) as
update shop set busy_minutes = $1::bigint, busy_until = $2::timestamptz from act_as($3, $4)
where (busy_minutes, busy_until) is distinct from ($1::bigint, $2::timestamptz);

prepare "set_count" (text, bigint, bigint, bigint, text, text) as
select set_count($1, $2, $3::bigint, $4::bigint) from act_as($5, $6);

prepare "set_hours" (text, opening_shift[], text, text) as
select set_hours($1::text::date, $2) from act_as($3, $4);

prepare "set_option_availability" (bigint, boolean, timestamp with time zone, text, text) as
update options set is_available = $2, sold_out_until = $3 from act_as($4, $5)
where id = $1 and (is_available, sold_out_until) is distinct from ($2, $3) and not is_retired;

prepare "set_pause" (timestamp with time zone, text, text, text) as
update shop set pause_until = $1::timestamptz, pause_reason = $2::text from act_as($3, $4)
where (pause_until, pause_reason) is distinct from ($1::timestamptz, $2::text);

prepare "set_photograph_by_staff" (bigint, text, photograph_file[], text, text) as
select set_photograph($1, $2, $3) from act_as($4, $5);

prepare "slots_taken" as
select slots_taken(now());

prepare "steps_to_mail" (timestamp with time zone, bigint) as
select order_id, state, at from order_steps where at > $1 and kind = 'moved'
    and state in ('placed', 'accepted', 'on_the_way', 'cancelled', 'rejected')
    and not exists (select from order_mails
        where order_mails.order_id = order_steps.order_id and order_mails.state = order_steps.state
        and (order_mails.at >= order_steps.at or attempts > 0))
    and not exists (select from order_steps as back
        where back.order_id = order_steps.order_id and back.step = order_steps.step + 1
            and back.kind = 'taken_back')
order by at, order_id limit $2;

prepare "stock_left" (bigint[], bigint[], timestamp with time zone[]) as
select stock_left($1, $2, $3);

prepare "take_back_step" (text, text, text, text) as
select take_back_step($1, $2) from act_as($3, $4);

prepare "take_mail_turn" as
select pg_try_advisory_lock(1835100524);

prepare "today" as
select today.day, time_zone, currency, now(), today.begins, today.ends
from shop cross join business_day(now()) as today;

prepare "top_items" (timestamp with time zone, timestamp with time zone) as
select menu_item_id, max(title), sum(quantity) as quantity, currency,
       sum(unit_price * quantity - line.discount)::bigint
from (select *
      from (select id, placed_at as counted_at, state, currency, lines
            from orders where placed_at >= $1 and placed_at < $2 and wanted_at is null
            union all
            select id, wanted_at, state, currency, lines
            from orders where wanted_at >= $1 and wanted_at < $2) as day
      where state not in ('cancelled', 'rejected') order by counted_at desc, id desc
      limit 20000) as living
cross join unnest(lines) as line
group by menu_item_id, currency order by quantity desc, menu_item_id, currency limit 10;

prepare "uncount_mail" (uuid, text, integer) as
delete from recent_mails where order_id = $1 and state = $2 and attempt = $3;

prepare "unnamed" (text[], text[]) as
select count(set_config(name, value, false)), (select backend_start from pg_stat_get_activity(pg_backend_pid()))
  from unnest($1::text[], $2::text[]) as setting(name, value);

prepare "unnamed_2" (text[]) as
select wanted.name, composite.oid, composite.typarray, attribute.attname, attribute.atttypid,
       case value.typtype when 'e' then 'text'::regtype::oid when 'd' then value.typbasetype else value.oid end
  from unnest($1::text[]) as wanted (name)
  join pg_catalog.pg_type as composite
    on composite.oid = pg_catalog.to_regtype(wanted.name) and composite.typtype = 'c'
  left join pg_catalog.pg_attribute as attribute
    on attribute.attrelid = composite.typrelid and attribute.attnum > 0 and not attribute.attisdropped
  left join pg_catalog.pg_type as value on value.oid = attribute.atttypid
 order by wanted.name, attribute.attnum;

prepare "unsent_mails" (uuid[]) as
select order_id, state, reason, failed_at from order_mails where order_id = any ($1) and failed_at is not null
order by failed_at, state;

prepare "waiting_mails" as
select now(), min(at) filter (where attempts > 0 or due_at <= now()) from order_mails
where sent_at is null and failed_at is null;

prepare "write_baskets" (uuid, bigint, text, basket_write[]) as
select * from write_baskets($1, $2, $3, $4);

prepare "write_day_numbers" as
select write_day_numbers();
