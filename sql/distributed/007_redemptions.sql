-- Replaces redeem_coupon of 028_old_snapshots.sql on a Citus cluster: workers update the counts on the coordinator, by
-- key. An old snapshot makes these updates slower.

create or replace function redeem_coupon(the_coupon bigint, the_version bigint, wanted integer) returns integer
language plpgsql as $$
declare
    granted bigint := wanted;
begin
    update coupon_redemptions set redeemed = redeemed + wanted
    where coupon_id = the_coupon and version = the_version
        and coalesce(redeemed + wanted <= redemption_limit, true);
    if not found then
        select redemption_limit - redeemed into granted from coupon_redemptions
            where coupon_id = the_coupon and version = the_version for update;
        granted := least(greatest(coalesce(granted, 0), 0), wanted);
        update coupon_redemptions set redeemed = redeemed + granted where coupon_id = the_coupon and granted > 0;
    end if;
    return granted;
end $$;
