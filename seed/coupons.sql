-- The coupons: codes that guests type at checkout. Load seed/menu.sql first (FOLLOW refers to the burgers' category).
--
-- To change one: edit its row below and load the file. It is live within a second.
--     psql "$(welms url --role staff)" -f seed/coupons.sql      or      welms seed seed/coupons.sql
--
--   * The file overrides changes by hand to its coupons. Loading it again changes nothing.
--   * The file never changes redemptions: they follow from the orders.
--   * benefit is percent, amount (in minor units: 5.00 is 500) or free_item (the cheapest item of free_category_id in
--     the basket). Only the matching column of percent, amount and free_category_id has a value.
--   * condition is none, first_order, last_day_of_month or birthday, judged in the shop's time zone.
--   * starts_at and ends_at are moments such as '2027-01-01 00:00 America/New_York'; ends_at is exclusive, null is
--     unlimited. To end a coupon, set ends_at here: a deleted coupon would come back with the next load.
--   * redemption_limit counts all orders, guest_limit the orders of one guest per guest_period (ever or calendar_year);
--     null is unlimited.
--   * is_listed shows the code to everybody: guests tap on the home screen to see it. FOLLOW is not listed: followers
--     learn it on social media.

begin;

insert into coupons (id, key, benefit, percent, amount, free_category_id, condition, starts_at, ends_at,
    minimum_subtotal,
                     redemption_limit, guest_limit, guest_period, is_listed, position, title, description) values
    (1, 'FRST',   'percent',   10,   null, null, 'first_order',       null, null, null, null, 1,    'ever',
              true,  1,
     'Welcome to the table', '10% off everything in your first order.'),
    (2, 'LAST',   'percent',   15,   null, null, 'last_day_of_month', null, null, null, null, null, 'ever',
              true,  2,
     'Month’s end', '15% off everything on the last day of each month.'),
    (3, 'FOLLOW', 'free_item', null, null, 200,  'none',              null, null, null, null, 1,    'ever',
              false, 3,
     'A burger for followers', 'Thank you for following us: the cheapest burger in your basket is free, once.'),
    (4, 'HAPPY',  'percent',   15,   null, null, 'birthday',          null, null, null, null, 1,    'calendar_year',
     true,  4,
     'Happy birthday', '15% off everything on your birthday, once a year. Tell us the day at checkout.')
-- Write only rows that differ, so that servers need not reload the coupons.
on conflict (id) do update set
    (key, benefit, percent, amount, free_category_id, condition, starts_at, ends_at, minimum_subtotal,
     redemption_limit, guest_limit, guest_period, is_listed, position, title, description) =
    (excluded.key, excluded.benefit, excluded.percent, excluded.amount, excluded.free_category_id, excluded.condition,
     excluded.starts_at, excluded.ends_at, excluded.minimum_subtotal, excluded.redemption_limit, excluded.guest_limit,
     excluded.guest_period, excluded.is_listed, excluded.position, excluded.title, excluded.description)
where
    (coupons.key, coupons.benefit, coupons.percent, coupons.amount, coupons.free_category_id, coupons.condition,
     coupons.starts_at, coupons.ends_at, coupons.minimum_subtotal, coupons.redemption_limit, coupons.guest_limit,
     coupons.guest_period, coupons.is_listed, coupons.position, coupons.title, coupons.description)
    is distinct from
    (excluded.key, excluded.benefit, excluded.percent, excluded.amount, excluded.free_category_id, excluded.condition,
     excluded.starts_at, excluded.ends_at, excluded.minimum_subtotal, excluded.redemption_limit, excluded.guest_limit,
     excluded.guest_period, excluded.is_listed, excluded.position, excluded.title, excluded.description);

commit;
