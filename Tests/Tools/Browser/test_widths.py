# Every screen of both pages at the widths of a phone, a tablet and a desktop, by day and by night: nothing moves by itself, nothing is too wide, and axe
# finds nothing.

import unittest

from axe_playwright_python.sync_playwright import Axe

from shop import DESKTOP, PHONE, BrowserTest
from test_ordering import fill_form
from test_page import SHIFTS
from test_staff import TOKEN, place_order

DEVICES = (PHONE, {"viewport": {"width": 820, "height": 1180}, "has_touch": True}, DESKTOP)
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
# The staff's page has no screen that tells when it is usable.
MOVEMENTS = SHIFTS.split("    // Usable")[0]


class WidthTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def look(self, page, what, moved=True):
        page.wait_for_selector("body:not(:has(dialog)) [aria-busy=true]", state="detached")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        width = page.viewport_size["width"]
        if moved:
            shifts = page.evaluate("window.shifts")
            self.assertEqual(sum(value for value, _ in shifts), 0, f"{what} at {width}: {shifts}")
        self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), width, what)
        for mode in ("light", "dark"):
            page.emulate_media(color_scheme=mode)
            # Everything by day, and by night what is another colour then.
            found = Axe().run(page, options=RULES if mode == "light" else {"runOnly": {"type": "rule", "values": ["color-contrast"]}})
            self.assertEqual(found.violations_count, 0, f"{what} at {width}, {mode}\n{found.generate_report()}")
        page.emulate_media(color_scheme="light")

    def test_guest(self):
        """The guest's page from the start to the bill"""
        self.forgiven += ("404",)
        for number, device in enumerate(DEVICES):
            context = self.context(device, bypass_csp=True)
            context.add_init_script(SHIFTS)
            page = context.new_page()

            def go(hash, until):
                page.goto("about:blank")
                page.goto(self.shop.url + "/" + hash)
                page.wait_for_selector(until)
                self.look(page, hash)

            for hash, until in (("#/", ".ticket"), ("#/menu", "#list [data-item]"), ("#/menu?diet=vegan", "#list [data-item]"), ("#/menu?q=xyzzy", ".empty"), ("#/sales/200", ".poster .price"), ("#/sales/100", ".poster .lead"),
                                ("#/favourites", ".empty"), ("#/basket", ".empty"), ("#/checkout", ".empty"), ("#/orders", ".empty"), ("#/about", "main h2"), ("#/items/999", ".fault"),
                                ("#/items/2002", ".detail .price"), ("#/items/1001", ".choosing")):
                go(hash, until)
            page.click(".choosing .button")
            page.wait_for_selector("#count:has-text('1')")
            page.goto(self.shop.url + "/#/items/2002")
            page.click(".detail .heart")
            go("#/favourites", "[data-item]")
            go("#/basket", "#total")
            go("#/checkout", "#new-total")
            page.click("button[type=submit]")
            page.wait_for_selector("#field-name[aria-invalid]")
            self.look(page, "the checkout with errors", moved=False)
            fill_form(page, 750 + number)
            page.click("button[type=submit]")
            page.wait_for_selector(".bill")
            self.look(page, "the bill")
            go(page.evaluate("location.hash"), ".bill")
            go("#/orders", ".orders .what p")

    def test_staff(self):
        """The staff's page, each tab with what it shows on an evening"""
        for number in range(5):
            place_order(self.shop, 760 + number, ((1001, 2, "no pickles"), (2001, 1)), (200,), comment="the bell does not ring")
        for device in DEVICES:
            context = self.context(device, bypass_csp=True)
            context.add_init_script(MOVEMENTS)
            page = context.new_page()
            page.goto(self.shop.url + "/staff")
            page.wait_for_selector("#field-token")
            self.look(page, "the door")
            page.fill("#field-token", TOKEN)
            page.keyboard.press("Enter")
            page.wait_for_selector(".ticket")
            for tab, until in (("orders", ".ticket"), ("menu", "[data-item='2001']"), ("shop", "#who"), ("today", ".figure"), ("errors", "#errors .condition")):
                page.goto("about:blank")
                page.goto(f"{self.shop.url}/staff#{tab}")
                page.wait_for_selector(until)
                self.look(page, f"the tab {tab}")


if __name__ == "__main__":
    unittest.main()
