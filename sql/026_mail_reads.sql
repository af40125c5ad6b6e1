-- Functions of 018_order_mails.sql that read one mail by its key. With the condition of the index order_mails_by_due,
-- PostgreSQL used this index while few mails were pending, and kept the plan: while the mail server was down, each call
-- read all pending mails. coalesce(sent_at, failed_at) has the same meaning and fits no index.

create or replace function fail_order_mail(the_id uuid, mail_state text, failure text, server_answer text) returns void
language plpgsql as $$
begin
    update order_mails set failed_at = now(), reason = failure, answer = coalesce(server_answer, answer)
    where order_id = the_id and state = mail_state and coalesce(sent_at, failed_at) is null;
    if found then
        perform pg_notify('order_moved', the_id || ' ' || (select count(*) from order_steps where order_id = the_id));
    end if;
end $$;

-- The only change is the condition of the attempts.
create or replace function begin_order_mail(the_id uuid, mail_state text, since timestamptz, seconds bigint)
    returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    mails_an_hour constant integer := 5;
    mailbox       bytea;
    this_attempt  integer;
    oldest        timestamptz;
    mail_count    bigint;
begin
    select mail_recipient(email) into mailbox from orders where id = the_id for share skip locked;
    if not found then
        -- Due again one second later: the server reads the first hundred due mails, and a hundred orders with locked
        -- rows would block the others.
        perform from order_mails where order_id = the_id and state = mail_state for update skip locked;
        if found then
            update order_mails set due_at = now() + interval '1 second' where order_id = the_id and state = mail_state;
        end if;
        return 'skipped';
    end if;
    if mail_state <> 'placed' and not exists (
        select from order_steps as step where order_id = the_id and state = mail_state and at = since and kind = 'moved'
          and not exists (select from order_steps as back
              where back.order_id = the_id and back.step = step.step + 1 and back.kind = 'taken_back'))
    then
        delete from order_mails where order_id = the_id and state = mail_state and attempts = 0;
        return 'skipped';
    end if;
    select attempts + 1 into this_attempt from order_mails
    where order_id = the_id and state = mail_state and coalesce(sent_at, failed_at) is null;
    if not found then
        return 'skipped';
    end if;
    -- Serialises the attempts for a mailbox: two servers that both count four mails would send a sixth.
    perform pg_advisory_xact_lock(hashtextextended(encode(mailbox, 'hex'), 0));
    delete from recent_mails where at <= now() - interval '1 hour';
    select count(*), min(at) into mail_count, oldest from recent_mails where recipient = mailbox;
    if mail_count >= mails_an_hour then
        if this_attempt = 1 then
            perform fail_order_mail(the_id, mail_state, 'address_limit', null);
        else
            update order_mails set due_at = oldest + interval '1 hour' where order_id = the_id and state = mail_state;
        end if;
        return 'limited';
    end if;
    update order_mails set attempts = this_attempt, due_at = now() + seconds * interval '1 second'
    where order_id = the_id and state = mail_state;
    insert into recent_mails (order_id, state, attempt, recipient, at)
    values (the_id, mail_state, this_attempt, mailbox, now())
    on conflict on constraint recent_mails_pkey do update set recipient = excluded.recipient, at = excluded.at;
    return 'begun';
end $$;
