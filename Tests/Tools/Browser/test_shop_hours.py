# The shop tab of the staff page: pause, busy minutes, today's hours and pre-orders, as staff change them and guests see
# them.

import unittest

from placing import place_order
from shop import DESKTOP, PHONE
from terms import ALL_DAY, AREAS, NARROW, SLOTS, TODAY, ConfiguredShopTest
from test_ordering import fill_form


class ShopHoursTests(ConfiguredShopTest):
    def test_pause(self):
        """A pause with its reason stops orders until staff end it"""
        board, guest = self.staff(PHONE), self.guest()
        fill_form(guest, 720)
        board.click("[data-tab=shop]")
        board.wait_for_selector("#shop .condition:has-text('Open for orders')")
        board.fill("#field-pause-minutes", "soon")
        board.click("#shop >> text=Pause")
        board.wait_for_selector("#field-pause-minutes-error:has-text('whole number')")
        board.fill("#field-pause-minutes", "99999")
        board.click("#shop >> text=Pause")
        board.wait_for_selector("#field-pause-minutes-error:has-text('10080')")
        board.click(".chip:has-text('60 minutes')")
        board.fill("#field-pause-reason", "The <b>fryer</b> is out")
        board.click("#shop >> text=Pause")
        board.wait_for_selector("#field-pause-reason-error:has-text('plain text')")
        self.assertEqual(board.evaluate("document.activeElement.id"), "field-pause-reason")
        board.fill("#field-pause-reason", "The fryer is out")
        board.click("#shop >> text=Pause")
        board.wait_for_selector("#shop .condition.bad:has-text('The fryer is out')")
        board.wait_for_selector("[data-tab=shop] .count:has-text('1')")
        self.check_accessibility(board, "a pause")
        self.assertEqual(
            self.shop.sql("select pause_until - now() between '58 minutes' and '61 minutes', pause_reason from shop"),
            "t|The fryer is out",
        )
        before = self.orders()
        guest.click("button[type=submit]")
        guest.wait_for_selector(".problems .warn:has-text('We are not taking orders until')")
        self.assertEqual(self.orders(), before)
        guest.goto(self.shop.url + "/#/")
        guest.wait_for_selector(".hero .shut:has-text('Paused until')")
        self.to_checkout(guest)
        guest.wait_for_selector(".fields .shut:has-text('Paused until')")
        board.click("#shop >> text=Take orders again")
        board.wait_for_selector("#shop .condition:not(.bad):has-text('Open for orders')")
        self.assertEqual(board.evaluate("document.activeElement.id"), "field-pause-minutes")
        guest.click("button[type=submit]")
        guest.wait_for_selector(".bill")
        # A pause set in SQL appears too, and ends by itself.
        self.shop.sql("update shop set pause_until = now() + interval '6 seconds'")
        board.wait_for_selector("#shop .condition.bad:has-text('Paused until')")
        self.wait_for_server(lambda: not self.opening_statuses()[0]["isOpen"])
        board.wait_for_selector("#shop .condition:not(.bad):has-text('Open for orders')", timeout=20_000)
        board.wait_for_selector("[data-tab=shop] .count", state="hidden")
        self.wait_for_server(lambda: self.opening_statuses()[0]["isOpen"])
        self.assertEqual(self.shop.sql("select pause_until < now() from shop"), "t")
        self.expected_errors += ("422",)

    def test_busy_minutes(self):
        """Busy minutes lengthen the estimate that guests see, until staff end them"""
        board = self.staff()
        board.click("[data-tab=shop]")
        board.wait_for_selector("#shop .condition:has-text('Not busy')")
        def minutes():
            return self.get_json("/v1/delivery?postcode=00")["minutes"]

        # The server's count of open orders also lengthens the estimate. This test has no open orders.
        self.shop.sql(
            "select advance_order(number, 'rejected', 'a test') from orders where state in ('placed', 'accepted')"
        )
        before = 15
        self.wait_for_server(lambda: minutes() == before)
        for more, lasts, bounds in (
            (10, "for half an hour", "'28 minutes' and '31 minutes'"),
            (20, "for an hour", "'58 minutes' and '61 minutes'"),
        ):
            board.select_option("[aria-label='For how long']", label=lasts)
            board.click(f"text=+{more} minutes")
            board.wait_for_selector(f"#shop .condition.bad:has-text('Orders take {more} minutes longer until')")
            self.wait_for_server(lambda: minutes() == before + more)
            self.assertEqual(
                self.shop.sql(f"select busy_minutes, busy_until - now() between {bounds} from shop"), f"{more}|t"
            )
        self.check_accessibility(board, "a busy hour")
        board.click("text=End busy time")
        board.wait_for_selector("#shop .condition:not(.bad):has-text('Not busy')")
        self.wait_for_server(lambda: minutes() == before)

    def test_hours_of_today(self):
        """Staff close today, set other hours, also past midnight, and restore the usual ones; an error has the
        database's words"""
        self.configure(
            "insert into opening_hours (weekday, opens, closes) select day, '00:00', '24:00' from generate_series(1, 7)"
            " as day;"
        )
        board, guest = self.staff(PHONE), self.visit("#/", PHONE, timezone_id=self.zone)
        board.click("[data-tab=shop]")
        board.wait_for_selector("#hours-today:has-text('00:00–24:00')")
        self.assertEqual(board.locator("#hours-today li").count(), 1)
        board.click("#shop >> text=Closed today")
        board.click("dialog button:has-text('Stay open')")
        board.click("#shop >> text=Closed today")
        board.click("dialog .danger")
        board.wait_for_selector("#hours-today:has-text('Closed today')")
        self.wait_for_server(lambda: not self.opening_statuses()[0]["isOpen"])
        guest.reload()
        guest.wait_for_selector(".hero .shut:has-text('Closed now, opens')")
        board.click("#shop >> text=Change hours")
        board.wait_for_selector("dialog.shifts[open]")
        board.click("dialog >> text=Another shift")
        board.fill(".shift:nth-child(1) [aria-label=Opens]", "11:00")
        board.fill(".shift:nth-child(1) [aria-label=Closes]", "14:30")
        board.fill(".shift:nth-child(2) [aria-label=Closes]", "")
        board.click("dialog >> text=Save")
        board.wait_for_selector("dialog .error:has-text('an opening and a closing time')")
        board.fill(".shift:nth-child(2) [aria-label=Closes]", "02:00")
        board.select_option(".shift:nth-child(2) select", "pickup")
        self.check_accessibility(board, "other hours")
        board.click("dialog >> text=Save")
        board.wait_for_selector("dialog", state="detached")
        self.assertEqual(
            board.locator("#hours-today li:not(.quiet)").all_inner_texts(),
            ["11:00–14:30", "18:00–02:00 next day, pickup"],
        )
        self.assertEqual(
            self.shop.sql(
                "select string_agg(opens || closes || coalesce(fulfilment, ''), ' ' order by opens) from"
                f" opening_exceptions where date = {TODAY}"
            ),
            "11:0014:30 18:0026:00pickup",
        )
        board.click("#shop >> text=Back to usual hours")
        board.wait_for_selector("#hours-today:has-text('00:00–24:00')")
        self.assertEqual(self.shop.sql("select count(*) from opening_exceptions"), "0")

    def test_pre_order_on_board(self):
        """A pre-order waits in its own column with time, postcode and fulfilment, and becomes due an hour before its
        time"""
        self.configure(ALL_DAY, SLOTS)
        # Pre-orders of other tests are closed first.
        self.shop.sql(
            "select advance_order(number, 'rejected', 'a test') from orders where state in ('placed', 'accepted')"
        )
        start = self.slots()[24]["startsAt"]
        later, soon = (place_order(self.shop, number, wantedAt=start, postcode="10115") for number in (780, 781))
        self.shop.sql(f"update orders set wanted_at = now() + interval '1 hour 9 seconds' where number = '{soon}'")
        board = self.staff(NARROW)
        card = f".later [data-number='{later}']"
        board.wait_for_selector(card)
        self.assertRegex(board.inner_text(card + " .due"), r"^for tomorrow, \d")
        self.assertEqual(board.inner_text(card + " .fulfilment"), "Delivery · 10115")
        self.assertLessEqual(board.evaluate("document.scrollingElement.scrollWidth"), 320)
        self.check_accessibility(board, "orders for later")
        board.wait_for_selector(f".column.placed [data-number='{soon}']", timeout=15_000)
        self.assertEqual(board.locator(f"[data-number='{later}']").count(), 1)
        # An accepted pre-order stays in the column.
        board.click(card + " [data-next=accepted]")
        board.wait_for_selector(card + "[data-state=accepted]")
        self.assertEqual(board.locator(card + " .day-number").count(), 0)
        # The order has a day number on which it becomes due.
        self.shop.sql(f"update orders set wanted_at = now() + interval '59 minutes' where number = '{later}'")
        board.wait_for_selector(f".column.accepted [data-number='{later}'] .day-number")
        self.shop.sql("; ".join(f"select advance_order('{number}', 'rejected', 'a test')" for number in (later, soon)))
        board.wait_for_selector(".later", state="hidden")

    def test_area_on_ticket(self):
        """The ticket of a delivery has its area and its fee, also a fee of zero; a pickup has neither"""
        self.shop.sql(
            "select advance_order(number, 'rejected', 'a test') from orders where state in ('placed', 'accepted')"
        )
        self.configure(AREAS, "update delivery_areas set title = 'The hills beyond the seven rivers' where id = 2;")
        paid, free, far = (
            place_order(self.shop, number, ((2001, quantity),), postcode=postcode, expectedTotal=total)
            for number, quantity, postcode, total in (
                (782, 1, "10115", 1055),
                (783, 3, "10 115", 2415),
                (784, 2, "20001", 2010),
            )
        )
        fetched = place_order(self.shop, 785, fulfilment="pickup", postcode="10115")
        for device in (DESKTOP, NARROW):
            board = self.staff(device)
            for number, way, fee in (
                (paid, "Delivery · Centre · 10115", ["of which delivery\n$2.50"]),
                (free, "Delivery · Centre · 10 115", ["of which delivery\n$0.00"]),
                (far, "Delivery · The hills beyond the seven rivers · 20001", ["of which delivery\n$4.00"]),
                (fetched, "Pickup", []),
            ):
                card = f"[data-number='{number}']"
                board.wait_for_selector(card)
                self.assertEqual(board.inner_text(card + " .fulfilment"), way)
                board.click(card + " .guest summary")
                self.assertEqual(board.locator(card + " [data-total]").all_inner_texts(), fee)
            self.check_accessibility(board, "tickets with areas")
            self.assertLessEqual(board.evaluate("document.scrollingElement.scrollWidth"), device["viewport"]["width"])
        # A closed order shows them too.
        self.shop.sql(f"select advance_order('{paid}', 'rejected', 'a test')")
        board.wait_for_selector(
            f"li[data-number='{paid}'][data-state=rejected] .fulfilment:has-text('Delivery · Centre · 10115')",
            state="attached",
        )
        self.shop.sql(
            "; ".join(f"select advance_order('{number}', 'rejected', 'a test')" for number in (free, far, fetched))
        )


if __name__ == "__main__":
    unittest.main()
