# The data that a device stores about a guest, and for how long: order tokens for a day, remembered details until the
# guest deletes them, typed details never. Also the list of active orders on the start page.

import json
import unittest

from placing import place_whole_order
from shop import DESKTOP, PHONE
from terms import ALL_DAY, AREAS, SLOTS, ConfiguredShopTest
from test_ordering import fill_form
from test_page import SHIFTS

DAY = 24 * 3_600_000
ANSWERS = "caches.open('welms.answers').then((answers) => answers.keys()).then((all) => all.map(({url}) => url))"
HOUR = 3_600_000
STORED = "[JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage})].join()"
ORDERS = "JSON.parse(localStorage['welms.orders'] ?? '[]')"
# The personal fields of the checkout form.
DETAILS = ("name", "phone", "email", "address", "comment")


class DeviceTests(ConfiguredShopTest):
    def submit_order(self, page):
        """Submits the order. Returns its id, its number and the time it is due, in milliseconds."""
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        order, number = page.url.split("/")[-1], page.inner_text("h1").split()[-1]
        due = self.shop.sql(
            "select (extract(epoch from coalesce(promised_at, wanted_at, placed_at + make_interval(mins =>"
            f" eta_minutes))) * 1000)::bigint from orders where id = '{order}'"
        )
        return order, number, int(due)

    def edit_stored_orders(self, page, script):
        """Edits the stored orders with a script, and reloads the page."""
        page.evaluate(f"() => {{ localStorage['welms.orders'] = JSON.stringify({ORDERS}.{script}); }}")
        page.reload()

    def test_order_is_stored_for_a_day(self):
        """A device finds its order until one day after the order was due, also in a new tab; then it is deleted"""
        page = self.guest()
        fill_form(page, 950)
        order, number, due = self.submit_order(page)
        [[kept, due_at, until]] = page.evaluate(f"{ORDERS}.map(({{id, due, until}}) => [id, due, until])")
        self.assertEqual((kept, until), (order, due_at + DAY))
        self.assertAlmostEqual(due_at, due, delta=1, msg="the due time must be equal up to 1 ms")
        stored = page.evaluate(STORED).lower()
        for word in ("ann950", "ann lee", "main street", "55501"):
            self.assertNotIn(word, stored)
        context = page.context
        page.close()
        page = context.new_page()
        page.goto(self.shop.url + "/#/")
        page.wait_for_selector(f".underway:has-text('Order {number}')")
        page.goto(self.shop.url + "/#/orders")
        page.wait_for_selector("text=keeps an order for one day after it was due")
        page.click(".orders li a")
        page.wait_for_selector(".customer:has-text('12 Main Street')")
        self.edit_stored_orders(page, f"map((entry) => ({{...entry, until: {due - 2 * HOUR}}}))")
        page.wait_for_selector(f"h1:has-text('Order {number}')")
        self.assertEqual(page.locator(".customer").count(), 0)
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.orders')"))

    def test_form_is_not_stored(self):
        """Typed details survive another screen but are not stored; a reload restores only postcode, coupon and tip"""
        self.configure(AREAS)
        page = self.guest()
        fill_form(page, 951, postcode="10115", coupon="frst", tip="1", comment="Ring at Lee's")
        page.wait_for_selector(".totals [data-total=tip]")
        before = [page.input_value(f"#field-{name}") for name in DETAILS]
        stored = page.evaluate(STORED).lower()
        for word in ("ann", "lee", "main street", "55501"):
            self.assertNotIn(word, stored)
        page.click("[data-tab=menu]")
        page.wait_for_selector("#list [data-item]")
        self.to_checkout(page)
        self.assertEqual([page.input_value(f"#field-{name}") for name in DETAILS], before)
        page.reload()
        page.wait_for_selector("#new-total")
        self.assertEqual([page.input_value(f"#field-{name}") for name in DETAILS], [""] * 5)
        self.assertEqual(
            [page.input_value(f"#field-{name}") for name in ("postcode", "coupon", "tip")], ["10115", "frst", "1"]
        )

    def test_language_change_keeps_the_form(self):
        """A change of language keeps all fields of the form and stores none of them"""
        self.configure(AREAS)
        page = self.guest()
        fill_form(page, 956, postcode="10115", coupon="frst", tip="1", comment="Ring at Lee's")
        page.check("#field-remember")
        names = (*DETAILS, "postcode", "coupon", "tip")
        before = [page.input_value(f"#field-{name}") for name in names]
        page.click("#languages [lang=de]")
        page.wait_for_selector("label[for=field-postcode]:has-text('Postleitzahl')")
        page.wait_for_selector("#new-total")
        self.assertEqual([page.input_value(f"#field-{name}") for name in names], before)
        self.assertTrue(page.is_checked("#field-remember"))
        stored = page.evaluate(STORED).lower()
        for word in ("ann", "lee", "main street", "55501"):
            self.assertNotIn(word, stored)

    def test_remembered_details_fill_the_form(self):
        """With the guest's consent, the next form in a new tab has name, phone, email, address and postcode"""
        self.configure(AREAS)
        page = self.guest()
        fill_form(page, 952, postcode="10115")
        page.check("#field-remember")
        order, _, _ = self.submit_order(page)
        self.assertEqual(page.evaluate(f"{ORDERS}.map(({{id, until}}) => [id, until ?? null])"), [[order, None]])
        context = page.context
        page.close()
        page = context.new_page()
        page.goto(self.shop.url + "/#/items/2001")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        self.to_checkout(page)
        names = ("name", "phone", "email", "address", "postcode")
        self.assertEqual(
            [page.input_value(f"#field-{name}") for name in names],
            ["ann lee", "5550100952", "ann952@example.com", "12 main street, springfield", "10115"],
        )

    def test_forget_everything(self):
        """“Forget everything” deletes the details, orders, basket, favourites, theme, language and typed fields"""
        page = self.guest(PHONE)
        fill_form(page, 953)
        page.check("#field-remember")
        self.submit_order(page)
        page.goto(self.shop.url + "/#/items/2002")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.click("[aria-pressed=false][aria-label*='avourite']")
        for name, value in (("theme", "dark"), ("language", "en")):
            page.evaluate(
                "([name, value]) => localStorage.setItem(`welms.${name}`, JSON.stringify(value))", [name, value]
            )
        self.to_checkout(page)
        page.fill("#field-coupon", "frst")
        names = set(page.evaluate("Object.keys(localStorage)"))
        self.assertLessEqual(
            {"welms.guest", "welms.orders", "welms.basket", "welms.favourites", "welms.theme", "welms.language"}, names
        )
        page.goto(self.shop.url + "/#/orders")
        page.click("text=Forget me on this device")
        page.wait_for_selector("dialog.asking[open]")
        page.click("dialog button:has-text('Keep it')")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(set(page.evaluate("Object.keys(localStorage)")), names)
        page.goto(self.shop.url + "/#/menu?without=milk")
        page.wait_for_selector("#list.grid [data-item]")
        self.assertTrue(any("milk" in name for name in page.evaluate(ANSWERS)))
        page.goto(self.shop.url + "/#/orders")
        page.click("text=Forget me on this device")
        page.click("dialog button:has-text('Forget everything')")
        page.wait_for_selector(".toast:has-text('has forgotten all')")
        self.assertFalse(any("milk" in name for name in page.evaluate(ANSWERS)))
        self.assertEqual(
            page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"), ["welms.entered"]
        )
        page.goto(self.shop.url + "/#/favourites")
        page.wait_for_selector(".empty")

    def test_active_orders_on_start(self):
        """The start page lists at most three active orders until six hours after they are due, the next due first; only
        two have a stream, and no layout shift occurs"""
        page = self.guest()
        fill_form(page, 954)
        order, number, due = self.submit_order(page)
        shown = "all => all.map((element) => element.getAttribute('href').split('/').at(-1))"

        def check_active_orders(ids):
            page.wait_for_function("many => document.querySelectorAll('.underway').length === many", arg=len(ids))
            self.assertEqual(page.eval_on_selector_all(".underway", shown), ids)

        page.goto(self.shop.url + "/#/")
        # An order that was placed eight hours ago and is not yet due is listed; one that was due seven hours ago is
        # not.
        self.edit_stored_orders(
            page, "map((entry) => ({...entry, at: new Date(Date.now() - 8 * %d).toISOString()}))" % HOUR
        )
        page.wait_for_selector(f".underway:has-text('Order {number}'):has-text('Placed')")
        check_active_orders([order])
        self.edit_stored_orders(page, f"map((entry) => ({{...entry, due: {due - 7 * HOUR}}}))")
        page.wait_for_selector(".tickets")
        check_active_orders([])
        ids = [order]
        for index in range(3):
            page.goto(self.shop.url + "/#/items/2001")
            page.click("text=Add to basket")
            page.wait_for_selector("#count:has-text('1')")
            self.to_checkout(page)
            fill_form(page, 955 + index)
            ids.append(self.submit_order(page)[0])
        page.goto(self.shop.url + "/#/")
        page.add_init_script("""
            window.shifts = [];
            new PerformanceObserver((list) => { for (const entry of list.getEntries())
                window.shifts.push(entry.value); }).observe({type: 'layout-shift', buffered: true});
            window.streams = [];
            window.EventSource = class extends EventSource {
                constructor(path) {
                    super(path);
                    if (path.startsWith('/v1/orders/')) window.streams.push(path.split('/').at(-2));
                }
            };""")
        dues = {ids[0]: due + 3 * HOUR, ids[1]: due + HOUR, ids[2]: due - HOUR, ids[3]: due + 2 * HOUR}
        self.edit_stored_orders(page, f"map((entry) => ({{...entry, due: {json.dumps(dues)}[entry.id]}}))")
        page.wait_for_selector(".tickets")
        check_active_orders([ids[2], ids[1], ids[3]])
        for id in ids[1:]:
            page.wait_for_selector(f".underway[href$='{id}']:has-text('Placed')")
        self.assertEqual(page.evaluate("window.shifts"), [])
        # The two orders due next update through their streams. The third updates when the page becomes visible, before
        # its poll.
        self.shop.sql(f"select advance_order(number, 'rejected', 'We are sold out.') from orders where id = '{ids[2]}'")
        self.shop.sql(f"select advance_order(number, 'accepted') from orders where id = '{ids[1]}'")
        page.wait_for_selector(f".underway[href$='{ids[1]}']:has-text('Accepted')")
        page.wait_for_selector(f".underway[href$='{ids[2]}']:has-text('Cancelled by the restaurant')")
        self.shop.sql(f"select advance_order(number, 'accepted') from orders where id = '{ids[3]}'")
        page.evaluate("() => { document.dispatchEvent(new Event('visibilitychange')); }")
        page.wait_for_selector(f".underway[href$='{ids[3]}']:has-text('Accepted')", timeout=10_000)
        self.assertEqual(sorted(page.evaluate("window.streams")), sorted(ids[1:3]))
        page.reload()
        check_active_orders([ids[1], ids[3], ids[0]])

    def test_pre_order_on_start(self):
        """A pre-order is on the start page until six hours after it is due, without a layout shift; a device without
        orders requests none"""
        self.configure(ALL_DAY, SLOTS)
        page = self.guest()
        start = self.slots()[37]["startsAt"]
        self.choose_slot(page, start)
        fill_form(page, 961)
        order, number, due = self.submit_order(page)
        self.assertEqual(page.evaluate(f"[Date.parse('{start}'), {ORDERS}[0].due]"), [due, due])
        page.add_init_script(SHIFTS)
        page.add_init_script(
            "const [now, ahead] = [Date.now, Number(localStorage.ahead)]; Date.now = () => now() + ahead;"
        )

        def open_start(moment):
            """Opens the start page at a time of the device's clock."""
            page.evaluate("moment => { localStorage.ahead = moment - new Date().getTime(); }", moment)
            page.reload()

        page.goto(self.shop.url + "/#/")
        page.wait_for_selector(".underway:has-text('Placed')")
        boxes = []

        def answer_last(route):
            page.wait_for_selector(".tickets")
            boxes.append(page.locator(".underway").bounding_box())
            route.continue_()

        page.route(f"**/v1/orders/{order}", answer_last)
        for moment in (due - 8 * HOUR, due + 5 * HOUR):
            open_start(moment)
            page.wait_for_selector(
                f".underway[href$='{order}']:has-text('Order {number}'):has-text('Placed · At your door')"
            )
            self.assertEqual(page.locator(".underway").bounding_box(), boxes.pop())
            self.assertEqual(page.evaluate("window.shifts"), [])
        open_start(due + 7 * HOUR)
        page.wait_for_selector(".tickets")
        self.assertEqual(page.locator(".underway").count(), 0)
        self.assertEqual(page.evaluate(f"{ORDERS}.length"), 1)
        # The server's clock, not the device's, decides when an order is over.
        page.evaluate("() => { localStorage.ahead = 0; }")
        self.edit_stored_orders(
            page, f"map((entry) => ({{...entry, until: entry.at ? Date.parse(entry.at) - {HOUR} : 0}}))"
        )
        page.wait_for_selector(".tickets")
        page.goto(self.shop.url + "/#/orders")
        page.wait_for_selector(".empty")
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.orders')"))
        newcomer, asked = self.context(PHONE).new_page(), []
        newcomer.on("request", lambda request: asked.append(request.url))
        newcomer.goto(self.shop.url)
        newcomer.wait_for_selector(".ticket")
        self.assertEqual([url for url in asked if "/v1/orders" in url], [])

    def test_active_order_counts_down(self):
        """The active order on the start page counts down while the page stays open, and says when the order is late"""
        order = place_whole_order(self.shop, 963)
        context = self.context(PHONE)
        context.clock.install()
        page = context.new_page()
        kept = {"id": order["id"], "number": order["number"], "at": order["placedAt"], "token": order["accessToken"]}
        page.add_init_script(f"localStorage['welms.orders'] = {json.dumps(json.dumps([{**kept, 'due': 9e15}]))}")
        # Hide the Date header, so that no answer corrects the page's clock.
        page.add_init_script(
            "const get = Headers.prototype.get; Headers.prototype.get = function (name) { return name === 'Date' ? null"
            " : get.call(this, name); };"
        )
        page.goto(self.shop.url)
        page.wait_for_selector(".underway:has-text('in about')")
        before = page.inner_text(".underway")
        page.clock.fast_forward(5 * 60_000)
        page.wait_for_function("before => document.querySelector('.underway').innerText !== before", arg=before)
        self.assertIn("in about", page.inner_text(".underway"))
        page.clock.fast_forward(30 * 60_000)
        page.wait_for_selector(".underway:has-text('running late')")

    def test_reorder_reports_changes(self):
        """“Order again” names each dish and set whose price has changed or that is unavailable today"""
        page = self.visit("#/items/2001", DESKTOP)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/items/3003")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('2')")
        page.goto(self.shop.url + "/#/sales/200")
        page.click(".button:has-text('Add to basket')")
        page.wait_for_selector("#count:not(:has-text('2'))")
        self.to_checkout(page)
        fill_form(page, 960)
        self.submit_order(page)
        self.addCleanup(
            self.shop.sql,
            "update menu_items set price = 805 where id = 2001; update menu_items set price = price - 100 where id ="
            " 2002; update menu_items set is_available = true where id = 3003",
        )
        self.configure(
            "update menu_items set price = 825 where id = 2001; update menu_items set price = price + 100 where id ="
            " 2002; update menu_items set is_available = false where id = 3003;"
        )
        self.expected_errors += ("409",)
        page.click("text=Order again")
        page.wait_for_selector(
            ".toast.problem:has-text('Not available today: Fried Potatoes. The Big Tasty costs $8.25 now. Happy"
            " Saturday costs ')"
        )

    def test_reorder_resumes_after_failure(self):
        """“Order again” that failed half-way adds only the missing lines on the next tap, also after a reload"""
        order = place_whole_order(self.shop, 962, ((2001, 1), (3001, 2), (3003, 1)))
        page = self.visit_order(order)
        page.wait_for_selector(".bill")
        page.route(
            "**/v1/baskets/*/items",
            lambda route: route.abort() if "3003" in route.request.post_data else route.continue_(),
        )
        self.expected_errors += ("ERR_FAILED",)
        for _ in range(2):
            page.click("text=Order again")
            page.wait_for_selector(".toast.problem")
            page.wait_for_selector("#count:has-text('3')")
            # The next tap does not wait for the basket.
            page.reload()
            page.wait_for_selector(".bill")
        page.unroute("**/v1/baskets/*/items")
        page.click("text=Order again")
        page.wait_for_selector("#total")
        self.assertEqual(sorted(page.locator(".line .quantity > :last-child").all_inner_texts()), ["1", "1", "2"])


if __name__ == "__main__":
    unittest.main()
