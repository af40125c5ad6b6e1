# A random walk of a guest in several tabs: the plan derived from a seed, the network faults and the steps.

import contextlib
import dataclasses
import json
import os
import random
from urllib.parse import urlsplit

from playwright.sync_api import Error

from shop import DESKTOP, PHONE

TABS = 3
# The kinds of steps and their weights. `order` takes all steps from the menu to a tap on Order. It is limited to about
# 25 in 1,000 steps, because a device lists only the newest 20 orders.
WEIGHTS = {"tap": 40, "key": 14, "type": 6, "choose": 2, "back": 6, "forward": 2, "reload": 4, "offline": 3, "fault": 8,
           "staff": 6, "order": 4}
# The steps of `order`: the kind, and a selector, a key or the faults to choose from.
ORDER_STEPS = (("press", "Escape"), ("tap", ".tabs [data-tab=menu]"), ("tap", "#list [data-item] .adding .button"),
         ("tap", "dialog[open] footer .button"), ("press", "Escape"), ("tap", ".tabs [data-tab=basket]"),
         ("tap", "main a[href='#/checkout']"), ("fill", None), ("fault", None), ("tap", "form.checkout [type=submit]"))
FAULTS = ("abort", "lose", "delay", "refuse")
BUTTONS = "a[href], button, summary, label, input[type=radio], input[type=checkbox]"
TEXT_FIELDS = "input:not([type=radio]):not([type=checkbox]), textarea"
KEYS = ("Tab", "Tab", "Tab", "Shift+Tab", "Enter", "Enter", "Space", "Escape", "ArrowDown", "PageDown")
TEXTS = ("ann lee", "burger", "12 main street, springfield", "5550104477", "ann@example.com", "frst", "2.50", "02-29",
         "-1", "<b>ñ 🍔</b>", "a" * 400)
# Chromium's messages when a page unloads during a step, and when a reload has no network.
EXPECTED_MESSAGES = (
    "Execution context was destroyed",
    "Cannot find context",
    "net::ERR_",
    "interrupted by another navigation",
    "Timeout 5000ms exceeded",
    "Not attached to an active page",
)
# Actions of staff during the walk. Prices change little, and only one dish is ever sold out.
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
    pick: float  # in [0, 1): chooses one of the elements, keys, texts or faults
    value: float  # in [0, 1): sets the duration, the number of repetitions or the text
    argument: str = None


def plan(seed, length):
    """Derives the device and the steps from the seed. Each step draws the same number of random values, whatever the
    page shows."""
    choices = random.Random(seed)
    steps, tab = [], 0
    device = choices.choice((PHONE, DESKTOP))

    def step(kind, argument=None):
        steps.append(Step(kind, tab, choices.random(), choices.random(), argument))

    def other_step():
        others = [kind for kind in WEIGHTS if kind != "order"]
        step(choices.choices(others, [WEIGHTS[kind] for kind in others])[0])

    while len(steps) < length:
        # Start with an order, so that a short walk has one too.
        kind = choices.choices(list(WEIGHTS), WEIGHTS.values())[0] if steps else "order"
        if choices.random() < 0.15:
            tab = choices.randrange(TABS)
        if kind != "order":
            step(kind)
            continue
        for part, argument in ORDER_STEPS:
            if steps and choices.random() < 0.1:
                other_step()
            if part != "fault" or choices.random() < 0.6:
                step(part, argument or part)
    return device, steps[:length]


class Walk:
    """The walk of one guest. `log` has a line for each step. `keys` has the baskets that were sent with each
    Idempotency-Key."""

    def __init__(self, shop, context):
        self.shop, self.context = shop, context
        self.log, self.keys, self.messages, self.taps = [], {}, set(), 0
        self.faults, self.delayed_answers = [], []
        self.is_offline, self.online_at, self.number = False, 0, 0
        context.add_init_script(path=SCRIPT)
        context.route("**/v1/**", self.answer)
        self.pages, self.front = [], None
        for _ in range(TABS):
            page = context.new_page()
            page.on("console", self.read_console)
            self.pages.append(page)
            self.show(page)
            page.goto(shop.url + "/")

    def read_console(self, message):
        self.taps += message.text == "walk: order"

    def run(self, steps):
        for self.number, step in enumerate(steps):
            self.end_faults()
            page = self.pages[step.tab]
            try:
                self.show(page)
                if not page.url.startswith(self.shop.url):
                    page.goto(self.shop.url + "/", wait_until="commit")
                result = getattr(self, step.kind)(page, step) or ""
                # Wait after each step of an order and after 60 % of the other steps. After the rest, the next step
                # follows while requests are running.
                if step.argument or step.value < 0.6:
                    self.settle(page, 1_500 if step.argument else 400)
            except Error as error:
                if not any(words in str(error) for words in EXPECTED_MESSAGES):
                    self.log_step(step, f"failed: {error}")
                    raise
                result = str(error).splitlines()[0]
            self.log_step(step, result)

    def log_step(self, step, result):
        url = self.pages[step.tab].url.removeprefix(self.shop.url)
        self.log.append(f"{self.number:4} tab {step.tab} {step.kind} {result} {'(offline) ' * self.is_offline}-> {url}")

    def show(self, page):
        """Brings a tab to the front. Hidden tabs close their streams, because a browser shares six connections among
        all tabs."""
        if page == self.front:
            return
        if self.front:
            self.front.evaluate("() => window.walk?.show(false)")
        self.front = page
        page.evaluate("() => window.walk?.show(true)")

    def settle(self, page, limit):
        message = page.evaluate("limit => window.walk?.idle(limit)", 100 if self.delayed_answers else limit)
        if message:
            self.messages.add(message)

    # The network.

    def answer(self, route):
        """Applies the next planned fault to a request of the API, if there is one."""
        path = urlsplit(route.request.url).path
        is_order = path == "/v1/checkout"
        if is_order:
            baskets = self.keys.setdefault(route.request.headers["idempotency-key"], set())
            baskets.add(json.loads(route.request.post_data)["basketId"])
        fault = None
        if not self.is_offline and not path.endswith("/events"):
            fault = next((planned for planned in self.faults if is_order or not planned[1]), None)
        if fault:
            self.faults.remove(fault)
        try:
            self.fail(route, *fault) if fault else route.continue_()
        except Error:
            # Ignores the error of a closed page or of a server that does not answer.
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
            self.delayed_answers.append((self.number + steps, route, route.fetch()))

    def end_faults(self, everything=False):
        """Delivers the answers whose delay ends at this step, and ends the offline period."""
        due = [answer for answer in self.delayed_answers if everything or answer[0] <= self.number]
        self.delayed_answers = [answer for answer in self.delayed_answers if answer not in due]
        for _, route, response in due:
            with contextlib.suppress(Error):
                route.fulfill(response=response)
        if everything:
            self.faults.clear()
        if self.is_offline and (everything or self.online_at <= self.number):
            self.context.set_offline(False)
            self.is_offline = False

    # The steps. Each returns a description of its action.

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
        """Plans one to three faults for the next requests. A step of an order plans them for the checkout only."""
        fault = (FAULTS[int(step.pick * len(FAULTS))], step.argument is not None, 1 + int(step.value * 20))
        self.faults += [fault] * (1 + int(step.value * 3))
        return f"{fault[0]} {1 + int(step.value * 3)}{' of the checkout' * fault[1]}"

    def staff(self, page, step):
        statement = STAFF[int(step.pick * len(STAFF))]
        try:
            return self.shop.sql(statement.format(int(step.value * 3)))
        except RuntimeError as error:
            # The SQL fails if the guest cancels the order at the same moment.
            if "can't become" not in str(error):
                raise
            return "too late"
