# An order that is being sent belongs to the whole page, not to the checkout screen. The order survives a redraw,
# another screen, a closed tab and a lost answer. An order that differs from the screen is not sent.

import json
import unittest
import urllib.request

from shop import DESKTOP, OFFLINE_ERRORS, PHONE
from terms import ALL_DAY, SLOTS, ConfiguredShopTest
from test_ordering import fill_form

ATTEMPT = "JSON.parse(localStorage.getItem('welms.attempt'))"
PENDING = ".order-strip.shown:has-text('Your order is waiting for the network')"
UNKNOWN = ".order-strip.shown:has-text('We don’t know yet whether your order has arrived')"
PLACED = ".order-strip.shown:has-text('Your order is in')"
CHECKOUT = "**/v1/checkout"
DAY = 24 * 3_600_000


class SendingTest(ConfiguredShopTest):
    def to_order(self, number, device=PHONE, **options):
        """A guest at the checkout with a valid form."""
        page = self.guest(device, **options)
        fill_form(page, number)
        return page, self.orders()

    def tap_offline(self, page):
        """Taps the Order button without a network."""
        page.context.set_offline(True)
        self.expected_errors += OFFLINE_ERRORS
        page.click("button[type=submit]")
        page.wait_for_selector(PENDING)

    def lose_answer(self, page):
        """Places the order but drops its answer. Further checkouts fail until the route is removed."""
        keys = []

        def lose(route):
            keys.append(route.request.headers["idempotency-key"])
            if len(keys) == 1:
                self.assertEqual(route.fetch().status, 201)
            route.abort("connectionreset")

        page.context.route(CHECKOUT, lose)
        self.expected_errors += ("ERR_CONNECTION_RESET",)
        page.click("button[type=submit]")
        page.wait_for_selector(UNKNOWN)
        return keys

    def add(self, page, item):
        page.goto(f"{self.shop.url}/#/items/{item}")
        page.click("text=Add to basket")
        # The first basket has become an order. So the server rejects the change, and the page starts a new basket.
        page.wait_for_function(
            "() => localStorage['welms.basket'] && JSON.parse(localStorage['welms.basket']) !=="
            f" {ATTEMPT}.body.basketId"
        )
        page.wait_for_selector("#count:has-text('1')")


class PendingOrderTests(SendingTest):
    def test_pending_order_on_another_screen(self):
        """An order that waits for the network is sent when it returns, though the guest has left the checkout"""
        page, before = self.to_order(1001)
        self.tap_offline(page)
        page.click("[data-tab=favourites]")
        page.wait_for_selector("h1:has-text('Favourites')")
        page.wait_for_selector(PENDING)
        self.assertEqual(self.orders(), before)
        page.context.set_offline(False)
        page.wait_for_selector(PLACED)
        self.assertEqual(self.orders(), before + 1)
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.attempt')"))
        self.assertTrue(page.is_hidden("#count"))
        page.click(".order-strip a")
        page.wait_for_selector(".customer:has-text('12 Main Street')")
        page.wait_for_selector(".order-strip.shown", state="detached")

    def test_pending_order_is_frozen(self):
        """A waiting order is sent as it was at the tap, and a redraw of the checkout keeps it"""
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

    def test_withdraw_on_another_screen(self):
        """An order that was not sent yet can be withdrawn on any screen"""
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

    def test_pending_order_of_changed_basket(self):
        """A waiting order is not sent if its basket has changed since the tap"""
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
        """Changes the basket as another client."""
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.shop.url + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return answer.status


class LostAnswerTests(SendingTest):
    def test_late_order_keeps_new_basket(self):
        """When the outcome of an earlier order becomes known, both tabs show it and keep the new basket"""
        page, before = self.to_order(1011)
        keys = self.lose_answer(page)
        self.expected_errors += ("409", "412")
        page.wait_for_selector("text=Don’t send it", state="detached")
        self.assertIsNotNone(page.evaluate(f"{ATTEMPT}.sentAt"))
        self.add(page, 4001)
        other = page.context.new_page()
        self.watch(other)
        other.goto(self.shop.url + "/#/menu")
        other.wait_for_selector("#count:has-text('1')")
        other.wait_for_selector(UNKNOWN)
        page.context.unroute(CHECKOUT)
        for tab in (page, other):
            tab.wait_for_selector(PLACED)
            self.assertEqual(tab.inner_text("#count"), "1")
        self.assertEqual(self.orders(), before + 1)
        self.assertEqual(len(set(keys)), 1)
        other.goto(self.shop.url + "/#/basket")
        other.wait_for_selector("[data-line='4001']")

    def test_lost_answer_and_closed_tab(self):
        """A page opened after the tab was closed finds the order whose answer was lost"""
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

    def test_proxy_answers_are_ignored(self):
        """Answers of a captive portal and a proxy's bare 403 do not decide the outcome of an order"""
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
        self.expected_errors += ("ERR_CONNECTION_RESET", "403")
        page.click("button[type=submit]")
        page.wait_for_selector(UNKNOWN)
        page.wait_for_selector(".bill", timeout=40_000)
        self.assertEqual(page.locator("text=Nothing was ordered").count(), 0)
        self.assertEqual((len(answers), len(set(answers))), (5, 1))
        self.assertEqual(self.orders(), before + 1)

    def test_captive_portal_keeps_order_pending(self):
        """If a captive portal answers the validation, the order stays pending"""
        page, before = self.to_order(1014)
        self.expected_errors += ("MIME type",)
        portal = lambda route: route.fulfill(status=200, content_type="text/html", body="<h1>Welcome</h1>")
        page.route("**/v1/**", portal)
        page.click("button[type=submit]")
        page.wait_for_selector(PENDING)
        page.unroute("**/v1/**", portal)
        page.wait_for_selector(".bill")
        self.assertEqual(self.orders(), before + 1)

    def reopen_later(self, page):
        """Closes the page, and opens another one more than ten minutes after the tap."""
        context = page.context
        page.evaluate(f"localStorage['welms.attempt'] = JSON.stringify({{...{ATTEMPT}, at: Date.now() - 11 * 60_000}})")
        page.close()
        context.unroute(CHECKOUT)
        context.set_offline(False)
        page = context.new_page()
        page.goto(self.shop.url + "/#/favourites")
        return page

    def check_confirmation(self, page, words, before):
        """Checks that nothing was sent, that the checkout gives the reason, and that a second tap orders."""
        page.wait_for_selector(".order-strip.shown:has-text('Nothing was ordered')")
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.attempt')"))
        self.assertEqual(self.orders(), before)
        page.click(".order-strip a")
        page.wait_for_selector(f".problems:has-text('{words}')")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(self.orders(), before + 1)

    def test_old_pending_order_needs_confirmation(self):
        """A pending order is not sent without confirmation after ten minutes"""
        page, before = self.to_order(1015)
        self.tap_offline(page)
        self.check_confirmation(self.reopen_later(page), "we have stopped trying", before)

    def test_old_lost_request_needs_confirmation(self):
        """An order whose request was lost is not sent again without confirmation after ten minutes"""
        page, before = self.to_order(1016)
        page.context.route(CHECKOUT, lambda route: route.abort("connectionreset"))
        self.expected_errors += ("ERR_CONNECTION_RESET",)
        page.click("button[type=submit]")
        page.wait_for_selector(UNKNOWN)
        self.check_confirmation(self.reopen_later(page), "did not reach us", before)

    def test_old_lost_answer_is_found(self):
        """An order whose answer was lost more than ten minutes ago is found"""
        page, before = self.to_order(1017)
        self.lose_answer(page)
        page = self.reopen_later(page)
        page.wait_for_selector(PLACED)
        self.assertEqual(self.orders(), before + 1)

    def test_attempt_is_stored_for_a_day(self):
        """The device stores an attempt for a day at most, and the About page says so"""
        page = self.context(PHONE).new_page()
        old = {
            "key": "0" * 32,
            "body": {"basketId": "x", "name": "Ann Lee"},
            "sentAt": 1,
            "version": 1,
            "isRemembered": False,
        }
        page.add_init_script(
            f"""
            localStorage['welms.attempt'] = JSON.stringify({{...{json.dumps(old)},
                at: Date.now() - {DAY + 60_000}}});"""
        )
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(self.shop.url + "/#/about")
        page.wait_for_selector("text=your device stores it with your details until we have answered")
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.attempt')"))
        self.assertEqual([url for url in asked if "/v1/checkout" in url or "/v1/baskets" in url], [])


class ConfirmationTests(SendingTest):
    """An order that differs from the screen is not placed."""

    def test_enter_moves_to_next_field(self):
        """Enter in a field focuses the next one and never orders; Enter on the button orders"""
        self.configure(ALL_DAY, SLOTS)
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
            self.assertEqual(
                [name for name in seen if name.startswith("field-")],
                [
                    f"field-{name}"
                    for name in (
                        "wantedAt-day",
                        "name",
                        "phone",
                        "email",
                        "address",
                        "coupon",
                        "tip",
                        "comment",
                        "remember",
                    )
                ],
            )
            page.wait_for_timeout(300)
            self.assertEqual(self.orders(), before)
            page.keyboard.press("Enter")
            page.wait_for_selector(".bill")
            self.assertEqual(self.orders(), before + 1)

    def test_tap_before_quote_needs_confirmation(self):
        """A tap before the fees are known places no order: the total with fees is shown and needs confirmation"""
        self.configure("update fulfilments set service_charge_percent = 10;")
        page = self.visit("#/items/2001", PHONE, timezone_id=self.zone)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        refuse = lambda route: route.fulfill(
            status=503,
            content_type="application/problem+json",
            headers={"Retry-After": "1"},
            body='{"code": "overloaded", "detail": "We are very busy.", "status": 503}',
        )
        page.route("**/v1/checkout/validate", refuse)
        self.expected_errors += ("503",)
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector(".checkout .total:has-text('$8.05')")
        fill_form(page, 1023)
        before = self.orders()
        # Reject the quotes that the fields requested. One in flight would otherwise succeed.
        page.wait_for_load_state("networkidle")
        page.unroute("**/v1/checkout/validate", refuse)
        # Click by script, so that no field loses the focus and validates.
        page.evaluate("document.querySelector('button[type=submit]').click()")
        page.wait_for_selector(".changed:has-text('$8.05')")
        self.assertIn("$8.86", page.inner_text(".changed"))
        self.assertEqual(self.orders(), before)
        page.click("button[type=submit]:has-text('$8.86')")
        page.wait_for_selector(".bill .total strong:has-text('$8.86')")

    def test_first_total_has_fees(self):
        """The first total of the checkout includes the fees"""
        self.configure("update fulfilments set service_charge_percent = 10;")
        page = self.visit("#/items/2001", PHONE, timezone_id=self.zone)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.evaluate("""() => {
            window.totals = new Set();
            const look = () => document.querySelectorAll('.checkout .total strong')
                .forEach((element) => window.totals.add(element.textContent));
            new MutationObserver(look)
                .observe(document.getElementById('main'), {childList: true, subtree: true, characterData: true});
        }""")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        self.assertEqual(page.evaluate("[...window.totals]"), ["$8.86"])

    def test_taken_slot_needs_confirmation(self):
        """A slot that is no longer offered is not ordered: the page says so and asks before it orders as soon as
        possible"""
        self.configure(ALL_DAY, SLOTS)
        page, before = self.to_order(1024)
        self.choose_slot(page, self.slots()[20]["startsAt"])
        page.click("[data-tab=favourites]")
        page.wait_for_selector("h1:has-text('Favourites')")
        self.configure("update fulfilments set horizon_days = 0;")
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

    def test_missing_field_offline(self):
        """An order with a missing field does not wait for the network: the page names the field"""
        page, before = self.to_order(1025)
        page.fill("#field-phone", "")
        page.context.set_offline(True)
        self.expected_errors += OFFLINE_ERRORS
        page.click("button[type=submit]")
        page.wait_for_selector("#field-phone-error:has-text('Please fill in this field')")
        self.assertEqual(page.evaluate("document.activeElement.id"), "field-phone")
        self.assertEqual(page.locator(".order-strip.shown").count(), 0)
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.attempt')"))


if __name__ == "__main__":
    unittest.main()
