# Single behaviours of the staff page, and of the order screen while staff act: taps, undo, forms, dialogs, search, and
# the screen lock.

import json
import unittest
import urllib.request

from board import LYING, TABLET, WIDE, BoardTest
from shop import PHONE
from test_staff import TOKEN, place_order, place_whole_order
from test_staff_board import LOCK


class StaffStepTests(BoardTest):
    def staff(self, method, path, body=None):
        """A request of a colleague."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.shop.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def test_second_tap(self):
        """After an acceptance no other card comes under the finger, so that a second tap accepts nothing"""
        for first, device in ((1100, {**PHONE, "has_touch": False, "is_mobile": False}), (1120, TABLET), (1140, WIDE)):
            self.clear()
            self.rush(first, 8)
            page = self.enter(device)
            button = page.locator(".column.placed .ticket >> nth=2 >> css=[data-next=accepted]")
            button.scroll_into_view_if_needed()
            number = button.evaluate("one => one.closest('.ticket').dataset.number")
            box = button.bounding_box()
            at = [box["x"] + box["width"] / 3, box["y"] + box["height"] / 2]
            under = "([x, y]) => document.elementFromPoint(x, y).closest('.ticket')?.dataset.number ?? null"
            self.assertEqual(page.evaluate(under, at), number)
            page.mouse.click(*at)
            page.wait_for_selector(f".column.placed .ticket[data-number='{number}']", state="detached")
            accepted = lambda: self.shop.sql("select count(*) from orders where state = 'accepted'")
            for _ in range(3):
                page.wait_for_timeout(600)
                self.assertIsNone(page.evaluate(under, at), f"{device['viewport']}")
                page.mouse.click(*at)
            # A new order takes no place under the finger.
            newest = place_order(self.shop, first + 9)
            page.wait_for_selector(f".column.placed .ticket[data-number='{newest}']", state="attached")
            self.assertIsNone(page.evaluate(under, at), f"{device['viewport']}")
            page.mouse.click(*at)
            page.wait_for_timeout(300)
            self.assertEqual(accepted(), "1", f"{device['viewport']}")
            page.click("#states .accepted")
            page.wait_for_selector(f".column.accepted .ticket[data-number='{number}'] .undo", timeout=2_000)

    def test_rejected_after_acceptance(self):
        """An order that was rejected after its acceptance is neither in the kitchen nor "not accepted" """
        order = place_whole_order(self.shop, 1200)
        page = self.visit_order(order)
        self.shop.sql(f"select advance_order('{order['number']}', 'accepted')")
        page.wait_for_selector(".order > .quiet:has-text('Kitchen number')")
        self.shop.sql(f"select advance_order('{order['number']}', 'rejected', 'The oven is cold.')")
        page.wait_for_selector(".ended[data-state=rejected]:has-text('Cancelled by the restaurant')")
        day = self.shop.sql(f"select day_number from orders where number = '{order['number']}'")
        self.assertEqual(page.inner_text(".order > .quiet >> nth=0"), f"Number {day}")
        self.assertNotIn("accepted", page.inner_text(".order").lower())

    def test_cancel_question(self):
        """The question whether to cancel closes when the order is accepted meanwhile, and the page says why"""
        order = place_whole_order(self.shop, 1201)
        page = self.visit_order(order)
        page.click("text=Cancel the order")
        page.wait_for_selector("dialog[open]")
        self.shop.sql(f"select advance_order('{order['number']}', 'accepted')")
        page.wait_for_selector("dialog", state="detached")
        page.wait_for_selector(".toast:has-text('can’t be cancelled')")
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1")

    def test_order_over_in_dialog(self):
        """A dialog about an order closes when a colleague ends the order"""
        page, number = self.enter(LYING), place_order(self.shop, 1202)
        for label in ("Reject", "Delay"):
            if label == "Delay":
                number = place_order(self.shop, 1203)
                self.shop.sql(f"select advance_order('{number}', 'accepted')")
            page.click(f"[aria-label='{label} order {number}']")
            page.wait_for_selector("dialog[open]")
            self.shop.sql(f"select advance_order('{number}', 'rejected', 'a test')")
            page.wait_for_selector("dialog", state="detached")
            page.wait_for_selector(f".toast:has-text('Order {number} is already finished')")

    def test_acceptance_form(self):
        """A form that is open while a colleague changes the same asks before it overwrites the change"""
        self.addCleanup(self.shop.sql, "update shop set accepts_automatically = false, accept_within_minutes = null")
        page = self.enter(TABLET, bypass_csp=True)
        page.click("[data-tab=shop]")
        choice = page.locator("[aria-label='Who accepts new orders']")
        choice.select_option(value="deadline")
        page.fill("#field-accept-minutes", "10")
        self.shop.sql("update shop set accepts_automatically = true")
        page.wait_for_selector("#shop .condition:has-text('accepted automatically')")
        page.click(".accepting >> text=Save")
        page.wait_for_selector("dialog:has-text('A colleague has changed this') >> text=accepted automatically")
        self.scan(page)
        page.click("dialog >> text=Keep theirs")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(choice.input_value(), "automatically")
        self.assertEqual(self.shop.sql("select accepts_automatically from shop"), "t")
        choice.select_option(value="deadline")
        page.click(".accepting >> text=Save")
        page.wait_for_selector("#shop .condition:has-text('within 10 minutes')")
        self.assertFalse(page.is_visible("dialog"))

    def test_count_form(self):
        """The same for a count, but not for a number that falls because guests order"""
        self.addCleanup(self.shop.sql, "delete from item_stock where menu_item_id = 4003")
        page = self.enter(TABLET)
        page.click("[data-tab=menu]")
        page.fill("[type=search]", "apple tea")
        level = "[data-item='4003'] .level"
        page.click(level)
        page.fill("#field-count", "12")
        self.shop.sql("insert into item_stock (menu_item_id, remaining) values (4003, 7)")
        page.wait_for_selector(f"{level}:text-is('7 left')")
        page.click("dialog >> text=Left now")
        page.click("dialog:has-text('7 left') >> text=Keep theirs")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(self.shop.sql("select remaining from item_stock where menu_item_id = 4003"), "7")
        page.click(level)
        page.fill("#field-count", "12")
        self.shop.sql("update item_stock set remaining = 6 where menu_item_id = 4003")
        page.wait_for_selector(f"{level}:text-is('6 left')")
        page.click("dialog >> text=Left now")
        page.wait_for_selector(f"{level}:text-is('12 left')")
        page.wait_for_selector("dialog", state="detached")

    def test_hours_form(self):
        """The same for the hours of today"""
        page = self.enter(TABLET)
        page.click("[data-tab=shop]")
        page.click("text=Change hours")
        page.wait_for_selector("dialog[open]")
        path = "/v1/staff/hours/" + self.staff("GET", "/v1/staff/shop")["today"]
        self.addCleanup(self.staff, "DELETE", path)
        self.staff("PUT", path, {"shifts": [{"opens": "00:00", "closes": "23:45", "fulfilment": None}]})
        page.click("dialog >> text=Save")
        page.click("dialog:has-text('00:00–23:45') >> text=Keep theirs")
        page.wait_for_selector("dialog", state="detached")
        page.wait_for_selector("#hours-today:has-text('23:45')")

    def test_delay_form(self):
        """An open delay dialog shows the time that a colleague has promised meanwhile, and asks to choose again"""
        page, number = self.enter(LYING), place_order(self.shop, 1204)
        self.addCleanup(self.clear)
        self.shop.sql(f"select advance_order('{number}', 'accepted')")
        page.click(f"[aria-label='Delay order {number}']")
        page.fill("#field-delay-reason", "It is busy.")
        before = page.inner_text("dialog button[value='20']")
        self.shop.sql(f"select delay_order('{number}', 30, 'The oven is cold.')")
        page.wait_for_selector(f".ticket[data-number='{number}'] .delayed")
        page.click("dialog button[value='20']")
        page.wait_for_selector("#field-delay-reason-error:has-text('A colleague has changed the time')")
        self.assertNotEqual(page.inner_text("dialog button[value='20']"), before)
        page.click("dialog button[value='20']")
        page.wait_for_selector("dialog", state="detached")
        steps = f"select count(*) from order_steps join orders on order_id = id where number = '{number}' and "
        steps += "reason is not null"
        self.assertEqual(self.shop.sql(steps), "2")

    def test_undo_after_lost_answer(self):
        """A step whose answer was lost can be undone, and so can an undo be repeated"""
        page, number = self.enter(LYING), place_order(self.shop, 1205)
        self.addCleanup(self.clear)
        card = f".ticket[data-number='{number}']"

        def lose(route):
            route.fetch()
            route.abort()

        page.route("**/accept", lose)
        page.click(f"{card} [data-next=accepted]")
        page.click("#states .accepted")
        page.wait_for_selector(f".column.accepted {card} .undo", timeout=8_000)
        page.route("**/back", lambda route: route.abort())
        page.click(f"{card} .undo")
        page.wait_for_selector(".toast.problem")
        page.unroute("**/back")
        page.click(f"{card} .undo", timeout=3_000)
        page.wait_for_selector(f".column.placed {card}")
        self.assertEqual(self.state(number), "placed")
        self.forgiven += ("ERR_FAILED",)

    def test_screen_lock(self):
        """A screen lock that the system releases is requested again"""
        page = self.enter(TABLET, LOCK)
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_function("() => asked.length === 1")
        page.evaluate("locks[0].released = true; locks[0].dispatchEvent(new Event('release'))")
        page.wait_for_function("() => asked.length === 2", timeout=5_000)

    def test_leave(self):
        """Signing out asks while orders are open"""
        page, number = self.enter(TABLET, bypass_csp=True), place_order(self.shop, 1206)
        self.addCleanup(self.clear)
        page.wait_for_selector(f".ticket[data-number='{number}']")
        page.click("#leave")
        page.wait_for_selector("dialog:has-text('open')")
        self.scan(page)
        page.click("dialog button:text-is('Stay signed in')")
        page.wait_for_selector("dialog", state="detached")
        self.assertTrue(page.is_visible(f".ticket[data-number='{number}']"))
        page.click("#leave")
        page.click("dialog button:text-is('Sign out')")
        page.wait_for_selector("#field-token")

    def test_search(self):
        """What a search has found is announced and follows the orders; a new order that matches joins it"""
        self.addCleanup(self.clear)
        number = place_order(self.shop, 1207, name="Quentin Zabriskie")
        page = self.enter(TABLET, bypass_csp=True)
        page.fill("#find", "zabriskie")
        page.wait_for_selector(".found [role=status]:text-is('1 order found.')")
        page.click(f".found [data-number='{number}'] summary")
        self.shop.sql(f"select advance_order('{number}', 'accepted')")
        page.wait_for_selector(f".found [data-number='{number}'][data-state=accepted]:has-text('Accepted')")
        self.assertTrue(page.evaluate("document.querySelector('.found details').open"))
        place_order(self.shop, 1208, name="Quentin Zabriskie")
        page.wait_for_selector(".found [role=status]:text-is('2 orders found.')", timeout=15_000)
        self.scan(page)


if __name__ == "__main__":
    unittest.main()
