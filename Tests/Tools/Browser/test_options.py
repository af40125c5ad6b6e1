# Dishes with options: chosen on the item page and in a sheet, changed in the basket, with the prices of the server;
# allergens, diets and age.

import json
import random
import unittest

from axe_playwright_python.sync_playwright import Axe

from placing import TOKEN
from shop import DESKTOP, OFFLINE_ERRORS, PHONE, BrowserTest
from test_ordering import fill_form

NARROW = {**PHONE, "viewport": {"width": 320, "height": 640}}
# An option group that combines included units, signed prices and nested groups. No group of the seed combines all of
# these.
COMPLEX_GROUP = """
    insert into option_groups (id, title, minimum, maximum, included, position) values (901, 'Tangle', 0, 9, 2, 99),
        (902, 'Below', 0, 4, 1, 99);
    insert into options (id, group_id, title, price, maximum, position, allergens_are_known) values
        (9101, 901, 'Dear', 300, 3, 1, true), (9102, 901, 'Cheap', 50, 3, 2, true),
            (9103, 901, 'Less', -700, 3, 3, true), (9104, 901, 'Free', 0, 3, 4, true),
        (9201, 902, 'Low', 20, 2, 1, true), (9202, 902, 'High', 90, 2, 2, true);
    insert into option_option_groups (option_id, group_id, position) values (9101, 902, 1), (9104, 902, 1);
    insert into menu_item_option_groups (menu_item_id, group_id, position) values (2003, 901, 99);
"""
# Makes random selections, and returns the price of each by the page and by the server.
PRICES = """async ([script, id, seed]) => {
    const {$selectionRules: {pricesOf, missingChoices}} = await import(script);
    const ask = (method, path, body) => fetch(path,
        {method, headers: {'Content-Type': 'application/json'}, body: body && JSON.stringify(body)})
        .then((answer) => answer.json());
    let state = seed;
    const below = (limit) => { state = (state * 1103515245 + 12345) % 2147483648;
        return Math.floor(state / 65536) % limit; };
    const choose = (groups) => groups.flatMap((group) => {
        const choice = [];
        let units = 0;
        for (let tries = 0; tries < 12; tries += 1) {
            const option = group.options[below(group.options.length)];
            const had = choice.filter(({optionId}) => optionId === option.id)
                .reduce((sum, {quantity}) => sum + quantity, 0);
            if (units >= (group.maximum ?? 99) || had >= option.maximum) continue;
            if (units >= group.minimum && below(3) === 0) break;
            choice.push({optionId: option.id, quantity: 1, options: choose(option.optionGroups)});
            units += 1;
        }
        return choice;
    });
    const item = await ask('GET', `/v1/menu/${id}`);
    const {id: basket} = await ask('POST', '/v1/baskets');
    const options = choose(item.optionGroups);
    const {lines, ...problem} = await ask('POST', `/v1/baskets/${basket}/items`, {menuItemId: id, options});
    const {now, before} = pricesOf(item, options);
    return {options, missing: missingChoices(item.optionGroups, options), page: [now, before], server: lines
        ? [lines[0].unitPrice, lines[0].regularUnitPrice ?? lines[0].unitPrice] : problem};
}"""


class OptionTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def open(self, id, device=PHONE, **options):
        page = self.visit(f"#/items/{id}", device, **options)
        page.wait_for_selector(".choosing .button")
        return page

    def change_rows(self, change, revert):
        """Executes SQL of staff for one test, and reverts it afterwards."""
        self.shop.sql(change)
        self.addCleanup(self.shop.sql, revert)

    def reload_until(self, page, selector):
        """Reloads until the selector matches: the server reloads the menu within a second."""
        for _ in range(100):
            page.reload()
            page.wait_for_selector(".price, #list [data-item], #total")
            if page.locator(selector).count():
                return
        self.fail(f"{selector} did not appear after 100 reloads")

    def basket(self, page):
        basket = json.loads(page.evaluate("localStorage.getItem('welms.basket')"))
        return page.evaluate(f"fetch('/v1/baskets/{basket}').then((answer) => answer.json())")

    def chosen(self, options):
        return [(option["title"], option["quantity"], self.chosen(option["options"])) for option in options]

    def tab_to(self, page, selector, key="Tab"):
        for _ in range(120):
            page.keyboard.press(key)
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
        self.fail(f"{key} did not reach {selector}")

    def test_combo_by_keyboard_alone(self):
        """A guest orders a combo with a nested option group by keyboard alone"""
        page = self.visit("#/")
        page.wait_for_selector(".tile")
        self.tab_to(page, ".tile[href='#/menu/100']")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-item='1001'] .face")
        self.tab_to(page, "[data-item='1001'] .face")
        page.keyboard.press("Enter")
        page.wait_for_selector(".choosing")
        self.tab_to(page, "[data-option='1201'] [aria-label^='One more']")
        page.keyboard.press("Space")
        self.tab_to(page, "[data-option='2101'] > label > input")
        self.tab_to(page, "[data-option='2301'] input")
        page.keyboard.press("ArrowDown")
        self.assertTrue(page.is_checked("[data-option='2302'] > label > input"))
        self.tab_to(page, "[data-option='2401'] input")
        page.keyboard.press("ArrowDown")
        page.wait_for_selector(".choosing .button:has-text('Add to basket · $21.24')")
        self.tab_to(page, ".choosing .button")
        # The focused element is visible and not covered.
        self.assertTrue(
            page.evaluate(
                "(box => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).closest('.button')"
                " === document.activeElement)(document.activeElement.getBoundingClientRect())"
            )
        )
        page.keyboard.press("Enter")
        page.wait_for_selector("#count:has-text('1')")
        self.tab_to(page, "[data-tab=basket]", "Shift+Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector("#total:has-text('$21.24')")
        self.tab_to(page, "[href='#/checkout']")
        page.keyboard.press("Enter")
        page.wait_for_selector("#new-total")
        self.tab_to(page, "#field-name")
        for text in ("ann lee", "5550160001", "ann601@example.com", "12 main street, springfield"):
            page.keyboard.type(text)
            page.keyboard.press("Tab")
        self.tab_to(page, "button[type=submit]")
        page.keyboard.press("Enter")
        page.wait_for_selector(".bill")
        self.assertIn("Cup to keep", page.inner_text(".bill .chosen .chosen .chosen"))
        self.assertEqual(page.inner_text(".bill .total strong"), "$21.24")

    def test_combo_takes_eight_taps(self):
        """On a phone, a combo takes eight taps from the start page to the order, including the first field of the
        form"""
        page, taps = self.visit("#/", PHONE), 0
        for selector in (
            ".tile[href='#/menu/100']",
            "[data-item='1001'] .face",
            "[data-option='2302'] > label",
            ".choosing .button",
            "[data-tab=basket]",
            "[href='#/checkout']",
            "#field-name",
        ):
            page.tap(selector)
            taps += 1
            if selector == ".choosing .button":
                page.wait_for_selector("#count:has-text('1')")
        for text in ("ann lee", "5550160002", "ann602@example.com", "12 main street, springfield"):
            page.keyboard.type(text)
            page.keyboard.press("Tab")
        page.wait_for_selector("#new-total:has-text('$17.79')")
        page.tap("button[type=submit]")
        page.wait_for_selector(".bill:has-text('Large')")
        self.assertLessEqual(taps + 1, 8)

    def test_price_of_any_selection(self):
        """The button shows the server's price for any selection"""
        self.change_rows(
            COMPLEX_GROUP,
            "update options set is_retired = true where id between 9101 and 9299; update option_groups set is_retired ="
            " true where id in (901, 902); delete from menu_item_option_groups where group_id = 901",
        )
        page = self.visit("#/items/2003", PHONE)
        self.reload_until(page, "[data-option='9101']")
        script = page.get_attribute("script[src$='app.js']", "src")
        generator = random.Random(7)
        valid_selections = 0
        for id in (1001, 1003, 1004, 1005, 2001, 2003, 3002, 4004):
            for _ in range(12 if id == 2003 else 4):
                found = page.evaluate(PRICES, [script, id, generator.randrange(1 << 30)])
                self.assertEqual((found["missing"], found["page"]), ([], found["server"]), found)
                valid_selections += 1
        self.assertGreater(valid_selections, 30)
        # The request contains exactly the tapped options.
        page.click("[data-option='9101'] > div [aria-label^='One more']")
        page.click("[data-option='9101'] > div [aria-label^='One more']")
        page.click("[data-option='9102'] [aria-label^='One more']")
        page.click("[data-option='9202'] [aria-label^='One more'] >> nth=1")
        page.click("[data-option='9202'] [aria-label^='One more'] >> nth=1")
        price = page.inner_text(".choosing .button").split(" · ")[1]
        page.click(".choosing .button")
        page.wait_for_selector("#count:has-text('1')")
        page.wait_for_selector(".choosing .button:not([aria-busy])")
        line = self.basket(page)["lines"][0]
        self.assertEqual(price, f"${line['unitPrice'] / 100:.2f}")
        self.assertEqual(
            price,
            "$12.89",
            "8.99 + 3.00 + 0.90: the two cheapest of 3.00, 3.00 and 0.50 are included, and one of two at 0.90",
        )
        self.assertEqual(sorted(self.chosen(line["options"]))[1:3], [("Dear", 1, []), ("Dear", 1, [("High", 2, [])])])

    def test_edit_line_in_sheet(self):
        """A sheet changes a line's options, quantity and note; equal lines merge, and the focus stays"""
        page = self.open(2001)
        page.click(".choosing .button")
        page.wait_for_selector("#count:has-text('1')")
        page.click("[data-option='1103'] label")
        page.click("[data-option='1203'] label")
        page.wait_for_selector(".choosing .button:has-text('$9.30')")
        page.click(".choosing .button")
        page.wait_for_selector("#count:has-text('2')")
        page.click("[data-tab=basket]")
        page.wait_for_selector("#total:has-text('$17.35')")
        self.assertEqual(
            page.locator("[data-line-id='2'] .chosen li").all_inner_texts(), ["Well done", "Fried egg\n+$1.25"]
        )
        page.click("[data-line-id='2'] [aria-label='Change The Big Tasty']")
        self.assertTrue(page.is_checked("dialog [data-option='1203'] input"))
        page.click("dialog [data-option='1203'] label")
        page.click("dialog [aria-label='One The Big Tasty more']")
        page.fill("dialog #field-note", "ring twice")
        page.wait_for_selector("dialog .button:has-text('Save · $16.10')")
        page.click("dialog footer .button")
        page.wait_for_selector("#total:has-text('$24.15')")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(page.evaluate("document.activeElement.closest('[data-line-id]')?.dataset.lineId"), "2")
        self.assertEqual(
            [(line["quantity"], line["note"], self.chosen(line["options"])) for line in self.basket(page)["lines"]],
            [(1, None, [("Medium", 1, [])]), (2, "ring twice", [("Well done", 1, [])])],
        )
        page.click("[data-line-id='2'] .link")
        page.click("dialog [data-option='1102'] label")
        page.fill("dialog #field-note", "")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-line-id='2']", state="detached")
        self.assertEqual(page.text_content("[data-line-id='1'] .quantity"), "Quantity 3")
        page.wait_for_selector("#total:has-text('$24.15')")
        # Closing the sheet without a change sends nothing.
        version = self.basket(page)["version"]
        page.click("[data-line-id='1'] .link")
        page.click("dialog footer .button")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(self.basket(page)["version"], version)

    def test_set_has_options_per_dish(self):
        """Each dish of a set has its own options, and the order shows them"""
        page = self.visit("#/sales/200", PHONE)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.click("[data-tab=basket]")
        page.click("[aria-label='Change one BBQ Burger of Happy Saturday']")
        page.click("dialog [data-option='1101'] label")
        page.click("dialog [data-option='1202'] [aria-label^='One more']")
        page.fill("dialog #field-note", "for Bo")
        page.click("dialog footer .button")
        page.wait_for_selector("[data-set='200']:has-text('for Bo')")
        page.wait_for_selector("#total:has-text('$28.42')")
        found = {
            (item["note"], item["quantity"], json.dumps(self.chosen(item["options"])))
            for item in self.basket(page)["sales"][0]["items"]
        }
        self.assertEqual(
            found, {("for Bo", 1, '[["Medium rare", 1, []], ["Bacon", 1, []]]'), (None, 2, '[["Medium", 1, []]]')}
        )
        page.click("text=Go to the checkout")
        page.wait_for_selector("#new-total")
        self.assertIn("Medium rare", page.inner_text(".dishlist"))
        fill_form(page, 603)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill:has-text('Medium rare')")
        page.click("text=Order again")
        page.wait_for_selector("#total:has-text('$28.42')")

    def test_included_option_prices(self):
        """An included dip is labelled as included, and the other dips show their price as soon as they cost
        something"""
        page = self.open(3002)
        prices = lambda: page.locator("[data-option^='310'] .extra").all_inner_texts()
        self.assertEqual(prices(), ["included"] * 3)
        page.click("[data-option='3102'] [aria-label^='One more']")
        self.assertEqual(prices(), ["+$1.65", "included", "+$1.65"])
        before = page.inner_text(".choosing .button")
        page.click("[data-option='3101'] [aria-label^='One more']")
        self.assertNotEqual(page.inner_text(".choosing .button"), before)
        # The price of one of the two dips is included.
        self.assertEqual(sorted(prices()), ["+$1.65", "+$1.65", "included"])
        for option in (3101, 3102):
            page.click(f"[data-option='{option}'] [aria-label^='One less']")
        self.assertEqual(prices(), ["included"] * 3)

    def test_options_keep_menu_order(self):
        """Basket, checkout and order list the options in the order of the item page"""
        page = self.open(1001)
        shown = page.eval_on_selector_all(
            "[data-option]", "all => all.map((element) => element.querySelector('.words span').textContent)"
        )
        page.click(".choosing .button")
        page.wait_for_selector("#count:has-text('1')")
        page.click("[data-tab=basket]")
        page.wait_for_selector("#total")

        def order(place):
            titles = page.eval_on_selector_all(
                f"{place} .pick > :first-child", "all => all.map((element) => element.textContent)"
            )
            self.assertGreater(len(titles), 2)
            return [shown.index(title) for title in titles]

        for place, tap in ((".line", "[href='#/checkout']"), (".dishlist", "button[type=submit]"), (".bill", None)):
            page.wait_for_selector(f"{place} .pick")
            self.assertEqual(order(place), sorted(order(place)), place)
            if tap == "button[type=submit]":
                fill_form(page, 604)
            if tap:
                page.click(tap)

    def test_card_minus_removes_plain_dish(self):
        """The minus of a card removes a dish without changes, never a line that the guest has customised"""
        for item, custom in ((2001, {"options": [{"optionId": 1103}]}), (3001, {"note": "no salt"})):
            page = self.visit("#/menu", PHONE)
            page.wait_for_selector(f"#list [data-item='{item}']")
            minus = page.locator(f"#list [data-item='{item}'] [aria-label^='One'][aria-label$='less']")
            self.assertFalse(minus.is_visible())
            page.click(f"#list [data-item='{item}'] .button")
            page.wait_for_selector("#count:has-text('1')")
            minus.click()
            page.wait_for_selector("#count", state="hidden")
            page.evaluate(
                """async (body) => {
                const path = `/v1/baskets/${JSON.parse(localStorage['welms.basket'])}/items`;
                await fetch(path, {method: 'POST', headers: {'Content-Type': 'application/json'},
                    body: JSON.stringify(body)});
            }""",
                {"menuItemId": item, **custom},
            )
            page.reload()
            page.wait_for_selector("#count:has-text('1')")
            page.wait_for_selector(f"#list [data-item='{item}']")
            page.wait_for_load_state("networkidle")
            self.assertFalse(minus.is_visible())
            # The customised line also stays after the plain dish was added.
            page.click(f"#list [data-item='{item}'] .button")
            page.wait_for_selector("#count:has-text('2')")
            self.assertFalse(minus.is_visible())

    def test_selection_survives_offline(self):
        """A selection made offline stays when the network returns, also if the menu item was changed"""
        self.addCleanup(self.shop.sql, "update menu_items set description = rtrim(description, '!') where id = 1001")
        page = self.open(1001)
        for is_changed in (False, True):
            page.click(".tabs [data-tab=menu]")
            page.wait_for_selector("#list [data-item='1001']")
            page.context.set_offline(True)
            page.wait_for_selector(".banner.shown")
            page.click("#list [data-item='1001'] .face")
            page.click("[data-option='2302'] > label")
            page.click(".choosing [aria-label^='One Grill Combo more']")
            page.fill("#field-note", "no salt")
            before = page.inner_text(".choosing .button")
            if is_changed:
                self.shop.sql("update menu_items set description = description || '!' where id = 1001")
                page.wait_for_timeout(1_500)
            with page.expect_response("**/v1/menu/1001"):
                page.context.set_offline(False)
            page.wait_for_selector(".banner.shown", state="detached")
            if is_changed:
                page.wait_for_selector(".lead:has-text('!')")
            self.assertTrue(page.is_checked("[data-option='2302'] > label > input"))
            self.assertEqual(
                (page.inner_text(".choosing .button"), page.input_value("#field-note")), (before, "no salt")
            )
            if not is_changed:
                self.assertEqual(page.evaluate("document.activeElement.id"), "field-note")
        self.expected_errors += OFFLINE_ERRORS

    def test_required_option_opens_sheet(self):
        """A card whose dish needs a selection opens its sheet; the button names the missing option group and leads to
        it"""
        self.change_rows(
            "update options set is_default = false where id = 1102",
            "update options set is_default = true where id = 1102",
        )
        page = self.visit("#/menu/200", PHONE)
        self.reload_until(page, "[aria-label='Choose Patty Melt']")
        page.click("[data-item='2004'] .button")
        page.wait_for_selector("#count:has-text('1')")
        self.assertEqual(page.locator("dialog").count(), 0, "a dish that needs no selection is added at once")
        page.click("[aria-label='Choose Patty Melt']")
        page.wait_for_selector("dialog .button:has-text('Doneness: choose 1')")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Patty Melt")
        page.click("dialog footer .button")
        page.wait_for_selector("dialog [data-path='options/11'] .error:has-text('Please choose 1')")
        self.assertEqual(page.evaluate("document.activeElement.dataset.path"), "options/11")
        page.click("dialog [data-option='1103'] label")
        self.assertEqual(page.inner_text("dialog [data-path='options/11'] .error"), "")
        page.click("dialog .button:has-text('Add · $8.26')")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(page.inner_text("#count"), "2")
        page.goto(self.shop.url + "/#/sales/200")
        page.click(".poster .button:has-text('Add to basket')")
        for number in (1, 2, 3):
            page.wait_for_selector(f"dialog h2:has-text('BBQ Burger, {number} of 3')")
            page.click(f"dialog [data-option='110{number}'] label")
            page.click("dialog footer .button")
        page.wait_for_selector("[aria-disabled=true]:has-text('In the basket')")
        self.assertEqual(len(self.basket(page)["sales"][0]["items"]), 3)

    def test_option_sells_out_while_choosing(self):
        """An option that sells out while the guest chooses is named at its group, disabled, and says until when"""
        page = self.open(1001)
        page.click("[data-option='2103'] label")
        self.change_rows(
            "update options set sold_out_until = now() + interval '5 minutes' where id = 2103",
            "update options set sold_out_until = null where id = 2103",
        )
        other = self.visit("#/items/1001", PHONE)
        self.reload_until(other, "[data-option='2103'] input:disabled")
        self.assertRegex(other.inner_text("[data-option='2103']"), r"Sold out, back (tomorrow )?at \d")
        page.click(".choosing .button")
        page.wait_for_selector("[data-path='options/21'] .error:not(:empty)")
        self.assertEqual(page.evaluate("document.activeElement.dataset.path"), "options/21")
        page.click("[data-option='2102'] label")
        page.click(".choosing .button")
        page.wait_for_selector("#count:has-text('1')")
        self.expected_errors += ("422",)

    def test_sold_out_option_at_checkout(self):
        """The checkout names an option that sold out after it was chosen, and offers the change"""
        page = self.open(1001)
        page.click("[data-option='2104'] > label")
        page.click(".choosing .button")
        self.wait_for_count(page, 1)
        self.change_rows(
            "update options set is_available = false where id = 2104",
            "update options set is_available = true where id = 2104",
        )
        self.reload_until(page, "[data-option='2104'] > label > input:disabled")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector(".problems:has-text('Grill Combo')")
        page.click(".problems >> text=Change it")
        page.wait_for_selector("dialog [data-path='options/21'] .error:not(:empty)")
        page.click("dialog [data-option='2101'] > label")
        page.click("dialog footer .button")
        page.wait_for_selector(".problems .warn", state="detached")
        fill_form(page, 604)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill:has-text('Cola Soda')")

    def test_age_confirmation(self):
        """The checkout requires age confirmation for an adults-only dish, and shows the error at its checkbox"""
        self.change_rows(
            "update menu_items set minimum_age = 18 where id = 4005",
            "update menu_items set minimum_age = null where id = 4005",
        )
        page = self.visit("#/items/4005", PHONE)
        self.reload_until(page, ".mark:has-text('18+')")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, 605)
        self.assertEqual(page.inner_text(".tick label"), "I am 18 or older")
        page.click("button[type=submit]")
        page.wait_for_selector("#field-ageConfirmed-error:not(:empty)")
        self.assertEqual(page.evaluate("document.activeElement.id"), "field-ageConfirmed")
        self.assertEqual(page.get_attribute("#field-ageConfirmed", "aria-invalid"), "true")
        page.check("#field-ageConfirmed")
        page.wait_for_selector("#field-ageConfirmed-error:empty", state="attached")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        page = self.visit("#/items/2004", PHONE)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        self.assertTrue(page.is_hidden("#field-ageConfirmed"))

    def test_diet_filter(self):
        """The menu's diet filter is part of the address, and links to categories keep it"""
        page = self.visit("#/menu", PHONE)
        page.wait_for_selector("#list [data-item='1001']")
        page.click("text=Allergens and diet")
        page.check("dialog [value=milk]")
        page.check("dialog [value=vegan]")
        page.click("text=Show these dishes")
        page.wait_for_selector(".found:has-text('without milk, vegan')")
        page.wait_for_selector("#list [data-item='1001']", state="detached")
        self.assertIn("without=milk&diet=vegan", page.url)
        wanted = page.evaluate(
            "fetch('/v1/menu?limit=100').then((answer) => answer.json()).then(({items}) => items.filter((entry) =>"
            " entry.allergensAreKnown && !entry.contains.includes('milk') && !entry.mayContain.includes('milk') &&"
            " entry.diets.includes('vegan')).map((entry) => String(entry.id)))"
        )
        shown = [card.get_attribute("data-item") for card in page.locator("#list [data-item]").all()]
        self.assertGreater(len(shown), 0)
        self.assertLessEqual(set(shown), set(wanted))
        page.reload()
        page.wait_for_selector(".found:has-text('without milk, vegan')")
        page.click("nav.chips >> text=Sauces")
        page.wait_for_selector("h1:has-text('Sauces')")
        page.wait_for_selector(".found:has-text('without milk, vegan')")
        page.click("[aria-pressed=true]:has-text('Allergens and diet')")
        self.assertTrue(page.is_checked("dialog [value=milk]"))
        page.click("text=Show all")
        page.wait_for_selector(".found:not(:has-text('milk'))")

    def test_allergens_and_stock_on_item(self):
        """The allergens of a dish follow its options, and the page says when few portions are left"""
        self.change_rows(
            "insert into item_stock (menu_item_id, remaining) values (3002, 3)",
            "delete from item_stock where menu_item_id = 3002",
        )
        page = self.open(2001)
        self.assertNotIn("milk", page.inner_text(".food div:has-text('Contains')"))
        page.click("[data-option='1201'] [aria-label^='One more']")
        self.assertIn("milk", page.inner_text(".food div:has-text('Contains')"))
        page.goto(self.shop.url + "/#/items/3002")
        self.reload_until(page, ".mark:has-text('3 left')")

    def test_nutrition(self):
        """The item page shows the nutrition with the chosen options in the guest's language, without unknown values"""
        self.change_rows(
            "update menu_items set kilojoules = 2100, kilocalories = 502, fat = 25500, saturates = 9000, protein ="
            " 30000, salt = 2400 where id = 2001;update options set kilojoules = 300, kilocalories = 72, fat = 6000,"
            " saturates = 4000, protein = 4000 where id = 1201",
            "update menu_items set kilojoules = null, kilocalories = null, fat = null, saturates = null, protein ="
            " null, salt = null where id = 2001;update options set kilojoules = null, kilocalories = null, fat = null,"
            " saturates = null, protein = null where id = 1201",
        )

        def rows(page):
            return [
                text.replace("\u00a0", " ")
                for row in page.locator(".nutrition tr").all()
                for text in [" ".join(row.inner_text().split())]
            ]

        page = self.open(2001)
        self.reload_until(page, ".nutrition tr:has-text('Salt')")
        page.wait_for_selector(".choosing .button")
        self.assertEqual(
            rows(page),
            ["Energy 2,100 kJ / 502 kcal", "Fat 25.5 g", "of which saturates 9 g", "Protein 30 g", "Salt 2.4 g"],
        )
        for _ in range(2):
            page.click("[data-option='1201'] [aria-label^='One more']")
        # The salt of the cheese is unknown, and therefore the salt of the whole dish.
        self.assertEqual(
            rows(page), ["Energy 2,700 kJ / 646 kcal", "Fat 37.5 g", "of which saturates 17 g", "Protein 38 g"]
        )
        page.click("[data-option='1202'] [aria-label^='One more']")
        title = page.inner_text("[data-option='1202'] .words").split("\n")[0]
        self.assertRegex(page.inner_text(".nutrition caption"), f"(?s)Nutrition per portion.*without .*{title}")
        page = self.open(2001, locale="de-DE")
        self.assertEqual(rows(page)[0], "Brennwert 2.100 kJ / 502 kcal")
        self.assertIn("Nährwerte pro Portion", page.inner_text(".nutrition caption"))
        page = self.open(2001, locale="es-ES")
        self.assertEqual(rows(page)[2], "de las cuales saturadas 9 g")

    def test_allergens_in_basket(self):
        """A line of the basket lists the allergens of the dish with its options"""
        page = self.open(2001)
        page.click("[data-option='1201'] [aria-label^='One more']")
        page.click(".choosing .button")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/basket")
        page.wait_for_selector(".line .allergens:has-text('milk')")
        self.assertRegex(page.inner_text(".line .allergens"), "^contains .*milk")

    def test_options_are_accessible(self):
        """axe reports nothing for the sheet, the option groups and the filter, light and dark, at 320 pixels without
        overflow"""
        self.change_rows(
            "update options set is_default = false where id = 2101",
            "update options set is_default = true where id = 2101",
        )
        for device in (PHONE, NARROW, DESKTOP):
            for mode in ("light", "dark"):
                page = self.visit("#/menu/100", {**device, "color_scheme": mode}, bypass_csp=True)
                self.reload_until(page, "[aria-label='Choose Grill Combo']")
                page.click("[aria-label='Choose Grill Combo']")
                page.click("dialog [data-option='2101'] > label")
                page.click("dialog [data-option='2302'] > label")
                self.check_accessibility(page, f"the sheet {mode}", device)
                page.click("dialog [aria-label=Close]")
                page.click("text=Allergens and diet")
                self.check_accessibility(page, f"the filter {mode}", device)
                page.keyboard.press("Escape")
                page.goto(self.shop.url + "/#/items/1001")
                page.wait_for_selector(".choosing")
                page.click(".choosing .button")
                page.wait_for_selector("[data-path='options/21'] .error:not(:empty)")
                # The sticky button covers nothing at the end of the page.
                page.evaluate("scrollTo(0, document.body.scrollHeight)")
                self.check_accessibility(page, f"the item {mode}", device)

    def check_accessibility(self, page, description, device):
        page.wait_for_timeout(300)
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{description}\n{found.generate_report()}")
        self.assertLessEqual(
            page.evaluate("document.scrollingElement.scrollWidth"), device["viewport"]["width"], description
        )

    def test_options_on_kitchen_ticket(self):
        """The kitchen ticket lists the options below their dish"""
        page = self.open(1001)
        page.click("[data-option='2302'] > label")
        page.click("[data-option='1201'] [aria-label^='One more']")
        page.click("[data-option='1201'] [aria-label^='One more']")
        page.click(".choosing .button")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, 606)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        number = page.inner_text("h1").split()[-1]
        staff = self.context(DESKTOP).new_page()
        staff.goto(self.shop.url + "/staff")
        staff.fill("#field-token", TOKEN)
        staff.keyboard.press("Enter")
        ticket = f"[data-number='{number}'] .chosen"
        staff.wait_for_selector(f"{ticket}:has-text('2 × Cheddar')")
        self.assertEqual(staff.locator(f"{ticket} .chosen .chosen li").all_inner_texts(), ["Paper cup"])


if __name__ == "__main__":
    unittest.main()
