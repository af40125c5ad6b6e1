# The staff page in WebKit without newer features: the board, its event stream and the stock.

import unittest

from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.keys import Keys

from webkit import WebKitTest

from placing import TOKEN, place_order


class WebKitStaffTests(WebKitTest):
    arguments = ("--staff-token", TOKEN)

    def sign_in(self):
        self.visit("/staff")
        self.fill("#field-token", TOKEN)
        self.press(Keys.ENTER)
        self.wait_for(".columns:not([hidden])")

    def advance(self, card, state):
        """Taps the button of a card until the card is in the next column. A tap is lost if the card moves meanwhile."""
        column = f".column.{state} {card}"
        def attempt():
            # The card ignores a second tap that could be part of a double tap.
            try:
                if not self.is_visible(column):
                    self.click(f"{card} [data-next={state}]", timeout=3)
                return self.wait_for(column, timeout=3)
            except TimeoutException:
                return False
        self.wait_until(attempt, f"the step of {card} to {state}")

    def test_wrong_token(self):
        """A wrong token shows an error at its field and no board"""
        self.visit("/staff")
        self.fill("#field-token", "wrong")
        self.press(Keys.ENTER)
        self.wait_for("#field-token-error", "unknown or was withdrawn")
        self.assertFalse(self.is_visible(".columns"))

    def test_order_through_lanes(self):
        """A new order arrives by the event stream, and taps move it through the lanes"""
        self.sign_in()
        number = place_order(self.shop, 1)
        card = f".ticket[data-number='{number}']"
        self.wait_for(f".column.placed {card}", "The Big Tasty")
        for state in ("accepted", "preparing", "on_the_way"):
            self.advance(card, state)
            self.assertEqual(self.shop.sql(f"select state from orders where number = '{number}'"), state)
        self.assertTrue(self.proxy.headers_of("/v1/staff/events"))

    def test_sold_out(self):
        """A dish that staff mark as sold out cannot be ordered until it is back in stock"""
        self.sign_in()
        self.click("[data-tab=menu]")
        self.click("[aria-label='Mark sold out: Chickenburger']")
        self.wait_for("[data-item='2004'].gone .level", "Sold out")
        self.visit("/#/items/2004")
        self.wait_for(".soldout")
        self.assertFalse(self.is_visible(".button", "Add to basket"))
        self.visit("/staff")
        self.click("[data-tab=menu]")
        self.click("[aria-label='Back in stock: Chickenburger']")
        self.wait_for("[data-item='2004']:not(.gone)")
        self.visit("/#/items/2004")
        self.wait_for(".button", "Add to basket")


if __name__ == "__main__":
    unittest.main()
