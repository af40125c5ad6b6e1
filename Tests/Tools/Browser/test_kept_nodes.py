# DOM nodes survive a redraw: on the order screen, the board, the stock tab, in totals, tags and cards.

import re
import unittest

from board import LANDSCAPE, BoardTest
from placing import place_whole_order
from shop import PHONE


class KeptNodeTests(BoardTest):
    def test_order_screen_keeps_nodes(self):
        """When the state of an order changes, its screen keeps the steps, the buttons and the focus"""
        order = place_whole_order(self.shop, 1000)
        page = self.visit_order(order)
        page.wait_for_selector(".actions .button")
        page.evaluate("""() => {
            window.kept = [document.querySelector('.actions .button'), document.querySelector('.steps li')];
            kept[0].focus();
        }""")
        self.shop.sql(f"select advance_order('{order['number']}', 'accepted')")
        page.wait_for_selector("[data-state=accepted]")
        self.assertEqual(page.evaluate("kept.map((element) => element.isConnected)"), [True, True])
        self.assertTrue(page.evaluate("document.activeElement === kept[0]"))

    def test_focus_after_button_is_removed(self):
        """The focus moves to the heading when the focused button is removed"""
        order = place_whole_order(self.shop, 1001)
        page = self.visit_order(order)
        page.focus("text=Cancel the order")
        self.shop.sql(f"select advance_order('{order['number']}', 'accepted')")
        page.wait_for_selector("text=Cancel the order", state="detached")
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1")

    def test_reorder_twice_adds_once(self):
        """A second tap on “Order again” adds nothing, also when the order changes between the taps"""
        order = place_whole_order(self.shop, 1002)
        page = self.visit_order(order)
        self.hold_baskets(page)
        page.click("[data-key=again]")
        page.wait_for_function("() => asked === 1")
        self.assertEqual(page.get_attribute("[data-key=again]", "aria-busy"), "true")
        self.shop.sql(f"select advance_order('{order['number']}', 'accepted')")
        page.wait_for_selector(".steps[data-state=accepted]")
        self.assertEqual(page.get_attribute("[data-key=again]", "aria-busy"), "true")
        page.click("[data-key=again]")
        self.added_once(page)

    def test_reorder_on_two_screens_adds_once(self):
        """“Order again” in the list adds nothing while the same action on the order's screen is running"""
        order = place_whole_order(self.shop, 1003)
        page = self.visit_order(order)
        self.hold_baskets(page)
        page.click("[data-key=again]")
        page.wait_for_function("() => asked === 1")
        page.click(".foot [href='#/orders']")
        page.click(f"[data-order='{order['id']}'] .button")
        page.wait_for_selector("[data-order] [aria-busy]")
        self.added_once(page)

    def hold_baskets(self, page):
        """Delays the page's first basket until `release` is called. A Playwright route would also block the order's
        stream, which opens after the screen is drawn."""
        page.wait_for_selector(".bill")
        page.evaluate("""() => {
            window.asked = 0;
            const released = new Promise((done) => { window.release = done; });
            const send = window.fetch;
            window.fetch = async (address, ...more) => {
                if (address === '/v1/baskets') {
                    window.asked += 1;
                    await released;
                }
                return send(address, ...more);
            };
        }""")

    def added_once(self, page):
        """Checks that the basket contains the order once."""
        page.evaluate("release()")
        page.wait_for_selector("#total")
        page.reload()
        page.wait_for_selector("#total:has-text('$8.05')")
        self.assertEqual(page.inner_text("#count"), "1")

    def test_card_keeps_nodes(self):
        """A card that changes within its state keeps its busy button, its row of times and its open details"""
        self.close_orders()
        over, number, other = self.place_orders(1010, 3)
        self.shop.sql(f"select advance_order('{over}', 'rejected', 'a test')")
        page = self.sign_in(LANDSCAPE)
        card = f".ticket[data-number='{number}']"
        page.click(".done summary")
        page.click(f".closed-orders [data-number='{over}'] summary")
        page.click(f"[aria-label='Time for order {number}']")
        page.wait_for_selector(f"{card} .times:not([hidden])")
        held = []
        page.route("**/accept", lambda route: held.append(route))
        page.focus(f"{card} [data-next=accepted]")
        page.evaluate("window.kept = document.activeElement")
        page.keyboard.press("Enter")
        page.wait_for_selector(f"{card} [data-next][aria-busy]")
        # A new deadline changes the card, although the order keeps its state.
        self.addCleanup(self.shop.sql, "update shop set accept_within_minutes = null")
        self.shop.sql("update shop set accept_within_minutes = 60")
        page.wait_for_selector(f"{card} .deadline")
        self.assertTrue(page.evaluate("document.activeElement === kept"))
        self.assertEqual(page.get_attribute(f"{card} [data-next=accepted]", "aria-busy"), "true")
        self.assertTrue(page.is_visible(f"{card} .times"))
        self.assertEqual(page.get_attribute(f"[aria-label='Time for order {number}']", "aria-expanded"), "true")
        # The row of times can still be closed.
        page.click(f"[aria-label='Time for order {number}']")
        self.assertFalse(page.is_visible(f"{card} .times"))
        for route in held:
            route.continue_()
        page.wait_for_selector(f".column.accepted {card}")
        self.shop.sql(f"select advance_order('{other}', 'rejected', 'a test')")
        page.wait_for_selector(f".closed-orders [data-number='{other}']", state="attached")
        self.assertTrue(
            page.evaluate(f"document.querySelector(\".closed-orders [data-number='{over}'] details\").open")
        )

    def test_stock_ignores_older_answer(self):
        """A dish just marked sold out stays sold out when an older answer arrives, and its button keeps the focus"""
        page = self.sign_in(PHONE)
        page.click("[data-tab=menu]")
        page.wait_for_selector("[data-item='2004']")
        self.addCleanup(self.shop.sql, "update menu_items set is_available = true where id = 2004")
        held = []

        def hold_first(route):
            if held:
                return route.continue_()
            held.append(route)
            return held.append(route.fetch())

        page.route(re.compile(r"/v1/menu(\?|$)"), hold_first)
        while len(held) < 2:
            page.wait_for_timeout(50)
        page.click("[aria-label='Mark sold out: Chickenburger']")
        page.wait_for_selector("[data-item='2004'].gone")
        page.evaluate("""() => {
            window.flickered = false;
            const look = () => { window.flickered ||= !document.querySelector("[data-item='2004']").matches('.gone'); };
            const all = {childList: true, subtree: true, attributes: true};
            new MutationObserver(look).observe(document.querySelector('.stock'), all);
        }""")
        held[0].fulfill(response=held[1])
        page.wait_for_timeout(4_000)
        self.assertFalse(page.evaluate("flickered"))
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        self.assertEqual(label, "Back in stock: Chickenburger")
        # A colleague's change elsewhere in the list keeps the button.
        page.evaluate("window.kept = document.activeElement")
        self.addCleanup(self.shop.sql, "update menu_items set is_available = true where id = 2005")
        self.shop.sql("update menu_items set is_available = false where id = 2005")
        page.wait_for_selector("[data-item='2005'].gone")
        self.assertTrue(page.evaluate("document.activeElement === kept"))

    def test_totals_keep_rows(self):
        """A redrawn total keeps its row, so that screen readers announce only the changed amount"""
        page = self.visit("#/items/2001", PHONE)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        page.evaluate("window.kept = document.querySelector('.totals p.total')")
        page.fill("#field-tip", "1")
        page.wait_for_selector(".totals [data-total=tip]")
        self.assertTrue(page.evaluate("kept.isConnected"))

    def test_tags_keep_chips(self):
        """A tag that is offered again keeps its chip"""
        page = self.visit("#/menu", PHONE)
        page.wait_for_selector("[data-tag]")
        tags = (
            "Object.fromEntries([...document.querySelectorAll('[data-tag]')].map((element) => [element.dataset.tag,"
            " element]))"
        )
        page.evaluate(f"window.before = {tags}")
        names = list(page.evaluate("Object.keys(before)"))
        page.fill("#q", "burger")
        page.wait_for_function(f"names => Object.keys({tags}).join() !== names.join()", arg=names)
        both = f"Object.entries({tags}).filter(([tag]) => before[tag])"
        kept = page.evaluate(f"{both}.map(([tag, entry]) => entry === before[tag])")
        self.assertTrue(kept and all(kept), kept)

    def test_card_keeps_focus_on_new_price(self):
        """A dish with a new price keeps its card, its button and the focus"""
        page = self.visit("#/menu", PHONE)
        card = "#list article[data-item='2004']"
        button = page.locator(f"{card} .adding .button")
        button.focus()
        page.evaluate("window.kept = document.activeElement")
        before = page.inner_text(f"{card} .prices")
        self.addCleanup(self.shop.sql, "update menu_items set price = price - 10 where id = 2004")
        self.shop.sql("update menu_items set price = price + 10 where id = 2004")
        other = "([card, before]) => document.querySelector(`${card} .prices`).innerText !== before"
        page.wait_for_function(other, arg=[card, before])
        self.assertTrue(page.evaluate("document.activeElement === kept"))
        # The button still adds the dish, and the dish can still sell out. The page shows the quantity before the server
        # answers, so the test waits for the answer.
        with page.expect_response(lambda answer: answer.url.endswith("/items") and answer.status == 200):
            button.click()
        page.wait_for_selector(f"{card} .quantity:has-text('1')")
        self.addCleanup(self.shop.sql, "update menu_items set is_available = true where id = 2004")
        self.shop.sql("update menu_items set is_available = false where id = 2004")
        page.wait_for_selector(f"{card}.gone .soldout")
        self.shop.sql("update menu_items set is_available = true where id = 2004")
        page.wait_for_selector(f"{card}:not(.gone) .quantity:has-text('1')")


if __name__ == "__main__":
    unittest.main()
