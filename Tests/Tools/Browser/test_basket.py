# The basket: Undo after a removal, and the picture and price of each line.

import json
import unittest

from axe_playwright_python.sync_playwright import Axe

from shop import DESKTOP, PHONE, BrowserTest
from test_page import SHIFTS

# These screens are so high that the tab bar covers no element: axe reports a half-covered element as too small.
DEVICES = (
    {**PHONE, "viewport": {"width": 390, "height": 1600}},
    {**PHONE, "viewport": {"width": 320, "height": 1600}},
    DESKTOP,
)


class BasketTests(BrowserTest):
    def basket(self, page):
        return page.evaluate(
            "fetch(`/v1/baskets/${JSON.parse(localStorage['welms.basket'])}`).then((answer) => answer.json())"
        )

    def open_basket(self, *bodies, device=PHONE, **options):
        """Opens the basket of a guest. Each body is a pair of a route and the JSON to post."""
        context = self.context(device, bypass_csp=True, **options)
        context.add_init_script(SHIFTS)
        context.clock.install()
        page = context.new_page()
        page.goto(self.shop.url + "/#/orders")
        page.wait_for_selector(".empty")
        page.evaluate(
            """async (bodies) => {
            const post = (path, body) => fetch(path,
                {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})
                .then((answer) => answer.json());
            const {id} = await post('/v1/baskets');
            for (const [path, body] of bodies) await post(`/v1/baskets/${id}/${path}`, body);
            localStorage['welms.basket'] = JSON.stringify(id);
        }""",
            [list(pair) for pair in bodies],
        )
        page.goto("about:blank")
        page.goto(self.shop.url + "/#/basket")
        page.wait_for_selector("#total")
        return page

    def contents(self, page):
        """The contents of the basket without the lines' ids."""
        basket = self.basket(page)
        return (
            sorted(
                json.dumps([line["menuItemId"], line["quantity"], line["note"], line["options"], line["total"]])
                for line in basket["lines"]
            ),
            [
                [sale["salesGroupId"], [{**item, "lineId": None} for item in sale["items"]], sale["total"]]
                for sale in basket["sales"]
            ],
            basket["total"],
        )

    def check_accessibility(self, page, description):
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{description}\n{found.generate_report()}")

    def test_undo_restores_a_removed_line(self):
        """Undo restores what the bin or the last minus removed, and the page announces the removal and the return"""
        big_tasty = {
            "menuItemId": 2001,
            "quantity": 3,
            "note": "for Bo",
            "options": [{"optionId": 1103}, {"optionId": 1202, "quantity": 2}],
        }
        unit = {"menuItemId": 2002, "options": [{"optionId": 1101}], "note": "rare"}
        for device in DEVICES:
            page = self.open_basket(
                ("items", big_tasty),
                ("items", {"menuItemId": 3001}),
                ("sales", {"salesGroupId": 200, "items": [unit]}),
                device=device,
            )
            before = self.contents(page)
            for name, title in (
                ("Remove The Big Tasty, “for Bo”", "The Big Tasty"),
                ("One French Fries less", "French Fries"),
                ("Remove Happy Saturday", "Happy Saturday"),
            ):
                page.click(f"[aria-label='{name}']")
                page.wait_for_selector(f".toast:has-text('{title} was removed from the basket')")
                self.assertNotEqual(self.contents(page), before)
                page.wait_for_function(
                    f"() => document.getElementById('announcer').textContent === '{title} was removed from the basket.'"
                )
                self.check_accessibility(page, f"{title} was removed")
                self.assertLessEqual(
                    page.evaluate("document.scrollingElement.scrollWidth"), device["viewport"]["width"]
                )
                page.click(".undo")
                page.wait_for_selector(f".toast:has-text('{title} is in the basket')")
                self.assertEqual(self.contents(page), before)
                page.wait_for_function(
                    f"() => document.getElementById('announcer').textContent === '{title} is in the basket.'"
                )
                self.assertEqual(page.locator(".undo").count(), 0)
                # The focus is where it was before the removal.
                self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-label')"), name)
            shifts = page.evaluate("window.shifts")
            self.assertEqual(sum(value for value, _ in shifts), 0, shifts)

    def test_undo_by_keyboard(self):
        """Undo is one Tab away from the removed line, stays while it has the focus, and returns the focus to the
        line"""
        page = self.open_basket(("items", {"menuItemId": 2001, "quantity": 2}), ("items", {"menuItemId": 3001}))
        before = self.contents(page)
        page.focus("[aria-label='Remove The Big Tasty']")
        page.keyboard.press("Enter")
        page.wait_for_selector(".undo")
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1")
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Undo")
        self.assertEqual(
            page.evaluate(
                "document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent"
            ),
            "The Big Tasty was removed from the basket.",
        )
        self.assertNotEqual(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none")
        page.clock.fast_forward("01:00")
        page.keyboard.press("Enter")
        page.wait_for_selector(".toast:has-text('The Big Tasty is in the basket')")
        self.assertEqual(self.contents(page), before)
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-label')"), "Remove The Big Tasty")
        # Undo also restores the last line of the basket.
        page.keyboard.press("Enter")
        page.wait_for_selector(".undo")
        page.click("[aria-label='Remove French Fries']")
        page.wait_for_selector(".empty")
        page.wait_for_selector(".toast:has-text('French Fries')")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector("[aria-label='Remove French Fries']:focus")
        self.assertEqual(self.basket(page)["total"], 459)

    def test_undo_expires(self):
        """The offer to undo disappears after a while, and is not made for a dish that is now unavailable"""
        self.addCleanup(self.shop.sql, "update menu_items set is_available = true where id = 3001")
        page = self.open_basket(("items", {"menuItemId": 2001}), ("items", {"menuItemId": 3001}))
        page.click("[aria-label='Remove The Big Tasty']")
        page.wait_for_selector(".undo")
        page.clock.fast_forward("00:10")
        page.wait_for_selector(".toast", state="detached")
        self.shop.sql("update menu_items set is_available = false where id = 3001")
        self.wait_for_answer(page, "/v1/menu/3001", "({isAvailable}) => !isAvailable")
        page.reload()
        page.wait_for_selector(".line .warn")
        page.click("[aria-label='Remove French Fries']")
        page.wait_for_selector(".toast:has-text('French Fries was removed from the basket')")
        self.assertEqual(page.locator(".undo").count(), 0)

    def test_line_has_picture_and_price(self):
        """Each line has a small picture, its total and the price without the discount; a special item has plus and
        minus too"""
        for device in DEVICES:
            page = self.open_basket(
                ("items", {"menuItemId": 2005, "quantity": 3}),
                ("items", {"menuItemId": 2001, "quantity": 2}),
                ("items", {"menuItemId": 1003}),
                ("sales", {"salesGroupId": 200}),
                device=device,
            )
            page.wait_for_function("() => document.querySelectorAll('.line .face img').length === 4")
            self.assertEqual(
                page.evaluate("[...document.querySelectorAll('.line .face img')].map((element) => element.loading)"),
                ["lazy"] * 4,
            )
            for face in page.locator(".line .face").all():
                face.scroll_into_view_if_needed()
                face.locator("img[src]").wait_for()
                self.assertEqual([face.bounding_box()[side] for side in ("width", "height")], [48, 48])
                self.assertTrue(
                    face.locator("img").evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")
                )
            self.assertEqual(
                [
                    [line.locator(".sum .now").inner_text(), line.locator(".sum s").all_inner_texts()]
                    for line in page.locator("[data-line]").all()
                ],
                [["$24.78", ["$27.54"]], ["$16.10", []], ["$16.79", ["$20.99"]]],
            )
            self.assertEqual([line.inner_text().count("$") for line in page.locator(".line").all()], [2, 1, 2, 1])
            page.click("[aria-label='One Cheese Peasy more']")
            page.wait_for_selector("[data-line='1003'] .sum:has-text('$33.58'):has-text('$41.98')")
            page.click("[aria-label='One Cheese Peasy less']")
            page.wait_for_selector("[data-line='1003'] .sum:has-text('$16.79')")
            self.check_accessibility(page, "the basket")
            self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), device["viewport"]["width"])
            shifts = page.evaluate("window.shifts")
            self.assertEqual(sum(value for value, _ in shifts), 0, shifts)


if __name__ == "__main__":
    unittest.main()
