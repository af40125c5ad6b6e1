# How new orders are accepted, as staff set it in the shop tab: by staff, before a deadline, or automatically.

import unittest

from placing import place_order
from terms import ConfiguredShopTest


class AcceptingTests(ConfiguredShopTest):
    def test_deadline_rejects_and_automatic_acceptance(self):
        """An order that misses its deadline is rejected with a sound and a banner; automatic acceptance needs no tap"""
        board = self.staff()
        board.click("[data-tab=shop]")
        board.wait_for_selector("#shop .condition:has-text('New orders wait until staff accept them')")
        board.wait_for_selector("#field-accept-minutes", state="hidden")
        board.select_option("[aria-label='Who accepts new orders']", value="deadline")
        board.fill("#field-accept-minutes", "soon")
        board.click(".accepting >> text=Save")
        board.wait_for_selector("#field-accept-minutes-error:has-text('whole number')")
        board.fill("#field-accept-minutes", "10")
        board.click(".accepting >> text=Save")
        board.wait_for_selector("#shop .condition:has-text('within 10 minutes of opening hours')")
        self.assertEqual(self.shop.sql("select accept_within_minutes, accepts_automatically from shop"), "10|f")
        self.check_accessibility(board, "who accepts new orders")
        board.click("[data-tab=orders]")
        board.click("text=Sound is off: tap to hear new orders")
        board.wait_for_selector("text=Sound is on")
        board.evaluate(
            "() => { window.heard = []; document.addEventListener('rung', ({detail}) =>"
            " window.heard.push(detail.sound)); }"
        )
        number = place_order(self.shop, 900)
        line = f".column.placed .ticket[data-number='{number}'] .deadline"
        board.wait_for_selector(f"{line}:has-text('accept by')")
        before = board.inner_text(line)
        self.assertRegex(before, r"· (10:00|9:[2-5]\d) left")
        board.wait_for_function(
            "([line, before]) => document.querySelector(line).textContent !== before", arg=[line, before]
        )
        # Nine seconds of the deadline are left. The board counts them down without an event about the changed limit.
        self.shop.sql(
            f"update orders set placed_at = now() - interval '8 minutes 51 seconds' where number = '{number}'; update"
            " shop set accept_within_minutes = 9"
        )
        board.wait_for_selector(f"{line}[data-step=soon]:has-text('0:0')")
        self.check_accessibility(board, "a deadline")
        self.assertFalse(board.is_visible(".board-alert"))
        board.wait_for_selector(f".ticket[data-number='{number}']", state="detached", timeout=15_000)
        board.wait_for_selector(f".closed-orders [data-number='{number}'][data-state=rejected]", state="attached")
        self.assertIn(
            "We could not accept your order in time.", board.text_content(f".closed-orders [data-number='{number}']")
        )
        self.assertEqual(self.shop.sql("select count(*) from order_steps"), "1")
        board.wait_for_selector(f".board-alert:has-text('Order {number} was not accepted in time')")
        board.wait_for_function("() => heard.filter((sound) => sound === 'missed').length === 1")
        self.check_accessibility(board, "a missed order")
        # The banner lists missed orders of guests in other languages too, also after a reload.
        others = [place_order(self.shop, 902 + index, language=language) for index, language in enumerate(("de", "es"))]
        self.shop.sql(
            f"update orders set placed_at = now() - interval '10 minutes' where number in ('{others[0]}',"
            f" '{others[1]}'); update shop set accept_within_minutes = 8"
        )
        self.wait_for_missed(board, [number, *others])
        board.reload()
        self.wait_for_missed(board, [number, *others])
        board.click(".board-alert >> text=Close")
        board.wait_for_selector(".board-alert", state="hidden")
        # A rejection by staff shows no banner.
        other = place_order(self.shop, 904)
        board.wait_for_selector(f".column.placed .ticket[data-number='{other}']")
        self.shop.sql(f"select advance_order('{other}', 'rejected', 'The oven is cold.')")
        board.wait_for_selector(f".closed-orders [data-number='{other}'][data-state=rejected]", state="attached")
        self.assertFalse(board.is_visible(".board-alert"))
        board.click("[data-tab=shop]")
        board.select_option("[aria-label='Who accepts new orders']", value="automatically")
        board.click(".accepting >> text=Save")
        board.wait_for_selector("#shop .condition:has-text('accepted automatically')")
        board.click("[data-tab=orders]")
        number = place_order(self.shop, 901)
        board.wait_for_selector(f".column.accepted .ticket[data-number='{number}'] .day-number")

    def wait_for_missed(self, board, numbers):
        """Waits until the banner lists all of these orders."""
        for number in numbers:
            board.wait_for_selector(f".board-alert:has-text('{number}')")


if __name__ == "__main__":
    unittest.main()
