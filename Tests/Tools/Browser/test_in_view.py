# What a guest sees before anything is scrolled: dishes on a phone, the form beside what it comes to on a desk.

import unittest

from shop import DESKTOP, PHONE, BrowserTest

# The dishes that are whole, with price and button, above what lies over the foot of the screen.
WHOLE = """() => {
  const end = Math.min(innerHeight, ...[...document.querySelectorAll('nav, #bar')].filter((one) => one.checkVisibility() && getComputedStyle(one).position === 'fixed')
    .map((one) => one.getBoundingClientRect().top).filter((top) => top > innerHeight / 2));
  return [...document.querySelectorAll('#list [data-item]')].filter((card) => [card, card.querySelector('.prices'), card.querySelector('.button')].every((one) => {
    if (!one) return false;
    const {top, bottom, left, right} = one.getBoundingClientRect();
    return top >= 0 && bottom <= end && left >= 0 && right <= innerWidth;
  })).length;
}"""


class InViewTests(BrowserTest):
    def box(self, page, selector):
        return page.locator(selector).bounding_box()

    def test_two_dishes(self):
        """On a phone two dishes and more are whole before one scrolls, with their prices and the taps that add them, on the menu and in what a search finds"""
        for hash in ("#/menu", "#/menu?q=burger"):
            page = self.visit(hash, PHONE)
            page.wait_for_selector("#list [data-item] .button")
            self.assertEqual(page.evaluate("scrollY"), 0)
            self.assertGreaterEqual(page.evaluate(WHOLE), 2, hash)

    def test_form_beside_summary(self):
        """On a desk what it comes to and the button that orders stand beside the form, and stay in view while that is scrolled"""
        page = self.visit("#/items/2001", DESKTOP)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        form, summary = self.box(page, ".fields >> nth=0"), self.box(page, ".paying")
        self.assertGreaterEqual(summary["x"], form["x"] + form["width"])
        self.assertAlmostEqual(summary["y"], form["y"], delta=1)
        page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight)")
        page.wait_for_function("() => scrollY > 100")
        for selector in ("#new-total", "button[type=submit]"):
            box = self.box(page, selector)
            self.assertTrue(0 <= box["y"] and box["y"] + box["height"] <= page.evaluate("innerHeight"), selector)


if __name__ == "__main__":
    unittest.main()
