# The real server for browser tests: the built program on an embedded PostgreSQL in a directory of its own, and a real Chromium.
# Used by the tests beside this file and by screenshots.py.

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request

from playwright.sync_api import sync_playwright

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("WELMS", os.path.join(ROOT, ".build/debug/welms"))
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1280, "height": 860}}


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
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", str(self.port), "--data-dir", self.data, *self.arguments],
            stdout=self.log, stderr=self.log, env={**os.environ, "DATABASE_URL": ""} if "DATABASE_URL" in os.environ else None)
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
        psql = shutil.which("psql") or sorted(
            os.path.join("/usr/lib/postgresql", name, "bin/psql") for name in os.listdir("/usr/lib/postgresql"))[-1]
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

    def close(self):
        self.stop()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)


class BrowserTest(unittest.TestCase):
    """A test with a browser and a shop, which its class shares. Whatever the page does, it logs no error and asks no other host."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.shop = Shop(*cls.arguments)
        cls.addClassCleanup(cls.shop.close)
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"), args=["--no-sandbox", "--disable-dev-shm-usage"])
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.wrong = []
        self.forgiven = ()

    def tearDown(self):
        unforgiven = [line for line in self.wrong if not any(part in line for part in self.forgiven)]
        self.assertEqual(unforgiven, [], "the console, or another host")

    def context(self, device=DESKTOP, **options):
        """A guest of their own: storage, cookies, width."""
        context = self.browser.new_context(**{"locale": "en-US", "reduced_motion": "reduce", **device, **options})
        context.set_default_timeout(8_000)
        self.addCleanup(context.close)
        context.on("page", self.watch)
        return context

    def watch(self, page):
        page.on("console", lambda message: message.type in ("error", "warning") and self.wrong.append(f"{message.type}: {message.text} {message.location.get('url', '')}"))
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("request", lambda request: self.stays(request.url))

    def stays(self, url):
        if not url.startswith((self.shop.url, "data:", "blob:")):
            self.wrong.append(f"another host: {url}")

    def visit(self, hash="#/", device=DESKTOP, **options):
        page = self.context(device, **options).new_page()
        page.goto(self.shop.url + "/" + hash)
        return page
