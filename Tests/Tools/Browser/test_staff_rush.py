# The board in a rush: how many orders are seen at once, what of each, what is late, lost or wasted.

import unittest

from board import LYING, TABLET, WIDE, BoardTest
from shop import PHONE


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
        moved = (numbers[at] for at in (0, 1, 3, 6))
        for number, states in zip(moved, (("accepted",), ("accepted", "preparing"), ("accepted",), ("accepted", "preparing", "on_the_way"))):
            for state in states:
                self.shop.sql(f"select advance_order('{number}', '{state}')")
        page.wait_for_function("() => document.querySelectorAll('.lane:not(.empty)').length === 3", timeout=15_000)
        self.assertGreaterEqual(page.evaluate(whole), 7)
        # A tap that fills an empty lane moves no card under the finger: the bar counts at once, and the lane gets its room
        # when the finger has rested for five seconds.
        self.shop.sql("select advance_order(number, 'rejected', 'a test') from orders where state in ('accepted', 'preparing', 'on_the_way')")
        page.wait_for_function("() => document.querySelectorAll('.lane:not(.empty)').length === 1", timeout=15_000)
        page.click(f"[data-number='{numbers[5]}'] [data-next=accepted]")
        page.wait_for_selector("#states .accepted .many:has-text('1')", timeout=3_000)
        page.wait_for_selector(f".column.accepted .ticket[data-number='{numbers[5]}'] .undo", timeout=15_000)

    def test_emphasis(self):
        """What comes anyway is quiet, what is other is bold, what is left out is red and says NO, an allergy is red and says so"""
        self.clear()
        drink = {"optionId": 2101, "options": [{"optionId": 2302}]}
        combo = [{"optionId": 1102}, {"optionId": 1202, "quantity": 2}, {"optionId": 2501}, drink]
        number = self.rush(430, 1, lambda _: ((1001, 1, "no salt", combo), (2001, 1, "peanut ALLERGY", [{"optionId": 1103}, {"optionId": 1303}]), (1004, 1, None, [{"optionId": 2601}, {"optionId": 2602}])),
                           comment="Soy alergico a las nueces")[0]
        for mode, red in (("light", "rgb(163, 32, 31)"), ("dark", "rgb(255, 170, 156)")):
            page = self.enter({**LYING, "color_scheme": mode}, bypass_csp=True)
            card = page.locator(f".ticket[data-number='{number}']")
            card.locator(".usual >> nth=0").wait_for()
            self.assertEqual(set(card.locator(".usual").all_inner_texts()), {"Medium", "French Fries", "Cola Soda", "Paper cup", "Tomato Sauce", "BBQ Sauce"})
            self.assertEqual(set(card.locator(".chosen b:not(.no)").all_inner_texts()), {"2 × Bacon", "Large", "Well done"})
            self.assertEqual(set(card.locator(".no").all_inner_texts()), {"NO onion", "NO Mustard Sauce"})
            look = "all => [...new Set(all.map((one) => { const {color, fontWeight, fontSize} = getComputedStyle(one); return `${color} ${fontWeight} ${fontSize}`; }))]"
            self.assertEqual(card.locator(".no").evaluate_all(look), [f"{red} 750 20px"])
            self.assertRegex(card.locator(".chosen b:not(.no)").evaluate_all(look)[0], r" 650 20px$")
            self.assertRegex(card.locator(".usual").evaluate_all(look)[0], r" 400 1[45](\.\d+)?px$")
            self.assertEqual([one.inner_text() for one in card.locator(".allergy").all()], ["ALLERGY peanut ALLERGY", "ALLERGY “Soy alergico a las nueces”"])
            self.assertEqual(card.locator(".allergy >> nth=0").evaluate("one => getComputedStyle(one).backgroundColor"), red)
            self.assertEqual(card.locator("q:not(.allergy)").evaluate("one => `${one.textContent} ${getComputedStyle(one).fontWeight}`"), "no salt 600")
            self.scan(page, mode)

    def test_accept_several(self):
        """One tap accepts all that are new, each by its own request, and another takes them back within ten seconds; those that fail are named; a key does it too"""
        self.clear()
        self.forgiven += ("409", "ERR_FAILED")
        page, requests = self.enter(LYING, bypass_csp=True), []
        page.on("request", lambda request: request.method == "POST" and requests.append(request.url.split("/v1/staff/orders/")[-1]))
        numbers = self.rush(440, 4)
        accept, undo = page.locator(".accept-all"), page.locator(".several .undo")
        page.wait_for_selector(".accept-all:has-text('Accept all 4')")
        self.scan(page, "the tap for all")
        accept.dblclick()
        page.wait_for_selector(".several .undo:has-text('4 accepted · Undo')")
        self.assertEqual(sorted(requests), sorted(f"{number}/accept" for number in numbers))
        undo.click()
        page.wait_for_selector(".accept-all:has-text('Accept all 4')")
        self.eventually(lambda: {self.state(number) for number in numbers} == {"placed"})
        self.assertFalse(undo.is_visible() or page.is_visible(".missed"))
        # What somebody has rejected meanwhile, as on a slow network.
        page.route(f"**/v1/staff/orders/{numbers[1]}", lambda route: route.abort())
        self.shop.sql(f"select advance_order('{numbers[1]}', 'rejected', 'out of burgers')")
        accept.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".several .undo:has-text('3 accepted · Undo')")
        self.assertTrue(undo.evaluate("one => one === document.activeElement"))
        self.assertRegex(page.inner_text(".missed:visible"), rf"^Not accepted: {numbers[1]}: .*rejected")
        self.assertEqual([self.state(number) for number in numbers], ["accepted", "rejected", "accepted", "accepted"])
        self.scan(page, "what was not accepted")
        page.unroute(f"**/v1/staff/orders/{numbers[1]}")
        page.wait_for_selector(".several .undo", state="hidden", timeout=12_000)
        page.click(".missed:visible >> text=Close")
        self.assertFalse(accept.is_visible() or page.is_visible(".missed"))

    def test_undo_of_acceptances(self):
        """“N accepted · Undo” takes back acceptances only: an order that was moved on meanwhile stays where it is"""
        self.clear()
        page, numbers = self.enter(LYING), self.rush(445, 3)
        page.wait_for_selector(".accept-all:has-text('Accept all 3')")
        page.click(".accept-all")
        page.wait_for_selector(".several .undo:has-text('3 accepted · Undo')")
        page.click(f"[data-number='{numbers[0]}'] [data-next=preparing]")
        page.wait_for_selector(".several .undo:has-text('2 accepted · Undo')")
        page.click(".several .undo")
        page.wait_for_selector(".accept-all:has-text('Accept all 2')")
        self.assertEqual([self.state(number) for number in numbers], ["preparing", "placed", "placed"])

    def test_stations(self):
        """What the kitchen makes now stands there in all, and by a tap that the device remembers for each category of the menu"""
        self.clear()
        numbers = self.rush(450, 3, lambda number: ((2001, 2), (3002, 1 + number), (2002, 1)), sales=(200,))
        for number in numbers[:2]:
            self.shop.sql(f"select advance_order('{number}', 'accepted')")
        self.shop.sql(f"select advance_order('{numbers[1]}', 'preparing')")
        page = self.enter(LYING, bypass_csp=True)
        page.wait_for_selector(".kitchen-now summary:has-text('In the kitchen now: 15 8 × BBQ Burger, 4 × The Big Tasty, 3 × Village Fries')")
        page.click(".kitchen-now summary")
        rows = page.locator(".kitchen-now li")
        for _ in range(2):
            page.wait_for_selector(".kitchen-now li:has-text('Burgers · 12'):has-text('8 × BBQ Burger, 4 × The Big Tasty')")
            self.assertEqual(rows.all_inner_texts()[:2], ["Burgers · 12 8 × BBQ Burger, 4 × The Big Tasty", "Fries · 3 3 × Village Fries"])
            self.assertRegex(rows.all_inner_texts()[2], r"^Options · .*12 × Medium")
            self.scan(page)
            page.reload()

    def test_late_in_the_bar(self):
        """The bar says in red how many of a state are late, also where their cards are out of sight, by day and by night, and no button of it gets higher"""
        self.clear()
        numbers = self.rush(720, 15)
        self.shop.sql(f"select advance_order(number, 'accepted') from orders where number = any (array{numbers[:12]})")
        for device, mode in ((PHONE, "light"), (LYING, "dark")):
            page = self.enter({**device, "color_scheme": mode}, bypass_csp=True)
            page.wait_for_selector("#states .accepted .many:has-text('12')")
            self.assertEqual(page.locator("#states .late").count(), 0)
            before = page.locator("#states").bounding_box()
            moved = "update orders set {0} = {0} - interval '3 hours' where number = '%s'" % numbers[1]
            self.shop.sql(moved.format("placed_at") + "; " + moved.format("promised_at"))
            page.reload()
            page.wait_for_selector("#states .accepted .many.late:has-text('12 · 1 late')")
            self.assertEqual(page.locator("#states .late").count(), 1)
            self.assertEqual(page.locator("#states").bounding_box(), before)
            self.scan(page, mode)
            self.shop.sql(moved.replace("- interval", "+ interval").format("placed_at") + "; " + moved.replace("- interval", "+ interval").format("promised_at"))

    def test_loser_is_told(self):
        """Of two tablets that tap the same step the one that comes second is told so, and shows what the order is now"""
        self.clear()
        self.forgiven += ("409",)
        number, (slow, fast) = self.rush(730, 1)[0], [self.enter(LYING) for _ in range(2)]
        held = []
        slow.route("**/accept", lambda route: held.append(route))
        accept = f".ticket[data-number='{number}'] [data-next=accepted]"
        slow.click(accept)
        self.eventually(lambda: len(held) == 1)
        fast.click(accept)
        fast.wait_for_selector(f".column.accepted .ticket[data-number='{number}'] .undo")
        held[0].continue_()
        slow.wait_for_selector(".toast.problem:has-text('accepted')")
        slow.wait_for_selector(f".column.accepted .ticket[data-number='{number}'] [data-next=preparing]")
        # While its own tap was on its way it could not know whose step it saw.
        slow.wait_for_selector(f".ticket[data-number='{number}'] .undo", state="detached", timeout=5_000)

    def test_wasted_food(self):
        """Of an order that is cooked already nothing comes back to the stock, unless the tick is taken away; one that nobody has begun comes back; axe finds nothing in the dialogs"""
        self.clear()
        self.addCleanup(self.shop.sql, "delete from item_stock")
        self.shop.sql("insert into item_stock (menu_item_id, remaining) values (2001, 50)")
        page = self.enter(LYING, bypass_csp=True)
        for at, (states, is_kept, reason) in enumerate(((("accepted",), False, "given_back"), (("accepted", "preparing"), True, "wasted"), (("accepted", "preparing"), False, "given_back"))):
            number = self.rush(740 + at, 1, lambda _: ((2001, 2),))[0]
            for state in states:
                self.shop.sql(f"select advance_order('{number}', '{state}')")
            page.click(f".column.{states[-1]} [aria-label='Reject order {number}']")
            tick = page.locator("#field-wasted")
            self.assertEqual(tick.is_checked(), "preparing" in states)
            tick.set_checked(is_kept)
            page.fill("#field-reason", "It fell down.")
            for width in (390, 1180, 1440):
                page.set_viewport_size({"width": width, "height": 820})
                self.scan(page, f"rejection, {width}")
            page.set_viewport_size(LYING["viewport"])
            page.click("text=Reject the order")
            page.wait_for_selector(f".ticket[data-number='{number}']", state="detached", timeout=15_000)
            movements = f"select string_agg(reason, ' ' order by at, reason) from stock_movements join orders on order_id = orders.id where number = '{number}'"
            self.assertEqual(self.shop.sql(movements), f"sold {reason}")
        self.assertEqual(self.shop.sql("select remaining from item_stock where menu_item_id = 2001"), "48")
        number = self.rush(745, 1)[0]
        page.wait_for_selector(f".ticket[data-number='{number}']")
        self.shop.sql(f"select advance_order('{number}', 'accepted')")
        page.click(f".column.accepted [aria-label='Delay order {number}']")
        for width in (390, 1180, 1440):
            page.set_viewport_size({"width": width, "height": 820})
            self.scan(page, f"delay, {width}")

    def test_accessible(self):
        """axe finds nothing on a board with a rush on it, at four widths, by day and by night, and with letters of twice the size; nothing is too wide"""
        self.clear()
        numbers = self.rush(480, 9, lambda number: (*DISHES(number), (2003, 1, "nut allergy", [{"optionId": 1103}, {"optionId": 1501}])), comment="The bell does not ring.")
        for at, states in enumerate((("accepted",), ("accepted", "preparing"), ("accepted", "preparing", "on_the_way"))):
            for state in states:
                self.shop.sql(f"select advance_order('{numbers[at]}', '{state}')")
        for device in (PHONE, TABLET, LYING, WIDE):
            for mode in ("light", "dark"):
                page = self.enter({**device, "color_scheme": mode}, bypass_csp=True)
                page.wait_for_selector(".column.placed .no")
                for size in ("100%", "200%"):
                    page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
                    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                    width = device["viewport"]["width"]
                    self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), width)
                    self.scan(page, f"{width} {mode} {size}")
                page.context.close()


if __name__ == "__main__":
    unittest.main()
