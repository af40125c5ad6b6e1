# What stays of a guest on the device, and for how long: the token of an order for a day, what was typed not at all, and all of it until one tap where
# it was asked for; what is on its way at the top of the start page.

import json
import unittest

from shop import DESKTOP, PHONE
from terms import ALL_DAY, AREAS, SLOTS, TermsTest
from test_ordering import fill_form
from test_page import SHIFTS
from test_staff import place_whole_order

DAY = 24 * 3_600_000
ANSWERS = "caches.open('welms.answers').then((answers) => answers.keys()).then((all) => all.map(({url}) => url))"
HOUR = 3_600_000
STORED = "[JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage})].join()"
ORDERS = "JSON.parse(localStorage['welms.orders'] ?? '[]')"
# What the form asks of who the guest is, and what it is filled with.
DETAILS = ("name", "phone", "email", "address", "comment")


class DeviceTests(TermsTest):
    def ordered(self, page):
        """The order that this page places with the button: its id, number, and when it is due, in milliseconds."""
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        order, number = page.url.split("/")[-1], page.inner_text("h1").split()[-1]
        due = self.shop.sql(f"select (extract(epoch from coalesce(promised_at, wanted_at, placed_at + make_interval(mins => eta_minutes))) * 1000)::bigint from orders where id = '{order}'")
        return order, number, int(due)

    def changed(self, page, script):
        """Changes the orders that are kept, and begins anew."""
        page.evaluate(f"() => {{ localStorage['welms.orders'] = JSON.stringify({ORDERS}.{script}); }}")
        page.reload()

    def test_order_of_a_day(self):
        """An order can be found again from this device until a day after it was due, in a tab that is opened anew too; then nothing of it is left"""
        page = self.guest()
        fill_form(page, 950)
        order, number, due = self.ordered(page)
        [[kept, at, until]] = page.evaluate(f"{ORDERS}.map(({{id, due, until}}) => [id, due, until])")
        self.assertEqual((kept, until), (order, at + DAY))
        self.assertAlmostEqual(at, due, delta=1, msg="of a fraction of a millisecond")
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
        self.changed(page, f"map((one) => ({{...one, until: {due - 2 * HOUR}}}))")
        page.wait_for_selector(f"h1:has-text('Order {number}')")
        self.assertEqual(page.locator(".customer").count(), 0)
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.orders')"))

    def test_typed_is_not_written(self):
        """What is typed into the form waits for the guest who looks at something else, and is written nowhere but for postcode, coupon and tip: a reload has these alone"""
        self.rows(AREAS)
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
        self.assertEqual([page.input_value(f"#field-{name}") for name in ("postcode", "coupon", "tip")], ["10115", "frst", "1"])

    def test_other_language(self):
        """Another language keeps all that was typed into the form, and leaves nothing of it in the storage"""
        self.rows(AREAS)
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

    def test_remembered_details(self):
        """Who asks for it finds name, phone, mail, address and postcode in the next form, in a tab that is opened anew"""
        self.rows(AREAS)
        page = self.guest()
        fill_form(page, 952, postcode="10115")
        page.check("#field-remember")
        order, _, _ = self.ordered(page)
        self.assertEqual(page.evaluate(f"{ORDERS}.map(({{id, until}}) => [id, until ?? null])"), [[order, None]])
        context = page.context
        page.close()
        page = context.new_page()
        page.goto(self.shop.url + "/#/items/2001")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        self.to_checkout(page)
        names = ("name", "phone", "email", "address", "postcode")
        self.assertEqual([page.input_value(f"#field-{name}") for name in names], ["ann lee", "5550100952", "ann952@example.com", "12 main street, springfield", "10115"])

    def test_forget_all(self):
        """One tap and an answer forget who the guest is, orders, basket, favourites, colours, language and what was typed"""
        page = self.guest(PHONE)
        fill_form(page, 953)
        page.check("#field-remember")
        self.ordered(page)
        page.goto(self.shop.url + "/#/items/2002")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.click("[aria-pressed=false][aria-label*='avourite']")
        for name, value in (("theme", "dark"), ("language", "en")):
            page.evaluate("([name, value]) => localStorage.setItem(`welms.${name}`, JSON.stringify(value))", [name, value])
        self.to_checkout(page)
        page.fill("#field-coupon", "frst")
        names = set(page.evaluate("Object.keys(localStorage)"))
        self.assertLessEqual({"welms.guest", "welms.orders", "welms.basket", "welms.favourites", "welms.theme", "welms.language"}, names)
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
        self.assertEqual(page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"), ["welms.entered"])
        page.goto(self.shop.url + "/#/favourites")
        page.wait_for_selector(".empty")

    def test_several_under_way(self):
        """The start page has the orders that are on their way until six hours after they were due, three at most, the one that is due next first, and two of them with a stream; nothing moves for them"""
        page = self.guest()
        fill_form(page, 954)
        order, number, due = self.ordered(page)
        shown = "all => all.map((one) => one.getAttribute('href').split('/').at(-1))"

        def seen(ids):
            page.wait_for_function("many => document.querySelectorAll('.underway').length === many", arg=len(ids))
            self.assertEqual(page.eval_on_selector_all(".underway", shown), ids)

        page.goto(self.shop.url + "/#/")
        # Ordered at noon for the evening, and looked for at six; long over; an hour ago.
        self.changed(page, "map((one) => ({...one, at: new Date(Date.now() - 8 * %d).toISOString()}))" % HOUR)
        page.wait_for_selector(f".underway:has-text('Order {number}'):has-text('Placed')")
        seen([order])
        self.changed(page, f"map((one) => ({{...one, due: {due - 7 * HOUR}}}))")
        page.wait_for_selector(".tickets")
        seen([])
        ids = [order]
        for at in range(3):
            page.goto(self.shop.url + "/#/items/2001")
            page.click("text=Add to basket")
            page.wait_for_selector("#count:has-text('1')")
            self.to_checkout(page)
            fill_form(page, 955 + at)
            ids.append(self.ordered(page)[0])
        page.goto(self.shop.url + "/#/")
        page.add_init_script("""
            window.shifts = [];
            new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifts.push(one.value); }).observe({type: 'layout-shift', buffered: true});
            window.streams = [];
            window.EventSource = class extends EventSource {
                constructor(path) {
                    super(path);
                    if (path.startsWith('/v1/orders/')) window.streams.push(path.split('/').at(-2));
                }
            };""")
        dues = {ids[0]: due + 3 * HOUR, ids[1]: due + HOUR, ids[2]: due - HOUR, ids[3]: due + 2 * HOUR}
        self.changed(page, f"map((one) => ({{...one, due: {json.dumps(dues)}[one.id]}}))")
        page.wait_for_selector(".tickets")
        seen([ids[2], ids[1], ids[3]])
        for one in ids[1:]:
            page.wait_for_selector(f".underway[href$='{one}']:has-text('Placed')")
        self.assertEqual(page.evaluate("window.shifts"), [])
        # Those that are due next move by themselves, the third when the page is looked at again, sooner than it would be asked for.
        self.shop.sql(f"select advance_order(number, 'rejected', 'We are sold out.') from orders where id = '{ids[2]}'")
        self.shop.sql(f"select advance_order(number, 'accepted') from orders where id = '{ids[1]}'")
        page.wait_for_selector(f".underway[href$='{ids[1]}']:has-text('Accepted')")
        page.wait_for_selector(f".underway[href$='{ids[2]}']:has-text('Cancelled by the restaurant')")
        self.shop.sql(f"select advance_order(number, 'accepted') from orders where id = '{ids[3]}'")
        page.evaluate("() => { document.dispatchEvent(new Event('visibilitychange')); }")
        page.wait_for_selector(f".underway[href$='{ids[3]}']:has-text('Accepted')", timeout=10_000)
        self.assertEqual(sorted(page.evaluate("window.streams")), sorted(ids[1:3]))
        page.reload()
        seen([ids[1], ids[3], ids[0]])

    def test_later_under_way(self):
        """What was ordered for later is at the top of the start page from then until six hours after it is due, and nothing moves for it; who has ordered nothing asks for no order"""
        self.rows(ALL_DAY, SLOTS)
        page = self.guest()
        start = self.slots()[37]["startsAt"]
        self.choose(page, start)
        fill_form(page, 961)
        order, number, due = self.ordered(page)
        self.assertEqual(page.evaluate(f"[Date.parse('{start}'), {ORDERS}[0].due]"), [due, due])
        page.add_init_script(SHIFTS)
        page.add_init_script("const [now, ahead] = [Date.now, Number(localStorage.ahead)]; Date.now = () => now() + ahead;")

        def look(moment):
            """The start page at a moment of the device's clock."""
            page.evaluate("moment => { localStorage.ahead = moment - new Date().getTime(); }", moment)
            page.reload()

        page.goto(self.shop.url + "/#/")
        page.wait_for_selector(".underway:has-text('Placed')")
        rooms = []

        def last_of_all(route):
            page.wait_for_selector(".tickets")
            rooms.append(page.locator(".underway").bounding_box())
            route.continue_()

        page.route(f"**/v1/orders/{order}", last_of_all)
        for moment in (due - 8 * HOUR, due + 5 * HOUR):
            look(moment)
            page.wait_for_selector(f".underway[href$='{order}']:has-text('Order {number}'):has-text('Placed · At your door')")
            self.assertEqual(page.locator(".underway").bounding_box(), rooms.pop())
            self.assertEqual(page.evaluate("window.shifts"), [])
        look(due + 7 * HOUR)
        page.wait_for_selector(".tickets")
        self.assertEqual(page.locator(".underway").count(), 0)
        self.assertEqual(page.evaluate(f"{ORDERS}.length"), 1)
        # The server's clock says when a day is over, not the device's.
        page.evaluate("() => { localStorage.ahead = 0; }")
        self.changed(page, f"map((one) => ({{...one, until: one.at ? Date.parse(one.at) - {HOUR} : 0}}))")
        page.wait_for_selector(".tickets")
        page.goto(self.shop.url + "/#/orders")
        page.wait_for_selector(".empty")
        self.assertIsNone(page.evaluate("localStorage.getItem('welms.orders')"))
        newcomer, asked = self.context(PHONE).new_page(), []
        newcomer.on("request", lambda request: asked.append(request.url))
        newcomer.goto(self.shop.url)
        newcomer.wait_for_selector(".ticket")
        self.assertEqual([url for url in asked if "/v1/orders" in url], [])

    def test_under_way_as_time_passes(self):
        """The strip of an order on the start page counts down while the page stays open, and says when the order is late"""
        order = place_whole_order(self.shop, 963)
        context = self.context(PHONE)
        context.clock.install()
        page = context.new_page()
        kept = {"id": order["id"], "number": order["number"], "at": order["placedAt"], "token": order["accessToken"]}
        page.add_init_script(f"localStorage['welms.orders'] = {json.dumps(json.dumps([{**kept, 'due': 9e15}]))}")
        # No answer tells the page the time again.
        page.add_init_script("const get = Headers.prototype.get; Headers.prototype.get = function (name) { return name === 'Date' ? null : get.call(this, name); };")
        page.goto(self.shop.url)
        page.wait_for_selector(".underway:has-text('in about')")
        before = page.inner_text(".underway")
        page.clock.fast_forward(5 * 60_000)
        page.wait_for_function("before => document.querySelector('.underway').innerText !== before", arg=before)
        self.assertIn("in about", page.inner_text(".underway"))
        page.clock.fast_forward(30 * 60_000)
        page.wait_for_selector(".underway:has-text('running late')")

    def test_again_with_changes(self):
        """What is ordered again says which dish and which set cost something else now, and what is not to be had today"""
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
        self.ordered(page)
        self.addCleanup(self.shop.sql, "update menu_items set price = 805 where id = 2001; update menu_items set price = price - 100 where id = 2002; update menu_items set is_available = true where id = 3003")
        self.rows("update menu_items set price = 825 where id = 2001; update menu_items set price = price + 100 where id = 2002; update menu_items set is_available = false where id = 3003;")
        self.forgiven += ("409",)
        page.click("text=Order again")
        page.wait_for_selector(".toast.problem:has-text('Not available today: Fried Potatoes. The Big Tasty costs $8.25 now. Happy Saturday costs ')")

    def test_again_after_failure(self):
        """"Order again" that failed half-way adds only what is missing when it is tapped again, also after a reload"""
        order = place_whole_order(self.shop, 962, ((2001, 1), (3001, 2), (3003, 1)))
        page = self.visit_order(order)
        page.wait_for_selector(".bill")
        page.route("**/v1/baskets/*/items", lambda route: route.abort() if "3003" in route.request.post_data else route.continue_())
        self.forgiven += ("ERR_FAILED",)
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
