# The board in a rush: the number of visible orders, emphasis on cards, late orders, two tablets that tap the same step,
# and wasted food.

import unittest

from board import LANDSCAPE, TABLET, WIDE, BoardTest
from shop import PHONE


def dishes_of(number):
    """The dishes of an order: two to four."""
    return ((2001, 2), (3002, 1), (4001, 3), (1002, 1))[:2 + number % 3]


class RushTests(BoardTest):
    def test_eight_orders_in_view(self):
        """A landscape tablet shows at least eight whole orders of two to four dishes in large bold text; empty lanes
        are narrow"""
        self.close_orders()
        numbers = self.place_orders(400, 12, dishes_of, name="Maria Gonzales")
        page = self.sign_in(LANDSCAPE)
        page.wait_for_function("() => document.querySelectorAll('.column.placed .ticket').length === 12")
        whole = """() => [...document.querySelectorAll('.ticket')].filter((card) => {
            const [box, lane] = [card.getBoundingClientRect(), card.closest('.lane').getBoundingClientRect()];
            return box.width > 0 && box.top >= lane.top && box.bottom <= Math.min(lane.bottom, innerHeight)
                && box.left >= 0 && box.right <= innerWidth;
        }).length"""
        self.assertGreaterEqual(page.evaluate(whole), 8)
        self.assertEqual(page.evaluate("scrollY"), 0)
        self.assertEqual(
            page.eval_on_selector_all(
                ".ticket .dishes > li > b",
                "all => [...new Set(all.map((element) => `${getComputedStyle(element).fontSize}"
                " ${getComputedStyle(element).fontWeight}`))]",
            ),
            ["20px 650"],
        )
        self.assertEqual(page.locator(".lane:visible").count(), 1)
        # Some orders are preparing, and some are on their way.
        moved = (numbers[index] for index in (0, 1, 3, 6))
        for number, states in zip(
            moved, (("accepted",), ("accepted", "preparing"), ("accepted",), ("accepted", "preparing", "on_the_way"))
        ):
            for state in states:
                self.shop.sql(f"select advance_order('{number}', '{state}')")
        page.wait_for_function("() => document.querySelectorAll('.lane:not(.empty)').length === 3", timeout=15_000)
        self.assertGreaterEqual(page.evaluate(whole), 7)
        # A tap that fills an empty lane moves no card under the finger. The bar counts at once, and the lane widens
        # after the finger has rested for five seconds.
        self.shop.sql(
            "select advance_order(number, 'rejected', 'a test') from orders where state in ('accepted', 'preparing',"
            " 'on_the_way')"
        )
        page.wait_for_function("() => document.querySelectorAll('.lane:not(.empty)').length === 1", timeout=15_000)
        page.click(f"[data-number='{numbers[5]}'] [data-next=accepted]")
        page.wait_for_selector("#states .accepted .order-count:has-text('1')", timeout=3_000)
        page.wait_for_selector(f".column.accepted .ticket[data-number='{numbers[5]}'] .undo", timeout=15_000)

    def test_emphasis_of_changes(self):
        """Defaults are plain, changes bold, removed ingredients red with NO, and an allergy red with its name"""
        self.close_orders()
        drink = {"optionId": 2101, "options": [{"optionId": 2302}]}
        combo = [{"optionId": 1102}, {"optionId": 1202, "quantity": 2}, {"optionId": 2501}, drink]
        number = self.place_orders(
            430,
            1,
            lambda _: (
                (1001, 1, "no salt", combo),
                (2001, 1, "peanut ALLERGY", [{"optionId": 1103}, {"optionId": 1303}]),
                (1004, 1, None, [{"optionId": 2601}, {"optionId": 2602}]),
            ),
            comment="Soy alergico a las nueces",
        )[0]
        for mode, red in (("light", "rgb(163, 32, 31)"), ("dark", "rgb(255, 170, 156)")):
            page = self.sign_in({**LANDSCAPE, "color_scheme": mode}, bypass_csp=True)
            card = page.locator(f".ticket[data-number='{number}']")
            card.locator(".default-option >> nth=0").wait_for()
            self.assertEqual(
                set(card.locator(".default-option").all_inner_texts()),
                {"Medium", "French Fries", "Cola Soda", "Paper cup", "Tomato Sauce", "BBQ Sauce"},
            )
            self.assertEqual(
                set(card.locator(".chosen b:not(.excluded-option)").all_inner_texts()),
                {"2 × Bacon", "Large", "Well done"},
            )
            self.assertEqual(set(card.locator(".excluded-option").all_inner_texts()), {"NO onion", "NO Mustard Sauce"})
            style_of = (
                "all => [...new Set(all.map((element) => { const {color, fontWeight, fontSize} ="
                " getComputedStyle(element); return `${color} ${fontWeight} ${fontSize}`; }))]"
            )
            self.assertEqual(card.locator(".excluded-option").evaluate_all(style_of), [f"{red} 750 20px"])
            self.assertRegex(card.locator(".chosen b:not(.excluded-option)").evaluate_all(style_of)[0], r" 650 20px$")
            self.assertRegex(card.locator(".default-option").evaluate_all(style_of)[0], r" 400 1[45](\.\d+)?px$")
            self.assertEqual(
                [allergy.inner_text() for allergy in card.locator(".allergy").all()],
                ["ALLERGY peanut ALLERGY", "ALLERGY “Soy alergico a las nueces”"],
            )
            self.assertEqual(
                card.locator(".allergy >> nth=0").evaluate("element => getComputedStyle(element).backgroundColor"), red
            )
            self.assertEqual(
                card.locator("q:not(.allergy)").evaluate(
                    "element => `${element.textContent} ${getComputedStyle(element).fontWeight}`"
                ),
                "no salt 600",
            )
            self.check_accessibility(page, mode)

    def test_accept_all_new_orders(self):
        """One tap or key accepts all new orders by separate requests, another undoes it within ten seconds; failures
        are named"""
        self.close_orders()
        self.expected_errors += ("409", "ERR_FAILED")
        page, requests = self.sign_in(LANDSCAPE, bypass_csp=True), []
        page.on(
            "request",
            lambda request: request.method == "POST" and requests.append(request.url.split("/v1/staff/orders/")[-1]),
        )
        numbers = self.place_orders(440, 4)
        accept, undo = page.locator(".accept-all"), page.locator(".bulk-actions .undo")
        page.wait_for_selector(".accept-all:has-text('Accept all 4')")
        self.check_accessibility(page, "the button that accepts all")
        accept.dblclick()
        page.wait_for_selector(".bulk-actions .undo:has-text('4 accepted · Undo')")
        self.assertEqual(sorted(requests), sorted(f"{number}/accept" for number in numbers))
        undo.click()
        page.wait_for_selector(".accept-all:has-text('Accept all 4')")
        self.wait_until(lambda: {self.order_state(number) for number in numbers} == {"placed"})
        self.assertFalse(undo.is_visible() or page.is_visible(".board-alert"))
        # A colleague rejects an order in the meantime, and the page cannot read it.
        page.route(f"**/v1/staff/orders/{numbers[1]}", lambda route: route.abort())
        self.shop.sql(f"select advance_order('{numbers[1]}', 'rejected', 'out of burgers')")
        accept.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".bulk-actions .undo:has-text('3 accepted · Undo')")
        self.assertTrue(undo.evaluate("element => element === document.activeElement"))
        self.assertRegex(page.inner_text(".board-alert:visible"), rf"^Not accepted: {numbers[1]}: .*rejected")
        self.assertEqual(
            [self.order_state(number) for number in numbers], ["accepted", "rejected", "accepted", "accepted"]
        )
        self.check_accessibility(page, "the orders that were not accepted")
        page.unroute(f"**/v1/staff/orders/{numbers[1]}")
        page.wait_for_selector(".bulk-actions .undo", state="hidden", timeout=12_000)
        page.click(".board-alert:visible >> text=Close")
        self.assertFalse(accept.is_visible() or page.is_visible(".board-alert"))

    def test_undo_keeps_later_steps(self):
        """“N accepted · Undo” undoes acceptances only: an order with a later step keeps its state"""
        self.close_orders()
        page, numbers = self.sign_in(LANDSCAPE), self.place_orders(445, 3)
        page.wait_for_selector(".accept-all:has-text('Accept all 3')")
        page.click(".accept-all")
        page.wait_for_selector(".bulk-actions .undo:has-text('3 accepted · Undo')")
        page.click(f"[data-number='{numbers[0]}'] [data-next=preparing]")
        page.wait_for_selector(".bulk-actions .undo:has-text('2 accepted · Undo')")
        page.click(".bulk-actions .undo")
        page.wait_for_selector(".accept-all:has-text('Accept all 2')")
        self.assertEqual([self.order_state(number) for number in numbers], ["preparing", "placed", "placed"])

    def test_kitchen_totals_by_category(self):
        """The kitchen's totals list all dishes to make, and the device stores the chosen categories"""
        self.close_orders()
        numbers = self.place_orders(450, 3, lambda number: ((2001, 2), (3002, 1 + number), (2002, 1)), sales=(200,))
        for number in numbers[:2]:
            self.shop.sql(f"select advance_order('{number}', 'accepted')")
        self.shop.sql(f"select advance_order('{numbers[1]}', 'preparing')")
        page = self.sign_in(LANDSCAPE, bypass_csp=True)
        page.wait_for_selector(
            ".kitchen-now summary:has-text('In the kitchen now: 15 8 × BBQ Burger, 4 × The Big Tasty, 3 × Village"
            " Fries')"
        )
        page.click(".kitchen-now summary")
        rows = page.locator(".kitchen-now li")
        for _ in range(2):
            page.wait_for_selector(
                ".kitchen-now li:has-text('Burgers · 12'):has-text('8 × BBQ Burger, 4 × The Big Tasty')"
            )
            self.assertEqual(
                rows.all_inner_texts()[:2],
                ["Burgers · 12 8 × BBQ Burger, 4 × The Big Tasty", "Fries · 3 3 × Village Fries"],
            )
            self.assertRegex(rows.all_inner_texts()[2], r"^Options · .*12 × Medium")
            self.check_accessibility(page)
            page.reload()

    def test_late_orders_in_bar(self):
        """The bar shows the number of late orders per state in red, also off screen, without a taller button"""
        self.close_orders()
        numbers = self.place_orders(720, 15)
        self.shop.sql(f"select advance_order(number, 'accepted') from orders where number = any (array{numbers[:12]})")
        for device, mode in ((PHONE, "light"), (LANDSCAPE, "dark")):
            page = self.sign_in({**device, "color_scheme": mode}, bypass_csp=True)
            page.wait_for_selector("#states .accepted .order-count:has-text('12')")
            self.assertEqual(page.locator("#states .late").count(), 0)
            before = page.locator("#states").bounding_box()
            moved = "update orders set {0} = {0} - interval '3 hours' where number = '%s'" % numbers[1]
            self.shop.sql(moved.format("placed_at") + "; " + moved.format("promised_at"))
            page.reload()
            page.wait_for_selector("#states .accepted .order-count.late:has-text('12 · 1 late')")
            self.assertEqual(page.locator("#states .late").count(), 1)
            self.assertEqual(page.locator("#states").bounding_box(), before)
            self.check_accessibility(page, mode)
            self.shop.sql(
                moved.replace("- interval", "+ interval").format("placed_at")
                + "; "
                + moved.replace("- interval", "+ interval").format("promised_at")
            )

    def test_second_tablet_is_informed(self):
        """If two tablets tap the same step, the second one gets a message and the order's state"""
        self.close_orders()
        self.expected_errors += ("409",)
        number, (slow, fast) = self.place_orders(730, 1)[0], [self.sign_in(LANDSCAPE) for _ in range(2)]
        held = []
        slow.route("**/accept", lambda route: held.append(route))
        accept = f".ticket[data-number='{number}'] [data-next=accepted]"
        slow.click(accept)
        self.wait_until(lambda: len(held) == 1)
        fast.click(accept)
        fast.wait_for_selector(f".column.accepted .ticket[data-number='{number}'] .undo")
        held[0].continue_()
        slow.wait_for_selector(".toast.problem:has-text('accepted')")
        slow.wait_for_selector(f".column.accepted .ticket[data-number='{number}'] [data-next=preparing]")
        # The undo button disappears: while its own request was running, the page could not know who had accepted the
        # order.
        slow.wait_for_selector(f".ticket[data-number='{number}'] .undo", state="detached", timeout=5_000)

    def test_stock_after_rejection(self):
        """Rejecting a prepared order returns nothing to the stock unless the box is unticked; an order not begun
        returns all"""
        self.close_orders()
        self.addCleanup(self.shop.sql, "delete from item_stock")
        self.shop.sql("insert into item_stock (menu_item_id, remaining) values (2001, 50)")
        page = self.sign_in(LANDSCAPE, bypass_csp=True)
        for index, (states, is_kept, reason) in enumerate(
            (
                (("accepted",), False, "given_back"),
                (("accepted", "preparing"), True, "wasted"),
                (("accepted", "preparing"), False, "given_back"),
            )
        ):
            number = self.place_orders(740 + index, 1, lambda _: ((2001, 2),))[0]
            for state in states:
                self.shop.sql(f"select advance_order('{number}', '{state}')")
            page.click(f".column.{states[-1]} [aria-label='Reject order {number}']")
            tick = page.locator("#field-wasted")
            self.assertEqual(tick.is_checked(), "preparing" in states)
            tick.set_checked(is_kept)
            page.fill("#field-reason", "It fell down.")
            for width in (390, 1180, 1440):
                page.set_viewport_size({"width": width, "height": 820})
                self.check_accessibility(page, f"rejection, {width}")
            page.set_viewport_size(LANDSCAPE["viewport"])
            page.click("text=Reject the order")
            page.wait_for_selector(f".ticket[data-number='{number}']", state="detached", timeout=15_000)
            movements = (
                "select string_agg(reason, ' ' order by at, reason) from stock_movements join orders on order_id ="
                f" orders.id where number = '{number}'"
            )
            self.assertEqual(self.shop.sql(movements), f"sold {reason}")
        self.assertEqual(self.shop.sql("select remaining from item_stock where menu_item_id = 2001"), "48")
        number = self.place_orders(745, 1)[0]
        page.wait_for_selector(f".ticket[data-number='{number}']")
        self.shop.sql(f"select advance_order('{number}', 'accepted')")
        page.click(f".column.accepted [aria-label='Delay order {number}']")
        for width in (390, 1180, 1440):
            page.set_viewport_size({"width": width, "height": 820})
            self.check_accessibility(page, f"delay, {width}")

    def test_rush_is_accessible(self):
        """axe reports nothing on a full board at four widths, light and dark, with text of twice the size and no
        overflow"""
        self.close_orders()
        numbers = self.place_orders(
            480,
            9,
            lambda number: (*dishes_of(number), (2003, 1, "nut allergy", [{"optionId": 1103}, {"optionId": 1501}])),
            comment="The bell does not ring.",
        )
        for index, states in enumerate(
            (("accepted",), ("accepted", "preparing"), ("accepted", "preparing", "on_the_way"))
        ):
            for state in states:
                self.shop.sql(f"select advance_order('{numbers[index]}', '{state}')")
        for device in (PHONE, TABLET, LANDSCAPE, WIDE):
            for mode in ("light", "dark"):
                page = self.sign_in({**device, "color_scheme": mode}, bypass_csp=True)
                page.wait_for_selector(".column.placed .excluded-option")
                for size in ("100%", "200%"):
                    page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
                    page.evaluate(
                        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
                    )
                    width = device["viewport"]["width"]
                    self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), width)
                    self.check_accessibility(page, f"{width} {mode} {size}")
                page.context.close()


if __name__ == "__main__":
    unittest.main()
