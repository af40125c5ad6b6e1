# The staff board on a busy evening: signing in, placing many orders and checking accessibility.

from axe_playwright_python.sync_playwright import Axe

from placing import TOKEN, place_order
from shop import BrowserTest

TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
LANDSCAPE = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}
WIDE = {"viewport": {"width": 1440, "height": 900}}


class BoardTest(BrowserTest):
    """Signs in to the staff board, and closes the orders of each test afterwards."""

    arguments = ("--staff-token", TOKEN)

    def sign_in(self, device=WIDE, script="", **options):
        # The restaurant's tablets have the shop's time zone.
        page = self.context(device, **{"timezone_id": "America/New_York", **options}).new_page()
        page.add_init_script(script)
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        return page

    def order_state(self, number):
        return self.shop.sql(f"select state from orders where number = '{number}'")

    def place_orders(self, first, count, dishes=lambda number: ((2001, 1),), **details):
        """Places `count` new orders. All open orders are closed when the test ends."""
        self.addCleanup(self.close_orders)
        return [place_order(self.shop, first + number, dishes(number), **details) for number in range(count)]

    def close_orders(self):
        """Closes all open orders."""
        self.shop.sql(
            "select advance_order(number, 'rejected', 'a test') from orders where state not in ('delivered',"
            " 'cancelled', 'rejected')"
        )

    def wait_until(self, condition):
        page = self.context().new_page()
        for _ in range(50):
            if condition():
                return
            page.wait_for_timeout(100)
        self.fail("the condition did not become true within 5 s")

    def check_accessibility(self, page, description=""):
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{description}\n{found.generate_report()}")
