# The staff page: sign-in, orders and their states, the stock, the figures of the day and the faults.

import signal
import subprocess
import time
import unittest

from axe_playwright_python.sync_playwright import Axe

from placing import TOKEN, place_order, place_whole_order
from server import PROGRAM
from shop import AWAY_ERRORS, DESKTOP, PHONE, BrowserTest


class StaffTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def open_sign_in(self, device=DESKTOP, **options):
        page = self.context(device, **options).new_page()
        page.goto(self.shop.url + "/staff")
        page.wait_for_selector("#field-token")
        return page

    def sign_in(self, device=DESKTOP, **options):
        page = self.open_sign_in(device, **options)
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        return page

    def card(self, number, state):
        return f".column.{state} .ticket[data-number='{number}']"

    def move_through_states(self, device, number):
        page = self.sign_in(device)
        order = place_order(self.shop, number, ((2001, 2, "no <b>pickles</b>"),), (200,), comment="no onions, please")
        page.wait_for_selector(self.card(order, "placed"))
        text = page.inner_text(self.card(order, "placed"))
        for words in (
            "2 × The Big Tasty",
            "no <b>pickles</b>",
            "Happy Saturday",
            "3 × BBQ Burger",
            "Ann Lee",
            "no onions",
            "due ",
        ):
            self.assertIn(words, text)

        def folded(is_open):
            for words in ("12 Main Street", f"+155502{number:05}", "$43.07"):
                (self.assertIn if is_open else self.assertNotIn)(
                    words, page.inner_text(f".ticket[data-number='{order}']")
                )

        # The card hides the address, the phone and the amount until a tap, because the kitchen does not need them.
        folded(False)
        page.click(self.card(order, "placed") + " .guest summary")
        folded(True)
        for state in ("accepted", "preparing", "on_the_way"):
            page.click(f"[data-number='{order}'] [data-next='{state}']")
            page.wait_for_selector(self.card(order, state))
            self.assertEqual(self.shop.sql(f"select state from orders where number = '{order}'"), state)
            # The card shows them while the order is on its way.
            folded(state == "on_the_way")
        self.assertEqual(
            page.get_attribute(f"{self.card(order, 'on_the_way')} .contact a", "href"), f"tel:+155502{number:05}"
        )
        page.click(f"[data-number='{order}'] [data-next='delivered']")
        page.wait_for_selector(f".ticket[data-number='{order}']", state="detached")
        page.click(".done summary")
        page.wait_for_selector(f".closed-orders [data-number='{order}']:has-text('Delivered')")

    def test_order_through_all_states_on_phone(self):
        """On a phone an order appears when it is placed, and taps move it through all states"""
        self.move_through_states(PHONE, 1)

    def test_order_through_all_states_on_desktop(self):
        """On a desktop an order appears when it is placed, and taps move it through all states"""
        self.move_through_states(DESKTOP, 2)

    def test_step_in_sql_on_all_boards(self):
        """A step in SQL appears on every staff page within two seconds"""
        page, other = self.sign_in(), self.sign_in(PHONE)
        order = place_order(self.shop, 3)
        for tab in (page, other):
            tab.wait_for_selector(self.card(order, "placed"))
        self.shop.sql(f"select advance_order('{order}', 'accepted')")
        for tab in (page, other):
            tab.wait_for_selector(self.card(order, "accepted"), timeout=2_000)

    def test_refused_step(self):
        """The page reports a step that the database rejects, and shows the order's real state"""
        page = self.sign_in()
        order = place_order(self.shop, 4)
        page.wait_for_selector(self.card(order, "placed"))
        # The read after the other step fails, as on a bad network.
        page.route(f"**/v1/staff/orders/{order}", lambda route: route.abort())
        self.shop.sql(f"select advance_order('{order}', 'rejected', 'out of burgers')")
        page.click(f"[data-number='{order}'] [data-next='accepted']")
        page.wait_for_selector(".toast.problem:has-text('rejected')")
        page.unroute(f"**/v1/staff/orders/{order}")
        page.wait_for_selector(f".ticket[data-number='{order}']", state="detached")
        self.expected_errors += ("409", "ERR_FAILED")

    def test_undelivered_mail_on_card(self):
        """The card of an order shows a mail that could not be delivered, with the reason, within two seconds"""
        page = self.sign_in()
        order = place_order(self.shop, 77)
        page.wait_for_selector(self.card(order, "placed"))
        key = self.shop.sql(f"select id from orders where number = '{order}'")
        self.shop.sql(
            f"insert into order_mails (order_id, state, at, due_at) values ('{key}', 'placed', now(), now()); "
            f"select fail_order_mail('{key}', 'placed', 'address_limit', null)")
        page.wait_for_selector(
            self.card(order, "placed") + " .unsent-mail:has-text('five within an hour')", timeout=2_000
        )
        self.shop.sql(f"select advance_order('{order}', 'rejected', 'a test')")

    def test_rejection_reason(self):
        """A rejection needs a reason, which only the guest sees, not others with the order's link"""
        page = self.sign_in(PHONE)
        placed = place_whole_order(self.shop, 5)
        order = placed["number"]
        page.click(f"[aria-label='Reject order {order}']")
        page.wait_for_selector("dialog[open]")
        page.click("text=Reject the order")
        page.wait_for_selector("#field-reason-error:has-text('Tell the guest why')")
        self.assertEqual(page.evaluate("document.activeElement.id"), "field-reason")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(self.shop.sql(f"select state from orders where number = '{order}'"), "placed")
        page.click(f"[aria-label='Reject order {order}']")
        page.click(".chip:has-text('sold out')")
        page.type("#field-reason", " The <b>oven</b> is cold.")
        page.click("text=Reject the order")
        page.wait_for_selector(f".ticket[data-number='{order}']", state="detached", timeout=15_000)
        self.assertEqual(self.shop.sql(f"select state from orders where number = '{order}'"), "rejected")
        guest = self.visit_order(placed)
        guest.wait_for_selector("[data-state=rejected]:has-text('We are sold out. The <b>oven</b> is cold.')")
        stranger = self.visit(f"#/orders/{placed['id']}")
        stranger.wait_for_selector("[data-state=rejected]")
        self.assertNotIn("oven", stranger.inner_text("main"))

    def test_mark_dish_sold_out(self):
        """Marking a dish sold out and available changes the guest page; a change in SQL appears here"""
        page, guest = self.sign_in(PHONE, timezone_id="America/New_York"), self.visit("#/items/2004", PHONE)
        guest.wait_for_selector("text=Add to basket")
        page.click("[data-tab=menu]")
        page.click("[aria-label='Mark sold out: Chickenburger']")
        page.wait_for_selector("[data-item='2004'].gone")
        page.wait_for_selector("[data-tab=menu] .count:has-text('1')")
        guest.reload()
        guest.wait_for_selector(".soldout")
        self.assertEqual(guest.locator("text=Add to basket").count(), 0)
        # Staff mark the dish sold out for an hour, which guests see, and then until further notice.
        page.click("[aria-label='for an hour: Chickenburger']")
        page.wait_for_selector("[data-item='2004'] .level:has-text('Sold out, back')")
        self.assertIn(
            self.shop.sql(
                "select sold_out_until - now() between '59 minutes' and '61 minutes' from menu_items where id = 2004"
            ),
            ("t",),
        )
        guest.reload()
        guest.wait_for_selector(".soldout:has-text('Sold out, back')")
        # Scroll to the top: axe reports elements below the bar as too small.
        page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
        self.check_accessibility(page, "a dish that is sold out for an hour")
        page.click("[aria-label='until tomorrow: Chickenburger']")
        page.wait_for_selector("[data-item='2004'] .level:has-text('4:00 AM')")
        clock = "to_char(sold_out_until at time zone time_zone, 'HH24:MI'), sold_out_until <= now() + interval '1 day'"
        self.assertEqual(self.shop.sql(f"select {clock} from menu_items, shop where menu_items.id = 2004"), "04:00|t")
        page.click("[aria-label='until further notice: Chickenburger']")
        page.wait_for_selector("[data-item='2004'] .level:text-is('Sold out')")
        # SQL sets the time, and the item becomes available without another write.
        self.shop.sql(
            "update menu_items set is_available = true, sold_out_until = now() + interval '6 s' where id = 2004"
        )
        page.wait_for_selector("[data-item='2004'] .level:has-text('Sold out, back')")
        page.wait_for_selector("[data-item='2004']:not(.gone)", timeout=15_000)
        page.click("[aria-label='Mark sold out: Chickenburger']")
        page.wait_for_selector("[data-item='2004'].gone")
        page.click("[aria-label='Back in stock: Chickenburger']")
        page.wait_for_selector("[data-item='2004']:not(.gone)")
        guest.reload()
        guest.wait_for_selector("text=Add to basket")
        self.addCleanup(self.shop.sql, "update menu_items set is_available = true where id = 2005")
        self.shop.sql("update menu_items set is_available = false where id = 2005")
        page.wait_for_selector("[data-item='2005'].gone")
        page.fill("[type=search]", "patty")
        page.wait_for_selector("[data-item='2004']", state="detached")
        self.assertEqual(page.locator(".stock li").all_text_contents()[0][:10], "Patty Melt")
        self.assertEqual(page.locator(".stock li").count(), 2)
        # Options are listed too, and the search finds the title of their group.
        page.fill("[type=search]", "extras")
        page.wait_for_selector("[data-option='1203']")
        self.assertEqual(page.locator(".stock h2").all_inner_texts(), ["Extras options 12"])

    def test_mark_option_sold_out(self):
        """An option is marked sold out like a dish: with a tap, until a time or tomorrow, and back"""
        page = self.sign_in(PHONE)
        page.click("[data-tab=menu]")
        page.fill("[type=search]", "fried egg")
        page.click("[aria-label='Mark sold out: Fried egg, Extras']")
        page.wait_for_selector("[data-option='1203'].gone .level:text-is('Sold out')")
        self.assertEqual(self.shop.sql("select is_available from options where id = 1203"), "f")
        page.wait_for_selector("[data-tab=menu] .count:has-text('1')")
        page.click("[aria-label='until tomorrow: Fried egg, Extras']")
        page.wait_for_selector("[data-option='1203'] .level:has-text('Sold out, back')")
        clock = "is_available, to_char(sold_out_until at time zone time_zone, 'HH24:MI')"
        self.assertEqual(self.shop.sql(f"select {clock} from options, shop where options.id = 1203"), "t|04:00")
        self.check_accessibility(page, "an option that is sold out until tomorrow")
        page.click("[aria-label='Back in stock: Fried egg, Extras']")
        page.wait_for_selector("[data-option='1203']:not(.gone)")
        self.assertEqual(
            self.shop.sql("select is_available, sold_out_until is null from options where id = 1203"), "t|t"
        )
        # A change in SQL appears on the page.
        self.addCleanup(self.shop.sql, "update options set is_available = true where id = 1203")
        self.shop.sql("update options set is_available = false where id = 1203")
        page.wait_for_selector("[data-option='1203'].gone")

    def test_stock_counts(self):
        """Staff set the stock of a dish or an option, once or for each day; at zero it is sold out until the next
        count"""
        page = self.sign_in(PHONE)
        page.click("[data-tab=menu]")
        for kind, thing, name, row in (("item", 4003, "Apple Tea", "item_stock where menu_item_id = 4003"),
                                       ("option", 1204, "Jalapeños, Extras", "option_stock where option_id = 1204")):
            self.addCleanup(self.shop.sql, f"delete from {row}")
            page.fill("[type=search]", name.split(",")[0].lower())
            level = f"[data-{kind}='{thing}'] .level"

            def count(number, button):
                page.click(level)
                page.wait_for_selector("dialog[open]")
                page.fill("#field-count", number)
                page.click(f"dialog >> text={button}")

            count("some", "Left now")
            page.wait_for_selector("#field-count-error:has-text('whole number')")
            self.check_accessibility(page, "a count")
            page.fill("#field-count", "12")
            page.keyboard.press("Enter")
            page.wait_for_selector(f"{level}:text-is('12 left')")
            page.wait_for_selector("dialog", state="detached")
            self.assertEqual(self.shop.sql(f"select remaining, per_day from {row}"), "12|")
            count("30", "Each day")
            page.wait_for_selector(f"{level}:text-is('30 left')")
            self.assertEqual(self.shop.sql(f"select remaining, per_day from {row}"), "|30")
            count("0", "Left now")
            page.wait_for_selector(f"[data-{kind}='{thing}'].gone .level:text-is('Sold out')")
            page.click(f"[aria-label='Back in stock: {name}']")
            page.fill("#field-count", "5")
            page.keyboard.press("Enter")
            page.wait_for_selector(f"{level}:text-is('5 left')")
            page.click(level)
            page.click("text=Stop counting")
            page.wait_for_selector(f"{level}:text-is('In stock')")
            self.assertEqual(self.shop.sql(f"select count(*) from {row}"), "0")

    def test_emphasis_on_ticket(self):
        """The ticket shows dishes and changes in bold with quantities, options indented, notes apart and times in
        green"""
        drink = {"optionId": 2101, "options": [{"optionId": 2302, "options": [{"optionId": 2402}]}]}
        combo = [{"optionId": 1103}, {"optionId": 1201, "quantity": 2}, {"optionId": 2502}, drink]
        order = place_order(self.shop, 70, ((1001, 3, "no salt", combo), (4001, 1)))
        for device in (PHONE, DESKTOP):
            page = self.sign_in(device)
            page.wait_for_selector(self.card(order, "placed"))
            dishes = page.locator(f"{self.card(order, 'placed')} .dishes > li")
            self.assertEqual(dishes.count(), 2)
            lines = [line.strip() for line in dishes.nth(0).inner_text().splitlines() if line.strip()]
            self.assertEqual(lines[0], "3 × Grill Combo")
            self.assertEqual(
                set(lines[1:-1]), {"Well done", "2 × Cheddar", "Village Fries", "Cola Soda", "Large", "Cup to keep"}
            )
            self.assertIn("no salt", lines[-1])

            def left(text):
                return (
                    dishes.nth(0).locator(f".chosen li > :is(b, .default-option):text-is('{text}')").bounding_box()["x"]
                )

            self.assertLess(left("Cola Soda"), left("Large"))
            self.assertLess(left("Large"), left("Cup to keep"))
            weight = "node => getComputedStyle(node).fontWeight"
            self.assertGreaterEqual(int(dishes.nth(0).locator(".chosen b >> nth=0").evaluate(weight)), 600)
            self.assertGreaterEqual(int(dishes.nth(0).locator("b:text-is('3 × Grill Combo')").evaluate(weight)), 600)
            timer = page.locator(f"{self.card(order, 'placed')} .timer[data-step=calm]")
            self.assertEqual(timer.evaluate("node => getComputedStyle(node).backgroundColor"), "rgb(61, 97, 39)")
            self.assertEqual(dishes.nth(1).locator(".chosen").count(), 0)
            box = page.locator(self.card(order, "placed")).bounding_box()
            self.assertLessEqual(box["x"] + box["width"], page.evaluate("document.documentElement.clientWidth"))

    def test_state_bar_stays_in_view(self):
        """The bar of states stays in view with counts, and one tap leads to each state, on a phone, a tablet and a
        desktop"""
        numbers = [place_order(self.shop, number) for number in range(20, 48)]
        self.shop.sql("; ".join(f"select advance_order('{number}', 'accepted')" for number in numbers[24:]))
        self.shop.sql("; ".join(f"select advance_order('{number}', 'preparing')" for number in numbers[26:]))
        self.shop.sql(f"select advance_order('{numbers[27]}', 'on_the_way')")
        for device in (
            PHONE,
            {"viewport": {"width": 820, "height": 1180}},
            {"viewport": {"width": 1440, "height": 900}},
        ):
            page = self.sign_in(device)
            height = device["viewport"]["height"]
            page.wait_for_selector(self.card(numbers[27], "on_the_way"))
            for state in ("on_the_way", "placed", "preparing", "accepted"):
                count_of_cards = page.locator(f".column.{state} .ticket").count()
                button = page.locator(f"nav[aria-label='Orders by state'] button.{state}")
                page.evaluate("scrollTo(0, document.body.scrollHeight)")
                box = button.bounding_box()
                self.assertTrue(0 <= box["y"] < box["y"] + box["height"] < height / 3, (device, state, box))
                self.assertRegex(button.inner_text(), rf"\b{count_of_cards}$")
                button.click()
                page.wait_for_function("state => document.activeElement.id === `column-${state}`", arg=state)
                first = page.locator(f".column.{state} .ticket >> nth=0").bounding_box()
                self.assertTrue(box["y"] + box["height"] <= first["y"] < height - 200, (device, state, first))
        self.shop.sql("; ".join(f"select advance_order('{number}', 'rejected', 'a test')" for number in numbers))

    def test_late_order(self):
        """Staff and guests see by how many minutes an order is late, whatever the clocks of their devices"""
        number = place_order(self.shop, 61)
        order = self.shop.sql(f"select id from orders where number = '{number}'")
        self.shop.sql(
            "update orders set placed_at = now() - make_interval(mins => eta_minutes, secs => -8) where number ="
            f" '{number}'"
        )
        guest = self.visit(f"#/orders/{order}", PHONE)
        guest.wait_for_selector(".due:has-text('in about a minute, by ')")
        page = self.sign_in(PHONE)
        label = f"[data-number='{number}'] .due"
        self.assertNotIn("late", page.inner_text(label))
        guest.wait_for_selector(".due.late:has-text('Any minute now')", timeout=12_000)
        # Two more seconds, because the page knows the server's time with an error of half a second.
        self.shop.sql(
            "update orders set placed_at = now() - make_interval(mins => eta_minutes + 12, secs => 2) where number ="
            f" '{number}'"
        )
        guest.reload()
        guest.wait_for_selector(".due:has-text('running late')")
        self.assertRegex(guest.inner_text(".due"), "12 minutes ago")
        page.reload()
        page.wait_for_selector(f"{label}.late:has-text('12 min late')")
        for minutes, words in ((-90, "12 minutes ago"), (90, "12 minutes ago")):
            guest_page = self.context(PHONE).new_page()
            guest_page.clock.install()
            guest_page.clock.set_fixed_time(time.time() + minutes * 60)
            guest_page.goto(f"{self.shop.url}/#/orders/{order}")
            guest_page.wait_for_selector(f".due:has-text('{words}')")
        self.shop.sql(f"select advance_order('{number}', 'rejected', 'a test')")
        guest.wait_for_selector("[data-state=rejected]")
        self.assertEqual(guest.inner_text(".due"), "")

    def test_silent_server_raises_alarm(self):
        """Within six seconds offline or without data on an open connection, a banner and a repeated alarm appear"""
        page = self.sign_in()
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector("text=Sound is on")
        page.evaluate(
            "() => { window.heard = []; document.addEventListener('rung', ({detail}) =>"
            " window.heard.push(detail.sound)); }"
        )
        alarms = "heard.filter((sound) => sound === 'silence').length"
        page.context.set_offline(True)
        page.wait_for_selector(".banner.shown:has-text('offline')", timeout=2_500)
        self.assertEqual(page.evaluate(alarms), 1)
        page.context.set_offline(False)
        page.wait_for_selector(".banner.shown", state="detached")
        page.wait_for_timeout(1_000)
        page.evaluate("heard.length = 0")
        self.shop.process.send_signal(signal.SIGSTOP)
        try:
            page.wait_for_selector(".banner.shown:has-text('Not connected')", timeout=6_000)
            # The alarm repeats while the server is silent.
            page.wait_for_function(f"() => {alarms} > 1", timeout=6_000)
        finally:
            self.shop.process.send_signal(signal.SIGCONT)
        page.wait_for_selector(".banner.shown", state="detached", timeout=20_000)
        page.evaluate("heard.length = 0")
        page.wait_for_timeout(5_000)
        self.assertEqual(page.evaluate(alarms), 0)
        self.expected_errors += ("ERR_",)

    def test_figures_of_the_day(self):
        """The figures of the day update by themselves with an order, and the chart has a text alternative"""
        page = self.sign_in()
        page.click("[data-tab=today]")
        page.wait_for_selector("[data-figure=total] dd")
        before = int(page.inner_text("[data-figure=total] dd"))
        place_order(self.shop, 6, ((5001, 3),))
        page.wait_for_selector(f"[data-figure=total] dd:has-text('{before + 1}')")
        self.assertRegex(page.get_attribute(".chart", "aria-label"), r"^Orders per hour\. (\d\d:00: \d+(, )?)+\.$")
        bars = [int(text) for text in page.locator(".chart .value").all_text_contents()]
        self.assertEqual(sum(bars), before + 1)
        self.assertEqual(page.locator(".chart .amount").count(), len(bars))
        self.assertIn("$", page.inner_text("[data-figure=revenue]"))
        page.wait_for_selector(".top-items:has-text('Tomato Sauce')")

    def test_staff_page_without_script(self):
        """Without JavaScript the staff page first says that it needs it"""
        page = self.context(PHONE, java_script_enabled=False).new_page()
        page.goto(self.shop.url + "/staff")
        box = page.locator(".note").bounding_box()
        self.assertLess(box["y"] + box["height"], 200)

    def test_token_is_kept_for_the_tab(self):
        """A wrong token shows an error at its field; a valid one is stored for this tab only, until sign-out"""
        page = self.open_sign_in(PHONE)
        addresses = []
        page.on("request", lambda request: addresses.append(request.url))
        for wrong, words in (
            ("", "Please enter"),
            ("wrong", "unknown or was withdrawn"),
            ("wrong one", "no spaces"),
            ("schlüssel", "accents"),
        ):
            page.fill("#field-token", wrong)
            page.click("text=Sign in")
            page.wait_for_selector(f"#field-token-error:has-text('{words}')")
            self.assertEqual(page.evaluate("document.activeElement.id"), "field-token")
        page.fill("#field-token", TOKEN)
        page.click("text=Sign in")
        page.wait_for_selector(".columns:not([hidden])")
        page.reload()
        page.wait_for_selector(".columns:not([hidden])")
        self.assertEqual(page.evaluate("JSON.stringify(localStorage)").count(TOKEN), 0)
        other = page.context.new_page()
        other.goto(self.shop.url + "/staff")
        other.wait_for_selector("#field-token")
        page.click("#leave")
        # Other tests of this class leave orders open.
        if page.is_visible("dialog"):
            page.click("dialog button:text-is('Sign out')")
        page.wait_for_selector("#field-token")
        self.assertEqual(page.evaluate("sessionStorage.getItem('welms.staff')"), None)
        self.assertEqual([url for url in addresses if "secret" in url], [])
        self.expected_errors += ("401",)

    def test_revoked_token(self):
        """A revoked token returns to the sign-in, which gives the reason"""
        page = self.open_sign_in()
        page.evaluate("sessionStorage.setItem('welms.staff', 'yesterdays')")
        page.reload()
        page.wait_for_selector("#field-token-error:has-text('no longer valid')")
        self.expected_errors += ("401",)

    def test_staff_page_while_server_is_away(self):
        """While the server is down the page says so; then it shows the orders placed in the meantime"""
        page = self.sign_in()
        self.shop.stop()
        page.wait_for_selector(".banner.shown:has-text('Not connected')")
        self.shop.start()
        order = place_order(self.shop, 7)
        page.wait_for_selector(self.card(order, "placed"), timeout=20_000)
        page.wait_for_selector(".banner.shown", state="detached")
        self.expected_errors += AWAY_ERRORS

    def test_board_by_keyboard(self):
        """The keyboard alone signs in, moves an order by exactly one step, and rejects it"""
        order = place_order(self.shop, 8)
        page = self.open_sign_in()

        def tab_to(selector):
            for _ in range(200):
                page.keyboard.press("Tab")
                if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                    return
            self.fail(f"Tab did not reach {selector}")

        self.assertEqual(page.evaluate("document.activeElement.id"), "field-token")
        page.keyboard.type(TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(self.card(order, "placed"))
        tab_to(f"[data-number='{order}'] [data-next]")
        page.keyboard.press("Enter")
        page.wait_for_selector(self.card(order, "accepted"))
        self.assertEqual(page.evaluate("document.activeElement.dataset.number"), order)
        page.keyboard.press("Enter")
        tab_to(f"[aria-label='Reject order {order}']")
        page.keyboard.press("Space")
        page.wait_for_selector("dialog[open]")
        page.keyboard.type("Out of buns")
        tab_to("dialog [type=submit]")
        page.keyboard.press("Enter")
        page.wait_for_selector(f".ticket[data-number='{order}']", state="detached", timeout=15_000)
        self.assertEqual(self.shop.sql(f"select state from orders where number = '{order}'"), "rejected")
        page.evaluate("document.activeElement.blur()")
        tab_to("[data-tab=today]")
        page.keyboard.press("Enter")
        page.wait_for_selector("#today:not([hidden])")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Today")

    def test_staff_page_is_accessible(self):
        """axe reports no violation of WCAG 2.2 AA on any tab, light and dark, at both widths"""
        place_order(self.shop, 9)
        self.shop.sql(f"select advance_order('{place_order(self.shop, 10)}', 'accepted')")
        self.shop.sql("update menu_items set is_available = false where id = 4005")
        self.addCleanup(self.shop.sql, "update menu_items set is_available = true where id = 4005")
        for device in (PHONE, DESKTOP):
            for mode in ("light", "dark"):
                page = self.open_sign_in({**device, "color_scheme": mode}, bypass_csp=True)
                page.click("text=Sign in")
                self.check_accessibility(page, f"the sign-in {mode}")
                page.fill("#field-token", TOKEN)
                page.keyboard.press("Enter")
                page.wait_for_selector(".ticket")
                self.check_accessibility(page, f"orders {mode}")
                page.click(".ticket >> text=Reject")
                self.check_accessibility(page, f"the rejection {mode}")
                page.keyboard.press("Escape")
                for tab, until in (
                    ("menu", ".stock .gone"),
                    ("shop", "#hours-today li"),
                    ("today", ".chart .amount"),
                    ("errors", ".events li"),
                ):
                    page.click(f"[data-tab={tab}]")
                    page.wait_for_selector(until)
                    self.check_accessibility(page, f"{tab} {mode}")

    def test_no_overflow_on_staff_page(self):
        """No tab of the staff page is wider than 320 pixels"""
        place_order(
            self.shop,
            11,
            ((1004, 12), (2001, 1)),
            (200, 400),
            comment="The bell is broken. Please knock, and mind the dog: it is friendly.",
        )
        page = self.sign_in({**PHONE, "viewport": {"width": 320, "height": 640}})
        for tab, until in (
            ("orders", ".ticket"),
            ("menu", ".stock li"),
            ("shop", "#hours-today li"),
            ("today", ".chart .amount"),
            ("errors", "#errors .condition"),
        ):
            page.click(f"[data-tab={tab}]")
            page.wait_for_selector(until)
            # A phone's innerWidth grows with overflowing content.
            self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 320, tab)

    def check_accessibility(self, page, description):
        ids = page.eval_on_selector_all("[id]", "all => all.map((entry) => entry.id)")
        self.assertEqual(sorted(set(ids)), sorted(ids), f"{description}: ids must be unique")
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{description}\n{found.generate_report()}")


class StaffRoleTests(BrowserTest):
    def sign_in(self, name, role):
        """Signs in as a new staff member with a token and a role."""
        output = subprocess.run(
            [PROGRAM, "staff", "add", name, "--role", role, "--database-url", self.shop.database_url()],
            check=True,
            capture_output=True,
            text=True,
        )
        page = self.context(PHONE, bypass_csp=True).new_page()
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", output.stdout.strip())
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        return page

    def test_role_permissions(self):
        """Each role sees only its permitted actions, a manager sees who changed what, and revoked access ends"""
        kitchen, counter, manager = (
            self.sign_in("Kit", "kitchen"),
            self.sign_in("Cora", "counter"),
            self.sign_in("Mia", "manager"),
        )
        order = place_order(self.shop, 90)
        for page in (kitchen, counter, manager):
            page.wait_for_selector(f"[data-number='{order}']")
        self.assertEqual(
            [page.locator(f"[aria-label='Reject order {order}']").count() for page in (kitchen, counter, manager)],
            [0, 1, 1],
        )
        self.assertEqual([page.locator("[data-tab=today]").count() for page in (kitchen, counter, manager)], [0, 0, 1])
        kitchen.click(f"[data-number='{order}'] [data-next='accepted']")
        kitchen.wait_for_selector(f".column.accepted [data-number='{order}']")
        for page in (kitchen, counter, manager):
            page.click("[data-tab=shop]")
            page.wait_for_selector("#hours-today li")
        kitchen.wait_for_selector("#who:has-text('Kit (kitchen)')")
        self.assertEqual([page.locator(".pausing").count() for page in (kitchen, counter, manager)], [0, 1, 1])
        self.assertEqual([page.locator("text=Closed today").count() for page in (kitchen, counter, manager)], [0, 0, 1])
        self.assertEqual([page.locator("#changes").count() for page in (kitchen, counter, manager)], [0, 0, 1])
        counter.click("text=+10 minutes")
        counter.wait_for_selector(".condition:has-text('10 minutes longer')")
        manager.click("text=Who changed what")
        manager.wait_for_selector("[data-change]")
        rows = manager.locator("[data-change]").all_inner_texts()
        self.assertRegex(rows[0], r"(?s)Cora.*counter.*Shop.*busy minutes: 0 → 10")
        self.assertRegex(rows[1], rf"(?s)Kit.*kitchen.*Order {order}.*state: placed → accepted")
        self.assertRegex(rows[2], r"(?s)welms_owner.*SQL.*Staff member Mia.*added.*role: manager")
        self.assertNotIn("digest", "".join(rows))
        manager.locator("#changes").scroll_into_view_if_needed()
        found = Axe().run(manager, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, found.generate_report())
        kitchen.click("[data-tab=menu]")
        kitchen.wait_for_selector("[aria-label='Mark sold out: Chickenburger']")
        self.assertEqual(kitchen.locator(".photo").count(), 0)
        subprocess.run(
            [PROGRAM, "staff", "withdraw", "Kit", "--database-url", self.shop.database_url()],
            check=True,
            capture_output=True,
        )
        kitchen.wait_for_selector("#field-token-error:has-text('no longer valid')")
        self.expected_errors += ("401",)


class StaffFaultTests(BrowserTest):
    arguments = ("--staff-token", TOKEN, "--simulate-error-after", "12")

    def test_fault_and_recovery(self):
        """A fault appears at once, and so does its recovery"""
        page = self.context(PHONE).new_page()
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.click("[data-tab=errors]")
        page.wait_for_selector(".condition:has-text('All is well')")
        page.wait_for_selector(".condition.bad:has-text('menu')", timeout=25_000)
        page.wait_for_selector(".events [data-kind=fault]")
        page.wait_for_selector("[data-tab=errors] .count:has-text('1')")
        page.wait_for_selector(".events [data-kind=recovery]", timeout=25_000)
        page.wait_for_selector(".condition:has-text('All is well')")


class NoTokenTests(BrowserTest):
    def test_no_staff_token(self):
        """Before the first token exists, the page says how to create one"""
        for mode in ("light", "dark"):
            page = self.context({**PHONE, "color_scheme": mode}, bypass_csp=True).new_page()
            page.goto(self.shop.url + "/staff")
            self.assertIn("WELMS_STAFF_TOKEN=", page.inner_text("main"))
            self.assertIn("welms staff add", page.inner_text("main"))
            self.assertEqual(page.locator("input").count(), 0)
            found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
            self.assertEqual(found.violations_count, 0, found.generate_report())


if __name__ == "__main__":
    unittest.main()
