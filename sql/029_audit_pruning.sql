-- A round of pruning in which no audit row has expired reads one page of 100 rows. Until now, each call read a whole
-- batch, and the last call of a round kept nearly all of it.

-- Reads pages in id order, and stops at the first page without an expired row. Ids have the order of the times, except
-- for concurrent transactions and an adjusted clock. Expired rows behind a page of younger rows wait until one of these
-- expires.
create or replace function prune_audit(batch_size integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    unread       integer := least(batch_size, 10000);
    last_id      bigint := -9223372036854775808;
    page_expired bigint[];
    expired      bigint[] := '{}';
    deleted      integer;
begin
    while unread > 0 loop
        select max(id), array_agg(id) filter (where not audit_is_retained(at)) into last_id, page_expired
        from (select id, at from audit where id > last_id order by id limit least(unread, 100)) as page;
        exit when page_expired is null;
        expired := expired || page_expired;
        unread := unread - 100;
    end loop;
    delete from audit where id = any (array(select id from audit where id = any (expired) for update skip locked));
    get diagnostics deleted = row_count;
    return deleted;
end $$;
