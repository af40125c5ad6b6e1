# The receipt of an order, as a guest prints it: on a roll of 80 mm and on a sheet. What it says is tested by WebTests/ReceiptTests.swift.

import re

from shop import DESKTOP, PHONE
from terms import AREAS, AS_SHIPPED, TermsTest
from test_ordering import fill_form

TAXES = """
    insert into tax_rates (id, title, percent) values (1, 'VAT', 7), (2, 'Sales tax of the city', 8.875);
    insert into category_taxes (category_id, tax_rate_id) values (200, 1), (400, 2);
    update shop set name = 'Elms', address = '12 Baker Lane, Springfield', tax_number = 'DE123456789';
"""
# A roll is as long as what is printed on it.
ROLL = {"width": "80mm", "height": "297mm"}
SHEET = {"format": "A4"}


class ReceiptTests(TermsTest):
    def tearDown(self):
        self.shop.sql("update menu_items set price = 805 where id = 2001; update shop set name = 'Welm''s Delivery', address = null, tax_number = null")
        super().tearDown()

    def ordered(self, number, device=PHONE):
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

    def printed(self, page):
        """Asks for the receipt, and waits until the browser is to print it."""
        page.evaluate("() => { window.printed = false; window.print = () => { window.printed = true; }; }")
        page.click("text=Print the receipt")
        page.wait_for_function("() => window.printed")

    def fits(self, page, paper, millimetres_wide):
        """All of the receipt and nothing else lies on the paper, within its margins; how many pages it takes."""
        page.emulate_media(media="print", color_scheme="dark")
        page.set_viewport_size({"width": int((millimetres_wide - 8) / 25.4 * 96), "height": 900})
        self.assertEqual(page.evaluate("[...document.body.children].filter((one) => one.checkVisibility()).map((one) => one.className)"), ["receipt"])
        self.assertEqual(page.evaluate("""() => [...document.querySelectorAll('.receipt, .receipt *')].filter((one) => {
            const {left, right} = one.getBoundingClientRect();
            return left < 0 || right > document.documentElement.clientWidth || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline';
        }).map((one) => one.outerHTML)"""), [])
        # No amount is broken.
        self.assertEqual(page.evaluate("""() => [...document.querySelectorAll('.receipt > p > :nth-child(2), .receipt .dishlist > li > :last-child')].filter((one) => {
            const range = document.createRange();
            range.selectNodeContents(one);
            return new Set([...range.getClientRects()].map(({top}) => top)).size > 1;
        }).map((one) => one.outerHTML)"""), [])
        self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).colorScheme"), "light")
        # Ink on paper, whatever the page's colours are by night.
        self.assertEqual(page.evaluate("[...new Set([...document.querySelectorAll('.receipt *')].map((one) => getComputedStyle(one).color))]"), ["rgb(0, 0, 0)"])
        pages = page.pdf(**paper)
        page.emulate_media(media="screen", color_scheme="light")
        # In points, a seventy-second of an inch.
        millimetres = [float(size) / 72 * 25.4 for size in re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pages).groups()]
        self.assertAlmostEqual(millimetres[0], millimetres_wide, delta=1)
        return len(re.findall(rb"/Type /Page\b", pages))

    def test_receipt(self):
        """A guest prints the receipt from the order's screen: shop, tax number, dishes, totals and each rate's tax, on a roll of 80 mm and on A4, and the page is as it was"""
        self.rows(AREAS, TAXES)
        page = self.ordered(730)
        asked = []
        page.on("request", lambda request: "/receipt" in request.url and "/v1/" in request.url and asked.append((request.url, request.headers.get("authorization", ""))))
        self.printed(page)
        (url, token), = asked
        self.assertTrue(token.startswith("Bearer ") and token.split()[1] not in url, "the token goes in the header")
        self.assertTrue(page.is_hidden(".receipt"), "on the screen there is none")
        self.assertTrue(page.is_visible(".bill"))
        words = " ".join(page.text_content(".receipt").split())
        # 8.05 and 2.85; of the 2.50 for bringing it 1.84 follow the burger.
        for part in ("Elms", "12 Baker Lane, Springfield", "Tax number: DE123456789", "1 × The Big Tasty", "Delivery$2.50", "Tip$1.50", "Total$14.90",
                     "VAT 7%Net$9.24Tax$0.65Gross$9.89", "Sales tax of the city 8.875%Net$3.22Tax$0.29Gross$3.51"):
            self.assertIn(part, words)
        self.assertIn(page.inner_text("h1").split()[-1], words)
        self.assertEqual(self.fits(page, ROLL, 80), 1)
        self.assertEqual(self.fits(page, SHEET, 210), 1)
        # Asked for again it is the same one, and it is gone with the screen.
        self.printed(page)
        self.assertEqual(page.locator(".receipt").count(), 1)
        self.assertEqual(page.locator("#new-total").count(), 1)
        page.click("text=Back to the start page")
        page.wait_for_selector(".tile")
        self.assertEqual(page.locator(".receipt").count(), 0)

    def test_receipt_of_much(self):
        """Long titles and large amounts fit the roll too, in a currency of three decimals; a cancelled order has no receipt"""
        self.rows(AS_SHIPPED, AREAS, TAXES, "update shop set currency = 'KWD', name = repeat('W', 100), address = repeat('W', 300), tax_number = repeat('8', 40);",
                  "update tax_rates set title = repeat('W', 100); update menu_items set price = 99999999 where id = 2001;")
        page = self.ordered(731, device=DESKTOP)
        self.printed(page)
        self.assertIn("KWD 99,999.999", page.text_content(".receipt").replace("\u00a0", " "))
        self.fits(page, ROLL, 80)
        page.set_viewport_size(DESKTOP["viewport"])
        page.click("text=Cancel the order")
        page.click("dialog button:has-text('Cancel the order')")
        page.wait_for_selector(".ended")
        self.assertEqual(page.locator("text=Print the receipt").count(), 0)
