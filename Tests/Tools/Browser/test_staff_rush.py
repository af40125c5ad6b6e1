# The board in a rush: how many orders are seen at once, what of each, what is heard. Run by `make test-browser`. Read next: test_staff_board.py.

import unittest

from board import LYING, BoardTest



def DISHES(number):
    """Two to four dishes."""
    return ((2001, 2), (3002, 1), (4001, 3), (1002, 1))[:2 + number % 3]


class RushTests(BoardTest):
    def test_many_in_view(self):
        """In a rush eight whole orders of two to four dishes and more are in view on a tablet that lies, in large and bold letters; what is empty takes no room"""
        self.clear()
        numbers = self.rush(400, 12, DISHES, name="Maria Gonzales")
        page = self.enter(LYING)
        page.wait_for_function("() => document.querySelectorAll('.column.placed .ticket').length === 12")
        whole = """() => [...document.querySelectorAll('.ticket')].filter((card) => {
            const [box, lane] = [card.getBoundingClientRect(), card.closest('.lane').getBoundingClientRect()];
            return box.width > 0 && box.top >= lane.top && box.bottom <= Math.min(lane.bottom, innerHeight) && box.left >= 0 && box.right <= innerWidth;
        }).length"""
        self.assertGreaterEqual(page.evaluate(whole), 8)
        self.assertEqual(page.evaluate("scrollY"), 0)
        self.assertEqual(page.eval_on_selector_all(".ticket .dishes > li > b", "all => [...new Set(all.map((one) => `${getComputedStyle(one).fontSize} ${getComputedStyle(one).fontWeight}`))]"), ["20px 650"])
        self.assertEqual(page.locator(".lane:visible").count(), 1)
        # Some are in the kitchen, and some on their way.
        for number, states in zip(numbers, (("accepted",), ("accepted", "preparing"), ("accepted",), ("accepted", "preparing", "on_the_way"))):
            for state in states:
                self.shop.sql(f"select advance_order('{number}', '{state}')")
        page.wait_for_function("() => document.querySelectorAll('.lane:not(.empty)').length === 3", timeout=15_000)
        self.assertGreaterEqual(page.evaluate(whole), 7)
        # A tap that fills an empty lane shows at once what it has put there.
        self.shop.sql("select advance_order(number, 'rejected', 'a test') from orders where state in ('accepted', 'preparing', 'on_the_way')")
        page.wait_for_function("() => document.querySelectorAll('.lane:not(.empty)').length === 1", timeout=15_000)
        page.click(f"[data-number='{numbers[5]}'] [data-next=accepted]")
        page.wait_for_selector(f".column.accepted .ticket[data-number='{numbers[5]}'] .undo", timeout=3_000)


if __name__ == "__main__":
    unittest.main()
