-- Mails to guests about their orders. One server at a time writes here, if mail is configured (Sources/Shop/Mail).
-- Placing an order never writes here: the mails follow from orders and order_steps.

-- One mail per order and state. It is pending until it is sent or has failed.
create table order_mails (
    order_id  uuid        not null,
    state     text        not null,             -- the state that it reports
    at        timestamptz not null,             -- when the order entered that state
    due_at    timestamptz not null,             -- when the next attempt is due
    attempts  integer     not null default 0,
    sent_at   timestamptz,                      -- when the mail server accepted it
    failed_at timestamptz,                      -- when it was given up
    reason    text,                             -- why it was given up; staff see it with the order
    answer    text,                             -- the last answer of the mail server; may contain the guest's address
    constraint order_mails_pkey primary key (order_id, state),
    constraint order_mail_state_is_known check (state in ('placed', 'accepted', 'on_the_way', 'rejected', 'cancelled')),
    constraint order_mail_has_one_result check (sent_at is null or failed_at is null),
    -- address_limit: the address had five mails within an hour. refused: the mail server rejected the address
    -- permanently. expired: no success for a day. unwritable: the order cannot be read or has no address.
    constraint order_mail_reason_is_known check (reason in ('address_limit', 'refused', 'expired', 'unwritable')),
    constraint order_mail_failure_has_a_reason check ((failed_at is null) = (reason is null))
);
-- A mail that follows from the state of an order: an argument of the statement that stores it (OrderMailStore.swift).
create type due_mail as (order_id uuid, state text, at timestamptz);
-- The pending mails, which are few.
create index order_mails_by_due on order_mails (due_at) where sent_at is null and failed_at is null;
-- Recent steps. Only steps and cancellations write to this index; placing an order does not.
create index order_steps_by_time on order_steps (at);

-- When mail was first configured: earlier events are not mailed. The first server with mail settings inserts the row.
create table mailing (
    only_row boolean     not null default true,
    since    timestamptz not null default now(),
    constraint mailing_is_one_row primary key (only_row),
    constraint mailing_only_row_is_true check (only_row)
);

-- The attempts of the last hour that may have reached their address, counted by begin_order_mail. The table covers one
-- hour, so that the count reads few rows. An attempt that reached nobody is deleted.
create table recent_mails (
    order_id  uuid        not null,
    state     text        not null,
    attempt   integer     not null, -- the number of the attempt: 1, 2, ...
    recipient bytea       not null, -- mail_recipient of the order's email
    at        timestamptz not null,
    constraint recent_mails_pkey primary key (order_id, state, attempt)
);
create index recent_mails_by_recipient on recent_mails (recipient, at);
-- For the deletion of rows older than an hour.
create index recent_mails_by_time on recent_mails (at);

-- A digest of the mailbox of an email: in lower case and without a tag (ann+pizza@example.com), because all variants
-- reach the same person. The table needs no readable addresses.
create function mail_recipient(email text) returns bytea
language sql immutable as $$
    select sha256(convert_to(regexp_replace(lower(email collate "C"), '^([^+]+)[+][^@]*@', '\1@'), 'UTF8'))
$$;

-- Gives up a mail and records the reason. Staff who watch the order reload it: the notification repeats its last step.
create function fail_order_mail(the_id uuid, mail_state text, failure text, server_answer text) returns void
language plpgsql as $$
begin
    update order_mails set failed_at = now(), reason = failure, answer = coalesce(server_answer, answer)
    where order_id = the_id and state = mail_state and sent_at is null and failed_at is null;
    if found then
        perform pg_notify('order_moved', the_id || ' ' || (select count(*) from order_steps where order_id = the_id));
    end if;
end $$;

-- Begins an attempt and sets when the next one is due. Returns begun, or why the mail is not sent now:
--
--     skipped   the order is locked and the step may be taken back; or the step was taken back; or the mail is finished
--     limited   the address had five mails within an hour. A new mail is given up. A mail with earlier attempts may
--               have reached the guest partly, so it waits until the oldest of the five is an hour old.
create function begin_order_mail(the_id uuid, mail_state text, since timestamptz, seconds bigint) returns text
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
    where order_id = the_id and state = mail_state and sent_at is null and failed_at is null;
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
grant execute on function
    begin_order_mail(uuid, text, timestamptz, bigint), fail_order_mail(uuid, text, text, text)
to welms_server;

grant select, insert, update on order_mails to welms_server;
grant select, insert on mailing to welms_server;
grant select, delete on recent_mails to welms_server;
grant select on order_mails, mailing to welms_staff;
