# The basket and the orders of a device under adverse conditions: 503 answers, full storage, a clock that is days ahead,
# and a proxy that answers for the shop.

import http.server
import threading
import unittest

from shop import AWAY_ERRORS, PHONE
from test_offline import CachedPageTest
from test_ordering import fill_form

DAY = 24 * 3_600_000


class DeviceStorageTests(CachedPageTest):
    def with_burger(self, context):
        page = self.open(context, "#/items/2001", ".choosing .button")
        page.click("text=Add to basket")
        self.wait_for_count(page, 1)
        return page

    def submit_order(self, page, number):
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, number)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        return page.inner_text("h1").split()[-1]

    def test_unread_basket_is_not_empty(self):
        """A basket whose read is answered 503 is not shown as empty, in the basket and at the checkout, and loads
        later"""
        context = self.context(PHONE)
        page = self.with_burger(context)
        self.expected_errors += ("503",)
        page.add_init_script("if (location.protocol === 'http:') delete localStorage['welms.basketSeen'];")
        for hash, until in (("#/checkout", "#new-total"), ("#/basket", "#total")):
            refuse = lambda route: route.fulfill(
                status=503,
                content_type="application/problem+json",
                headers={"Retry-After": "1"},
                body='{"code": "overloaded", "detail": "We are very busy.", "status": 503}',
            )
            context.route("**/v1/baskets/*", refuse)
            page.goto("about:blank")
            page.goto(self.shop.url + "/" + hash)
            page.wait_for_selector("main .warn")
            self.assertEqual(page.locator(".empty").count(), 0)
            context.unroute("**/v1/baskets/*", refuse)
            page.wait_for_selector(until, timeout=10_000)

    def test_full_storage_allows_an_order(self):
        """With full storage a guest can order in one visit, and no request contains a null basket id"""
        context = self.context(PHONE)
        context.add_init_script(
            "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
        )
        asked = []
        context.on("request", lambda request: asked.append(request.url))
        page = self.with_burger(context)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('2')")
        page.evaluate("location.hash = '#/checkout'")
        page.wait_for_selector("#new-total")
        fill_form(page, 1031)
        page.click("button[type=submit]")
        page.wait_for_selector(".customer")
        self.assertEqual([url for url in asked if "/null" in url], [])

    def test_fast_clock_keeps_the_order(self):
        """A device whose clock is two days ahead keeps its order with the guest's details"""
        context = self.context(PHONE)
        page = self.with_burger(context)
        number = self.submit_order(page, 1032)
        address = page.url
        page.close()
        page = context.new_page()
        page.add_init_script(f"const now = Date.now; Date.now = () => now() + {2 * DAY};")
        page.goto(self.shop.url + "/#/orders")
        page.wait_for_selector(f".orders li:has-text('{number}')")
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector(".customer:has-text('12 Main Street')")
        page.goto("about:blank")
        page.goto(self.shop.url + "/#/")
        page.wait_for_selector(".ticket")
        self.assertIn(number, page.evaluate("localStorage['welms.orders']"))

    def test_proxy_error_shows_cached_page(self):
        """While a proxy answers 503 for the shop, the service worker shows the cached page"""
        context = self.context(PHONE)
        page = self.open(context, "#/", ".ticket")
        self.wait_until_cached(page)
        page.reload()
        page.wait_for_selector(".ticket")
        self.assertTrue(page.evaluate("Boolean(navigator.serviceWorker.controller)"))

        class Proxy(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(503)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<h1>503 Service Unavailable</h1>")

            def log_message(self, *_):
                pass

        self.expected_errors += ("503", *AWAY_ERRORS)
        self.shop.stop()
        self.addCleanup(self.shop.start)
        http.server.ThreadingHTTPServer.allow_reuse_address = True
        proxy = http.server.ThreadingHTTPServer(("127.0.0.1", self.shop.port), Proxy)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        page.reload()
        page.wait_for_selector(".tabs [data-tab=menu]")
        self.assertEqual(page.locator("text=503 Service Unavailable").count(), 0)


if __name__ == "__main__":
    unittest.main()
