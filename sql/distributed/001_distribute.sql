-- Spreads a migrated shop over the workers of a Citus cluster (13.2 and later), for more writes than one PostgreSQL takes.
-- Run it once, on the coordinator, after `welms migrate` and before there are many guests:
--     psql "$DATABASE_URL" -v shards=16 -f sql/distributed/001_distribute.sql, then the others in their order
-- Plain PostgreSQL needs none of it. Read next: 002_checkout_facts.sql.
--
-- A basket, its order and that order's steps and mails lie on one shard, chosen by the basket's id; the uses of a coupon on one chosen by the
-- coupon's. What staff write (menu, coupons, stock) stays on the coordinator, where its triggers and NOTIFY run: workers reach the count of a
-- coupon or of a dish there, once for each batch of checkouts, last, in one transaction of two phases.
\set ON_ERROR_STOP on
\if :{?shards} \else \set shards 16 \endif

begin;
select create_reference_table('shop_secrets');
select create_distributed_table('baskets', 'id', shard_count => :shards, colocate_with => 'none');
select create_distributed_table('orders', 'id', colocate_with => 'baskets');
select create_distributed_table('order_steps', 'order_id', colocate_with => 'baskets');
select create_distributed_table('order_mails', 'order_id', colocate_with => 'baskets');
select create_distributed_table('coupon_uses', 'coupon_id', shard_count => :shards, colocate_with => 'none');
-- Not distributed, but known to the workers; the tables that foreign keys lead to come along.
select citus_add_local_table_to_metadata('coupons', cascade_via_foreign_keys => true);
select citus_add_local_table_to_metadata('coupon_redemptions');
-- What is counted comes along with the menu; by day, in the ledger, and the shop's clocks it is looked up beside it.
select citus_add_local_table_to_metadata('stock_days');
select citus_add_local_table_to_metadata('stock_movements');
select citus_add_local_table_to_metadata('shop', cascade_via_foreign_keys => true);
-- So are the places in slots, and how many there are.
select citus_add_local_table_to_metadata('slot_uses');
select citus_add_local_table_to_metadata('fulfilments');

-- Called with any basket of the batch first: that basket's worker does the work. A server with --shards makes batches of one shard.
select create_distributed_function(oid::regprocedure, '$1', colocate_with => 'baskets')
from pg_proc where pronamespace = 'public'::regnamespace and proname in ('write_baskets', 'place_orders');
commit;

-- Whoever waits for a count waits on the coordinator: how long at most is said there too.
select run_command_on_all_nodes($node$
do $do$ begin execute format('alter database %I set citus.propagate_set_commands = local', current_database()); end $do$
$node$);

-- Order numbers: each node counts in steps of 64 from a place of its own, so that no two give the same.
select run_command_on_all_nodes($node$
do $do$
declare
    place integer := (select groupid from pg_dist_local_group);
    first bigint  := $node$ || (select last_value / 64 + 1 from order_sequence) || $node$ * 64;
begin
    set local citus.enable_ddl_propagation to off;
    if place >= 64 then
        raise exception 'the order numbers of this shop are for 64 nodes at most';
    elsif place = 0 then
        alter sequence order_sequence increment by 64;
        perform setval('order_sequence', first, false);
    else
        execute format('create sequence order_sequence minvalue 0 start %s maxvalue 99999999 increment by 64 no cycle', first + place);
        -- Whoever may place orders; a number that is drawn for nothing is only a gap.
        grant usage on sequence order_sequence to public;
    end if;
end $do$
$node$);

-- The other nodes have copies of functions. Citus copies grants, but no default privileges (000_rules.sql): there
-- PUBLIC could execute the functions.
select run_command_on_all_nodes($node$
do $do$
declare
    one record;
begin
    set local citus.enable_ddl_propagation to off;
    for one in
        select oid::regprocedure as name from pg_proc
        where pronamespace = 'public'::regnamespace
          and proowner = (select relowner from pg_class where oid = 'public.shop'::regclass)
          and not exists (select from pg_depend
                          where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    loop
        execute format('revoke execute on routine %s from public', one.name);
    end loop;
end $do$
$node$);
