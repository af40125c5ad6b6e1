# A guest's order from the menu to the bill, and its failures.

import json
import unittest

from axe_playwright_python.sync_playwright import Axe

from placing import place_whole_order
from shop import DESKTOP, PHONE, BrowserTest


def fill_form(page, number, **changes):
    """A valid checkout form. `number` makes the guest unique."""
    form = {
        "name": "ann lee",
        "phone": f"55501{number:05}",
        "email": f"ann{number}@example.com",
        "address": "12 main street, springfield",
        **changes,
    }
    for field, value in form.items():
        page.fill(f"#field-{field}", value)


class OrderingTests(BrowserTest):
    def with_burger(self, device=DESKTOP, item=2001):
        page = self.visit(f"#/items/{item}", device)
        page.click("text=Add to basket")
        self.wait_for_count(page, 1)
        return page

    def to_checkout(self, page):
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")

    def orders(self):
        return int(self.shop.sql("select count(*) from orders"))

    def order_as_guest(self, device, number):
        page = self.visit("#/", device)
        page.click(".tile:has-text('Burgers')")
        page.wait_for_selector("h2:has-text('Burgers')")
        page.click("[data-item='2001'] .button")
        page.wait_for_selector("#count:has-text('1')")
        page.click("[data-item='2002'] .face")
        page.click("text=Part of Happy Saturday")
        page.click(".poster .button:has-text('Add to basket')")
        page.wait_for_selector("button[aria-disabled=true]:has-text('In the basket')")
        page.click(".tabs [data-tab=basket]")
        page.click("[aria-label='One The Big Tasty more']")
        page.wait_for_selector("#count:has-text('3')")
        page.wait_for_selector("#total:has-text('$43.07')")
        page.reload()
        page.wait_for_selector("#total:has-text('$43.07')")
        page.click("text=Go to the checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, number, coupon="frst")
        page.wait_for_selector("#old-total:has-text('$43.07')")
        page.wait_for_selector("#new-total:has-text('$38.76')")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertIn("about", page.inner_text(".due"))
        self.assertIn("Ann Lee", page.inner_text(".customer"))
        self.assertEqual(page.inner_text(".bill .total strong"), "$38.76")
        self.assertTrue(page.is_hidden("#count"))
        return page

    def test_order_on_phone(self):
        """A guest orders on a phone, from the start page to the bill"""
        self.order_as_guest(PHONE, 101)

    def test_order_on_desktop_and_tracking(self):
        """On a desktop the order updates by itself, hides details from other devices, and can be ordered again"""
        page = self.order_as_guest(DESKTOP, 102)
        number = page.inner_text("h1").split()[-1]
        stranger = self.visit(page.url.split("/", 3)[3])
        stranger.wait_for_selector(f"h1:has-text('{number}')")
        self.assertEqual(stranger.locator(".customer").count(), 0)
        self.assertEqual(stranger.locator("text=Cancel the order").count(), 0)
        self.shop.sql(f"select advance_order('{number}', 'accepted')")
        for viewer in (page, stranger):
            # The timeout is shorter than the interval of the page's polls.
            viewer.wait_for_selector("[data-state=accepted]", timeout=3_000)
        page.wait_for_selector("text=Cancel the order", state="detached")
        # The guest sees the order number of the day. A device that only has the link does not see it.
        day = self.shop.sql(f"select day_number from orders where number = '{number}'")
        self.assertEqual(
            [viewer.inner_text(".order > .quiet >> nth=0") for viewer in (page, stranger)],
            [f"Kitchen number {day}", "Your order"],
        )
        page.click("text=Order again")
        page.wait_for_selector("#total:has-text('$43.07')")

    def test_tip_field(self):
        """A tip is validated while it is typed, appears on the bill and in the kitchen, and no coupon reduces it"""
        page = self.with_burger(PHONE)
        before = self.orders()
        self.to_checkout(page)
        fill_form(page, 140, coupon="frst")
        page.wait_for_selector("#new-total:has-text('$7.25')")
        for text, expected in (
            ("8.06", "up to $8.05"),
            ("1.234", "in digits"),
            ("-1", "in digits"),
            ("two", "in digits"),
            ("1e3", "in digits"),
            ("99999999999999", "in digits"),
        ):
            page.fill("#field-tip", text)
            page.wait_for_selector(f"#field-tip-error:has-text('{expected}')")
            page.click("button[type=submit]")
            page.wait_for_selector("button.shake")
        self.assertEqual(self.orders(), before)
        page.fill("#field-tip", "1,5")
        page.wait_for_selector("#new-total:has-text('$8.75')")
        self.assertEqual(page.inner_text(".totals [data-total=tip]").split("\n"), ["Tip", "$1.50"])
        self.assertEqual(page.inner_text("#field-tip-error"), "")
        self.check_accessibility(page)
        # A reload restores the coupon and the tip; personal details are not stored.
        page.reload()
        page.wait_for_selector("#new-total:has-text('$8.75')")
        fill_form(page, 140)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(
            page.locator(".bill > p").all_inner_texts(),
            ["Subtotal\n$8.05", "Welcome to the table (FRST)\n-$0.80", "Tip\n$1.50", "Total\n$8.75"],
        )
        self.assertEqual(self.shop.sql("select total, discount from orders order by placed_at desc limit 1"), "875|80")
        self.assertNotIn("FRST", self.visit(page.url.split("/", 3)[3]).locator(".bill").inner_text())

    def test_cancel_order(self):
        """A guest can cancel the order until it is accepted: a separate button asks for confirmation, and the page has
        the shop's phone number"""
        self.shop.sql("update shop set phone = '+1 (212) 555-0100'")
        page = self.with_burger(PHONE)
        self.to_checkout(page)
        fill_form(page, 103)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        number = page.inner_text("h1").split()[-1]
        cancel, again = (
            page.locator(f"main >> text={name}").bounding_box() for name in ("Cancel the order", "Order again")
        )
        self.assertGreater(cancel["y"] - again["y"], 200)
        page.wait_for_selector("main a[href='tel:+12125550100']:has-text('+1 (212) 555-0100')")
        self.shop.sql("update shop set phone = null")
        for answer in (
            lambda: page.keyboard.press("Enter"),
            lambda: page.keyboard.press("Escape"),
            lambda: page.click("dialog button:has-text('Keep it')"),
        ):
            page.click("main >> text=Cancel the order")
            page.wait_for_selector("dialog[open]")
            self.check_accessibility(page)
            answer()
            page.wait_for_selector("dialog", state="detached")
            self.assertEqual(page.evaluate("document.activeElement.textContent"), "Cancel the order")
            self.assertEqual(self.shop.sql(f"select state from orders where number = '{number}'"), "placed")
        page.click("main >> text=Cancel the order")
        page.click("dialog button:has-text('Cancel the order')")
        page.wait_for_selector("[data-state=cancelled]")

    def test_active_order_on_start(self):
        """The start page shows the state of the order without a layout shift, links to it, and drops it after the guest
        has seen its end"""
        page = self.with_burger(PHONE)
        self.to_checkout(page)
        fill_form(page, 104)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        number = page.inner_text("h1").split()[-1]
        page.context.add_init_script(
            """
            window.shifts = [];
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) window.shifts.push(entry.value);
            }).observe({type: 'layout-shift', buffered: true});"""
        )
        page.goto(self.shop.url + "/#/")
        page.reload()
        page.wait_for_selector(f".underway:has-text('Order {number}'):has-text('Placed · At your door in about')")
        page.wait_for_selector(".tickets")
        for state, words in (
            ("accepted", "Accepted · At your door"),
            ("preparing", "Preparing · At your door"),
            ("on_the_way", "On the way · At your door"),
            ("delivered", "Delivered"),
        ):
            self.shop.sql(f"select advance_order('{number}', '{state}')")
            page.wait_for_selector(f".underway:has-text('{words}')")
        self.assertEqual(page.evaluate("window.shifts"), [])
        self.check_accessibility(page)
        page.click(".underway")
        page.wait_for_selector(f"h1:has-text('Order {number}')")
        page.goto(self.shop.url + "/#/")
        page.wait_for_selector(".tickets")
        self.assertEqual(page.locator(".underway").count(), 0)

    def test_cancellation_with_lost_answer(self):
        """After a cancellation whose answer is lost, the page reads the order and shows its state"""
        page = self.with_burger()
        self.to_checkout(page)
        fill_form(page, 120)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")

        def lose(route):
            self.assertEqual(route.fetch().status, 200)
            route.abort("connectionreset")

        page.route("**/v1/orders/*/cancel", lose)
        # No event reports the cancellation.
        page.route("**/v1/orders/*/events", lambda route: route.abort())
        page.click("main >> text=Cancel the order")
        page.click("dialog button:has-text('Cancel the order')")
        page.wait_for_selector("[data-state=cancelled]")
        self.assertEqual(page.locator(".toast.problem").count(), 0)
        self.expected_errors += ("ERR_CONNECTION_RESET", "ERR_FAILED")

    def check_accessibility(self, page):
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})
        self.assertEqual(found.violations_count, 0, found.generate_report())

    def test_coupon_by_tap(self):
        """One tap uses a coupon and another removes it; the page names the ways to pay, and asks for a birthday only if
        needed"""
        page = self.visit("#/", PHONE)
        use = page.locator(".ticket:has-text('Welcome') [aria-label^='Apply']")
        other = page.locator(".ticket:not(:has-text('Welcome')) [aria-label^='Apply']").first
        other.click()
        use.click()
        page.wait_for_selector(".ticket:has-text('Welcome'):has-text('FRST') [aria-pressed=true]")
        self.assertEqual(page.locator(".ticket [aria-pressed=true]").count(), 1)
        page.click("[data-tab=menu]")
        page.click("[data-item='2001'] .button")
        page.wait_for_selector("#bar:has-text('Basket · 1')")
        self.to_checkout(page)
        self.assertEqual(page.input_value("#field-coupon"), "FRST")
        page.wait_for_selector("#old-total:has-text('$8.05')")
        page.wait_for_selector(".checkout-summary:has-text('in cash on delivery')")
        self.assertTrue(page.is_hidden("#field-birthday"))
        page.fill("#field-coupon", "HAPPY")
        page.wait_for_selector("#field-birthday:visible")
        page.wait_for_selector("#field-birthday-error:has-text('day')")
        page.fill("#field-coupon", "")
        page.wait_for_selector("#field-birthday", state="hidden")
        page.fill("#field-coupon", "FRST")
        page.goto(self.shop.url + "/#/")
        use.click()
        page.wait_for_selector(".ticket:has-text('Welcome') [aria-pressed=false]")
        self.to_checkout(page)
        self.assertEqual(page.input_value("#field-coupon"), "")

    def test_remember_and_forget_guest(self):
        """The device stores the guest's details only with consent, fills the next form, and deletes them on one tap"""
        page = self.with_burger(PHONE)
        kept = "JSON.stringify(localStorage)"

        def order(number, tick):
            self.to_checkout(page)
            fill_form(page, number)
            page.set_checked("#field-remember", tick)
            page.click("button[type=submit]")
            page.wait_for_selector(".bill")
            page.goto(self.shop.url + "/#/items/2001")
            page.click("text=Add to basket")
            page.wait_for_selector("#count:has-text('1')")

        order(150, False)
        self.assertNotIn("ann150", page.evaluate(kept) + page.evaluate("JSON.stringify(sessionStorage)"))
        self.assertEqual(page.evaluate(kept).count("until"), 1, "the device stores the order for a day only")
        page.goto(self.shop.url + "/#/orders")
        page.wait_for_selector("text=keeps an order for one day after it was due")
        page.click(".orders li a")
        page.click("text=Keep it on this device")
        page.wait_for_selector("text=Keep it on this device", state="detached")
        self.assertEqual([page.evaluate(kept).count(word) for word in ("token", "until")], [1, 0])
        order(151, True)
        self.assertIn("ann151", page.evaluate(kept))
        self.to_checkout(page)
        self.assertEqual([page.input_value(f"#field-{name}") for name in ("name", "email", "address")],
                         ["ann lee", "ann151@example.com", "12 main street, springfield"])
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        page.goto(self.shop.url + "/#/orders")
        # Order again from the list of orders, with four taps in all.
        page.click("[aria-label$=again] >> nth=0")
        page.click("text=Go to the checkout")
        page.wait_for_selector("#new-total:has-text('$8.05')")
        # A pickup does not ask for an address, and the next delivery still has it.
        page.check("#field-fulfilment-pickup")
        page.wait_for_selector(".checkout-summary:has-text('in cash at pickup')")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertIn("12 main street", page.evaluate(kept))
        page.goto(self.shop.url + "/#/items/2001")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        self.to_checkout(page)
        page.fill("#field-comment", "the ann151 of before")
        page.goto(self.shop.url + "/#/orders")
        page.wait_for_selector(".orders li:has-text('Placed · $8.05'):has-text('1 × The Big Tasty') >> nth=3")
        page.evaluate("localStorage.setItem('welms.staff.x', '1')")
        page.click("text=Forget me on this device")
        page.click("dialog button:has-text('Forget everything')")
        page.wait_for_selector(".toast:has-text('has forgotten all')")
        page.wait_for_selector(".empty")
        # The basket, favourites, theme and language are deleted too; the storage of the staff page stays.
        self.assertEqual(
            page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort()"),
            ["welms.entered", "welms.staff.x"],
        )
        order_now = page.context.new_page()
        self.watch(order_now)
        order_now.goto(self.shop.url + "/#/items/2001")
        order_now.click("text=Add to basket")
        order_now.wait_for_selector("#count:has-text('1')")
        self.to_checkout(order_now)
        self.assertEqual(order_now.input_value("#field-name"), "")

    def test_tap_counts_of_new_and_known_guest(self):
        """Besides the form, drinks, a dish, a set and a coupon take ten taps; a remembered guest reorders with five"""
        page = self.visit("#/", PHONE)
        taps = []

        def tap(selector):
            taps.append(selector)
            page.tap(selector)

        tap(".ticket:has-text('Welcome') [aria-label^='Apply']")
        tap("[data-sale='200'] .face")
        tap("text=Add to basket")
        tap("[data-tab=menu]")
        tap("#list [data-item='2001'] .button")
        tap(".chapters >> text=Beverages")
        tap("#list [data-item='4001'] .button")
        tap("#bar a")
        tap("text=Go to the checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, 190)
        page.set_checked("#field-remember", True)
        tap("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertIn("FRST", page.inner_text(".bill"))
        self.assertLessEqual(len(taps), 10)
        page.goto(self.shop.url + "/#/")
        page.wait_for_selector(".ticket")
        taps.clear()
        tap(".foot >> text=Your orders")
        tap("[aria-label$=again]")
        tap("text=Go to the checkout")
        page.wait_for_selector("#new-total")
        tap("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertLessEqual(len(taps), 5)

    def test_basket_bar_and_card_quantity(self):
        """A bar shows the basket's total on the menu; a card shows its quantity and has a minus"""
        for device in (PHONE, DESKTOP):
            page = self.visit("#/menu/200", device)
            page.wait_for_selector("[data-item='2001']")
            self.assertTrue(page.is_hidden("#bar"))
            card = page.locator("#list [data-item='2001']")
            self.assertTrue(card.locator(".round[aria-label$='less']").is_hidden())
            card.locator(".button").scroll_into_view_if_needed()
            place = card.locator(".button").bounding_box()
            card.locator(".button").click()
            page.wait_for_selector("[data-item='2001'] .quantity:has-text('1')")
            # The tapped button keeps its place.
            page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
            page.wait_for_selector("#bar:has-text('Basket · 2'):has-text('$16.10')")
            page.wait_for_selector("[data-item='2001'] .quantity:has-text('2')")
            card.locator(".round[aria-label$='less']").click()
            page.wait_for_selector("#bar:has-text('Basket · 1'):has-text('$8.05')")
            found = Axe().run(page)
            self.assertEqual(found.violations_count, 0, found.generate_report())
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
            card.locator(".round[aria-label$='less']").focus()
            page.keyboard.press("Enter")
            page.wait_for_selector("#bar", state="hidden")
            self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-label')"), "Add The Big Tasty")
            card.locator(".button").click()
            page.click("#bar a")
            page.wait_for_selector("#total:has-text('$8.05')")
            self.assertTrue(page.is_hidden("#bar"))

    def refuse_coupon(self, page):
        """Answers the checkout with an error that no validation finds."""
        page.route(
            "**/v1/checkout",
            lambda route: route.fulfill(
                status=422,
                content_type="application/problem+json",
                body=json.dumps(
                    {
                        "code": "validation_failed",
                        "status": 422,
                        "detail": "x",
                        "errors": [
                            {
                                "field": "coupon",
                                "code": "coupon_first_order_only",
                                "message": "This coupon is for a first order.",
                                "params": {},
                            }
                        ],
                    }
                ),
            ),
        )

    def test_coupon_error_is_in_view(self):
        """A rejected coupon is scrolled into view on a phone and announced, both while typing and after the order"""
        page = self.with_burger(PHONE)
        self.to_checkout(page)
        in_view = """() => {
            const box = document.getElementById('field-coupon-error').getBoundingClientRect();
            return box.height > 0 && box.top >= document.querySelector('.top').getBoundingClientRect().bottom
                && box.bottom <= document.querySelector('.tabs').getBoundingClientRect().top;
        }"""
        # Scrolls the field to just above the tab bar, where a browser leaves a focused field.
        page.evaluate(
            "scrollBy(0, document.getElementById('field-coupon').getBoundingClientRect().bottom -"
            " document.querySelector('.tabs').getBoundingClientRect().top + 4)"
        )
        page.evaluate("document.getElementById('field-coupon').focus({preventScroll: true})")
        page.keyboard.type("NOPE")
        page.wait_for_selector("#field-coupon-error:has-text('coupon')")
        self.assertTrue(page.evaluate(in_view))
        self.assertEqual(page.get_attribute("#field-coupon-error", "aria-live"), "polite")
        fill_form(page, 121, coupon="FRST")
        page.wait_for_selector("#new-total:has-text('$7.25')")
        self.refuse_coupon(page)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.click("button[type=submit]")
        page.wait_for_selector("#field-coupon-error:has-text('first order')")
        self.assertTrue(page.evaluate(in_view))
        self.assertEqual(page.evaluate("document.activeElement.id"), "field-coupon")
        page.wait_for_function(
            "() => document.getElementById('announcer').textContent.includes('This coupon is for a first order')"
        )
        self.expected_errors += ("422",)

    def test_late_validation_keeps_the_error(self):
        """A validation that is answered after the order was rejected does not remove the order's error"""
        page, held = self.with_burger(), []
        self.to_checkout(page)
        fill_form(page, 122, coupon="FRST")
        page.wait_for_selector("#new-total:has-text('$7.25')")
        page.route("**/v1/checkout/validate", lambda route: route.continue_() if held else held.append(route))
        with page.expect_request("**/v1/checkout/validate"):
            page.focus("#field-comment")
        self.refuse_coupon(page)
        page.click("button[type=submit]")
        page.wait_for_selector("#field-coupon-error:has-text('first order')")
        with page.expect_response("**/v1/checkout/validate"):
            held[0].continue_()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.assertIn("first order", page.inner_text("#field-coupon-error"))
        self.expected_errors += ("422",)

    def test_field_errors(self):
        """Each error appears beside its field when the field is left; an invalid form shakes and focuses the first
        error"""
        page = self.with_burger(PHONE)
        self.to_checkout(page)
        for field, wrong, words in (
            ("name", "4nn", "letters"),
            ("phone", "12", "phone number"),
            ("email", "ann", "email"),
            ("address", "x", "address"),
        ):
            page.fill(f"#field-{field}", wrong)
            page.locator(f"#field-{field}").blur()
            page.wait_for_selector(f"#field-{field}-error:has-text('{words}')")
            self.assertEqual(page.get_attribute(f"#field-{field}", "aria-invalid"), "true")
        page.type("#field-coupon", "nope")
        page.wait_for_selector("#field-coupon-error:has-text('coupon')")
        before = self.orders()
        page.click("button[type=submit]")
        page.wait_for_selector("button.shake")
        self.assertEqual(page.evaluate("document.activeElement.id"), "field-name")
        self.assertEqual(self.orders(), before)
        fill_form(page, 104, coupon="")
        page.locator("#field-coupon").blur()
        page.wait_for_selector(".error:not(:empty)", state="detached")

    def test_two_tabs_share_basket(self):
        """Two tabs show the same basket and the same order"""
        page = self.with_burger()
        other = page.context.new_page()
        other.goto(self.shop.url + "/#/basket")
        other.wait_for_selector("#total:has-text('$8.05')")
        page.click("text=Add to basket")
        other.wait_for_selector("#total:has-text('$16.10')")
        self.to_checkout(page)
        self.to_checkout(other)
        fill_form(page, 105)
        fill_form(other, 105)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        other.wait_for_selector("text=There is nothing to order yet")

    def test_lost_checkout_answer(self):
        """A checkout whose answer is lost is repeated with the same key, and places one order"""
        page = self.with_burger()
        self.to_checkout(page)
        fill_form(page, 106)
        before, keys = self.orders(), []

        def lose_first(route):
            keys.append(route.request.headers["idempotency-key"])
            answer = route.fetch()
            if len(keys) == 1:
                self.assertEqual(answer.status, 201)
                route.abort("connectionreset")
            else:
                self.assertEqual(answer.headers.get("idempotency-replayed"), "true")
                route.fulfill(response=answer)

        page.route("**/v1/checkout", lose_first)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.assertEqual(len(keys), 2)
        self.assertEqual(keys[0], keys[1])
        self.assertEqual(self.orders(), before + 1)
        self.expected_errors += ("ERR_CONNECTION_RESET",)

    def test_rate_limit_after_lost_answer(self):
        """A retry that is rate limited waits and keeps its key, and places one order"""
        page = self.with_burger()
        self.to_checkout(page)
        fill_form(page, 118)
        before, keys = self.orders(), []

        def lose_then_limit(route):
            keys.append(route.request.headers["idempotency-key"])
            if len(keys) == 1:
                self.assertEqual(route.fetch().status, 201)
                route.abort("connectionreset")
            elif len(keys) == 2:
                route.fulfill(status=429, headers={"Retry-After": "1"}, content_type="application/problem+json",
                              body='{"code": "rate_limited", "detail": "That was too often.", "status": 429}')
            else:
                route.continue_()

        page.route("**/v1/checkout", lose_then_limit)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        page.wait_for_selector(".customer")
        self.assertEqual((len(keys), len(set(keys))), (3, 1))
        self.assertEqual(self.orders(), before + 1)
        self.expected_errors += ("ERR_CONNECTION_RESET", "429")

    def test_reload_after_lost_answer(self):
        """The idempotency key survives a reload, and the same attempt is completed"""
        page = self.with_burger()
        self.to_checkout(page)
        fill_form(page, 107)
        before = self.orders()

        def lose(route):
            route.fetch()
            route.abort("connectionreset")

        page.route("**/v1/checkout", lose)
        with page.expect_event("requestfailed"):
            page.click("button[type=submit]")
        page.unroute("**/v1/checkout")
        page.reload()
        page.wait_for_selector(".bill")
        self.assertEqual(self.orders(), before + 1)
        self.expected_errors += ("ERR_CONNECTION_RESET", "net::ERR")

    def test_price_change_before_order(self):
        """A price that changes after the quote is shown with the old price, and needs confirmation"""
        page = self.with_burger(item=3003)
        self.to_checkout(page)
        fill_form(page, 108)
        before = self.orders()
        self.addCleanup(self.shop.sql, "update menu_items set price = 559 where id = 3003")

        def change(route):
            self.shop.sql("update menu_items set price = 599 where id = 3003")
            route.continue_()

        page.route("**/v1/checkout", change, times=1)
        page.click("button[type=submit]")
        page.wait_for_selector(".changed:has-text('$5.59')")
        self.expected_errors += ("409 (Conflict)",)
        self.assertIn("Fried Potatoes: $5.59 → $5.99", page.inner_text(".changed"))
        self.assertEqual(self.orders(), before)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill .total strong:has-text('$5.99')")

    def test_old_total_without_quote(self):
        """A tap after another tab has changed the basket shows only the new total while the page has no quote"""
        page = self.with_burger()
        # Answers each validation before the tap as a busy shop does. An earlier request cannot be answered later.
        page.evaluate("""() => {
            const send = window.fetch;
            const refusal = '{"code": "overloaded", "detail": "We are very busy.", "status": 503}';
            const headers = {'Content-Type': 'application/problem+json'};
            window.fetch = async (address, options) => address === '/v1/checkout/validate' && !window.isTapped
                ? new Response(refusal, {status: 503, headers}) : send(address, options);
        }""")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector(".checkout .total:has-text('$8.05')")
        fill_form(page, 123)
        before = self.orders()
        other = page.context.new_page()
        other.goto(self.shop.url + "/#/items/2001")
        other.click("text=Add to basket")
        self.wait_for_count(other, 2)
        page.wait_for_selector(".checkout summary:has-text('Your order (2)')")
        self.assertEqual(page.inner_text(".checkout .total strong"), "$8.05")
        page.evaluate("""() => {
            window.isTapped = true;
            document.querySelector('button[type=submit]').click();
        }""")
        page.wait_for_selector(".changed li:has-text('Total: $16.10')")
        self.assertEqual(page.locator(".changed li").all_inner_texts(), ["Total: $16.10"])
        self.assertEqual(self.orders(), before)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill .total strong:has-text('$16.10')")

    def test_unseen_coupon_total(self):
        """An order whose coupon total was never shown is not placed: the total is shown and needs confirmation"""
        page = self.with_burger()
        self.to_checkout(page)
        fill_form(page, 110)
        before = self.orders()
        page.evaluate("""() => {
            document.getElementById('field-coupon').value = 'frst';
            document.querySelector('button[type=submit]').click();
        }""")
        page.wait_for_selector(".changed:has-text('Your details have changed the total')")
        self.assertEqual(page.inner_text("#new-total"), "$7.25")
        self.assertEqual(self.orders(), before)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill .total strong:has-text('$7.25')")

    def test_tracking_by_polling(self):
        """Without an event stream the page polls the order, which still updates by itself"""
        page = self.with_burger()
        page.route("**/v1/orders/*/events", lambda route: route.fulfill(status=404))
        self.to_checkout(page)
        fill_form(page, 111)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        number = page.inner_text("h1").split()[-1]
        self.shop.sql(f"select advance_order('{number}', 'rejected', 'The oven is cold')")
        page.wait_for_selector("[data-state=rejected]:has-text('The oven is cold')")
        self.expected_errors += ("404",)

    def test_tracking_after_failed_read(self):
        """If the read after an event fails, the page reads the order again without another event"""
        page = self.with_burger()
        self.to_checkout(page)
        fill_form(page, 119)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        number, lost = page.inner_text("h1").split()[-1], []

        def lose_first(route):
            if lost:
                return route.continue_()
            lost.append(route.request.url)
            route.abort("connectionreset")

        page.route("**/v1/orders/*", lose_first)
        self.shop.sql(f"select advance_order('{number}', 'accepted')")
        page.wait_for_selector("[data-state=accepted]")
        self.assertEqual(len(lost), 1)
        self.expected_errors += ("ERR_CONNECTION_RESET",)

    def test_copy_link_without_clipboard(self):
        """The link of an order is copied without the clipboard API; if copying fails, it is shown"""
        order = place_whole_order(self.shop, 881)
        for script, expected in (("", "Link copied."), ("document.execCommand = () => false;", order["id"])):
            page = self.visit_order(order)
            page.wait_for_selector(".bill")
            page.evaluate(f"""() => {{
                Object.defineProperty(navigator, 'clipboard', {{value: undefined}});
                document.addEventListener('copy', () => {{ window.copied = document.activeElement.value; }});
                {script}
            }}""")
            page.click("text=Copy the link")
            page.wait_for_selector(f".toast:has-text('{expected}')")
            if not script:
                self.assertEqual(page.evaluate("window.copied"), page.url)
            self.assertEqual(page.evaluate("document.activeElement.textContent"), "Copy the link")

    def test_order_by_keyboard(self):
        """A guest orders by keyboard alone, from the menu to the bill"""
        page = self.visit("#/items/2001")
        page.wait_for_selector("text=Add to basket")

        def tab_to(selector):
            for _ in range(150):
                page.keyboard.press("Tab")
                if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                    return
            self.fail(f"Tab did not reach {selector}")

        page.keyboard.press("Tab")
        self.assertTrue(page.evaluate("document.activeElement.matches('.skip')"))
        tab_to(".detail .button.big")
        page.keyboard.press("Enter")
        page.wait_for_selector("#count:has-text('1')")
        page.evaluate("document.activeElement.blur()")
        tab_to("[data-tab=menu]")
        page.keyboard.press("Enter")
        page.wait_for_selector("#list [data-item='1001']")
        self.assertEqual(
            page.evaluate("document.activeElement.tagName"),
            "H1",
            "the focus must stay on the heading when the list arrives",
        )
        page.evaluate("document.activeElement.blur()")
        tab_to("[data-tab=basket]")
        page.keyboard.press("Enter")
        page.wait_for_selector("#total")
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1")
        tab_to("[data-key='plus 2001']")
        page.keyboard.press("Space")
        page.wait_for_selector("#total:has-text('$16.10')")
        self.assertEqual(page.evaluate("document.activeElement.dataset.key"), "plus 2001")
        tab_to("a[href='#/checkout']")
        page.keyboard.press("Enter")
        page.wait_for_selector("#new-total")
        for field, value in (
            ("name", "Ann Lee"),
            ("phone", "5550100109"),
            ("email", "ann109@example.com"),
            ("address", "12 Main Street"),
        ):
            tab_to(f"#field-{field}")
            page.keyboard.type(value)
        tab_to("button[type=submit]")
        page.keyboard.press("Enter")
        page.wait_for_selector(".bill")


if __name__ == "__main__":
    unittest.main()
