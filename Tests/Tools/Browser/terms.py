# A shop whose rows say when, where and for how much, and a guest and a member of staff who meet them.

import json
import time
import urllib.request

from axe_playwright_python.sync_playwright import Axe

from shop import DESKTOP, PHONE, BrowserTest
from test_staff import TOKEN

NARROW = {**PHONE, "viewport": {"width": 320, "height": 640}}
# The shop as it is shipped.
AS_SHIPPED = """
    delete from opening_hours; delete from opening_exceptions; delete from serving_hours; delete from delivery_fees; delete from delivery_areas;
    update shop set currency = 'USD', pause_until = null, pause_reason = null, busy_minutes = 0, busy_until = null, accept_within_minutes = null, accepts_automatically = false,
        delivery_tax_rate_id = null, prices_include_tax = true;
    delete from category_taxes; delete from tax_rates;
    update fulfilments set is_offered = true, lead_minutes = 0, slot_minutes = null, horizon_days = 7, orders_per_slot = null, items_per_slot = null,
        small_order_below = 0, small_order_fee = 0, service_charge_percent = null, service_charge_amount = null;
"""
# Two dollars fifty to deliver to 10…, free from twenty, fifteen at the least for 20….
AREAS = """
    insert into delivery_areas (id, title, priority, postcodes, minimum_subtotal, extra_minutes) values
        (1, 'Centre', 1, array['10*'], 0, 10), (2, 'Hills', 2, array['20*'], 1500, 20);
    insert into delivery_fees (area_id, from_subtotal, fee) values (1, 0, 250), (1, 2000, 0), (2, 0, 400);
"""
SLOTS = "update fulfilments set slot_minutes = 30;"
ALL_DAY = "insert into opening_hours (weekday, opens, closes) select day, '00:00', '24:00' from generate_series(1, 7) as day;"
# So many days after the shop's own today.
TODAY = "(select (now() at time zone time_zone)::date from shop)"
WEEKDAY = f"extract(isodow from {TODAY} + 1)::integer"
# Closed now, whatever the time is, and open tomorrow.
TOMORROW_ONLY = f"insert into opening_hours (weekday, opens, closes) select {WEEKDAY}, '11:00', '22:00';"


class TermsTest(BrowserTest):
    """A test of rows that are gone with it."""

    arguments = ("--staff-token", TOKEN)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.zone = cls.shop.sql("select time_zone from shop")

    def tearDown(self):
        self.shop.sql(AS_SHIPPED)
        self.known(lambda: all(door["isOpen"] and door["until"] is None for door in self.doors()) and self.ask("/v1/delivery?postcode=00")["area"] is None)
        super().tearDown()

    def ask(self, path):
        with urllib.request.urlopen(self.shop.url + path) as answer:
            return json.load(answer)

    def doors(self):
        return self.ask("/v1/home")["opening"]

    def known(self, is_known):
        """The server reads the menu again within a second."""
        deadline = time.monotonic() + 10
        while not is_known():
            self.assertLess(time.monotonic(), deadline, "the server does not know of the rows")
            time.sleep(0.05)

    def rows(self, *texts, until=lambda shop: True):
        """Rows that staff write, and that the server knows of. A row of one test is gone with it."""
        self.shop.sql(" ".join(texts) + " update menu_items set description = description || '.' where id = 5003")
        told = self.shop.sql("select description from menu_items where id = 5003")
        self.known(lambda: self.ask("/v1/menu/5003")["description"] == told)

    def slots(self, days=1, fulfilment="delivery"):
        date = self.shop.sql(f"select {TODAY} + {days}")
        return self.ask(f"/v1/times?fulfilment={fulfilment}&date={date}")["slots"]

    def guest(self, device=PHONE, item=2001, **options):
        """A guest at the checkout with one dish."""
        page = self.visit(f"#/items/{item}", device, **{"timezone_id": self.zone, **options})
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        self.to_checkout(page)
        return page

    def to_checkout(self, page):
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")

    def choose(self, page, start):
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
        self.fail(f"no way to {selector}")

    def scan(self, page, what):
        # What is busy is pale, and says so.
        page.wait_for_selector("[aria-busy=true]", state="detached")
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{what}\n{found.generate_report()}")
