"""Nobody can write though the database is there: a right is taken away, somebody's transaction holds a table, a function's library is broken,
each order is refused. Each is told once, within 5 seconds, and so is its end; guests hear 503 and go on afterwards."""

import contextlib
import time

import exactness
from experiment import outcome
from guests import Guests
from holding import Holder
from listening import Listener
from processes import get
from shop import Shop

NAME = "writes-fail"
MUST_HOLD = "told once within 5 s, 503 and never 500, its end told once; exact"
IS_TIMED = True
TOLD = 5
REFUSE = """create function refuse() returns trigger language plpgsql as $$ begin raise 'no' using errcode = 'XX000'; end $$;
    create trigger refuse before insert on orders for each row execute function refuse()"""


def run(scale):
    wrong, figures = [], []
    # A guest who is refused asks again a dozen times a second, as the storefront's never would.
    with Shop(scale, arguments=["--database-timeout", "2"]) as shop, Guests([shop.server.port], scale.random, count=16) as guests:
        sql = shop.cluster.sql

        def statements(begin, end):
            @contextlib.contextmanager
            def hold():
                sql(begin)
                yield
                sql(end)
            return hold

        cases = {
            "revoked execute": statements("revoke execute on function place_orders from welms_server", "grant execute on function place_orders to welms_server"),
            "open DDL": lambda: Holder(shop.cluster.url, "alter table orders add column forgotten integer"),
            "revoked select": statements("revoke select on baskets from welms_server", "grant select on baskets to welms_server"),
            "renamed column": statements("alter table orders rename column fingerprint to thumbprint", "alter table orders rename column thumbprint to fingerprint"),
            "read-only": statements("alter database welms set default_transaction_read_only = on; select pg_terminate_backend(pid) from pg_stat_activity where usename = 'welms_server'",
                                    "begin read write; alter database welms reset default_transaction_read_only; commit; select pg_terminate_backend(pid) from pg_stat_activity where usename = 'welms_server'"),
            "a trigger that fails": statements(REFUSE, "drop trigger refuse on orders; drop function refuse"),
        }
        with Listener(shop.server.port, "/v1/errors/events") as errors:
            for name, hold in cases.items():
                if not scale.is_full and name not in ("revoked execute", "open DDL"):
                    continue
                guests.wait_for(scale.pick(64, 16))
                heard = ordering(errors)
                begin = time.monotonic()
                with hold():
                    told = wait(errors, "fault", heard, 30)
                    if told is None:
                        wrong.append(f"{name}: nobody is told within 30 s")
                        continue
                    figures.append(f"{name} {told - begin:.1f} s")
                    if told - begin > TOLD:
                        wrong.append(f"{name}: told after {told - begin:.1f} s")
                    status, _, body = get(shop.server.port, "/readyz")
                    if status != 200 or b'"degraded"' not in body or b'"ordering"' not in body:
                        wrong.append(f"{name}: /readyz says {status} {body!r}")
                    # Long enough for it to be told twice.
                    time.sleep(scale.pick(10, 3))
                begin = time.monotonic()
                told = wait(errors, "recovery", heard, 30)
                if told is None:
                    wrong.append(f"{name}: its end is not told within 30 s")
                else:
                    figures[-1] += f" and {told - begin:.1f} s"
                time.sleep(scale.pick(3, 1))
                said = [event.name for event in errors.heard if event.data.get("subject") == "ordering"][heard:]
                if said != ["fault", "recovery"]:
                    wrong.append(f"{name}: the error channel said {said}")
        guests.wait_for(scale.pick(64, 16))
        guests.finish()
        wrong += guests.surprises + exactness.check(guests.told, shop.cluster.url, shop.server.port)
        if guests.statuses[500]:
            wrong.append(f"{guests.statuses[500]} × 500")
    return outcome(wrong, f"told after and over after: {', '.join(figures)}; {guests.statuses[503]} × 503, {len(guests.told)} orders exact")


def ordering(errors):
    return sum(event.data.get("subject") == "ordering" for event in errors.heard)


def wait(errors, name, after, within):
    """When the first such word on ordering came, after so many on it."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        for event in [event for event in errors.heard if event.data.get("subject") == "ordering"][after:]:
            if event.name == name:
                return event.at
        time.sleep(0.01)
    return None
