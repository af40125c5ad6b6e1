# The cards of the board: dishes that are ticked off, the time on the accept button, and the bar that marks the visible
# lane.

import unittest

from board import LANDSCAPE, TABLET, WIDE, BoardTest
from shop import PHONE

COMBO = [
    {"optionId": 1102},
    {"optionId": 1202, "quantity": 2},
    {"optionId": 2501},
    {"optionId": 2101, "options": [{"optionId": 2302}]},
]

# Records in `moved`, for each tick, by how many pixels at most a card, its dishes or its buttons moved or grew.
MOVEMENT = """number => {
  const places = () => [...document
      .querySelectorAll(`[data-number='${number}'], [data-number='${number}'] :is(.dishes li, b, .button)`)]
      .flatMap((element) => {
    const {x, y, width, height} = element.getBoundingClientRect();
    return [x, y, width, height];
  });
  let before;
  window.moved = [];
  for (const kind of ['pointerdown', 'keydown']) document.addEventListener(kind, () => { before = places(); }, true);
  document.addEventListener('change',
      () => { window.moved.push(Math.max(...places().map((place, at) => Math.abs(place - before[at])))); });
}"""

# The width of the search field's placeholder, and the available width.
SEARCH_WIDTHS = """() => {
  const field = document.querySelector('#find'), style = getComputedStyle(field),
      pen = document.createElement('canvas').getContext('2d');
  pen.font = style.font;
  return [pen.measureText(field.placeholder).width,
      field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)].map(Math.ceil);
}"""


class CardTests(BoardTest):
    def move(self, number, *states):
        for state in states:
            self.shop.sql(f"select advance_order('{number}', '{state}')")

    def ticks(self, page, number):
        """The card's dishes by name, and whether each is ticked off."""
        rows = page.get_by_role("listitem", name=f"Order {number}", exact=True).get_by_role("checkbox")
        return {row.evaluate("entry => entry.labels[0].textContent"): row.is_checked() for row in rows.all()}

    def test_tick_off_dishes(self):
        """A tap anywhere on a dish or a key ticks it off; the tick survives a reload, moves nothing, and leaves the
        kitchen's totals"""
        self.close_orders()
        dishes = ((1001, 1, "peanut allergy", COMBO), (2001, 2), (3002, 1))
        number, other = self.place_orders(500, 2, lambda _: dishes, sales=(200,))
        self.move(number, "accepted", "preparing")
        names = ["1 × Grill Combo", "2 × The Big Tasty", "1 × Village Fries", "3 × BBQ Burger"]
        for device in (PHONE, TABLET, LANDSCAPE, WIDE):
            page = self.sign_in(device, bypass_csp=True)
            card = f".column.preparing .ticket[data-number='{number}']"
            page.wait_for_selector(f"{card} .default-option")
            self.assertEqual(self.ticks(page, number), dict.fromkeys(names, False))
            self.assertEqual(
                page.locator(f".ticket[data-number='{other}'] input").count(),
                0,
                "an order that is not accepted has no dishes to tick",
            )
            page.click("#states .preparing")
            page.wait_for_selector(".kitchen-now:has-text('In the kitchen now: 7')", state="attached")
            self.assertGreaterEqual(
                page.eval_on_selector_all(
                    f"{card} .tick", "all => Math.min(...all.map((element) => element.offsetHeight))"
                ),
                44,
            )
            page.evaluate(MOVEMENT, number)
            # Ticks off dishes by a tap on an option, far from the dish's name, and by a key.
            page.click(f"{card} .tick >> nth=0 >> text=Bacon", force=True)
            page.wait_for_selector(".kitchen-now:has-text('In the kitchen now: 6')", state="attached")
            last = page.locator(f"{card} .tick input >> nth=3")
            last.focus()
            page.keyboard.press("Space")
            page.wait_for_selector(".kitchen-now:has-text('In the kitchen now: 3')", state="attached")
            self.assertTrue(last.evaluate("element => element === document.activeElement"))
            ticked = dict(zip(names, (True, False, False, True)))
            self.assertEqual(self.ticks(page, number), ticked)
            line = "element => getComputedStyle(element).textDecorationLine"
            self.assertEqual(
                [row.evaluate(line) for row in page.locator(f"{card} .tick label b").all()],
                ["line-through", "none", "none", "line-through"],
            )
            self.assertEqual(page.evaluate("moved.length"), 2)
            self.assertLess(page.evaluate("Math.max(...moved)"), 1.5, f"{device['viewport']}")
            self.check_accessibility(page, f"{device['viewport']}")
            page.reload()
            page.wait_for_selector(f"{card} .default-option")
            self.assertEqual(self.ticks(page, number), ticked)
            # All dishes are ticked off, and the card says so.
            page.evaluate(MOVEMENT, number)
            edge = f"getComputedStyle(document.querySelector(\"{card}\")).borderTopColor"
            colour = page.evaluate(edge)
            for index in (1, 2):
                page.click(f"{card} .tick >> nth={index}")
            page.wait_for_selector(".kitchen-now", state="hidden")
            self.assertNotEqual(page.evaluate(edge), colour)
            page.click(f"{card} .tick >> nth=2")
            page.wait_for_selector(".kitchen-now:has-text('In the kitchen now: 1')", state="attached")
            self.assertEqual(page.evaluate("moved.length"), 3)
            self.assertLess(page.evaluate("Math.max(...moved)"), 1.5, f"{device['viewport']}")
            page.context.close()

    def test_ticks_are_forgotten(self):
        """The ticks remain when a step is undone, and are deleted when the order leaves the board"""
        self.close_orders()
        number = self.place_orders(510, 1, lambda _: ((2001, 2), (3002, 1)))[0]
        self.move(number, "accepted")
        page = self.sign_in(LANDSCAPE)
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

    def test_time_on_accept_button(self):
        """The accept button shows the promised minutes and time, and promises exactly these; past and wanted times show
        none"""
        self.close_orders()
        usual, late = self.place_orders(520, 2)
        self.shop.sql(
            "update orders set placed_at = now() - make_interval(mins => eta_minutes - 20) + interval '10 seconds'"
            f" where number = '{usual}'"
        )
        self.shop.sql(f"update orders set placed_at = now() - interval '2 hours' where number = '{late}'")
        promise = (
            "select extract(epoch from coalesce(promised_at, placed_at + make_interval(mins => eta_minutes)))::bigint"
            f" from orders where number = '{usual}'"
        )
        before = self.shop.sql(promise)
        page = self.sign_in(LANDSCAPE, bypass_csp=True)
        button = f".ticket[data-number='{usual}'] [data-next=accepted]"
        page.wait_for_selector(button)
        self.assertRegex(page.inner_text(button), r"^Accept\s+2[01] min")
        self.assertRegex(page.inner_text(f".ticket[data-number='{late}'] [data-next=accepted]"), r"^Accept\s+: order")
        page.get_by_role(
            "button", name=f"Accept {page.inner_text(button + ' .promised-minutes')} : order {usual}", exact=True
        ).wait_for()
        minutes, box = page.inner_text(f"{button} .promised-minutes"), page.locator(button).bounding_box()
        page.wait_for_function(
            "([button, minutes]) => document.querySelector(button).querySelector('.promised-minutes').textContent !=="
            " minutes",
            arg=[button, minutes],
            timeout=70_000,
        )
        self.assertEqual(int(page.inner_text(f"{button} .promised-minutes").split()[0]), int(minutes.split()[0]) - 1)
        self.assertEqual(page.locator(button).bounding_box(), box)
        self.check_accessibility(page)
        page.click(button)
        page.wait_for_selector(f".column.accepted .ticket[data-number='{usual}']")
        self.assertEqual(self.shop.sql(promise), before)
        self.assertEqual(page.locator(".column.accepted .promised-minutes").count(), 0)

    def test_bar_marks_visible_lane(self):
        """On a screen of one lane the bar marks the visible lane after a tap and a swipe; with all lanes visible it
        marks none"""
        self.close_orders()
        numbers = self.place_orders(530, 9)
        for index, states in enumerate(
            (
                ("accepted",),
                ("accepted",),
                ("accepted",),
                *[("accepted", "preparing")] * 3,
                ("accepted", "preparing", "on_the_way"),
            )
        ):
            self.move(numbers[index], *states)
        mark = "getComputedStyle(document.querySelector('#states .%s')).borderBottomWidth"
        for device in (PHONE, TABLET):
            page = self.sign_in(device)
            page.wait_for_selector(f".column.on_the_way .ticket[data-number='{numbers[6]}']", state="attached")
            marked = (
                "wanted => [...document.querySelectorAll('#states button')].filter((element) =>"
                " getComputedStyle(element).borderBottomWidth === '4px').map((element) => element.className).join() ==="
                " wanted"
            )
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
            page.evaluate(
                "() => { const lanes = document.querySelector('.columns'); lanes.scrollLeft = lanes.scrollWidth; }"
            )
            page.wait_for_function(marked, arg="on_the_way")
            self.assertEqual(page.locator("#states").bounding_box(), height)

    def test_board_layout_on_tablets(self):
        """On tablets, the sound notice leaves room for the search, the buttons fit in one row and the title in one
        line"""
        self.close_orders()
        number = self.place_orders(540, 3)[0]
        for device in (TABLET, LANDSCAPE, WIDE):
            page = self.sign_in(device)
            page.wait_for_selector(f".ticket[data-number='{number}']")
            self.assertTrue(page.is_visible("text=Sound is off: tap to hear new orders"))
            wanted, room = page.evaluate(SEARCH_WIDTHS)
            self.assertGreaterEqual(room, wanted, f"{device['viewport']}")
            self.assertLess(page.locator(".toolbar").bounding_box()["height"], 57)
            self.assertLess(page.locator(".brand span").bounding_box()["height"], 40)
        # A portrait tablet shows three lanes.
        for index, states in enumerate(
            (("accepted",), ("accepted", "preparing"), ("accepted", "preparing", "on_the_way"))
        ):
            self.move((number := self.place_orders(545 + index, 1)[0]), *states)
        page = self.sign_in(TABLET)
        page.wait_for_selector(f".column.on_the_way .ticket[data-number='{number}']")
        rows = page.eval_on_selector_all(
            ".column:not(.on_the_way) .ticket > .row",
            "all => all.map((row) => new Set([...row.children].filter((element) =>"
            " element.checkVisibility()).map((element) => element.offsetTop)).size)",
        )
        self.assertEqual(set(rows), {1})


if __name__ == "__main__":
    unittest.main()
