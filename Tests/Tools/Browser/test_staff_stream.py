# One stream of events for all tabs of a browser, and reads whose failure is shown.

import unittest

from board import WIDE, BoardTest
from test_staff import TOKEN, place_order

STREAM = "/v1/staff/events"

# Counts the alarms.
ALARMS = "() => { window.alarms = 0; document.addEventListener('rung', ({detail}) => { if (detail.sound === 'silence') window.alarms += 1; }); }"

NO_LOCKS = """(() => {
  Object.defineProperty(Navigator.prototype, 'locks', {value: undefined});
  let state = 'visible';
  Object.defineProperty(document, 'visibilityState', {get: () => state});
  window.setVisible = (is) => {
    state = is ? 'visible' : 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
  };
})()"""


LOCKS_DENIED = "navigator.locks.request = async () => { throw new DOMException('denied', 'SecurityError'); };"
UNAVAILABLE = {"status": 503, "json": {"code": "database_unavailable", "detail": "Not now."}}


class EventStreamTests(BoardTest):
    def enter_tab(self, context, token=TOKEN, script=""):
        """A tab of a browser on the board."""
        page = context.new_page()
        if script:
            page.add_init_script(script)
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", token)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        return page

    def watching(self, script=""):
        """A browser, and the list of its requests for a stream."""
        context, requests = self.context(WIDE), []
        context.on("request", lambda request: request.url.endswith(STREAM) and requests.append(request))
        return context, requests

    def shows(self, pages, number):
        for page in pages:
            page.wait_for_selector(f".ticket[data-number='{number}']", timeout=10_000)

    def test_tabs_share_a_stream(self):
        """Eight tabs with one token have one stream; each shows new orders and faults; another tab takes over when the first is closed"""
        self.clear()
        self.addCleanup(self.clear)
        context, requests = self.watching()
        pages = [self.enter_tab(context) for _ in range(8)]
        self.assertEqual(len(requests), 1)
        self.shows(pages, place_order(self.shop, 750))
        for page in pages:
            self.assertFalse(page.is_visible(".banner.shown"))
        pages[7].click(".ticket [data-next=accepted]")
        for page in pages:
            page.wait_for_selector(".column.accepted .ticket")
        leader = next(page for page in pages if page == requests[0].frame.page)
        pages.remove(leader)
        leader.close()
        self.shows(pages, place_order(self.shop, 751))
        self.assertEqual(len(requests), 2)
        for page in pages:
            page.wait_for_selector(".banner.shown", state="detached")

    def test_other_token(self):
        """Tabs with another token have a stream of their own"""
        self.shop.sql("insert into staff_members (name, role, token_digest) values ('Ann', 'counter', sha256('ann')) on conflict do nothing")
        self.addCleanup(self.shop.sql, "delete from staff_members")
        self.addCleanup(self.clear)
        context, requests = self.watching()
        pages = [self.enter_tab(context), self.enter_tab(context, "ann"), self.enter_tab(context), self.enter_tab(context, "ann")]
        self.assertEqual(sorted(request.headers["authorization"] for request in requests), sorted([f"Bearer {TOKEN}", "Bearer ann"]))
        self.shows(pages, place_order(self.shop, 752))

    def test_frozen_tab(self):
        """A visible tab takes the stream over from a tab that passes nothing on"""
        self.addCleanup(self.clear)
        context, requests = self.watching()
        pages = [self.enter_tab(context) for _ in range(3)]
        leader = requests[0].frame.page
        leader.evaluate("BroadcastChannel.prototype.postMessage = () => {}")
        others = [page for page in pages if page != leader]
        for page in others:
            page.wait_for_selector(".banner.shown:has-text('Not connected')", timeout=7_000)
        for page in others:
            page.wait_for_selector(".banner.shown", state="detached", timeout=15_000)
        self.shows(others, place_order(self.shop, 753))

    def test_without_locks(self):
        """Without Web Locks a hidden tab gives its stream up, and has every order when it is seen again"""
        self.clear()
        self.addCleanup(self.clear)
        context, requests = self.watching()
        page, other = [self.enter_tab(context, script=NO_LOCKS) for _ in range(2)]
        self.assertEqual(len(requests), 2)
        ended = []
        context.on("requestfailed", lambda request: request.url.endswith(STREAM) and ended.append(request))
        page.evaluate("setVisible(false)")
        number = place_order(self.shop, 754)
        self.shows([other], number)
        self.assertEqual([request.frame.page == page for request in ended], [True])
        self.assertFalse(page.is_visible(f".ticket[data-number='{number}']"))
        page.evaluate("setVisible(true)")
        self.shows([page], number)
        self.assertEqual(len(requests), 3)

    def test_locks_denied(self):
        """Tabs of a browser that denies Web Locks have a stream each"""
        self.addCleanup(self.clear)
        context, requests = self.watching()
        pages = [self.enter_tab(context, script=LOCKS_DENIED) for _ in range(2)]
        self.shows(pages, place_order(self.shop, 757))
        self.assertEqual(len(requests), 2)
        for page in pages:
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            self.assertFalse(page.is_visible(".banner.shown"))

    def failing(self, page, path, words, then=lambda: None):
        """The banner has these words while reads of the path are answered 503, and no longer. `then` leads to a read."""
        page.route(path, lambda route: route.fulfill(**UNAVAILABLE))
        then()
        # Two failed reads or three seconds after the next read, which comes three seconds later at most.
        page.wait_for_selector(f".banner.shown:has-text('{words} can’t be loaded')", timeout=15_000)
        page.unroute(path)
        page.wait_for_selector(".banner.shown", state="detached")

    def test_failed_reads_of_tabs(self):
        """Failed reads of all tabs, of a card's dishes and of a search are told by the banner until they go well"""
        self.forgiven += ("503",)
        self.clear()
        self.addCleanup(self.clear)
        context, _ = self.watching()
        page = self.enter_tab(context)
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector("text=Sound is on")
        page.evaluate(ALARMS)
        numbers = iter(range(760, 780))

        def order(items=((2001, 1),)):
            return place_order(self.shop, next(numbers), items)

        paths = {"The menu": "**/v1/staff/options?*", "The state of the shop": "**/v1/staff/shop",
                 "The figures of today": "**/v1/staff/today"}
        for words, path in paths.items():
            page.evaluate("alarms = 0")
            self.failing(page, path, words, order if words == "The figures of today" else lambda: None)
            self.assertGreater(page.evaluate("alarms"), 0, words)
        # A dish that no card has had before.
        self.failing(page, "**/v1/menu/3003", "The menu", lambda: order(((3003, 1),)))
        page.fill("#find", "ann lee")
        page.wait_for_selector(".found:has-text('found.')")
        self.failing(page, "**/v1/staff/orders?*q=*", "The search", order)
        # On the first load.
        for words, path in {**paths, "The errors": "**/v1/errors"}.items():
            first = context.new_page()
            first.route(path, lambda route: route.fulfill(**UNAVAILABLE))
            first.goto(self.shop.url + "/staff")
            first.fill("#field-token", TOKEN)
            first.keyboard.press("Enter")
            first.wait_for_selector(f".banner.shown:has-text('{words} can’t be loaded')", timeout=15_000)
            first.unroute(path)
            first.wait_for_selector(".banner.shown", state="detached")
            first.close()
        # With a token that is kept.
        page.route("**/v1/staff/me", lambda route: route.fulfill(**UNAVAILABLE))
        page.reload()
        page.wait_for_selector(".banner.shown:has-text('The orders can’t be loaded')", timeout=15_000)
        page.unroute("**/v1/staff/me")
        page.wait_for_selector(".columns:not([hidden])")
        page.wait_for_selector(".banner.shown", state="detached")

    def test_failed_reads(self):
        """Reads that fail while the stream runs are told by the banner and the alarm, also on the first load, until they go well"""
        self.forgiven += ("503",)
        self.addCleanup(self.clear)
        context, _ = self.watching()
        page = self.enter_tab(context)
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector("text=Sound is on")
        page.evaluate(ALARMS)
        page.route("**/v1/staff/orders/*", lambda route: route.fulfill(**UNAVAILABLE))
        page.route("**/v1/staff/orders?*", lambda route: route.fulfill(**UNAVAILABLE))
        number = place_order(self.shop, 755)
        page.wait_for_selector(".banner.shown:has-text('can’t be loaded')", timeout=6_000)
        page.wait_for_function("() => alarms > 0")
        page.unroute("**/v1/staff/orders/*")
        page.unroute("**/v1/staff/orders?*")
        page.wait_for_selector(".banner.shown", state="detached")
        self.shows([page], number)
        first = context.new_page()
        first.route("**/v1/staff/orders?*", lambda route: route.fulfill(**UNAVAILABLE))
        first.goto(self.shop.url + "/staff")
        first.fill("#field-token", TOKEN)
        first.keyboard.press("Enter")
        first.wait_for_selector(".banner.shown:has-text('can’t be loaded')", timeout=6_000)
        first.unroute("**/v1/staff/orders?*")
        first.wait_for_selector(".columns:not([hidden])")
        first.wait_for_selector(".banner.shown", state="detached")

    def test_slow_reads(self):
        """A read that is not answered within three seconds is told by the banner"""
        self.addCleanup(self.clear)
        context, _ = self.watching()
        page, held = self.enter_tab(context), []
        page.route("**/v1/staff/orders/*", lambda route: held.append(route))
        place_order(self.shop, 756)
        page.wait_for_selector(".banner.shown:has-text('can’t be loaded')", timeout=6_000)
        # An `unroute` first would continue the requests that are held.
        for route in held:
            route.continue_()
        page.unroute("**/v1/staff/orders/*")
        page.wait_for_selector(".banner.shown", state="detached")


if __name__ == "__main__":
    unittest.main()
