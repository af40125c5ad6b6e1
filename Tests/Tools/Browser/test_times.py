# Fulfilments, postcodes, wanted times, opening hours and pauses on the guest page.

import unittest

from placing import place_order, place_whole_order
from shop import DESKTOP, PHONE
from terms import ALL_DAY, AREAS, DEFAULT_SETTINGS, NARROW, SLOTS, TODAY, TOMORROW_ONLY, WEEKDAY, ConfiguredShopTest
from test_ordering import fill_form


class TimesTests(ConfiguredShopTest):
    def test_shop_without_settings(self):
        """A shop without areas, slots and hours asks for no postcode or time, shows no hours, and receives none of
        these"""
        page = self.guest()
        for name in ("postcode", "wantedAt"):
            self.assertTrue(page.is_hidden(f"#field-{name}"))
        self.assertTrue(page.is_checked("#field-fulfilment-delivery"))
        self.assertEqual(page.locator(".totals [data-total]").count(), 0)
        for hash, until in (("#/", ".ticket"), ("#/menu", "#list [data-item]")):
            page.goto(self.shop.url + "/" + hash)
            page.wait_for_selector(until)
            self.assertEqual(page.locator(".open, .shut").count(), 0)
        self.to_checkout(page)
        fill_form(page, 700)
        with page.expect_request("**/v1/checkout") as sent:
            page.click("button[type=submit]")
        self.assertEqual(
            set(sent.value.post_data_json),
            {"basketId", "name", "phone", "email", "address", "expectedTotal", "currency", "expectedTotals"},
        )
        page.wait_for_selector(".bill")
        self.assertEqual(self.last_order("fulfilment, wanted_at is null, postcode is null"), "delivery|t|t")

    def test_delivery_tomorrow_by_keyboard(self):
        """By keyboard alone a guest orders a delivery for tomorrow 18:30 with postcode, fee, tax and tip"""
        self.configure(
            ALL_DAY,
            SLOTS,
            AREAS,
            "insert into tax_rates (id, title, percent) values (1, 'VAT', 7); insert into category_taxes (category_id,"
            " tax_rate_id) values (200, 1);",
        )
        page = self.visit("#/items/2001", DESKTOP, timezone_id=self.zone)
        page.wait_for_selector(".choosing .button")
        self.tab_to(page, ".choosing .button")
        page.keyboard.press("Enter")
        page.wait_for_selector("#count:has-text('1')")
        for link, place in (("a[href='#/basket']", "#total"), ("a[href='#/checkout']", "#new-total")):
            self.tab_to(page, link)
            page.keyboard.press("Enter")
            page.wait_for_selector(place)
        self.tab_to(page, "#field-fulfilment-delivery")
        self.tab_to(page, "#field-postcode")
        page.keyboard.type("10 115")
        page.wait_for_selector(".hint:has-text('Centre: delivery $2.50, free from $20.00. About')")
        page.wait_for_selector("#new-total:has-text('$10.55')")
        self.tab_to(page, "#field-wantedAt-day")
        for _ in range(3):
            if page.evaluate("document.activeElement.selectedOptions[0].text") != "Tomorrow":
                page.keyboard.press("ArrowDown")
        self.tab_to(page, "#field-wantedAt")
        page.wait_for_selector("#field-wantedAt option:nth-child(40)", state="attached")
        for _ in range(48):
            if (
                not page.evaluate("document.activeElement.selectedOptions[0].text")
                .replace("\u202f", " ")
                .startswith("6:30 PM")
            ):
                page.keyboard.press("ArrowDown")
        for field, text in (
            ("name", "ann lee"),
            ("phone", "5550170001"),
            ("email", "ann701@example.com"),
            ("address", "12 main street, springfield"),
            ("tip", "1.50"),
        ):
            self.tab_to(page, f"#field-{field}")
            page.keyboard.type(text)
        page.wait_for_selector("#new-total:has-text('$12.05')")
        self.tab_to(page, "button[type=submit]")
        page.keyboard.press("Enter")
        page.wait_for_selector(".bill")
        self.assertEqual(page.inner_text(".due").replace("\u202f", " "), "At your door tomorrow at 6:30 PM.")
        bill = [text.replace("\u00a0", " ") for text in page.locator(".bill > p").all_inner_texts()]
        self.assertEqual(
            bill, ["Subtotal\n$8.05", "Delivery\n$2.50", "including VAT 7%\n$0.69", "Tip\n$1.50", "Total\n$12.05"]
        )
        self.assertIn("10115", page.inner_text(".customer").replace(" ", ""))
        wanted = self.last_order(
            "fulfilment, to_char(wanted_at at time zone (select time_zone from shop), 'HH24:MI'), (wanted_at at time"
            f" zone (select time_zone from shop))::date - {TODAY}, replace(postcode, ' ', ''), total"
        )
        self.assertEqual(wanted, "delivery|18:30|1|10115|1205")

    def test_pickup_tomorrow_by_keyboard(self):
        """By keyboard alone a guest orders a pickup for tomorrow 18:30 without an address"""
        self.configure(ALL_DAY, SLOTS, AREAS)
        page = self.visit("#/items/2001", DESKTOP, timezone_id=self.zone)
        page.wait_for_selector(".choosing .button")
        self.tab_to(page, ".choosing .button")
        page.keyboard.press("Enter")
        page.wait_for_selector("#count:has-text('1')")
        for link, place in (("a[href='#/basket']", "#total"), ("a[href='#/checkout']", "#new-total")):
            self.tab_to(page, link)
            page.keyboard.press("Enter")
            page.wait_for_selector(place)
        self.tab_to(page, "#field-fulfilment-delivery")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#field-fulfilment-pickup:checked:focus")
        page.wait_for_selector("#field-address", state="hidden")
        self.assertTrue(page.is_hidden("#field-postcode"))
        self.tab_to(page, "#field-wantedAt-day")
        for _ in range(3):
            if page.evaluate("document.activeElement.selectedOptions[0].text") != "Tomorrow":
                page.keyboard.press("ArrowDown")
        self.tab_to(page, "#field-wantedAt")
        page.wait_for_selector("#field-wantedAt option:nth-child(40)", state="attached")
        for _ in range(48):
            if (
                not page.evaluate("document.activeElement.selectedOptions[0].text")
                .replace("\u202f", " ")
                .startswith("6:30 PM")
            ):
                page.keyboard.press("ArrowDown")
        for field, text in (("name", "ann lee"), ("phone", "5550170013"), ("email", "ann713@example.com")):
            self.tab_to(page, f"#field-{field}")
            page.keyboard.type(text)
        self.check_accessibility(page, "a pickup for tomorrow")
        self.tab_to(page, "button[type=submit]")
        page.keyboard.press("Enter")
        page.wait_for_selector(".bill")
        self.assertEqual(page.inner_text(".due").replace("\u202f", " "), "Ready tomorrow at 6:30 PM.")
        self.assertNotIn("Address", page.inner_text(".customer"))
        wanted = self.last_order(
            "fulfilment, to_char(wanted_at at time zone (select time_zone from shop), 'HH24:MI'), (wanted_at at time"
            f" zone (select time_zone from shop))::date - {TODAY}, address is null and postcode is null, total"
        )
        self.assertEqual(wanted, "pickup|18:30|1|t|805")

    def test_chosen_day_survives_fulfilment_change(self):
        """A day chosen while the times of another fulfilment load stays chosen, with that fulfilment's times"""
        self.configure(ALL_DAY, SLOTS, AREAS)
        page = self.guest()
        held = []
        page.route(
            "**/v1/checkout/validate",
            lambda route: held.append(route) if "9999" in (route.request.post_data or "") else route.continue_(),
        )
        page.check("#field-fulfilment-pickup", force=True)
        for _ in range(500):
            if held:
                break
            page.wait_for_timeout(20)
        self.assertTrue(held, "the quote of the other fulfilment was not requested")
        date = self.shop.sql(f"select {TODAY} + 1")
        page.select_option("#field-wantedAt-day", value=date)
        page.wait_for_selector("#field-wantedAt option:nth-child(40)", state="attached")
        with page.expect_response(lambda answer: "/v1/times" in answer.url and f"date={date}" in answer.url):
            held[0].continue_()
        page.wait_for_selector("#field-wantedAt option:nth-child(40)", state="attached")
        self.assertEqual(page.input_value("#field-wantedAt-day"), date)

    def test_closed_shop_takes_pre_orders(self):
        """A closed shop says when it opens, on start page, menu and checkout, and takes the order for that time"""
        self.configure(TOMORROW_ONLY, SLOTS)
        page = self.guest(NARROW)
        opens = r"Closed now, opens (tomorrow )?at 11:00\sAM\."
        self.assertRegex(page.inner_text(".fields .shut"), opens + " You can order for later")
        self.assertEqual(page.inner_text("#field-wantedAt-day option >> nth=0"), "Choose a day")
        fill_form(page, 702)
        before = self.orders()
        page.click("button[type=submit]")
        page.wait_for_selector("#field-wantedAt-error:has-text('We are closed. We open')")
        self.wait_for_focus(page, "field-wantedAt-day")
        self.check_accessibility(page, "a closed shop's checkout")
        self.assertEqual(self.orders(), before)
        date = self.shop.sql(f"select {TODAY} + 1")
        page.select_option("#field-wantedAt-day", value=date)
        page.click("button[type=submit]")
        page.wait_for_selector("#field-wantedAt-error:has-text('Please choose a time')")
        page.select_option("#field-wantedAt", index=1)
        page.wait_for_selector("#field-wantedAt-error:empty", state="attached")
        for hash, until in (("#/", ".ticket"), ("#/menu", "#list [data-item]")):
            page.goto(self.shop.url + "/" + hash)
            page.wait_for_selector(until)
            self.assertRegex(page.inner_text(".open.shut"), opens)
            self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 320)
            self.check_accessibility(page, hash)
        # The page keeps the chosen time.
        self.to_checkout(page)
        page.wait_for_selector("#field-wantedAt option:checked:has-text('11:00')", state="attached")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertRegex(page.inner_text(".due"), r"At your door (tomorrow )?at 11:00\sAM\.")
        self.assertEqual(
            self.last_order(f"(wanted_at at time zone (select time_zone from shop)) = {TODAY} + 1 + time '11:00'"), "t"
        )

    def test_closed_shop_without_slots(self):
        """A closed shop without slots says when it opens and why it takes no orders"""
        self.configure(TOMORROW_ONLY)
        page = self.guest()
        self.assertRegex(page.inner_text(".fields .shut"), r"Closed now, opens (tomorrow )?at 11:00\sAM\.$")
        fill_form(page, 703)
        before = self.orders()
        page.click("button[type=submit]")
        page.wait_for_selector(".problems .warn:has-text('We are closed. We open')")
        self.assertEqual(self.orders(), before)

    def test_currency_decimals(self):
        """Yen have no decimals and dinars three, in prices, fees, taxes and tips, and on the bill"""
        number = 710
        for currency, write, tip in (
            ("JPY", lambda amount: f"¥{amount:,}", ("1.5", "150")),
            ("KWD", lambda amount: f"KWD {amount / 1000:.3f}", ("0.1505", "0.15")),
        ):
            with self.subTest(currency):
                self.configure(
                    DEFAULT_SETTINGS,
                    AREAS,
                    f"update shop set currency = '{currency}';",
                    "insert into tax_rates (id, title, percent) values (1, 'VAT', 10); insert into category_taxes"
                    " (category_id, tax_rate_id) values (200, 1);insert into tax_rates (id, title, percent) values (2,"
                    " 'None', 0); update shop set delivery_tax_rate_id = 2;update fulfilments set small_order_below ="
                    " 1000, small_order_fee = 100, service_charge_amount = 55;",
                )
                page = self.guest(NARROW)
                fill_form(page, number, postcode="10115", tip=tip[0])
                page.wait_for_selector("#field-tip-error:has-text('in digits')")
                page.fill("#field-tip", tip[1])
                page.wait_for_selector(f"#new-total:has-text('{write(1360)}')")
                # The tax of 10 % is included in goods, small order fee and service charge.
                sums = {
                    "Subtotal": 805,
                    "Delivery": 250,
                    "Small order": 100,
                    "Service": 55,
                    "including VAT 10%": 87,
                    "Tip": 150,
                    "Total": 1360,
                }
                rows = [f"{title}\n{write(amount)}" for title, amount in sums.items()]
                self.assertEqual(
                    [text.replace("\u00a0", " ") for text in page.locator(".totals > p").all_inner_texts()], rows
                )
                self.assertIn(
                    f"delivery {write(250)}, free from {write(2000)}",
                    page.inner_text(".hint[aria-live]").replace("\u00a0", " "),
                )
                self.assertEqual(
                    page.inner_text("button[type=submit]").replace("\u00a0", " "), f"Order · {write(1360)}"
                )
                self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 320)
                page.fill("#field-postcode", "20115")
                page.wait_for_selector(f".problems:has-text('Add {write(695)} more')")
                page.fill("#field-postcode", "10115")
                page.wait_for_selector(".problems:empty", state="attached")
                page.click("button[type=submit]")
                page.wait_for_selector(".bill")
                self.assertEqual(
                    [text.replace("\u00a0", " ") for text in page.locator(".bill > p").all_inner_texts()], rows
                )
                self.assertEqual(self.last_order("total, currency"), f"1360|{currency}")
                number += 1

    def test_tax_on_top(self):
        """A tax that is added to the price is a total line with its rate"""
        self.configure(
            "update shop set prices_include_tax = false; insert into tax_rates (id, title, percent) values (1, 'Sales"
            " tax', 8.875);insert into category_taxes (category_id, tax_rate_id) values (200, 1);"
        )
        page = self.guest()
        self.assertEqual(
            page.locator(".totals > p").all_inner_texts(),
            ["Subtotal\n$8.05", "Sales tax 8.875%\n$0.71", "Total\n$8.76"],
        )

    def test_pickup_form(self):
        """A pickup asks for no address and shows the time and the state when it is ready"""
        self.configure(AREAS)
        page = self.guest()
        fill_form(page, 704, postcode="10115")
        page.wait_for_selector("[data-total=delivery_fee]:has-text('$2.50')")
        page.check("#field-fulfilment-pickup")
        page.wait_for_selector("#field-address", state="hidden")
        page.wait_for_selector("[data-total=delivery_fee]", state="detached")
        self.assertTrue(page.is_hidden("#field-postcode"))
        self.assertEqual(page.inner_text("#new-total"), "$8.05")
        page.check("#field-fulfilment-delivery")
        page.wait_for_selector("[data-total=delivery_fee]:has-text('$2.50')")
        self.assertEqual(page.input_value("#field-address"), "12 main street, springfield")
        page.check("#field-fulfilment-pickup")
        page.wait_for_selector("[data-total=delivery_fee]", state="detached")
        page.reload()
        page.wait_for_selector("#new-total")
        self.assertTrue(page.is_checked("#field-fulfilment-pickup"))
        self.check_accessibility(page, "the checkout of a pickup")
        # Personal details are not stored.
        for field, text in (("name", "ann lee"), ("phone", "5550100704"), ("email", "ann704@example.com")):
            page.fill(f"#field-{field}", text)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertRegex(page.inner_text(".due"), r"^Ready in about \d+ minutes, by (tomorrow, )?\d")
        self.assertIn("Pickup by", page.inner_text(".customer"))
        self.assertNotIn("Address", page.inner_text(".customer"))
        self.assertEqual(self.last_order("fulfilment, address is null, postcode is null"), "pickup|t|t")
        self.assertEqual(page.locator(".bill [data-total=delivery_fee]").count(), 0)
        number = page.inner_text("h1").split()[-1]
        board = self.staff(PHONE)
        board.wait_for_selector(f"[data-number='{number}'] .fulfilment:has-text('Pickup')")
        for state in ("accepted", "preparing", "on_the_way"):
            board.click(f"[data-number='{number}'] [data-next='{state}']")
            board.wait_for_selector(f".column.{state} [data-number='{number}']")
        page.wait_for_selector(".progress:has-text('ready for pickup')")
        board.click(f"[data-number='{number}'] >> text=Picked up")
        page.wait_for_selector(".steps .now:has-text('Picked up')")

    def test_pickup_only(self):
        """With pickup as the only fulfilment, the page offers no choice and orders a pickup"""
        self.configure("update fulfilments set is_offered = false where fulfilment = 'delivery';")
        page = self.guest()
        self.assertTrue(page.is_hidden("#field-fulfilment-pickup"))
        self.assertTrue(page.is_hidden("#field-address"))
        for field, text in (("name", "ann lee"), ("phone", "5550170005"), ("email", "ann705@example.com")):
            page.fill(f"#field-{field}", text)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(self.last_order("fulfilment"), "pickup")

    def test_postcode_at_checkout(self):
        """While a postcode is typed, the page shows its fee and the missing amount, or that the shop does not deliver
        there"""
        self.configure(AREAS)
        page = self.guest(NARROW)
        fill_form(page, 706)
        before = self.orders()
        page.click("button[type=submit]")
        page.wait_for_selector("#field-postcode-error:has-text('enter your postcode')")
        self.wait_for_focus(page, "field-postcode")
        page.locator("#field-postcode").press_sequentially("99")
        page.wait_for_selector("#field-postcode-error:not(:empty):has-text('deliver there')")
        self.assertEqual(page.get_attribute("#field-postcode", "aria-invalid"), "true")
        page.fill("#field-postcode", "99999")
        page.click("button[type=submit]")
        # The button got the focus by the click, and may still shake.
        page.wait_for_selector("#field-postcode:focus")
        self.assertIn("deliver there", page.inner_text("#field-postcode-error"))
        self.assertEqual(self.orders(), before)
        self.check_accessibility(page, "a postcode outside of all areas")
        page.fill("#field-postcode", "20 001")
        page.wait_for_selector(".hint:has-text('Hills: delivery $4.00. Orders of $15.00 or more.')")
        page.wait_for_selector(".problems:has-text('Add $6.95 more')")
        self.assertEqual(page.inner_text("#field-postcode-error"), "")
        page.click("button[type=submit]")
        page.wait_for_selector("button.shake")
        self.assertEqual(self.orders(), before)
        self.check_accessibility(page, "the minimum")
        page.fill("#field-postcode", "10001")
        page.wait_for_selector("#new-total:has-text('$10.55')")
        self.assertEqual(page.inner_text(".problems"), "")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(self.last_order("postcode, total"), "10001|1055")

    def test_area_change_reloads_times(self):
        """A postcode of another area reloads the times of the day, and the chosen time stays"""
        self.configure(AREAS, ALL_DAY, SLOTS)
        page = self.guest()
        fill_form(page, 712, postcode="10001")
        page.wait_for_selector(".hint:has-text('Centre: delivery')")
        start = self.slots()[20]["startsAt"]
        with page.expect_request(lambda request: "/v1/times?" in request.url and "postcode=10001" in request.url):
            self.choose_slot(page, start)
        with page.expect_response(
            lambda answer: "/v1/times?" in answer.url and "postcode=20001" in answer.url and answer.ok
        ):
            page.fill("#field-postcode", "20001")
        page.wait_for_function("start => document.querySelector('#field-wantedAt').value === start", arg=start)
        page.wait_for_selector(".problems .warn:has-text('we’ll deliver there')")
        self.assertEqual(page.inner_text("#field-wantedAt-error"), "")

    def test_missing_minimum(self):
        """The page shows the amount missing to the minimum, updates it with each dish, and keeps the form"""
        self.configure(AREAS, "update delivery_areas set minimum_subtotal = 2415 where id = 2;")
        page = self.guest(NARROW)
        fill_form(page, 711, postcode="20001")
        page.wait_for_selector(".problems .warn:has-text('Add $16.10 more')")
        link = page.locator(".problems a").element_handle()
        # Another tab of the guest adds one to the basket.
        other = page.context.new_page()
        other.goto(self.shop.url + "/#/items/2001")
        other.click("text=Add to basket")
        page.wait_for_selector(".problems .warn:has-text('Add $8.05 more')")
        self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 320)
        # Both tabs read their baskets again and update the amount in the same link, so that a tap meets it.
        self.assertTrue(link.evaluate("(link) => link.isConnected && link === document.querySelector('.problems a')"))
        page.click(".problems a")
        page.wait_for_selector("h1:has-text('Menu')")
        page.goto(self.shop.url + "/#/items/2001")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('3')")
        self.to_checkout(page)
        page.wait_for_selector("#new-total:has-text('$28.15')")
        self.assertEqual(page.inner_text(".problems"), "")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(self.last_order("subtotal, total"), "2415|2815")

    def test_taken_slot_offers_others(self):
        """A slot that others have taken is reported with free slots, and one tap chooses one"""
        self.configure(ALL_DAY, SLOTS, "update fulfilments set orders_per_slot = 1;")
        page = self.guest(NARROW)
        fill_form(page, 707)
        start, *others = [slot["startsAt"] for slot in self.slots()][20:]
        self.choose_slot(page, start)
        place_order(self.shop, 771, wantedAt=start)
        place_order(self.shop, 772, wantedAt=others[1])
        page.click("button[type=submit]")
        page.wait_for_selector(".time .chip")
        self.assertEqual(page.locator(".time .chip").count(), 3)
        self.assertIn("That time is taken", page.inner_text("#field-wantedAt-error"))
        self.wait_for_focus(page, "field-wantedAt")
        self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 320)
        self.check_accessibility(page, "the free slots")
        self.tab_to(page, ".time .chip:nth-child(2)")
        page.keyboard.press("Enter")
        page.wait_for_function("start => document.querySelector('#field-wantedAt').value === start", arg=others[2])
        self.assertEqual(page.locator(".time .chip").count(), 0)
        self.wait_for_focus(page, "field-wantedAt")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(self.shop.sql(f"select count(*) from orders where wanted_at = '{others[2]}'"), "1")

    def test_slot_taken_during_checkout(self):
        """A slot taken just before the checkout is reported in the same way"""
        self.configure(ALL_DAY, SLOTS, "update fulfilments set orders_per_slot = 1;")
        page = self.guest()
        fill_form(page, 708)
        start, second = [slot["startsAt"] for slot in self.slots()][30:32]
        self.choose_slot(page, start)

        def sooner(route):
            # The removed route would continue its request, so remove it after this request.
            place_order(self.shop, 773, wantedAt=start)
            route.continue_()
            page.unroute("**/v1/checkout")

        page.route("**/v1/checkout", sooner)
        page.click("button[type=submit]")
        page.click(".time .chip >> nth=0")
        page.wait_for_function("start => document.querySelector('#field-wantedAt').value === start", arg=second)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(self.last_order(f"wanted_at = '{second}'"), "t")
        self.expected_errors += ("422",)

    def test_dish_outside_serving_hours(self):
        """A dish outside its serving hours shows them, can be added, and is ordered for that time"""
        self.configure(
            ALL_DAY,
            SLOTS,
            f"insert into serving_hours (menu_item_id, weekday, opens, closes) select 2001, {WEEKDAY}, '08:00',"
            " '11:00';",
        )
        page = self.visit("#/menu/200", PHONE, timezone_id=self.zone)
        page.wait_for_selector("[data-item='2001'] .mark:has-text('Served again')")
        page.click("[data-item='2001'] .button")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/basket")
        page.wait_for_selector("[data-line='2001']:has-text('please order it for that time')")
        self.to_checkout(page)
        fill_form(page, 709)
        page.click("button[type=submit]")
        page.wait_for_selector(".problems .warn:has-text('The Big Tasty: not available then, but')")
        self.check_accessibility(page, "a dish outside its serving hours")
        page.select_option("#field-wantedAt-day", value=self.shop.sql(f"select {TODAY} + 1"))
        page.wait_for_selector("#field-wantedAt option:nth-child(2)", state="attached")
        self.assertEqual(page.locator("#field-wantedAt option").count(), 7)
        page.select_option("#field-wantedAt", index=1)
        page.wait_for_selector(".problems:empty", state="attached")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")

    def times(self, page):
        """The days and times that a checkout offers, as shown."""
        found = []
        values = "all => all.map((entry) => entry.value).filter(Boolean)"
        for day in page.eval_on_selector_all("#field-wantedAt-day option", values):
            page.select_option("#field-wantedAt-day", value=day)
            page.wait_for_selector("#field-wantedAt option:first-child:not(:has-text('moment'))", state="attached")
            rows = (
                "(all, day) => all.filter((element) => element.value).map((element) => [day, element.value,"
                " element.textContent])"
            )
            found += page.eval_on_selector_all("#field-wantedAt option", rows, day)
        return found

    def test_checkout_in_other_time_zone(self):
        """A guest in another time zone sees days and times of the shop's zone with a remark"""
        self.configure(ALL_DAY, SLOTS, "update fulfilments set horizon_days = 2;")
        here, there = self.guest(), self.guest(timezone_id="Pacific/Kiritimati")
        # The first slot may have become too soon in the meantime.
        self.assertEqual(self.times(there)[-90:], self.times(here)[-90:])
        self.assertTrue(here.is_hidden("#zone") and here.is_hidden("fieldset.time .zone"))
        for selector in ("#zone", "fieldset.time .zone"):
            self.assertIn("All times are in the restaurant’s time zone", there.inner_text(selector))

    def test_order_in_other_time_zone(self):
        """The order and the list of orders of a guest in another time zone have times of the shop's zone"""
        order = place_whole_order(self.shop, 775)
        texts = []
        for zone in (self.zone, "Pacific/Kiritimati"):
            page = self.visit_order(order, timezone_id=zone)
            page.wait_for_selector(".due:not(:empty)")
            due = page.inner_text(".due").split("by ")[-1]
            page.goto(self.shop.url + "/#/orders")
            texts.append((due, page.inner_text("[data-order] .quiet >> nth=0")))
        self.assertEqual(texts[0], texts[1])

    def test_board_in_other_time_zone(self):
        """A tablet in another time zone shows times of the shop's zone with a remark"""
        place_order(self.shop, 776)
        texts = []
        for zone in (self.zone, "Pacific/Kiritimati"):
            board = self.staff(timezone_id=zone)
            board.wait_for_selector(".ticket .due")
            texts.append(board.locator(".ticket .due").all_inner_texts())
            self.assertEqual(board.is_visible("#orders .zone"), zone != self.zone)
        self.assertEqual(texts[0], texts[1])

    def test_settings_are_accessible(self):
        """axe reports nothing on these screens, light and dark, and none is wider than 320 pixels"""
        self.configure(TOMORROW_ONLY, SLOTS, AREAS)
        place_order(self.shop, 774, wantedAt=self.slots()[0]["startsAt"], fulfilment="pickup")
        for mode in ("light", "dark"):
            page = self.guest({**NARROW, "color_scheme": mode}, bypass_csp=True)
            page.fill("#field-postcode", "20001")
            page.wait_for_selector(".problems .warn")
            page.select_option("#field-wantedAt-day", value=self.shop.sql(f"select {TODAY} + 1"))
            page.wait_for_selector("#field-wantedAt option:nth-child(2)", state="attached")
            page.click("button[type=submit]")
            page.wait_for_selector("#field-wantedAt-error:has-text('choose a time')")
            self.check_accessibility(page, f"the checkout {mode}")
            self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 320)
            board = self.staff({**NARROW, "color_scheme": mode}, bypass_csp=True)
            board.wait_for_selector(".later .ticket")
            self.check_accessibility(board, f"the orders {mode}")
            board.click("[data-tab=shop]")
            board.wait_for_selector("#hours-today li")
            self.check_accessibility(board, f"the shop {mode}")
            self.assertLessEqual(board.evaluate("document.scrollingElement.scrollWidth"), 320)
            board.click("#shop >> text=Change hours")
            board.wait_for_selector("dialog.shifts[open]")
            self.check_accessibility(board, f"the hours {mode}")
            self.assertLessEqual(board.evaluate("document.querySelector('dialog').scrollWidth"), 320)


if __name__ == "__main__":
    unittest.main()
