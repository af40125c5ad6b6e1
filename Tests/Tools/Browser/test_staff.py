# The staff's page: who gets in, orders as they come and move, what is sold out, the day, the error channel.

import json
import signal
import subprocess
import time
import unittest
import urllib.error
import urllib.request

from axe_playwright_python.sync_playwright import Axe

from server import PROGRAM
from shop import AWAY, DESKTOP, PHONE, BrowserTest

TOKEN = "the-kitchen's-own-secret"


def place_order(shop, number, items=((2001, 1),), sales=(), language=None, **details):
    """An order as a guest's program places it; its number."""
    return place_whole_order(shop, number, items, sales, language, **details)["number"]


def place_whole_order(shop, number, items=((2001, 1),), sales=(), language=None, **details):
    """The same; returns the answer of the checkout, which has the order's access token."""
    def post(path, body=None, **headers):
        data = json.dumps(body).encode() if body is not None else b""
        request = urllib.request.Request(shop.url + path, data=data, method="POST", headers={"Content-Type": "application/json", **headers})
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            raise AssertionError(f"{problem.code} {problem.read().decode()}") from None

    basket = post("/v1/baskets")
    for item, quantity, *more in items:
        note, options = (*more, None, None)[:2]
        basket = post(f"/v1/baskets/{basket['id']}/items", {"menuItemId": item, "quantity": quantity, "note": note, "options": options})
    for sale in sales:
        basket = post(f"/v1/baskets/{basket['id']}/sales", {"salesGroupId": sale})
    body = {"basketId": basket["id"], "name": "ann lee", "phone": f"55502{number:05}", "email": f"guest{number}@example.com",
            "address": "12 main street, springfield", "expectedTotal": basket["total"], **details}
    return post("/v1/checkout", body, **{"Idempotency-Key": f"staff-{number}", **({"Accept-Language": language} if language else {})})


class StaffTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def door(self, device=DESKTOP, **options):
        page = self.context(device, **options).new_page()
        page.goto(self.shop.url + "/staff")
        page.wait_for_selector("#field-token")
        return page

    def enter(self, device=DESKTOP, **options):
        page = self.door(device, **options)
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        return page

    def card(self, number, state):
        return f".column.{state} .ticket[data-number='{number}']"

    def day(self, device, number):
        page = self.enter(device)
        order = place_order(self.shop, number, ((2001, 2, "no <b>pickles</b>"),), (200,), comment="no onions, please")
        page.wait_for_selector(self.card(order, "placed"))
        text = page.inner_text(self.card(order, "placed"))
        for words in ("2 × The Big Tasty", "no <b>pickles</b>", "Happy Saturday", "3 × BBQ Burger", "Ann Lee", "no onions", "due "):
            self.assertIn(words, text)

        def folded(is_open):
            for words in ("12 Main Street", f"+155502{number:05}", "$43.07"):
                (self.assertIn if is_open else self.assertNotIn)(words, page.inner_text(f".ticket[data-number='{order}']"))

        # Who cooks needs no address, no phone and no money; a tap has them.
        folded(False)
        page.click(self.card(order, "placed") + " .guest summary")
        folded(True)
        for state in ("accepted", "preparing", "on_the_way"):
            page.click(f"[data-number='{order}'] [data-next='{state}']")
            page.wait_for_selector(self.card(order, state))
            self.assertEqual(self.shop.sql(f"select state from orders where number = '{order}'"), state)
            # Who hands it over finds them open.
            folded(state == "on_the_way")
        self.assertEqual(page.get_attribute(f"{self.card(order, 'on_the_way')} .who a", "href"), f"tel:+155502{number:05}")
        page.click(f"[data-number='{order}'] [data-next='delivered']")
        page.wait_for_selector(f".ticket[data-number='{order}']", state="detached")
        page.click(".done summary")
        page.wait_for_selector(f".over [data-number='{order}']:has-text('Delivered')")

    def test_phone(self):
        """On a phone an order appears as it is placed, and one tap after the other moves it to its end"""
        self.day(PHONE, 1)

    def test_desktop(self):
        """On a desktop too"""
        self.day(DESKTOP, 2)

    def test_sql_and_other_pages(self):
        """What SQL moves, moves on every page of staff within two seconds"""
        page, other = self.enter(), self.enter(PHONE)
        order = place_order(self.shop, 3)
        for one in (page, other):
            one.wait_for_selector(self.card(order, "placed"))
        self.shop.sql(f"select advance_order('{order}', 'accepted')")
        for one in (page, other):
            one.wait_for_selector(self.card(order, "accepted"), timeout=2_000)

    def test_refused_step(self):
        """A step that the database refuses is told, and the order is shown as it is"""
        page = self.enter()
        order = place_order(self.shop, 4)
        page.wait_for_selector(self.card(order, "placed"))
        # The news of the other step is held back, as on a slow network.
        page.route(f"**/v1/staff/orders/{order}", lambda route: route.abort())
        self.shop.sql(f"select advance_order('{order}', 'rejected', 'out of burgers')")
        page.click(f"[data-number='{order}'] [data-next='accepted']")
        page.wait_for_selector(".toast.problem:has-text('rejected')")
        page.unroute(f"**/v1/staff/orders/{order}")
        page.wait_for_selector(f".ticket[data-number='{order}']", state="detached")
        self.forgiven += ("409", "ERR_FAILED")

    def test_unsent_mail(self):
        """A mail that the guest did not get is on the order's card within two seconds, with the reason"""
        page = self.enter()
        order = place_order(self.shop, 77)
        page.wait_for_selector(self.card(order, "placed"))
        key = self.shop.sql(f"select id from orders where number = '{order}'")
        self.shop.sql(
            f"insert into order_mails (order_id, state, at, due_at) values ('{key}', 'placed', now(), now()); "
            f"select fail_order_mail('{key}', 'placed', 'address_limit', null)")
        page.wait_for_selector(self.card(order, "placed") + " .unsent:has-text('five within an hour')", timeout=2_000)
        self.shop.sql(f"select advance_order('{order}', 'rejected', 'a test')")

    def test_rejection(self):
        """A rejection needs a reason, which the guest reads, and nobody else who has the order's link"""
        page = self.enter(PHONE)
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

    def test_sold_out(self):
        """What staff sell out is sold out on the storefront, and back with another tap; what SQL sells out shows here"""
        page, guest = self.enter(PHONE, timezone_id="America/New_York"), self.visit("#/items/2004", PHONE)
        guest.wait_for_selector("text=Add to basket")
        page.click("[data-tab=menu]")
        page.click("[aria-label='Mark sold out: Chickenburger']")
        page.wait_for_selector("[data-item='2004'].gone")
        page.wait_for_selector("[data-tab=menu] .count:has-text('1')")
        guest.reload()
        guest.wait_for_selector(".soldout")
        self.assertEqual(guest.locator("text=Add to basket").count(), 0)
        # Until a moment, which guests read; and again until further notice.
        page.click("[aria-label='for an hour: Chickenburger']")
        page.wait_for_selector("[data-item='2004'] .level:has-text('Sold out, back')")
        self.assertIn(self.shop.sql("select sold_out_until - now() between '59 minutes' and '61 minutes' from menu_items where id = 2004"), ("t",))
        guest.reload()
        guest.wait_for_selector(".soldout:has-text('Sold out, back')")
        # What lies half below the bar at the top is no smaller for it.
        page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
        self.scan(page, "a dish that is sold out for an hour")
        page.click("[aria-label='until tomorrow: Chickenburger']")
        page.wait_for_selector("[data-item='2004'] .level:has-text('4:00 AM')")
        clock = "to_char(sold_out_until at time zone time_zone, 'HH24:MI'), sold_out_until <= now() + interval '1 day'"
        self.assertEqual(self.shop.sql(f"select {clock} from menu_items, shop where menu_items.id = 2004"), "04:00|t")
        page.click("[aria-label='until further notice: Chickenburger']")
        page.wait_for_selector("[data-item='2004'] .level:text-is('Sold out')")
        # By itself: SQL sets the moment, and nobody writes when it has come.
        self.shop.sql("update menu_items set is_available = true, sold_out_until = now() + interval '6 s' where id = 2004")
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
        # Options too, and their group's title is found.
        page.fill("[type=search]", "extras")
        page.wait_for_selector("[data-option='1203']")
        self.assertEqual(page.locator(".stock h2").all_inner_texts(), ["Extras options 12"])

    def test_option_sold_out(self):
        """An option is sold out as a dish is: with a tap, until a moment or tomorrow, and back"""
        page = self.enter(PHONE)
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
        self.scan(page, "an option that is sold out until tomorrow")
        page.click("[aria-label='Back in stock: Fried egg, Extras']")
        page.wait_for_selector("[data-option='1203']:not(.gone)")
        self.assertEqual(self.shop.sql("select is_available, sold_out_until is null from options where id = 1203"), "t|t")
        # What SQL changes is seen here.
        self.addCleanup(self.shop.sql, "update options set is_available = true where id = 1203")
        self.shop.sql("update options set is_available = false where id = 1203")
        page.wait_for_selector("[data-option='1203'].gone")

    def test_counts(self):
        """Staff say how many there are of a dish or an option, now or each day; with none left it is sold out until they say another number"""
        page = self.enter(PHONE)
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
            self.scan(page, "a count")
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

    def test_chosen(self):
        """A dish and what is other than usual under it are bold on the ticket, each with how many, what belongs to it further in; the note is set off, and what is in time is green"""
        drink = {"optionId": 2101, "options": [{"optionId": 2302, "options": [{"optionId": 2402}]}]}
        combo = [{"optionId": 1103}, {"optionId": 1201, "quantity": 2}, {"optionId": 2502}, drink]
        order = place_order(self.shop, 70, ((1001, 3, "no salt", combo), (4001, 1)))
        for device in (PHONE, DESKTOP):
            page = self.enter(device)
            page.wait_for_selector(self.card(order, "placed"))
            dishes = page.locator(f"{self.card(order, 'placed')} .dishes > li")
            self.assertEqual(dishes.count(), 2)
            lines = [line.strip() for line in dishes.nth(0).inner_text().splitlines() if line.strip()]
            self.assertEqual(lines[0], "3 × Grill Combo")
            self.assertEqual(set(lines[1:-1]), {"Well done", "2 × Cheddar", "Village Fries", "Cola Soda", "Large", "Cup to keep"})
            self.assertIn("no salt", lines[-1])

            def left(text):
                return dishes.nth(0).locator(f".chosen li > :is(b, .usual):text-is('{text}')").bounding_box()["x"]

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

    def test_states_in_view(self):
        """However many orders there are, the bar of the states stays in view, counts them, and leads to each with one tap, on a phone, a tablet and a desktop"""
        numbers = [place_order(self.shop, number) for number in range(20, 48)]
        self.shop.sql("; ".join(f"select advance_order('{number}', 'accepted')" for number in numbers[24:]))
        self.shop.sql("; ".join(f"select advance_order('{number}', 'preparing')" for number in numbers[26:]))
        self.shop.sql(f"select advance_order('{numbers[27]}', 'on_the_way')")
        for device in (PHONE, {"viewport": {"width": 820, "height": 1180}}, {"viewport": {"width": 1440, "height": 900}}):
            page = self.enter(device)
            height = device["viewport"]["height"]
            page.wait_for_selector(self.card(numbers[27], "on_the_way"))
            for state in ("on_the_way", "placed", "preparing", "accepted"):
                many = page.locator(f".column.{state} .ticket").count()
                button = page.locator(f"nav[aria-label='Orders by state'] button.{state}")
                page.evaluate("scrollTo(0, document.body.scrollHeight)")
                box = button.bounding_box()
                self.assertTrue(0 <= box["y"] < box["y"] + box["height"] < height / 3, (device, state, box))
                self.assertRegex(button.inner_text(), rf"\b{many}$")
                button.click()
                page.wait_for_function("state => document.activeElement.id === `column-${state}`", arg=state)
                first = page.locator(f".column.{state} .ticket >> nth=0").bounding_box()
                self.assertTrue(box["y"] + box["height"] <= first["y"] < height - 200, (device, state, first))
        self.shop.sql("; ".join(f"select advance_order('{number}', 'rejected', 'a test')" for number in numbers))

    def test_late(self):
        """An order that is not there when it was promised says so by itself, and for how many minutes, to staff and to the guest, whatever their clocks say"""
        number = place_order(self.shop, 61)
        order = self.shop.sql(f"select id from orders where number = '{number}'")
        self.shop.sql(f"update orders set placed_at = now() - make_interval(mins => eta_minutes, secs => -8) where number = '{number}'")
        guest = self.visit(f"#/orders/{order}", PHONE)
        guest.wait_for_selector(".due:has-text('in about a minute, by ')")
        page = self.enter(PHONE)
        label = f"[data-number='{number}'] .due"
        self.assertNotIn("late", page.inner_text(label))
        guest.wait_for_selector(".due.late:has-text('Any minute now')", timeout=12_000)
        # The page knows the server's time to half a second.
        self.shop.sql(f"update orders set placed_at = now() - make_interval(mins => eta_minutes + 12, secs => 2) where number = '{number}'")
        guest.reload()
        guest.wait_for_selector(".due:has-text('running late')")
        self.assertRegex(guest.inner_text(".due"), "12 minutes ago")
        page.reload()
        page.wait_for_selector(f"{label}.late:has-text('12 min late')")
        for minutes, words in ((-90, "12 minutes ago"), (90, "12 minutes ago")):
            wrong = self.context(PHONE).new_page()
            wrong.clock.install()
            wrong.clock.set_fixed_time(time.time() + minutes * 60)
            wrong.goto(f"{self.shop.url}/#/orders/{order}")
            wrong.wait_for_selector(f".due:has-text('{words}')")
        self.shop.sql(f"select advance_order('{number}', 'rejected', 'a test')")
        guest.wait_for_selector("[data-state=rejected]")
        self.assertEqual(guest.inner_text(".due"), "")

    def test_silent_server(self):
        """Within six seconds the page says that it is not connected, and an alarm is heard until it is: offline at once, and when a server says nothing more though its connections stand"""
        page = self.enter()
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector("text=Sound is on")
        page.evaluate("() => { window.heard = []; document.addEventListener('rung', ({detail}) => window.heard.push(detail.sound)); }")
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
            # And again, until somebody sees to it.
            page.wait_for_function(f"() => {alarms} > 1", timeout=6_000)
        finally:
            self.shop.process.send_signal(signal.SIGCONT)
        page.wait_for_selector(".banner.shown", state="detached", timeout=20_000)
        page.evaluate("heard.length = 0")
        page.wait_for_timeout(5_000)
        self.assertEqual(page.evaluate(alarms), 0)
        self.forgiven += ("ERR_",)

    def test_today(self):
        """The day's figures grow with an order, by themselves; the chart says its numbers in words too"""
        page = self.enter()
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

    def test_no_script(self):
        """Without JavaScript, the first that is seen is what the page needs"""
        page = self.context(PHONE, java_script_enabled=False).new_page()
        page.goto(self.shop.url + "/staff")
        box = page.locator(".note").bounding_box()
        self.assertLess(box["y"] + box["height"], 200)

    def test_wrong_token(self):
        """A wrong token is said beside the field; the right one is kept for this tab alone, in no address, until one leaves"""
        page = self.door(PHONE)
        addresses = []
        page.on("request", lambda request: addresses.append(request.url))
        for wrong, words in (("", "Please enter"), ("wrong", "unknown or was withdrawn"), ("wrong one", "no spaces"), ("schlüssel", "accents")):
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
        self.forgiven += ("401",)

    def test_token_no_longer_taken(self):
        """A token that the server takes no more leads back to the door, which says why"""
        page = self.door()
        page.evaluate("sessionStorage.setItem('welms.staff', 'yesterdays')")
        page.reload()
        page.wait_for_selector("#field-token-error:has-text('no longer valid')")
        self.forgiven += ("401",)

    def test_server_away(self):
        """While the server is away that is said; when it is back, the orders that came meanwhile are there"""
        page = self.enter()
        self.shop.stop()
        page.wait_for_selector(".banner.shown:has-text('Not connected')")
        self.shop.start()
        order = place_order(self.shop, 7)
        page.wait_for_selector(self.card(order, "placed"), timeout=20_000)
        page.wait_for_selector(".banner.shown", state="detached")
        self.forgiven += AWAY

    def test_keyboard(self):
        """The keyboard alone opens the door, moves an order by one step and no further, and rejects it"""
        order = place_order(self.shop, 8)
        page = self.door()

        def tab_to(selector):
            for _ in range(200):
                page.keyboard.press("Tab")
                if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                    return
            self.fail(f"never came to {selector}")

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

    def test_accessibility(self):
        """axe finds nothing against WCAG 2.2 AA on any tab, by day and by night, at both widths"""
        place_order(self.shop, 9)
        self.shop.sql(f"select advance_order('{place_order(self.shop, 10)}', 'accepted')")
        self.shop.sql("update menu_items set is_available = false where id = 4005")
        self.addCleanup(self.shop.sql, "update menu_items set is_available = true where id = 4005")
        for device in (PHONE, DESKTOP):
            for mode in ("light", "dark"):
                page = self.door({**device, "color_scheme": mode}, bypass_csp=True)
                page.click("text=Sign in")
                self.scan(page, f"the door {mode}")
                page.fill("#field-token", TOKEN)
                page.keyboard.press("Enter")
                page.wait_for_selector(".ticket")
                self.scan(page, f"orders {mode}")
                page.click(".ticket >> text=Reject")
                self.scan(page, f"the rejection {mode}")
                page.keyboard.press("Escape")
                for tab, until in (("menu", ".stock .gone"), ("shop", "#hours-today li"), ("today", ".chart .amount"), ("errors", ".events li")):
                    page.click(f"[data-tab={tab}]")
                    page.wait_for_selector(until)
                    self.scan(page, f"{tab} {mode}")

    def test_narrow(self):
        """Nothing is wider than a screen of 320 pixels, on any tab"""
        place_order(self.shop, 11, ((1004, 12), (2001, 1)), (200, 400), comment="The bell is broken. Please knock, and mind the dog: it is friendly.")
        page = self.enter({**PHONE, "viewport": {"width": 320, "height": 640}})
        for tab, until in (("orders", ".ticket"), ("menu", ".stock li"), ("shop", "#hours-today li"), ("today", ".chart .amount"), ("errors", "#errors .condition")):
            page.click(f"[data-tab={tab}]")
            page.wait_for_selector(until)
            # Not innerWidth: a telephone's grows with what is too wide.
            self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 320, tab)

    def scan(self, page, what):
        ids = page.eval_on_selector_all("[id]", "all => all.map((one) => one.id)")
        self.assertEqual(sorted(set(ids)), sorted(ids), f"{what}: an id names one thing")
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{what}\n{found.generate_report()}")


class StaffRoleTests(BrowserTest):
    def enter(self, name, role):
        """Somebody new, who has come in with a token of their own."""
        made = subprocess.run([PROGRAM, "staff", "add", name, "--role", role, "--database-url", self.shop.database_url()], check=True, capture_output=True, text=True)
        page = self.context(PHONE, bypass_csp=True).new_page()
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", made.stdout.strip())
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        return page

    def test_roles(self):
        """Each sees what their role may do and nothing else, and a manager who changed what; who is withdrawn is out"""
        kitchen, counter, manager = self.enter("Kit", "kitchen"), self.enter("Cora", "counter"), self.enter("Mia", "manager")
        order = place_order(self.shop, 90)
        for page in (kitchen, counter, manager):
            page.wait_for_selector(f"[data-number='{order}']")
        self.assertEqual([page.locator(f"[aria-label='Reject order {order}']").count() for page in (kitchen, counter, manager)], [0, 1, 1])
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
        subprocess.run([PROGRAM, "staff", "withdraw", "Kit", "--database-url", self.shop.database_url()], check=True, capture_output=True)
        kitchen.wait_for_selector("#field-token-error:has-text('no longer valid')")
        self.forgiven += ("401",)


class StaffFaultTests(BrowserTest):
    arguments = ("--staff-token", TOKEN, "--simulate-error-after", "12")

    def test_error_channel(self):
        """A fault shows in the moment it happens, and so does the recovery"""
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


class ClosedTests(BrowserTest):
    def test_no_token(self):
        """While nobody has a token the page says how to make one"""
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
