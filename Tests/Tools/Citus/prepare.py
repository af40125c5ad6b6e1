#!/usr/bin/python3
"""The first half of `make test-citus`: makes a distributed shop in the database of DATABASE_URL.

    python3 -B Tests/Tools/Citus/prepare.py DATABASE_URL PROGRAM

In an empty database of a Citus cluster it makes a shop with the frozen migrations, a menu, baskets and orders, and
distributes it. Each node gets a sequence of order numbers, as earlier versions made them. Then it upgrades the shop by
the commands of the article, adds a node, and loads the files again. It checks the order numbers, the functions, the
privileges and the rows after each step.

A shop that exists already is only migrated, and the files are loaded again. Without Citus, nothing is distributed.
"""

import glob
import hashlib
import os
import re
import subprocess
import sys
import textwrap

ROOT = os.path.abspath(f"{__file__}/../../../..")
sys.path.insert(0, f"{ROOT}/Tests/Tools/Processes")
from processes import BINARIES, psql

LAST_FROZEN = 22
ARTICLE = f"{ROOT}/Sources/welms/welms.docc/ManyMachines.md"
SEEDS = [f"{ROOT}/seed/{name}.sql" for name in ("menu", "options", "sales", "coupons")]

# The table of the migrator (Sources/Database/Migrations/Migrator.swift).
MIGRATIONS_TABLE = """
    create table schema_migrations (
        name       text        not null constraint schema_migrations_pkey primary key,
        checksum   text        not null,
        applied_at timestamptz not null default now()
    )
"""

ROWS = """
    insert into baskets (id, state, currency, changed_at, lines_made, lines)
    select gen_random_uuid(), 'open', 'USD', now(), 1, array[row(1, 2001, null, 100, 1, null)::basket_line]
    from generate_series(1, 500);
    insert into orders (id, number, idempotency_key, fingerprint, name, phone, email, address,
        lines, subtotal, discount, total, currency, eta_minutes, placed_at, day_number)
    select gen_random_uuid(), order_number(nextval('order_sequence'), secret.order_number), 'key', '', 'Ann',
        '+1' || (3000000000 + n), 'ann.' || n || '@example.com', 'Somewhere',
        array[row(1, 2001, null, 805, 805, 0, null, 1, 'regular', 'The Big Tasty', null, null)::order_line],
        805, 0, 805, 'USD', 15, now(), n
    from generate_series(1, 300) as n cross join shop_secrets as secret;
"""

# The sequences that 001_distribute.sql made in earlier versions: each node counts in steps of 64 from its own start.
OLD_SEQUENCES = """
    select count(*) from run_command_on_all_nodes($node$
    do $do$
    declare
        node_id integer := (select groupid from pg_dist_local_group);
        first   bigint  := $node$ || (select last_value / 64 + 1 from order_sequence) || $node$ * 64;
    begin
        set local citus.enable_ddl_propagation to off;
        if node_id = 0 then
            alter sequence order_sequence increment by 64;
            perform setval('order_sequence', first, false);
        else
            execute format(
                'create sequence order_sequence minvalue 0 start %s maxvalue 99999999 increment by 64 no cycle',
                first + node_id);
            grant usage on sequence order_sequence to public;
        end if;
    end $do$
    $node$) where not success
"""

# The functions that workers execute.
WORKER_FUNCTIONS = """
    select md5(string_agg(proname || prosrc, '' order by proname, prosrc)) from pg_proc
    where pronamespace = 'public'::regnamespace and proname in ('write_baskets', 'place_orders', 'redeem_coupon',
        'checkout_number_source', 'order_number_origin', 'draw_order_number', 'take_slots', 'take_stock',
        'limit_lock_wait')
"""

PUBLIC_FUNCTIONS = """
    select count(*) from pg_proc
    where pronamespace = 'public'::regnamespace and has_function_privilege('public', pg_proc.oid, 'execute')
      and not exists (select from pg_depend
                      where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
"""


class CheckFailed(Exception):
    """A check failed."""


def check(condition, what):
    if not condition:
        raise CheckFailed(what)


def run(command, **variables):
    """Runs a shell command. Fails if it prints an error, also one of a worker in the result of a statement."""
    done = subprocess.run(
        ["bash", "-ec", command],
        cwd=ROOT,
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    check(done.returncode == 0 and "ERROR" not in done.stdout, f"{command}\n{done.stdout[-3000:]}")


class Shop:
    def __init__(self, url, program):
        self.url, self.program = url, os.path.abspath(program)

    def sql(self, text):
        return psql(self.url, text)

    def on_all_nodes(self, query):
        """The results of a query on all nodes: first that of the coordinator, then those of the workers."""
        rows = self.sql(
            "select success::text || ' ' || result from"
            f" run_command_on_all_nodes($query${query}$query$) join pg_dist_node using (nodeid) order by groupid"
        ).splitlines()
        check(rows and all(row.startswith("true ") for row in rows), f"{query}: {rows}")
        return [row.removeprefix("true ") for row in rows]

    def load(self, *files):
        for file in files:
            run(f'psql -X "$DATABASE_URL" -v ON_ERROR_STOP=1 -v shards=16 -f {file}', DATABASE_URL=self.url)

    def load_all(self):
        self.load(*sorted(glob.glob(f"{ROOT}/sql/distributed/*.sql")))

    def documented_commands(self, title):
        """The commands of a section of the article."""
        with open(ARTICLE) as f:
            section = f.read().split(f"\n### {title}\n")[1].split("\n##")[0]
        return [textwrap.dedent(block) for block in re.findall(r"```sh\n(.*?)```", section, re.S)]

    # The steps.

    def make_older(self):
        """Applies the frozen migrations and loads the menu, 500 baskets and 300 orders."""
        self.sql(MIGRATIONS_TABLE)
        for path in sorted(glob.glob(f"{ROOT}/sql/*.sql")):
            name = os.path.basename(path)
            if int(name[:3]) > LAST_FROZEN:
                continue
            run(
                f'psql -qX "$DATABASE_URL" -v ON_ERROR_STOP=1 --single-transaction -f {path} > /dev/null',
                DATABASE_URL=self.url,
            )
            with open(path, "rb") as f:
                checksum = hashlib.sha256(f.read()).hexdigest()
            self.sql(f"insert into schema_migrations (name, checksum) values ('{name}', '{checksum}')")
        for seed in SEEDS:
            self.sql(f"\\i {seed}")
        self.sql(ROWS)

    def distribute_older(self):
        """Distributes the shop with the sequences of earlier versions. Returns the numbers that the nodes draw."""
        self.load(*(glob.glob(f"{ROOT}/sql/distributed/00{n}_*.sql")[0] for n in range(1, 6)))
        failed = self.sql(OLD_SEQUENCES)
        check(failed == "0", f"{failed} nodes have no sequence")
        return [int(value) for _ in range(5) for value in self.on_all_nodes("select nextval('order_sequence')")]

    def upgrade(self):
        """Runs the commands of the article."""
        commands = self.documented_commands("Upgrading a distributed shop")
        check(len(commands) == 2, f"the article has {len(commands)} commands")
        for command in commands:
            run(
                command,
                DATABASE_URL=self.url,
                WELMS_OWNER_URL=self.url,
                PATH=f"{os.path.dirname(self.program)}:{BINARIES}:{os.environ['PATH']}",
            )

    # The checks.

    def check_numbers(self, drawn):
        """The coordinator continues after all drawn values, one by one, and no worker has a sequence."""
        check(len(set(drawn)) == len(drawn), f"a value was drawn twice: {sorted(drawn)}")
        sequences = self.on_all_nodes(
            "select count(*) from pg_class where relname in ('order_sequence', 'retired_order_sequence')"
        )
        check(sequences[0] == "1" and set(sequences[1:]) <= {"0"}, f"sequences on the nodes: {sequences}")
        values = [int(self.sql("select nextval('order_sequence')")) for _ in range(3)]
        check(values[0] > max(drawn, default=-1), f"{values[0]} is not after {max(drawn, default=-1)}")
        check(values == list(range(values[0], values[0] + 3)), f"the coordinator draws {values}")
        return drawn + values

    def check_nodes(self):
        functions = set(self.on_all_nodes(WORKER_FUNCTIONS))
        check(len(functions) == 1, "the nodes have different functions")
        public = self.on_all_nodes(PUBLIC_FUNCTIONS)
        check(set(public) == {"0"}, f"functions that PUBLIC may execute, by node: {public}")

    def check_rows(self):
        counts = self.sql("select (select count(*) from baskets), (select count(*) from orders)")
        check(counts == "500|300", f"baskets and orders: {counts}")
        distinct = self.sql("select count(distinct number) from orders")
        check(distinct == "300", f"{distinct} distinct order numbers")

    def check_all(self, drawn):
        self.check_rows()
        self.check_nodes()
        return self.check_numbers(drawn)

    def shards(self):
        return self.sql("select shardid, logicalrelid::regclass from pg_dist_shard order by 1")


def test_upgrade(shop):
    """Distributes an older shop with rows, upgrades it, adds a node, and loads the files again."""
    workers = shop.sql("select nodename, nodeport from pg_dist_node where groupid <> 0 and isactive order by nodeid")
    workers = [worker.split("|") for worker in workers.splitlines()]
    check(workers, "the cluster has no worker")
    coordinators = shop.sql("select count(*) from pg_dist_node where groupid = 0")
    check(coordinators == "1", "the coordinator is no node of its cluster: select citus_set_coordinator_host(…)")
    # The last worker joins later.
    late = workers[-1] if len(workers) > 1 else None
    if late:
        shop.sql(f"select citus_remove_node('{late[0]}', {late[1]})")
    shop.make_older()
    drawn = shop.distribute_older()
    shop.check_rows()
    print(f"distributed a shop with rows over {len(workers) - bool(late)} workers", flush=True)

    shop.upgrade()
    drawn = shop.check_all(drawn)
    print("upgraded it by the commands of the article", flush=True)

    if late:
        shop.sql(f"select citus_add_node('{late[0]}', {late[1]})")
        shop.load_all()
        shop.sql("select rebalance_table_shards(shard_transfer_mode => 'block_writes')")
        moved = shop.sql(
            "select count(*) from pg_dist_placement join pg_dist_node using (groupid) join pg_dist_shard using"
            " (shardid)"
            f" where nodename = '{late[0]}' and nodeport = {late[1]} and logicalrelid = 'baskets'::regclass"
        )
        check(int(moved) > 0, "the new node has no shard of the baskets")
        drawn = shop.check_all(drawn)
        print(f"added {late[0]}:{late[1]}, with {moved} shards of the baskets", flush=True)
    else:
        print("the cluster has one worker: the test of a node that joins later is skipped", flush=True)

    shards = shop.shards()
    shop.load_all()
    check(shop.shards() == shards, "loading the files again has changed the shards")
    shop.check_all(drawn)
    print("loaded the files again", flush=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    shop = Shop(*sys.argv[1:])
    is_citus = shop.sql("select exists (select from pg_extension where extname = 'citus')") == "t"
    is_new = shop.sql("select to_regclass('schema_migrations') is null") == "t"
    try:
        if is_citus and is_new:
            test_upgrade(shop)
        else:
            subprocess.run([shop.program, "migrate", "--database-url", shop.url], check=True)
            subprocess.run([shop.program, "seed", "--database-url", shop.url], check=True)
            if is_citus:
                shop.load_all()
                shop.check_nodes()
                print("The shop exists: the test of the upgrade needs an empty database.", flush=True)
            else:
                print("This database has no Citus extension: nothing is distributed.", flush=True)
    except CheckFailed as failure:
        sys.exit(f"FAILED: {failure}")


if __name__ == "__main__":
    main()
