# The printed receipt of an order, on a roll of 80 mm and on A4. WebTests/ReceiptTests.swift tests its text.

import re

from shop import DESKTOP, PHONE
from terms import AREAS, DEFAULT_SETTINGS, ConfiguredShopTest
from test_ordering import fill_form

TAXES = """
    insert into tax_rates (id, title, percent) values (1, 'VAT', 7), (2, 'Sales tax of the city', 8.875);
    insert into category_taxes (category_id, tax_rate_id) values (200, 1), (400, 2);
    update shop set name = 'Elms', address = '12 Baker Lane, Springfield', tax_number = 'DE123456789';
"""
# The length of the roll adapts to the receipt.
ROLL = {"width": "80mm", "height": "297mm"}
SHEET = {"format": "A4"}


class ReceiptTests(ConfiguredShopTest):
    def tearDown(self):
        self.shop.sql(
            "update menu_items set price = 805 where id = 2001; update shop set name = 'Welm''s Delivery', address ="
            " null, tax_number = null"
        )
        super().tearDown()

    def open_order(self, number, device=PHONE):
        """A guest at the order of a burger and a soda, with a tip."""
        page = self.guest(device)
        page.goto(f"{self.shop.url}/#/items/4001")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('2')")
        self.to_checkout(page)
        fill_form(page, number, postcode="10115", tip="1.50")
        page.wait_for_selector("[data-total=tip]")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        return page

    def print_receipt(self, page):
        """Requests the receipt, and waits until the page prints it."""
        page.evaluate("() => { window.printed = false; window.print = () => { window.printed = true; }; }")
        page.click("text=Print the receipt")
        page.wait_for_function("() => window.printed")

    def check_paper(self, page, paper, millimetres_wide):
        """Prints to PDF and checks that only the receipt is printed, within its margins. Returns the number of
        pages."""
        page.emulate_media(media="print", color_scheme="dark")
        page.set_viewport_size({"width": int((millimetres_wide - 8) / 25.4 * 96), "height": 900})
        self.assertEqual(
            page.evaluate(
                "[...document.body.children].filter((element) => element.checkVisibility()).map((element) =>"
                " element.className)"
            ),
            ["receipt"],
        )
        self.assertEqual(
            page.evaluate("""() => [...document.querySelectorAll('.receipt, .receipt *')].filter((element) => {
            const {left, right} = element.getBoundingClientRect();
            return left < 0 || right > document.documentElement.clientWidth
                || element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline';
        }).map((element) => element.outerHTML)"""),
            [],
        )
        # No amount wraps.
        self.assertEqual(
            page.evaluate(
                """() => [...document.querySelectorAll(
            '.receipt > p > :nth-child(2), .receipt .dishlist > li > :last-child')].filter((element) => {
            const range = document.createRange();
            range.selectNodeContents(element);
            return new Set([...range.getClientRects()].map(({top}) => top)).size > 1;
        }).map((element) => element.outerHTML)"""
            ),
            [],
        )
        self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).colorScheme"), "light")
        # The receipt is black on white, also in night mode.
        self.assertEqual(
            page.evaluate(
                "[...new Set([...document.querySelectorAll('.receipt *')].map((element) =>"
                " getComputedStyle(element).color))]"
            ),
            ["rgb(0, 0, 0)"],
        )
        pages = page.pdf(**paper)
        page.emulate_media(media="screen", color_scheme="light")
        # PDF points are 1/72 inch.
        millimetres = [
            float(size) / 72 * 25.4 for size in re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pages).groups()
        ]
        self.assertAlmostEqual(millimetres[0], millimetres_wide, delta=1)
        return len(re.findall(rb"/Type /Page\b", pages))

    def test_receipt_is_printed(self):
        """The receipt has shop, tax number, dishes, totals and each tax rate on a roll of 80 mm and on A4; the screen
        is unchanged"""
        self.configure(AREAS, TAXES)
        page = self.open_order(730)
        asked = []
        page.on(
            "request",
            lambda request: "/receipt" in request.url
            and "/v1/" in request.url
            and asked.append((request.url, request.headers.get("authorization", ""))),
        )
        self.print_receipt(page)
        (url, token), = asked
        self.assertTrue(
            token.startswith("Bearer ") and token.split()[1] not in url, "the token must be sent in the header"
        )
        self.assertTrue(page.is_hidden(".receipt"), "the receipt must not be visible on the screen")
        self.assertTrue(page.is_visible(".bill"))
        words = " ".join(page.text_content(".receipt").split())
        # Goods are 8.05 and 2.85. Of the delivery fee of 2.50, 1.84 has the tax rate of the burger.
        for part in (
            "Elms",
            "12 Baker Lane, Springfield",
            "Tax number: DE123456789",
            "1 × The Big Tasty",
            "Delivery$2.50",
            "Tip$1.50",
            "Total$14.90",
            "VAT 7%Net$9.24Tax$0.65Gross$9.89",
            "Sales tax of the city 8.875%Net$3.22Tax$0.29Gross$3.51",
        ):
            self.assertIn(part, words)
        self.assertIn(page.inner_text("h1").split()[-1], words)
        self.assertEqual(self.check_paper(page, ROLL, 80), 1)
        self.assertEqual(self.check_paper(page, SHEET, 210), 1)
        # Printing again gives the same receipt, and leaving the screen removes it.
        self.print_receipt(page)
        self.assertEqual(page.locator(".receipt").count(), 1)
        self.assertEqual(page.locator("#new-total").count(), 1)
        page.click("text=Back to the start page")
        page.wait_for_selector(".tile")
        self.assertEqual(page.locator(".receipt").count(), 0)

    def test_receipt_with_long_texts(self):
        """Long titles and large amounts with three decimals fit the roll; a cancelled order has no receipt"""
        self.configure(
            DEFAULT_SETTINGS,
            AREAS,
            TAXES,
            "update shop set currency = 'KWD', name = repeat('W', 100), address = repeat('W', 300), tax_number ="
            " repeat('8', 40);",
            "update tax_rates set title = repeat('W', 100); update menu_items set price = 99999999 where id = 2001;",
        )
        page = self.open_order(731, device=DESKTOP)
        self.print_receipt(page)
        self.assertIn("KWD 99,999.999", page.text_content(".receipt").replace("\u00a0", " "))
        self.check_paper(page, ROLL, 80)
        page.set_viewport_size(DESKTOP["viewport"])
        page.click("text=Cancel the order")
        page.click("dialog button:has-text('Cancel the order')")
        page.wait_for_selector(".ended")
        self.assertEqual(page.locator("text=Print the receipt").count(), 0)
