-- Distributes a migrated shop over the workers of a Citus cluster (13.2 or later), for more writes than one PostgreSQL
-- can take. Plain PostgreSQL does not need it. Run it on the coordinator, after `welms migrate` and before the shop has
-- many guests:
--     psql "$DATABASE_URL" -v shards=16 -f sql/distributed/001_distribute.sql, then the other files in order
-- All these files can be loaded again. ManyMachines.md says when, after an upgrade or for a new node.
--
-- A basket, its order and the order's steps and mails are on one shard, selected by the basket's id; coupon uses are on
-- a shard selected by the coupon's id. Tables that staff write (menu, coupons, stock) stay on the coordinator, where
-- their triggers and NOTIFY run.
-- Workers update the counts of coupons and stock there, once per batch, as the last statements of a two-phase commit.
\set ON_ERROR_STOP on
\if :{?shards} \else \set shards 16 \endif

select not exists (select from pg_dist_partition where logicalrelid = 'baskets'::regclass) as is_first \gset
\if :is_first
begin;
-- Filled tables are copied by several connections in parallel. Citus then rejects the changes of tables below.
set local citus.multi_shard_modify_mode = sequential;
select create_reference_table('shop_secrets');
select create_distributed_table('baskets', 'id', shard_count => :shards, colocate_with => 'none');
select create_distributed_table('orders', 'id', colocate_with => 'baskets');
select create_distributed_table('order_steps', 'order_id', colocate_with => 'baskets');
select create_distributed_table('order_mails', 'order_id', colocate_with => 'baskets');
select create_distributed_table('coupon_uses', 'coupon_id', shard_count => :shards, colocate_with => 'none');
-- Not distributed, but known to the workers, including tables that their foreign keys refer to.
select citus_add_local_table_to_metadata('coupons', cascade_via_foreign_keys => true);
select citus_add_local_table_to_metadata('coupon_redemptions');
-- Foreign keys have added the stock counts with the menu. Taking stock also needs the sold units per day, the ledger
-- and the shop's settings.
select citus_add_local_table_to_metadata('stock_days');
select citus_add_local_table_to_metadata('stock_movements');
select citus_add_local_table_to_metadata('shop', cascade_via_foreign_keys => true);
-- The same for slots and their capacity.
select citus_add_local_table_to_metadata('slot_uses');
select citus_add_local_table_to_metadata('fulfilments');
commit;
\endif

-- The first argument is a basket of the batch: the worker of that basket executes the function. A server with --shards
-- makes batches of one shard.
select create_distributed_function(oid::regprocedure, '$1', colocate_with => 'baskets')
from pg_proc where pronamespace = 'public'::regnamespace and proname in ('write_baskets', 'place_orders')
    and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = pg_proc.oid
                    and distribution_argument_index is not null);

-- Waits for a count happen on the coordinator, so the lock timeout must be set there, too. Each node changes its own
-- setting: Citus would propagate ALTER DATABASE, and rejects it on workers.
do $$
declare
    failures text;
begin
    select string_agg(format('node %s: %s', nodeid, result), '; ') into failures
    from run_command_on_all_nodes($node$
        do $do$
        begin
            set local citus.enable_ddl_propagation to off;
            execute format('alter database %I set citus.propagate_set_commands = local', current_database());
        end $do$
    $node$) where not success;
    if failures is not null then raise exception 'the nodes cannot be set up: %', failures; end if;
end $$;

-- Other nodes have copies of the functions. Citus copies grants but no default privileges (000_rules.sql): without
-- this, PUBLIC could execute the functions there.
do $$
declare
    failures text;
begin
    select string_agg(format('node %s: %s', nodeid, result), '; ') into failures
    from run_command_on_all_nodes($node$
        do $do$
        declare
            owned record;
        begin
            set local citus.enable_ddl_propagation to off;
            for owned in
                select oid::regprocedure as name from pg_proc
                where pronamespace = 'public'::regnamespace
                  and proowner = (select relowner from pg_class where oid = 'public.shop'::regclass)
                  and not exists (select from pg_depend
                                  where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
            loop
                execute format('revoke execute on routine %s from public', owned.name);
            end loop;
        end $do$
    $node$) where not success;
    if failures is not null then raise exception 'the privileges cannot be revoked: %', failures; end if;
end $$;
