# Photographs: staff add and remove the photograph of a dish, and guests see it.

import os
import sys
import unittest

from axe_playwright_python.sync_playwright import Axe

from shop import PHONE, BrowserTest

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Processes"))
from pictures import png

TOKEN = "the-kitchen's-own-secret"


class PhotographTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def test_add_and_remove_photograph(self):
        """Guests see an uploaded photograph; an invalid file shows an error at its field; after removal the drawing is
        back"""
        self.expected_errors = ("415",)
        staff = self.context(PHONE, bypass_csp=True).new_page()
        staff.goto(self.shop.url + "/staff")
        staff.fill("#field-token", TOKEN)
        staff.keyboard.press("Enter")
        staff.click("[data-tab=menu]")
        staff.click("[data-item='2001'] .photo")
        staff.click("text=Show it to guests")
        staff.wait_for_selector("#field-photograph-error:has-text('Choose a file first.')")
        staff.set_input_files(
            "#field-photograph", {"name": "burger.jpg", "mimeType": "image/jpeg", "buffer": b"<svg/>"}
        )
        staff.click("text=Show it to guests")
        staff.wait_for_selector("#field-photograph-error:has-text('JPEG, PNG or WebP')")
        found = Axe().run(staff, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, found.generate_report())
        staff.set_input_files("#field-photograph", {"name": "x", "mimeType": "", "buffer": png(1000, 750)})
        staff.click("text=Show it to guests")
        staff.wait_for_selector("dialog", state="detached")
        seen = "[data-item='2001'] .photo img[srcset*='/photographs/']"
        staff.wait_for_selector(seen)

        # An image far down the list loads only shortly before it is visible.
        card = self.visit("#/menu", PHONE)
        image = card.locator("#list [data-item='2001'] img")
        image.wait_for(state="attached")
        self.assertEqual(image.evaluate("(image) => image.currentSrc"), "")
        image.scroll_into_view_if_needed()
        card.wait_for_function("() => document.querySelector(\"#list [data-item='2001'] img\").naturalWidth > 0")

        guest = self.visit("#/items/2001", PHONE)
        guest.wait_for_selector("main .picture.tall img[srcset*='/photographs/']")
        image = guest.wait_for_function("""() => {
          const image = document.querySelector('main .picture.tall img');
          return image.naturalWidth > 0
              && {source: image.currentSrc, width: image.clientWidth, height: image.clientHeight};
        }""").json_value()
        # The phone has 390 points with two pixels per point.
        self.assertTrue(image["source"].endswith("/800"), image)
        kind = guest.evaluate(
            "(address) => fetch(address, {headers: {Accept: 'image/webp'}}).then((answer) =>"
            " answer.headers.get('Content-Type'))",
            image["source"],
        )
        self.assertEqual(kind, "image/webp")

        staff.click("[data-item='2001'] .photo")
        staff.click("text=Remove it")
        staff.wait_for_selector(seen, state="detached")
        staff.wait_for_selector("[data-item='2001'] .photo img[src='/pictures/2001.svg']")


if __name__ == "__main__":
    unittest.main()
