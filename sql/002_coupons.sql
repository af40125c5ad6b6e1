-- Coupons: codes that reduce the total of an order, and their redemptions.

create table coupons (
    id               bigint  not null,
    key              text    not null,             -- as guests type it, in capitals: FRST
    title            text    not null,
    description      text    not null,
    -- The benefit, exactly one of three.
    benefit          text    not null,
    percent          numeric,                      -- percent: of the whole basket; numeric: see menu_items.price
    -- amount: off the whole basket, in minor units, limited to its subtotal
    amount           numeric,
    free_category_id bigint,                       -- free_item: one unit of the basket's cheapest item in this category
    -- The conditions.
    condition        text    not null default 'none',
    starts_at        timestamptz,                  -- half-open interval: starts_at is included, ends_at is not
    ends_at          timestamptz,
    minimum_subtotal numeric,                      -- in minor units
    redemption_limit numeric,                      -- for all guests together; null: no limit
    guest_limit      numeric,                      -- per guest and guest_period; null: no limit
    guest_period     text    not null default 'ever',
    is_listed        boolean not null default false, -- true: everybody sees it in GET /v1/coupons
    position         integer not null default 0,
    -- Every change by staff increments it. place_orders rejects an order that was decided with another version.
    version          bigint  not null default 1,
    constraint coupons_pkey primary key (id),
    constraint coupon_key_is_unique unique (key),
    constraint coupon_free_category_exists foreign key (free_category_id) references categories,
    constraint coupon_key_is_valid check (check_with_hint(key ~ '^[A-Z0-9_-]{1,32}$', 'coupon_key_is_valid',
        'Write the key in 1 to 32 capital letters, digits, - and _; guests may type it in any case.', id)),
    constraint coupon_text_is_plain
        check (check_with_hint(is_plain_text(title, 100) and is_plain_text(description, 1000), 'coupon_text_is_plain',
        'Title (1 to 100 characters) and description (1 to 1000) are plain text, without < or > and '
            'without spaces around it.', id)),
    constraint coupon_has_one_benefit check (check_with_hint(
        case benefit when 'percent'   then percent is not null and amount is null and free_category_id is null
                     when 'amount'    then amount is not null and percent is null and free_category_id is null
                     when 'free_item' then free_category_id is not null and percent is null and amount is null
                     else false end,
        'coupon_has_one_benefit',
        'benefit is percent, amount or free_item, and only the matching column of percent, amount and free_category_id '
        'is set.', id)),
    constraint coupon_percent_in_range
        check (check_with_hint(percent between 1 and 100 and scale(percent) = 0, 'coupon_percent_in_range',
        'A percent is a whole number from 1 to 100.', id)),
    constraint coupon_amounts_in_range
        check (check_with_hint(coalesce(amount between 1 and 100000000 and scale(amount) = 0, true)
        and coalesce(minimum_subtotal between 0 and 1000000000 and scale(minimum_subtotal) = 0, true),
        'coupon_amounts_in_range', 'Write amounts in whole minor units: 5.00 is 500. An amount is at least 1.', id)),
    constraint coupon_condition_is_known
        check (check_with_hint(condition in ('none', 'first_order', 'last_day_of_month', 'birthday'),
        'coupon_condition_is_known',
        'condition is none, first_order, last_day_of_month or birthday.', id)),
    constraint coupon_starts_before_it_ends check (check_with_hint(starts_at < ends_at, 'coupon_starts_before_it_ends',
        'starts_at has to lie before ends_at; either may be null.', id)),
    constraint coupon_guest_limit_in_range
        check (check_with_hint(guest_limit between 1 and 100 and scale(guest_limit) = 0, 'coupon_guest_limit_in_range',
        'guest_limit is a whole number from 1 to 100, or null for no limit.', id)),
    constraint coupon_guest_period_is_known
        check (check_with_hint(guest_period in ('ever', 'calendar_year'), 'coupon_guest_period_is_known',
        'guest_period is ever or calendar_year (of the shop''s time zone).', id)),
    constraint coupon_redemption_limit_is_whole
        check (check_with_hint(redemption_limit between 0 and 1000000000 and scale(redemption_limit) = 0,
        'coupon_redemption_limit_is_whole',
        'redemption_limit is a whole number up to 1000000000, or null for no limit.', id))
);

-- The number of redemptions by orders that are neither cancelled nor rejected. It has a table of its own, because every
-- batch of checkouts updates it and PostgreSQL would check all rules above each time (130 of 200 µs). A trigger keeps
-- the rows in step with coupons, including limit and version.
-- It has no foreign key to coupons, which would reject "truncate coupons" without our hint. Only place_orders and
-- move_order change the count.
create table coupon_redemptions (
    coupon_id        bigint not null,
    redeemed         bigint not null default 0,
    redemption_limit bigint,
    version          bigint not null,
    constraint coupon_redemptions_pkey primary key (coupon_id),
    constraint coupon_redemptions_within_limit
        check (check_with_hint(redeemed >= 0 and coalesce(redeemed <= redemption_limit, true),
        'coupon_redemptions_within_limit',
        'redemption_limit cannot be lower than the number of redemptions; end the coupon with ends_at = now() instead.',
            coupon_id))
) with (fillfactor = 20); -- free space on the page allows HOT updates

-- A redeemed coupon is ended, not deleted: if staff deleted it and inserted it again, its count would start at 0.
-- The row lock waits for a checkout that redeems the coupon at this moment. Later checkouts do not find the coupon.
create function refuse_coupon_delete() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    redemptions bigint;
begin
    if tg_op = 'DELETE' then
        select redeemed into redemptions from coupon_redemptions where coupon_id = old.id for update;
    end if;
    if tg_op = 'TRUNCATE' or redemptions > 0 then
        raise exception 'redeemed coupons are ended, not deleted'
            using errcode = 'restrict_violation', constraint = 'redeemed_coupons_are_not_deleted',
                  hint = 'update coupons set ends_at = now() where id = ...;';
    end if;
    return old;
end $$;
create trigger redeemed_coupons_are_not_deleted before delete on coupons for each row
    execute function refuse_coupon_delete();
create trigger coupons_are_not_truncated before truncate on coupons for each statement
    execute function refuse_coupon_delete();

-- Checks the constraints above before PostgreSQL does, to raise errors with hints.
create function explain_coupon() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    other bigint;
begin
    if tg_op = 'UPDATE' and new.id <> old.id then
        raise exception 'coupon % cannot change its id', old.id
            using errcode = 'restrict_violation', constraint = 'coupon_keeps_its_id',
                  hint = 'Orders refer to it. Insert a new coupon, and end this one with ends_at = now().';
    end if;
    select id into other from coupons where key = new.key and id <> new.id;
    if found then
        raise exception 'coupon % has the key % already', other, new.key
            using errcode = 'unique_violation', constraint = 'coupon_key_is_unique',
                  hint = format('Choose another key, or give that coupon another first: update coupons set key '
                      '= ... where id = %s;', other);
    end if;
    -- The API writes RFC 3339, which has four-digit years. infinity means unlimited, like null.
    if exists (select from unnest(array[new.starts_at, new.ends_at]) as moment
               where isfinite(moment) and moment not between '0001-01-01Z' and '9999-12-31Z') then
        raise exception 'this violates the rule coupon_times_in_range (id %)', new.id
            using errcode = 'check_violation', constraint = 'coupon_times_in_range',
                  hint = 'Write moments of the years 1 to 9999, such as ''2027-01-01 00:00 America/New_York''; null '
                      'means no limit.';
    end if;
    if new.id < 1 then
        raise exception 'this violates the rule coupon_id_is_positive (id %)', new.id
            using errcode = 'check_violation', constraint = 'coupon_id_is_positive',
                hint = 'A coupon''s id is greater than 0.';
    end if;
    if new.free_category_id is not null and not exists (select from categories where id = new.free_category_id) then
        raise exception 'there is no category %', new.free_category_id
            using errcode = 'foreign_key_violation', constraint = 'coupon_free_category_exists',
                  hint = 'Take one of: select id, title from categories;';
    end if;
    return new;
end $$;
create trigger check_row before insert or update on coupons for each row execute function explain_row();
create trigger explain_coupon before insert or update on coupons for each row execute function explain_coupon();

-- The first version of a coupon is the time in microseconds. So it differs from the version of a deleted coupon with
-- the same id, and a checkout that was decided with the deleted coupon conflicts.
create function count_coupon_version() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    if tg_op = 'INSERT' then
        new.version := extract(epoch from clock_timestamp()) * 1000000;
    else
        new.version := old.version + 1;
    end if;
    return new;
end $$;
create trigger count_coupon_version before insert or update on coupons
    for each row execute function count_coupon_version();

create function keep_coupon_redemptions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    if tg_op = 'DELETE' then
        delete from coupon_redemptions where coupon_id = old.id;
        return null;
    end if;
    insert into coupon_redemptions (coupon_id, redemption_limit, version)
        values (new.id, new.redemption_limit, new.version)
    on conflict (coupon_id) do update set redemption_limit = excluded.redemption_limit, version = excluded.version;
    return null;
end $$;
create trigger keep_coupon_redemptions after insert or update or delete on coupons for each row
    execute function keep_coupon_redemptions();

create trigger lock_menu_revision before insert or update or delete on coupons for each statement
    execute function lock_menu_revision();
create trigger count_menu_revision after insert or update or delete on coupons for each row
    execute function count_menu_revision();

-- Prevents concurrent orders from exceeding a guest limit when they do not see each other yet. Earlier uses are counted
-- from the orders. A redemption of a coupon with a guest limit has one row for the phone and one for the email, so that
-- either identifies the guest.
-- use_number runs from 1 to guest_limit. Concurrent orders for the last use insert the same number, and the primary key
-- accepts one of them. All coupons for first orders share coupon_id 0 and use_number 1.
create table coupon_uses (
    coupon_id  bigint   not null, -- 0: the guest's first order
    guest_key  text     not null, -- tel:+15551234567 or mailto:ann@example.com
    period     integer  not null, -- 0 for ever, else the calendar year
    use_number smallint not null, -- which use of this guest: 1, 2, ...
    order_id   uuid     not null,
    constraint coupon_uses_pkey primary key (coupon_id, guest_key, period, use_number)
);
