# The postcode on the first screen of a shop with delivery areas: fee, minimum and time before the first dish.

import json
import unittest

from shop import DESKTOP, PHONE
from terms import AREAS, NARROW, ConfiguredShopTest
from test_large_text import FAULTS
from test_widths import DEVICES, MOVEMENTS

# Layout shifts, including those shortly after a key press.
ALL_MOVEMENTS = MOVEMENTS.replace("if (!entry.hadRecentInput)", "")
DELIVERY, PICKUP = ".terms li:nth-child(1)", ".terms li:nth-child(2)"
CENTRE, HILLS = (
    "Delivery Centre · 25 min · $2.50, free from $20.00",
    "Delivery Hills · 35 min · $4.00 · orders from $15.00",
)


class PostcodeTests(ConfiguredShopTest):
    def home(self, device=PHONE, **options):
        context = self.context(device, **options)
        context.add_init_script(ALL_MOVEMENTS)
        page = context.new_page()
        page.goto(self.shop.url)
        page.wait_for_selector(".tickets")
        return page

    def enter_postcode(self, page, postcode):
        page.fill("#where", postcode)
        page.keyboard.press("Enter")

    def wait_for_text(self, page, text):
        """Checks that exactly this text is shown at once, without superfluous spaces."""
        page.wait_for_function(
            "([selector, text]) => document.querySelector(selector)?.innerText.replace(/\\u00a0/g, ' ') === text",
            arg=[DELIVERY, text],
        )

    def check_screen(self, page, description):
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.assertEqual(page.evaluate("window.shifts"), [], description)
        self.assertLessEqual(
            page.evaluate("document.scrollingElement.scrollWidth"), page.viewport_size["width"], description
        )

    def test_postcode_on_first_screen(self):
        """A postcode on the first screen shows the delivery terms, or that the shop does not deliver there, without a
        layout shift or axe violation"""
        self.configure(AREAS)
        for device in (*DEVICES, NARROW):
            page = self.home(device, bypass_csp=True)
            width = page.viewport_size["width"]
            spread = page.inner_text(DELIVERY)
            self.assertEqual(spread, "Delivery 25–35 min · fee up to $4.00 · minimum up to $15.00")
            self.assertEqual(page.inner_text("label[for=where]"), "Postcode")
            self.assertGreaterEqual(page.locator("#where").bounding_box()["height"], 44)
            for postcode, text in (("10 115", CENTRE), ("20001", HILLS), ("99999", "Delivery We don’t deliver there."),
                                   ("!", "Delivery This is not a postcode. Please enter its letters and digits only.")):
                self.enter_postcode(page, postcode)
                self.wait_for_text(page, text)
                self.assertEqual(page.get_attribute("#where", "aria-invalid"), None if "·" in text else "true")
                self.assertEqual(page.evaluate("document.activeElement.id"), "where")
                page.wait_for_function(
                    "text => document.querySelector('#announcer').textContent &&"
                    " text.endsWith(document.querySelector('#announcer').textContent.replace(/\\u00a0/g, ' '))",
                    arg=text,
                )
                self.assertEqual(page.inner_text(PICKUP), "Pickup 15 min")
                self.check_accessibility(page, f"{postcode} at {width}")
                self.check_screen(page, f"{postcode} at {width}")
            self.enter_postcode(page, "")
            self.wait_for_text(page, spread)
            self.assertIsNone(page.get_attribute("#where", "aria-invalid"))
            self.check_screen(page, f"none at {width}")

    def test_postcode_is_kept_for_visit(self):
        """The checkout has the postcode for this visit only; a remembered guest need not enter one"""
        self.configure(AREAS)
        page = self.home()
        page.locator("#where").press_sequentially("20 001")
        # Leaving the field without Enter submits the postcode too.
        page.click(".hero .button")
        page.wait_for_selector("#list [data-item='2001']")
        page.go_back()
        self.wait_for_text(page, HILLS)
        page.reload()
        page.wait_for_selector(".tickets")
        self.wait_for_text(page, HILLS)
        self.check_screen(page, "a reload")
        page.goto(self.shop.url + "/#/items/2001")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        self.to_checkout(page)
        self.assertEqual(page.input_value("#field-postcode"), "20 001")
        page.wait_for_selector(".hint:has-text('Hills: delivery $4.00. Orders of $15.00 or more. About 35 minutes.')")
        # A postcode typed at the checkout appears on the first screen.
        page.fill("#field-postcode", "10115")
        page.wait_for_selector(".hint:has-text('Centre: delivery $2.50')")
        page.goto(self.shop.url + "/#/")
        page.wait_for_selector(".tickets")
        self.wait_for_text(page, CENTRE)
        self.assertEqual(page.input_value("#where"), "10115")
        other = page.context.new_page()
        other.goto(self.shop.url)
        other.wait_for_selector(".tickets")
        self.assertEqual(other.input_value("#where"), "")
        other.evaluate(
            "guest => localStorage.setItem('welms.guest', guest)", json.dumps({"name": "Ann Lee", "postcode": "10999"})
        )
        other.reload()
        other.wait_for_selector(".tickets")
        self.wait_for_text(other, CENTRE)
        self.check_screen(other, "a guest who is remembered")

    def test_postcode_texts_in_other_languages(self):
        """German and Spanish have their own texts, which are not clipped and shift nothing at twice the size"""
        self.configure(AREAS)
        for locale, label, centre, hills, nowhere in (
            ("en-US", "Postcode", CENTRE, HILLS, "Delivery We don’t deliver there."),
            (
                "de-DE",
                "Postleitzahl",
                "Lieferung Centre · 25 Min. · 2,50 $, kostenlos ab 20,00 $",
                "Lieferung Hills · 35 Min. · 4,00 $ · Bestellungen ab 15,00 $",
                "Lieferung Dorthin liefern wir nicht.",
            ),
            (
                "es-ES",
                "Código postal",
                "Entrega Centre · 25 min · 2,50 US$, gratis a partir de 20,00 US$",
                "Entrega Hills · 35 min · 4,00 US$ · pedidos desde 15,00 US$",
                "Entrega No repartimos allí.",
            ),
        ):
            page = self.home(locale=locale)
            self.assertEqual(page.inner_text("label[for=where]"), label)
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            page.evaluate(
                "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {"
                " window.shifts.length = 0; done(); })))"
            )
            for postcode, text in (("10115", centre), ("20001", hills), ("99999", nowhere)):
                self.enter_postcode(page, postcode)
                self.wait_for_text(page, text)
                self.check_screen(page, f"{text} in large letters")
                self.assertEqual(page.evaluate(FAULTS), [], text)
                page.evaluate("document.documentElement.style.fontSize = '200%'")
                page.evaluate(
                    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {"
                    " window.shifts.length = 0; done(); })))"
                )

    def test_no_postcode_without_areas(self):
        """A shop without areas or without delivery asks for no postcode and sends no request for it"""
        asked = []
        page = self.context(DESKTOP).new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(self.shop.url)
        page.wait_for_selector(".tickets")
        self.assertEqual(page.locator(".terms li").all_inner_texts(), ["Delivery 15 min · free", "Pickup 15 min"])
        self.assertEqual(
            (page.locator("#where").count(), page.evaluate("document.querySelector('.terms').tagName")), (0, "UL")
        )
        self.assertEqual([url for url in asked if "/v1/delivery" in url], [])
        self.configure(AREAS, "update fulfilments set is_offered = false where fulfilment = 'delivery';")
        page.reload()
        page.wait_for_selector(".tickets")
        self.assertEqual(page.locator(".terms li").all_inner_texts(), ["Pickup 15 min"])
        self.assertEqual(page.locator("#where").count(), 0)

    def test_postcode_answer_lost(self):
        """A failed postcode check says so, and the same postcode can be checked again"""
        self.configure(AREAS)
        page = self.home()
        page.route("**/v1/delivery**", lambda route: route.abort())
        self.enter_postcode(page, "10115")
        self.wait_for_text(page, "Delivery We can’t reach the kitchen at the moment.")
        page.unroute("**/v1/delivery**")
        page.keyboard.press("Enter")
        self.wait_for_text(page, CENTRE)
        self.expected_errors += ("ERR_FAILED",)


if __name__ == "__main__":
    unittest.main()
