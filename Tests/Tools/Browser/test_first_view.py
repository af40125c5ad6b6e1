# The cost of the first view on a slow line: bytes, and rounds of requests that wait for an earlier answer.

import os
import sys
import time
import unittest
import urllib.request

from page_speed import NETWORK, SCREENS, LIMITS, measure
from placing import TOKEN
from shop import DESKTOP, PHONE, BrowserTest

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Processes"))
from pictures import photographs

SHOWN = """
    const look = () => document.querySelector('.hero .food[href]') && document.querySelector('.tile[href]')
        ? window.shown = performance.now() : requestAnimationFrame(look);
    requestAnimationFrame(look);
"""
# The transfers until the first dish is shown: their bytes, and the longest chain of requests that each wait for the
# answer to the previous one.
ROUNDS = """() => {
    const asked = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({responseEnd}) => responseEnd > 0 && responseEnd <= window.shown)
            .sort((entry, other) => entry.requestStart - other.requestStart);
    const waves = new Map();
    for (const entry of asked) waves.set(entry,
        1 + Math.max(0, ...asked.filter((other) => waves.has(other) && other.responseEnd <= entry.requestStart)
        .map((other) => waves.get(other))));
    return [asked.reduce((sum, {transferSize}) => sum + transferSize, 0), Math.max(...waves.values()), asked
        .map((entry) => [entry.name, waves.get(entry), entry.transferSize])];
}"""


class FirstViewTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def test_first_dish_after_three_rounds(self):
        """The first dish is shown after three rounds (page, files, dishes) with less than 60 kB; the font blocks
        nothing"""
        context = self.context(PHONE)
        page = context.new_page()
        page.add_init_script(SHOWN)
        line = context.new_cdp_session(page)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", NETWORK)
        page.goto(self.shop.url, wait_until="commit")
        page.wait_for_function("() => window.shown")
        weight, rounds, asked = page.evaluate(ROUNDS)
        print(f"first dish: {weight} bytes in {rounds} rounds", flush=True)
        self.assertLessEqual(rounds, 3, asked)
        typeface = sum(size for name, _, size in asked if name.endswith("/typeface.woff2"))
        self.assertLess(weight - typeface, 60_000, asked)
        self.assertIn("/v1/home", [name.removeprefix(self.shop.url) for name, _, _ in asked])

    def test_first_screen_requests_data_once(self):
        """The data of the menu or a dish and the dish's script are requested once, while the main script loads"""
        for screen, wanted in (
                ("menu", ["/v1/categories?limit=100", "/v1/home", "/v1/menu?limit=100"]),
                ("item", ["/v1/menu/2001", "dish/dishForm.js"])):
            hash, shown = SCREENS[screen]
            page = self.context(PHONE).new_page()
            line = page.context.new_cdp_session(page)
            line.send("Network.enable")
            line.send("Network.emulateNetworkConditions", NETWORK)
            page.goto(f"{self.shop.url}/{hash}", wait_until="commit")
            page.wait_for_selector(shown)
            asked = page.evaluate(
                "performance.getEntriesByType('resource').filter(({transferSize}) => transferSize > 0).map(({name,"
                " startTime, responseEnd}) => [name.slice(origin.length).replace(/^.assets.[0-9a-f]+./, ''), startTime,"
                " responseEnd])"
            )
            script = next(end for path, _, end in asked if path == "app.js")
            for path in wanted:
                starts = [start for name, start, _ in asked if name == path]
                self.assertEqual(len(starts), 1, (path, asked))
                self.assertLess(min(starts), script, (path, asked))

    def test_photograph_weight(self):
        """With a photograph for every dish, the first view is at most 250 kB at every pixel density and width"""
        for item, picture in zip((2001, 2002, 2003, 2004), photographs()):
            urllib.request.urlopen(urllib.request.Request(
                f"{self.shop.url}/v1/staff/menu/{item}/photograph", data=picture, method="PUT",
                headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "image/jpeg"})).close()
        self.shop.sql(
            "update menu_items as one set photograph = other.photograph from menu_items as other where one.photograph"
            " is null and other.id = 2001 + one.id % 4"
        )
        for device, scale in ((PHONE, 2), (PHONE, 3), (DESKTOP, 1)):
            page = self.visit("#/", {**device, "device_scale_factor": scale})
            # The server reloads the menu within a second.
            for _ in range(50):
                page.wait_for_selector(".hero .food img")
                if page.locator(".hero .food img[srcset]").count():
                    break
                time.sleep(0.1)
                page.reload()
            page.context.close()
            page = self.visit("#/", {**device, "device_scale_factor": scale})
            page.wait_for_selector(".ticket")
            page.wait_for_function("() => [...document.images].every((element) => element.complete)")
            page.wait_for_load_state("networkidle")
            loads = page.evaluate(
                "[...performance.getEntriesByType('navigation'),"
                " ...performance.getEntriesByType('resource')].map((entry) => [entry.name, entry.transferSize])"
            )
            sizes = dict(loads)
            seen = page.evaluate(
                "[...document.images].map((element) => element.currentSrc).filter((name) =>"
                " name.includes('/photographs/'))"
            )
            # The dishes share four pictures, so count each shown picture.
            weight = sum(size for name, size in loads if "/photographs/" not in name) + sum(
                sizes[name] for name in seen
            )
            print(
                f"first view with photographs, {device['viewport']['width']} points × {scale}: {weight} bytes,"
                f" {len(seen)} of them photographs: {[sizes[name] for name in seen]}",
                flush=True,
            )
            self.assertGreater(len(seen), 0)
            self.assertTrue(all(sizes[name] > 10_000 for name in seen), sizes)
            self.assertLessEqual(weight, 250_000, loads)


class SlowPhoneTests(BrowserTest):
    """Measurements on a shop without photographs."""

    def test_speed_limits(self):
        """Start, menu and item paint within ten times the limits of page_speed.py; requests, bytes and shift meet
        them"""
        held = {**LIMITS, "paint": 10 * LIMITS["paint"]}
        for screen in SCREENS:
            seen = measure(self, screen)
            for metric, limit in held.items():
                self.assertLessEqual(seen[metric], limit, (screen, metric, seen))


if __name__ == "__main__":
    unittest.main()
