# What is heard on the board: new orders, again and again until somebody has accepted them, also after the browser had blocked the sound. Run by
# `make test-browser`.

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

    def test_every_arrival(self):
        """Each order that enters the board makes a sound in whatever state, and a pre-order once more when it is due"""
        self.clear()
        self.addCleanup(self.clear)
        page = self.hearing()
        number = place_order(self.shop, 720)
        self.shop.sql(f"select advance_order('{number}', 'accepted')")
        page.wait_for_selector(f".column.accepted .ticket[data-number='{number}']")
        page.wait_for_function("() => heard >= 1", timeout=3_500)
        # It is accepted: it does not ring again.
        page.wait_for_timeout(1_500)
        self.stays_silent(page)
        later = place_order(self.shop, 721)
        self.shop.sql(
            f"update orders set wanted_at = now() + interval '61 minutes', eta_minutes = null, slot_items = 1 where number = '{later}'; "
            f"select advance_order('{later}', 'accepted')")
        page.wait_for_selector(f".later .ticket[data-number='{later}']")
        page.wait_for_timeout(1_500)
        self.stays_silent(page)
        self.shop.sql(f"update orders set wanted_at = now() + interval '59 minutes' where number = '{later}'; select delay_order('{later}', 1, 'a test')")
        page.wait_for_selector(f".column.accepted .ticket[data-number='{later}']")
        page.wait_for_function("() => heard >= 1", timeout=3_500)
        # The first load is silent about orders that are accepted.
        page.reload()
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector(f".column.accepted .ticket[data-number='{later}']")
        page.evaluate(COUNT)
        page.wait_for_timeout(1_500)
        self.stays_silent(page)

    def test_automatic_acceptance(self):
        """With automatic acceptance an order rings again and again until a member of staff taps it"""
        self.clear()
        self.addCleanup(self.clear)
        self.addCleanup(self.shop.sql, "update shop set accepts_automatically = false")
        page = self.hearing()
        self.shop.sql("update shop set accepts_automatically = true")
        page.wait_for_function("() => document.querySelector('#shop').textContent.includes('New orders are accepted automatically')")
        numbers = [place_order(self.shop, 730 + n) for n in range(3)]
        for number in numbers:
            page.wait_for_selector(f".column.accepted .ticket[data-number='{number}']")
        page.wait_for_function("() => heard >= 3", timeout=6_000)
        page.wait_for_function("() => document.title === '● 3 new'")
        page.evaluate("heard = 0")
        page.wait_for_function("() => heard >= 2", timeout=12_000)
        for number in numbers:
            page.click(f".ticket[data-number='{number}'] h3")
        page.wait_for_timeout(1_500)
        self.stays_silent(page)

    def test_missed_by_deadline(self):
        """An order rejected by its deadline is told as missed, whatever the sentence; one rejected by staff with that sentence is not"""
        self.clear()
        page = self.hearing()
        page.evaluate("() => { window.missed = 0; document.addEventListener('rung', ({detail}) => { if (detail.sound === 'missed') window.missed += 1; }); }")
        number = place_order(self.shop, 740)
        page.wait_for_selector(f".ticket[data-number='{number}']")
        self.shop.sql(f"select advance_order('{number}', 'rejected', 'We could not accept your order in time.')")
        page.wait_for_selector(f".ticket[data-number='{number}']", state="detached")
        page.wait_for_timeout(1_000)
        self.assertEqual(page.evaluate("missed"), 0)
        self.assertFalse(page.is_visible(".missed"))
        number = place_order(self.shop, 741)
        page.wait_for_selector(f".ticket[data-number='{number}']")
        self.addCleanup(self.shop.sql, "update shop set accept_within_minutes = null")
        self.shop.sql(f"update orders set placed_at = placed_at - interval '1 hour' where number = '{number}'; update shop set accept_within_minutes = 10")
        page.wait_for_selector(f".missed:has-text('{number}')", timeout=10_000)
        page.wait_for_function("() => missed === 1")


if __name__ == "__main__":
    unittest.main()
