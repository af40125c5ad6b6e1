# An order that is being sent belongs to the page, not to the checkout: it survives a redraw, another screen, a closed
# tab and a lost answer, and nothing is ordered that was not on the screen.

import json
import unittest
import urllib.request

from shop import DESKTOP, OFFLINE, PHONE
from terms import ALL_DAY, SLOTS, TermsTest
from test_ordering import fill_form

ATTEMPT = "JSON.parse(localStorage.getItem('welms.attempt'))"
WAITING = ".order-strip.shown:has-text('Your order is waiting for the network')"
UNKNOWN = ".order-strip.shown:has-text('We don’t know yet whether your order has arrived')"
PLACED = ".order-strip.shown:has-text('Your order is in')"
CHECKOUT = "**/v1/checkout"
DAY = 24 * 3_600_000


class SendingTest(TermsTest):
    def to_order(self, number, device=PHONE, **options):
        """A guest at the checkout with a form that is right."""
        page = self.guest(device, **options)
        fill_form(page, number)
        return page, self.orders()

    def tap_offline(self, page):
        """A tap on the button without a network."""
        page.context.set_offline(True)
        self.forgiven += OFFLINE
        page.click("button[type=submit]")
        page.wait_for_selector(WAITING)

    def lose_answer(self, page):
        """The order is placed, its answer is lost, and the shop is out of reach until the route is removed."""
        keys = []

        def lose(route):
            keys.append(route.request.headers["idempotency-key"])
            if len(keys) == 1:
                self.assertEqual(route.fetch().status, 201)
            route.abort("connectionreset")

        page.context.route(CHECKOUT, lose)
        self.forgiven += ("ERR_CONNECTION_RESET",)
        page.click("button[type=submit]")
        page.wait_for_selector(UNKNOWN)
        return keys

    def add(self, page, item):
        page.goto(f"{self.shop.url}/#/items/{item}")
        page.click("text=Add to basket")
        # The first basket is refused: it is an order.
        page.wait_for_function(f"() => localStorage['welms.basket'] && JSON.parse(localStorage['welms.basket']) !== {ATTEMPT}.body.basketId")
        page.wait_for_selector("#count:has-text('1')")


class WaitingOrderTests(SendingTest):
    def test_waiting_order_on_another_screen(self):
        """An order that waits for the network is sent when it returns, though the guest left the checkout"""
        page, before = self.to_order(1001)
        self.tap_offline(page)
        page.click("[data-tab=favourites]")
        page.wait_for_selector("h1:has-text('Favourites')")
        page.wait_for_selector(WAITING)
        self.assertEqual(self.orders(), before)
        page.context.set_offline(False)
        page.wait_for_selector(PLACED)
        self.assertEqual(self.orders(), before + 1)
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.attempt')"))
        self.assertTrue(page.is_hidden("#count"))
        page.click(".order-strip a")
        page.wait_for_selector(".customer:has-text('12 Main Street')")
        page.wait_for_selector(".order-strip.shown", state="detached")

    def test_frozen_body(self):
        """An order that waits is sent as it was at the tap, and the checkout that is drawn again does not drop it"""
        page, before = self.to_order(1002)
        self.tap_offline(page)
        self.assertTrue(page.is_disabled("#field-address"))
        page.evaluate("document.getElementById('field-address').value = '12 Mar'")
        page.click("[data-tab=favourites]")
        page.wait_for_selector("h1:has-text('Favourites')")
        page.go_back()
        page.wait_for_selector("#field-address:disabled")
        page.context.set_offline(False)
        page.wait_for_selector(".customer:has-text('12 Main Street, Springfield')")
        self.assertEqual(self.orders(), before + 1)

    def test_withdrawn_on_another_screen(self):
        """An order of which nothing was sent can be withdrawn on any screen"""
        page, before = self.to_order(1003)
        self.tap_offline(page)
        page.click("[data-tab=favourites]")
        page.click("text=Don’t send it")
        page.wait_for_selector(".order-strip.shown", state="detached")
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1")
        page.context.set_offline(False)
        page.wait_for_selector(".banner.shown", state="detached")
        self.to_checkout(page)
        self.assertEqual(page.input_value("#field-address"), "12 main street, springfield")
        self.assertEqual(self.orders(), before)
        self.tap_offline(page)
        page.context.set_offline(False)
        page.wait_for_selector(".bill")
        self.assertEqual(self.orders(), before + 1)

    def test_changed_basket(self):
        """An order that waits is not sent for a basket that has changed since the tap"""
        page, before = self.to_order(1004)
        basket = json.loads(page.evaluate("localStorage.getItem('welms.basket')"))
        self.tap_offline(page)
        page.click("[data-tab=favourites]")
        self.assertEqual(self.post(f"/v1/baskets/{basket}/items", {"menuItemId": 2001}), 200)
        page.context.set_offline(False)
        page.wait_for_selector(".order-strip.shown:has-text('Nothing was ordered')")
        page.click(".order-strip a")
        page.wait_for_selector(".problems:has-text('Your basket has changed, so nothing was ordered')")
        page.wait_for_selector("#new-total:has-text('$16.10')")
        self.assertEqual(self.orders(), before)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill .total strong:has-text('$16.10')")

    def post(self, path, body):
        """Another client changes the basket."""
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.shop.url + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return answer.status


class LostAnswerTests(SendingTest):
    def test_new_basket_stays(self):
        """An order whose answer is late is shown when it is known, and a new basket stays, in two tabs"""
        page, before = self.to_order(1011)
        keys = self.lose_answer(page)
        self.forgiven += ("409", "412")
        page.wait_for_selector("text=Don’t send it", state="detached")
        self.assertIsNotNone(page.evaluate(f"{ATTEMPT}.sentAt"))
        self.add(page, 4001)
        other = page.context.new_page()
        self.watch(other)
        other.goto(self.shop.url + "/#/menu")
        other.wait_for_selector("#count:has-text('1')")
        other.wait_for_selector(UNKNOWN)
        page.context.unroute(CHECKOUT)
        for one in (page, other):
            one.wait_for_selector(PLACED)
            self.assertEqual(one.inner_text("#count"), "1")
        self.assertEqual(self.orders(), before + 1)
        self.assertEqual(len(set(keys)), 1)
        other.goto(self.shop.url + "/#/basket")
        other.wait_for_selector("[data-line='4001']")

    def test_closed_tab(self):
        """A page that is opened after the tab was closed finds the order whose answer was lost"""
        page, before = self.to_order(1012)
        self.lose_answer(page)
        context = page.context
        page.close()
        page = context.new_page()
        page.goto(self.shop.url + "/#/orders")
        page.wait_for_selector(UNKNOWN)
        page.wait_for_selector("h1:has-text('Your orders')")
        self.assertEqual(page.locator("text=Nothing was ordered from this device yet").count(), 0)
        context.unroute(CHECKOUT)
        page.wait_for_selector(".orders li:has-text('Placed')")
        self.assertEqual(self.orders(), before + 1)
        page.click(".orders li a")
        page.wait_for_selector(".customer:has-text('12 Main Street')")

    def test_answers_of_others(self):
        """The page of a captive portal and the bare 403 of a proxy do not tell what became of an order"""
        page, before = self.to_order(1013)
        answers = []

        def answer(route):
            answers.append(route.request.headers["idempotency-key"])
            if len(answers) == 1:
                self.assertEqual(route.fetch().status, 201)
                return route.abort("connectionreset")
            if len(answers) == 2:
                return route.fulfill(status=200, content_type="text/html", body="<h1>Welcome to the hotel</h1>")
            if len(answers) == 3:
                return route.fulfill(status=403, content_type="text/html", body="<h1>Forbidden</h1>")
            if len(answers) == 4:
                return route.fulfill(status=403, content_type="application/json", body='{"code": "blocked"}')
            return route.continue_()

        page.route(CHECKOUT, answer)
        self.forgiven += ("ERR_CONNECTION_RESET", "403")
        page.click("button[type=submit]")
        page.wait_for_selector(UNKNOWN)
        page.wait_for_selector(".bill", timeout=40_000)
        self.assertEqual(page.locator("text=Nothing was ordered").count(), 0)
        self.assertEqual((len(answers), len(set(answers))), (5, 1))
        self.assertEqual(self.orders(), before + 1)

    def test_portal_at_the_tap(self):
        """A captive portal that answers the validation keeps the order waiting"""
        page, before = self.to_order(1014)
        self.forgiven += ("MIME type",)
        portal = lambda route: route.fulfill(status=200, content_type="text/html", body="<h1>Welcome</h1>")
        page.route("**/v1/**", portal)
        page.click("button[type=submit]")
        page.wait_for_selector(WAITING)
        page.unroute("**/v1/**", portal)
        page.wait_for_selector(".bill")
        self.assertEqual(self.orders(), before + 1)

    def later(self, page):
        """The page is closed, and opened again more than ten minutes after the tap."""
        context = page.context
        page.evaluate(f"localStorage['welms.attempt'] = JSON.stringify({{...{ATTEMPT}, at: Date.now() - 11 * 60_000}})")
        page.close()
        context.unroute(CHECKOUT)
        context.set_offline(False)
        page = context.new_page()
        page.goto(self.shop.url + "/#/favourites")
        return page

    def is_asked_about(self, page, words, before):
        """Nothing is sent; the checkout says why, and orders by another tap."""
        page.wait_for_selector(".order-strip.shown:has-text('Nothing was ordered')")
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.attempt')"))
        self.assertEqual(self.orders(), before)
        page.click(".order-strip a")
        page.wait_for_selector(f".problems:has-text('{words}')")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(self.orders(), before + 1)

    def test_old_waiting_order(self):
        """An order that has waited for more than ten minutes is not sent without asking"""
        page, before = self.to_order(1015)
        self.tap_offline(page)
        self.is_asked_about(self.later(page), "we have stopped trying", before)

    def test_old_lost_request(self):
        """An order whose request was lost more than ten minutes ago is not sent again without asking"""
        page, before = self.to_order(1016)
        page.context.route(CHECKOUT, lambda route: route.abort("connectionreset"))
        self.forgiven += ("ERR_CONNECTION_RESET",)
        page.click("button[type=submit]")
        page.wait_for_selector(UNKNOWN)
        self.is_asked_about(self.later(page), "did not reach us", before)

    def test_old_lost_answer(self):
        """An order whose answer was lost more than ten minutes ago is found"""
        page, before = self.to_order(1017)
        self.lose_answer(page)
        page = self.later(page)
        page.wait_for_selector(PLACED)
        self.assertEqual(self.orders(), before + 1)

    def test_kept_for_a_day(self):
        """An attempt lies on the device for a day at most, and About us says so"""
        page = self.context(PHONE).new_page()
        old = {"key": "0" * 32, "body": {"basketId": "x", "name": "Ann Lee"}, "sentAt": 1, "version": 1, "isRemembered": False}
        page.add_init_script(f"""
            localStorage['welms.attempt'] = JSON.stringify({{...{json.dumps(old)}, at: Date.now() - {DAY + 60_000}}});""")
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(self.shop.url + "/#/about")
        page.wait_for_selector("text=your device stores it with your details until we have answered")
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.attempt')"))
        self.assertEqual([url for url in asked if "/v1/checkout" in url or "/v1/baskets" in url], [])


class SeenTests(SendingTest):
    """Nothing is ordered that was not on the screen."""

    def test_enter_in_fields(self):
        """Enter in a field moves to the next one and never orders; Enter on the button does"""
        self.rows(ALL_DAY, SLOTS)
        for device, number in ((PHONE, 1021), (DESKTOP, 1022)):
            page, before = self.to_order(number, device)
            page.evaluate("scrollTo(0, 0)")
            page.focus("#field-fulfilment-delivery")
            seen = []
            for _ in range(20):
                if page.evaluate("document.activeElement.matches('textarea')"):
                    page.keyboard.press("Tab")
                else:
                    page.keyboard.press("Enter")
                seen.append(page.evaluate("document.activeElement.id || document.activeElement.type"))
                if seen[-1] == "submit":
                    break
            self.assertEqual([name for name in seen if name.startswith("field-")],
                             [f"field-{name}" for name in ("wantedAt-day", "name", "phone", "email", "address", "coupon", "tip", "comment", "remember")])
            page.wait_for_timeout(300)
            self.assertEqual(self.orders(), before)
            page.keyboard.press("Enter")
            page.wait_for_selector(".bill")
            self.assertEqual(self.orders(), before + 1)

    def test_first_tap_without_a_quote(self):
        """A tap before the fees are known orders nothing: the total with the fees is shown, and asked about"""
        self.rows("update fulfilments set service_charge_percent = 10;")
        page = self.visit("#/items/2001", PHONE, timezone_id=self.zone)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        refuse = lambda route: route.fulfill(status=503, content_type="application/problem+json", headers={"Retry-After": "1"},
                                             body='{"code": "overloaded", "detail": "We are very busy.", "status": 503}')
        page.route("**/v1/checkout/validate", refuse)
        self.forgiven += ("503",)
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector(".checkout .total:has-text('$8.05')")
        fill_form(page, 1023)
        before = self.orders()
        # What the fields asked while they were filled in is refused: a request in flight would be answered otherwise.
        page.wait_for_load_state("networkidle")
        page.unroute("**/v1/checkout/validate", refuse)
        # No field is left, so that nothing is judged before the tap.
        page.evaluate("document.querySelector('button[type=submit]').click()")
        page.wait_for_selector(".changed:has-text('$8.05')")
        self.assertIn("$8.86", page.inner_text(".changed"))
        self.assertEqual(self.orders(), before)
        page.click("button[type=submit]:has-text('$8.86')")
        page.wait_for_selector(".bill .total strong:has-text('$8.86')")

    def test_fees_from_the_first(self):
        """The first total that the checkout draws has the fees in it"""
        self.rows("update fulfilments set service_charge_percent = 10;")
        page = self.visit("#/items/2001", PHONE, timezone_id=self.zone)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.evaluate("""() => {
            window.totals = new Set();
            const look = () => document.querySelectorAll('.checkout .total strong').forEach((one) => window.totals.add(one.textContent));
            new MutationObserver(look).observe(document.getElementById('main'), {childList: true, subtree: true, characterData: true});
        }""")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        self.assertEqual(page.evaluate("[...window.totals]"), ["$8.86"])

    def test_lost_time(self):
        """A time that is not offered any more is not sent: the guest is told, and asked before the order goes as soon as possible"""
        self.rows(ALL_DAY, SLOTS)
        page, before = self.to_order(1024)
        self.choose(page, self.slots()[20]["startsAt"])
        page.click("[data-tab=favourites]")
        page.wait_for_selector("h1:has-text('Favourites')")
        self.rows("update fulfilments set horizon_days = 0;")
        page.go_back()
        page.wait_for_selector("#field-wantedAt-error:has-text('no longer available')")
        self.assertEqual(page.inner_text("#field-wantedAt-day option:checked"), "As soon as possible")
        page.wait_for_selector("#new-total")
        page.click("button[type=submit]")
        page.wait_for_selector("button.shake")
        self.assertEqual(self.orders(), before)
        page.click("button[type=submit]:not([aria-busy])")
        page.wait_for_selector(".bill")
        self.assertEqual(self.last_order("wanted_at is null"), "t")

    def test_missing_without_a_network(self):
        """An order with a missing field does not wait for the network: the page itself says what is missing"""
        page, before = self.to_order(1025)
        page.fill("#field-phone", "")
        page.context.set_offline(True)
        self.forgiven += OFFLINE
        page.click("button[type=submit]")
        page.wait_for_selector("#field-phone-error:has-text('Please fill in this field')")
        self.assertEqual(page.evaluate("document.activeElement.id"), "field-phone")
        self.assertEqual(page.locator(".order-strip.shown").count(), 0)
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.attempt')"))


if __name__ == "__main__":
    unittest.main()
