# What is heard on the board: new orders, again and again until somebody has accepted them, also after the browser had blocked the sound. Run by
# `make test-browser`. Read next: test_staff_board.py.

import re
import unittest

from board import LYING, BoardTest
from test_staff import place_order

# A browser that lets nothing be heard before a tap, and that may stop it later.
BLOCKED = """(() => {
  window.contexts = [];
  window.AudioContext = class extends AudioContext {
    #isStopped = true;
    constructor() {
      super();
      window.contexts.push(this);
    }
    get state() { return this.#isStopped ? 'suspended' : super.state; }
    async resume() {
      if (!navigator.userActivation.isActive) throw new DOMException('no tap', 'NotAllowedError');
      await super.resume();
      this.#isStopped = false;
      this.dispatchEvent(new Event('statechange'));
    }
    stop() {
      this.#isStopped = true;
      this.dispatchEvent(new Event('statechange'));
    }
  };
})()"""

# Counts how often new orders are heard.
COUNT = "() => { window.heard = 0; document.addEventListener('rung', ({detail}) => { if (detail.sound === 'order') window.heard += 1; }); }"


class HeardTests(BoardTest):
    def hearing(self, device=LYING):
        """A page on which orders are heard, which counts in `heard` how often."""
        page = self.enter(device)
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector("text=Sound is on")
        page.evaluate(COUNT)
        return page

    def stays_silent(self, page):
        """Nothing is heard for longer than from one call to the next, and the title tells of nothing new."""
        page.evaluate("heard = 0")
        page.wait_for_timeout(5_000)
        self.assertEqual(page.evaluate("heard"), 0)
        self.assertNotIn("●", page.title())

    def test_sound_blocked(self):
        """A page that the browser lets play nothing says so; one tap allows it, and every new order is heard then, also after the browser has stopped it once more"""
        self.clear()
        page = self.enter(LYING, BLOCKED)
        page.evaluate(COUNT)
        off = page.locator("text=Sound is off: tap to hear new orders")
        number = self.rush(460, 1)[0]
        page.wait_for_selector(f".ticket[data-number='{number}']")
        self.assertTrue(off.is_visible())
        self.assertEqual(page.evaluate("heard"), 0)
        for order in (461, 462):
            off.click()
            page.wait_for_selector("text=Sound is on")
            page.evaluate("heard = 0")
            place_order(self.shop, order)
            page.wait_for_function("() => heard > 0", timeout=3_500)
            # As a call does that comes in on a tablet.
            page.evaluate("contexts.forEach((one) => one.stop())")
            off.wait_for()
            page.evaluate("heard = 0")
            place_order(self.shop, order + 10)
            page.wait_for_selector(".column.placed .many:has-text('%d')" % (3 if order == 461 else 5))
            self.assertEqual(page.evaluate("heard"), 0)

    def test_called_until_accepted(self):
        """New orders are heard again and again, and stand in the title, until each is accepted or about to be rejected; one whose rejection is undone is heard at once"""
        self.clear()
        page = self.hearing()
        self.stays_silent(page)
        numbers = self.rush(700, 1)
        page.wait_for_function("() => document.title === '● 1 new'")
        page.wait_for_function("() => heard >= 3", timeout=30_000)
        numbers += self.rush(701, 1)
        page.wait_for_function("() => document.title === '● 2 new'")
        page.click(f"[data-number='{numbers[0]}'] [data-next=accepted]")
        page.wait_for_function("() => document.title === '● 1 new'")
        page.click(f"[aria-label='Reject order {numbers[1]}']")
        page.fill("#field-reason", "The oven is cold.")
        page.click("text=Reject the order")
        undo = f".ticket[data-number='{numbers[1]}'] .undo"
        page.wait_for_selector(undo)
        page.wait_for_function("() => !document.title.startsWith('●')")
        self.stays_silent(page)
        page.evaluate("heard = 0")
        page.click(undo)
        page.wait_for_function("() => heard > 0", timeout=3_500)
        page.wait_for_function("() => document.title === '● 1 new'")

    def test_heard_though_as_many(self):
        """An order that comes at the moment in which another is accepted is heard at once, though no more are waiting than before"""
        self.clear()
        page = self.hearing()
        first = self.rush(710, 1)[0]
        page.wait_for_selector(f".column.placed .ticket[data-number='{first}']")
        # While the page reads one order, two more are told of: it reads these together.
        an_order, held = re.compile(r"/v1/staff/orders/\d{8}$"), []
        page.route(an_order, lambda route: route.continue_() if held else held.append(route))
        second = self.rush(711, 1)[0]
        self.eventually(lambda: len(held) == 1)
        self.shop.sql(f"select advance_order('{first}', 'accepted')")
        third = self.rush(712, 1)[0]
        page.evaluate("""(third) => {
            const shown = () => [...document.querySelectorAll('.column.placed .ticket')].some((one) => one.dataset.number === third);
            new MutationObserver(() => { if (shown()) window.seenAt ??= Date.now(); }).observe(document.querySelector('.columns'), {childList: true, subtree: true});
            document.addEventListener('rung', () => { if (shown()) window.rungAt ??= Date.now(); });
        }""", third)
        held[0].continue_()
        page.wait_for_selector(f".column.placed .ticket[data-number='{second}']")
        page.wait_for_function("() => window.seenAt && window.rungAt")
        # It calls every four seconds; this is not the next of them.
        self.assertLess(page.evaluate("rungAt - seenAt"), 1_500)
        self.assertEqual(self.state(first), "accepted")


if __name__ == "__main__":
    unittest.main()
