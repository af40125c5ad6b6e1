# A rush on three tablets and on three tabs of one browser: each order is visible and audible, and no card moves under a
# finger. WELMS_LONG=1 applies the limits for an otherwise idle machine.

import os
import unittest

from board import LANDSCAPE, TABLET, WIDE, BoardTest
from placing import TOKEN, place_order

ORDERS = 40
# The maximum number of milliseconds from an order's placement until it is on the board.
MAX_DELAY = 1_000 if os.environ.get("WELMS_LONG") == "1" else 10_000
# How many chimes follow one another when orders enter together (maximumChimes in staff/boardSounds.js).
MOST_CHIMES = 5

# Disables the repetition of the chime every four seconds, so that each order chimes once.
NO_REPETITION = """(() => {
  const repeat = window.setInterval;
  window.setInterval = (work, delay, ...more) => (delay === 4000 ? 0 : repeat(work, delay, ...more));
})()"""

# Records when each order first appeared, the chimes that this requires, and the chimes that sounded.
RECORD_ARRIVALS = """(most) => {
  [window.seen, window.due, window.heard] = [{}, 0, 0];
  const known = new Set([...document.querySelectorAll('.ticket')].map((card) => card.dataset.number));
  const look = () => {
    const fresh = [...document.querySelectorAll('.ticket')].map((card) => card.dataset.number)
      .filter((number) => !known.has(number));
    for (const number of fresh) {
      known.add(number);
      window.seen[number] = Date.now();
    }
    window.due += Math.min(fresh.length, most);
  };
  new MutationObserver(look).observe(document.querySelector('.columns'), {childList: true, subtree: true});
  document.addEventListener('rung', ({detail}) => { if (detail.sound === 'order') window.heard += 1; });
}"""

# Records the cards under the finger, and the position of the finger's card.
RECORD_FINGER = """([number, x, y]) => {
  [window.under, window.places] = [new Set(), []];
  const look = () => {
    const card = document.querySelector(`.ticket[data-number='${number}']`);
    const {left, top} = card?.getBoundingClientRect() ?? {left: -1, top: -1};
    window.places.push([left, top]);
    window.under.add(document.elementFromPoint(x, y)?.closest('.ticket')?.dataset.number ?? 'none');
  };
  look();
  new MutationObserver(look).observe(document.querySelector('.columns'),
    {childList: true, subtree: true, attributes: true});
  document.querySelector('.lane.new').addEventListener('scroll', look);
  setInterval(look, 20);
}"""


class ArrivalTests(BoardTest):
    def board(self, context):
        """Opens the board in a tab with sound."""
        page = context.new_page()
        page.add_init_script(NO_REPETITION)
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector("text=Sound is on")
        return page

    def rest_finger(self, page, number):
        """Puts a finger on the card of an order. Returns its position."""
        card = page.locator(f".column.placed .ticket[data-number='{number}']")
        card.wait_for()
        box = card.bounding_box()
        x, y = box["x"] + 40, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        # Count only after the page has announced this order.
        page.wait_for_function("() => document.title.startsWith('●')")
        page.evaluate(RECORD_FINGER, [number, x, y])
        page.evaluate(RECORD_ARRIVALS, MOST_CHIMES)
        return x, y

    def check_rush(self, pages, first):
        """Places forty orders while a finger rests on a card of each page."""
        self.addCleanup(self.close_orders)
        resting = place_order(self.shop, first)
        fingers = [self.rest_finger(page, resting) for page in pages]
        numbers = []
        for n in range(1, ORDERS + 1):
            for page, (x, y) in zip(pages, fingers):
                # A finger always moves slightly. The page treats it as lifted after five seconds without movement.
                page.mouse.move(x + n % 2, y)
            numbers.append(place_order(self.shop, first + n))
        read = "select number, (extract(epoch from placed_at) * 1000)::bigint from orders"
        placed = dict(line.split("|") for line in self.shop.sql(read).splitlines())
        for n, page in enumerate(pages):
            page.wait_for_function("(many) => Object.keys(seen).length >= many", arg=ORDERS)
            seen = page.evaluate("seen")
            self.assertEqual(sorted(seen), sorted(numbers), f"page {n}")
            delays = sorted(seen[number] - int(placed[number]) for number in numbers)
            self.assertLess(delays[-1], MAX_DELAY, f"page {n}: {delays[-5:]}")
            page.wait_for_function("() => heard >= due", timeout=15_000)
            self.assertGreaterEqual(page.evaluate("due"), ORDERS / 4, "too many orders entered together")
            self.assertEqual(page.evaluate("[...under]"), [resting], f"page {n}")
            for places in zip(*page.evaluate("places")):
                self.assertLess(max(places) - min(places), 2, f"page {n}: {sorted(set(places))}")
            self.assertFalse(page.is_visible(".banner.shown"))

    def test_rush_on_three_tablets(self):
        """Each of forty orders appears on three tablets within a second with a chime, and no card moves under a
        finger"""
        self.close_orders()
        self.check_rush([self.board(self.context(device)) for device in (TABLET, LANDSCAPE, WIDE)], 100)

    def test_rush_on_three_tabs(self):
        """Each of forty orders appears on three tabs of a browser within a second with a chime, and no card moves"""
        self.close_orders()
        context = self.context(WIDE)
        self.check_rush([self.board(context) for _ in range(3)], 200)


if __name__ == "__main__":
    unittest.main()
