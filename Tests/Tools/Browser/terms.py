# A shop with settings for times, delivery areas and money, a guest at its checkout and a member of staff.

import json
import time
import urllib.request

from axe_playwright_python.sync_playwright import Axe

from placing import TOKEN
from shop import DESKTOP, PHONE, BrowserTest

NARROW = {**PHONE, "viewport": {"width": 320, "height": 640}}
# Restores the shop as shipped.
DEFAULT_SETTINGS = """
    delete from opening_hours; delete from opening_exceptions; delete from serving_hours; delete from delivery_fees;
        delete from delivery_areas;
    update shop set currency = 'USD', pause_until = null, pause_reason = null, busy_minutes = 0, busy_until = null,
        accept_within_minutes = null, accepts_automatically = false,
        delivery_tax_rate_id = null, prices_include_tax = true;
    delete from category_taxes; delete from tax_rates;
    update fulfilments set is_offered = true, lead_minutes = 0, slot_minutes = null, horizon_days = 7,
        orders_per_slot = null, items_per_slot = null,
        small_order_below = 0, small_order_fee = 0, service_charge_percent = null, service_charge_amount = null;
"""
# Delivery to postcodes 10… costs $2.50 and is free from $20. Postcodes 20… cost $4 with a minimum of $15.
AREAS = """
    insert into delivery_areas (id, title, priority, postcodes, minimum_subtotal, extra_minutes) values
        (1, 'Centre', 1, array['10*'], 0, 10), (2, 'Hills', 2, array['20*'], 1500, 20);
    insert into delivery_fees (area_id, from_subtotal, fee) values (1, 0, 250), (1, 2000, 0), (2, 0, 400);
"""
SLOTS = "update fulfilments set slot_minutes = 30;"
ALL_DAY = (
    "insert into opening_hours (weekday, opens, closes) select day, '00:00', '24:00' from generate_series(1, 7) as day;"
)
# The shop's current date.
TODAY = "(select (now() at time zone time_zone)::date from shop)"
WEEKDAY = f"extract(isodow from {TODAY} + 1)::integer"
# Closed today, whatever the time is, and open tomorrow.
TOMORROW_ONLY = f"insert into opening_hours (weekday, opens, closes) select {WEEKDAY}, '11:00', '22:00';"


class ConfiguredShopTest(BrowserTest):
    """A test that changes the shop's settings. Each test ends with the settings as shipped."""

    arguments = ("--staff-token", TOKEN)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.zone = cls.shop.sql("select time_zone from shop")

    def tearDown(self):
        self.shop.sql(DEFAULT_SETTINGS)
        self.wait_for_server(
            lambda: all(status["isOpen"] and status["until"] is None for status in self.opening_statuses())
            and self.get_json("/v1/delivery?postcode=00")["area"] is None
        )
        super().tearDown()

    def get_json(self, path):
        with urllib.request.urlopen(self.shop.url + path) as answer:
            return json.load(answer)

    def opening_statuses(self):
        return self.get_json("/v1/home")["opening"]

    def wait_for_server(self, condition):
        """Waits until the server has reloaded the menu, which takes up to a second."""
        deadline = time.monotonic() + 10
        while not condition():
            self.assertLess(time.monotonic(), deadline, "the server did not reload the menu within 10 s")
            time.sleep(0.05)

    def configure(self, *texts, until=lambda shop: True):
        """Executes SQL of staff, and waits until the server knows the change. The settings are reset after the test."""
        self.shop.sql(" ".join(texts) + " update menu_items set description = description || '.' where id = 5003")
        description = self.shop.sql("select description from menu_items where id = 5003")
        self.wait_for_server(lambda: self.get_json("/v1/menu/5003")["description"] == description)

    def slots(self, days=1, fulfilment="delivery"):
        date = self.shop.sql(f"select {TODAY} + {days}")
        return self.get_json(f"/v1/times?fulfilment={fulfilment}&date={date}")["slots"]

    def guest(self, device=PHONE, item=2001, **options):
        """Opens the checkout as a guest with one dish in the basket."""
        page = self.visit(f"#/items/{item}", device, **{"timezone_id": self.zone, **options})
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        self.to_checkout(page)
        return page

    def to_checkout(self, page):
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")

    def choose_slot(self, page, start):
        """Chooses a time of tomorrow."""
        page.select_option("#field-wantedAt-day", label="Tomorrow")
        page.select_option("#field-wantedAt", value=start)

    def last_order(self, columns):
        return self.shop.sql(f"select {columns} from orders order by placed_at desc limit 1")

    def orders(self):
        return int(self.shop.sql("select count(*) from orders"))

    def staff(self, device=DESKTOP, **options):
        page = self.context(device, **{"timezone_id": self.zone, **options}).new_page()
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        return page

    def tab_to(self, page, selector):
        for _ in range(120):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
        self.fail(f"Tab did not reach {selector}")

    def check_accessibility(self, page, description):
        # A busy element is pale, and its contrast is too low for axe.
        page.wait_for_selector("[aria-busy=true]", state="detached")
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{description}\n{found.generate_report()}")
