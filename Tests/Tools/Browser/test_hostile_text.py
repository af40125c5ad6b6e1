# Texts of maximum length without a break: a map link as an address, a comment of one word, a title of a hundred
# letters. No text may widen a screen.

import unittest

from placing import TOKEN, place_order
from shop import PHONE, BrowserTest
from test_ordering import fill_form

LINK = ("https://maps.example/@52.5200,13.4050,17z/data=" + "3m1!4b1!4m6!" * 13)[:200]
WIDTHS = (320, 390, 820, 1440)

# Elements that are wider than the screen, and texts that overflow their box. A phone shows one lane of the board and
# scrolls to the others. A phone's innerWidth grows with overflowing content.
OVERFLOWS = """(width) => {
    const wide = document.scrollingElement.scrollWidth > width ? [`the page: ${document.scrollingElement.scrollWidth}`]
        : [];
    const visible = (element) => element.checkVisibility()
        && !element.closest('.unseen, .shelf, .salesrow, .chips, .skip, .column h2');
    for (const element of document.querySelectorAll('body *')) {
        const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if (!hasText || !visible(element)) continue;
        const box = element.getBoundingClientRect();
        const runsOut = getComputedStyle(element).display !== 'inline'
            && getComputedStyle(element).overflowX === 'visible' && element.scrollWidth > element.clientWidth + 1;
        const frame = element.closest('.lane')?.getBoundingClientRect() ?? {left: 0, right: width, width};
        if (box.left < frame.left - 1 || box.right > frame.right + 1 || frame.width > width || runsOut)
            wide.push(`${element.tagName} ${element.className} ${Math.round(box.left)} ${
                Math.round(box.right)} ${element.scrollWidth}: ${element.textContent.slice(0, 30)}`);
    }
    return wide;
}"""


class HostileTextTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shop.sql("""
            update categories set title = repeat('W', 60);
            update menu_items set title = repeat('W', 96) || id, description = repeat('M', 1000),
                price = 100000000 - id,
                tags = array[repeat('w', 30), repeat('m', 30), 'x'];
            update option_groups set title = repeat('W', 96) || id;
            update options set title = repeat('W', 96) || id,
                price = case when is_default then 0 else 100000000 - id end;
            update sales_groups set title = repeat('W', 100), headline = repeat('M', 200),
                description = repeat('W', 2000);
            insert into delivery_areas (id, title, postcodes, minimum_subtotal) values (1, repeat('W', 100), array['*'],
                100000);
            insert into delivery_fees (area_id, from_subtotal, fee) values (1, 0, 99999999), (1, 100000000, 0);
            insert into tax_rates (id, title, percent) values (1, repeat('W', 100), 8.875);
            insert into category_taxes (category_id, tax_rate_id) select id, 1 from categories;
            update fulfilments set slot_minutes = 15;
            update coupons set title = repeat('W', 100), description = repeat('M', 1000),
                key = case when key = 'FRST' then repeat('W', 32) else key end;
        """)

    def check_width(self, page, width, description):
        self.assertEqual(page.evaluate(OVERFLOWS, width), [], f"{description} at {width}")

    def device(self, width):
        return (
            {**PHONE, "viewport": {"width": width, "height": 844}}
            if width < 1000
            else {"viewport": {"width": width, "height": 900}}
        )

    def order(self, number, **details):
        words = {
            "name": "N" * 100,
            "email": f"{'e' * 60}{number}@{'x' * 60}.example.com",
            "address": LINK,
            "comment": (LINK * 3)[:500],
            "postcode": "EC1A 1BB 99",
            **details,
        }
        return place_order(self.shop, number, ((2001, 99), (2003, 1)), (200, 400), **words)

    def test_unbroken_texts_on_guest_page(self):
        """Every screen of the guest page keeps its width with long unbroken texts of staff and guests"""
        for number, width in enumerate(WIDTHS):
            with self.subTest(width=width):
                page = self.visit("#/items/2001", self.device(width))
                page.click(".detail .button.big")
                page.wait_for_selector("#count:has-text('1')")
                page.wait_for_selector(".toast")
                self.check_width(page, width, "the toast")
                page.click(".detail .heart")
                page.goto(self.shop.url + "/#/sales/400")
                page.click(".poster .button:has-text('Add to basket')")
                page.wait_for_selector("#count:has-text('2')")
                for hash, until in (
                    ("#/", ".ticket"),
                    ("#/menu", "#list [data-item]"),
                    ("#/menu/300", "#list [data-item]"),
                    ("#/items/2002", ".detail .price"),
                    ("#/sales/200", ".poster .price"),
                    ("#/sales/100", ".poster .lead"),
                    ("#/favourites", "[data-item]"),
                    ("#/basket", "#total"),
                ):
                    page.goto(self.shop.url + "/" + hash)
                    page.wait_for_selector(until)
                    if hash == "#/":
                        page.click(".ticket .cover >> nth=0")
                    self.check_width(page, width, hash)
                page.goto(self.shop.url + "/#/checkout")
                page.wait_for_selector("#new-total")
                fill_form(page, 400 + number, coupon="W" * 32, postcode="EC1A 1BB 99")
                page.wait_for_selector(".hint:has-text('WWW')")
                page.wait_for_selector("#old-total")
                self.check_width(page, width, "the checkout with its coupon")
                fill_form(page, 400 + number, name="N" * 190, address=LINK, comment=LINK, coupon="x" * 60)
                page.click("button[type=submit]")
                page.wait_for_selector("#field-coupon[aria-invalid]")
                self.check_width(page, width, "the checkout's errors")
                fill_form(page, 400 + number, name="N" * 80, address=LINK, comment=LINK, coupon="W" * 32)
                page.wait_for_selector("#field-coupon:not([aria-invalid])")
                page.click("button[type=submit]")
                page.wait_for_selector(".bill")
                self.assertIn("3m1!4b1", page.inner_text(".customer"))
                self.check_width(page, width, "the bill")
                page.click("text=Cancel the order")
                page.wait_for_selector("dialog[open]")
                self.check_width(page, width, "the question")
                page.keyboard.press("Escape")
                number = page.inner_text("h1").split()[-1]
                self.shop.sql(f"select advance_order('{number}', 'rejected', repeat('R', 500))")
                page.wait_for_selector("[data-state=rejected]:has-text('RRRR')")
                self.check_width(page, width, "the rejection")
                page.goto(self.shop.url + "/#/orders")
                page.wait_for_selector(".orders")
                self.check_width(page, width, "the orders")

    def test_unbroken_texts_on_staff_page(self):
        """Every tab of the staff page keeps its width with long unbroken texts of guests"""
        orders = [self.order(number) for number in range(1, 6)]
        for number, states in enumerate(
            (("accepted",), ("accepted", "preparing"), ("accepted", "preparing", "on_the_way"))
        ):
            for state in states:
                self.shop.sql(f"select advance_order('{orders[number]}', '{state}')")
        self.shop.sql(f"select advance_order('{orders[4]}', 'rejected', repeat('R', 500))")
        self.addCleanup(self.shop.sql, "update shop set pause_until = null, pause_reason = null")
        self.shop.sql("update shop set pause_until = now() + interval '1 hour', pause_reason = repeat('W', 200)")
        for width in WIDTHS:
            with self.subTest(width=width):
                page = self.context(self.device(width)).new_page()
                page.goto(self.shop.url + "/staff")
                page.fill("#field-token", TOKEN)
                page.keyboard.press("Enter")
                page.wait_for_selector(".column.on_the_way .ticket")
                page.click(".done summary")
                self.check_width(page, width, "the orders")
                page.click(".column.placed .ticket >> text=Reject")
                page.wait_for_selector("dialog[open]")
                self.check_width(page, width, "the question")
                page.keyboard.press("Escape")
                for tab, until in (
                    ("menu", ".stock li"),
                    ("shop", "#shop .condition:has-text('WWW')"),
                    ("today", ".top-items li"),
                    ("errors", ".condition:has-text('All is well')"),
                ):
                    page.click(f"[data-tab={tab}]")
                    page.wait_for_selector(until)
                    self.check_width(page, width, tab)


if __name__ == "__main__":
    unittest.main()
