# How many of a dish one takes at once, chosen on its own screen, where the bar of the basket stays in view.

import unittest

from axe_playwright_python.sync_playwright import Axe

from shop import DESKTOP, PHONE, BrowserTest
from test_page import SHIFTS

NARROW = {**PHONE, "viewport": {"width": 320, "height": 640}}
# What lies over the bar, or what it lies over of all that stays in view beside it; nothing where all is right.
COVERED = """() => {
    const box = (one) => one.getBoundingClientRect();
    const bar = box(document.querySelector('#bar a'));
    // What is at the lower edge only as long as there is something above it to choose moves on with the rest.
    const stays = (one) => !one.matches('.choosing') || Math.abs(box(one).bottom - innerHeight + parseFloat(getComputedStyle(one).bottom)) < 1;
    const others = [...document.querySelectorAll('.choosing, .tabs, .top')].filter(stays);
    const faults = others.filter((one) => box(one).left < bar.right && box(one).right > bar.left && box(one).top < bar.bottom && box(one).bottom > bar.top).map((one) => one.className);
    if (bar.top < 0 || bar.bottom > innerHeight) faults.push('out of view');
    if (!document.elementFromPoint(bar.left + bar.width / 2, bar.top + bar.height / 2)?.closest('#bar')) faults.push('below something');
    return faults;
}"""
SEEN = """() => {
    const box = document.activeElement.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height, 60) / 2);
    return [document.activeElement.outerHTML.slice(0, 90), Boolean(top) && (document.activeElement.contains(top) || top.contains(document.activeElement))];
}"""


class StepperTests(BrowserTest):
    def open(self, item, device=PHONE):
        context = self.context(device, bypass_csp=True)
        context.add_init_script(SHIFTS)
        page = context.new_page()
        page.goto(f"{self.shop.url}/#/items/{item}")
        page.wait_for_selector(".button:has-text('Add to basket')")
        return page

    def many(self, page):
        """How many are added by the next tap."""
        return page.text_content(".text [role=group][aria-label^='How many'] .quantity")

    def calm(self, page, what):
        shifts = page.evaluate("window.shifts")
        self.assertEqual(sum(value for value, _ in shifts), 0, f"{what}: {shifts}")
        self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), page.viewport_size["width"], what)
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{what}\n{found.generate_report()}")

    def test_how_many(self):
        """As many as are chosen go into the basket by one tap, at the price on the button; the bar with it stays in view, and nothing lies on it, wherever one scrolls"""
        for device in (PHONE, NARROW, DESKTOP):
            for item, name, three, two in ((3001, "French Fries", "$13.77", "$9.18"), (2001, "The Big Tasty", "$24.15", "$16.10")):
                page = self.open(item, device)
                self.assertEqual(self.many(page), "Quantity 1")
                for _ in range(2):
                    page.click(f"[aria-label='One {name} more']")
                page.wait_for_selector(f".button:has-text('Add to basket · {three}')")
                self.assertTrue(page.is_hidden("#bar"))
                page.click("text=Add to basket")
                page.wait_for_selector(f"#bar:has-text('Basket · 3'):has-text('{three}')")
                page.wait_for_selector(f".button:not([aria-busy]):has-text('Add to basket'):not(:has-text('{three}'))")
                self.assertEqual(self.many(page), "Quantity 1")
                page.wait_for_selector(".toast", state="detached")
                for y in range(0, page.evaluate("document.scrollingElement.scrollHeight"), 150):
                    page.evaluate("y => new Promise((done) => { scrollTo(0, y); requestAnimationFrame(() => requestAnimationFrame(done)); })", y)
                    self.assertEqual(page.evaluate(COVERED), [], f"{item} at {y} of {device['viewport']}")
                page.evaluate("scrollTo(0, 0)")
                self.calm(page, f"{item} at {device['viewport']['width']}")
                page.click(f"[aria-label='One {name} more']")
                page.click(f"[aria-label='One {name} more']")
                page.click(f"[aria-label='One {name} less']")
                page.wait_for_selector(f".button:has-text('Add to basket · {two}')")
                page.click("text=Add to basket")
                page.click("#bar a:has-text('Basket · 5')")
                page.wait_for_selector("[data-line] .quantity:has-text('5')")

    def test_no_more_than_there_is(self):
        """No more can be chosen than are left beside what is in the basket already, and no more than one line holds"""
        self.addCleanup(self.shop.sql, "delete from item_stock")
        self.shop.sql("insert into item_stock (menu_item_id, remaining) values (3002, 3)")
        page = self.open(2001)
        self.answered(page, "/v1/menu/3002", "({left}) => left === 3")
        page = self.open(3002)
        page.wait_for_selector(".mark:has-text('3 left')")
        more = page.locator("[aria-label='One Village Fries more']")
        more.click()
        self.assertEqual(more.get_attribute("aria-disabled"), "false")
        more.click()
        self.assertEqual(more.get_attribute("aria-disabled"), "true")
        more.click(force=True)
        page.wait_for_selector(".toast.problem:has-text('Only 3 left')")
        page.click("[aria-label='One Village Fries less']")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('2')")
        # One is left for who has two.
        self.assertEqual(more.get_attribute("aria-disabled"), "true")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('3')")
        page.click("text=Add to basket")
        page.wait_for_selector(".toast.problem:has-text('Only 3 left')")
        self.assertEqual(page.inner_text("#count"), "3")
        page = self.open(2001)
        for presses, shown, held in ((96, 97, 97), (5, 2, 99)):
            page.focus("[aria-label='One The Big Tasty more']")
            for _ in range(presses):
                page.keyboard.press("Space")
            self.assertEqual(self.many(page), f"Quantity {shown}")
            page.click("text=Add to basket")
            page.wait_for_selector(f"#count:has-text('{held}')")
            page.wait_for_selector("#bar a")
            page.wait_for_selector(".choosing .button:not([aria-busy])")

    def test_how_many_by_keyboard(self):
        """With the keyboard plus is reached and minus only where it does something; what has the focus is never below the bar"""
        page = self.open(2001, NARROW)
        page.click("text=Add to basket")
        page.wait_for_selector("#bar a")
        page.evaluate("(heading => { heading.tabIndex = -1; heading.focus(); })(document.querySelector('h1'))")
        stops = []
        while not page.evaluate("document.activeElement.matches('#bar a')"):
            page.keyboard.press("Tab")
            what, is_seen = page.evaluate(SEEN)
            self.assertTrue(is_seen, what)
            stops.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
            self.assertLess(len(stops), 60)
        self.assertIn("One The Big Tasty more", stops)
        self.assertNotIn("One The Big Tasty less", stops)
        page.focus("[aria-label='One The Big Tasty more']")
        page.keyboard.press("Space")
        page.keyboard.press("Shift+Tab")
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-label')"), "One The Big Tasty less")
        page.keyboard.press("Space")
        self.assertEqual(self.many(page), "Quantity 1")
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-label')"), "One The Big Tasty less", "the focus is not lost at one")


if __name__ == "__main__":
    unittest.main()
