# The guest page without a network, and with files of another version.

import os
import re
import shutil
import tempfile
import unittest

from playwright.sync_api import Error

import test_page
from placing import TOKEN
from server import PROGRAM
from shop import AWAY_ERRORS, OFFLINE_ERRORS, PHONE, BrowserTest
from test_ordering import fill_form

CACHED = """async () => {
    const all = [];
    for (const name of await caches.keys()) for (const {url} of await (await caches.open(name)).keys())
        all.push([name, new URL(url).pathname]);
    return all;
}"""

UNTIL_CACHED = """async (version) => {
    for (const end = Date.now() + 10_000; Date.now() < end;) {
        const active = (await navigator.serviceWorker.getRegistration())?.active;
        if (active?.scriptURL.includes(version) && active.state === 'activated') return;
        await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error('the files were not cached');
}"""


class CachedPageTest(BrowserTest):
    """A page whose files the service worker caches."""

    def open(self, context, hash, until):
        page = context.new_page()
        page.goto(self.shop.url + "/" + hash)
        page.wait_for_selector(until)
        return page

    def version(self, page):
        return re.search("/assets/([0-9a-f]{32})/", page.get_attribute("script[type=module]", "src"))[1]

    def wait_until_cached(self, page):
        """Waits until the files of the page's version are cached."""
        page.evaluate(UNTIL_CACHED, self.version(page))


# All cached responses with their text.
TEXTS = """async () => {
    const all = [];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys())
            all.push([new URL(request.url).pathname, await (await cache.match(request)).text()]);
    }
    return all;
}"""


class OfflineTests(CachedPageTest):
    arguments = ("--staff-token", TOKEN)

    def test_offline_shows_cached_menu(self):
        """Without a network the page shows the cached menu and basket but cannot order; with it, all data is updated"""
        context = self.context(PHONE)
        page = self.open(context, "#/menu/200", "#list [data-item='2005']")
        page.click("[data-item='2005'] .button")
        page.wait_for_selector("#total, #count:has-text('1')")
        self.wait_until_cached(page)
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, 970)
        before = int(self.shop.sql("select count(*) from orders"))
        page.goto(self.shop.url + "/#/menu/200")
        context.set_offline(True)
        page.reload()
        page.wait_for_selector("#list [data-item='2005']")
        page.wait_for_selector(".banner.shown:has-text('You are offline')")
        self.assertEqual(page.inner_text("#count"), "1")
        page.click("#list [data-item='2005'] .button")
        page.wait_for_selector(".toast.problem:has-text('No internet connection')")
        page.goto(self.shop.url + "/#/basket")
        page.reload()
        page.wait_for_selector(".line:has-text('Patty Melt')")
        self.assertRegex(page.inner_text("#total"), r"^\$\d")
        page.wait_for_selector(".banner.shown:has-text('You are offline')")
        page.click("text=Go to the checkout")
        fill_form(page, 970)
        page.click("button[type=submit]")
        page.wait_for_selector(".order-strip.shown:has-text('Your order is waiting for the network')")
        page.click("text=Don’t send it")
        page.goto(self.shop.url + "/#/menu/200")
        page.wait_for_selector("#list [data-item='2005']")
        # Staff change the menu in the meantime.
        self.addCleanup(self.shop.sql, "update menu_items set title = 'Patty Melt' where id = 2005")
        self.shop.sql("update menu_items set title = 'Patty Melted' where id = 2005")
        page.wait_for_timeout(1_500)
        context.set_offline(False)
        page.wait_for_selector("#list [data-item='2005']:has-text('Patty Melted')")
        page.wait_for_selector(".banner.shown", state="detached")
        page.goto(self.shop.url + "/#/basket")
        page.wait_for_selector(".line:has-text('Patty Melted')")
        self.assertEqual(int(self.shop.sql("select count(*) from orders")), before)
        self.expected_errors += OFFLINE_ERRORS

    def test_cache_has_no_personal_data(self):
        """The cache contains the files and the menu, but nothing of an order, a quote or a guest"""
        context = self.context(PHONE)
        page = self.open(context, "#/items/2002", ".detail .price")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        self.wait_until_cached(page)
        fill_form(page, 971)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        page.goto(self.shop.url + "/#/orders")
        page.wait_for_selector(".orders .what p")
        kept = page.evaluate(CACHED)
        answers = {path for name, path in kept if name == "welms.answers"}
        self.assertIn("/kept/en/v1/menu/2002", answers)
        self.assertTrue(
            all(re.match(r"/kept/en/v1/(home|menu|sales|categories|shop)\b", path) for path in answers), answers
        )
        files = [path for name, path in kept if name != "welms.answers"]
        self.assertTrue(all(path == "/" or path.startswith("/assets/") for path in files), files)
        for name in (
            "app.js",
            "checkout/checkoutScreen.js",
            "basket/dishSheet.js",
            "guest.css",
            "words/de.json",
            "icon.svg",
            "typeface.woff2",
        ):
            self.assertTrue(any(path.endswith("/" + name) for path in files), name)
        stored = page.evaluate("JSON.stringify({...localStorage})")
        for word in ("ann971", "main street", "55501"):
            self.assertNotIn(word, stored.lower())
        # The device stores the basket's id and a copy without kitchen notes.
        page.goto(self.shop.url + "/#/items/2002")
        page.click("text=Add to basket")
        page.wait_for_function("() => localStorage['welms.basketVersion']")
        page.evaluate("""async () => {
            const path = `/v1/baskets/${JSON.parse(localStorage['welms.basket'])}/lines/1`;
            await fetch(path, {method: 'PATCH', headers: {'Content-Type': 'application/json'},
                body: '{"note": "no onions for Ann"}'});
        }""")
        page.goto(self.shop.url + "/#/basket")
        page.wait_for_selector("text=no onions for Ann")
        self.assertNotIn("onions", page.evaluate("JSON.stringify({...localStorage})"))
        names = page.evaluate("[Object.keys(localStorage).sort(), Object.keys(sessionStorage).sort()]")
        self.assertEqual(names[0], ["welms.basket", "welms.basketSeen", "welms.basketVersion", "welms.orders"])
        self.assertLessEqual(set(names[1]), {"welms.entered", "welms.form", "welms.fresh", "welms.over"})

    def test_private_pages_are_not_cached(self):
        """The staff page, an order and a receipt are never cached, and none of them is shown without a network"""
        context = self.context(PHONE)
        page = self.open(context, "#/items/2002", ".detail .price")
        self.wait_until_cached(page)
        page.reload()
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        self.assertTrue(page.evaluate("Boolean(navigator.serviceWorker.controller)"))
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, 972)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        order = page.url
        number = page.inner_text("h1").split()[-1]
        page.reload()
        page.wait_for_selector(".customer")
        page.evaluate("() => { window.printed = new Promise((done) => { window.print = done; }); }")
        with page.expect_response("**/receipt") as receipt:
            page.click("text=Print the receipt")
        self.assertIn(number, receipt.value.text())
        page.evaluate("() => window.printed")
        staff = context.new_page()
        staff.goto(self.shop.url + "/staff")
        staff.fill("#field-token", TOKEN)
        staff.keyboard.press("Enter")
        staff.wait_for_selector(f"[data-number='{number}']")
        staff.reload()
        staff.wait_for_selector("#field-token, .columns:not([hidden])")
        kept = page.evaluate(TEXTS)
        names = {path.split("/", 3)[-1] for path, _ in kept}
        self.assertLessEqual(
            {
                "app.js",
                "guest.css",
                "dish/dishForm.js",
                "basket/dishSheet.js",
                "orders/receipt.js",
                "checkout/checkoutScreen.js",
                "orders/orderScreen.js",
                "orders/orderListScreen.js",
                "v1/menu/2002",
            },
            names,
        )
        for path, text in kept:
            self.assertNotRegex(path, "/staff|/v1/orders|receipt(?!.js)", path)
            for word in (number, "ann972", "Ann Lee", TOKEN):
                self.assertNotIn(word, text, path)
        context.set_offline(True)
        with self.assertRaisesRegex(Error, "ERR_INTERNET_DISCONNECTED"):
            staff.goto(self.shop.url + "/staff")
        page.goto("about:blank")
        page.goto(order)
        page.wait_for_selector(".fault:has-text('You are offline')")
        self.assertNotIn("Ann Lee", page.inner_text("body"))
        self.expected_errors += OFFLINE_ERRORS

    def test_second_visit_makes_few_requests(self):
        """A second visit through the service worker makes at most three requests besides data"""
        context = self.context(PHONE)
        page = self.open(context, "#/", ".ticket")
        self.wait_until_cached(page)
        page.close()
        before = test_page.PageTests.asked(self)
        page = self.open(context, "#/", ".ticket")
        self.assertTrue(page.evaluate("Boolean(navigator.serviceWorker.controller)"))
        # The page checks for a new worker when the first view is complete.
        page.wait_for_timeout(2_500)
        counts = test_page.PageTests.asked(self) - before
        others = {
            route: number
            for route, number in counts.items()
            if not route.startswith(("/v1/", "/pictures/", "/metrics"))
        }
        self.assertLessEqual(sum(others.values()), 3, others)
        self.assertGreaterEqual(others.get("/", 0), 1)


class VersionTests(CachedPageTest):
    """A shop that restarts with another version of a file of the page."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        built = os.path.dirname(PROGRAM)
        cls.place = tempfile.mkdtemp(dir=built)
        cls.addClassCleanup(shutil.rmtree, cls.place)
        # The program looks for its files in its own directory.
        os.link(os.path.realpath(PROGRAM), os.path.join(cls.place, "welms"))
        for name in os.listdir(built):
            if name.endswith(".resources"):
                shutil.copytree(os.path.join(built, name), os.path.join(cls.place, name))

    def serve(self, mark):
        """Starts the server with the next version of the page, by changing one of its files."""
        self.shop.stop()
        self.shop.program = os.path.join(self.place, "welms")
        with open(os.path.join(self.place, "welms_Pages.resources/Storefront/parts/introAnimation.js"), "a") as file:
            file.write(f"document.documentElement.dataset.mark = '{mark}';\n")
        self.shop.start()

    def test_new_version_replaces_the_old(self):
        """The next visit takes the files of a new version, and never mixes two versions"""
        context = self.context(PHONE)
        page = self.open(context, "#/", ".ticket")
        self.wait_until_cached(page)
        versions = [self.version(page)]
        old = page
        for mark in ("one", "two"):
            self.serve(mark)
            page = self.open(context, "#/", ".ticket")
            # The page of the new version appears at the first load, although the worker of the old version controls it.
            self.assertTrue(page.evaluate("Boolean(navigator.serviceWorker.controller)"))
            self.assertEqual(page.get_attribute("html", "data-mark"), mark)
            self.wait_until_cached(page)
            versions.append(self.version(page))
            # The previous version stays for the tabs that show it; the version before that is deleted.
            kept = [
                (name.split("/")[2], path.split("/")[2])
                for name, path in page.evaluate(CACHED)
                if path.startswith("/assets/")
            ]
            self.assertEqual({place for place, _ in kept}, set(versions[-2:]))
            self.assertTrue(all(place == version for place, version in kept), kept)
            if mark == "one":
                # A tab of the old version still gets the old files.
                self.assertEqual(
                    old.evaluate(
                        "name => fetch(name).then((answer) => answer.headers.get('Cache-Control'))",
                        f"/assets/{versions[0]}/orders/orderListScreen.js",
                    ),
                    "public, max-age=31536000, immutable",
                )
            context.set_offline(True)
            page.reload()
            page.wait_for_selector(".banner.shown")
            self.assertEqual((self.version(page), page.get_attribute("html", "data-mark")), (versions[-1], mark))
            context.set_offline(False)
        self.assertEqual(len(set(versions)), 3)
        self.expected_errors += (*OFFLINE_ERRORS, *AWAY_ERRORS)


if __name__ == "__main__":
    unittest.main()
