# What the first view costs a guest on a slow line: bytes, and how often something is asked for that waits for an answer.

import os
import sys
import time
import unittest
import urllib.request

from page_speed import LINE, SCREENS, WANTED, measure
from shop import DESKTOP, PHONE, BrowserTest
from test_staff import TOKEN

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Processes"))
from pictures import photographs

SHOWN = """
    const look = () => document.querySelector('.hero .food[href]') && document.querySelector('.tile[href]') ? window.shown = performance.now() : requestAnimationFrame(look);
    requestAnimationFrame(look);
"""
# What had come when the first dish was shown: its bytes, and the longest chain in which each was asked for after the one before had come.
WAVES = """() => {
    const asked = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({responseEnd}) => responseEnd > 0 && responseEnd <= window.shown).sort((one, other) => one.requestStart - other.requestStart);
    const waves = new Map();
    for (const one of asked) waves.set(one, 1 + Math.max(0, ...asked.filter((other) => waves.has(other) && other.responseEnd <= one.requestStart).map((other) => waves.get(other))));
    return [asked.reduce((sum, {transferSize}) => sum + transferSize, 0), Math.max(...waves.values()), asked.map((one) => [one.name, waves.get(one), one.transferSize])];
}"""


class FirstViewTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def test_waves(self):
        """The first dish is shown after three rounds to the server, the page, its files and the dishes, and below 60 kB beside the typeface, for which nothing waits"""
        context = self.context(PHONE)
        page = context.new_page()
        page.add_init_script(SHOWN)
        line = context.new_cdp_session(page)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", LINE)
        page.goto(self.shop.url, wait_until="commit")
        page.wait_for_function("() => window.shown")
        weight, waves, asked = page.evaluate(WAVES)
        print(f"first dish: {weight} bytes in {waves} waves", flush=True)
        self.assertLessEqual(waves, 3, asked)
        typeface = sum(size for name, _, size in asked if name.endswith("/typeface.woff2"))
        self.assertLess(weight - typeface, 60_000, asked)
        self.assertIn("/v1/home", [name.removeprefix(self.shop.url) for name, _, _ in asked])

    def test_first_screen(self):
        """What the menu or a dish shows is asked for once, while the page's script is still on its way, and so is the dish's own script"""
        for screen, wanted in (
                ("menu", ["/v1/categories?limit=100", "/v1/home", "/v1/menu?limit=100"]),
                ("item", ["/v1/menu/2001", "dish.js"])):
            hash, shown = SCREENS[screen]
            page = self.context(PHONE).new_page()
            line = page.context.new_cdp_session(page)
            line.send("Network.enable")
            line.send("Network.emulateNetworkConditions", LINE)
            page.goto(f"{self.shop.url}/{hash}", wait_until="commit")
            page.wait_for_selector(shown)
            asked = page.evaluate("performance.getEntriesByType('resource').filter(({transferSize}) => transferSize > 0).map(({name, startTime, responseEnd}) => [name.slice(origin.length).replace(/^.assets.[0-9a-f]+./, ''), startTime, responseEnd])")
            script = next(end for path, _, end in asked if path == "app.js")
            for path in wanted:
                starts = [start for name, start, _ in asked if name == path]
                self.assertEqual(len(starts), 1, (path, asked))
                self.assertLess(min(starts), script, (path, asked))

    def test_photographs(self):
        """With a photograph of every dish the first view weighs at most 250 kB, on a phone of two or three pixels a point and on a desktop"""
        for item, picture in zip((2001, 2002, 2003, 2004), photographs()):
            urllib.request.urlopen(urllib.request.Request(
                f"{self.shop.url}/v1/staff/menu/{item}/photograph", data=picture, method="PUT",
                headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "image/jpeg"})).close()
        self.shop.sql("update menu_items as one set photograph = other.photograph from menu_items as other where one.photograph is null and other.id = 2001 + one.id % 4")
        for device, scale in ((PHONE, 2), (PHONE, 3), (DESKTOP, 1)):
            page = self.visit("#/", {**device, "device_scale_factor": scale})
            # The server has read the menu again within a second.
            for _ in range(50):
                page.wait_for_selector(".hero .food img")
                if page.locator(".hero .food img[srcset]").count():
                    break
                time.sleep(0.1)
                page.reload()
            page.context.close()
            page = self.visit("#/", {**device, "device_scale_factor": scale})
            page.wait_for_selector(".ticket")
            page.wait_for_function("() => [...document.images].every((one) => one.complete)")
            page.wait_for_load_state("networkidle")
            loads = page.evaluate("[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((one) => [one.name, one.transferSize])")
            sizes = dict(loads)
            seen = page.evaluate("[...document.images].map((one) => one.currentSrc).filter((name) => name.includes('/photographs/'))")
            # Four stand for all: one that is shown twice counts twice.
            weight = sum(size for name, size in loads if "/photographs/" not in name) + sum(sizes[name] for name in seen)
            print(f"first view with photographs, {device['viewport']['width']} points × {scale}: {weight} bytes, {len(seen)} of them photographs: {[sizes[name] for name in seen]}", flush=True)
            self.assertGreater(len(seen), 0)
            self.assertTrue(all(sizes[name] > 10_000 for name in seen), sizes)
            self.assertLessEqual(weight, 250_000, loads)


class SlowPhoneTests(BrowserTest):
    """On a shop without photographs."""

    def test_wanted(self):
        """Start, menu and item are painted in ten times what is wanted of them on a slow line and a slow phone; requests, bytes, second visits and stillness are as wanted"""
        held = {**WANTED, "paint": 10 * WANTED["paint"]}
        for screen in SCREENS:
            seen = measure(self, screen)
            for what, most in held.items():
                self.assertLessEqual(seen[what], most, (screen, what, seen))


if __name__ == "__main__":
    unittest.main()
