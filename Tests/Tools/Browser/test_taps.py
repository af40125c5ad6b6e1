# The effort of an order. The page counts taps outside of fields on a phone of 390 × 844, and keys that type no text
# with the keyboard alone.

import unittest

from shop import DESKTOP, PHONE, BrowserTest
from test_ordering import fill_form

COUNT = """
    window.taps = window.keys = window.typed = 0;
    const isField = (node) => node.matches('textarea, select, input:not([type=radio], [type=checkbox])');
    addEventListener('pointerdown', ({isTrusted, target}) => { if (isTrusted && !isField(target)) window.taps += 1; },
        true);
    addEventListener('keydown', ({isTrusted, key, target}) => {
        if (!isTrusted) return;
        if (key.length === 1 && isField(target)) window.typed += 1;
        else window.keys += 1;
    }, true);
"""
FORM = (
    ("name", "ann lee"),
    ("phone", "55501{:05}"),
    ("email", "ann{}@example.com"),
    ("address", "12 main street, springfield"),
)


class TapTests(BrowserTest):
    def start(self, device=PHONE):
        context = self.context(device)
        context.add_init_script(COUNT)
        page = context.new_page()
        page.goto(self.shop.url + "/")
        page.wait_for_selector(".ticket")
        return page

    def read_count(self, page, counter):
        count = page.evaluate(f"window.{counter}")
        print(f"{self._testMethodName}: {count} {counter}", flush=True)
        return count

    def test_simple_order_takes_eight_taps(self):
        """A new guest orders a dish with at most eight taps"""
        page = self.start()
        page.tap(".tile:has-text('Fries')")
        page.tap("#list [data-item='3001'] .button")
        page.tap("#bar a")
        page.tap("text=Go to the checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, 900)
        page.tap("button[type=submit]")
        page.wait_for_selector(".bill:has-text('French Fries')")
        self.assertLessEqual(self.read_count(page, "taps"), 8)

    def test_combo_takes_fifteen_taps(self):
        """A combo with options, a note, a coupon and a tip takes at most fifteen taps"""
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
        self.assertLessEqual(self.read_count(page, "taps"), 15)

    def test_returning_guest_takes_five_taps(self):
        """A remembered guest orders again with at most five taps and no typing"""
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
        self.assertLessEqual(self.read_count(page, "taps"), 5)
        self.assertEqual(self.read_count(page, "typed"), 0)

    def focus(self, page, selector, key="Tab"):
        """Moves the focus to an element by keyboard."""
        for _ in range(60):
            page.keyboard.press(key)
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
        self.fail(f"Tab did not reach {selector}")

    def press(self, page, selector, until, key="Enter"):
        self.focus(page, selector)
        page.keyboard.press(key)
        page.wait_for_selector(until)

    def fill(self, page, number):
        """Fills the form from its first field on, with Tab between fields."""
        page.wait_for_selector("#new-total")
        for name, text in FORM:
            self.focus(page, f"#field-{name}")
            page.keyboard.type(text.format(number))

    def test_simple_order_takes_forty_keys(self):
        """By keyboard alone a new guest orders a dish with at most forty keys besides text"""
        page = self.start(DESKTOP)
        self.press(page, ".skip", "#main:focus")
        self.press(page, ".tile[href='#/menu/300']", "h2:focus:has-text('Fries')")
        self.press(page, "[data-item='3001'] .face", "h1:focus:has-text('French Fries')")
        self.press(page, ".detail .button.big:not(.plain)", "#bar a")
        self.press(page, "#bar a", "#total")
        self.press(page, "[href='#/checkout']", "#new-total")
        self.fill(page, 903)
        self.press(page, "button[type=submit]", ".bill:has-text('French Fries')")
        self.assertLessEqual(self.read_count(page, "keys"), 40)

    def test_combo_takes_sixty_keys(self):
        """By keyboard alone a combo with options, a note, a coupon and a tip takes at most sixty keys besides text"""
        page = self.start(DESKTOP)
        self.press(page, ".skip", "#main:focus")
        self.press(page, ".tile[href='#/menu/100']", "h2:focus:has-text('Combo')")
        self.press(page, "[data-item='1001'] .face", "h1:focus:has-text('Grill Combo')")
        self.focus(page, "[data-option='1102'] input")
        page.keyboard.press("ArrowDown")
        self.assertTrue(page.is_checked("[data-option='1103'] input"))
        self.focus(page, "[data-option='1202'] [aria-label^='One more']")
        page.keyboard.press("Space")
        self.focus(page, "[data-option='2301'] input")
        page.keyboard.press("ArrowDown")
        self.focus(page, "[data-option='2401'] input")
        page.keyboard.press("ArrowDown")
        self.focus(page, "#field-note")
        page.keyboard.type("no napkins")
        self.press(page, ".choosing .button.big", "#bar a")
        self.press(page, "#bar a", "#total")
        self.press(page, "[href='#/checkout']", "#new-total")
        self.fill(page, 904)
        self.focus(page, "#field-coupon")
        page.keyboard.type("FRST")
        self.focus(page, "[name=tip-part]")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#old-total")
        page.wait_for_selector("[data-total=tip]")
        self.press(page, "button[type=submit]", ".bill")
        bill = page.inner_text(".bill")
        for words in ("Well done", "Bacon", "Large", "Cup to keep", "no napkins", "FRST", "Tip"):
            self.assertIn(words, bill)
        self.assertLessEqual(self.read_count(page, "keys"), 60)


if __name__ == "__main__":
    unittest.main()
