# One event stream for all tabs of a browser, and failed reads that the page reports.

import unittest

from board import WIDE, BoardTest
from placing import TOKEN, place_order

STREAM = "/v1/staff/events"

# Counts the alarms.
COUNT_ALARMS = (
    "() => { window.alarms = 0; document.addEventListener('rung', ({detail}) => { if (detail.sound === 'silence')"
    " window.alarms += 1; }); }"
)

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
    def open_tab(self, context, token=TOKEN, script=""):
        """Opens the board in a tab of a browser."""
        page = context.new_page()
        if script:
            page.add_init_script(script)
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", token)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        return page

    def open_browser(self, script=""):
        """Opens a browser, and lists its requests for a stream."""
        context, requests = self.context(WIDE), []
        context.on("request", lambda request: request.url.endswith(STREAM) and requests.append(request))
        return context, requests

    def wait_for_order(self, pages, number):
        for page in pages:
            page.wait_for_selector(f".ticket[data-number='{number}']", timeout=10_000)

    def test_tabs_share_a_stream(self):
        """Eight tabs with one token share a stream, each shows orders and faults, and another takes over from a closed
        one"""
        self.close_orders()
        self.addCleanup(self.close_orders)
        context, requests = self.open_browser()
        pages = [self.open_tab(context) for _ in range(8)]
        self.assertEqual(len(requests), 1)
        self.wait_for_order(pages, place_order(self.shop, 750))
        for page in pages:
            self.assertFalse(page.is_visible(".banner.shown"))
        pages[7].click(".ticket [data-next=accepted]")
        for page in pages:
            page.wait_for_selector(".column.accepted .ticket")
        leader = next(page for page in pages if page == requests[0].frame.page)
        pages.remove(leader)
        leader.close()
        self.wait_for_order(pages, place_order(self.shop, 751))
        self.assertEqual(len(requests), 2)
        for page in pages:
            page.wait_for_selector(".banner.shown", state="detached")

    def test_other_token_has_own_stream(self):
        """Tabs with another token have a separate stream"""
        self.shop.sql(
            "insert into staff_members (name, role, token_digest) values ('Ann', 'counter', sha256('ann')) on conflict"
            " do nothing"
        )
        self.addCleanup(self.shop.sql, "delete from staff_members")
        self.addCleanup(self.close_orders)
        context, requests = self.open_browser()
        pages = [
            self.open_tab(context),
            self.open_tab(context, "ann"),
            self.open_tab(context),
            self.open_tab(context, "ann"),
        ]
        self.assertEqual(
            sorted(request.headers["authorization"] for request in requests), sorted([f"Bearer {TOKEN}", "Bearer ann"])
        )
        self.wait_for_order(pages, place_order(self.shop, 752))

    def test_visible_tab_takes_over_stream(self):
        """A visible tab takes the stream over from a tab that forwards no events"""
        self.addCleanup(self.close_orders)
        context, requests = self.open_browser()
        pages = [self.open_tab(context) for _ in range(3)]
        leader = requests[0].frame.page
        leader.evaluate("BroadcastChannel.prototype.postMessage = () => {}")
        others = [page for page in pages if page != leader]
        for page in others:
            page.wait_for_selector(".banner.shown:has-text('Not connected')", timeout=7_000)
        for page in others:
            page.wait_for_selector(".banner.shown", state="detached", timeout=15_000)
        self.wait_for_order(others, place_order(self.shop, 753))

    def test_tabs_without_web_locks(self):
        """Without Web Locks a hidden tab closes its stream, and shows every order when it is visible again"""
        self.close_orders()
        self.addCleanup(self.close_orders)
        context, requests = self.open_browser()
        page, other = [self.open_tab(context, script=NO_LOCKS) for _ in range(2)]
        self.assertEqual(len(requests), 2)
        ended = []
        context.on("requestfailed", lambda request: request.url.endswith(STREAM) and ended.append(request))
        page.evaluate("setVisible(false)")
        number = place_order(self.shop, 754)
        self.wait_for_order([other], number)
        self.assertEqual([request.frame.page == page for request in ended], [True])
        self.assertFalse(page.is_visible(f".ticket[data-number='{number}']"))
        page.evaluate("setVisible(true)")
        self.wait_for_order([page], number)
        self.assertEqual(len(requests), 3)

    def test_denied_web_locks(self):
        """Tabs have separate streams if the browser denies Web Locks"""
        self.addCleanup(self.close_orders)
        context, requests = self.open_browser()
        pages = [self.open_tab(context, script=LOCKS_DENIED) for _ in range(2)]
        self.wait_for_order(pages, place_order(self.shop, 757))
        self.assertEqual(len(requests), 2)
        for page in pages:
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            self.assertFalse(page.is_visible(".banner.shown"))

    def check_banner(self, page, path, words, trigger=lambda: None):
        """Checks that the banner has these words while reads of a path are answered 503. `trigger` triggers a read."""
        page.route(path, lambda route: route.fulfill(**UNAVAILABLE))
        trigger()
        # The banner appears after two failed reads, or three seconds after the next read begins. That read begins
        # within three seconds.
        page.wait_for_selector(f".banner.shown:has-text('{words} can’t be loaded')", timeout=15_000)
        page.unroute(path)
        page.wait_for_selector(".banner.shown", state="detached")

    def test_banner_reports_failed_reads_of_all_tabs(self):
        """The banner reports failed reads of all tabs, of a card's dishes and of a search until they succeed"""
        self.expected_errors += ("503",)
        self.close_orders()
        self.addCleanup(self.close_orders)
        context, _ = self.open_browser()
        page = self.open_tab(context)
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector("text=Sound is on")
        page.evaluate(COUNT_ALARMS)
        numbers = iter(range(760, 780))

        def order(items=((2001, 1),)):
            return place_order(self.shop, next(numbers), items)

        paths = {"The menu": "**/v1/staff/options?*", "The state of the shop": "**/v1/staff/shop",
                 "The figures of today": "**/v1/staff/today"}
        for words, path in paths.items():
            page.evaluate("alarms = 0")
            self.check_banner(page, path, words, order if words == "The figures of today" else lambda: None)
            self.assertGreater(page.evaluate("alarms"), 0, words)
        # This dish is on no card yet, so the page reads it.
        self.check_banner(page, "**/v1/menu/3003", "The menu", lambda: order(((3003, 1),)))
        page.fill("#find", "ann lee")
        page.wait_for_selector(".found:has-text('found.')")
        self.check_banner(page, "**/v1/staff/orders?*q=*", "The search", order)
        # Reads also fail on the first load of the page.
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
        # With a stored token, the read of the member may fail too.
        page.route("**/v1/staff/me", lambda route: route.fulfill(**UNAVAILABLE))
        page.reload()
        page.wait_for_selector(".banner.shown:has-text('The orders can’t be loaded')", timeout=15_000)
        page.unroute("**/v1/staff/me")
        page.wait_for_selector(".columns:not([hidden])")
        page.wait_for_selector(".banner.shown", state="detached")

    def test_failed_reads_raise_alarm(self):
        """Reads that fail while the stream works raise the banner and the alarm, also on the first load, until they
        succeed"""
        self.expected_errors += ("503",)
        self.addCleanup(self.close_orders)
        context, _ = self.open_browser()
        page = self.open_tab(context)
        page.click("text=Sound is off: tap to hear new orders")
        page.wait_for_selector("text=Sound is on")
        page.evaluate(COUNT_ALARMS)
        page.route("**/v1/staff/orders/*", lambda route: route.fulfill(**UNAVAILABLE))
        page.route("**/v1/staff/orders?*", lambda route: route.fulfill(**UNAVAILABLE))
        number = place_order(self.shop, 755)
        page.wait_for_selector(".banner.shown:has-text('can’t be loaded')", timeout=6_000)
        page.wait_for_function("() => alarms > 0")
        page.unroute("**/v1/staff/orders/*")
        page.unroute("**/v1/staff/orders?*")
        page.wait_for_selector(".banner.shown", state="detached")
        self.wait_for_order([page], number)
        first = context.new_page()
        first.route("**/v1/staff/orders?*", lambda route: route.fulfill(**UNAVAILABLE))
        first.goto(self.shop.url + "/staff")
        first.fill("#field-token", TOKEN)
        first.keyboard.press("Enter")
        first.wait_for_selector(".banner.shown:has-text('can’t be loaded')", timeout=6_000)
        first.unroute("**/v1/staff/orders?*")
        first.wait_for_selector(".columns:not([hidden])")
        first.wait_for_selector(".banner.shown", state="detached")

    def test_banner_reports_slow_reads(self):
        """The banner reports a read that is not answered within three seconds"""
        self.addCleanup(self.close_orders)
        context, _ = self.open_browser()
        page, held = self.open_tab(context), []
        page.route("**/v1/staff/orders/*", lambda route: held.append(route))
        place_order(self.shop, 756)
        page.wait_for_selector(".banner.shown:has-text('can’t be loaded')", timeout=6_000)
        # A call of `unroute` first would continue the held requests.
        for route in held:
            route.continue_()
        page.unroute("**/v1/staff/orders/*")
        page.wait_for_selector(".banner.shown", state="detached")


if __name__ == "__main__":
    unittest.main()
