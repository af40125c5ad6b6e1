# Single behaviours of the staff page, and of the order screen while staff act: taps, undo, forms, dialogs, search and
# the wake lock.

import json
import unittest
import urllib.request

from board import LANDSCAPE, TABLET, WIDE, BoardTest
from placing import TOKEN, place_order, place_whole_order
from shop import PHONE
from test_staff_board import WAKE_LOCK


class StaffStepTests(BoardTest):
    def staff(self, method, path, body=None):
        """Sends a request as a colleague."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.shop.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def test_second_tap_accepts_nothing(self):
        """After an acceptance no other card moves under the finger, so that a second tap accepts nothing"""
        for first, device in ((1100, {**PHONE, "has_touch": False, "is_mobile": False}), (1120, TABLET), (1140, WIDE)):
            self.close_orders()
            self.place_orders(first, 8)
            page = self.sign_in(device)
            button = page.locator(".column.placed .ticket >> nth=2 >> css=[data-next=accepted]")
            button.scroll_into_view_if_needed()
            number = button.evaluate("element => element.closest('.ticket').dataset.number")
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
            # A new order does not appear under the finger.
            newest = place_order(self.shop, first + 9)
            page.wait_for_selector(f".column.placed .ticket[data-number='{newest}']", state="attached")
            self.assertIsNone(page.evaluate(under, at), f"{device['viewport']}")
            page.mouse.click(*at)
            page.wait_for_timeout(300)
            self.assertEqual(accepted(), "1", f"{device['viewport']}")
            page.click("#states .accepted")
            page.wait_for_selector(f".column.accepted .ticket[data-number='{number}'] .undo", timeout=2_000)

    def test_rejection_after_acceptance(self):
        """An order rejected after its acceptance is neither preparing nor marked as “not accepted”"""
        order = place_whole_order(self.shop, 1200)
        page = self.visit_order(order)
        self.shop.sql(f"select advance_order('{order['number']}', 'accepted')")
        page.wait_for_selector(".order > .quiet:has-text('Kitchen number')")
        self.shop.sql(f"select advance_order('{order['number']}', 'rejected', 'The oven is cold.')")
        page.wait_for_selector(".ended[data-state=rejected]:has-text('Cancelled by the restaurant')")
        day = self.shop.sql(f"select day_number from orders where number = '{order['number']}'")
        self.assertEqual(page.inner_text(".order > .quiet >> nth=0"), f"Number {day}")
        self.assertNotIn("accepted", page.inner_text(".order").lower())

    def test_cancel_question_closes_on_acceptance(self):
        """The guest's cancel question closes when the order is accepted, and the page gives the reason"""
        order = place_whole_order(self.shop, 1201)
        page = self.visit_order(order)
        page.click("text=Cancel the order")
        page.wait_for_selector("dialog[open]")
        self.shop.sql(f"select advance_order('{order['number']}', 'accepted')")
        page.wait_for_selector("dialog", state="detached")
        page.wait_for_selector(".toast:has-text('can’t be cancelled')")
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1")

    def test_dialog_closes_with_order(self):
        """A dialog about an order closes when a colleague ends the order"""
        page, number = self.sign_in(LANDSCAPE), place_order(self.shop, 1202)
        for label in ("Reject", "Delay"):
            if label == "Delay":
                number = place_order(self.shop, 1203)
                self.shop.sql(f"select advance_order('{number}', 'accepted')")
            page.click(f"[aria-label='{label} order {number}']")
            page.wait_for_selector("dialog[open]")
            self.shop.sql(f"select advance_order('{number}', 'rejected', 'a test')")
            page.wait_for_selector("dialog", state="detached")
            page.wait_for_selector(f".toast:has-text('Order {number} is already finished')")

    def test_acceptance_form_conflict(self):
        """An open form asks before it overwrites a colleague's change"""
        self.addCleanup(self.shop.sql, "update shop set accepts_automatically = false, accept_within_minutes = null")
        page = self.sign_in(TABLET, bypass_csp=True)
        page.click("[data-tab=shop]")
        choice = page.locator("[aria-label='Who accepts new orders']")
        choice.select_option(value="deadline")
        page.fill("#field-accept-minutes", "10")
        self.shop.sql("update shop set accepts_automatically = true")
        page.wait_for_selector("#shop .condition:has-text('accepted automatically')")
        page.click(".accepting >> text=Save")
        page.wait_for_selector("dialog:has-text('A colleague has changed this') >> text=accepted automatically")
        self.check_accessibility(page)
        page.click("dialog >> text=Keep theirs")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(choice.input_value(), "automatically")
        self.assertEqual(self.shop.sql("select accepts_automatically from shop"), "t")
        choice.select_option(value="deadline")
        page.click(".accepting >> text=Save")
        page.wait_for_selector("#shop .condition:has-text('within 10 minutes')")
        self.assertFalse(page.is_visible("dialog"))

    def test_count_form_conflict(self):
        """A stock form asks before it overwrites a colleague's change, but not after sales to guests"""
        self.addCleanup(self.shop.sql, "delete from item_stock where menu_item_id = 4003")
        page = self.sign_in(TABLET)
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

    def test_hours_form_conflict(self):
        """The form for today's hours asks before it overwrites a colleague's change"""
        page = self.sign_in(TABLET)
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

    def test_delay_form_conflict(self):
        """An open delay dialog shows the time that a colleague has promised, and asks to choose again"""
        page, number = self.sign_in(LANDSCAPE), place_order(self.shop, 1204)
        self.addCleanup(self.close_orders)
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
        """A step whose answer was lost can be undone, and the undo can be repeated"""
        page, number = self.sign_in(LANDSCAPE), place_order(self.shop, 1205)
        self.addCleanup(self.close_orders)
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
        self.assertEqual(self.order_state(number), "placed")
        self.expected_errors += ("ERR_FAILED",)

    def test_screen_lock_is_renewed(self):
        """A wake lock that the system releases is requested again"""
        page = self.sign_in(TABLET, WAKE_LOCK)
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_function("() => asked.length === 1")
        page.evaluate("locks[0].released = true; locks[0].dispatchEvent(new Event('release'))")
        page.wait_for_function("() => asked.length === 2", timeout=5_000)

    def test_sign_out_with_open_orders(self):
        """Signing out asks for confirmation while orders are open"""
        page, number = self.sign_in(TABLET, bypass_csp=True), place_order(self.shop, 1206)
        self.addCleanup(self.close_orders)
        page.wait_for_selector(f".ticket[data-number='{number}']")
        page.click("#leave")
        page.wait_for_selector("dialog:has-text('open')")
        self.check_accessibility(page)
        page.click("dialog button:text-is('Stay signed in')")
        page.wait_for_selector("dialog", state="detached")
        self.assertTrue(page.is_visible(f".ticket[data-number='{number}']"))
        page.click("#leave")
        page.click("dialog button:text-is('Sign out')")
        page.wait_for_selector("#field-token")

    def test_search_follows_orders(self):
        """Search results are announced and follow the orders; a new matching order joins them"""
        self.addCleanup(self.close_orders)
        number = place_order(self.shop, 1207, name="Quentin Zabriskie")
        page = self.sign_in(TABLET, bypass_csp=True)
        page.fill("#find", "zabriskie")
        page.wait_for_selector(".found [role=status]:text-is('1 order found.')")
        page.click(f".found [data-number='{number}'] summary")
        self.shop.sql(f"select advance_order('{number}', 'accepted')")
        page.wait_for_selector(f".found [data-number='{number}'][data-state=accepted]:has-text('Accepted')")
        self.assertTrue(page.evaluate("document.querySelector('.found details').open"))
        place_order(self.shop, 1208, name="Quentin Zabriskie")
        page.wait_for_selector(".found [role=status]:text-is('2 orders found.')", timeout=15_000)
        self.check_accessibility(page)

    def test_search_in_older_orders(self):
        """A search by name finds an order older than the newest 1,000 after a tap, and keeps it when orders change"""
        self.addCleanup(self.close_orders)
        self.addCleanup(self.shop.sql, "delete from orders where idempotency_key like 'older %'")
        # The last of 2,500 orders of an earlier month is in the third page or later.
        self.shop.sql(
            "insert into orders (id, number, state, idempotency_key, fingerprint, name, phone, email, address, lines,"
            " subtotal, discount, total, currency, placed_at, day_number, eta_minutes)"
            " select gen_random_uuid(), lpad((50000000 + n)::text, 8, '0'), 'delivered', 'older ' || n, '',"
            " case n when 2500 then 'Olga Xylander' else 'Ann' end, '+1' || (3000000000 + n),"
            " 'older.' || n || '@example.com', 'Somewhere', array[row(1, 2001, null, 805, 805, 0, null, 1, 'regular',"
            " 'The Big Tasty', null, null)::order_line], 805, 0, 805, 'USD',"
            " now() - interval '40 days' - n * interval '1 minute', n, 15 from generate_series(1, 2500) as n"
        )
        page = self.sign_in(TABLET, bypass_csp=True)
        page.fill("#find", "xylander")
        page.wait_for_selector(".found [role=status]:text-is('No orders found. Older orders are not searched yet.')")
        self.check_accessibility(page)
        page.click(".found button:text-is('Search older orders')")
        self.assertRegex(page.inner_text(".found [data-number='50002500'] summary"), r", 20\d\d, ")
        page.wait_for_selector(".found [role=status]:text-is('1 order found.')")
        self.assertFalse(page.is_visible("text=Search older orders"))
        number = place_order(self.shop, 1209, name="Olga Xylander")
        page.wait_for_selector(".found [role=status]:text-is('2 orders found.')", timeout=15_000)
        self.assertEqual(
            page.eval_on_selector_all(".found [data-number]", "rows => rows.map((row) => row.dataset.number)"),
            [number, "50002500"],
        )


if __name__ == "__main__":
    unittest.main()
