# Navigation of the guest page: from every screen to every other screen, and what closes when the guest leaves one.

import unittest

from placing import place_whole_order
from shop import DESKTOP, BrowserTest

# The taps that lead from the header or the footer to each screen, and the selector that shows that the screen is drawn.
SCREENS = {
    "home": ([".tabs [data-tab=home]"], "h1:has-text('Made to order')"),
    "menu": ([".tabs [data-tab=menu]"], "#list [data-item='2001']"),
    "item": ([".tabs [data-tab=menu]", "#list [data-item='2002'] .face"], ".detail h1:has-text('BBQ Burger')"),
    "sale": ([".tabs [data-tab=home]", ".sale .face"], ".poster h1:not(.unseen)"),
    "favourites": ([".tabs [data-tab=favourites]"], "h1:has-text('Favourites')"),
    "basket": ([".tabs [data-tab=basket]"], "#total"),
    "checkout": ([".tabs [data-tab=basket]", "[href='#/checkout']"], "#new-total"),
    "orders": ([".foot [href='#/orders']"], ".orders [data-order]"),
    "order": ([".foot [href='#/orders']", ".orders [data-order] > a"], ".bill"),
    "about": ([".foot [href='#/about']"], "h1 + .columns"),
}


class NavigationTests(BrowserTest):
    def go(self, page, screen):
        taps, shown = SCREENS[screen]
        for selector in taps:
            # On a short page the basket bar covers the footer until the guest scrolls.
            if selector.startswith(".foot"):
                page.evaluate("scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
            page.locator(selector).first.click()
        page.wait_for_selector(f"main {shown}")

    def guest(self, device=DESKTOP):
        """A guest with an order and one dish in the basket."""
        order = place_whole_order(self.shop, 641)
        page = self.visit_order(order, device)
        page.wait_for_selector(".bill")
        page.goto(self.shop.url + "/#/menu")
        page.click("#list [data-item='3001'] .button")
        page.wait_for_selector("#count:has-text('1')")
        return page

    def test_every_screen_from_every_screen(self):
        """Taps lead from every screen to every other screen, and no error occurs on leaving a screen"""
        page = self.guest()
        screens = list(SCREENS)
        # Visits each ordered pair of two screens once.
        for n, first in enumerate(screens):
            for second in screens[n + 1:]:
                self.go(page, first)
                self.go(page, second)
        self.go(page, screens[0])

    def test_back_closes_dialogs(self):
        """Back closes the sheet, the filter and the question of a screen, and none opens late on another screen"""
        page = self.guest()
        page.click(".tabs [data-tab=home]")
        page.wait_for_selector(".hero")
        for tab, until, opener in (
                ("menu", "#list [data-item='1001']", ".chips .chip[aria-haspopup=dialog]"),
                ("basket", "#total", "[data-key=clear]"),
                ("basket", "#total", ".line .link")):
            with self.subTest(opener=opener):
                page.click(f".tabs [data-tab={tab}]")
                page.wait_for_selector(until)
                page.click(opener)
                page.wait_for_selector("dialog[open]")
                page.go_back()
                page.wait_for_selector(".hero")
                page.wait_for_selector("dialog", state="detached")
                # The next tap still works.
                page.click(".hero .button")
                page.wait_for_selector("#list [data-item='1001']")
                page.click(".tabs [data-tab=home]")
                page.wait_for_selector(".hero")
        self.assertEqual(page.inner_text("#count"), "1")
        # The dish arrives after the guest has left.
        held = []
        page.route("**/v1/menu/3001", lambda route: held.append(route))
        page.click(".tabs [data-tab=basket]")
        page.click(".line .link")
        while not held:
            page.wait_for_timeout(20)
        page.go_back()
        page.wait_for_selector(".hero")
        held[0].continue_()
        page.wait_for_load_state("networkidle")
        self.assertEqual(page.locator("dialog").count(), 0)


if __name__ == "__main__":
    unittest.main()
