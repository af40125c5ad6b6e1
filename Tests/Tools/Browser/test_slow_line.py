# Slow and unreliable networks: each tap changes the basket exactly once, and a sent order completes by itself.

import json
import unittest

from shop import AWAY_ERRORS, DESKTOP, OFFLINE_ERRORS, PHONE, BrowserTest
from test_ordering import fill_form

CHANGES = "**/v1/baskets/*/**"


class SlowLineTests(BrowserTest):
    def with_burger(self, device=PHONE, hash="#/basket", until="#total"):
        page = self.visit("#/items/2001", device)
        page.click("text=Add to basket")
        self.wait_for_count(page, 1)
        page.goto(self.shop.url + "/" + hash)
        page.wait_for_selector(until)
        return page

    def stored_quantity(self, page, item=2001):
        """The quantity in the database."""
        basket = json.loads(page.evaluate("localStorage.getItem('welms.basket')"))
        return page.evaluate(
            f"fetch('/v1/baskets/{basket}').then((answer) => answer.json()).then(({{lines}}) => lines.find((entry) =>"
            f" entry.menuItemId === {item})?.quantity ?? 0)"
        )

    def delay_changes(self, page, milliseconds=400):
        """Delays each change of the basket."""
        asked = []

        def delay(route):
            asked.append(route.request)
            page.wait_for_timeout(milliseconds)
            route.continue_()

        page.route(CHANGES, delay)
        return asked

    def tap_repeatedly(self, page, selector, times):
        """Taps the same place several times, whatever element is there at each tap."""
        box = page.locator(selector).bounding_box()
        for _ in range(times):
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def test_quick_taps_on_plus(self):
        """On a slow line, five quick taps on plus add five at once, and two on minus remove two"""
        page = self.with_burger()
        page.evaluate("window.line = document.querySelector('[data-line]')")
        self.delay_changes(page)
        self.tap_repeatedly(page, "[aria-label='One The Big Tasty more']", 5)
        self.assertEqual(page.text_content(".quantity"), "Quantity 6")
        self.assertEqual(page.inner_text("#count"), "6")
        page.wait_for_selector("#total:has-text('$48.30'):not(.pending)")
        self.assertEqual(self.stored_quantity(page), 6)
        self.tap_repeatedly(page, "[aria-label='One The Big Tasty less']", 2)
        self.assertEqual(page.text_content(".quantity"), "Quantity 4")
        page.wait_for_selector("#total:has-text('$32.20'):not(.pending)")
        self.assertEqual(self.stored_quantity(page), 4)
        self.assertTrue(page.evaluate("window.line.isConnected"), "the line's element must be kept under the finger")
        self.tap_repeatedly(page, "[aria-label='One The Big Tasty less']", 6)
        page.wait_for_selector(".empty")
        self.assertEqual(self.stored_quantity(page), 0)

    def test_quick_taps_on_add(self):
        """Each quick tap on a dish's button adds one, on the card and on the item page"""
        page = self.visit("#/menu/200", PHONE)
        page.wait_for_selector("[data-item='2001']")
        self.delay_changes(page)
        page.locator("[data-item='2001'] .button").scroll_into_view_if_needed()
        self.tap_repeatedly(page, "[data-item='2001'] .button", 5)
        self.assertEqual(page.inner_text("#count"), "5")
        page.wait_for_selector("[data-item='2001'] .button:not([aria-busy])")
        self.assertEqual(self.stored_quantity(page), 5)
        page.goto(self.shop.url + "/#/items/2001")
        page.wait_for_selector("text=Add to basket")
        self.tap_repeatedly(page, ".detail .button.big", 3)
        page.wait_for_selector(".detail .button.big:not([aria-busy])")
        self.assertEqual(self.stored_quantity(page), 8)

    def test_lost_change_is_made_once(self):
        """A change whose answer is lost or is 503 is applied once: the basket is read before the next request"""
        page = self.with_burger()

        def cut(route):
            route.abort("connectionreset")

        def refuse(route):
            route.fulfill(status=503, content_type="application/problem+json", headers={"Retry-After": "0"},
                          body='{"code": "database_unavailable", "detail": "The database went away.", "status": 503}')

        wanted = 1
        for is_made in (True, False):
            for answer in (cut, refuse):
                asked = []

                def lose_first(route):
                    asked.append(route.request)
                    if len(asked) > 1:
                        return route.continue_()
                    if is_made:
                        self.assertEqual(route.fetch().status, 200)
                    return answer(route)

                page.route(CHANGES, lose_first)
                self.tap_repeatedly(page, "[aria-label='One The Big Tasty more']", 3)
                wanted += 3
                page.wait_for_function(
                    "wanted => document.querySelector('.quantity').textContent === `Quantity ${wanted}` &&"
                    " !document.querySelector('.pending')",
                    arg=wanted,
                )
                self.assertEqual(self.stored_quantity(page), wanted, f"{answer.__name__}, made: {is_made}")
                page.unroute(CHANGES)
        self.assertEqual(page.locator(".toast.problem").count(), 0)
        self.expected_errors += ("ERR_CONNECTION_RESET", "503")

    def test_late_change_is_made_once(self):
        """A change that arrives after its retry is not applied twice"""
        page = self.with_burger()
        late = []

        def delay_first(route):
            if late:
                return route.continue_()
            late.append(route.request)
            return route.abort("connectionreset")

        page.route(CHANGES, delay_first)
        self.tap_repeatedly(page, "[aria-label='One The Big Tasty more']", 1)
        page.wait_for_selector("#total:has-text('$16.10'):not(.pending)")
        headers = {name: value for name, value in late[0].headers.items() if name in ("content-type", "if-match")}
        self.assertEqual(page.request.post(late[0].url, data=late[0].post_data, headers=headers).status, 412)
        self.assertEqual(self.stored_quantity(page), 2)
        self.expected_errors += ("ERR_CONNECTION_RESET", "412")

    def edit_line(self, page, quantity, note):
        """Opens the sheet of the first line and sets its quantity and its note."""
        page.click("[data-line-id='1'] .link")
        for _ in range(quantity):
            page.click("dialog [aria-label='One The Big Tasty more']")
        page.fill("dialog #field-note", note)

    def test_edit_with_lost_answer(self):
        """An edit whose answer is lost changes no merged line; on a conflict the sheet says so and keeps the
        selection"""
        page = self.with_burger()
        changes = f"{self.shop.url}/v1/baskets/{json.loads(page.evaluate('localStorage.getItem(`welms.basket`)'))}"
        self.assertEqual(
            page.request.post(f"{changes}/items", data={"menuItemId": 2001, "quantity": 3, "note": "rare"}).status, 200
        )
        page.reload()
        page.wait_for_selector("[data-line-id='2']")
        sent = []

        def lose(route):
            sent.append((route.request.method, "if-match" in route.request.headers, route.fetch().status))
            route.abort("connectionreset")

        page.route("**/lines/1", lose)
        self.edit_line(page, 1, "rare")
        page.click("dialog footer .button")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(sent, [("PATCH", True, 200)])
        self.assertEqual(page.text_content("[data-line-id='1'] .quantity"), "Quantity 5")
        self.assertEqual(self.stored_quantity(page), 5)
        page.unroute("**/lines/1")

        def overtake(route):
            page.request.post(f"{changes}/items", data={"menuItemId": 4001})
            route.abort("connectionreset")

        page.route("**/lines/1", overtake)
        self.edit_line(page, 2, "well done")
        page.click("dialog footer .button")
        page.wait_for_selector("dialog .warn:has-text('changed in the meantime')")
        self.assertEqual(self.stored_quantity(page), 5)
        page.unroute("**/lines/1")
        self.assertEqual(page.input_value("dialog #field-note"), "well done")
        page.click("dialog footer .button")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(page.text_content("[data-line-id='1'] .quantity"), "Quantity 7")
        self.assertEqual(self.stored_quantity(page), 7)
        self.expected_errors += ("ERR_CONNECTION_RESET", "412")

    def test_taps_in_two_tabs(self):
        """Simultaneous taps in two tabs all count"""
        page = self.with_burger()
        other = page.context.new_page()
        other.goto(self.shop.url + "/#/basket")
        other.wait_for_selector("#total")
        self.delay_changes(page)
        self.tap_repeatedly(page, "[aria-label='One The Big Tasty more']", 3)
        for _ in range(2):
            other.click("[aria-label='One The Big Tasty more']")
        for tab in (page, other):
            tab.wait_for_selector("#total:has-text('$48.30'):not(.pending)")
        self.assertEqual(self.stored_quantity(page), 6)
        self.expected_errors += ("412",)

    def test_refused_change(self):
        """After a rejected change the page shows the server's basket and the reason"""
        page = self.with_burger()
        self.addCleanup(self.shop.sql, "update menu_items set is_available = true where id = 2001")
        self.shop.sql("update menu_items set is_available = false where id = 2001")
        self.delay_changes(page, 100)
        self.tap_repeatedly(page, "[aria-label='One The Big Tasty more']", 4)
        page.wait_for_selector(".toast.problem:has-text('sold out')")
        page.wait_for_selector("#total:not(.pending)")
        self.assertEqual(page.text_content(".quantity"), "Quantity 1")
        self.assertEqual(page.inner_text("#count"), "1")
        page.context.set_offline(True)
        self.tap_repeatedly(page, "[aria-label='One The Big Tasty less']", 1)
        page.wait_for_selector(".toast.problem:has-text('No internet connection')")
        self.assertEqual(page.text_content(".quantity"), "Quantity 1")
        page.context.set_offline(False)
        self.assertEqual(self.stored_quantity(page), 1)
        self.expected_errors += ("409", "412", *OFFLINE_ERRORS)

    def orders(self):
        return int(self.shop.sql("select count(*) from orders"))

    def to_order(self, number, device=PHONE):
        page = self.with_burger(device, "#/checkout", "#new-total")
        fill_form(page, number)
        return page, self.orders()

    def test_offline_order_is_sent_once(self):
        """An order sent without a network is placed once when the network returns"""
        page, before = self.to_order(501)
        page.context.set_offline(True)
        page.click("button[type=submit]")
        page.wait_for_selector(".order-strip.shown:has-text('Your order is waiting for the network')")
        self.assertEqual(self.orders(), before)
        page.context.set_offline(False)
        page.wait_for_selector(".bill")
        self.assertEqual(self.orders(), before + 1)
        self.expected_errors += OFFLINE_ERRORS

    def test_withdraw_offline_order(self):
        """A guest can withdraw an order that waits for the network, and it is not sent"""
        page, before = self.to_order(502)
        page.context.set_offline(True)
        page.click("button[type=submit]")
        page.click("text=Don’t send it")
        page.context.set_offline(False)
        page.wait_for_selector(".banner.shown", state="detached")
        with page.expect_response("**/v1/checkout/validate"):
            page.type("#field-coupon", "x")
        self.assertEqual(self.orders(), before)
        self.assertEqual(page.locator(".bill").count(), 0)
        self.expected_errors += OFFLINE_ERRORS

    def test_answer_lost_with_network(self):
        """If the network fails before the answer, the page finds the same order when the network returns"""
        page, before = self.to_order(503)
        keys = []

        def lose(route):
            keys.append(route.request.headers["idempotency-key"])
            if len(keys) == 1:
                self.assertEqual(route.fetch().status, 201)
                page.context.set_offline(True)
                return route.abort("internetdisconnected")
            return route.continue_()

        page.route("**/v1/checkout", lose)
        page.click("button[type=submit]")
        page.wait_for_selector(".order-strip.shown:has-text('We don’t know yet whether your order has arrived')")
        self.assertEqual(page.locator("text=Don’t send it").count(), 0)
        page.context.set_offline(False)
        page.wait_for_selector(".bill")
        page.wait_for_selector(".customer")
        self.assertEqual(self.orders(), before + 1)
        self.assertEqual(len(set(keys)), 1)
        self.expected_errors += OFFLINE_ERRORS

    def test_old_attempt(self):
        """An old attempt that never arrived is not sent again by itself; an old attempt that was placed shows its
        order"""
        page, before = self.to_order(504)
        page.route("**/v1/checkout", lambda route: route.abort("connectionreset"))
        page.click("button[type=submit]")
        page.wait_for_selector(".order-strip.shown:has-text('We don’t know yet whether your order has arrived')")
        attempt = json.loads(page.evaluate("localStorage.getItem('welms.attempt')"))
        old = json.dumps(json.dumps(attempt | {"at": attempt["at"] - 3_600_000}))
        page.goto("about:blank")
        page.add_init_script(f"""
            if (location.protocol === 'http:' && !sessionStorage.getItem('isOld')) {{
                sessionStorage.setItem('isOld', 'yes');
                localStorage.setItem('welms.attempt', {old});
            }}""")
        page.unroute("**/v1/checkout")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector(".problems:has-text('did not reach us')")
        self.assertEqual(self.orders(), before)
        page.wait_for_selector("#field-name:enabled")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(self.orders(), before + 1)
        self.expected_errors += ("ERR_CONNECTION_RESET",)

    def test_order_while_server_is_away(self):
        """An order sent while the server is down is placed when it is back"""
        page, before = self.to_order(505, DESKTOP)
        self.shop.stop()
        page.click("button[type=submit]")
        page.wait_for_selector(".order-strip.shown:has-text('Your order is waiting for the network')")
        self.shop.start()
        page.wait_for_selector(".bill", timeout=20_000)
        self.assertEqual(self.orders(), before + 1)
        self.expected_errors += AWAY_ERRORS


if __name__ == "__main__":
    unittest.main()
