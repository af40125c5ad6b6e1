-- Order numbers on a Citus cluster: the servers draw all of them from the sequence of the coordinator. So the number of
-- nodes does not limit them, and a node that joins later needs no sequence. Load this file when all servers have a
-- version with 031_order_numbers.sql: with servers of earlier versions, the workers draw.
\set ON_ERROR_STOP on

-- Workers do not know when the coordinator was started, so each number is used.
create or replace function order_number_origin() returns timestamptz
language plpgsql stable as $$
begin
    return null;
end $$;

create or replace function draw_order_number(secret bytea) returns text
language plpgsql as $$
begin
    raise exception 'on Citus the server draws the order numbers'
        using errcode = 'object_not_in_prerequisite_state', hint = 'Start a server of the current version.';
end $$;

-- Earlier versions made a sequence on each worker, and every node counted in steps of 64. Now the coordinator continues
-- after the last value of all nodes.
select exists (select from pg_extension where extname = 'citus') as is_citus \gset
\if :is_citus
do $$
declare
    failures    text;
    worker_last bigint;
begin
    -- Waits for the transactions that have drawn a number. After that, no transaction finds the sequence.
    select string_agg(format('node %s: %s', nodeid, result), '; ') into failures
    from run_command_on_all_nodes($node$
        do $do$
        begin
            set local citus.enable_ddl_propagation to off;
            if (select groupid from pg_dist_local_group) <> 0 then
                alter sequence if exists public.order_sequence rename to retired_order_sequence;
            end if;
        end $do$
    $node$) where not success;
    if failures is not null then raise exception 'the order numbers cannot be moved: %', failures; end if;

    select string_agg(format('node %s: %s', nodeid, result), '; ') filter (where not success),
        max(case when success then result::bigint end) into failures, worker_last
    from run_command_on_all_nodes(
        $node$ select coalesce(pg_sequence_last_value(to_regclass('public.retired_order_sequence')), -1) $node$);
    if failures is not null then raise exception 'the order numbers cannot be read: %', failures; end if;

    set local citus.enable_ddl_propagation to off;
    -- Locks the sequence until the end of the transaction, so that no server draws meanwhile.
    alter sequence public.order_sequence increment by 1;
    if worker_last > (select last_value from public.order_sequence) then
        perform setval('public.order_sequence', worker_last);
    end if;
end $$;

do $$
declare
    failures text;
begin
    select string_agg(format('node %s: %s', nodeid, result), '; ') into failures
    from run_command_on_all_nodes($node$
        do $do$
        begin
            set local citus.enable_ddl_propagation to off;
            drop sequence if exists public.retired_order_sequence;
        end $do$
    $node$) where not success;
    if failures is not null then raise exception 'the old sequences cannot be dropped: %', failures; end if;
end $$;
\endif
