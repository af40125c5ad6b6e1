# The guest page as a whole: menu, search, night mode, weight, caching, policy and error messages.

import json
import re
import unittest
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter

from shop import AWAY_ERRORS, DESKTOP, OFFLINE_ERRORS, PHONE, BrowserTest

SHIFTS = """
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput)
            window.shifts.push([entry.value, entry.sources
            .map((source) => `${source.node?.className || source.node?.nodeName} ${
                source.previousRect.y} ${source.currentRect.y} ${source.currentRect.height}`).join()]);
    }).observe({type: 'layout-shift', buffered: true});
    // Usable: the last section is drawn and the page reacts to taps.
    const look = () => document.querySelector('.ticket') && document.querySelector('#count')
        ? document.documentElement.dataset.ready = performance.now() : requestAnimationFrame(look);
    requestAnimationFrame(look);
"""


class PageTests(BrowserTest):
    def ids(self, page):
        return [int(card.get_attribute("data-item")) for card in page.locator("#list [data-item]").all()]

    def test_menu_and_search(self):
        """The whole menu is one list; search results load in pages of twenty on scrolling, follow typing, and are
        narrowed by tags"""
        page = self.visit("#/menu?sort=-price", {"viewport": {"width": 390, "height": 700}})
        page.wait_for_selector("#list [data-item='1001']")
        self.assertEqual(len(self.ids(page)), 20)
        page.mouse.wheel(0, 20_000)
        page.wait_for_function("() => document.querySelectorAll('#list [data-item]').length === 21")
        page.select_option("[aria-label='Order of the dishes']", "position")
        page.wait_for_selector(".chapter")
        self.assertEqual(len(self.ids(page)), 21)
        self.assertEqual(page.locator("#list [data-item='2002'] .mark.special").count(), 1)
        self.assertEqual(page.inner_text("#list [data-item='2002'] s"), "$9.99")
        page.locator("#q").press_sequentially("chees")
        page.wait_for_selector("#list [data-item='1001']", state="detached")
        self.assertIn(2003, self.ids(page))
        page.reload()
        page.wait_for_selector("#list [data-item='2003']")
        self.assertEqual(page.input_value("#q"), "chees")
        page.fill("#q", "")
        page.click(".chip:has-text('vegan')")
        page.wait_for_selector("#list [data-item='2003']", state="detached")
        self.assertIn(3001, self.ids(page))
        page.click(".chip:has-text('vegan')")
        shelf = ".shelf [data-item]"
        page.wait_for_selector(shelf)
        before = [card.get_attribute("data-item") for card in page.locator(shelf).all()]
        with page.expect_response(lambda answer: "sort=random" in answer.url):
            page.click("text=Shuffle")
        self.assertEqual(len(before), 6)

    def test_category_bar(self):
        """The category bar, the address and the Menu tab follow on scrolling, and the bar leads to each category"""
        current = "document.querySelector('.chapters [aria-current]')?.textContent"
        for device in (PHONE, DESKTOP):
            page = self.visit("#/menu", device)
            page.wait_for_selector("#list [data-item='5003']")
            self.assertEqual(
                page.locator(".chapter h2").all_inner_texts(), ["Combo", "Burgers", "Fries", "Beverages", "Sauces"]
            )
            page.click(".chapters >> text=Beverages")
            page.wait_for_function(
                "() => document.activeElement.textContent === 'Beverages' && location.hash === '#/menu/400'"
            )
            page.wait_for_function(f"() => {current} === 'Beverages'")
            top, bar = (page.evaluate(f"document.querySelector('{name}').getBoundingClientRect().{edge}")
                        for name, edge in (("[data-category=\"400\"] h2", "top"), (".chapters", "bottom")))
            self.assertTrue(bar <= top < bar + 40, (bar, top))
            page.fill("#q", "french")
            page.wait_for_selector(".chapter", state="detached")
            self.assertEqual((self.ids(page), page.evaluate("location.hash")), ([3001], "#/menu?q=french"))
            page.fill("#q", "")
            page.wait_for_selector("#list [data-item='5003']")
            page.click(".chapters >> text=Beverages")
            page.wait_for_function(f"() => {current} === 'Beverages' && scrollY > 300")
            page.evaluate("scrollBy(0, -innerHeight)")
            page.wait_for_function(f"() => ['Combo', 'Burgers', 'Fries'].includes({current})")
            page.click("[data-tab=menu]")
            page.wait_for_function("() => scrollY === 0 && location.hash === '#/menu'")
            page.goto(self.shop.url + "/#/menu/500")
            page.wait_for_function("() => scrollY > 300")
            # The bar updates in the next two frames.
            page.evaluate(
                "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>"
                " requestAnimationFrame(done))))"
            )
            self.assertEqual(page.evaluate(current), "Sauces")

    def test_dishes_per_row(self):
        """A phone shows two dishes per row, or one with large text; a wide screen is filled"""
        def in_a_row(device):
            page = self.visit("#/menu", device)
            page.wait_for_selector("#list [data-item='5003']")
            return page.evaluate(
                "[...document.querySelectorAll('.chapter:first-child article')].filter((card, index, all) =>"
                " card.offsetTop === all[0].offsetTop).length"
            )

        self.assertEqual(
            [
                in_a_row(device)
                for device in (
                    PHONE,
                    {"viewport": {"width": 360, "height": 740}},
                    {"viewport": {"width": 1920, "height": 1000}},
                )
            ],
            [2, 2, 5],
        )

    def test_first_screen_information(self):
        """The first screen shows the order time, the delivery fee, the minimum and the ways to pay without a tap"""
        page = self.visit("#/", PHONE)
        page.wait_for_selector(".terms li")
        self.assertEqual(page.locator(".terms li").all_inner_texts(), ["Delivery 15 min · free", "Pickup 15 min"])
        self.assertLess(page.locator(".terms").bounding_box()["y"], 600)
        for device in (PHONE, {"viewport": {"width": 360, "height": 740}}, DESKTOP):
            page = self.visit("#/", device)
            page.wait_for_selector(".pays:has-text('You pay in cash')")
            page.wait_for_selector(".ticket")
            box, tabs = (page.locator(selector).bounding_box() for selector in (".pays", ".tabs"))
            # The terms are visible without scrolling, on a phone above the tab bar.
            self.assertLess(
                box["y"] + box["height"], tabs["y"] if tabs["y"] > box["y"] else device["viewport"]["height"]
            )

    def test_menu_before_opening_hours(self):
        """No layout shift occurs when the menu arrives before the rest of its screen, nor when the rest follows"""
        painted = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        for device in (PHONE, DESKTOP):
            context = self.context(device)
            context.add_init_script(SHIFTS)
            page = context.new_page()
            held = {"home": [], "menu": []}
            page.route("**/v1/home", lambda route: held["home"].append(route))
            page.route("**/v1/menu?limit=100", lambda route: held["menu"].append(route))
            page.goto(self.shop.url + "/#/menu")
            page.wait_for_selector("#list")
            for name, until in (("menu", "#list [data-item]"), ("home", "#q")):
                page.evaluate(painted)
                for route in held[name]:
                    route.continue_()
                page.wait_for_selector(until)
            page.evaluate(painted)
            self.assertEqual(page.evaluate("window.shifts"), [])

    def test_without_early_script(self):
        """If early.js does not load, the page and its dishes still load"""
        self.expected_errors = ("early.js", "ERR_FAILED")
        page = self.context(PHONE, service_workers="block").new_page()
        page.route("**/early.js", lambda route: route.abort())
        for hash, until in (
            ("#/", ".ticket"),
            ("#/menu", "#list [data-item]"),
            ("#/items/2001", ".detail .price:not(:empty)"),
        ):
            page.goto("about:blank")
            page.goto(f"{self.shop.url}/{hash}")
            page.wait_for_selector(until)

    def test_about_page(self):
        """The About page shows the shop's own text and what the device stores, one tap from every screen"""
        self.shop.sql(
            "update shop set address = '12 Baker Lane', phone = '+1 (212) 555-0100', imprint = 'W. Elms & <sons>'"
            .replace("<sons>", "sons")
            + ", privacy = 'Orders are kept for ten years.'"
        )
        page = self.visit("#/menu", PHONE)
        page.click(".foot >> text=About us")
        page.wait_for_selector("address:has-text('12 Baker Lane')")
        self.assertEqual(page.get_attribute("address a", "href"), "tel:+12125550100")
        for words in ("W. Elms & sons", "Orders are kept for ten years.", "no cookies"):
            self.assertIn(words, page.inner_text("main"))
        self.shop.sql("update shop set address = null, phone = null, imprint = null, privacy = null")

    def test_scroll_position(self):
        """Back restores the scroll position of a list; a new screen begins at the top"""
        page = self.visit("#/menu", PHONE)
        page.locator("#list [data-item='3001'] .face").click()
        page.wait_for_selector("h1:has-text('French Fries')")
        self.assertEqual(page.evaluate("scrollY"), 0)
        page.go_back()
        page.wait_for_selector("#list [data-item='3001']")
        self.assertGreater(page.evaluate("scrollY"), 1_000)
        page.click(".tabs [data-tab=home]")
        page.wait_for_selector(".ticket")
        self.assertEqual(page.evaluate("scrollY"), 0)

    def test_few_files_per_screen(self):
        """Screens load few files, and no module twice, whatever is loaded later"""
        context = self.context()
        context.add_init_script(SHIFTS)
        page = context.new_page()
        page.goto(self.shop.url + "/#/")
        page.wait_for_selector("html[data-ready]")
        asked = page.evaluate(
            "performance.getEntriesByType('resource').filter(({startTime}) => startTime <"
            " Number(document.documentElement.dataset.ready)).map((entry) => new URL(entry.name).pathname)"
        )
        files = [path.split("/", 3)[3] for path in asked if path.startswith("/assets/")]
        self.assertEqual(sorted(files), ["app.js", "early.js", "guest.css", "typeface.woff2"])
        # early.js requested the dishes, and the page does not request them twice.
        self.assertEqual([path for path in asked if path.startswith("/v1/home")], ["/v1/home"])
        page.wait_for_load_state("networkidle")
        data = page.evaluate(
            "performance.getEntriesByType('resource').map(({name}) => new URL(name).pathname).filter((path) =>"
            " path.startsWith('/v1/'))"
        )
        self.assertEqual(sorted(data), ["/v1/errors", "/v1/home", "/v1/menu", "/v1/shop"])
        page.goto(self.shop.url + "/#/items/1001")
        page.wait_for_function(
            "() => performance.getEntriesByType('resource').some(({name}) => name.endsWith('/dishForm.js'))"
        )
        page.wait_for_selector(".detail .price:not(:empty)")
        page.wait_for_load_state("networkidle")
        modules = page.evaluate("performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)")
        bundled = ("/dom.js", "/api.js", "/basket/basket.js", "/translation.js")
        self.assertEqual([path for path in modules if path.endswith(bundled)], [])
        # The item page adds one file with its own modules.
        files = {path.split("/", 3)[3] for path in modules if path.startswith("/assets/")} - {"worker.js"}
        self.assertEqual(files, {"app.js", "dish/dishForm.js", "early.js", "guest.css", "typeface.woff2"})

    def test_lazy_pictures(self):
        """A picture loads when it is visible, or shortly before once the guest has scrolled"""
        page = self.visit("#/menu", PHONE)
        page.wait_for_selector("#list [data-item='5003']", state="attached")
        page.wait_for_load_state("networkidle")
        asked = (
            "new Set(performance.getEntriesByType('resource').map(({name}) => name).filter((name) =>"
            " name.includes('/pictures/'))).size"
        )
        self.assertEqual(page.evaluate(asked), 4)
        page.evaluate("scrollBy(0, 100)")
        page.wait_for_function(f"() => {asked} > 6")
        page.wait_for_load_state("networkidle")
        self.assertLess(page.evaluate(asked), 15)
        page.locator("#list [data-item='5003']").scroll_into_view_if_needed()
        page.wait_for_function("() => document.querySelector('#list [data-item=\"5003\"] img').naturalWidth > 0")

    def test_refused_stream(self):
        """If the server rejects the event stream, the page still polls for faults"""
        page = self.context(PHONE).new_page()
        fault = {
            "id": "0-1",
            "at": "2026-01-01T00:00:00Z",
            "kind": "fault",
            "code": "database_unavailable",
            "subject": "database",
            "message": "We can't take orders.",
            "link": "/readyz",
        }
        page.route("**/v1/errors/events", lambda route: route.fulfill(status=503))
        page.route("**/v1/errors", lambda route: route.fulfill(json={"condition": "degraded", "events": [fault]}))
        page.goto(self.shop.url + "/#/menu")
        page.wait_for_selector(".banner.shown:has-text('Ordering is paused')")
        self.expected_errors += ("503",)

    def test_money_digits(self):
        """Amounts have the number of decimals of their currency"""
        page = self.visit("#/")
        script = (
            "async ([amount, currency, currencyExponent]) => (await"
            " import(document.querySelector('script[type=module]').src)).$money.money(amount, {currency,"
            " currencyExponent})"
        )
        # Browsers would write forints, rupiahs and Iraqi dinars without decimals.
        for amount, currency, exponent, text in (
            (2899, "USD", 2, "$28.99"),
            (5, "USD", 2, "$0.05"),
            (-518, "USD", 2, "-$5.18"),
            (2899, "JPY", 0, "¥2,899"),
            (2899, "KWD", 3, "KWD\u00a02.899"),
            (900719925474099, "USD", 2, "$9,007,199,254,740.99"),
            (161000, "HUF", 2, "HUF\u00a01,610.00"),
            (5, "IDR", 2, "IDR\u00a00.05"),
            (2899, "IQD", 3, "IQD\u00a02.899"),
            (12345, "CLF", 4, "CLF\u00a01.2345"),
        ):
            self.assertEqual(page.evaluate(script, [amount, currency, exponent]), text)

    def test_coupon_code_and_favourites(self):
        """A tap reveals a coupon's code, and the device stores the favourites"""
        page = self.visit("#/", PHONE)
        page.wait_for_selector(".ticket")
        self.assertNotIn("FRST", page.inner_text("main"))
        page.click(".ticket:has-text('Welcome') .cover")
        self.assertIn("FRST", page.inner_text(".ticket:has-text('Welcome')"))
        page.goto(self.shop.url + "/#/items/2005")
        page.click("[aria-label='Favourite: Patty Melt']")
        page.goto(self.shop.url + "/#/favourites")
        page.reload()
        page.wait_for_selector("[data-item='2005']")

    def test_night_mode(self):
        """Night mode follows the system until the guest chooses"""
        ground = "getComputedStyle(document.body).backgroundColor"
        page = self.visit("#/", {**DESKTOP, "color_scheme": "dark"})
        dark = page.evaluate(ground)
        self.assertEqual(page.get_attribute("#theme", "aria-pressed"), "true")
        page.click("#theme")
        light = page.evaluate(ground)
        self.assertNotEqual(dark, light)
        page.reload()
        self.assertEqual(page.evaluate(ground), light)
        self.assertEqual(page.get_attribute("#theme", "aria-pressed"), "false")

    def test_start_animation(self):
        """The start animation plays once, intercepts no tap, and is skipped with reduced motion"""
        page = self.context(DESKTOP, reduced_motion="no-preference").new_page()
        page.goto(self.shop.url, wait_until="commit")
        # Finds the animation and reads its style in one call, because it may be over before a second call.
        taps = page.wait_for_function(
            "() => { const intro = document.querySelector('.intro'); return intro &&"
            " getComputedStyle(intro).pointerEvents; }"
        )
        self.assertEqual(taps.json_value(), "none")
        page.wait_for_selector(".intro", state="detached")
        page.reload()
        page.wait_for_selector(".ticket")
        self.assertEqual(page.locator(".intro").count(), 0)
        calm = self.visit("#/")
        calm.wait_for_selector(".ticket")
        self.assertEqual(calm.locator(".intro").count(), 0)

    def test_weight_and_layout_shift(self):
        """The first view is below 90 kB with pictures, is usable within a second, and has no layout shift"""
        for device in (PHONE, DESKTOP):
            ready, weight = [], []
            for _ in range(5):
                context = self.context(device)
                context.add_init_script(SHIFTS)
                page = context.new_page()
                page.goto(self.shop.url, wait_until="commit")
                page.wait_for_selector("html[data-ready]")
                page.wait_for_load_state("load")
                page.wait_for_timeout(300)
                ready.append(float(page.get_attribute("html", "data-ready")))
                shifts = page.evaluate("window.shifts")
                self.assertEqual(sum(value for value, _ in shifts), 0, shifts)
                # Compressed transfers with headers: the page, its files, the menu and the pictures.
                loads = page.evaluate(
                    "[...performance.getEntriesByType('navigation'),"
                    " ...performance.getEntriesByType('resource')].map((entry) => [entry.name, entry.transferSize,"
                    " entry.decodedBodySize])"
                )
                # The icon is requested once, and appears on the page twice.
                self.assertTrue(
                    all(size > 0 for name, size, _ in loads if not name.endswith(("/events", "/icon.svg"))), loads
                )
                self.assertGreater(sum("/pictures/" in name for name, _, _ in loads), 5)
                weight.append(sum(size for _, size, _ in loads))
                raw = sum(size for _, _, size in loads)
                self.assertLess(weight[-1], 90_000, loads)
                context.close()
            print(
                f"first view: {max(weight)} bytes ({raw} before compression) in {len(loads)} answers, usable after"
                f" {sorted(ready)[2]:.0f} ms",
                flush=True,
            )
            self.assertLess(sorted(ready)[2], 1_000, ready)

    def test_font(self):
        """Headings have the page's font at the latest in the second view, in no weight or style that it lacks"""
        page = self.visit("#/", PHONE)
        for hash, shown in (
            ("#/", ".ticket"),
            ("#/menu", "#list [data-item]"),
            ("#/items/1001", ".choosing"),
            ("#/sales/400", ".poster .price"),
            ("#/basket", "h1"),
            ("#/checkout", "h1"),
        ):
            page.goto(f"{self.shop.url}/{hash}")
            page.reload()
            page.wait_for_selector(shown)
            page.evaluate("document.fonts.ready")
            self.assertEqual(
                page.evaluate("[...document.fonts].map(({family, status}) => [family, status])"),
                [["Vollkorn", "loaded"]],
                hash,
            )
            drawn = page.evaluate(
                """[...document.querySelectorAll('body *')].map((element) => [element, getComputedStyle(element)])
                .filter(([element, style]) => style.fontFamily.startsWith('Vollkorn') && [...element.childNodes]
                    .some((node) => node.nodeType === 3 && node.data.trim()))
                .map(([element, style]) => [element.localName, element.className, style.fontWeight, style.fontStyle])"""
            )
            self.assertIn("h1", [name for name, *_ in drawn], hash)
            self.assertEqual([font for font in drawn if font[2:] != ["600", "normal"]], [], hash)

    def test_installable(self):
        """The browser accepts the manifest with its name, icons and start address as an installable page"""
        page = self.visit("#/", PHONE)
        page.wait_for_selector(".ticket")
        manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
        self.assertEqual(manifest["errors"], [])
        app = json.loads(manifest["data"])
        self.assertEqual((app["start_url"], app["scope"], app["display"]), ("/", "/", "standalone"))
        for icon in app["icons"]:
            address = urllib.parse.urljoin(manifest["url"], icon["src"])
            with urllib.request.urlopen(address) as answer:
                self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, icon["type"]))
        for shortcut in app["shortcuts"]:
            page.goto(self.shop.url + shortcut["url"])
            page.wait_for_selector(f"h1:has-text('{shortcut['name']}')")

    def test_caching_and_policy(self):
        """A current copy gets 304, and the policy blocks inline scripts"""
        with urllib.request.urlopen(self.shop.url + "/") as answer:
            tag = answer.headers["ETag"]
        with self.assertRaises(urllib.error.HTTPError) as held:
            urllib.request.urlopen(urllib.request.Request(self.shop.url + "/", headers={"If-None-Match": tag}))
        self.assertEqual(held.exception.code, 304)
        page = self.visit("#/")
        page.wait_for_selector(".ticket")
        page.evaluate(
            "const script = document.createElement('script'); try { script.textContent = 'window.ran = true';"
            " document.body.append(script) } catch {}"
        )
        self.assertIsNone(page.evaluate("window.ran ?? null"))
        self.expected_errors += ("Content Security Policy", "TrustedScript")

    def asked(self):
        """The number of requests of each route, as counted by the server."""
        with urllib.request.urlopen(self.shop.url + "/metrics") as answer:
            lines = [
                line for line in answer.read().decode().splitlines() if line.startswith("welms_http_requests_total{")
            ]
        counts = Counter()
        for line in lines:
            labels, number = line.removeprefix("welms_http_requests_total{").split("} ")
            counts[re.search('route="([^"]*)"', labels)[1]] += int(float(number))
        return counts

    def test_second_visit_uses_cache(self):
        """A second visit revalidates the page and requests data, but no script, style or picture"""
        for hash, until in (("#/", ".ticket"), ("#/menu", "#list [data-item='4005'] img")):
            context = self.context(PHONE)
            visits, pictures = [], []
            for _ in range(2):
                before = self.asked()
                page = context.new_page()
                page.goto(self.shop.url + "/" + hash)
                page.wait_for_selector(until, state="attached")
                page.wait_for_load_state("load")
                page.wait_for_timeout(300)
                loads = page.evaluate(
                    "performance.getEntriesByType('resource').filter((entry) =>"
                    " entry.name.includes('/pictures/')).map((entry) => [entry.name, entry.transferSize])"
                )
                page.close()
                visits.append(self.asked() - before)
                pictures.append(loads)
            first, second = visits
            self.assertEqual(first["/assets/{version}/{file}"] + first["/assets/{version}/{folder}/{file}"], 4)
            self.assertGreater(first["/pictures/{file}"], 3)
            self.assertEqual([route for route in second if route.startswith("/assets")], [])
            # The surprise shelf may show other dishes.
            seen = {name for name, _ in pictures[0]}
            again = [(name, size) for name, size in pictures[1] if name in seen]
            self.assertGreater(len(again), 3)
            self.assertEqual([name for name, size in again if size], [])
            self.assertEqual(second["/pictures/{file}"], len({name for name, _ in pictures[1]} - seen))
            self.assertEqual(second["/"], 1)
            self.assertTrue(
                all(
                    route == "/" or route.startswith(("/v1/", "/pictures/")) for route in second if route != "/metrics"
                ),
                second,
            )
            print(
                f"second visit of {hash}: {sum(second.values()) - second['/metrics']} requests instead of"
                f" {sum(first.values()) - first['/metrics']}",
                flush=True,
            )

    def test_search_after_failure(self):
        """“Try again” disappears when another search succeeds, also if loading the whole menu has failed"""
        self.expected_errors += ("ERR_FAILED", "503")
        page = self.visit("#/menu", PHONE)
        page.wait_for_selector("#list [data-item='2001']")
        page.route("**/v1/menu?q=fr*", lambda route: route.abort())
        page.fill("#q", "fr")
        page.wait_for_selector(".more .button:has-text('Try again')")
        page.fill("#q", "burger")
        page.wait_for_selector("#list.grid [data-item='2002']")
        self.assertEqual(page.locator(".more .button").count(), 0)
        # The whole menu is requested first, but this request fails only after a later search has succeeded.
        held = []
        page.route("**/v1/menu?limit=100", lambda route: held.append(route))
        page.fill("#q", "fr")
        page.wait_for_selector(".more .button:has-text('Try again')")
        page.fill("#q", "")
        while not held:
            page.wait_for_timeout(20)
        page.fill("#q", "burger")
        page.wait_for_selector("#list.grid [data-item='2002']")
        for route in held:
            route.fulfill(status=503, body="")
        page.wait_for_timeout(300)
        self.assertEqual(page.locator(".more .button").count(), 0)

    def test_guest_page_without_script(self):
        """Without JavaScript the top of the page says that the page needs it"""
        page = self.context(PHONE, java_script_enabled=False).new_page()
        page.goto(self.shop.url)
        box = page.locator(".note").bounding_box()
        self.assertLess(box["y"] + box["height"], 240)

    def test_words_for_guests(self):
        """No screen shows guests terms of the API or of the code, not even at an unknown address"""
        page = self.visit("#/", PHONE)
        for hash in (
            "#/items/999",
            "#/items/x",
            "#/items/99999999999999999999",
            "#/sales/999",
            "#/sales/x",
            "#/menu/999",
            "#/menu/x",
            "#/menu?sort=worst",
            "#/menu?tag=A!",
            "#/menu?q=" + "x" * 300,
            "#/orders/x",
            "#/orders/0190a0a0-0000-7000-8000-000000000000",
        ):
            page.goto(self.shop.url + "/" + hash)
            page.reload()
            page.wait_for_selector("main h1")
            page.wait_for_selector(".skeleton, main:has-text('One moment')", state="detached")
            text = page.inner_text("body")
            self.assertNotRegex(
                text, r"GET |POST |/v1/|Idempotency|header|Authorization|requestId|parameter|undefined|null", hash
            )
        self.expected_errors += ("404", "400", "422")

    def test_toast_covers_no_button(self):
        """A toast covers no button on a phone, a tablet or a desktop, at any scroll position"""
        for device in (PHONE, {"viewport": {"width": 820, "height": 1180}}, DESKTOP):
            page = self.visit("#/items/2001", device)

            def check_toast(until):
                page.wait_for_selector(until)
                for y in range(0, 1200, 60):
                    page.evaluate(
                        "y => new Promise((done) => { scrollTo(0, y); requestAnimationFrame(() =>"
                        " requestAnimationFrame(done)); })",
                        y,
                    )
                    covered = page.evaluate("""() => {
                        const toast = document.querySelector('.toast')?.getBoundingClientRect();
                        if (!toast) return null;
                        const header = document.querySelector('.top').getBoundingClientRect().bottom;
                        return [...document.querySelectorAll('main .button')]
                            .map((element) => [element.textContent, element.getBoundingClientRect()])
                            .filter(([, box]) => box.left < toast.right && box.right > toast.left
                                && Math.max(box.top, header + 1) < toast.bottom
                                && box.bottom > Math.max(toast.top, header + 1)).map(([text]) => text);
                    }""")
                    if covered is None:
                        return
                    self.assertEqual(covered, [], f"at {y} of {page.url}, {device['viewport']}")

            page.click("text=Add to basket")
            check_toast(".toast:has-text('is in the basket')")
            page.goto(self.shop.url + "/#/menu/200")
            page.click("[data-item='2005'] .button")
            check_toast(".toast:has-text('Patty Melt')")
            page.goto(self.shop.url + "/#/basket")
            page.click("[aria-label='Remove Patty Melt']")
            check_toast(".toast:has-text('removed from the basket')")
            page.context.set_offline(True)
            page.click("[aria-label='One The Big Tasty more']")
            check_toast(".toast.problem")
            page.context.set_offline(False)
        self.expected_errors += OFFLINE_ERRORS

    def test_markup_is_text(self):
        """Markup in texts of staff is shown as text, and an item without a picture has its letter"""
        self.addCleanup(
            self.shop.sql,
            "update menu_items set image_url = '/pictures/5003.svg', description = 'Mild.' where id = 5003",
        )
        self.shop.sql(
            "update menu_items set image_url = '', description = '&lt;b&gt; is ${hot} & \"sharp\"' where id = 5003"
        )
        page = self.visit("#/about")
        self.wait_for_answer(page, "/v1/menu/5003", "({imageURL}) => !imageURL")
        page.goto(self.shop.url + "/#/items/5003")
        page.wait_for_selector(".letter:has-text('M')")
        self.assertEqual(page.inner_text(".lead"), "&lt;b&gt; is ${hot} & \"sharp\"")

    def test_unknown_address(self):
        """An unknown item, category or address says so and links to the menu"""
        page = self.visit("#/nowhere")
        page.click("h1:has-text('does not exist') >> xpath=.. >> text=See the menu")
        page.wait_for_selector("#list [data-item='1001']")
        page.goto(self.shop.url + "/#/items/999")
        page.wait_for_selector("text=There is nothing here")
        page.goto(self.shop.url + "/#/orders/0190a0a0-0000-7000-8000-000000000000")
        page.wait_for_selector("text=We can’t find this order")
        # Prefetched data that was not shown is discarded, because it would be outdated.
        page.goto(self.shop.url + "/#/items/1002/old")
        page.reload()
        page.wait_for_selector("h1:has-text('does not exist')")
        with page.expect_request("**/v1/menu/1002"):
            page.goto(self.shop.url + "/#/items/1002")
        # For an unknown path of the server the page comes with 404, says so, and works as usual.
        self.assertEqual(page.goto(self.shop.url + "/menus").status, 404)
        page.click("h1:has-text('does not exist') >> xpath=.. >> text=See the menu")
        page.wait_for_selector("#list [data-item='1001']")
        self.assertEqual(page.url, self.shop.url + "/#/menu")
        self.assertEqual(page.goto(self.shop.url + "/items/1001").status, 404)
        page.wait_for_selector(".detail .price:not(:empty)")
        self.expected_errors += ("404",)

    def test_offline_banner(self):
        """The page says when it is offline, and recovers by itself"""
        page = self.visit("#/", PHONE)
        page.wait_for_selector(".ticket")
        page.context.set_offline(True)
        page.wait_for_selector(".banner.shown:has-text('offline')")
        page.click(".tabs [data-tab=menu]")
        page.wait_for_selector(".fault")
        page.context.set_offline(False)
        page.wait_for_selector("#list [data-item='1001']")
        page.wait_for_selector(".banner.shown", state="detached")
        self.expected_errors += OFFLINE_ERRORS


class MenuFaultTests(BrowserTest):
    arguments = ("--simulate-error-after", "12")

    def test_error_screen_recovers(self):
        """When the menu fails to load, the error screen gives the reason and disappears by itself"""
        page = self.visit("#/menu", PHONE)
        page.wait_for_selector("#list [data-item='1001']")
        page.wait_for_selector(".fault h1:has-text('The menu is unavailable right now')", timeout=25_000)
        self.assertIn("try again", page.inner_text(".fault").lower())
        page.click(".fault >> text=Try again")
        page.wait_for_selector("#list [data-item='1001']", timeout=25_000)


class StaleMenuTests(BrowserTest):
    def test_stale_menu_has_banner(self):
        """While only the database is down, the menu stays with a banner, which then disappears by itself"""
        page = self.visit("#/menu", PHONE)
        page.wait_for_selector("#list [data-item='1001']")
        self.shop.sql(f"alter database {self.shop.database} allow_connections false", database="postgres")
        self.shop.sql(
            f"select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '{self.shop.database}'",
            database="postgres",
        )
        page.wait_for_selector(".banner.shown:has-text('Ordering is paused')", timeout=15_000)
        self.assertEqual(page.locator(".fault").count(), 0)
        page.click("#list [data-item='2001'] .button")
        page.wait_for_selector(".toast.problem")
        page.goto(self.shop.url + "/#/items/2001")
        page.wait_for_selector(".detail .price")
        self.shop.sql(f"alter database {self.shop.database} allow_connections true", database="postgres")
        page.wait_for_selector(".banner.shown", state="detached", timeout=15_000)
        page.click("text=Add to basket")
        page.wait_for_selector(".toast:has-text('is in the basket')")
        self.assertEqual(page.inner_text("#count"), "1")
        self.expected_errors += ("503",)

    def test_guest_page_while_server_is_away(self):
        """While the server is down the page says so, and recovers by itself"""
        page = self.visit("#/basket")
        page.wait_for_selector(".empty")
        self.shop.stop()
        page.click("[data-tab=menu] >> nth=0")
        page.wait_for_selector(".banner.shown:has-text('reach the kitchen')")
        self.shop.start()
        page.wait_for_selector("#list [data-item='1001']", timeout=20_000)
        page.wait_for_selector(".banner.shown", state="detached", timeout=20_000)
        self.expected_errors += AWAY_ERRORS


class ManyCategoriesTests(BrowserTest):
    def test_many_categories(self):
        """A menu with more categories than one page of the API shows the dishes of all"""
        page = self.visit("#/")
        self.shop.sql("""
            insert into categories (id, title, position)
            select n, 'Category ' || n, n from generate_series(600, 621) as n;
            insert into menu_items (id, category_id, kind, title, description, price)
            select n * 10 + 1, n, 'regular', 'Dish ' || n, 'Of category ' || n, 500 from generate_series(600, 621) as n
            """)
        self.wait_for_answer(page, "/v1/categories?limit=100", "(list) => list.items.length === 27")
        page.goto(self.shop.url + "/#/menu")
        page.wait_for_selector("#list [data-item='6211']")
        titles = page.locator(".chapter h2").all_inner_texts()
        self.assertEqual(len(titles), 27)
        self.assertEqual(titles[-1], "Category 621")
        self.assertEqual(page.locator(".chapters a", has_text="Category 621").count(), 1)


if __name__ == "__main__":
    unittest.main()
