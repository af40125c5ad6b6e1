# Text of twice the size on a phone of 390 pixels: no text on either page is clipped, hidden or broken within a word.

import unittest

from placing import TOKEN, place_order
from shop import PHONE, BrowserTest
from test_ordering import fill_form

# Unreadable texts of the current screen: broken words, clipped text and covered text.
FAULTS = """async () => {
    document.documentElement.style.fontSize = '200%';
    const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await frames();
    const faults = new Set();
    const name = (node) => `${node.localName}.${node.className || node.id} in ${
        node.parentElement?.localName}.${node.parentElement?.className || node.parentElement?.id}`;
    const scope = document.querySelector('dialog[open]') ?? document.body;
    const width = document.documentElement.clientWidth;
    if (document.scrollingElement.scrollWidth > width)
        faults.add(`wider than the screen: ${document.scrollingElement.scrollWidth}`);
    const scrolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflowX);
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walker.nextNode()) {
        const node = walker.currentNode, parent = node.parentElement;
        if (!node.data.trim() || !parent.checkVisibility()
            || parent.closest('.unseen, .skip, noscript, script, style, svg, select, textarea, .toast, #announcer')
            || getComputedStyle(parent).clipPath !== 'none') continue;
        // Words that break over two lines. Addresses and hyphenated words may break.
        for (const {0: word, index} of node.data.matchAll(/[^\\s\\u2013\\u2014\\u00b7\\u2192/\\\\-]{2,}/g)) {
            if (word.includes('@')) continue;
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const tops = new Set([...range.getClientRects()].filter((box) => box.width > 0)
                .map((box) => Math.round(box.top)));
            if (tops.size > 1) faults.add(`broken within a word: ${word} | ${name(parent)}`);
        }
        range.selectNodeContents(node);
        const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
        for (let outer = parent; outer; outer = outer.parentElement) {
            const style = getComputedStyle(outer), box = outer.getBoundingClientRect();
            const says = `${node.data.trim().slice(0, 40)} | ${name(outer)}`;
            const clamped = style.webkitLineClamp !== 'none';
            if (/hidden|clip/.test(style.overflowX) && !scrolls(outer) && !clamped && boxes
                .some((rect) => rect.left < box.left - 1 || rect.right > box.right + 1))
                faults.add(`clipped at the side: ${says}`);
            if (/hidden|clip/.test(style.overflowY) && !clamped && boxes
                .some((rect) => rect.top < box.top - 2 || rect.bottom > box.bottom + 2))
                faults.add(`clipped at the bottom: ${says}`);
            // Text must stay inside its nearest background.
            if (outer !== document.body && style.backgroundColor !== 'rgba(0, 0, 0, 0)'
                && style.position !== 'static' | style.borderTopWidth !== '0px' | /BUTTON|A/.test(outer.tagName)
                && boxes.some((rect) => rect.left < box.left - 1 || rect.right > box.right + 1 || rect.top < box.top - 3
                    || rect.bottom > box.bottom + 3) && !/auto|scroll/.test(style.overflowX + style.overflowY))
                    faults.add(`outside of its background: ${says}`);
            if (scrolls(outer) || clamped || style.position === 'fixed') break;
        }
    }
    // Elements that are covered when they are scrolled into view.
    const seen = [...scope.querySelectorAll('a, button, input, select, textarea, summary, label, h1, h2, h3')]
        .filter((element) => element.checkVisibility() && !element.closest('.unseen, .skip, noscript, #announcer'));
    for (const element of seen) {
        element.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
        const box = element.getBoundingClientRect();
        if (box.width < 2 || box.height < 2) continue;
        const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height, 200) / 2];
        const top = document.elementFromPoint(x, y);
        if (x < 0 || x > width || !top || !(element.contains(top) || top.contains(element)))
            faults.add(`covered: ${(element.innerText || element.getAttribute('aria-label') || element.id || '').trim()
                .slice(0, 40)} | ${name(element)} under ${top ? name(top) : 'nothing'}`);
    }
    scrollTo(0, 0);
    document.documentElement.style.fontSize = '';
    await frames();
    return [...faults];
}"""


class LargeTextTests(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def setUp(self):
        super().setUp()
        self.faults = []

    def tearDown(self):
        super().tearDown()
        self.assertEqual(self.faults, [], "\n".join(self.faults))

    def check_screen(self, page, description):
        page.wait_for_selector(".toast", state="detached")
        self.faults += [f"{description}: {fault}" for fault in page.evaluate(FAULTS)]

    def guest(self, locale, number):
        page = self.context(PHONE, locale=locale).new_page()

        def go(hash, until, description=None):
            page.goto("about:blank")
            page.goto(self.shop.url + "/" + hash)
            page.wait_for_selector(until)
            self.check_screen(page, f"{description or hash} in {locale}")

        for hash, until in (
            ("#/", ".ticket"),
            ("#/menu", "#list [data-item='5003']"),
            ("#/menu?q=cheese", "#list [data-item]"),
            ("#/menu?tag=vegan&q=xyzzy", ".empty"),
            ("#/sales/200", ".poster .price"),
            ("#/sales/100", ".poster .lead"),
            ("#/favourites", ".empty"),
            ("#/basket", ".empty"),
            ("#/checkout", ".empty"),
            ("#/orders", ".empty"),
            ("#/about", "main h2"),
            ("#/items/999", ".fault"),
            ("#/nowhere", ".fault"),
            ("#/items/2002", ".detail .price"),
            ("#/items/1001", ".choosing"),
        ):
            go(hash, until)
        page.click("[data-option='1201'] .round >> nth=1")
        page.click(".choosing .button")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/sales/200")
        page.locator(".poster .row button").click()
        page.wait_for_selector("#count:has-text('2')")
        page.goto(self.shop.url + "/#/items/2002")
        page.click(".detail .heart")
        page.locator(".detail .row > button").click()
        page.wait_for_selector("#count:has-text('3')")
        go("#/favourites", "[data-item]")
        go("#/menu", "#list [data-item='5003']", "the menu with a basket")
        page.click(".chips .chip[aria-haspopup]")
        page.wait_for_selector("dialog")
        self.check_screen(page, f"the filter in {locale}")
        page.keyboard.press("Escape")
        go("#/basket", "#total")
        page.click(".line .link >> nth=0")
        page.wait_for_selector("dialog")
        self.check_screen(page, f"the sheet in {locale}")
        page.keyboard.press("Escape")
        page.click("[data-key=clear]")
        page.wait_for_selector("dialog")
        self.check_screen(page, f"the question in {locale}")
        page.keyboard.press("Escape")
        go("#/checkout", "#new-total")
        page.fill("#field-coupon", "NOSUCH")
        page.click("button[type=submit]")
        page.wait_for_selector("#field-name[aria-invalid]")
        self.check_screen(page, f"the checkout with errors in {locale}")
        self.shop.sql(
            "update options set is_available = false where id = 1201; insert into item_stock (menu_item_id, remaining)"
            " values (2002, 0)"
        )
        self.wait_for_answer(page, "/v1/menu/2002", "({left}) => left === 0")
        go("#/checkout", ".problems .fixes", "what is sold out at the checkout")
        go("#/basket", ".line .fixes", "what is sold out in the basket")
        go("#/menu", "[data-item='2002'].gone", "what is sold out on the menu")
        self.shop.sql("update options set is_available = true; delete from item_stock")
        self.wait_for_answer(page, "/v1/menu/2002", "({left}) => left === null")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector("#new-total")
        fill_form(page, number, coupon="")
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.check_screen(page, f"the bill in {locale}")
        go("#/orders", ".orders .what p")
        self.expected_errors += ("404",)

    def test_large_text_in_english(self):
        """Every screen of the guest page is readable in English with text of twice the size"""
        self.guest("en-US", 701)

    def test_large_text_in_german(self):
        """Every screen of the guest page is readable in German with text of twice the size"""
        self.guest("de-DE", 702)

    def test_large_text_in_spanish(self):
        """Every screen of the guest page is readable in Spanish with text of twice the size"""
        self.guest("es-ES", 703)

    def test_large_text_on_staff_page(self):
        """Every screen of the staff page is readable with text of twice the size"""
        page = self.context(PHONE).new_page()
        page.goto(self.shop.url + "/staff")
        page.wait_for_selector("#field-token")
        self.check_screen(page, "the sign-in")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".columns:not([hidden])")
        self.check_screen(page, "an empty board")
        numbers = [
            place_order(
                self.shop, 720 + number, ((1001, 2, "no pickles"), (2001, 1)), (200,), comment="the bell does not ring"
            )
            for number in range(4)
        ]
        for number, state in zip(
            numbers, ((), ("accepted",), ("accepted", "preparing"), ("accepted", "preparing", "on_the_way"))
        ):
            for step in state:
                self.shop.sql(f"select advance_order('{number}', '{step}')")
        page.wait_for_selector(f".column.on_the_way .ticket[data-number='{numbers[3]}']", state="attached")
        for state in ("placed", "accepted", "preparing", "on_the_way"):
            page.click(f"#states .{state}")
            self.check_screen(page, f"the board at {state}")
        page.click("#states .placed")
        page.click(f"[aria-label='Reject order {numbers[0]}']")
        page.wait_for_selector("dialog")
        self.check_screen(page, "the rejection dialog")
        page.keyboard.press("Escape")
        page.click("#states .accepted")
        page.click(f"[aria-label='Delay order {numbers[1]}']")
        page.wait_for_selector("dialog")
        self.check_screen(page, "the delay dialog")
        page.keyboard.press("Escape")
        page.fill("#find", "ann")
        page.click(".found summary >> nth=0")
        self.check_screen(page, "the search results")
        page.click("[data-tab=menu]")
        page.wait_for_selector("[data-item='2001']")
        page.click("[aria-label='Mark sold out: The Big Tasty']")
        page.wait_for_selector("[data-item='2001'].gone")
        self.check_screen(page, "the stock")
        page.click("[data-item='2004'] .level")
        page.wait_for_selector("dialog")
        self.check_screen(page, "the count form")
        page.keyboard.press("Escape")
        page.click("[data-item='2004'] .photo")
        page.wait_for_selector("dialog")
        self.check_screen(page, "a photograph")
        page.keyboard.press("Escape")
        for tab, until in (("shop", "#who"), ("today", ".figure"), ("errors", ".condition")):
            page.click(f"[data-tab={tab}]")
            page.wait_for_selector(f"#{tab} {until}" if tab != "shop" else until)
            self.check_screen(page, tab)


if __name__ == "__main__":
    unittest.main()
