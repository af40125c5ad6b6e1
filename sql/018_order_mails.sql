-- What guests are told of their orders by mail. Written by one server at a time, where mail is set up (Sources/Shop/Mail); elsewhere both tables
-- stay empty, and placing an order never writes here: what is to be mailed follows from orders and order_steps themselves.

-- A mail of an order: one for each state that guests are told of, for ever. It waits until it is sent or given up.
create table order_mails (
    order_id  uuid        not null,
    state     text        not null,             -- what it tells
    at        timestamptz not null,             -- since when the order has that state
    due_at    timestamptz not null,             -- when it is tried next
    attempts  integer     not null default 0,
    sent_at   timestamptz,                      -- when the mail server took it
    failed_at timestamptz,                      -- when it was given up
    reason    text,                             -- why it was given up; staff see it at the order
    answer    text,                             -- what the mail server said to it last; it may name the guest
    constraint order_mail_is_once primary key (order_id, state),
    constraint order_mail_tells_a_state check (state in ('placed', 'accepted', 'on_the_way', 'rejected', 'cancelled')),
    constraint order_mail_has_one_end check (sent_at is null or failed_at is null),
    -- address_limit: its address had five mails within an hour. refused: the mail server refuses the address for good.
    -- expired: nobody took it for a day. unwritable: the order can't be read, or has no address.
    constraint order_mail_reason_is_known check (reason in ('address_limit', 'refused', 'expired', 'unwritable')),
    constraint order_mail_failure_has_a_reason check ((failed_at is null) = (reason is null))
);
-- Those that wait, which are few.
create index order_mails_by_due on order_mails (due_at) where sent_at is null and failed_at is null;
-- What happened lately. Only staff's steps and cancellations pay for it: placing an order writes none.
create index order_steps_by_time on order_steps (at);

-- Since when there is mail at all: nobody is told of what happened before. Written once, by the first server that is told how to send any.
create table mailing (
    only_row boolean     not null default true,
    since    timestamptz not null default now(),
    constraint mailing_is_one_row primary key (only_row),
    constraint mailing_is_never_false check (only_row)
);

-- The tries of the last hour that may have reached their address; begin_order_mail counts them. It holds one hour, so
-- that the count reads a few rows however many orders there are. A try that reached nobody is deleted again.
create table recent_mails (
    order_id  uuid        not null,
    state     text        not null,
    attempt   integer     not null, -- which try of this mail it is: 1, 2, ...
    recipient bytea       not null, -- mail_recipient of the order's email
    at        timestamptz not null,
    constraint recent_mail_is_once primary key (order_id, state, attempt)
);
create index recent_mails_by_recipient on recent_mails (recipient, at);
-- For the deletion of what is older than an hour.
create index recent_mails_by_time on recent_mails (at);

-- A digest of the mailbox that an email leads to: without upper case, and without a tag (ann+pizza@example.com),
-- because all of them reach the same person. A digest, because the table needs no readable addresses.
create function mail_recipient(email text) returns bytea
language sql immutable as $$
    select sha256(convert_to(regexp_replace(lower(email collate "C"), '^([^+]+)[+][^@]*@', '\1@'), 'UTF8'))
$$;

-- Gives a mail up, and says why. Staff who watch the order read it again: the notification names its last step.
create function fail_order_mail(the_id uuid, told text, why text, said text) returns void
language plpgsql as $$
begin
    update order_mails set failed_at = now(), reason = why, answer = coalesce(said, answer)
    where order_id = the_id and state = told and sent_at is null and failed_at is null;
    if found then
        perform pg_notify('order_moved', the_id || ' ' || (select count(*) from order_steps where order_id = the_id));
    end if;
end $$;

-- Begins a try of a mail, and sets when the next try is due. Answers begun, or why the mail is not sent now:
--
--     skipped   another transaction has the order locked and may take the step back; or the step was taken back; or the
--               mail has its end already
--     limited   five mails went to the address within an hour. A new mail is given up. A mail that was tried before may
--               have reached its guest half, so it waits until the hour of the oldest of the five is over.
create function begin_order_mail(the_id uuid, told text, since timestamptz, seconds bigint) returns text
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
        -- The mail is due again a second later: the server reads the first hundred that are due, and a hundred orders
        -- whose rows staff have locked would keep the others' mails waiting.
        perform from order_mails where order_id = the_id and state = told for update skip locked;
        if found then
            update order_mails set due_at = now() + interval '1 second' where order_id = the_id and state = told;
        end if;
        return 'skipped';
    end if;
    if told <> 'placed' and not exists (
        select from order_steps as step where order_id = the_id and state = told and at = since and kind = 'moved'
          and not exists (select from order_steps as back where back.order_id = the_id and back.step = step.step + 1 and back.kind = 'taken_back'))
    then
        delete from order_mails where order_id = the_id and state = told and attempts = 0;
        return 'skipped';
    end if;
    select attempts + 1 into this_attempt from order_mails
    where order_id = the_id and state = told and sent_at is null and failed_at is null;
    if not found then
        return 'skipped';
    end if;
    -- Two servers must not both count four mails to one address.
    perform pg_advisory_xact_lock(hashtextextended(encode(mailbox, 'hex'), 0));
    delete from recent_mails where at <= now() - interval '1 hour';
    select count(*), min(at) into mail_count, oldest from recent_mails where recipient = mailbox;
    if mail_count >= mails_an_hour then
        if this_attempt = 1 then
            perform fail_order_mail(the_id, told, 'address_limit', null);
        else
            update order_mails set due_at = oldest + interval '1 hour' where order_id = the_id and state = told;
        end if;
        return 'limited';
    end if;
    update order_mails set attempts = this_attempt, due_at = now() + seconds * interval '1 second'
    where order_id = the_id and state = told;
    insert into recent_mails (order_id, state, attempt, recipient, at)
    values (the_id, told, this_attempt, mailbox, now())
    on conflict on constraint recent_mail_is_once do update set recipient = excluded.recipient, at = excluded.at;
    return 'begun';
end $$;
grant execute on function
    begin_order_mail(uuid, text, timestamptz, bigint), fail_order_mail(uuid, text, text, text)
to welms_server;

grant select, insert, update on order_mails to welms_server;
grant select, insert on mailing to welms_server;
grant select, delete on recent_mails to welms_server;
grant select on order_mails, mailing to welms_staff;
