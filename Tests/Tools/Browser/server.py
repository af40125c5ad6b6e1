# Runs the built program as a server. Each server has its own database in a PostgreSQL cluster that the process shares.
# The browser tests import it through shop.py; Tests/Tools/OpenAPI and Tests/Tools/Chaos import it directly.

import atexit
import contextlib
import functools
import itertools
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = os.path.abspath(f"{__file__}/../../../..")
PROGRAM = os.environ.get("WELMS", os.path.join(ROOT, ".build/debug/welms"))
sys.path.append(os.path.join(ROOT, "Tests/Tools/Processes"))

from processes import BINARIES, Cluster

# The roles of an embedded cluster (Sources/EmbeddedPostgres/ClusterRole.swift).
ROLES = """
    create role welms_owner login; create role welms_staff login; create role welms_server login;
    grant welms_staff, welms_server to welms_owner;
    create database template_shop owner welms_owner;
"""
NUMBERS = itertools.count(1)


def free_port():
    """A free port below the range of ephemeral ports, so that no outgoing connection can take it."""
    while True:
        port = random.randint(20000, 32000)
        with contextlib.closing(socket.socket()) as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


@functools.cache
def cluster():
    """The PostgreSQL cluster of this process. Its database `template_shop` contains the shop as shipped."""
    directory = tempfile.mkdtemp(prefix="welms-cluster-")
    os.chmod(directory, 0o755)
    postgres = Cluster(f"{directory}/data")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    postgres.make()
    postgres.start()
    atexit.register(postgres.stop)
    postgres.sql(ROLES, database="postgres")
    owner = ["--database-url", postgres.url_of("template_shop", "welms_owner")]
    for command in ("migrate", "seed"):
        subprocess.run(
            [PROGRAM, command, *owner], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=directory
        )
    return postgres


class Shop:
    """A running server at `url` with its own database."""

    def __init__(self, *arguments):
        self.directory = tempfile.mkdtemp(prefix="welms-browser-")
        self.database = f"shop_{next(NUMBERS)}"
        cluster().sql(f"create database {self.database} owner welms_owner template template_shop", database="postgres")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = open(os.path.join(self.directory, "log"), "wb")
        self.arguments = arguments
        self.program = PROGRAM
        self.start()

    def database_url(self, role="welms_owner"):
        """The libpq URL of the shop's database for one of its roles."""
        return cluster().url_of(self.database, role)

    def start(self):
        database = ["--database-url", self.database_url("welms_server"), "--owner-url", self.database_url()]
        self.process = subprocess.Popen(
            [self.program, "serve", "--port", str(self.port), *database, *self.arguments],
            # These tests do not poll /readyz while the server drains, so it need not wait for a load balancer.
            env={**os.environ, "DRAIN_SECONDS": "0"}, stdout=self.log, stderr=self.log, cwd=self.directory)
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(self.url + "/readyz", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                pass
            if self.process.poll() is not None or time.monotonic() > deadline:
                with open(self.log.name, "rb") as log:
                    raise RuntimeError("the server did not start:\n" + log.read().decode(errors="replace")[-3000:])
            time.sleep(0.01)

    def sql(self, text, database=None):
        """Runs SQL in one transaction as the shop's owner, and returns the last value. In another database it runs as
        superuser."""
        address = cluster().url_of(database) if database else self.database_url()
        command = [f"{BINARIES}/psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", text]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(result.stderr)
        return result.stdout.strip()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def kill(self):
        """Kills the process, like a machine that loses power."""
        self.process.kill()
        self.process.wait()

    def close(self):
        self.stop()
        self.log.close()
        cluster().sql(f"drop database {self.database} with (force)", database="postgres")
        shutil.rmtree(self.directory, ignore_errors=True)
