# The first screen of a shop that delivers to areas: where it is brought to, and what that takes, before a basket is filled.

import json
import unittest

from shop import DESKTOP, PHONE
from terms import AREAS, NARROW, TermsTest
from test_large_text import FAULTS
from test_widths import DEVICES, MOVEMENTS

# What moves after a key was pressed too.
ALL_MOVEMENTS = MOVEMENTS.replace("if (!entry.hadRecentInput) ", "")
DELIVERY, PICKUP = ".terms li:nth-child(1)", ".terms li:nth-child(2)"
CENTRE, HILLS = "Delivery Centre · 25 min · $2.50, free from $20.00", "Delivery Hills · 35 min · $4.00 · orders from $15.00"


class WhereTests(TermsTest):
    def home(self, device=PHONE, **options):
        context = self.context(device, **options)
        context.add_init_script(ALL_MOVEMENTS)
        page = context.new_page()
        page.goto(self.shop.url)
        page.wait_for_selector(".tickets")
        return page

    def tell(self, page, postcode):
        page.fill("#where", postcode)
        page.keyboard.press("Enter")

    def reads(self, page, text):
        """What stands there at once, in which no space is too much."""
        page.wait_for_function("([selector, text]) => document.querySelector(selector)?.innerText.replace(/\\u00a0/g, ' ') === text", arg=[DELIVERY, text])

    def calm(self, page, what):
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.assertEqual(page.evaluate("window.shifts"), [], what)
        self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), page.viewport_size["width"], what)

    def test_postcode_on_home(self):
        """Who tells a postcode on the first screen reads what delivery there takes, or that there is none; nothing moves, and axe finds nothing"""
        self.rows(AREAS)
        for device in (*DEVICES, NARROW):
            page = self.home(device, bypass_csp=True)
            width = page.viewport_size["width"]
            spread = page.inner_text(DELIVERY)
            self.assertEqual(spread, "Delivery 25–35 min · fee up to $4.00 · minimum up to $15.00")
            self.assertEqual(page.inner_text("label[for=where]"), "Postcode")
            self.assertGreaterEqual(page.locator("#where").bounding_box()["height"], 44)
            for postcode, text in (("10 115", CENTRE), ("20001", HILLS), ("99999", "Delivery We don’t deliver there."),
                                   ("!", "Delivery This is not a postcode. Please enter its letters and digits only.")):
                self.tell(page, postcode)
                self.reads(page, text)
                self.assertEqual(page.get_attribute("#where", "aria-invalid"), None if "·" in text else "true")
                self.assertEqual(page.evaluate("document.activeElement.id"), "where")
                page.wait_for_function("text => document.querySelector('#say').textContent && text.endsWith(document.querySelector('#say').textContent.replace(/\\u00a0/g, ' '))", arg=text)
                self.assertEqual(page.inner_text(PICKUP), "Pickup 15 min")
                self.scan(page, f"{postcode} at {width}")
                self.calm(page, f"{postcode} at {width}")
            self.tell(page, "")
            self.reads(page, spread)
            self.assertIsNone(page.get_attribute("#where", "aria-invalid"))
            self.calm(page, f"none at {width}")

    def test_postcode_of_the_visit(self):
        """The postcode is the checkout's, for this visit alone; a guest who is remembered needs to tell nothing"""
        self.rows(AREAS)
        page = self.home()
        page.locator("#where").press_sequentially("20 001")
        # Left without Enter, it is told too.
        page.click(".hero .button")
        page.wait_for_selector("#list [data-item='2001']")
        page.go_back()
        self.reads(page, HILLS)
        page.reload()
        page.wait_for_selector(".tickets")
        self.reads(page, HILLS)
        self.calm(page, "a reload")
        page.goto(self.shop.url + "/#/items/2001")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        self.to_checkout(page)
        self.assertEqual(page.input_value("#field-postcode"), "20 001")
        page.wait_for_selector(".hint:has-text('Hills: delivery $4.00. Orders of $15.00 or more. About 35 minutes.')")
        # What is typed there is known here.
        page.fill("#field-postcode", "10115")
        page.wait_for_selector(".hint:has-text('Centre: delivery $2.50')")
        page.goto(self.shop.url + "/#/")
        page.wait_for_selector(".tickets")
        self.reads(page, CENTRE)
        self.assertEqual(page.input_value("#where"), "10115")
        other = page.context.new_page()
        other.goto(self.shop.url)
        other.wait_for_selector(".tickets")
        self.assertEqual(other.input_value("#where"), "")
        other.evaluate("guest => localStorage.setItem('welms.guest', guest)", json.dumps({"name": "Ann Lee", "postcode": "10999"}))
        other.reload()
        other.wait_for_selector(".tickets")
        self.reads(other, CENTRE)
        self.calm(other, "a guest who is remembered")

    def test_postcode_in_other_words(self):
        """German and Spanish say it in their own words, and in letters of twice the size nothing is cut off or moves"""
        self.rows(AREAS)
        for locale, label, centre, hills, nowhere in (
                ("en-US", "Postcode", CENTRE, HILLS, "Delivery We don’t deliver there."),
                ("de-DE", "Postleitzahl", "Lieferung Centre · 25 Min. · 2,50 $, kostenlos ab 20,00 $", "Lieferung Hills · 35 Min. · 4,00 $ · Bestellungen ab 15,00 $", "Lieferung Dorthin liefern wir nicht."),
                ("es-ES", "Código postal", "Entrega Centre · 25 min · 2,50 US$, gratis a partir de 20,00 US$", "Entrega Hills · 35 min · 4,00 US$ · pedidos desde 15,00 US$", "Entrega No repartimos allí.")):
            page = self.home(locale=locale)
            self.assertEqual(page.inner_text("label[for=where]"), label)
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => { window.shifts.length = 0; done(); })))")
            for postcode, text in (("10115", centre), ("20001", hills), ("99999", nowhere)):
                self.tell(page, postcode)
                self.reads(page, text)
                self.calm(page, f"{text} in large letters")
                self.assertEqual(page.evaluate(FAULTS), [], text)
                page.evaluate("document.documentElement.style.fontSize = '200%'")
                page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => { window.shifts.length = 0; done(); })))")

    def test_no_postcode_needed(self):
        """A shop without areas asks for no postcode, and its first screen asks the server for nothing of it; nor where delivery is not offered"""
        asked = []
        page = self.context(DESKTOP).new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(self.shop.url)
        page.wait_for_selector(".tickets")
        self.assertEqual(page.locator(".terms li").all_inner_texts(), ["Delivery 15 min · free", "Pickup 15 min"])
        self.assertEqual((page.locator("#where").count(), page.evaluate("document.querySelector('.terms').tagName")), (0, "UL"))
        self.assertEqual([url for url in asked if "/v1/delivery" in url], [])
        self.rows(AREAS, "update fulfilments set is_offered = false where fulfilment = 'delivery';")
        page.reload()
        page.wait_for_selector(".tickets")
        self.assertEqual(page.locator(".terms li").all_inner_texts(), ["Pickup 15 min"])
        self.assertEqual(page.locator("#where").count(), 0)

    def test_answer_lost(self):
        """Where the answer can't be had that is said, and the same postcode is asked about again"""
        self.rows(AREAS)
        page = self.home()
        page.route("**/v1/delivery**", lambda route: route.abort())
        self.tell(page, "10115")
        self.reads(page, "Delivery We can’t reach the kitchen at the moment.")
        page.unroute("**/v1/delivery**")
        page.keyboard.press("Enter")
        self.reads(page, CENTRE)
        self.forgiven += ("ERR_FAILED",)


if __name__ == "__main__":
    unittest.main()
