# One card of the board and what leads to it: dishes that are ticked off, an order accepted for the time that stands on the button, the bar that says
# what is seen.

import unittest

from board import LYING, TABLET, WIDE, BoardTest
from shop import PHONE

COMBO = [{"optionId": 1102}, {"optionId": 1202, "quantity": 2}, {"optionId": 2501}, {"optionId": 2101, "options": [{"optionId": 2302}]}]

# By how much a card, its dishes and its buttons move or grow while a dish of it is ticked off, each time.
MOVED = """number => {
  const places = () => [...document.querySelectorAll(`[data-number='${number}'], [data-number='${number}'] :is(.dishes li, b, .button)`)].flatMap((one) => {
    const {x, y, width, height} = one.getBoundingClientRect();
    return [x, y, width, height];
  });
  let before;
  window.moved = [];
  for (const kind of ['pointerdown', 'keydown']) document.addEventListener(kind, () => { before = places(); }, true);
  document.addEventListener('change', () => { window.moved.push(Math.max(...places().map((place, at) => Math.abs(place - before[at])))); });
}"""

# What the placeholder of the search takes, and what there is for it.
ROOM = """() => {
  const field = document.querySelector('#find'), style = getComputedStyle(field), pen = document.createElement('canvas').getContext('2d');
  pen.font = style.font;
  return [pen.measureText(field.placeholder).width, field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)].map(Math.ceil);
}"""


class CardTests(BoardTest):
    def move(self, number, *states):
        for state in states:
            self.shop.sql(f"select advance_order('{number}', '{state}')")

    def ticks(self, page, number):
        """The card's dishes by name, and whether each is ticked off."""
        rows = page.get_by_role("listitem", name=f"Order {number}", exact=True).get_by_role("checkbox")
        return {row.evaluate("one => one.labels[0].textContent"): row.is_checked() for row in rows.all()}

    def test_ticked_off(self):
        """A dish of an order that is cooked is ticked off by a tap anywhere on it or by a key, stays so after a reload, moves nothing, and is not among those to be made"""
        self.clear()
        dishes = ((1001, 1, "peanut allergy", COMBO), (2001, 2), (3002, 1))
        number, other = self.rush(500, 2, lambda _: dishes, sales=(200,))
        self.move(number, "accepted", "preparing")
        names = ["1 × Grill Combo", "2 × The Big Tasty", "1 × Village Fries", "3 × BBQ Burger"]
        for device in (PHONE, TABLET, LYING, WIDE):
            page = self.enter(device, bypass_csp=True)
            card = f".column.preparing .ticket[data-number='{number}']"
            page.wait_for_selector(f"{card} .usual")
            self.assertEqual(self.ticks(page, number), dict.fromkeys(names, False))
            self.assertEqual(page.locator(f".ticket[data-number='{other}'] input").count(), 0, "nobody cooks it yet")
            page.click("#states .preparing")
            page.wait_for_selector(".kitchen-now:has-text('In the kitchen now: 7')", state="attached")
            self.assertGreaterEqual(page.eval_on_selector_all(f"{card} .tick", "all => Math.min(...all.map((one) => one.offsetHeight))"), 44)
            page.evaluate(MOVED, number)
            # On what was chosen with it, which is far from its name; and by a key.
            page.click(f"{card} .tick >> nth=0 >> text=Bacon", force=True)
            page.wait_for_selector(".kitchen-now:has-text('In the kitchen now: 6')", state="attached")
            last = page.locator(f"{card} .tick input >> nth=3")
            last.focus()
            page.keyboard.press("Space")
            page.wait_for_selector(".kitchen-now:has-text('In the kitchen now: 3')", state="attached")
            self.assertTrue(last.evaluate("one => one === document.activeElement"))
            ticked = dict(zip(names, (True, False, False, True)))
            self.assertEqual(self.ticks(page, number), ticked)
            line = "one => getComputedStyle(one).textDecorationLine"
            self.assertEqual([row.evaluate(line) for row in page.locator(f"{card} .tick label b").all()], ["line-through", "none", "none", "line-through"])
            self.assertEqual(page.evaluate("moved.length"), 2)
            self.assertLess(page.evaluate("Math.max(...moved)"), 1.5, f"{device['viewport']}")
            self.scan(page, f"{device['viewport']}")
            page.reload()
            page.wait_for_selector(f"{card} .usual")
            self.assertEqual(self.ticks(page, number), ticked)
            # All are done: the card says so too.
            page.evaluate(MOVED, number)
            edge = f"getComputedStyle(document.querySelector(\"{card}\")).borderTopColor"
            colour = page.evaluate(edge)
            for at in (1, 2):
                page.click(f"{card} .tick >> nth={at}")
            page.wait_for_selector(".kitchen-now", state="hidden")
            self.assertNotEqual(page.evaluate(edge), colour)
            page.click(f"{card} .tick >> nth=2")
            page.wait_for_selector(".kitchen-now:has-text('In the kitchen now: 1')", state="attached")
            self.assertEqual(page.evaluate("moved.length"), 3)
            self.assertLess(page.evaluate("Math.max(...moved)"), 1.5, f"{device['viewport']}")
            page.context.close()

    def test_forgotten(self):
        """What was ticked off is there when a step is taken back, and forgotten when the order leaves the board"""
        self.clear()
        number = self.rush(510, 1, lambda _: ((2001, 2), (3002, 1)))[0]
        self.move(number, "accepted")
        page = self.enter(LYING)
        page.click(f".ticket[data-number='{number}'] [data-next=preparing]")
        page.click(f".column.preparing .ticket[data-number='{number}'] .tick >> nth=1")
        page.click(f".column.preparing .ticket[data-number='{number}'] .undo")
        page.wait_for_selector(f".column.accepted .ticket[data-number='{number}']")
        page.click(f".ticket[data-number='{number}'] [data-next=preparing]")
        page.wait_for_selector(f".column.preparing .ticket[data-number='{number}']")
        self.assertEqual(self.ticks(page, number), {"2 × The Big Tasty": False, "1 × Village Fries": True})
        kept = "localStorage.getItem('welms.staff.done')"
        self.assertIn(number, page.evaluate(kept))
        self.move(number, "on_the_way", "delivered")
        page.wait_for_selector(f".ticket[data-number='{number}']", state="detached")
        self.assertIsNone(page.evaluate(kept))

    def test_accepted_for_the_time_on_it(self):
        """The button that accepts an order says in how many minutes it is promised, by the clock, and one tap promises no other; what is over, or wanted for a time, it does not say"""
        self.clear()
        usual, late = self.rush(520, 2)
        self.shop.sql(f"update orders set placed_at = now() - make_interval(mins => eta_minutes - 20) + interval '10 seconds' where number = '{usual}'")
        self.shop.sql(f"update orders set placed_at = now() - interval '2 hours' where number = '{late}'")
        promise = f"select extract(epoch from coalesce(promised_at, placed_at + make_interval(mins => eta_minutes)))::bigint from orders where number = '{usual}'"
        before = self.shop.sql(promise)
        page = self.enter(LYING, bypass_csp=True)
        button = f".ticket[data-number='{usual}'] [data-next=accepted]"
        page.wait_for_selector(button)
        self.assertRegex(page.inner_text(button), r"^Accept\s+2[01] min")
        self.assertRegex(page.inner_text(f".ticket[data-number='{late}'] [data-next=accepted]"), r"^Accept\s+: order")
        page.get_by_role("button", name=f"Accept {page.inner_text(button + ' .promised')} : order {usual}", exact=True).wait_for()
        minutes, box = page.inner_text(f"{button} .promised"), page.locator(button).bounding_box()
        page.wait_for_function("([button, minutes]) => document.querySelector(button).querySelector('.promised').textContent !== minutes", arg=[button, minutes], timeout=70_000)
        self.assertEqual(int(page.inner_text(f"{button} .promised").split()[0]), int(minutes.split()[0]) - 1)
        self.assertEqual(page.locator(button).bounding_box(), box)
        self.scan(page)
        page.click(button)
        page.wait_for_selector(f".column.accepted .ticket[data-number='{usual}']")
        self.assertEqual(self.shop.sql(promise), before)
        self.assertEqual(page.locator(".column.accepted .promised").count(), 0)

    def test_bar_says_what_is_seen(self):
        """Where one lane fills the screen the bar says which is seen, after a tap as after a swipe; where all are side by side it marks none"""
        self.clear()
        numbers = self.rush(530, 9)
        for at, states in enumerate((("accepted",), ("accepted",), ("accepted",), *[("accepted", "preparing")] * 3, ("accepted", "preparing", "on_the_way"))):
            self.move(numbers[at], *states)
        mark = "getComputedStyle(document.querySelector('#states .%s')).borderBottomWidth"
        for device in (PHONE, TABLET):
            page = self.enter(device)
            page.wait_for_selector(f".column.on_the_way .ticket[data-number='{numbers[6]}']", state="attached")
            marked = "wanted => [...document.querySelectorAll('#states button')].filter((one) => getComputedStyle(one).borderBottomWidth === '4px').map((one) => one.className).join() === wanted"
            if device is TABLET:
                page.wait_for_selector("#states [data-seen].placed")
                self.assertTrue(page.evaluate(marked, ""))
                continue
            page.wait_for_function(marked, arg="placed")
            height = page.locator("#states").bounding_box()
            page.click("#states .accepted")
            page.wait_for_function(marked, arg="accepted")
            page.click("#states .preparing")
            page.wait_for_function("() => document.querySelector('#states .preparing').matches('[data-seen]')")
            page.evaluate("() => { const lanes = document.querySelector('.columns'); lanes.scrollLeft = lanes.scrollWidth; }")
            page.wait_for_function(marked, arg="on_the_way")
            self.assertEqual(page.locator("#states").bounding_box(), height)

    def test_desk(self):
        """What tells that nothing is heard leaves the search its room, no buttons of who accepts and cooks need two rows, and the page's name is one line, on tablets that stand and lie"""
        self.clear()
        number = self.rush(540, 3)[0]
        for device in (TABLET, LYING, WIDE):
            page = self.enter(device)
            page.wait_for_selector(f".ticket[data-number='{number}']")
            self.assertTrue(page.is_visible("text=Sound is off: tap to hear new orders"))
            wanted, room = page.evaluate(ROOM)
            self.assertGreaterEqual(room, wanted, f"{device['viewport']}")
            self.assertLess(page.locator(".desk").bounding_box()["height"], 57)
            self.assertLess(page.locator(".brand span").bounding_box()["height"], 40)
        # Three lanes on a tablet that stands.
        for at, states in enumerate((("accepted",), ("accepted", "preparing"), ("accepted", "preparing", "on_the_way"))):
            self.move((number := self.rush(545 + at, 1)[0]), *states)
        page = self.enter(TABLET)
        page.wait_for_selector(f".column.on_the_way .ticket[data-number='{number}']")
        rows = page.eval_on_selector_all(".column:not(.on_the_way) .ticket > .row", "all => all.map((row) => new Set([...row.children].filter((one) => one.checkVisibility()).map((one) => one.offsetTop)).size)")
        self.assertEqual(set(rows), {1})


if __name__ == "__main__":
    unittest.main()
