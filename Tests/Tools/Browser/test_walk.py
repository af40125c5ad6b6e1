# A random walk on the guest page: taps, keys, Back, reloads, cut connections, delayed and lost answers, in three tabs.
# `make test-browser` takes 50 steps, `make test-walk` ten walks of 1,000. Each walk prints its seed, and SEED=… repeats
# one.

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
# The number of orders that a device stores: placedOrders.js.
STORED_ORDERS = 20
ATTEMPT = "() => localStorage.getItem('welms.attempt')"
NOTHING_PENDING = f"{ATTEMPT} === null"
LISTED = "[...document.querySelectorAll('.orders [data-order]')].map((element) => element.dataset.order)"
# Expected messages about cut connections and rejected input.
EXPECTED_MESSAGES = re.compile(
    r"Failed to load resource: net::ERR_|status of (409|412|422|503)|fetching the script|was preloaded using link"
    # Another tab may have removed the line or ordered the basket.
    r"|status of 404 .*/v1/baskets/|The guest has left the screen")


def passing_messages():
    """The message of the page about a part that could not load, in each language. Any other message is a failure."""
    sentence = "This part of the page can’t be loaded at the moment."
    messages = {sentence}
    for language in ("de", "es"):
        with open(os.path.join(ROOT, f"Sources/Pages/Storefront/words/{language}.json"), encoding="utf-8") as file:
            messages.add(json.load(file)["sentences"][sentence])
    return messages


class WalkTests(BrowserTest):
    def orders(self, since):
        """The orders that were placed since then, the newest first."""
        return self.shop.sql(f"select id from orders where placed_at >= '{since}' order by placed_at desc").split()

    def test_random_walk(self):
        """After a random walk each tab answers the next tap, and the device shows each order of the server once"""
        seed_setting = os.environ.get("SEED")
        for seed in [int(seed_setting)] if seed_setting else [random.randrange(1_000_000) for _ in range(WALKS)]:
            with self.subTest(seed=seed):
                self.walk(seed)

    def walk(self, seed):
        print(f"A walk of {LENGTH} steps: SEED={seed}", flush=True)
        device, steps = plan(seed, LENGTH)
        self.problems, start = [], time.monotonic()
        # Close the orders of an earlier walk, so that staff move only orders of this one.
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
            raise AssertionError(
                f"SEED={seed} after {len(walk.log)} steps:\n{last}\n{self.problems}\n{error}"
            ) from error
        finally:
            self.problems = []
            context.close()
        print(f"{len(steps)} steps and {orders} orders in {time.monotonic() - start:.0f} s", flush=True)

    def check(self, walk, since):
        """Ends the faults, and asserts what must be true after each walk. Returns the number of orders."""
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
            self.shows_orders(page, orders[:STORED_ORDERS])
        for key, baskets in walk.keys.items():
            self.assertEqual(len(baskets), 1, f"the idempotency key {key} was sent for several baskets")
        self.assertLessEqual(
            set(orders), set().union(*walk.keys.values()), "the server has an order that the page did not send"
        )
        self.assertLessEqual(len(orders), walk.taps, "there are more orders than taps on Order")
        self.assertEqual(orders, self.orders(since), "an order was placed after the walk")
        self.assertEqual(walk.messages - passing_messages(), set(), "the page showed an error message")
        self.assertEqual(
            [line for line in self.problems if not EXPECTED_MESSAGES.search(line)],
            [],
            "unexpected console messages or requests to another host",
        )
        if LENGTH >= 1_000:
            self.assertGreater(len(orders), 0, "a long walk must place an order")
        return len(orders)

    def knows_outcome(self, page):
        """Waits until no order is pending. Until then the page asks the server for the outcome."""
        try:
            page.wait_for_function(NOTHING_PENDING, timeout=60_000)
        except TimeoutError:
            self.fail(f"an order is still pending: {page.evaluate(ATTEMPT)}")

    def answers_a_tap(self, page):
        """Checks that a dialog closes, and that each tap on the navigation opens its screen."""
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
        """Checks that “Your orders” lists each order once."""
        page.evaluate("scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
        page.click(".foot [href='#/orders']")
        page.wait_for_selector("html[data-screen=orders] main h1")
        same = f"orders => JSON.stringify({LISTED}.sort()) === JSON.stringify(orders)"
        try:
            page.wait_for_function(same, arg=sorted(orders), timeout=15_000)
        except TimeoutError:
            self.assertEqual(
                sorted(page.evaluate(LISTED)), sorted(orders), "the list must show exactly the server's orders"
            )


if __name__ == "__main__":
    unittest.main()
