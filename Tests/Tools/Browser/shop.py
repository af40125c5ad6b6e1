# What browser tests share: the real server of server.py, and a real Chromium.

import atexit
import functools
import json
import shutil
import unittest

from playwright.sync_api import sync_playwright

from server import PROGRAM, ROOT, Shop, free_port

# The first that is there. The shell is Chromium without its windows, and takes a sixth less time.
CHROMIUM = ("chromium-headless-shell", "chromium", "google-chrome")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1280, "height": 860}}
# What the browser says of a server that is away: for the page, and for the service worker whose newer form it looks for.
AWAY = ("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "fetching the script")
# The same where there is no network.
OFFLINE = ("ERR_INTERNET_DISCONNECTED", "fetching the script")
# What Playwright writes to the console of a page whose service worker it blocks.
BLOCKED = ("Service Worker registration blocked by Playwright",)


@functools.cache
def browser():
    """The browser that all tests of this process share; each guest has a context of their own."""
    playwright = sync_playwright().start()
    atexit.register(playwright.stop)
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])


class BrowserTest(unittest.TestCase):
    """A test with a browser and a shop, which its class shares. Whatever the page does, it logs no error and asks no other host."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.shop = Shop(*cls.arguments)
        cls.addClassCleanup(cls.shop.close)
        cls.browser = browser()

    def setUp(self):
        self.wrong = []
        self.forgiven = ()

    def answered(self, page, path, holds):
        """Waits until the server answers a read so that `holds`. A promise given to wait_for_function would be waited for by nobody."""
        page.evaluate(f"""async () => {{
            const end = Date.now() + 30_000;
            while (!({holds})(await (await fetch('{path}')).json())) {{
                if (Date.now() > end) throw new Error('{path} is not answered so');
                await new Promise((done) => setTimeout(done, 50));
            }}
        }}""")

    def tearDown(self):
        forgiven = (*self.forgiven, *BLOCKED)
        unforgiven = [line for line in self.wrong if not any(part in line for part in forgiven)]
        self.assertEqual(unforgiven, [], "the console, or another host")

    def context(self, device=DESKTOP, **options):
        """A guest of their own: storage, cookies, width."""
        context = self.browser.new_context(**{"locale": "en-US", "reduced_motion": "reduce", **device, **options})
        context.set_default_timeout(30_000)
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

    def visit_order(self, order, device=DESKTOP, **options):
        """The order's screen on the device that placed it, which keeps the access token of the checkout's answer."""
        page = self.context(device, **options).new_page()
        kept = {"id": order["id"], "number": order["number"], "at": order["placedAt"], "token": order["accessToken"]}
        page.add_init_script(f"localStorage['welms.orders'] = {json.dumps(json.dumps([{**kept, 'due': 0}]))}")
        page.goto(f"{self.shop.url}/#/orders/{order['id']}")
        return page

    def visit(self, hash="#/", device=DESKTOP, **options):
        page = self.context(device, **options).new_page()
        page.goto(self.shop.url + "/" + hash)
        return page
