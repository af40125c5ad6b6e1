"""PostgreSQL's files are exchanged under a server that runs: a damaged library and then a good one; the files of another minor version, as an
upgrade does it. The server runs them from a copy of its own. The other version is what apt would install; where that is the one that is
installed, or there is no apt, this part is left out."""

import contextlib
import glob
import os
import shutil
import subprocess
import time

import exactness
from experiment import outcome
from experiments.writes_fail import TOLD, ordering, wait
from guests import COUPONS, Guests
from listening import Listener
from processes import BINARIES, Server, psql, remove

NAME = "files-replaced"
MUST_HOLD = "told once within 5 s, 503 and never 500; not started from damaged files, and well again within 10 s of good ones; exact"
IS_TIMED = True
WELL = 10


def run(scale):
    directory, wrong, figures = scale.new_directory(), [], []
    programs = f"{directory}/{os.path.relpath(BINARIES, '/usr')}"
    shutil.copytree(os.path.dirname(BINARIES), os.path.dirname(programs), symlinks=True)
    # The programs find what they share where they find each other.
    os.symlink("/usr/share", f"{directory}/share")
    library = f"{os.path.dirname(programs)}/lib/plpgsql.so"
    data = f"{directory}/data"
    server = Server(scale.server, None, f"{directory}/server.log", ["--data-dir", data, "--postgres-programs", programs])
    try:
        server.start()
        url = subprocess.run([scale.server, "url", "--data-dir", data], check=True, capture_output=True, text=True).stdout.strip()
        psql(url, COUPONS % 100)
        with Guests([server.port], scale.random, count=16) as guests, Listener(server.port, "/v1/errors/events") as errors:
            guests.wait_for(16)
            first, began = postmaster(data), time.monotonic()
            good = open(library, "rb").read()
            exchange(library, good[::-1])
            # Sessions that have loaded it go on: these are new.
            psql(url, "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'welms_server'")
            told = wait(errors, "fault", 0, 30)
            if told is None:
                wrong.append("damaged: nobody is told within 30 s")
            else:
                figures.append(f"damaged: told after {told - began:.1f} s")
                if told - began > TOLD:
                    wrong.append(figures[-1])
            time.sleep(scale.pick(12, 3))
            if postmaster(data) != first:
                wrong.append("damaged: it was started anew from that")
            began = time.monotonic()
            exchange(library, good)
            is_well("mended", errors, guests, began, wrong, figures)
            if (said := [event.name for event in errors.heard if event.data.get("subject") == "ordering"]) != ["fault", "recovery"]:
                wrong.append(f"the error channel said {said}")
            guests.wait_for(16)
            # Not before it has been started anew: the files are others than those that it was started from.
            end = time.monotonic() + WELL
            while postmaster(data) == first and time.monotonic() < end:
                time.sleep(0.05)
            if postmaster(data) == first:
                wrong.append("mended: it still runs from the files that are gone")
            guests.wait_for(16)
            upgrade(scale, directory, programs, url, data, errors, guests, wrong, figures)
            guests.wait_for(16)
            guests.finish()
        wrong += guests.surprises + exactness.check(guests.told, url, server.port)
        if guests.statuses[500]:
            wrong.append(f"{guests.statuses[500]} × 500")
        return outcome(wrong, f"{'; '.join(figures)}; {guests.statuses[503]} × 503, {len(guests.told)} orders exact")
    finally:
        server.stop()
        # Root's clusters lie elsewhere, behind a link.
        remove(os.path.realpath(f"{data}/postgres"))


def upgrade(scale, directory, programs, url, data, errors, guests, wrong, figures):
    """All files by those of another minor version."""
    major = BINARIES.split("/")[4]
    other = f"{directory}/other"
    os.mkdir(other)
    if scale.is_full:
        with contextlib.suppress(OSError):
            subprocess.run(["apt-get", "download", f"postgresql-{major}"], cwd=other, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    before = version(url)
    packages = glob.glob(f"{other}/*.deb")
    if packages:
        subprocess.run(["dpkg", "-x", packages[0], other], check=True)
    release = subprocess.run([f"{other}{BINARIES}/postgres", "--version"], capture_output=True, text=True).stdout if packages else ""
    if not release or before in release:
        return figures.append("no other minor version to be had")
    first, heard, began = postmaster(data), ordering(errors), time.monotonic()
    for folder in ("bin", "lib"):
        for path in glob.glob(f"{other}{os.path.dirname(BINARIES)}/{folder}/*.so" if folder == "lib" else f"{other}{BINARIES}/*"):
            with open(path, "rb") as f:
                exchange(f"{os.path.dirname(programs)}/{folder}/{os.path.basename(path)}", f.read(), 0o755)
    began = time.monotonic()
    psql(url, "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'welms_server'")
    while time.monotonic() < began + 30:
        with contextlib.suppress(RuntimeError):
            if version(url) != before:
                break
        time.sleep(0.05)
    after = version(url)
    if after == before or postmaster(data) == first:
        return wrong.append(f"{before} still runs 30 s after its files were replaced")
    is_well(f"{before} → {after}", errors, guests, began, wrong, figures)
    said = [event.name for event in errors.heard if event.data.get("subject") == "ordering"][heard:]
    if said not in ([], ["fault", "recovery"]):
        wrong.append(f"{before} → {after}: the error channel said {said}")


def is_well(name, errors, guests, began, wrong, figures):
    """Nothing is wrong any more, and somebody has ordered."""
    end = began + 60
    while time.monotonic() < end:
        newest = {event.data.get("subject"): event.name for event in errors.heard}
        if "fault" not in newest.values():
            break
        time.sleep(0.01)
    guests.wait_for(1)
    figures.append(f"{name}: well after {time.monotonic() - began:.1f} s")
    if time.monotonic() > began + WELL:
        wrong.append(figures[-1])


def exchange(path, content, mode=0o644):
    """As a package manager does: the old file goes on for those who have it open."""
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
