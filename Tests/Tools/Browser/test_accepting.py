# Who accepts new orders, as staff say it in the tab of the shop: the countdown on the board, the order that goes away when its time is over, and
# the shop that accepts by itself.

import unittest

from terms import TermsTest
from test_staff import place_order


class AcceptingTests(TermsTest):
    def test_deadline(self):
        """A new order counts down; when its time is over it goes away, which is heard and stays said until a tap; accepted automatically the next one needs nobody"""
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
        self.scan(board, "who accepts new orders")
        board.click("[data-tab=orders]")
        board.click("text=Sound is off: tap to hear new orders")
        board.wait_for_selector("text=Sound is on")
        board.evaluate("() => { window.heard = []; document.addEventListener('rung', ({detail}) => window.heard.push(detail.sound)); }")
        number = place_order(self.shop, 900)
        line = f".column.placed .ticket[data-number='{number}'] .deadline"
        board.wait_for_selector(f"{line}:has-text('accept by')")
        before = board.inner_text(line)
        self.assertRegex(before, r"· (10:00|9:[2-5]\d) left")
        board.wait_for_function("([line, before]) => document.querySelector(line).textContent !== before", arg=[line, before])
        # Nine seconds are left, by other minutes too: the board finds it out by itself.
        self.shop.sql(f"update orders set placed_at = now() - interval '8 minutes 51 seconds' where number = '{number}'; update shop set accept_within_minutes = 9")
        board.wait_for_selector(f"{line}[data-step=soon]:has-text('0:0')")
        self.scan(board, "a deadline")
        self.assertFalse(board.is_visible(".missed"))
        board.wait_for_selector(f".ticket[data-number='{number}']", state="detached", timeout=15_000)
        board.wait_for_selector(f".over [data-number='{number}'][data-state=rejected]", state="attached")
        self.assertIn("We could not accept your order in time.", board.text_content(f".over [data-number='{number}']"))
        self.assertEqual(self.shop.sql("select count(*) from order_steps"), "1")
        board.wait_for_selector(f".missed:has-text('Order {number} was not accepted in time')")
        board.wait_for_function("() => heard.filter((sound) => sound === 'missed').length === 1")
        self.scan(board, "a missed order")
        # In whatever language its guest reads; and a page that is loaded again says so again.
        others = [place_order(self.shop, 902 + at, language=language) for at, language in enumerate(("de", "es"))]
        self.shop.sql(f"update orders set placed_at = now() - interval '10 minutes' where number in ('{others[0]}', '{others[1]}'); update shop set accept_within_minutes = 8")
        self.missed(board, [number, *others])
        board.reload()
        self.missed(board, [number, *others])
        board.click(".missed >> text=Close")
        board.wait_for_selector(".missed", state="hidden")
        # What somebody rejects is no news.
        other = place_order(self.shop, 904)
        board.wait_for_selector(f".column.placed .ticket[data-number='{other}']")
        self.shop.sql(f"select advance_order('{other}', 'rejected', 'The oven is cold.')")
        board.wait_for_selector(f".over [data-number='{other}'][data-state=rejected]", state="attached")
        self.assertFalse(board.is_visible(".missed"))
        board.click("[data-tab=shop]")
        board.select_option("[aria-label='Who accepts new orders']", value="automatically")
        board.click(".accepting >> text=Save")
        board.wait_for_selector("#shop .condition:has-text('accepted automatically')")
        board.click("[data-tab=orders]")
        number = place_order(self.shop, 901)
        board.wait_for_selector(f".column.accepted .ticket[data-number='{number}'] .day-number")

    def missed(self, board, numbers):
        """The board says that all of these were missed."""
        for number in numbers:
            board.wait_for_selector(f".missed:has-text('{number}')")


if __name__ == "__main__":
    unittest.main()
