# A random walk of a guest with several tabs: the plan that a seed decides, the faults of the network, and the steps.

import contextlib
import dataclasses
import json
import os
import random
from urllib.parse import urlsplit

from playwright.sync_api import Error

from shop import DESKTOP, PHONE

TABS = 3
# The kinds of steps and how often each is taken. `order` is the whole way from the menu to a tap on Order: about 25 of
# them in 1,000 steps, because a device lists only the newest 20 orders.
WEIGHTS = {"tap": 40, "key": 14, "type": 6, "choose": 2, "back": 6, "forward": 2, "reload": 4, "offline": 3, "fault": 8,
           "staff": 6, "order": 4}
# The steps of that way: the kind, and a selector, a key or the faults to choose from.
ORDER = (("press", "Escape"), ("tap", ".tabs [data-tab=menu]"), ("tap", "#list [data-item] .adding .button"),
         ("tap", "dialog[open] footer .button"), ("press", "Escape"), ("tap", ".tabs [data-tab=basket]"),
         ("tap", "main a[href='#/checkout']"), ("fill", None), ("fault", None), ("tap", "form.checkout [type=submit]"))
FAULTS = ("abort", "lose", "delay", "refuse")
BUTTONS = "a[href], button, summary, label, input[type=radio], input[type=checkbox]"
TEXT_FIELDS = "input:not([type=radio]):not([type=checkbox]), textarea"
KEYS = ("Tab", "Tab", "Tab", "Shift+Tab", "Enter", "Enter", "Space", "Escape", "ArrowDown", "PageDown")
TEXTS = ("ann lee", "burger", "12 main street, springfield", "5550104477", "ann@example.com", "frst", "2.50", "02-29",
         "-1", "<b>ñ 🍔</b>", "a" * 400)
# Chromium's words for a page that goes away during a step, and for a reload that has no network.
PASSING = ("Execution context was destroyed", "Cannot find context", "net::ERR_", "interrupted by another navigation",
           "Timeout 5000ms exceeded", "Not attached to an active page")
# What staff do meanwhile. The prices move little, and only one dish is ever sold out.
STAFF = ("""
    select advance_order(number, case state when 'placed' then 'accepted' when 'accepted' then 'preparing'
        when 'preparing' then 'on_the_way' else 'delivered' end)
    from (select number, state from orders where state in ('placed', 'accepted', 'preparing', 'on_the_way')
        order by placed_at offset {} limit 1) as one""",) * 7 + ("""
    select advance_order(number, 'rejected', 'a test')
    from (select number from orders where state = 'placed' order by placed_at offset {} limit 1) as one""",
    "update menu_items set price = price + 1 + {} where id = 2001",
    "update menu_items set is_available = not is_available where id = 2004")
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "random_walk.js")


@dataclasses.dataclass
class Step:
    kind: str
    tab: int
    pick: float  # which of the elements, keys, texts or faults
    value: float  # how: how long, how often, where
    argument: str = None


def plan(seed, length):
    """The device, and the steps. Each step draws as many numbers, whatever the page shows: the seed alone decides."""
    choices = random.Random(seed)
    steps, tab = [], 0
    device = choices.choice((PHONE, DESKTOP))

    def step(kind, argument=None):
        steps.append(Step(kind, tab, choices.random(), choices.random(), argument))

    def other_step():
        others = [kind for kind in WEIGHTS if kind != "order"]
        step(choices.choices(others, [WEIGHTS[kind] for kind in others])[0])

    while len(steps) < length:
        # The first steps are an order, so that a short walk has one too.
        kind = choices.choices(list(WEIGHTS), WEIGHTS.values())[0] if steps else "order"
        if choices.random() < 0.15:
            tab = choices.randrange(TABS)
        if kind != "order":
            step(kind)
            continue
        for part, argument in ORDER:
            if steps and choices.random() < 0.1:
                other_step()
            if part != "fault" or choices.random() < 0.6:
                step(part, argument or part)
    return device, steps[:length]


class Walk:
    """The walk of one guest. `log` has a line for each step, `keys` the baskets of each Idempotency-Key."""

    def __init__(self, shop, context):
        self.shop, self.context = shop, context
        self.log, self.keys, self.messages, self.taps = [], {}, set(), 0
        self.faults, self.held = [], []
        self.is_offline, self.online_at, self.number = False, 0, 0
        context.add_init_script(path=SCRIPT)
        context.route("**/v1/**", self.answer)
        self.pages, self.front = [], None
        for _ in range(TABS):
            page = context.new_page()
            page.on("console", self.hear)
            self.pages.append(page)
            self.show(page)
            page.goto(shop.url + "/")

    def hear(self, message):
        self.taps += message.text == "walk: order"

    def run(self, steps):
        for self.number, step in enumerate(steps):
            self.end_faults()
            page = self.pages[step.tab]
            try:
                self.show(page)
                if not page.url.startswith(self.shop.url):
                    page.goto(self.shop.url + "/", wait_until="commit")
                what = getattr(self, step.kind)(page, step) or ""
                # Some steps follow at once, while requests of the step before run.
                if step.argument or step.value < 0.6:
                    self.settle(page, 1_500 if step.argument else 400)
            except Error as error:
                if not any(words in str(error) for words in PASSING):
                    self.note(step, f"failed: {error}")
                    raise
                what = str(error).splitlines()[0]
            self.note(step, what)

    def note(self, step, what):
        url = self.pages[step.tab].url.removeprefix(self.shop.url)
        self.log.append(f"{self.number:4} tab {step.tab} {step.kind} {what} {'(offline) ' * self.is_offline}-> {url}")

    def show(self, page):
        """Brings a tab to the front. A browser has six connections for all tabs, so hidden tabs close their streams."""
        if page == self.front:
            return
        if self.front:
            self.front.evaluate("() => window.walk?.show(false)")
        self.front = page
        page.evaluate("() => window.walk?.show(true)")

    def settle(self, page, limit):
        message = page.evaluate("limit => window.walk?.idle(limit)", 100 if self.held else limit)
        if message:
            self.messages.add(message)

    # The network.

    def answer(self, route):
        """Each request of the API meets the next fault that is planned for it, if there is one."""
        path = urlsplit(route.request.url).path
        is_order = path == "/v1/checkout"
        if is_order:
            baskets = self.keys.setdefault(route.request.headers["idempotency-key"], set())
            baskets.add(json.loads(route.request.post_data)["basketId"])
        fault = None
        if not self.is_offline and not path.endswith("/events"):
            fault = next((one for one in self.faults if is_order or not one[1]), None)
        if fault:
            self.faults.remove(fault)
        try:
            self.fail(route, *fault) if fault else route.continue_()
        except Error:
            # The page that asked is gone, or the answer can't be had.
            with contextlib.suppress(Error):
                route.abort()

    def fail(self, route, kind, _, steps):
        if kind == "abort":
            route.abort("connectionreset")
        elif kind == "refuse":
            route.fulfill(status=503, content_type="application/problem+json", headers={"Retry-After": "1"},
                          body='{"code": "overloaded", "detail": "We are very busy.", "status": 503}')
        elif kind == "lose":
            route.fetch()
            route.abort("connectionreset")
        else:
            self.held.append((self.number + steps, route, route.fetch()))

    def end_faults(self, everything=False):
        """Delivers the answers that were delayed until this step, and ends the time without a network."""
        due = [one for one in self.held if everything or one[0] <= self.number]
        self.held = [one for one in self.held if one not in due]
        for _, route, response in due:
            with contextlib.suppress(Error):
                route.fulfill(response=response)
        if everything:
            self.faults.clear()
        if self.is_offline and (everything or self.online_at <= self.number):
            self.context.set_offline(False)
            self.is_offline = False

    # The steps. Each returns what it did.

    def tap(self, page, step):
        limit = 0 if step.argument is None else 300 if "dialog" in step.argument else 1_500
        arguments = [step.argument or BUTTONS, step.pick, limit, step.value < 0.8]
        found = page.evaluate("all => window.walk?.find(...all)", arguments)
        if not found:
            return f"nothing at {step.argument}"
        page.mouse.click(found["x"], found["y"])
        return found["name"]

    def key(self, page, step):
        key = KEYS[int(step.pick * len(KEYS))]
        page.keyboard.press(key)
        return key

    def press(self, page, step):
        page.keyboard.press(step.argument)
        return step.argument

    def type(self, page, step):
        found = page.evaluate("all => window.walk?.find(...all)", [TEXT_FIELDS, step.pick, 0, True])
        if not found:
            return "no field"
        text = TEXTS[int(step.value * len(TEXTS))]
        page.mouse.click(found["x"], found["y"])
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(text)
        return f"{text[:20]!r} into {found['name']}"

    def choose(self, page, step):
        found = page.evaluate("all => window.walk?.find(...all)", ["select", step.pick, 0, True])
        if not found:
            return "no list"
        for _ in range(1 + int(step.value * 3)):
            page.keyboard.press("ArrowDown")
        return found["name"]

    def fill(self, page, step):
        number = int(step.pick * 100_000)
        page.evaluate("values => window.walk?.fill(values)", {
            "name": "ann lee", "phone": f"55503{number:05}", "email": f"walk{number}@example.com",
            "address": "12 main street, springfield", "coupon": "", "birthday": "", "tip": ""})

    def back(self, page, step):
        page.go_back(wait_until="commit", timeout=5_000)

    def forward(self, page, step):
        page.go_forward(wait_until="commit", timeout=5_000)

    def reload(self, page, step):
        page.reload(wait_until="commit")

    def offline(self, page, step):
        self.context.set_offline(True)
        self.is_offline, self.online_at = True, self.number + 1 + int(step.value * 10)
        return f"until step {self.online_at}"

    def fault(self, page, step):
        """Plans one to three faults; those before a tap on Order are the checkout's."""
        fault = (FAULTS[int(step.pick * len(FAULTS))], step.argument is not None, 1 + int(step.value * 20))
        self.faults += [fault] * (1 + int(step.value * 3))
        return f"{fault[0]} {1 + int(step.value * 3)}{' of the checkout' * fault[1]}"

    def staff(self, page, step):
        statement = STAFF[int(step.pick * len(STAFF))]
        try:
            return self.shop.sql(statement.format(int(step.value * 3)))
        except RuntimeError as error:
            # The guest cancels the order at the same moment.
            if "can't become" not in str(error):
                raise
            return "too late"
