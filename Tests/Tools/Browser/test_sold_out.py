# Dishes and options sell out while guests order: the open menu updates, the basket and the checkout name them, and one
# tap resolves them.

import json
import unittest

from axe_playwright_python.sync_playwright import Axe

from shop import DESKTOP, PHONE, BrowserTest
from test_ordering import fill_form
from test_page import SHIFTS

TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
DEVICES = (PHONE, TABLET, DESKTOP)
MARK_SOLD_OUT = "update {table} set is_available = false where id = {id}"
RESTORE = "update {table} set is_available = true where id = {id}"


class SoldOutTests(BrowserTest):
    def guest(self, device, **options):
        context = self.context(device, **options)
        context.add_init_script(SHIFTS)
        return context.new_page()

    def change_rows(self, change, revert, condition):
        """Executes SQL of staff for one test, and waits until the server has reloaded the menu."""
        self.shop.sql(change)
        self.addCleanup(self.shop.sql, revert)
        page = self.context().new_page()
        page.goto(self.shop.url + "/#/about")
        # Polls in a loop of its own, because wait_for_function does not await a promise.
        page.evaluate(f"""async () => {{
            const ask = (path) => fetch(path).then((answer) => answer.json());
            const end = Date.now() + 30_000;
            while (!({condition})) {{
                if (Date.now() > end) throw new Error('the change did not become live within 30 s');
                await new Promise((done) => setTimeout(done, 50));
            }}
        }}""")

    def mark_option_sold_out(self, id, item=2001):
        option = "(groups) => groups.flatMap((group) => group.options)"
        self.change_rows(
            MARK_SOLD_OUT.format(table="options", id=id),
            RESTORE.format(table="options", id=id),
            f"({option})((await ask('/v1/menu/{item}')).optionGroups).find((entry) => entry.id === {id})?.isAvailable"
            " === false",
        )

    def with_bacon(self, page, count=1):
        page.goto(self.shop.url + "/#/items/2001")
        page.click("[data-option='1202'] [aria-label^='One more']")
        for _ in range(count):
            page.click(".choosing .button")
        page.wait_for_selector(f"#count:has-text('{count}')")
        page.wait_for_selector(".choosing .button:not([aria-busy])")

    def basket(self, page):
        id = json.loads(page.evaluate("localStorage.getItem('welms.basket')"))
        return page.evaluate(f"fetch('/v1/baskets/{id}').then((answer) => answer.json())")

    def reopen(self, page, hash, until):
        page.goto("about:blank")
        page.goto(f"{self.shop.url}/{hash}")
        page.wait_for_selector(until)

    def check_screen(self, page, description):
        """Checks for layout shifts and overflow, and scans with axe, light and dark."""
        shifts = page.evaluate("window.shifts")
        self.assertEqual(sum(value for value, _ in shifts), 0, f"{description}: {shifts}")
        self.assertLessEqual(
            page.evaluate("document.scrollingElement.scrollWidth"), page.viewport_size["width"], description
        )
        for mode in ("light", "dark"):
            page.emulate_media(color_scheme=mode)
            found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
            self.assertEqual(found.violations_count, 0, f"{description}, {mode}\n{found.generate_report()}")
        page.emulate_media(color_scheme="light")

    def test_sold_out_option_in_basket(self):
        """The basket and the checkout name a sold out option, and one tap removes it"""
        for number, device in enumerate(DEVICES):
            page = self.guest(device, bypass_csp=True)
            self.with_bacon(page)
            self.mark_option_sold_out(1202)
            self.reopen(page, "#/basket", ".line .warn")
            self.assertEqual(page.inner_text(".line .warn"), "Bacon is sold out (The Big Tasty).")
            self.check_screen(page, "the basket")
            self.reopen(page, "#/checkout", ".problems .warn")
            self.assertEqual(
                page.inner_text(".problems .warn").split("\n")[0].strip(),
                "Bacon is sold out (The Big Tasty). Change it",
            )
            self.check_screen(page, "the checkout")
            if number == 1:
                self.reopen(page, "#/basket", ".line .warn")
            page.click("[aria-label='Without Bacon: The Big Tasty']")
            page.wait_for_selector("main .warn", state="detached")
            self.assertEqual([option["title"] for option in self.basket(page)["lines"][0]["options"]], ["Medium"])
            if number == 1:
                page.click("text=Go to the checkout")
            page.wait_for_selector("#new-total:has-text('$8.05')")
            fill_form(page, 500 + number)
            page.click("button[type=submit]")
            page.wait_for_selector(".bill")
            self.restore_stock()

    def test_changed_sale_in_basket(self):
        """One tap updates a set whose sale changed, and a set of a retired sale is removed"""
        units = "update sales_group_items set quantity = {} where sales_group_id = 200"
        retired = "update sales_groups set is_retired = {} where id = 200"
        self.addCleanup(self.shop.sql, f"{units.format(3)}; {retired.format('false')}")
        for device, screen, warning in ((PHONE, "#/basket", ".line .warn"), (DESKTOP, "#/checkout", ".problems .warn")):
            page = self.guest(device, bypass_csp=True)
            page.goto(self.shop.url + "/#/sales/200")
            page.click(".poster .button:has-text('Add to basket')")
            page.wait_for_selector("#count:has-text('1')")
            self.shop.sql(units.format(2))
            self.wait_for_answer(page, "/v1/sales/200", "({items}) => items[0].quantity === 2")
            self.reopen(page, screen, warning)
            self.assertIn("This set has changed since you chose it.", page.inner_text(warning))
            if screen == "#/checkout":
                self.assertIn("Happy Saturday", page.inner_text(warning))
            self.check_screen(page, f"{screen} with a changed set")
            page.click("[aria-label='Update it: Happy Saturday']")
            page.wait_for_selector(warning, state="detached")
            self.assertEqual([item["quantity"] for item in self.basket(page)["sales"][0]["items"]], [2])
            self.shop.sql(retired.format("true"))
            self.wait_for_answer(page, "/v1/sales", "({items}) => items.every(({id}) => id !== 200)")
            self.reopen(page, screen, warning)
            self.assertIn("We don’t offer this set any more.", page.inner_text(warning))
            self.assertEqual(page.locator("[aria-label='Update it: Happy Saturday']").count(), 0)
            self.check_screen(page, f"{screen} with a set of a retired sale")
            page.click("[aria-label='Remove it: Happy Saturday']")
            page.wait_for_selector(".empty")
            self.assertEqual(self.basket(page)["sales"], [])
            self.shop.sql(f"{units.format(3)}; {retired.format('false')}")
            self.wait_for_answer(
                page, "/v1/sales", "({items}) => items.some(({id, total}) => id === 200 && total === 2697)"
            )

    def restore_stock(self):
        self.shop.sql(
            "update options set is_available = true where id = 1202; delete from option_stock; delete from item_stock;"
        )
        page = self.context().new_page()
        page.goto(self.shop.url + "/#/about")
        self.wait_for_answer(
            page,
            "/v1/menu/2001",
            "({left, optionGroups}) => left === null && optionGroups.flatMap(({options}) => options).every((entry) =>"
            " entry.isAvailable && entry.left === null)",
        )

    def test_few_options_left(self):
        """The page says how many of a counted option are left, and one tap takes as many dishes as possible"""
        page = self.guest(PHONE)
        self.with_bacon(page, 3)
        self.change_rows(
            "insert into option_stock (option_id, remaining) values (1202, 2)",
            "delete from option_stock where option_id = 1202",
            "(await ask('/v1/menu/2001')).optionGroups.flatMap((group) => group.options).find((entry) => entry.id ==="
            " 1202)?.left === 2",
        )
        self.reopen(page, "#/basket", ".line .warn")
        self.assertEqual(page.inner_text(".line .warn"), "Bacon (The Big Tasty): Only 2 left")
        self.assertEqual(page.get_attribute("[aria-label='One The Big Tasty more']", "aria-disabled"), "true")
        self.reopen(page, "#/checkout", ".problems .warn")
        self.assertIn("Bacon (The Big Tasty): Only 2 left", page.inner_text(".problems .warn"))
        self.assertEqual(page.locator("[aria-label='Without Bacon: The Big Tasty']").count(), 1)
        page.click("[aria-label='Change to 2: The Big Tasty']")
        page.wait_for_selector(".problems .warn", state="detached")
        self.assertEqual(self.basket(page)["lines"][0]["quantity"], 2)

    def test_few_dishes_left(self):
        """With too few dishes left, the guest takes the rest or none, and plus stops at the stock"""
        # The stock changes the basket's ETag; the page reads the basket again and continues.
        self.expected_errors = ("412",)
        for number, device in enumerate(DEVICES):
            page = self.guest(device)
            page.goto(self.shop.url + "/#/items/2001")
            for _ in range(3):
                page.click(".choosing .button")
            page.wait_for_selector("#count:has-text('3')")
            page.wait_for_selector(".choosing .button:not([aria-busy])")
            self.change_rows(
                "insert into item_stock (menu_item_id, remaining) values (2001, 1)",
                "delete from item_stock where menu_item_id = 2001",
                "(await ask('/v1/menu/2001')).left === 1",
            )
            self.reopen(page, "#/basket", ".line .warn")
            page.wait_for_selector("[aria-label='Remove it: The Big Tasty']")
            page.click("[aria-label='One The Big Tasty more']", force=True)
            page.wait_for_selector(".toast.problem:has-text('Only 1 left')")
            self.assertEqual(self.basket(page)["lines"][0]["quantity"], 3)
            if number != 1:
                self.reopen(page, "#/checkout", ".problems .warn")
            page.click("[aria-label='Change to 1: The Big Tasty']")
            page.wait_for_selector("main .warn", state="detached")
            self.assertEqual(self.basket(page)["lines"][0]["quantity"], 1)
            # The only one is in the basket, so that no button adds a second.
            self.reopen(page, "#/basket", "[aria-label='One The Big Tasty more'][aria-disabled=true]")
            self.reopen(page, "#/menu", "[data-item='2001'] .button[aria-disabled=true]")
            self.reopen(page, "#/items/2001", ".choosing .button")
            # From here on the page knows the basket.
            page.wait_for_selector("#count:has-text('1')")
            page.click(".choosing .button")
            page.wait_for_selector(".toast.problem:has-text('Only 1 left')")
            self.reopen(page, "#/basket", "#total")
            page.click(".line .link")
            page.wait_for_selector("dialog [aria-label='One The Big Tasty more'][aria-disabled=true]")
            page.keyboard.press("Escape")
            # Another guest takes the last one.
            self.shop.sql("update item_stock set remaining = 0 where menu_item_id = 2001")
            self.wait_for_answer(page, "/v1/menu/2001", "({left}) => left === 0")
            self.reopen(page, "#/checkout", ".problems .warn")
            page.click("[aria-label='Remove it: The Big Tasty']")
            page.wait_for_selector(".empty")
            self.restore_stock()

    def test_sold_out_option_in_set(self):
        """A sold out option of a set is named, and a tap removes it from all dishes of the set"""
        page = self.guest(PHONE)
        page.goto(self.shop.url + "/#/sales/200")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/basket")
        page.click("[aria-label='Change one BBQ Burger of Happy Saturday']")
        page.click("dialog [data-option='1202'] [aria-label^='One more']")
        page.click("dialog footer .button")
        page.wait_for_selector("[data-set='200']:has-text('Bacon')")
        self.mark_option_sold_out(1202)
        for hash in ("#/basket", "#/checkout"):
            self.reopen(page, hash, "main .warn")
            self.assertEqual(page.locator("main .warn:has-text('Bacon is sold out (BBQ Burger).')").count(), 1)
        page.click("[aria-label='Without Bacon: BBQ Burger']")
        page.wait_for_selector("main .warn", state="detached")
        self.assertEqual(sum(item["quantity"] for item in self.basket(page)["sales"][0]["items"]), 3)

    def test_sold_out_required_option(self):
        """A sold out option of a required group can be changed but not removed"""
        page = self.guest(PHONE)
        page.goto(self.shop.url + "/#/items/1001")
        page.click("[data-option='2104'] > label")
        page.click(".choosing .button")
        page.wait_for_selector("#count:has-text('1')")
        page.wait_for_selector(".choosing .button:not([aria-busy])")
        self.mark_option_sold_out(2104, 1001)
        self.reopen(page, "#/checkout", ".problems .warn")
        self.assertEqual(page.locator(".problems .button").all_inner_texts(), ["Remove it"])
        page.click(".problems >> text=Change it")
        page.wait_for_selector("dialog [data-path='options/21'] .error:not(:empty)")

    def test_open_menu_polls_for_changes(self):
        """The open menu shows a sold out dish within ten seconds by conditional requests; a hidden page sends none"""
        for device in DEVICES:
            page = self.guest(device, bypass_csp=True)
            page.clock.install()
            page.goto(self.shop.url + "/#/menu")
            page.wait_for_selector("[data-item='2001'] .button")
            card = lambda answer: answer.url.endswith("/v1/menu?limit=100")
            page.wait_for_load_state("networkidle")
            page.evaluate("document.fonts.ready")
            asked = []
            page.on("request", lambda request: "/v1/menu" in request.url and asked.append(request.url))
            with page.expect_response(card) as same:
                page.clock.run_for(10_000)
            self.assertEqual((same.value.status, len(asked)), (304, 1))
            self.change_rows(
                "update menu_items set is_available = false where id = 2001; update menu_items set sold_out_until ="
                " now() + interval '3 hours' where id = 1002; insert into item_stock (menu_item_id, remaining) values"
                " (1003, 2)",
                "update menu_items set is_available = true, sold_out_until = null where id in (1002, 2001); delete from"
                " item_stock",
                "(await ask('/v1/menu/2001')).isAvailable === false && (await ask('/v1/menu/1002')).isAvailable ==="
                " false && (await ask('/v1/menu/1003')).left === 2",
            )
            page.locator("#list [data-item='2001'] .button").focus()
            page.evaluate("window.shifts.length = 0")
            with page.expect_response(card) as other:
                page.clock.run_for(10_000)
            self.assertEqual(other.value.status, 200)
            page.wait_for_selector("[data-item='2001'].gone .soldout:has-text('Sold out')")
            page.wait_for_selector("[data-item='1002'].gone .soldout:has-text('back ')")
            page.wait_for_selector("[data-item='1003'] .mark:has-text('2 left')")
            self.assertEqual(page.evaluate("document.activeElement.closest('article').dataset.item"), "2001")
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            self.check_screen(page, "the menu")
            # After a search the page shows the updated menu again.
            page.fill("#q", "cola")
            page.wait_for_selector("#list.grid")
            page.fill("#q", "")
            page.wait_for_selector("#list .chapter [data-item='2001'].gone")
            # Hides the page, and waits until its next poll would be due.
            page.evaluate(
                "Object.defineProperty(document, 'visibilityState', {configurable: true, value: 'hidden'});"
                " document.dispatchEvent(new Event('visibilitychange'))"
            )
            asked.clear()
            page.clock.run_for(60_000)
            self.assertEqual(asked, [])
            self.restore_menu()
            # The visible page polls at once.
            page.evaluate("delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))")
            page.wait_for_selector("[data-item='2001']:not(.gone) .button")
            page.goto(self.shop.url + "/#/about")
            page.wait_for_selector("h2:has-text('Privacy')")
            asked.clear()
            page.clock.run_for(60_000)
            self.assertEqual(asked, [])

    def restore_menu(self):
        self.shop.sql(
            "update menu_items set is_available = true, sold_out_until = null where id in (1002, 2001); delete from"
            " item_stock"
        )
        page = self.context().new_page()
        page.goto(self.shop.url + "/#/about")
        self.wait_for_answer(
            page, "/v1/menu?limit=100", "({items}) => items.every((entry) => entry.isAvailable && entry.left === null)"
        )

    def test_offered_tags_have_dishes(self):
        """Each offered tag finds dishes; an empty result suggests a shorter word only if the spelling can be the
        reason"""
        for device in DEVICES:
            page = self.guest(device)
            for hash in (
                "#/menu",
                "#/menu?diet=vegan",
                "#/menu/300?diet=vegan",
                "#/menu/500?sort=price",
                "#/menu?q=cheese",
            ):
                self.reopen(page, hash, "#list [data-item]")
                page.wait_for_selector(".chips [aria-pressed]")
                tags = page.locator(".chips button:not([aria-haspopup])").all_inner_texts()
                self.assertGreater(len(tags), 0, hash)
                for tag in tags:
                    query = page.evaluate(
                        "tag => { const [path, query = ''] = location.hash.split('?'); const all = new"
                        " URLSearchParams(query); all.set('tag', tag); if (path.split('/')[2]) all.set('category',"
                        " path.split('/')[2]); return fetch(`/v1/menu?${all}`).then((answer) =>"
                        " answer.json()).then(({items}) => items.length); }",
                        tag,
                    )
                    self.assertGreater(query, 0, f"{tag} at {hash}")
            # The tag of a single dish is listed and can be deselected.
            page.goto(self.shop.url + "/#/menu/200?tag=vegan")
            page.wait_for_selector(".empty")
            self.assertEqual(page.inner_text(".empty"), "No dish matches your search.")
            page.click(".chips [aria-pressed=true]:has-text('vegan')")
            page.wait_for_selector("#list [data-item]")
            page.fill("#q", "xyzzy")
            page.wait_for_selector(".empty:has-text('Try a shorter word.')")
            page.goto(self.shop.url + "/#/menu/200?q=cola")
            page.wait_for_selector(".empty")
            self.assertEqual(page.inner_text(".empty"), "No dish matches your search.")
            page.click("#list >> text=See the menu")
            page.wait_for_selector(".chapter")

    def test_rejection_names_sold_out_dish(self):
        """On the menu, the rejection of a dish that just sold out names the dish"""
        self.expected_errors += ("409", "412")
        page = self.guest(PHONE)
        page.goto(self.shop.url + "/#/menu")
        page.wait_for_selector("#list [data-item='3001']")
        # Keep the open menu from updating.
        page.route("**/v1/menu?limit=100", lambda route: None)
        page.click("#list [data-item='3001'] .button")
        page.wait_for_selector("#count:has-text('1')")
        condition = "(await ask('/v1/menu/3001')).isAvailable === false"
        self.change_rows(
            MARK_SOLD_OUT.format(table="menu_items", id=3001), RESTORE.format(table="menu_items", id=3001), condition
        )
        page.click("#list [data-item='3001'] .button")
        page.wait_for_selector(".toast.problem:has-text('French Fries: ')")
        page.unroute("**/v1/menu?limit=100")

    def test_undo_rejection_names_dish(self):
        """The rejection of Undo names the dish"""
        self.expected_errors += ("409", "412")
        page = self.guest(PHONE)
        page.goto(self.shop.url + "/#/items/3001")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.click("[data-tab=basket]")
        page.wait_for_selector("#total")
        page.click("[aria-label='Remove French Fries']")
        page.wait_for_selector(".undo")
        page.hover(".toast")
        condition = "(await ask('/v1/menu/3001')).isAvailable === false"
        self.change_rows(
            MARK_SOLD_OUT.format(table="menu_items", id=3001), RESTORE.format(table="menu_items", id=3001), condition
        )
        page.click(".undo")
        page.wait_for_selector(".toast.problem:has-text('French Fries: ')")


if __name__ == "__main__":
    unittest.main()
