# The built program as a server with an embedded PostgreSQL of its own in a directory of its own.
# Used by the browser tests beside this file, through shop.py, and by Tests/Tools/OpenAPI.

import contextlib
import glob
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

ROOT = os.path.abspath(f"{__file__}/../../../..")
PROGRAM = os.environ.get("WELMS", os.path.join(ROOT, ".build/debug/welms"))


def free_port():
    """A port below the range that outgoing connections take theirs from, so that none of those can have it."""
    while True:
        port = random.randint(20000, 32000)
        with contextlib.closing(socket.socket()) as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Shop:
    """A server that listens at `url`."""

    def __init__(self, *arguments):
        self.directory = tempfile.mkdtemp(prefix="welms-browser-")
        os.chmod(self.directory, 0o755)
        self.data = os.path.join(self.directory, "data")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = open(os.path.join(self.directory, "log"), "wb")
        self.arguments = arguments
        self.program = PROGRAM
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "serve", "--port", str(self.port), "--data-dir", self.data, *self.arguments],
            stdout=self.log, stderr=self.log, env={name: value for name, value in os.environ.items() if name != "DATABASE_URL"})
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
            time.sleep(0.1)

    def sql(self, text, database="welms"):
        """Runs SQL as staff do, and returns the last value."""
        address = subprocess.run([PROGRAM, "url", "--data-dir", self.data], check=True, capture_output=True, text=True).stdout.strip().replace("/welms?", f"/{database}?")
        # The program itself: what Debian has on the PATH is a script in Perl that looks for it.
        psql = (sorted(glob.glob("/usr/lib/postgresql/*/bin/psql")) or [shutil.which("psql")])[-1]
        done = subprocess.run([psql, "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", text], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def kill(self):
        """As a machine that is switched off ends it."""
        self.process.kill()
        self.process.wait()

    def close(self):
        self.stop()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)
