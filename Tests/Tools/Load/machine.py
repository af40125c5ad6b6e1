"""The processes of a benchmark and their CPU use: PostgreSQL, the server, the references and the load generators.

All files are in one directory under /var/tmp, on a disk, where fsync has a cost. It is removed at the end.
"""

import glob
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{os.path.dirname(HERE)}/Processes")

from measures import percentiles, processor_seconds
from processes import BINARIES, ROOT, Cluster, Server, free_port, get, new_directory, remove

# WELMS=/path/to/welms measures another program with the same schema.
SERVER = os.environ.get("WELMS", f"{ROOT}/.build/release/welms")
NGINX_HEADER = 161  # bytes of the header of nginx's 201


class Machine:
    is_profiled = False

    def __init__(self):
        # The overload opens 2,048 connections, and the server inherits the limit.
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16384) if hard > 0 else 16384, hard))
        self.directory = new_directory("welms-bench-")
        self.server = self.nginx = self.service = self.postgres = None
        self.nginx_port, self.service_port = free_port(), free_port()
        self.load_program = f"{self.directory}/load"
        self.compile("load.c", self.load_program)
        self.environment = os.environ | {"PGOPTIONS": "-csearch_path=public,reference"}

    @staticmethod
    def compile(source, program, *libraries):
        subprocess.run(["cc", "-O2", "-Wall", "-Werror", "-o", program, f"{HERE}/{source}", *libraries], check=True)

    # PostgreSQL has its default settings, except for more connections, memory and log. The durability settings are
    # checked.

    def start_cluster(self, *settings):
        self.cluster = Cluster(
            f"{self.directory}/data", ["max_connections=300", "shared_buffers=512MB", "max_wal_size=4GB", *settings]
        )
        self.cluster.make()
        self.postgres = self.cluster.start().process
        self.data = self.cluster.data
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert self.cluster.sql(f"show {setting}", database="postgres") == "on", setting

    def start_postgres(self):
        self.start_cluster()
        self.cluster.sql("create database welms", database="postgres")
        self.server_process = Server(SERVER, self.cluster.url, f"{self.directory}/server.log")
        # Up to 2,048 connections come from one address. Servers of older commits ignore this setting.
        self.server_process.environment = {"WELMS_CONNECTION_LIMIT_CLIENT": "10000"}
        self.server_port = self.server_process.port

    def sql(self, text, output=None):
        """Runs SQL. Returns the output as text, or writes it to a file."""
        return self.cluster.sql(text, output=output, options=self.environment["PGOPTIONS"])

    # The server.

    def start_server(self, *arguments):
        """Starts the server. Returns the seconds until it was ready."""
        duration = self.server_process.start(*arguments)
        self.server = self.server_process.process
        return duration

    def stop_server(self):
        self.server_process.stop()

    def server_memory(self):
        return self.server_process.memory()

    def start_nginx(self, page=b"", answer_bytes=0):
        """Starts nginx with a page at /page, and with an answer of this size to a checkout. Replaces a running one.
        Returns the answer for the page."""
        if self.nginx:
            self.nginx.terminate()
            self.nginx.wait(15)
        kib, rest = divmod(max(answer_bytes - NGINX_HEADER, 0), 1024)
        os.makedirs(f"{self.directory}/www", exist_ok=True)
        with open(f"{self.directory}/www/page", "wb") as f:
            f.write(page)
        with open(f"{HERE}/nginx.conf") as f:
            text = f.read()
        for name, value in (
            ("USER", "user root;" if os.geteuid() == 0 else ""),
            ("DIRECTORY", self.directory),
            ("PORT", str(self.nginx_port)),
            ("KIB", "x" * 1024),
            ("ANSWER", "${kib}" * kib + "x" * rest),
        ):
            text = text.replace(f"@{name}@", value)
        with open(f"{self.directory}/nginx.conf", "w") as f:
            f.write(text)
        self.nginx = subprocess.Popen(
            ["/usr/sbin/nginx", "-p", self.directory, "-c", f"{self.directory}/nginx.conf"], stderr=subprocess.DEVNULL
        )
        for _ in range(200):
            try:
                return get(self.nginx_port, "/page")
            except OSError:
                time.sleep(0.02)
        raise SystemExit("nginx did not start")

    def start_service(self, connections):
        """Starts the Go service, built from Debian's packages only, with this number of database connections. Replaces
        a running one."""
        if self.service:
            self.service.terminate()
            self.service.wait(15)
        program, environment = f"{self.directory}/service", os.environ | {
            "GOPATH": "/usr/share/gocode",
            "GO111MODULE": "off",
            "GOCACHE": f"{self.directory}/go",
        }
        if not os.path.exists(program):
            subprocess.run(["go", "build", "-o", program, f"{HERE}/service.go"], check=True, env=environment)
        database = {
            "PGHOST": self.data,
            "PGPORT": str(self.cluster.port),
            "PGUSER": "postgres",
            "PGDATABASE": "welms",
            "PGSSLMODE": "disable",
        }
        self.service = subprocess.Popen([program, str(self.service_port), str(connections)], env=os.environ | database)
        for _ in range(500):
            try:
                return get(self.service_port, "/")
            except OSError:
                time.sleep(0.02)
        raise SystemExit("the service in Go did not start")

    # One run of a load generator, with the CPU use of each process.

    def metered(self, run):
        pids = {"server": [self.server], "PostgreSQL": [self.postgres], "others": [self.nginx, self.service]}
        pids = {
            name: [process.pid for process in processes if process and process.poll() is None]
            for name, processes in pids.items()
        }
        before = {name: sum(map(processor_seconds, each)) for name, each in pids.items()}
        children, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        result = self.profiled(run) if self.is_profiled else run()
        elapsed, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        result["used"] = {name: sum(map(processor_seconds, each)) - before[name] for name, each in pids.items()}
        result["used"]["load"] = after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
        result["cores"] = {name: seconds / elapsed for name, seconds in result["used"].items()}
        if self.server:
            result["memory"] = self.server_memory()
        return result

    def load(self, *arguments, port=None, connections=64):
        """Runs the HTTP load generator. Latencies are (p50, p99, p99.9, maximum) in ms."""
        def run():
            output = subprocess.run(
                [self.load_program, "-p", str(port or self.server_port), "-c", str(connections), *map(str, arguments)],
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
            r = json.loads(output)
            for name in ("good", "bad", "badSinceSent"):
                r[name] = [us / 1000 for us in r[name]]
            r["placed"] = r["statuses"].get("201", 0)
            r["latency"] = r["good"]
            r["rate"] = sum(n for s, n in r["statuses"].items() if s[0] == "2" or s == "304") / max(r["seconds"], 1e-9)
            return r
        return self.metered(run)

    def pgbench(self, script, clients, transactions, **variables):
        """Runs pgbench -M prepared with this number of transactions per client."""
        def run():
            log = f"{self.directory}/pgbench"
            command = [
                f"{BINARIES}/pgbench",
                "-n",
                "-M",
                "prepared",
                "-c",
                str(clients),
                "-j",
                str(min(clients, os.cpu_count())),
                "-t",
                str(transactions),
                "-l",
                f"--log-prefix={log}",
                "-f",
                f"{HERE}/{script}",
                "-h",
                self.data,
                "-U",
                "postgres",
                "-D",
                "i=0",
                "-D",
                f"clients={clients}",
            ]
            for name, value in variables.items():
                command += ["-D", f"{name}={value}"]
            done = subprocess.run(
                command + ["welms"], capture_output=True, text=True, env=self.environment, cwd=self.directory
            )
            if done.returncode:
                raise SystemExit(done.stdout + done.stderr)
            times = []
            for path in glob.glob(f"{log}.*"):
                with open(path) as f:
                    times += [int(line.split(" ", 3)[2]) for line in f]
                os.unlink(path)
            rate = float(re.search(r"tps = ([\d.]+) \(without", done.stdout)[1])
            return {"rate": rate, "latency": percentiles(times), "placed": len(times)}
        return self.metered(run)

    def probing(self, path):
        """Requests a path every 50 ms until the returned function is called. It returns (status, ms) of each answer."""
        is_over, answers = threading.Event(), []

        def ask():
            while not is_over.wait(0.05):
                begin = time.monotonic()
                try:
                    status = get(self.server_port, path)[0]
                except OSError:
                    status = 0
                answers.append((status, (time.monotonic() - begin) * 1000))
        thread = threading.Thread(target=ask)
        thread.start()

        def stop():
            is_over.set()
            thread.join()
            return answers
        return stop

    def profiled(self, run):
        """Samples all cores during a run, and adds the functions of the server and of PostgreSQL to the result."""
        data = f"{self.directory}/perf"
        recorder = subprocess.Popen(
            ["perf", "record", "-q", "-a", "-g", "-e", "cpu-clock", "-F", "997", "-o", data], stderr=subprocess.DEVNULL
        )
        time.sleep(0.5)
        result = run()
        recorder.send_signal(signal.SIGINT)
        recorder.wait()
        text = ""
        for who, name in ((["--pid", str(self.server.pid)], "the server"), (["--comm", "postgres"], "PostgreSQL")):
            for kind, options in (
                ("itself", ["--no-children", "--sort", "dso,symbol"]),
                ("with what it calls", ["--children", "--sort", "symbol"]),
            ):
                command = [
                    "perf",
                    "report",
                    "--stdio",
                    "-g",
                    "none",
                    "-i",
                    data,
                    "--percentage",
                    "relative",
                    "--percent-limit",
                    "0.5",
                    *options,
                    *who,
                ]
                lines = subprocess.run(
                    command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
                ).stdout.splitlines()
                lines = [line.rstrip() for line in lines if "%" in line and not line.startswith("#")]
                text += f"-- {name}: {kind}\n" + "\n".join(lines[:100]) + "\n"
        demangled = subprocess.run(["swift", "demangle", "--simplified"], input=text, stdout=subprocess.PIPE, text=True)
        result["profile"] = demangled.stdout if demangled.returncode == 0 else text
        return result

    def close(self):
        for process in (self.nginx, self.service, self.server):
            if process and process.poll() is None:
                process.terminate()
                process.wait(15)
        if self.postgres and self.postgres.poll() is None:
            self.postgres.send_signal(signal.SIGINT)
            self.postgres.wait(60)
        remove(self.directory)
