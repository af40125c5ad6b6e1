# Parts of the page that fail to load, files of another version, and unexpected errors.

import glob
import os
import re
import unittest

from placing import TOKEN
from server import ROOT
from shop import PHONE, BrowserTest
from test_offline import CachedPageTest

SOURCES = os.path.join(ROOT, "Sources/Pages/Storefront")


class ReloadTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def open(self, hash, until):
        # A service worker would bypass the routes of a test.
        page = self.visit(hash, PHONE, service_workers="block")
        page.wait_for_selector(until)
        return page

    def test_failed_part_loads_later(self):
        """A dialog and a screen whose files failed to load open once the files are available"""
        self.expected_errors += ("ERR_FAILED",)
        page = self.open("#/menu/100", "#list [data-item='1001']")
        files = ("**/menu/foodFilterDialog.js", "**/menu/aboutScreen.js")
        for file in files:
            page.route(file, lambda route: route.abort())
        page.click(".chip[aria-haspopup=dialog]")
        page.wait_for_selector(".toast.problem:has-text('can’t be loaded')")
        page.click(".foot [href='#/about']")
        page.wait_for_selector(".fault")
        for file in files:
            page.unroute(file)
        # The screen retries by itself.
        page.wait_for_selector("h1 + .columns")
        page.click(".tabs [data-tab=menu]")
        page.click(".chip[aria-haspopup=dialog]")
        page.wait_for_selector("dialog.sheet[open]")
        self.assertEqual(page.locator(".reload").count(), 0)

    def test_missing_version_offers_reload(self):
        """A page whose version the server no longer has says so, and a tap reloads it"""
        self.expected_errors += ("404",)
        page = self.open("#/menu/100", "#list [data-item='1001']")
        files = re.compile("/assets/.*(aboutScreen|dishSheet).js")
        page.route(files, lambda route: route.fulfill(status=404, body=""))
        page.click(".foot [href='#/about']")
        page.wait_for_selector(".fault h1:has-text('newer version')")
        page.wait_for_selector(".reload:has-text('has been updated')")
        page.evaluate("window.isOld = true")
        page.unroute(files)
        page.click(".reload button:text-is('Reload')")
        page.wait_for_function("() => !window.isOld")
        page.wait_for_selector("h1 + .columns")

    def test_page_without_scripts_offers_reload(self):
        """A page whose scripts all fail to load shows a link that reloads it"""
        self.expected_errors += ("404",)
        page = self.context(PHONE, service_workers="block").new_page()
        page.route("**/assets/**", lambda route: route.fulfill(status=404, body=""))
        page.goto(self.shop.url)
        page.wait_for_selector(".load-failure a")
        page.unroute("**/assets/**")
        page.click(".load-failure a")
        page.wait_for_selector(".hero .button")
        self.assertEqual(page.locator(".load-failure").count(), 0)

    def test_unexpected_error_message(self):
        """An unhandled error shows a message on both pages; an aborted request shows none"""
        self.expected_errors += ("a test's error",)
        for path, until in (("/#/", ".ticket"), ("/staff", "#field-token")):
            page = self.context(PHONE).new_page()
            page.goto(self.shop.url + path)
            page.wait_for_selector(until)
            page.evaluate("() => { Promise.reject(new DOMException('a test\\'s error', 'AbortError')); }")
            page.wait_for_timeout(200)
            self.assertEqual(page.locator(".reload").count(), 0)
            page.evaluate(
                "() => dispatchEvent(new ErrorEvent('error', {error: new TypeError(), filename:"
                " 'https://else.example/x.js'}))"
            )
            self.assertEqual(page.locator(".reload").count(), 0)
            page.evaluate(
                "() => dispatchEvent(new ErrorEvent('error', {error: new TypeError(), filename:"
                " `${location.origin}/x.js`}))"
            )
            page.wait_for_selector(".reload:has-text('Something went wrong')")
            page.click(".reload [aria-label=Close]")
            page.evaluate("() => { Promise.reject(new TypeError('a test\\'s error')); }")
            page.wait_for_selector(".reload:has-text('Something went wrong')")

    def test_part_names_match_paths(self):
        """Each lazily loaded part is requested by the path of the module that is imported"""
        parts = 0
        for path in glob.glob(SOURCES + "/**/*.js", recursive=True):
            with open(path) as file:
                # Types in JSDoc comments name modules in the same way.
                text = re.sub(r"/\*\*.*?\*/", "", file.read(), flags=re.DOTALL)
            pattern = r"(?:loadPart|lazyScreen)\((?:t\('[^']+'\), )?'([^']+)', .*?import\('([^']+)'\)"
            for name, module in re.findall(pattern, text):
                parts += 1
                self.assertEqual(os.path.normpath(os.path.join(os.path.dirname(path), module)), f"{SOURCES}/{name}.js")
            # No other code loads a module lazily.
            self.assertEqual(text.count("import('"), len(re.findall(pattern, text)), path)
        self.assertGreater(parts, 10)


class WorkerClaimTests(CachedPageTest):
    def test_worker_claims_first_page(self):
        """A new worker controls the page that registered it, without a reload"""
        page = self.open(self.context(PHONE), "#/", ".ticket")
        self.wait_until_cached(page)
        page.wait_for_function("() => navigator.serviceWorker.controller")


if __name__ == "__main__":
    unittest.main()
