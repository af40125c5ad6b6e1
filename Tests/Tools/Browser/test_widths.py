# Every screen of both pages in the widths of a phone, a tablet and a desktop, light and dark: no layout shift, no
# overflow, and no axe violation.

import unittest

from axe_playwright_python.sync_playwright import Axe

from placing import TOKEN, place_order
from shop import DESKTOP, PHONE, BrowserTest
from test_ordering import fill_form
from test_page import SHIFTS

DEVICES = (PHONE, {"viewport": {"width": 820, "height": 1180}, "has_touch": True}, DESKTOP)
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
# The staff page does not mark the moment when it becomes usable, so this script only records layout shifts.
MOVEMENTS = SHIFTS.split("    // Usable")[0]


class WidthTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def check_screen(self, page, description, moved=True):
        page.wait_for_selector("body:not(:has(dialog)) [aria-busy=true]", state="detached")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        width = page.viewport_size["width"]
        if moved:
            shifts = page.evaluate("window.shifts")
            self.assertEqual(sum(value for value, _ in shifts), 0, f"{description} at {width}: {shifts}")
        self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), width, description)
        for mode in ("light", "dark"):
            page.emulate_media(color_scheme=mode)
            # axe checks all rules in light mode, and only the contrast in dark mode.
            found = Axe().run(
                page, options=RULES if mode == "light" else {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
            )
            self.assertEqual(found.violations_count, 0, f"{description} at {width}, {mode}\n{found.generate_report()}")
        page.emulate_media(color_scheme="light")

    def test_guest_page_in_all_widths(self):
        """The guest page from the start to the bill has no layout shift, overflow or axe violation in any width"""
        self.expected_errors += ("404",)
        for number, device in enumerate(DEVICES):
            context = self.context(device, bypass_csp=True)
            context.add_init_script(SHIFTS)
            page = context.new_page()

            def go(hash, until):
                page.goto("about:blank")
                page.goto(self.shop.url + "/" + hash)
                page.wait_for_selector(until)
                self.check_screen(page, hash)

            for hash, until in (
                ("#/", ".ticket"),
                ("#/menu", "#list [data-item]"),
                ("#/menu?diet=vegan", "#list [data-item]"),
                ("#/menu?q=xyzzy", ".empty"),
                ("#/sales/200", ".poster .price"),
                ("#/sales/100", ".poster .lead"),
                ("#/favourites", ".empty"),
                ("#/basket", ".empty"),
                ("#/checkout", ".empty"),
                ("#/orders", ".empty"),
                ("#/about", "main h2"),
                ("#/items/999", ".fault"),
                ("#/items/2002", ".detail .price"),
                ("#/items/1001", ".choosing"),
            ):
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
            self.check_screen(page, "the checkout with errors", moved=False)
            fill_form(page, 750 + number)
            page.click("button[type=submit]")
            page.wait_for_selector(".bill")
            self.check_screen(page, "the bill")
            go(page.evaluate("location.hash"), ".bill")
            go("#/orders", ".orders .what p")

    def test_staff_page_in_all_widths(self):
        """Each tab of the staff page on a busy evening has no layout shift, overflow or axe violation in any width"""
        for number in range(5):
            place_order(
                self.shop, 760 + number, ((1001, 2, "no pickles"), (2001, 1)), (200,), comment="the bell does not ring"
            )
        for device in DEVICES:
            context = self.context(device, bypass_csp=True)
            context.add_init_script(MOVEMENTS)
            page = context.new_page()
            page.goto(self.shop.url + "/staff")
            page.wait_for_selector("#field-token")
            self.check_screen(page, "the sign-in")
            page.fill("#field-token", TOKEN)
            page.keyboard.press("Enter")
            page.wait_for_selector(".ticket")
            for tab, until in (
                ("orders", ".ticket"),
                ("menu", "[data-item='2001']"),
                ("shop", "#who"),
                ("today", ".figure"),
                ("errors", "#errors .condition"),
            ):
                page.goto("about:blank")
                page.goto(f"{self.shop.url}/staff#{tab}")
                page.wait_for_selector(until)
                self.check_screen(page, f"the tab {tab}")

    def test_tabs_wait_for_the_tools_beside_them(self):
        """The tabs of the staff page do not move on a wide screen if the parser pauses after them"""
        page = self.context(DEVICES[1], bypass_csp=True).new_page()
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector("#orders")
        page.evaluate("""async () => {
            const html = await (await fetch('/staff')).text();
            const [first, tools, rest] = html.split(/(?=<div class="row tools">|<\\/header>)/);
            document.open();
            document.write(first);
            window.parts = [tools, rest];
        }""")
        page.wait_for_function("document.styleSheets.length > 0 && document.querySelector('.tabs')", polling=20)
        self.assertFalse(page.evaluate("document.querySelector('.tabs').checkVisibility()"))
        page.evaluate("document.write(parts[0])")
        page.wait_for_function("document.querySelector('.tabs').checkVisibility()", polling=20)
        place = "document.querySelector('.tabs').getBoundingClientRect().left"
        before = page.evaluate(place)
        page.evaluate("document.write(parts[1]); document.close()")
        page.wait_for_selector("#announcer", state="attached")
        self.assertEqual(page.evaluate(place), before)


if __name__ == "__main__":
    unittest.main()
