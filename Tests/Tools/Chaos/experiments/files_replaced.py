"""Replaces PostgreSQL's files while a server runs: a library by a damaged one and back, then all files by another minor
version, as an upgrade does. The embedded PostgreSQL runs from a copy of the files. The other version is the one that
apt would install. This part is skipped if that version is already installed, or if there is no apt."""

import contextlib
import glob
import os
import shutil
import subprocess
import time

import consistency
from experiment import outcome
from experiments.writes_fail import REPORT_LIMIT, ordering_events, wait_for_event
from guests import COUPONS, Guests
from event_listener import EventListener
from processes import BINARIES, Server, psql, remove

NAME = "files-replaced"
EXPECTED = (
    "one fault within 5 s; 503 and never 500; no start from damaged files; recovered 10 s after good files; consistent"
)
IS_TIMED = True
RECOVERY_LIMIT = 10


def run(scale):
    directory, problems, figures = scale.new_directory(), [], []
    programs = f"{directory}/{os.path.relpath(BINARIES, '/usr')}"
    shutil.copytree(os.path.dirname(BINARIES), os.path.dirname(programs), symlinks=True)
    # The programs find their shared files relative to their own directory.
    os.symlink("/usr/share", f"{directory}/share")
    library = f"{os.path.dirname(programs)}/lib/plpgsql.so"
    data = f"{directory}/data"
    server = Server(
        scale.server, None, f"{directory}/server.log", ["--data-dir", data, "--postgres-programs", programs]
    )
    try:
        server.start()
        url = subprocess.run(
            [scale.server, "url", "--data-dir", data], check=True, capture_output=True, text=True
        ).stdout.strip()
        psql(url, COUPONS % 100)
        with Guests([server.port], scale.random, count=16) as guests, EventListener(
            server.port, "/v1/errors/events"
        ) as errors:
            guests.wait_for(16)
            first, began = postmaster(data), time.monotonic()
            content = open(library, "rb").read()
            replace_file(library, content[::-1])
            # Ends the sessions that have loaded the library, so that new ones load the damaged file.
            psql(url, "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'welms_server'")
            reported_at = wait_for_event(errors, "fault", 0, 30)
            if reported_at is None:
                problems.append("damaged: no fault is reported within 30 s")
            else:
                figures.append(f"damaged: reported after {reported_at - began:.1f} s")
                if reported_at - began > REPORT_LIMIT:
                    problems.append(figures[-1])
            time.sleep(scale.pick(12, 3))
            if postmaster(data) != first:
                problems.append("damaged: PostgreSQL was restarted from the damaged files")
            began = time.monotonic()
            replace_file(library, content)
            wait_for_recovery("repaired", errors, guests, began, problems, figures)
            if (events := [event.name for event in errors.events if event.data.get("subject") == "ordering"]) != [
                "fault",
                "recovery",
            ]:
                problems.append(f"the error channel reported {events}")
            guests.wait_for(16)
            # Waits for the restart: the files differ from those that PostgreSQL was started from.
            end = time.monotonic() + RECOVERY_LIMIT
            while postmaster(data) == first and time.monotonic() < end:
                time.sleep(0.05)
            if postmaster(data) == first:
                problems.append("repaired: PostgreSQL still runs from the old files")
            guests.wait_for(16)
            upgrade(scale, directory, programs, url, data, errors, guests, problems, figures)
            guests.wait_for(16)
            guests.finish()
        problems += guests.surprises + consistency.check(guests.acknowledged, url, server.port)
        if guests.statuses[500]:
            problems.append(f"{guests.statuses[500]} × 500")
        return outcome(
            problems,
            f"{'; '.join(figures)}; {guests.statuses[503]} × 503, {len(guests.acknowledged)} orders consistent",
        )
    finally:
        server.stop()
        # For root, the directory of the cluster is a symbolic link.
        remove(os.path.realpath(f"{data}/postgres"))


def upgrade(scale, directory, programs, url, data, errors, guests, problems, figures):
    """Replaces all files by those of another minor version."""
    major = BINARIES.split("/")[4]
    other = f"{directory}/other"
    os.mkdir(other)
    if scale.is_full:
        with contextlib.suppress(OSError):
            subprocess.run(
                ["apt-get", "download", f"postgresql-{major}"],
                cwd=other,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
    before = version(url)
    packages = glob.glob(f"{other}/*.deb")
    if packages:
        subprocess.run(["dpkg", "-x", packages[0], other], check=True)
    release = (
        subprocess.run([f"{other}{BINARIES}/postgres", "--version"], capture_output=True, text=True).stdout
        if packages
        else ""
    )
    if not release or before in release:
        return figures.append("no other minor version is available")
    first, earlier, began = postmaster(data), ordering_events(errors), time.monotonic()
    for folder in ("bin", "lib"):
        for path in glob.glob(
            f"{other}{os.path.dirname(BINARIES)}/{folder}/*.so" if folder == "lib" else f"{other}{BINARIES}/*"
        ):
            with open(path, "rb") as f:
                replace_file(f"{os.path.dirname(programs)}/{folder}/{os.path.basename(path)}", f.read(), 0o755)
    began = time.monotonic()
    psql(url, "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'welms_server'")
    while time.monotonic() < began + 30:
        with contextlib.suppress(RuntimeError):
            if version(url) != before:
                break
        time.sleep(0.05)
    after = version(url)
    if after == before or postmaster(data) == first:
        return problems.append(f"{before} still runs 30 s after its files were replaced")
    wait_for_recovery(f"{before} → {after}", errors, guests, began, problems, figures)
    events = [event.name for event in errors.events if event.data.get("subject") == "ordering"][earlier:]
    if events not in ([], ["fault", "recovery"]):
        problems.append(f"{before} → {after}: the error channel reported {events}")


def wait_for_recovery(name, errors, guests, began, problems, figures):
    """Waits until no fault is open and a guest has ordered."""
    end = began + 60
    while time.monotonic() < end:
        newest = {event.data.get("subject"): event.name for event in errors.events}
        if "fault" not in newest.values():
            break
        time.sleep(0.01)
    guests.wait_for(1)
    figures.append(f"{name}: recovered after {time.monotonic() - began:.1f} s")
    if time.monotonic() > began + RECOVERY_LIMIT:
        problems.append(figures[-1])


def replace_file(path, content, mode=0o644):
    """Replaces a file as a package manager does: processes that have the old one open keep it."""
    with open(f"{path}.new", "wb") as f:
        f.write(content)
    os.chmod(f"{path}.new", mode)
    os.rename(f"{path}.new", path)


def version(url):
    return psql(url, "show server_version").split()[0]


def postmaster(data):
    try:
        with open(f"{data}/postgres/data/postmaster.pid") as f:
            return int(f.readline())
    except (OSError, ValueError):
        return None
