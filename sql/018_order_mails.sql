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
    answer    text,                             -- what the mail server said to it last; it may name the guest
    constraint order_mail_is_once primary key (order_id, state),
    constraint order_mail_tells_a_state check (state in ('placed', 'accepted', 'on_the_way', 'rejected', 'cancelled')),
    constraint order_mail_has_one_end check (sent_at is null or failed_at is null)
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

-- Begins to send a mail, and says when it is tried again; false where nobody should send it. Who is at the order may be taking back what this mail
-- tells: it waits for its next turn then. What was taken back is told to nobody.
create function begin_order_mail(the_id uuid, told text, since timestamptz, seconds bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from orders where id = the_id for share skip locked;
    if not found then
        return false;
    end if;
    if told <> 'placed' and not exists (
        select from order_steps as step where order_id = the_id and state = told and at = since and kind = 'moved'
          and not exists (select from order_steps as back where back.order_id = the_id and back.step = step.step + 1 and back.kind = 'taken_back'))
    then
        delete from order_mails where order_id = the_id and state = told and attempts = 0;
        return false;
    end if;
    update order_mails set attempts = attempts + 1, due_at = now() + seconds * interval '1 second'
    where order_id = the_id and state = told and sent_at is null and failed_at is null;
    return found;
end $$;
revoke execute on function begin_order_mail(uuid, text, timestamptz, bigint) from public;
grant execute on function begin_order_mail(uuid, text, timestamptz, bigint) to welms_server;

grant select, insert, update on order_mails to welms_server;
grant select, insert on mailing to welms_server;
grant select on order_mails, mailing to welms_staff;
