# The tip buttons: percentages of the subtotal in whole units of any currency, up to the shop's limit.

import unittest

from shop import DESKTOP, PHONE
from terms import NARROW, ConfiguredShopTest
from test_ordering import fill_form
from test_page import SHIFTS

CHIPS = "[role=radiogroup][aria-label=Tip] label"


class TipTests(ConfiguredShopTest):
    def chips(self, page):
        return [text.replace("\u00a0", " ") for text in page.locator(CHIPS).all_inner_texts()]

    def checked(self, page):
        return page.evaluate(
            f"[...document.querySelectorAll('{CHIPS}')].filter((element) =>"
            " element.querySelector('input').checked).map((element) => element.textContent)"
        )

    def tips(self, percent, currency="USD"):
        self.addCleanup(self.shop.sql, "update shop set tip_limit_percent = 100")
        self.configure(f"update shop set tip_limit_percent = {percent}, currency = '{currency}';")

    def test_tip_by_tap(self):
        """One tap adds a tip of 10, 15 or 20 percent; an equal typed amount marks the button; the bill shows the tip"""
        for device in (PHONE, NARROW, DESKTOP):
            page = self.guest(device, bypass_csp=True)
            self.assertEqual(self.chips(page), ["No tip", "10% · $0.80", "15% · $1.20", "20% · $1.61"])
            self.assertEqual(self.checked(page), ["No tip"])
            page.click(f"{CHIPS}:has-text('15%')")
            page.wait_for_selector("#new-total:has-text('$9.25')")
            self.assertEqual((page.input_value("#field-tip"), self.checked(page)), ("1.20", ["15% · $1.20"]))
            page.fill("#field-tip", "1")
            page.wait_for_selector("#new-total:has-text('$9.05')")
            self.assertEqual(self.checked(page), [])
            page.fill("#field-tip", "0.8")
            page.wait_for_selector("#new-total:has-text('$8.85')")
            self.assertEqual(self.checked(page), ["10% · $0.80"])
            page.click(f"{CHIPS}:has-text('No tip')")
            page.wait_for_selector("#new-total:has-text('$8.05')")
            self.assertEqual(page.input_value("#field-tip"), "")
            # Percentages of the subtotal, regardless of a coupon.
            page.fill("#field-coupon", "FRST")
            page.wait_for_selector("#new-total:has-text('$7.25')")
            self.assertEqual(self.chips(page)[1], "10% · $0.80")
            page.fill("#field-coupon", "")
            page.wait_for_selector("#new-total:has-text('$8.05')")
            self.check_accessibility(page, "the tips")
            self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), device["viewport"]["width"])
        # The keyboard reaches the group with one Tab, and arrow keys choose.
        page.focus("#field-coupon")
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.type"), "radio")
        self.assertNotEqual(
            page.evaluate("getComputedStyle(document.activeElement.closest('label')).outlineStyle"), "none"
        )
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        page.wait_for_selector("#new-total:has-text('$9.66')")
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.id"), "field-tip")
        page.reload()
        page.wait_for_selector("#new-total:has-text('$9.66')")
        self.assertEqual(self.checked(page), ["20% · $1.61"])
        fill_form(page, 180)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill:has-text('$1.61')")
        self.assertEqual(self.last_order("total"), "966")

    def test_tip_in_any_currency(self):
        """Tips are rounded down to whole minor units with none, two or three decimals, in the guest's format"""
        for currency, locale, chips, typed, total in (
            ("JPY", "en-US", ["No tip", "10% · ¥80", "15% · ¥120", "20% · ¥161"], "120", "¥925"),
            ("KWD", "en-US", ["No tip", "10% · KWD 0.080", "15% · KWD 0.120", "20% · KWD 0.161"], "0.120", "KWD 0.925"),
            ("EUR", "de-DE", ["Kein Trinkgeld", "10 % · 0,80 €", "15 % · 1,20 €", "20 % · 1,61 €"], "1,20", "9,25 €"),
        ):
            self.tips(100, currency)
            page = self.context(PHONE, locale=locale).new_page()
            page.goto(self.shop.url + "/#/items/2001")
            page.click(".choosing .button")
            page.wait_for_selector("#count:has-text('1')")
            self.to_checkout(page)
            group = page.locator("[role=radiogroup]")
            self.assertEqual([text.replace("\u00a0", " ") for text in group.locator("label").all_inner_texts()], chips)
            group.locator("label").nth(2).click()
            page.wait_for_function(
                "total => document.getElementById('new-total').textContent.replaceAll('\u00a0', ' ') === total",
                arg=total,
            )
            self.assertEqual(page.input_value("#field-tip"), typed)

    def test_tip_limit(self):
        """Tips above the shop's limit are not offered; a shop without tips does not ask"""
        for percent, offered in ((15, 3), (14, 2), (9, 0)):
            self.tips(percent)
            page = self.guest()
            self.assertEqual(page.locator(f"{CHIPS}:visible").count(), offered)
            self.assertTrue(page.is_visible("#field-tip"))
            if offered:
                page.click(f"{CHIPS} >> nth={offered - 1}")
                page.wait_for_selector(".totals [data-total=tip]")
                self.assertEqual(page.inner_text("#field-tip-error"), "")
        page.fill("#field-tip", "0.50")
        page.wait_for_selector(".totals [data-total=tip]")
        self.tips(0)
        page.reload()
        page.wait_for_selector("#new-total:has-text('$8.05')")
        self.assertTrue(page.is_hidden("#field-tip"))
        # An earlier typed tip is not sent.
        fill_form(page, 181)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(self.last_order("total"), "805")

    def test_tips_follow_the_basket(self):
        """The amounts belong to the current basket, and no layout shift occurs"""
        context = self.context(PHONE)
        context.add_init_script(SHIFTS)
        page = context.new_page()
        page.goto(self.shop.url + "/#/items/2001")
        page.click("text=Add to basket")
        # The count is optimistic; the server has the dish once the button is no longer busy.
        page.wait_for_selector("#count:has-text('1')")
        page.wait_for_selector(".detail .button.big:not([aria-busy])")
        page.goto("about:blank")
        self.to_checkout(page)
        self.assertEqual(page.locator(f"{CHIPS}:visible").count(), 4)
        shifts = page.evaluate("window.shifts")
        self.assertEqual(sum(value for value, _ in shifts), 0, shifts)
        other = context.new_page()
        other.goto(self.shop.url + "/#/items/3001")
        other.click("text=Add to basket")
        other.wait_for_selector("#count:has-text('2')")
        page.bring_to_front()
        page.wait_for_selector(f"{CHIPS}:has-text('10% · $1.26')")
        page.click(f"{CHIPS}:has-text('10%')")
        page.wait_for_selector("#new-total:has-text('$13.90')")


if __name__ == "__main__":
    unittest.main()
