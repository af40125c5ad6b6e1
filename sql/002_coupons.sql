-- Coupons: a key word typed at checkout that lowers the total, and who has used it.
-- Read next: 003_baskets.sql.

create table coupons (
    id               bigint  not null,
    key              text    not null,             -- as typed, in capitals: FRST
    title            text    not null,
    description      text    not null,
    -- What it gives: one of three.
    benefit          text    not null,
    percent          numeric,                      -- percent:   off the whole basket; numeric for menu_items.price's reason
    amount           numeric,                      -- amount:    off the whole basket, in minor units, at most what it costs
    free_category_id bigint,                       -- free_item: the cheapest item of this category in the basket, one of it
    -- Who may use it, and when.
    condition        text    not null default 'none',
    starts_at        timestamptz,                  -- half open: from starts_at on, and no longer at ends_at
    ends_at          timestamptz,
    minimum_subtotal numeric,                      -- in minor units
    redemption_limit numeric,                      -- in all; null is without limit
    guest_limit      numeric,                      -- per guest and guest_period; null is without limit
    guest_period     text    not null default 'ever',
    is_listed        boolean not null default false, -- true: shown to everybody by GET /v1/coupons
    position         integer not null default 0,
    -- Goes up with each change by staff, so that place_orders knows whether what it was called with was decided from the coupon as it is.
    version          bigint  not null default 1,
    constraint coupons_pkey primary key (id),
    constraint coupon_key_is_unique unique (key),
    constraint coupon_free_category_exists foreign key (free_category_id) references categories,
    constraint coupon_key_is_a_word check (explained(key ~ '^[A-Z0-9_-]{1,32}$', 'coupon_key_is_a_word',
        'Write the key in 1 to 32 capital letters, digits, - and _; guests may type it in any case.', id)),
    constraint coupon_text_is_plain check (explained(is_plain_text(title, 100) and is_plain_text(description, 1000), 'coupon_text_is_plain',
        'Title (1 to 100 characters) and description (1 to 1000) are plain text, without < or > and without spaces around it.', id)),
    constraint coupon_gives_one_thing check (explained(
        case benefit when 'percent'   then percent is not null and amount is null and free_category_id is null
                     when 'amount'    then amount is not null and percent is null and free_category_id is null
                     when 'free_item' then free_category_id is not null and percent is null and amount is null
                     else false end,
        'coupon_gives_one_thing', 'benefit is percent, amount or free_item, and just the column percent, amount or free_category_id beside it is filled in.', id)),
    constraint coupon_percent_in_range check (explained(percent between 1 and 100 and scale(percent) = 0, 'coupon_percent_in_range', 'A percent is a whole number from 1 to 100.', id)),
    constraint coupon_amounts_in_range check (explained(coalesce(amount between 1 and 100000000 and scale(amount) = 0, true)
        and coalesce(minimum_subtotal between 0 and 1000000000 and scale(minimum_subtotal) = 0, true),
        'coupon_amounts_in_range', 'Write amounts in whole minor units: 5.00 is 500. An amount is at least 1.', id)),
    constraint coupon_condition_is_known check (explained(condition in ('none', 'first_order', 'last_day_of_month', 'birthday'), 'coupon_condition_is_known',
        'condition is none, first_order, last_day_of_month or birthday.', id)),
    constraint coupon_window_opens_before_it_closes check (explained(starts_at < ends_at, 'coupon_window_opens_before_it_closes',
        'starts_at has to lie before ends_at; either may be null.', id)),
    constraint coupon_guest_limit_in_range check (explained(guest_limit between 1 and 100 and scale(guest_limit) = 0, 'coupon_guest_limit_in_range',
        'guest_limit is a whole number from 1 to 100, or null for as often as a guest likes.', id)),
    constraint coupon_guest_period_is_known check (explained(guest_period in ('ever', 'calendar_year'), 'coupon_guest_period_is_known',
        'guest_period is ever or calendar_year (of the shop''s time zone).', id)),
    constraint coupon_redemption_limit_is_whole check (explained(redemption_limit between 0 and 1000000000 and scale(redemption_limit) = 0, 'coupon_redemption_limit_is_whole',
        'redemption_limit is a whole number up to 1000000000, or null for no limit.', id))
);

-- How often each coupon was redeemed by orders that are neither cancelled nor rejected. A row of its own, because it changes with every batch of
-- checkouts, for which PostgreSQL would prove all rules above anew (130 of 200 µs). It comes and goes with its coupon, by a trigger (a foreign key would
-- refuse to truncate coupons before our hint does), and has the limit and the version from there; place_orders and move_order alone count.
create table coupon_redemptions (
    coupon_id        bigint not null,
    redeemed         bigint not null default 0,
    redemption_limit bigint,
    version          bigint not null,
    constraint coupon_redemptions_pkey primary key (coupon_id),
    constraint coupon_redemptions_within_limit check (explained(redeemed >= 0 and coalesce(redeemed <= redemption_limit, true), 'coupon_redemptions_within_limit',
        'redemption_limit can''t be lower than what is redeemed already; end the coupon with ends_at = now() instead.', coupon_id))
) with (fillfactor = 20); -- room on the page keeps the updates away from the index

-- A coupon that was redeemed is ended, not deleted: loaded again it would start to count from nothing. The row lock
-- waits for a checkout that redeems the coupon right now; a checkout that comes later finds the coupon gone.
create function refuse_coupon_delete() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    redemptions bigint;
begin
    if tg_op = 'DELETE' then
        select redeemed into redemptions from coupon_redemptions where coupon_id = old.id for update;
    end if;
    if tg_op = 'TRUNCATE' or redemptions > 0 then
        raise exception 'coupons that were redeemed are ended, not deleted'
            using errcode = 'restrict_violation', constraint = 'redeemed_coupons_stay',
                  hint = 'update coupons set ends_at = now() where id = ...;';
    end if;
    return old;
end $$;
create trigger redeemed_coupons_stay before delete on coupons for each row execute function refuse_coupon_delete();
create trigger coupons_are_not_truncated before truncate on coupons for each statement execute function refuse_coupon_delete();

-- The constraints above refuse; this says why, with a hint, before they do.
create function explain_coupon() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    other bigint;
begin
    if tg_op = 'UPDATE' and new.id <> old.id then
        raise exception 'coupon % keeps its id', old.id
            using errcode = 'restrict_violation', constraint = 'coupon_keeps_its_id',
                  hint = 'Orders name it. Insert a new coupon, and end this one with ends_at = now().';
    end if;
    select id into other from coupons where key = new.key and id <> new.id;
    if found then
        raise exception 'coupon % has the key % already', other, new.key
            using errcode = 'unique_violation', constraint = 'coupon_key_is_unique',
                  hint = format('Choose another key, or give that coupon another first: update coupons set key = ... where id = %s;', other);
    end if;
    -- Guests are told of them in RFC 3339, which has four digits for the year; infinity is without bound, as null is.
    if exists (select from unnest(array[new.starts_at, new.ends_at]) as moment
               where isfinite(moment) and moment not between '0001-01-01Z' and '9999-12-31Z') then
        raise exception 'this breaks the rule coupon_times_in_range (id %)', new.id
            using errcode = 'check_violation', constraint = 'coupon_times_in_range',
                  hint = 'Write moments of the years 1 to 9999, such as ''2027-01-01 00:00 America/New_York''; null is without bound.';
    end if;
    if new.id < 1 then
        raise exception 'this breaks the rule coupon_id_is_positive (id %)', new.id
            using errcode = 'check_violation', constraint = 'coupon_id_is_positive', hint = 'A coupon''s id is greater than 0.';
    end if;
    if new.free_category_id is not null and not exists (select from categories where id = new.free_category_id) then
        raise exception 'there is no category %', new.free_category_id
            using errcode = 'foreign_key_violation', constraint = 'coupon_free_category_exists',
                  hint = 'Take one of: select id, title from categories;';
    end if;
    return new;
end $$;
create trigger a_whole_row before insert or update on coupons for each row execute function explain_row();
create trigger explain_coupon before insert or update on coupons for each row execute function explain_coupon();

-- A new coupon starts at the time in microseconds: a checkout that was decided by a deleted coupon must not find its
-- version again in another coupon with the same id.
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
    insert into coupon_redemptions (coupon_id, redemption_limit, version) values (new.id, new.redemption_limit, new.version)
    on conflict (coupon_id) do update set redemption_limit = excluded.redemption_limit, version = excluded.version;
    return null;
end $$;
create trigger keep_coupon_redemptions after insert or update or delete on coupons for each row execute function keep_coupon_redemptions();

create trigger a_turn_at_the_menu before insert or update or delete on coupons for each statement execute function take_turn_at_menu();
create trigger count_menu_revision after insert or update or delete on coupons for each row execute function count_menu_revision();

-- What keeps a guest from using a coupon too often at one moment, when two orders don't see each other yet. Who has used what is known from the
-- orders, whatever the limits were when they were placed. A redemption of a coupon with a limit per guest has one row for the guest's phone and one
-- for the email, so that either of them is enough to know the guest again. use_number goes from 1 to guest_limit: two orders that race for the last
-- one want the same number, and the primary key lets one of them in. All coupons for first orders want number 1 of coupon 0.
create table coupon_uses (
    coupon_id  bigint   not null, -- 0: the guest's first order
    guest_key  text     not null, -- tel:+15551234567 or mailto:ann@example.com
    period     integer  not null, -- 0 for ever, else the calendar year
    use_number smallint not null, -- which of the guest's uses it is
    order_id   uuid     not null,
    constraint coupon_use_is_once primary key (coupon_id, guest_key, period, use_number)
);
