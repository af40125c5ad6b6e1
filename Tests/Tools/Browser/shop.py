# The base class of the browser tests: the server of server.py and a real Chromium.

import atexit
import functools
import json
import shutil
import unittest

from playwright.sync_api import sync_playwright

from server import PROGRAM, ROOT, Shop, free_port

# The tests use the first of these that is installed. The headless shell has no windows and is a sixth faster.
CHROMIUM = ("chromium-headless-shell", "chromium", "google-chrome")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1280, "height": 860}}
# Chromium's messages while the server is away, for the page and for the update check of the service worker.
AWAY_ERRORS = (
    "ERR_CONNECTION_REFUSED",
    "ERR_EMPTY_RESPONSE",
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "ERR_CONNECTION_RESET",
    "ERR_CONNECTION_CLOSED",
    "ERR_SOCKET_NOT_CONNECTED",
    "fetching the script",
)
# Chromium's messages without a network.
OFFLINE_ERRORS = ("ERR_INTERNET_DISCONNECTED", "fetching the script")
# Playwright's console message for a page whose service worker it blocks.
BLOCKED_WORKER = ("Service Worker registration blocked by Playwright",)


@functools.cache
def browser():
    """The browser that all tests of this process share. Each guest has a separate context."""
    playwright = sync_playwright().start()
    atexit.register(playwright.stop)
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])


class BrowserTest(unittest.TestCase):
    """A test with a browser and a shop, both shared by its class. It fails if the page logs an error or a warning, or
    sends a request to another host."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.shop = Shop(*cls.arguments)
        cls.addClassCleanup(cls.shop.close)
        cls.browser = browser()

    def setUp(self):
        self.problems = []
        self.expected_errors = ()

    def wait_for_count(self, page, count):
        """Waits until the server has stored a basket with this count on the screen of an item. The count alone changes
        before the answer, and a reload would cancel the request."""
        page.wait_for_selector(f"#count:has-text('{count}')")
        page.wait_for_selector(".detail .button.big:not([aria-busy])")

    def wait_for_focus(self, page, id):
        """Waits until the element with this id has the focus, which it gets after the page shows an answer."""
        page.wait_for_function("id => document.activeElement.id === id", arg=id)

    def wait_for_answer(self, page, path, condition):
        """Waits until `condition` is true for a JSON answer. It polls in a loop of its own, because wait_for_function
        does not await a promise."""
        page.evaluate(f"""async () => {{
            const end = Date.now() + 30_000;
            while (!({condition})(await (await fetch('{path}')).json())) {{
                if (Date.now() > end) throw new Error('{path} did not return the expected answer within 30 s');
                await new Promise((done) => setTimeout(done, 50));
            }}
        }}""")

    def tearDown(self):
        expected = (*self.expected_errors, *BLOCKED_WORKER)
        unexpected = [line for line in self.problems if not any(part in line for part in expected)]
        self.assertEqual(unexpected, [], "unexpected console messages or requests to another host")

    def context(self, device=DESKTOP, **options):
        """A new browser context: a guest with separate storage, cookies and screen size."""
        context = self.browser.new_context(**{"locale": "en-US", "reduced_motion": "reduce", **device, **options})
        context.set_default_timeout(30_000)
        self.addCleanup(context.close)
        context.on("page", self.watch)
        return context

    def watch(self, page):
        page.on(
            "console",
            lambda message: message.type in ("error", "warning")
            and self.problems.append(f"{message.type}: {message.text} {message.location.get('url', '')}"),
        )
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", lambda request: self.check_host(request.url))

    def check_host(self, url):
        if not url.startswith((self.shop.url, "data:", "blob:")):
            self.problems.append(f"request to another host: {url}")

    def visit_order(self, order, device=DESKTOP, **options):
        """Opens the order's screen on the device that placed it, which stores the checkout's access token."""
        page = self.context(device, **options).new_page()
        kept = {"id": order["id"], "number": order["number"], "at": order["placedAt"], "token": order["accessToken"]}
        page.add_init_script(f"localStorage['welms.orders'] = {json.dumps(json.dumps([{**kept, 'due': 0}]))}")
        page.goto(f"{self.shop.url}/#/orders/{order['id']}")
        return page

    def visit(self, hash="#/", device=DESKTOP, **options):
        page = self.context(device, **options).new_page()
        page.goto(self.shop.url + "/" + hash)
        return page
