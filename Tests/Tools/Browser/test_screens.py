# The features of each screen of the guest page.

import base64
import unittest

from shop import PHONE, BrowserTest
from test_ordering import fill_form

DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
SCREENS = (
    ("#/", ".ticket"),
    ("#/menu", "#list [data-item]"),
    ("#/menu/300", "#list [data-item]"),
    ("#/items/2002", ".detail .price"),
    ("#/sales/200", ".poster .price"),
    ("#/sales/100", ".poster .lead"),
    ("#/favourites", "[data-item]"),
    ("#/basket", "#total"),
    ("#/checkout", "#new-total"),
    ("#/orders", ".empty"),
)


class ScreenTests(BrowserTest):
    def shelf(self, page):
        page.wait_for_selector(".surprise .shelf [data-item]")
        return [card.get_attribute("data-item") for card in page.locator(".surprise .shelf [data-item]").all()]

    def order(self, page, number):
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, number)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")

    def test_home_sections(self):
        """The start page has categories, sales, random dishes, specials and coupons, and links to each"""
        page = self.visit("#/", PHONE)
        page.wait_for_selector(".ticket")
        self.assertEqual(page.locator(".tile").all_inner_texts(), ["Combo", "Burgers", "Fries", "Beverages", "Sauces"])
        self.assertEqual(page.locator("[data-sale]").count(), 5)
        self.assertGreater(page.locator(".specials [data-item]").count(), 0)
        page.click("[data-sale='400']")
        page.wait_for_selector("h1:has-text('Hot Chicken Days')")
        page.click(".back")
        page.click(".tile:has-text('Fries')")
        page.wait_for_function("() => document.activeElement.textContent === 'Fries' && scrollY > 300")
        cards = page.locator("[data-category='300'] [data-item]")
        self.assertEqual([card.get_attribute("data-item") for card in cards.all()], ["3001", "3002", "3003"])

    def test_surprise_shelf(self):
        """A tap on “Shuffle” shows other dishes, and Back shows the same dishes again"""
        page = self.visit("#/")
        seen = [self.shelf(page)]
        for _ in range(3):
            with page.expect_response(lambda answer: "sort=random" in answer.url):
                page.click("text=Shuffle")
            page.wait_for_selector(".surprise button:not([aria-busy])")
            seen.append(self.shelf(page))
        self.assertGreater(len({tuple(shelf) for shelf in seen}), 1)
        page.click(".surprise [data-item] .face")
        page.wait_for_selector(".detail .price")
        page.go_back()
        self.assertEqual(self.shelf(page), seen[-1])

    def test_item_page(self):
        """An item page has the picture, the text and the price on the button; a special item has a star and links to
        its sale"""
        page = self.visit("#/items/2002")
        page.wait_for_selector(".button:has-text('Add to basket · $8.99')")
        self.assertEqual(page.inner_text(".detail s"), "$9.99")
        self.assertTrue(page.evaluate("document.querySelector('.detail img').decode().then(() => true)"))
        self.assertGreater(len(page.inner_text(".detail .lead")), 20)
        self.assertEqual(page.locator(".detail .mark.special").count(), 1)
        page.click("text=Part of Happy Saturday")
        page.wait_for_selector("h1:has-text('Happy Saturday')")
        page.goto(self.shop.url + "/#/items/2001")
        page.wait_for_selector(".button:has-text('Add to basket · $8.05')")
        self.assertEqual(page.locator(".detail .mark.special, .detail s, .detail a.button").count(), 0)

    def test_sale_pages(self):
        """An informational sale has only text; a set can be added once, and again after its removal"""
        page = self.visit("#/sales/100", PHONE)
        page.wait_for_selector(".poster .lead")
        self.assertEqual(page.locator("text=Add to basket").count(), 0)
        page.goto(self.shop.url + "/#/sales/200")
        page.click("text=Add to basket")
        page.wait_for_selector("[aria-disabled=true]:has-text('In the basket')")
        page.click("text=In the basket")
        other = page.context.new_page()
        other.goto(self.shop.url + "/#/basket")
        other.click("[aria-label='Remove Happy Saturday']")
        page.wait_for_selector("[aria-disabled=false]:has-text('Add to basket')")
        page.click("text=Add to basket")
        other.wait_for_selector("[data-set='200']")
        self.assertEqual(other.inner_text("#count"), "1")

    def test_basket_actions(self):
        """Dishes and sets are listed apart; plus, minus, remove and empty update the count and the total"""
        page = self.visit("#/items/2001", PHONE)
        page.click("text=Add to basket")
        page.goto(self.shop.url + "/#/items/3001")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('2')")
        page.goto(self.shop.url + "/#/sales/200")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('3')")
        page.click("[data-tab=basket]")
        page.wait_for_selector("#total:has-text('$39.61')")
        self.assertEqual(page.locator("[aria-labelledby=dishes] [data-line]").count(), 2)
        self.assertEqual(page.locator("[aria-labelledby=sets] [data-set]").count(), 1)
        page.click("[aria-label='One The Big Tasty more']")
        page.wait_for_selector("#total:has-text('$47.66')")
        self.assertEqual(page.get_attribute("[data-tab=basket]", "aria-label"), "Basket, 4 items")
        for total in ("$39.61", "$31.56"):
            page.click("[aria-label='One The Big Tasty less']")
            page.wait_for_selector(f"#total:has-text('{total}')")
        self.assertEqual(page.locator("[data-line='2001']").count(), 0)
        self.assertEqual(
            page.evaluate("document.activeElement.tagName"),
            "H1",
            "the focus must move to the heading when the line is removed",
        )
        page.click("[aria-label='Remove French Fries']")
        page.wait_for_selector("#total:has-text('$26.97')")
        page.click("[aria-label='Remove Happy Saturday']")
        page.wait_for_selector(".empty")
        self.assertTrue(page.is_hidden("#count"))
        page.goto(self.shop.url + "/#/items/2001")
        page.click("text=Add to basket")
        page.goto(self.shop.url + "/#/basket")
        page.click("text=Empty the basket")
        page.click("dialog button:has-text('Keep it')")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(page.inner_text("#count"), "1")
        page.click("text=Empty the basket")
        page.click("dialog button:has-text('Empty basket')")
        page.wait_for_selector(".empty")

    def test_kitchen_notes(self):
        """A dish with a note is a separate line; the basket changes and removes the note, and the bill shows it"""
        page = self.visit("#/items/2001", PHONE)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.fill("#field-note", "no <b>onions</b>")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('2')")
        page.click("[data-tab=basket]")
        page.wait_for_selector("#total:has-text('$16.10')")
        self.assertEqual(page.locator("[data-line='2001']").count(), 2)
        self.assertEqual(page.inner_text("[data-line] q"), "no <b>onions</b>")
        page.click("[aria-label='One The Big Tasty, “no <b>onions</b>” more']")
        page.wait_for_selector("#total:has-text('$24.15')")
        page.click("[aria-label='Change The Big Tasty, “no <b>onions</b>”']")
        page.fill("dialog #field-note", "well done")
        page.click("dialog >> text=Save")
        page.wait_for_selector("[data-line] q:has-text('well done')")
        page.click("[aria-label='Change The Big Tasty, “well done”']")
        page.click("dialog [aria-label=Close]")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(page.inner_text("[data-line] q"), "well done")
        # Without its note the line merges with the other line.
        page.click("[aria-label='Change The Big Tasty, “well done”']")
        page.fill("dialog #field-note", "")
        page.click("dialog >> text=Save")
        page.wait_for_selector("[data-line] q", state="detached")
        self.assertEqual(page.locator("[data-line='2001']").count(), 1)
        self.assertEqual(page.text_content(".quantity"), "Quantity 3")
        page.click("[aria-label='Change The Big Tasty']")
        page.fill("dialog #field-note", "rare")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-line] q:has-text('rare')")
        page.goto(self.shop.url + "/#/checkout")
        fill_form(page, 211)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill:has-text('“rare”')")
        order = page.url
        page.click("text=Order again")
        page.wait_for_selector("[data-line] q:has-text('rare')")
        page.click("text=Empty the basket")
        page.click("dialog button:has-text('Empty basket')")
        page.wait_for_selector(".empty")
        # “Order again” also works after a price change.
        self.addCleanup(self.shop.sql, "update menu_items set price = 805 where id = 2001")
        self.shop.sql("update menu_items set price = 905 where id = 2001")
        self.wait_for_answer(page, "/v1/menu/2001", "({price}) => price === 905")
        page.goto(order)
        page.click("text=Order again")
        page.wait_for_selector(".toast:has-text('The Big Tasty costs $9.05 now.')")
        # A change is rejected with 412, because the page's basket has an older version. The page then reads the basket.
        self.expected_errors += ("412",)

    def test_sold_out_dish_in_set(self):
        """A button removes a sold out dish from a set, and the rest can be ordered"""
        page = self.visit("#/sales/400", PHONE)
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.click("[data-tab=basket]")
        page.wait_for_selector("[data-set='400']")
        self.assertEqual(page.locator("[data-sold-out]").count(), 0)
        title = self.shop.sql("select title from menu_items where id = 1002")
        self.addCleanup(self.shop.sql, "update menu_items set is_available = true where id = 1002")
        self.shop.sql("update menu_items set is_available = false where id = 1002")
        # The server reloads the menu within a second; the page reads its basket on the next visit.
        for _ in range(100):
            page.reload()
            page.wait_for_selector("[data-set='400'] li")
            if page.locator("[data-sold-out='1002']").count() == 1:
                break
        page.click(f"[aria-label^='Remove {title} from']")
        page.wait_for_selector("[data-sold-out]", state="detached")
        page.wait_for_selector("#total:has-text('$16.79')")
        self.assertEqual(page.locator("[data-set='400'] .units > li").count(), 1)
        self.order(page, 802)

    def test_bill_screen(self):
        """The bill's link can be copied, the order is in the guest's list, and the leaving animation plays once"""
        page = self.context(
            PHONE, reduced_motion="no-preference", permissions=["clipboard-read", "clipboard-write"]
        ).new_page()
        page.goto(self.shop.url + "/#/items/2001")
        page.wait_for_selector(".intro", state="detached")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        self.order(page, 801)
        self.assertRegex(page.inner_text("h1"), r"^Order \d{8}$")
        self.assertRegex(
            page.inner_text(".due"), r"in about (15|20|25|30|35|40|45|50|55|60) minutes, by (tomorrow, )?\d"
        )
        page.click("text=Copy the link")
        page.wait_for_selector(".toast")
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), page.url)
        number = page.inner_text("h1")
        self.assertEqual(page.locator(".intro").count(), 0)
        page.click("[data-tab=home]")
        page.wait_for_selector(".intro", state="attached")
        page.wait_for_selector(".intro", state="detached")
        page.click("text=Your orders")
        page.click(f"a:has-text('{number}')")
        page.wait_for_selector(".customer")
        page.click("text=Back to the start page")
        page.wait_for_selector(".ticket")
        self.assertEqual(page.locator(".intro").count(), 0)

    def test_currency_format(self):
        """Amounts have the format of the shop's currency in the guest's language"""
        self.addCleanup(self.shop.sql, "update shop set currency = 'USD'")
        self.shop.sql("update shop set currency = 'EUR'")
        page = self.context(PHONE, locale="de-DE").new_page()
        page.goto(self.shop.url + "/#/items/2001")
        page.wait_for_selector(".button:has-text('8,05\u00a0€')")

    def test_favourite_in_all_tabs(self):
        """A favourite appears in all tabs, until a second tap removes it"""
        page = self.visit("#/items/2005", PHONE)
        other = page.context.new_page()
        other.goto(self.shop.url + "/#/menu/200")
        page.click("[aria-label='Favourite: Patty Melt']")
        other.wait_for_selector("[aria-label='Favourite: Patty Melt'][aria-pressed=true]")
        other.click("[aria-label='Favourite: Patty Melt']")
        page.wait_for_selector("[aria-label='Favourite: Patty Melt'][aria-pressed=false]")
        page.click("[data-tab=favourites]")
        page.wait_for_selector(".empty")

    def test_external_pictures(self):
        """A picture from another host is requested without a referrer; a failing one is replaced by a letter"""
        self.addCleanup(
            self.shop.sql, "update menu_items set image_url = '/pictures/' || id || '.svg' where id in (3001, 3002)"
        )
        self.shop.sql(
            "update menu_items set image_url = 'https://pictures.example/' || id || '.png' where id in (3001, 3002)"
        )
        page, asked = self.context(PHONE).new_page(), []

        def picture(route):
            asked.append(route.request.all_headers())
            (
                route.fulfill(body=DOT, content_type="image/png")
                if "3001" in route.request.url
                else route.fulfill(status=404)
            )

        page.route("https://pictures.example/**", picture)
        page.goto(self.shop.url + "/#/menu/300")
        page.wait_for_selector("[data-item='3002'] .letter:has-text('V')")
        page.wait_for_selector("[data-item='3001'] img")
        self.assertEqual(
            page.evaluate(
                '(image => image.decode().then(() => image.naturalWidth))(document.querySelector(\'[data-item="3001"]'
                " img'))"
            ),
            1,
        )
        self.assertEqual([headers.get("referer") for headers in asked], [None, None])
        self.expected_errors += ("another host: https://pictures.example/", "404")

    def test_no_overflow_on_guest_page(self):
        """No screen is wider than 320 pixels or shifts while it loads"""
        device = {**PHONE, "viewport": {"width": 320, "height": 640}}
        context = self.context(device)
        context.add_init_script("""
            window.shifts = [];
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) if (!entry.hadRecentInput)
                    window.shifts.push([entry.value, entry.sources
                    .map((source) => `${source.node?.className || source.node?.nodeName} ${
                        source.previousRect.y} ${source.currentRect.y}`).join()]);
            }).observe({type: 'layout-shift', buffered: true});
        """)
        page = context.new_page()
        page.goto(self.shop.url + "/#/items/2001")
        page.click("text=Add to basket")
        page.click("[aria-label='Favourite: The Big Tasty']")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/sales/200")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('2')")
        for hash, until in SCREENS:
            page.goto("about:blank")
            page.goto(self.shop.url + "/" + hash)
            page.wait_for_selector(until)
            page.wait_for_timeout(200)
            # A phone's innerWidth grows with overflowing content.
            width, shifts = page.evaluate("[document.scrollingElement.scrollWidth, window.shifts]")
            self.assertLessEqual(width, device["viewport"]["width"], hash)
            with self.subTest(hash=hash):
                self.assertEqual(sum(value for value, _ in shifts), 0, shifts)
            self.assertEqual(page.locator("img:not([width]), img:not([height]), img:not([alt])").count(), 0, hash)


if __name__ == "__main__":
    unittest.main()
