# A random walk on the guest page: taps, keys, Back, reloads, cut connections, delayed and lost answers, in three tabs.
# Run by `make test-browser` with 50 steps, and by `make test-walk` with ten walks of 1,000 steps. Each walk prints its
# seed, and SEED=… repeats one.

import json
import os
import random
import re
import time
import unittest

from playwright.sync_api import TimeoutError

from random_walk import Walk, plan
from server import ROOT
from shop import BrowserTest

IS_LONG = os.environ.get("WELMS_LONG") == "1"
LENGTH, WALKS = (1_000, 10) if IS_LONG else (50, 1)
# A device keeps so many orders: placed.js.
KEPT = 20
ATTEMPT = "() => localStorage.getItem('welms.attempt')"
NOTHING_PENDING = f"{ATTEMPT} === null"
LISTED = "[...document.querySelectorAll('.orders [data-order]')].map((one) => one.dataset.order)"
# What the browser and the page rightly say about cut connections, and about refusals of what was typed.
FORGIVEN = re.compile(
    r"Failed to load resource: net::ERR_|status of (409|412|422|503)|fetching the script|was preloaded using link"
    # Another tab has removed the line or ordered the basket.
    r"|status of 404 .*/v1/baskets/|The guest has left the screen")


def passing_messages():
    """The page's message about a part that the cut connection kept away, in each language. The others are faults."""
    sentence = "This part of the page can’t be loaded at the moment."
    messages = {sentence}
    for language in ("de", "es"):
        with open(os.path.join(ROOT, f"Sources/Web/Storefront/words/{language}.json"), encoding="utf-8") as file:
            messages.add(json.load(file)["sentences"][sentence])
    return messages


class WalkTests(BrowserTest):
    def orders(self, since):
        """The orders that were placed since then, the newest first."""
        return self.shop.sql(f"select id from orders where placed_at >= '{since}' order by placed_at desc").split()

    def test_random_walk(self):
        """After a random walk each tab answers the next tap, and the device shows each order of the server once"""
        given = os.environ.get("SEED")
        for seed in [int(given)] if given else [random.randrange(1_000_000) for _ in range(WALKS)]:
            with self.subTest(seed=seed):
                self.walk(seed)

    def walk(self, seed):
        print(f"A walk of {LENGTH} steps: SEED={seed}", flush=True)
        device, steps = plan(seed, LENGTH)
        self.wrong, begin = [], time.monotonic()
        # Orders of an earlier walk are over, so that staff move only those of this one.
        since = self.shop.sql("""
            select advance_order(number, 'rejected', 'a test')
            from orders where state not in ('delivered', 'cancelled', 'rejected');
            select clock_timestamp()""").splitlines()[-1]
        context = self.context(device)
        walk = Walk(self.shop, context)
        try:
            walk.run(steps)
            orders = self.check(walk, since)
        except Exception as error:
            last = "\n".join(walk.log[-30:])
            raise AssertionError(f"SEED={seed} after {len(walk.log)} steps:\n{last}\n{self.wrong}\n{error}") from error
        finally:
            self.wrong = []
            context.close()
        print(f"{len(steps)} steps and {orders} orders in {time.monotonic() - begin:.0f} s", flush=True)

    def check(self, walk, since):
        """Heals the network, and asserts what must be so after each walk. Returns how many orders there are."""
        walk.end_faults(everything=True)
        # The last step may have begun a reload.
        walk.front.wait_for_load_state()
        for page in walk.pages:
            walk.show(page)
            if not page.url.startswith(self.shop.url):
                page.goto(self.shop.url + "/")
            self.knows_outcome(page)
        orders = self.orders(since)
        for page in walk.pages:
            walk.show(page)
            walk.settle(page, 5_000)
            self.answers_a_tap(page)
            self.shows_orders(page, orders[:KEPT])
        for key, baskets in walk.keys.items():
            self.assertEqual(len(baskets), 1, f"one attempt, {key}, orders several baskets")
        self.assertLessEqual(set(orders), set().union(*walk.keys.values()), "an order that the page did not send")
        self.assertLessEqual(len(orders), walk.taps, "more orders than taps on Order")
        self.assertEqual(orders, self.orders(since), "an order was placed after the walk")
        self.assertEqual(walk.messages - passing_messages(), set(), "the page's own message about an error")
        self.assertEqual([line for line in self.wrong if not FORGIVEN.search(line)], [], "the console, or another host")
        if LENGTH >= 1_000:
            self.assertGreater(len(orders), 0, "a long walk orders")
        return len(orders)

    def knows_outcome(self, page):
        """No order is pending: the page asks the server until it knows the outcome."""
        try:
            page.wait_for_function(NOTHING_PENDING, timeout=60_000)
        except TimeoutError:
            self.fail(f"an order is still pending: {page.evaluate(ATTEMPT)}")

    def answers_a_tap(self, page):
        """A dialog closes, and each tap on the navigation opens its screen."""
        for _ in range(3):
            if page.locator("dialog[open]").count():
                page.keyboard.press("Escape")
        self.assertEqual(page.locator("dialog[open]").count(), 0)
        if page.locator(".reload").count():
            page.click(".reload .round")
        for tab in ("favourites", "menu"):
            page.click(f".tabs [data-tab={tab}]")
            page.wait_for_selector(f"html[data-screen={tab}] main h1")
        page.wait_for_selector("#list [data-item]")

    def shows_orders(self, page, orders):
        """“Your orders” lists each of them once."""
        page.evaluate("scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
        page.click(".foot [href='#/orders']")
        page.wait_for_selector("html[data-screen=orders] main h1")
        same = f"orders => JSON.stringify({LISTED}.sort()) === JSON.stringify(orders)"
        try:
            page.wait_for_function(same, arg=sorted(orders), timeout=15_000)
        except TimeoutError:
            self.assertEqual(sorted(page.evaluate(LISTED)), sorted(orders), "the orders that are listed")


if __name__ == "__main__":
    unittest.main()
