# The sounds of the board: new orders chime again and again until they are accepted, also after the browser had blocked
# the sound.

import re
import unittest

from board import LANDSCAPE, BoardTest
from placing import place_order

# A browser that blocks sound before a tap, and that may stop it later.
BLOCKED_SOUND = """(() => {
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

# Counts the chimes for new orders.
COUNT_CHIMES = (
    "() => { window.heard = 0; document.addEventListener('rung', ({detail}) => { if (detail.sound === 'order')"
    " window.heard += 1; }); }"
)


class ChimeTests(BoardTest):
    def open_with_sound(self, device=LANDSCAPE):
        """Opens a page with sound that counts its chimes in `heard`."""
        page = self.sign_in(device)
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector("text=Sound is on")
        page.evaluate(COUNT_CHIMES)
        return page

    def check_silence(self, page):
        """Checks, for longer than the interval of repetition, that no chime sounds and that the title reports no new
        order."""
        page.evaluate("heard = 0")
        page.wait_for_timeout(5_000)
        self.assertEqual(page.evaluate("heard"), 0)
        self.assertNotIn("●", page.title())

    def test_sound_blocked_by_browser(self):
        """A page says that the browser blocks sound; one tap allows it, also after the browser has stopped it again"""
        self.close_orders()
        page = self.sign_in(LANDSCAPE, BLOCKED_SOUND)
        page.evaluate(COUNT_CHIMES)
        sound_is_off = page.locator("text=Sound is off: tap to hear new orders")
        number = self.place_orders(460, 1)[0]
        page.wait_for_selector(f".ticket[data-number='{number}']")
        self.assertTrue(sound_is_off.is_visible())
        self.assertEqual(page.evaluate("heard"), 0)
        for order in (461, 462):
            sound_is_off.click()
            page.wait_for_selector("text=Sound is on")
            page.evaluate("heard = 0")
            place_order(self.shop, order)
            page.wait_for_function("() => heard > 0", timeout=3_500)
            # Stops the sound as an incoming call on a tablet does.
            page.evaluate("contexts.forEach((entry) => entry.stop())")
            sound_is_off.wait_for()
            page.evaluate("heard = 0")
            place_order(self.shop, order + 10)
            page.wait_for_selector(".column.placed .order-count:has-text('%d')" % (3 if order == 461 else 5))
            self.assertEqual(page.evaluate("heard"), 0)

    def test_chime_repeats_until_accepted(self):
        """New orders chime and stay in the title until accepted or about to be rejected; an undone rejection chimes at
        once"""
        self.close_orders()
        page = self.open_with_sound()
        self.check_silence(page)
        numbers = self.place_orders(700, 1)
        page.wait_for_function("() => document.title === '● 1 new'")
        page.wait_for_function("() => heard >= 3", timeout=30_000)
        numbers += self.place_orders(701, 1)
        page.wait_for_function("() => document.title === '● 2 new'")
        page.click(f"[data-number='{numbers[0]}'] [data-next=accepted]")
        page.wait_for_function("() => document.title === '● 1 new'")
        page.click(f"[aria-label='Reject order {numbers[1]}']")
        page.fill("#field-reason", "The oven is cold.")
        page.click("text=Reject the order")
        undo = f".ticket[data-number='{numbers[1]}'] .undo"
        page.wait_for_selector(undo)
        page.wait_for_function("() => !document.title.startsWith('●')")
        self.check_silence(page)
        page.evaluate("heard = 0")
        page.click(undo)
        page.wait_for_function("() => heard > 0", timeout=3_500)
        page.wait_for_function("() => document.title === '● 1 new'")

    def test_chime_with_equal_count(self):
        """An order that arrives while another is accepted chimes at once, though the number of new orders is the
        same"""
        self.close_orders()
        page = self.open_with_sound()
        first = self.place_orders(710, 1)[0]
        page.wait_for_selector(f".column.placed .ticket[data-number='{first}']")
        # While the page reads one order, two more events arrive, and it reads both together.
        an_order, held = re.compile(r"/v1/staff/orders/\d{8}$"), []
        page.route(an_order, lambda route: route.continue_() if held else held.append(route))
        second = self.place_orders(711, 1)[0]
        self.wait_until(lambda: len(held) == 1)
        self.shop.sql(f"select advance_order('{first}', 'accepted')")
        third = self.place_orders(712, 1)[0]
        page.evaluate(
            """(third) => {
            const shown = () => [...document.querySelectorAll('.column.placed .ticket')]
                .some((element) => element.dataset.number === third);
            new MutationObserver(() => { if (shown()) window.seenAt ??= Date.now(); })
                .observe(document.querySelector('.columns'), {childList: true, subtree: true});
            document.addEventListener('rung', () => { if (shown()) window.rungAt ??= Date.now(); });
        }""",
            third,
        )
        held[0].continue_()
        page.wait_for_selector(f".column.placed .ticket[data-number='{second}']")
        page.wait_for_function("() => window.seenAt && window.rungAt")
        # The chime is not a repetition, because these come every four seconds.
        self.assertLess(page.evaluate("rungAt - seenAt"), 1_500)
        self.assertEqual(self.order_state(first), "accepted")

    def test_every_arrival_chimes(self):
        """Each order that enters the board chimes in any state, and a pre-order again when it becomes due"""
        self.close_orders()
        self.addCleanup(self.close_orders)
        page = self.open_with_sound()
        number = place_order(self.shop, 720)
        self.shop.sql(f"select advance_order('{number}', 'accepted')")
        page.wait_for_selector(f".column.accepted .ticket[data-number='{number}']")
        page.wait_for_function("() => heard >= 1", timeout=3_500)
        # The order is accepted and does not chime again.
        page.wait_for_timeout(1_500)
        self.check_silence(page)
        later = place_order(self.shop, 721)
        self.shop.sql(
            "update orders set wanted_at = now() + interval '61 minutes', eta_minutes = null, slot_items = 1 where"
            f" number = '{later}'; select advance_order('{later}', 'accepted')"
        )
        page.wait_for_selector(f".later .ticket[data-number='{later}']")
        page.wait_for_timeout(1_500)
        self.check_silence(page)
        self.shop.sql(
            f"update orders set wanted_at = now() + interval '59 minutes' where number = '{later}'; select"
            f" delay_order('{later}', 1, 'a test')"
        )
        page.wait_for_selector(f".column.accepted .ticket[data-number='{later}']")
        page.wait_for_function("() => heard >= 1", timeout=3_500)
        # The first load is silent about accepted orders.
        page.reload()
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector(f".column.accepted .ticket[data-number='{later}']")
        page.evaluate(COUNT_CHIMES)
        page.wait_for_timeout(1_500)
        self.check_silence(page)

    def test_automatic_acceptance_chimes(self):
        """With automatic acceptance an order chimes again and again until a member of staff taps it"""
        self.close_orders()
        self.addCleanup(self.close_orders)
        self.addCleanup(self.shop.sql, "update shop set accepts_automatically = false")
        page = self.open_with_sound()
        self.shop.sql("update shop set accepts_automatically = true")
        page.wait_for_function(
            "() => document.querySelector('#shop').textContent.includes('New orders are accepted automatically')"
        )
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
        self.check_silence(page)

    def test_deadline_rejection_is_missed(self):
        """An order rejected by its deadline counts as missed; one rejected by staff with the same text does not"""
        self.close_orders()
        page = self.open_with_sound()
        page.evaluate(
            "() => { window.missed = 0; document.addEventListener('rung', ({detail}) => { if (detail.sound ==="
            " 'missed') window.missed += 1; }); }"
        )
        number = place_order(self.shop, 740)
        page.wait_for_selector(f".ticket[data-number='{number}']")
        self.shop.sql(f"select advance_order('{number}', 'rejected', 'We could not accept your order in time.')")
        page.wait_for_selector(f".ticket[data-number='{number}']", state="detached")
        page.wait_for_timeout(1_000)
        self.assertEqual(page.evaluate("missed"), 0)
        self.assertFalse(page.is_visible(".board-alert"))
        number = place_order(self.shop, 741)
        page.wait_for_selector(f".ticket[data-number='{number}']")
        self.addCleanup(self.shop.sql, "update shop set accept_within_minutes = null")
        self.shop.sql(
            f"update orders set placed_at = placed_at - interval '1 hour' where number = '{number}'; update shop set"
            " accept_within_minutes = 10"
        )
        page.wait_for_selector(f".board-alert:has-text('{number}')", timeout=10_000)
        page.wait_for_function("() => missed === 1")


if __name__ == "__main__":
    unittest.main()
