# Elements that are visible without scrolling: dishes on a phone, the form and the totals on a desktop.

import unittest

from shop import DESKTOP, PHONE, BrowserTest

# The dishes that are completely visible, with price and button, above the bars at the foot of the screen.
COMPLETE_DISHES = """() => {
  const end = Math.min(innerHeight, ...[...document.querySelectorAll('nav, #bar')]
      .filter((element) => element.checkVisibility() && getComputedStyle(element).position === 'fixed')
    .map((element) => element.getBoundingClientRect().top).filter((top) => top > innerHeight / 2));
  return [...document.querySelectorAll('#list [data-item]')]
      .filter((card) => [card, card.querySelector('.prices'), card.querySelector('.button')].every((element) => {
    if (!element) return false;
    const {top, bottom, left, right} = element.getBoundingClientRect();
    return top >= 0 && bottom <= end && left >= 0 && right <= innerWidth;
  })).length;
}"""


class InViewTests(BrowserTest):
    def box(self, page, selector):
        return page.locator(selector).bounding_box()

    def test_two_dishes_in_view(self):
        """A phone shows at least two complete dishes with price and button, on the menu and in search results"""
        for hash in ("#/menu", "#/menu?q=burger"):
            page = self.visit(hash, PHONE)
            page.wait_for_selector("#list [data-item] .button")
            self.assertEqual(page.evaluate("scrollY"), 0)
            self.assertGreaterEqual(page.evaluate(COMPLETE_DISHES), 2, hash)

    def test_summary_beside_form(self):
        """On a desktop the totals and the Order button stand beside the form and stay in view on scrolling"""
        page = self.visit("#/items/2001", DESKTOP)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        form, summary = self.box(page, ".fields >> nth=0"), self.box(page, ".checkout-summary")
        self.assertGreaterEqual(summary["x"], form["x"] + form["width"])
        self.assertAlmostEqual(summary["y"], form["y"], delta=1)
        page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight)")
        page.wait_for_function("() => scrollY > 100")
        for selector in ("#new-total", "button[type=submit]"):
            box = self.box(page, selector)
            self.assertTrue(0 <= box["y"] and box["y"] + box["height"] <= page.evaluate("innerHeight"), selector)


if __name__ == "__main__":
    unittest.main()
