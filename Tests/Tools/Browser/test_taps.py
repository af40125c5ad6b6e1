# How much work an order is, counted as the page itself meets it: what is tapped outside of fields, and keys that are not text. A phone of 390 × 844 for
# taps, a keyboard alone for keys.

import unittest

from shop import DESKTOP, PHONE, BrowserTest
from test_ordering import fill_form

COUNT = """
    window.taps = window.keys = window.typed = 0;
    const isField = (node) => node.matches('textarea, select, input:not([type=radio], [type=checkbox])');
    addEventListener('pointerdown', ({isTrusted, target}) => { if (isTrusted && !isField(target)) window.taps += 1; }, true);
    addEventListener('keydown', ({isTrusted, key, target}) => {
        if (!isTrusted) return;
        if (key.length === 1 && isField(target)) window.typed += 1;
        else window.keys += 1;
    }, true);
"""
FORM = (("name", "ann lee"), ("phone", "55501{:05}"), ("email", "ann{}@example.com"), ("address", "12 main street, springfield"))


class TapTests(BrowserTest):
    def start(self, device=PHONE):
        context = self.context(device)
        context.add_init_script(COUNT)
        page = context.new_page()
        page.goto(self.shop.url + "/")
        page.wait_for_selector(".ticket")
        return page

    def counted(self, page, what):
        count = page.evaluate(f"window.{what}")
        print(f"{self._testMethodName}: {count} {what}", flush=True)
        return count

    def test_simplest(self):
        """A new guest orders a dish by at most eight taps"""
        page = self.start()
        page.tap(".tile:has-text('Fries')")
        page.tap("#list [data-item='3001'] .button")
        page.tap("#bar a")
        page.tap("text=Go to the checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, 900)
        page.tap("button[type=submit]")
        page.wait_for_selector(".bill:has-text('French Fries')")
        self.assertLessEqual(self.counted(page, "taps"), 8)

    def test_combo(self):
        """A combo well done with bacon, a large drink in a cup to keep, a note, a coupon and a tip take at most fifteen taps"""
        page = self.start()
        page.tap(".ticket:has-text('Welcome') [aria-label^='Apply']")
        page.tap(".tile:has-text('Combo')")
        page.tap("#list [data-item='1001'] .face")
        page.tap("[data-option='1103'] > label")
        page.tap("[data-option='1202'] [aria-label^='One more']")
        page.tap("[data-option='2302'] > label")
        page.tap("[data-option='2402'] > label")
        page.fill("#field-note", "no napkins")
        page.tap(".choosing .button")
        page.tap("#bar a")
        page.tap("text=Go to the checkout")
        page.wait_for_selector("#old-total")
        page.tap("[role=radiogroup] >> text=15%")
        page.wait_for_selector("[data-total=tip]")
        fill_form(page, 901)
        page.tap("button[type=submit]")
        page.wait_for_selector(".bill")
        bill = page.inner_text(".bill")
        for words in ("Well done", "Bacon", "Large", "Cup to keep", "no napkins", "FRST", "Tip"):
            self.assertIn(words, bill)
        self.assertLessEqual(self.counted(page, "taps"), 15)

    def test_returning(self):
        """A guest who let the page remember them orders again by at most five taps, and types nothing"""
        page = self.start()
        page.goto(self.shop.url + "/#/items/2001")
        page.tap(".choosing .button")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, 902)
        page.set_checked("#field-remember", True)
        page.tap("button[type=submit]")
        page.wait_for_selector(".bill")
        context = page.context
        page.close()
        page = context.new_page()
        page.goto(self.shop.url + "/")
        page.wait_for_selector(".ticket")
        page.tap(".foot >> text=Your orders")
        page.tap("[aria-label$=again]")
        page.tap("text=Go to the checkout")
        page.wait_for_selector("#new-total")
        page.tap("button[type=submit]")
        page.wait_for_selector(".bill:has-text('The Big Tasty')")
        self.assertLessEqual(self.counted(page, "taps"), 5)
        self.assertEqual(self.counted(page, "typed"), 0)

    def to(self, page, selector, key="Tab"):
        """Goes there by the keyboard."""
        for _ in range(60):
            page.keyboard.press(key)
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
        self.fail(f"no way to {selector}")

    def press(self, page, selector, until, key="Enter"):
        self.to(page, selector)
        page.keyboard.press(key)
        page.wait_for_selector(until)

    def fill(self, page, number):
        """The form from its first field on, which one comes to by Tab."""
        page.wait_for_selector("#new-total")
        for name, text in FORM:
            self.to(page, f"#field-{name}")
            page.keyboard.type(text.format(number))

    def test_simplest_by_keyboard(self):
        """With the keyboard alone a new guest orders a dish by at most forty keys beside what is typed"""
        page = self.start(DESKTOP)
        self.press(page, ".skip", "#main:focus")
        self.press(page, ".tile[href='#/menu/300']", "h2:focus:has-text('Fries')")
        self.press(page, "[data-item='3001'] .face", "h1:focus:has-text('French Fries')")
        self.press(page, ".detail .button.big:not(.plain)", "#bar a")
        self.press(page, "#bar a", "#total")
        self.press(page, "[href='#/checkout']", "#new-total")
        self.fill(page, 903)
        self.press(page, "button[type=submit]", ".bill:has-text('French Fries')")
        self.assertLessEqual(self.counted(page, "keys"), 40)

    def test_combo_by_keyboard(self):
        """The combo, well done, with bacon, a large drink in a cup to keep, a note, a coupon and a tip, takes at most sixty"""
        page = self.start(DESKTOP)
        self.press(page, ".skip", "#main:focus")
        self.press(page, ".tile[href='#/menu/100']", "h2:focus:has-text('Combo')")
        self.press(page, "[data-item='1001'] .face", "h1:focus:has-text('Grill Combo')")
        self.to(page, "[data-option='1102'] input")
        page.keyboard.press("ArrowDown")
        self.assertTrue(page.is_checked("[data-option='1103'] input"))
        self.to(page, "[data-option='1202'] [aria-label^='One more']")
        page.keyboard.press("Space")
        self.to(page, "[data-option='2301'] input")
        page.keyboard.press("ArrowDown")
        self.to(page, "[data-option='2401'] input")
        page.keyboard.press("ArrowDown")
        self.to(page, "#field-note")
        page.keyboard.type("no napkins")
        self.press(page, ".choosing .button.big", "#bar a")
        self.press(page, "#bar a", "#total")
        self.press(page, "[href='#/checkout']", "#new-total")
        self.fill(page, 904)
        self.to(page, "#field-coupon")
        page.keyboard.type("FRST")
        self.to(page, "[name=tip-part]")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#old-total")
        page.wait_for_selector("[data-total=tip]")
        self.press(page, "button[type=submit]", ".bill")
        bill = page.inner_text(".bill")
        for words in ("Well done", "Bacon", "Large", "Cup to keep", "no napkins", "FRST", "Tip"):
            self.assertIn(words, bill)
        self.assertLessEqual(self.counted(page, "keys"), 60)


if __name__ == "__main__":
    unittest.main()
