# The board of the staff's page on a busy evening: who comes in, what they have before them, what axe says of it.

from axe_playwright_python.sync_playwright import Axe

from shop import BrowserTest
from test_staff import TOKEN, place_order

TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
LYING = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}
WIDE = {"viewport": {"width": 1440, "height": 900}}


class BoardTest(BrowserTest):
    """A test with a board, and orders that are gone with it."""

    arguments = ("--staff-token", TOKEN)

    def enter(self, device=WIDE, script="", **options):
        # As on the restaurant's own tablets.
        page = self.context(device, **{"timezone_id": "America/New_York", **options}).new_page()
        page.add_init_script(script)
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        return page

    def state(self, number):
        return self.shop.sql(f"select state from orders where number = '{number}'")

    def rush(self, first, many, dishes=lambda number: ((2001, 1),), **details):
        """So many new orders, and what moves the last of them away when the test is over."""
        self.addCleanup(self.clear)
        return [place_order(self.shop, first + number, dishes(number), **details) for number in range(many)]

    def clear(self):
        """No order is open any more."""
        self.shop.sql("select advance_order(number, 'rejected', 'a test') from orders where state not in ('delivered', 'cancelled', 'rejected')")

    def eventually(self, is_so):
        page = self.context().new_page()
        for _ in range(50):
            if is_so():
                return
            page.wait_for_timeout(100)
        self.fail("it never came to be")

    def scan(self, page, what=""):
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{what}\n{found.generate_report()}")
