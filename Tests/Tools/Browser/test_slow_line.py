# A slow line, a lost answer, a network that goes and comes: what was tapped is what is in the basket, and an order that was sent goes on by
# itself.

import json
import unittest

from shop import AWAY, DESKTOP, OFFLINE, PHONE, BrowserTest
from test_ordering import fill_form

CHANGES = "**/v1/baskets/*/**"


class SlowLineTests(BrowserTest):
    def with_burger(self, device=PHONE, hash="#/basket", until="#total"):
        page = self.visit("#/items/2001", device)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.wait_for_selector(".detail .button.big:not([aria-busy])")
        page.goto(self.shop.url + "/" + hash)
        page.wait_for_selector(until)
        return page

    def in_basket(self, page, item=2001):
        """How many the database has."""
        basket = json.loads(page.evaluate("localStorage.getItem('welms.basket')"))
        return page.evaluate(f"fetch('/v1/baskets/{basket}').then((answer) => answer.json()).then(({{lines}}) => lines.find((one) => one.menuItemId === {item})?.quantity ?? 0)")

    def slow(self, page, milliseconds=400):
        """Each change of the basket takes so long on its way."""
        asked = []

        def later(route):
            asked.append(route.request)
            page.wait_for_timeout(milliseconds)
            route.continue_()

        page.route(CHANGES, later)
        return asked

    def taps(self, page, selector, times):
        """A finger, which knows nothing of elements: it taps the same place, whatever is there."""
        box = page.locator(selector).bounding_box()
        for _ in range(times):
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def test_plus(self):
        """Five quick taps on plus on a slow line are five more, seen at once; two on minus are two less"""
        page = self.with_burger()
        page.evaluate("window.line = document.querySelector('[data-line]')")
        self.slow(page)
        self.taps(page, "[aria-label='One The Big Tasty more']", 5)
        self.assertEqual(page.text_content(".quantity"), "Quantity 6")
        self.assertEqual(page.inner_text("#count"), "6")
        page.wait_for_selector("#total:has-text('$48.30'):not(.pending)")
        self.assertEqual(self.in_basket(page), 6)
        self.taps(page, "[aria-label='One The Big Tasty less']", 2)
        self.assertEqual(page.text_content(".quantity"), "Quantity 4")
        page.wait_for_selector("#total:has-text('$32.20'):not(.pending)")
        self.assertEqual(self.in_basket(page), 4)
        self.assertTrue(page.evaluate("window.line.isConnected"), "no finger meets a line that was just replaced")
        self.taps(page, "[aria-label='One The Big Tasty less']", 6)
        page.wait_for_selector(".empty")
        self.assertEqual(self.in_basket(page), 0)

    def test_add(self):
        """Each quick tap on a dish's button adds one, on its card and on its own screen"""
        page = self.visit("#/menu/200", PHONE)
        page.wait_for_selector("[data-item='2001']")
        self.slow(page)
        page.locator("[data-item='2001'] .button").scroll_into_view_if_needed()
        self.taps(page, "[data-item='2001'] .button", 5)
        self.assertEqual(page.inner_text("#count"), "5")
        page.wait_for_selector("[data-item='2001'] .button:not([aria-busy])")
        self.assertEqual(self.in_basket(page), 5)
        page.goto(self.shop.url + "/#/items/2001")
        page.wait_for_selector("text=Add to basket")
        self.taps(page, ".detail .button.big", 3)
        page.wait_for_selector(".detail .button.big:not([aria-busy])")
        self.assertEqual(self.in_basket(page), 8)

    def test_lost_change(self):
        """A change whose answer gets lost, or is a 503, is made once: the basket is read again before anything is sent"""
        page = self.with_burger()

        def cut(route):
            route.abort("connectionreset")

        def refuse(route):
            route.fulfill(status=503, content_type="application/problem+json", headers={"Retry-After": "0"},
                          body='{"code": "database_unavailable", "detail": "The database went away.", "status": 503}')

        wanted = 1
        for isMade in (True, False):
            for answer in (cut, refuse):
                asked = []

                def lose_first(route):
                    asked.append(route.request)
                    if len(asked) > 1:
                        return route.continue_()
                    if isMade:
                        self.assertEqual(route.fetch().status, 200)
                    return answer(route)

                page.route(CHANGES, lose_first)
                self.taps(page, "[aria-label='One The Big Tasty more']", 3)
                wanted += 3
                page.wait_for_function("wanted => document.querySelector('.quantity').textContent === `Quantity ${wanted}` && !document.querySelector('.pending')", arg=wanted)
                self.assertEqual(self.in_basket(page), wanted, f"{answer.__name__}, made: {isMade}")
                page.unroute(CHANGES)
        self.assertEqual(page.locator(".toast.problem").count(), 0)
        self.forgiven += ("ERR_CONNECTION_RESET", "503")

    def test_late_change(self):
        """A change that was thought to be lost and arrives after it was made again is not made twice"""
        page = self.with_burger()
        late = []

        def delay_first(route):
            if late:
                return route.continue_()
            late.append(route.request)
            return route.abort("connectionreset")

        page.route(CHANGES, delay_first)
        self.taps(page, "[aria-label='One The Big Tasty more']", 1)
        page.wait_for_selector("#total:has-text('$16.10'):not(.pending)")
        headers = {name: value for name, value in late[0].headers.items() if name in ("content-type", "if-match")}
        self.assertEqual(page.request.post(late[0].url, data=late[0].post_data, headers=headers).status, 412)
        self.assertEqual(self.in_basket(page), 2)
        self.forgiven += ("ERR_CONNECTION_RESET", "412")

    def change(self, page, quantity, note):
        """Opens the sheet of the first line and makes it so many more, with a note."""
        page.click("[data-line-id='1'] .link")
        for _ in range(quantity):
            page.click("dialog [aria-label='One The Big Tasty more']")
        page.fill("dialog #field-note", note)

    def test_lost_edit(self):
        """A line's edit whose answer gets lost takes nothing from the line that it joined; where somebody else changed the basket, the sheet says so and keeps what was chosen"""
        page = self.with_burger()
        changes = f"{self.shop.url}/v1/baskets/{json.loads(page.evaluate('localStorage.getItem(`welms.basket`)'))}"
        self.assertEqual(page.request.post(f"{changes}/items", data={"menuItemId": 2001, "quantity": 3, "note": "rare"}).status, 200)
        page.reload()
        page.wait_for_selector("[data-line-id='2']")
        sent = []

        def lose(route):
            sent.append((route.request.method, "if-match" in route.request.headers, route.fetch().status))
            route.abort("connectionreset")

        page.route("**/lines/1", lose)
        self.change(page, 1, "rare")
        page.click("dialog footer .button")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(sent, [("PATCH", True, 200)])
        self.assertEqual(page.text_content("[data-line-id='1'] .quantity"), "Quantity 5")
        self.assertEqual(self.in_basket(page), 5)
        page.unroute("**/lines/1")

        def overtake(route):
            page.request.post(f"{changes}/items", data={"menuItemId": 4001})
            route.abort("connectionreset")

        page.route("**/lines/1", overtake)
        self.change(page, 2, "well done")
        page.click("dialog footer .button")
        page.wait_for_selector("dialog .warn:has-text('changed in the meantime')")
        self.assertEqual(self.in_basket(page), 5)
        page.unroute("**/lines/1")
        self.assertEqual(page.input_value("dialog #field-note"), "well done")
        page.click("dialog footer .button")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(page.text_content("[data-line-id='1'] .quantity"), "Quantity 7")
        self.assertEqual(self.in_basket(page), 7)
        self.forgiven += ("ERR_CONNECTION_RESET", "412")

    def test_other_tab(self):
        """Taps in two tabs at one time all count"""
        page = self.with_burger()
        other = page.context.new_page()
        other.goto(self.shop.url + "/#/basket")
        other.wait_for_selector("#total")
        self.slow(page)
        self.taps(page, "[aria-label='One The Big Tasty more']", 3)
        for _ in range(2):
            other.click("[aria-label='One The Big Tasty more']")
        for one in (page, other):
            one.wait_for_selector("#total:has-text('$48.30'):not(.pending)")
        self.assertEqual(self.in_basket(page), 6)
        self.forgiven += ("412",)

    def test_refused_change(self):
        """Where what was tapped can't be, the basket is as the server says, and that is told"""
        page = self.with_burger()
        self.addCleanup(self.shop.sql, "update menu_items set is_available = true where id = 2001")
        self.shop.sql("update menu_items set is_available = false where id = 2001")
        self.slow(page, 100)
        self.taps(page, "[aria-label='One The Big Tasty more']", 4)
        page.wait_for_selector(".toast.problem:has-text('sold out')")
        page.wait_for_selector("#total:not(.pending)")
        self.assertEqual(page.text_content(".quantity"), "Quantity 1")
        self.assertEqual(page.inner_text("#count"), "1")
        page.context.set_offline(True)
        self.taps(page, "[aria-label='One The Big Tasty less']", 1)
        page.wait_for_selector(".toast.problem:has-text('No internet connection')")
        self.assertEqual(page.text_content(".quantity"), "Quantity 1")
        page.context.set_offline(False)
        self.assertEqual(self.in_basket(page), 1)
        self.forgiven += ("409", "412", *OFFLINE)

    def orders(self):
        return int(self.shop.sql("select count(*) from orders"))

    def to_order(self, number, device=PHONE):
        page = self.with_burger(device, "#/checkout", "#new-total")
        fill_form(page, number)
        return page, self.orders()

    def test_offline_order(self):
        """An order that is sent without a network goes off by itself when the network is back, once"""
        page, before = self.to_order(501)
        page.context.set_offline(True)
        page.click("button[type=submit]")
        page.wait_for_selector(".order-strip.shown:has-text('Your order is waiting for the network')")
        self.assertEqual(self.orders(), before)
        page.context.set_offline(False)
        page.wait_for_selector(".bill")
        self.assertEqual(self.orders(), before + 1)
        self.forgiven += OFFLINE

    def test_offline_order_withdrawn(self):
        """Who does not want to wait for the network takes the order back, and it is not sent"""
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
        self.forgiven += OFFLINE

    def test_answer_lost_offline(self):
        """An order whose answer is lost with the network is asked after by itself when the network is back: the same order"""
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
        self.forgiven += OFFLINE

    def test_old_attempt(self):
        """An attempt that never arrived and is old is not sent again unasked; one that was ordered shows its order however old it is"""
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
        self.forgiven += ("ERR_CONNECTION_RESET",)

    def test_server_away(self):
        """An order that is sent while the server is away is placed when it is back"""
        page, before = self.to_order(505, DESKTOP)
        self.shop.stop()
        page.click("button[type=submit]")
        page.wait_for_selector(".order-strip.shown:has-text('Your order is waiting for the network')")
        self.shop.start()
        page.wait_for_selector(".bill", timeout=20_000)
        self.assertEqual(self.orders(), before + 1)
        self.forgiven += AWAY


if __name__ == "__main__":
    unittest.main()
