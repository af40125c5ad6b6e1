# The guest page in WebKit without newer features: a guest's order from the menu to the bill, and its failures.

import unittest

from selenium.webdriver.common.keys import Keys

from webkit import WebKitTest

# Whether the focused element, or the option around it, shows an outline.
HAS_OUTLINE = """
    const focused = document.activeElement;
    return [focused, focused.closest('.option')].some((node) => {
        const {outlineStyle, outlineWidth} = getComputedStyle(node);
        return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    });
"""
LOADS = """
    return performance.getEntriesByType('resource').filter(({name}) => name.endsWith(arguments[0])).length;
"""
UNKNOWN = "We don’t know yet whether your order has arrived"


class GuestTest(WebKitTest):
    def with_burger(self):
        self.visit("/#/items/2001")
        self.click(".button", "Add to basket")
        self.wait_for("#count", "1")
        # The count changes before the answer. A reload would cancel the request.
        self.wait_for(".detail .button.big:not([aria-busy])")

    def to_checkout(self, number, **changes):
        """Opens the checkout and fills its form. `number` makes the guest unique."""
        self.click(".tabs [data-tab=basket]")
        self.click("[href='#/checkout']")
        self.wait_for("#new-total")
        form = {
            "name": "ann lee",
            "phone": f"55503{number:05}",
            "email": f"ann{number}@example.com",
            "address": "12 main street, springfield",
            **changes,
        }
        for field, value in form.items():
            self.fill(f"#field-{field}", value)

    def order(self):
        self.click("button[type=submit]")
        self.wait_for(".bill")

    def orders(self):
        return int(self.shop.sql("select count(*) from orders"))


class WebKitOrderTests(GuestTest):
    def test_order_with_options(self):
        """A guest chooses a dish with options on the menu and orders it"""
        self.visit()
        self.assertEqual(self.run_script("return typeof AbortSignal.any"), "undefined")
        self.click(".tile[href='#/menu/100']")
        self.click("[data-item='1001'] .face")
        self.click("[data-option='2302'] > label")
        self.click(".choosing .button", "Add to basket")
        self.wait_for("#count", "1")
        self.to_checkout(1)
        self.wait_for("#new-total", "$17.79")
        self.order()
        self.wait_for(".bill", "Large")
        self.assertEqual(self.text(".bill .total strong"), "$17.79")
        self.assertFalse(self.is_visible("#count"))

    def test_basket_quantity(self):
        """Buttons change the quantity of a line, and the total follows"""
        self.with_burger()
        self.click(".tabs [data-tab=basket]")
        for step, total in (("more", "$16.10"), ("more", "$24.15"), ("less", "$16.10")):
            self.click(f"[aria-label='One The Big Tasty {step}']")
            self.wait_for("#total", total)
        self.driver.refresh()
        self.wait_for("#total", "$16.10")
        self.wait_for("#count", "2")

    def test_coupon(self):
        """A coupon that the guest types reduces the total and the bill"""
        self.with_burger()
        self.to_checkout(2, coupon="frst")
        self.wait_for("#old-total", "$8.05")
        self.wait_for("#new-total", "$7.25")
        self.order()
        self.assertEqual(self.text(".bill .total strong"), "$7.25")

    def test_invalid_field(self):
        """An invalid field keeps the order from being sent, gets the focus, and can be corrected"""
        self.with_burger()
        before = self.orders()
        self.to_checkout(3, phone="12")
        self.click("button[type=submit]")
        self.wait_for("#field-phone[aria-invalid]")
        self.wait_for("#field-phone-error:not(:empty)")
        self.wait_until(
            lambda: self.run_script("return document.activeElement.id") == "field-phone", "the focus of the field"
        )
        self.assertEqual(self.orders(), before)
        self.fill("#field-phone", "5550300003")
        self.wait_until_gone("#field-phone-error:not(:empty)")
        self.order()
        self.assertEqual(self.orders(), before + 1)

    def test_sending_after_reload(self):
        """After a lost answer and a reload, the page sends the order again with the same key and shows it"""
        self.with_burger()
        before = self.orders()
        self.to_checkout(4)
        self.proxy.lost_path = "/v1/checkout"
        self.click("button[type=submit]")
        self.wait_for(".order-strip.shown", UNKNOWN)
        self.driver.refresh()
        self.wait_for(".order-strip.shown", UNKNOWN)
        self.proxy.lost_path = None
        self.wait_until(lambda: self.run_script("return localStorage.getItem('welms.attempt')") is None, "the outcome")
        keys = [headers["Idempotency-Key"] for headers in self.proxy.headers_of("/v1/checkout")]
        self.assertGreaterEqual(len(keys), 2)
        self.assertEqual(len(set(keys)), 1)
        self.assertEqual(self.orders(), before + 1)
        self.assertFalse(self.is_visible("#count"))

    def test_state_on_order_screen(self):
        """The screen of an order shows each new state without a reload"""
        self.with_burger()
        self.to_checkout(5)
        self.order()
        number = self.text("h1").split()[-1]
        for state in ("accepted", "preparing", "on_the_way"):
            self.shop.sql(f"select advance_order('{number}', '{state}')")
            self.wait_for(f"[data-state={state}]")
        self.assertTrue(self.proxy.headers_of("/events"))


class WebKitMenuTests(GuestTest):
    def test_search(self):
        """The search finds a dish and keeps the search term in the address"""
        self.visit("/#/menu")
        self.wait_for("#list [data-item='2001']")
        self.fill("#q", "fries")
        self.wait_for("#list.grid [data-item='3001']")
        self.wait_until(lambda: self.run_script("return location.hash") == "#/menu?q=fries", "the address")
        self.driver.refresh()
        self.wait_for("#list.grid [data-item='3001']")
        self.assertEqual(self.run_script("return document.getElementById('q').value"), "fries")

    def test_language(self):
        """The page changes its language, and loads the texts of the language once"""
        self.visit("/#/menu")
        self.wait_for("#list [data-item='2001']")
        self.click("#languages [lang=de]")
        self.wait_for("html[lang=de]:not([data-waiting]) [data-tab=menu]", "Karte")
        self.wait_for("#list [data-item='2001']")
        # Without the requests of the service worker.
        self.assertEqual(self.run_script(LOADS, "/words/de.json"), 1)

    def test_screen_left_while_loading(self):
        """A screen that a guest leaves while its script is loading, and opens again, is shown"""
        self.proxy.held_script = "/orders/orderListScreen.js"
        self.visit()
        self.wait_for(".tile")
        self.run_script("location.hash = '#/orders'")
        self.wait_for("h1", "Your orders")
        self.wait_until(
            lambda: any(
                headers["Sec-Fetch-Dest"] == "script" for headers in self.proxy.headers_of(self.proxy.held_script)
            ),
            "the import of the screen",
        )
        self.click(".tabs [data-tab=home]")
        self.wait_for(".tile")
        self.run_script("location.hash = '#/orders'")
        self.wait_for("h1", "Your orders")
        self.proxy.release.set()
        self.wait_for(".screen .empty")

    def tab_to(self, selector):
        for _ in range(120):
            self.press(Keys.TAB)
            if self.run_script("return document.activeElement.matches(arguments[0])", selector):
                return
        self.fail(f"the Tab key did not reach {selector}")

    def check_focus(self):
        """Focuses a checkbox and a radio button with the keyboard."""
        self.visit("/#/items/1001")
        self.wait_for("[data-option='2301'] input")
        self.tab_to("[data-option='1203'] input[type=checkbox]")
        self.assertTrue(self.run_script(HAS_OUTLINE), "the focus of a checkbox is invisible")
        self.tab_to("[data-option='2301'] input[type=radio]")
        self.assertTrue(self.run_script(HAS_OUTLINE), "the focus of a radio button is invisible")
        # On every page, WebKit hides the focus after the first arrow key in a group of radio buttons.
        self.press(Keys.ARROW_DOWN)
        large = "return document.activeElement.matches(\"[data-option='2302'] input:checked\")"
        self.assertTrue(self.run_script(large))

    def test_focus(self):
        """The keyboard focus of an option is visible"""
        self.check_focus()

    def test_focus_without_has(self):
        """The keyboard focus of an option is visible in a browser without :has"""
        self.proxy.has_style_has = False
        self.check_focus()


if __name__ == "__main__":
    unittest.main()
