"""The database runs but writes fail: a privilege is revoked, a transaction locks a table, a column is renamed, the
database is read-only, or a trigger rejects each order. The server must report one fault within 5 s and one recovery.
Guests are answered 503 and continue afterwards."""

import contextlib
import time

import consistency
from experiment import outcome
from guests import Guests
from lock_holder import LockHolder
from event_listener import EventListener
from processes import get
from shop import Shop

NAME = "writes-fail"
EXPECTED = "one fault within 5 s, one recovery; 503 and never 500; consistent"
IS_TIMED = True
REPORT_LIMIT = 5
REFUSE = """
    create function refuse() returns trigger language plpgsql as $$ begin raise 'no' using errcode = 'XX000'; end $$;
    create trigger refuse before insert on orders for each row execute function refuse()"""


def run(scale):
    problems, figures = [], []
    # After a 503, these guests retry a dozen times a second, far more often than a storefront.
    with Shop(scale, arguments=["--database-timeout", "2"]) as shop, Guests(
        [shop.server.port], scale.random, count=16
    ) as guests:
        sql = shop.cluster.sql

        def statements(begin, end):
            @contextlib.contextmanager
            def hold():
                sql(begin)
                yield
                sql(end)
            return hold

        cases = {
            "revoked execute": statements(
                "revoke execute on function place_orders from welms_server",
                "grant execute on function place_orders to welms_server",
            ),
            "open DDL": lambda: LockHolder(shop.cluster.url, "alter table orders add column forgotten integer"),
            "revoked select": statements(
                "revoke select on baskets from welms_server", "grant select on baskets to welms_server"
            ),
            "renamed column": statements(
                "alter table orders rename column fingerprint to thumbprint",
                "alter table orders rename column thumbprint to fingerprint",
            ),
            "read-only": statements(
                "alter database welms set default_transaction_read_only = on; select pg_terminate_backend(pid) from"
                " pg_stat_activity where usename = 'welms_server'",
                "begin read write; alter database welms reset default_transaction_read_only; commit; select"
                " pg_terminate_backend(pid) from pg_stat_activity where usename = 'welms_server'",
            ),
            "a trigger that fails": statements(REFUSE, "drop trigger refuse on orders; drop function refuse"),
        }
        with EventListener(shop.server.port, "/v1/errors/events") as errors:
            for name, hold in cases.items():
                if not scale.is_full and name not in ("revoked execute", "open DDL"):
                    continue
                guests.wait_for(scale.pick(64, 16))
                earlier = ordering_events(errors)
                begin = time.monotonic()
                with hold():
                    reported_at = wait_for_event(errors, "fault", earlier, 30)
                    if reported_at is None:
                        problems.append(f"{name}: no fault is reported within 30 s")
                        continue
                    figures.append(f"{name} {reported_at - begin:.1f} s")
                    if reported_at - begin > REPORT_LIMIT:
                        problems.append(f"{name}: reported after {reported_at - begin:.1f} s")
                    status, _, body = get(shop.server.port, "/readyz")
                    if status != 200 or b'"degraded"' not in body or b'"ordering"' not in body:
                        problems.append(f"{name}: /readyz answers {status} {body!r}")
                    # Waits long enough to detect a second fault.
                    time.sleep(scale.pick(10, 3))
                begin = time.monotonic()
                reported_at = wait_for_event(errors, "recovery", earlier, 30)
                if reported_at is None:
                    problems.append(f"{name}: the recovery is not reported within 30 s")
                else:
                    figures[-1] += f" and {reported_at - begin:.1f} s"
                time.sleep(scale.pick(3, 1))
                events = [event.name for event in errors.events if event.data.get("subject") == "ordering"][earlier:]
                if events != ["fault", "recovery"]:
                    problems.append(f"{name}: the error channel reported {events}")
        guests.wait_for(scale.pick(64, 16))
        guests.finish()
        problems += guests.surprises + consistency.check(guests.acknowledged, shop.cluster.url, shop.server.port)
        if guests.statuses[500]:
            problems.append(f"{guests.statuses[500]} × 500")
    return outcome(
        problems,
        f"fault and recovery reported after: {', '.join(figures)}; {guests.statuses[503]} × 503,"
        f" {len(guests.acknowledged)} orders consistent",
    )


def ordering_events(errors):
    return sum(event.data.get("subject") == "ordering" for event in errors.events)


def wait_for_event(errors, name, after, within):
    """Skips the first `after` events of ordering. Returns the time at which the next one with the name arrived, or
    None if none arrives in time."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        for event in [event for event in errors.events if event.data.get("subject") == "ordering"][after:]:
            if event.name == name:
                return event.received_at
        time.sleep(0.01)
    return None
