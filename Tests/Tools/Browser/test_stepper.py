# The quantity on the item page, and the basket bar that stays in view.

import unittest

from axe_playwright_python.sync_playwright import Axe

from shop import DESKTOP, PHONE, BrowserTest
from test_page import SHIFTS

NARROW = {**PHONE, "viewport": {"width": 320, "height": 640}}
# Returns the faults: elements that overlap the basket bar, or a bar out of view.
COVERED = """() => {
    const box = (element) => element.getBoundingClientRect();
    const bar = box(document.querySelector('#bar a'));
    // A sticky button scrolls with the page once its option groups are above the view.
    const stays = (element) => !element.matches('.choosing')
        || Math.abs(box(element).bottom - innerHeight + parseFloat(getComputedStyle(element).bottom)) < 1;
    const others = [...document.querySelectorAll('.choosing, .tabs, .top')].filter(stays);
    const faults = others
        .filter((element) => box(element).left < bar.right && box(element).right > bar.left
        && box(element).top < bar.bottom && box(element).bottom > bar.top).map((element) => element.className);
    if (bar.top < 0 || bar.bottom > innerHeight) faults.push('the bar is out of view');
    if (!document.elementFromPoint(bar.left + bar.width / 2, bar.top + bar.height / 2)?.closest('#bar'))
        faults.push('the bar is covered');
    return faults;
}"""
SEEN = """() => {
    const box = document.activeElement.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height, 60) / 2);
    return [document.activeElement.outerHTML.slice(0, 90), Boolean(top)
        && (document.activeElement.contains(top) || top.contains(document.activeElement))];
}"""


class StepperTests(BrowserTest):
    def open(self, item, device=PHONE):
        context = self.context(device, bypass_csp=True)
        context.add_init_script(SHIFTS)
        page = context.new_page()
        page.goto(f"{self.shop.url}/#/items/{item}")
        page.wait_for_selector(".button:has-text('Add to basket')")
        return page

    def quantity(self, page):
        """The quantity that the next tap adds."""
        return page.text_content(".text [role=group][aria-label^='How many'] .quantity")

    def check_screen(self, page, description):
        shifts = page.evaluate("window.shifts")
        self.assertEqual(sum(value for value, _ in shifts), 0, f"{description}: {shifts}")
        self.assertLessEqual(
            page.evaluate("document.scrollingElement.scrollWidth"), page.viewport_size["width"], description
        )
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{description}\n{found.generate_report()}")

    def test_quantity_and_bar(self):
        """One tap adds the chosen quantity at the button's price; the bar stays in view uncovered at any scroll
        position"""
        for device in (PHONE, NARROW, DESKTOP):
            for item, name, three, two in (
                (3001, "French Fries", "$13.77", "$9.18"),
                (2001, "The Big Tasty", "$24.15", "$16.10"),
            ):
                page = self.open(item, device)
                self.assertEqual(self.quantity(page), "Quantity 1")
                for _ in range(2):
                    page.click(f"[aria-label='One {name} more']")
                page.wait_for_selector(f".button:has-text('Add to basket · {three}')")
                self.assertTrue(page.is_hidden("#bar"))
                page.click("text=Add to basket")
                page.wait_for_selector(f"#bar:has-text('Basket · 3'):has-text('{three}')")
                page.wait_for_selector(f".button:not([aria-busy]):has-text('Add to basket'):not(:has-text('{three}'))")
                self.assertEqual(self.quantity(page), "Quantity 1")
                page.wait_for_selector(".toast", state="detached")
                for y in range(0, page.evaluate("document.scrollingElement.scrollHeight"), 150):
                    page.evaluate(
                        "y => new Promise((done) => { scrollTo(0, y); requestAnimationFrame(() =>"
                        " requestAnimationFrame(done)); })",
                        y,
                    )
                    self.assertEqual(page.evaluate(COVERED), [], f"{item} at {y} of {device['viewport']}")
                page.evaluate("scrollTo(0, 0)")
                self.check_screen(page, f"{item} at {device['viewport']['width']}")
                page.click(f"[aria-label='One {name} more']")
                page.click(f"[aria-label='One {name} more']")
                page.click(f"[aria-label='One {name} less']")
                page.wait_for_selector(f".button:has-text('Add to basket · {two}')")
                page.click("text=Add to basket")
                page.click("#bar a:has-text('Basket · 5')")
                page.wait_for_selector("[data-line] .quantity:has-text('5')")

    def test_quantity_limits(self):
        """The quantity is limited by the stock minus the basket, and by the maximum of a line"""
        self.addCleanup(self.shop.sql, "delete from item_stock")
        self.shop.sql("insert into item_stock (menu_item_id, remaining) values (3002, 3)")
        page = self.open(2001)
        self.wait_for_answer(page, "/v1/menu/3002", "({left}) => left === 3")
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
        # One is left, because two are in the basket.
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
            self.assertEqual(self.quantity(page), f"Quantity {shown}")
            page.click("text=Add to basket")
            page.wait_for_selector(f"#count:has-text('{held}')")
            page.wait_for_selector("#bar a")
            page.wait_for_selector(".choosing .button:not([aria-busy])")

    def test_quantity_by_keyboard(self):
        """The keyboard reaches plus, and minus only if it is enabled; the bar never covers the focus"""
        page = self.open(2001, NARROW)
        page.click("text=Add to basket")
        page.wait_for_selector("#bar a")
        page.evaluate("(heading => { heading.tabIndex = -1; heading.focus(); })(document.querySelector('h1'))")
        stops = []
        while not page.evaluate("document.activeElement.matches('#bar a')"):
            page.keyboard.press("Tab")
            description, is_seen = page.evaluate(SEEN)
            self.assertTrue(is_seen, description)
            stops.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
            self.assertLess(len(stops), 60)
        self.assertIn("One The Big Tasty more", stops)
        self.assertNotIn("One The Big Tasty less", stops)
        page.focus("[aria-label='One The Big Tasty more']")
        page.keyboard.press("Space")
        page.keyboard.press("Shift+Tab")
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-label')"), "One The Big Tasty less")
        page.keyboard.press("Space")
        self.assertEqual(self.quantity(page), "Quantity 1")
        self.assertEqual(
            page.evaluate("document.activeElement.getAttribute('aria-label')"),
            "One The Big Tasty less",
            "the focus must stay in the stepper at a quantity of one",
        )


if __name__ == "__main__":
    unittest.main()
