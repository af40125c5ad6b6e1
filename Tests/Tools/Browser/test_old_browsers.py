# The pages in the oldest supported browsers (ThePages.md). A script deletes the missing features before each page
# loads.

import os
import re
import unittest

from placing import TOKEN
from server import ROOT
from shop import PHONE, BrowserTest

# Deletes newer features.
DELETE_FEATURES = os.path.join(ROOT, "Tests/Tools/Browser/old_browsers.js")


class OldBrowserTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def open(self, path):
        context = self.context(PHONE)
        context.add_init_script(path=DELETE_FEATURES)
        page = context.new_page()
        page.goto(self.shop.url + path)
        return page

    def test_search_in_old_browser(self):
        """The search finds dishes and keeps the search term in the address, in a browser without newer features"""
        page = self.open("/#/menu")
        page.wait_for_selector("#list [data-item='2001']")
        page.fill("#q", "fries")
        page.wait_for_selector("#list.grid [data-item='3001']")
        self.assertEqual(page.evaluate("location.hash"), "#/menu?q=fries")
        page.reload()
        page.wait_for_selector("#list.grid [data-item='3001']")
        self.assertEqual(page.input_value("#q"), "fries")

    def test_order_in_old_browser(self):
        """A guest orders in a browser without newer features"""
        page = self.open("/#/items/2002")
        page.click("text=Add to basket")
        page.wait_for_selector("#count:has-text('1')")
        page.click(".tabs [data-tab=basket]")
        page.click("[href='#/checkout']")
        page.wait_for_selector("#new-total")
        for field, text in {"name": "ann lee", "phone": "5550100881", "email": "ann881@example.com",
                            "address": "12 main street, springfield"}.items():
            page.fill(f"#field-{field}", text)
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")

    def test_board_in_old_browser(self):
        """A member of staff signs in and opens an empty column in a browser without newer features"""
        page = self.open("/staff")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        page.click("#states .on_the_way")

    def test_has_stands_alone(self):
        """No selector list mixes :has with other selectors: Firefox ESR 115 would ignore the whole rule"""
        folder = os.path.join(ROOT, "Sources/Pages/Storefront")
        found = []
        for where, _, names in os.walk(folder):
            for name in names:
                if not name.endswith(".css"):
                    continue
                with open(os.path.join(where, name)) as file:
                    text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
                for prelude in re.findall(r"(?:^|[{};])([^{};@]+)\{", text):
                    # :is and :where ignore selectors that they do not know.
                    plain = re.sub(r":(?:is|where)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", "", prelude)
                    flat = plain
                    while re.search(r"\([^()]*\)", flat):
                        flat = re.sub(r"\([^()]*\)", lambda match: f"<{match[0][1:-1].replace(',', ';')}>", flat)
                    selectors = flat.split(",")
                    with_has = [selector for selector in selectors if ":has<" in selector]
                    if with_has and len(with_has) < len(selectors):
                        found.append((name, prelude.strip()))
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
