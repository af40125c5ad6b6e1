# A rush on three tablets and on three tabs of one browser: each order is seen and heard, and no card moves under a
# finger. Run by `make test-browser`; WELMS_LONG=1 has the limits that hold on a machine with nothing else to do.

import os
import unittest

from board import LYING, TABLET, WIDE, BoardTest
from test_staff import TOKEN, place_order

ORDERS = 40
# Milliseconds from the placing of an order until it is on the board.
LATEST = 1_000 if os.environ.get("WELMS_LONG") == "1" else 10_000
# How many chimes follow one another when orders enter together (mostChimes in staff/bell.js).
MOST_CHIMES = 5

# Stops the repetition of the chime, which comes every four seconds: what is heard is heard once for an order.
ONCE = """(() => {
  const repeat = window.setInterval;
  window.setInterval = (work, delay, ...more) => (delay === 4000 ? 0 : repeat(work, delay, ...more));
})()"""

# Notes when each order was first seen, how many chimes that asks for, and how often orders were heard.
WATCH = """(most) => {
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

# Notes which cards are under the finger, and where its card stands.
FINGER = """([number, x, y]) => {
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
        """A tab on the board on which orders are heard."""
        page = context.new_page()
        page.add_init_script(ONCE)
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector("text=Sound is on")
        return page

    def rest_finger(self, page, number):
        """Puts the finger on the card of an order; returns where."""
        card = page.locator(f".column.placed .ticket[data-number='{number}']")
        card.wait_for()
        box = card.bounding_box()
        x, y = box["x"] + 40, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        # A chime that the card's own arrival asked for is over before the counting begins.
        page.wait_for_function("() => document.title.startsWith('●')")
        page.evaluate(FINGER, [number, x, y])
        page.evaluate(WATCH, MOST_CHIMES)
        return x, y

    def rush_on(self, pages, first):
        """Forty orders come while a finger rests on a card of each page."""
        self.addCleanup(self.clear)
        resting = place_order(self.shop, first)
        fingers = [self.rest_finger(page, resting) for page in pages]
        numbers = []
        for n in range(1, ORDERS + 1):
            for page, (x, y) in zip(pages, fingers):
                # A finger is never quite still. It counts as lifted after five seconds.
                page.mouse.move(x + n % 2, y)
            numbers.append(place_order(self.shop, first + n))
        read = "select number, (extract(epoch from placed_at) * 1000)::bigint from orders"
        placed = dict(line.split("|") for line in self.shop.sql(read).splitlines())
        for n, page in enumerate(pages):
            page.wait_for_function("(many) => Object.keys(seen).length >= many", arg=ORDERS)
            seen = page.evaluate("seen")
            self.assertEqual(sorted(seen), sorted(numbers), f"page {n}")
            delays = sorted(seen[number] - int(placed[number]) for number in numbers)
            self.assertLess(delays[-1], LATEST, f"page {n}: {delays[-5:]}")
            page.wait_for_function("() => heard >= due", timeout=15_000)
            self.assertGreaterEqual(page.evaluate("due"), ORDERS / 4, "few orders enter together")
            self.assertEqual(page.evaluate("[...under]"), [resting], f"page {n}")
            for places in zip(*page.evaluate("places")):
                self.assertLess(max(places) - min(places), 2, f"page {n}: {sorted(set(places))}")
            self.assertFalse(page.is_visible(".banner.shown"))

    def test_rush_on_tablets(self):
        """Of forty orders each is seen on three tablets within a second and heard, and no card moves under a finger"""
        self.clear()
        self.rush_on([self.board(self.context(device)) for device in (TABLET, LYING, WIDE)], 100)

    def test_rush_on_tabs(self):
        """Of forty orders each is seen on three tabs of a browser within a second and heard, and no card moves"""
        self.clear()
        context = self.context(WIDE)
        self.rush_on([self.board(context) for _ in range(3)], 200)


if __name__ == "__main__":
    unittest.main()
