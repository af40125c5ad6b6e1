"""The processes of measurements and experiments: a PostgreSQL cluster and the server.

All files of a run are in one directory, which the caller makes and removes.
"""

import glob
import os
import pwd
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = os.path.abspath(f"{__file__}/../../../..")
BINARIES = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda p: int(p.split("/")[4]))[-1]
SEEDS = [a for name in ("menu", "options", "sales", "coupons") for a in ("--seed", f"{ROOT}/seed/{name}.sql")]
# PostgreSQL does not run as root.
BECOME = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] if os.geteuid() == 0 else []


def new_directory(prefix):
    """Makes a directory on a disk, where fsync has a cost. PostgreSQL's user can enter it."""
    directory = tempfile.mkdtemp(prefix=prefix, dir="/var/tmp")
    os.chmod(directory, 0o755)
    return directory


def free_port():
    """Returns a free port below the ephemeral range, so that no outgoing connection takes it."""
    while True:
        port = random.SystemRandom().randint(20000, 32000)
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def get(port, path, header="", timeout=5, method="GET"):
    """Sends one request on a new connection. Returns the status, the headers and the body."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as s:
        s.sendall(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}Connection: close\r\n\r\n".encode())
        data = b""
        while part := s.recv(65536):
            data += part
    head, _, body = data.partition(b"\r\n\r\n")
    if not head:
        raise ConnectionError("closed without an answer")
    head = head.decode()
    headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head.split("\r\n")[1:])}
    return int(head.split(" ")[1]), headers, body


def psql(url, text, output=None, options=""):
    """Runs SQL. Returns the output as text, or writes it to a file."""
    run = subprocess.run(
        [f"{BINARIES}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url, "-f", "-"],
        input=text,
        text=True,
        stdout=output or subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PGOPTIONS": options},
        cwd="/",
    )
    if run.returncode:
        raise RuntimeError(f"psql: {run.stderr.strip()}")
    return None if output else run.stdout.strip()


class Cluster:
    """A PostgreSQL cluster in a directory, with default durability."""

    def __init__(self, data, settings=(), port=5432):
        """`port` only names the socket, unless the settings make the cluster listen on an address."""
        self.data, self.settings, self.port, self.process = data, list(settings), port, None
        self.log = f"{data}.log"
        self.environment = {}

    @property
    def url(self):
        return self.url_of("welms")

    def url_of(self, database, role="postgres"):
        return f"postgresql://{role}@/{database}?host={self.data}&port={self.port}"

    def make(self, like=None, wal=None):
        """Initialises the cluster, or copies a stopped one, which is faster. `wal`: an empty directory for its log."""
        self.make_directory()
        if like:
            subprocess.run(BECOME + ["cp", "-a", f"{like.data}/.", self.data], check=True, cwd="/")
        else:
            subprocess.run(
                BECOME
                + [
                    f"{BINARIES}/initdb",
                    "-D",
                    self.data,
                    "-U",
                    "postgres",
                    "-A",
                    "trust",
                    "--locale=C.UTF-8",
                    "-E",
                    "UTF8",
                ],
                check=True,
                stdout=subprocess.DEVNULL,
                cwd="/",
            )
        if wal:
            subprocess.run(
                BECOME
                + [
                    "sh",
                    "-ec",
                    'cp -a "$1/pg_wal/." "$2"; rm -r "$1/pg_wal"; ln -s "$2" "$1/pg_wal"',
                    "sh",
                    self.data,
                    wal,
                ],
                check=True,
                cwd="/",
            )

    def copy(self, primary):
        """Makes this cluster the standby of a running cluster that listens on an address."""
        self.make_directory()
        subprocess.run(
            BECOME
            + [
                f"{BINARIES}/pg_basebackup",
                "-D",
                self.data,
                "-h",
                "127.0.0.1",
                "-p",
                str(primary.port),
                "-U",
                "postgres",
                "-R",
                "-c",
                "fast",
            ],
            stderr=subprocess.DEVNULL,
            check=True,
            cwd="/",
        )

    def make_directory(self):
        os.mkdir(self.data, 0o700)
        if BECOME:
            user = pwd.getpwnam("postgres")
            os.chown(self.data, user.pw_uid, user.pw_gid)

    def start(self, within=60):
        """Starts the cluster and waits until it is ready. Retries after a crash, until its old sessions have ended."""
        end = time.monotonic() + within
        settings = ["listen_addresses=", f"unix_socket_directories={self.data}", f"port={self.port}"] + self.settings
        while True:
            with open(self.log, "a") as log:
                self.process = subprocess.Popen(
                    BECOME + [f"{BINARIES}/postgres", "-D", self.data] + [a for s in settings for a in ("-c", s)],
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    cwd="/",
                    env=os.environ | self.environment,
                )
            while self.process.poll() is None:
                if self.is_ready():
                    return self
                if time.monotonic() > end:
                    raise RuntimeError("PostgreSQL does not start:\n" + tail(self.log))
                time.sleep(0.02)
            if time.monotonic() > end or "shared memory block" not in tail(self.log):
                raise RuntimeError("PostgreSQL does not start:\n" + tail(self.log))
            time.sleep(0.05)

    def is_ready(self):
        return (
            subprocess.run([f"{BINARIES}/pg_isready", "-q", "-h", self.data, "-p", str(self.port)], cwd="/").returncode
            == 0
        )

    def sql(self, text, database="welms", output=None, options=""):
        return psql(self.url_of(database), text, output, options)

    def stop(self, how=signal.SIGINT):
        """Stops the cluster. SIGINT ends sessions in order, SIGQUIT at once, and SIGKILL requires recovery at the next
        start."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(how)
            self.process.wait(60)


class Server:
    """A server process."""

    def __init__(self, program, url, log, arguments=(), port=None, owner=None):
        """Without `url` it uses an embedded PostgreSQL. `owner`: the URL of the owner role, for privileged work."""
        self.program, self.url, self.log, self.arguments, self.process = program, url, log, list(arguments), None
        self.port, self.owner = port or free_port(), owner
        self.environment = {}

    def start(self, *arguments, within=60):
        """Starts the server. Returns the seconds until it was ready."""
        begin = time.monotonic()
        database = (["--database-url", self.url] if self.url else []) + (
            ["--owner-url", self.owner] if self.owner else []
        )
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", *database, "--port", str(self.port), *self.arguments, *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                env={name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | self.environment,
            )
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() - begin > within:
                raise RuntimeError("the server does not start:\n" + tail(self.log))
            time.sleep(0.001)
        return time.monotonic() - begin

    def interrupted(self, how, after):
        """Starts the server and ends it after some seconds, ready or not."""
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--port", str(self.port), *self.arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                env=os.environ | {"DATABASE_URL": ""} | self.environment,
            )
        time.sleep(after)
        self.stop(how)

    def is_ready(self):
        try:
            return get(self.port, "/readyz")[0] == 200
        except OSError:
            return False

    def stop(self, how=signal.SIGTERM, within=20):
        """Ends the server. Returns its exit status."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(how)
            try:
                self.process.wait(within)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode

    def memory(self):
        """The peak resident memory in MB."""
        with open(f"/proc/{self.process.pid}/status") as f:
            return int(re.search(r"VmHWM:\s+(\d+)", f.read())[1]) / 1024


def tail(path, lines=15):
    with open(path, errors="replace") as f:
        return "".join(f.readlines()[-lines:])


def remove(directory):
    shutil.rmtree(directory, ignore_errors=True)
