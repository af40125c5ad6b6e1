# Every screen of the guest's page in the few colours that a device forces on it, and without motion: what can be pressed has an edge, what is chosen or
# has the focus is told from the rest, icons have the colour of words.

import unittest

from axe_playwright_python.sync_playwright import Axe

from shop import DESKTOP, PHONE, BrowserTest
from test_ordering import fill_form
from test_screens import SCREENS

# What can't be told from what is around it.
FAULTS = """() => {
    const faults = [];
    const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility() && !one.closest('noscript'));
    const name = (one) => `${one.localName}.${one.className} ${(one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 30)}`;
    const style = (one) => getComputedStyle(one);
    for (const one of seen('button, .button, .chip, input:not([type=radio], [type=checkbox]), select, textarea')) {
        const {borderTopStyle, borderTopWidth, borderTopColor, backgroundColor, textDecorationLine} = style(one);
        const hasEdge = borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0 && !/^rgba.*, 0\\)$/.test(borderTopColor) && (borderTopColor !== backgroundColor || one.matches('[aria-current], [aria-pressed=true], :has(:checked), .open'));
        if (!hasEdge && textDecorationLine === 'none' && !one.matches('#languages [aria-current]')) faults.push(`no edge: ${name(one)} ${[borderTopStyle, borderTopWidth, borderTopColor, backgroundColor].join(' ')}`);
    }
    const look = (one) => ['backgroundColor', 'borderTopWidth', 'borderTopStyle', 'borderTopColor'].map((key) => style(one)[key]).join() + (one.querySelector('svg') ? style(one.querySelector('svg')).fill : '');
    for (const one of seen('.tabs [aria-current], .chip:is([aria-current], [aria-pressed=true], :has(:checked)), .heart[aria-pressed=true]')) {
        const others = [...(one.closest('.tabs, .chips') ?? document).querySelectorAll(one.matches('.heart') ? '.heart[aria-pressed=false]' : '.chip, .tabs a')].filter((other) => other !== one && other.checkVisibility() && !other.matches('[aria-current], [aria-pressed=true], :has(:checked)'));
        if (others.some((other) => look(other) === look(one))) faults.push(`not told from the others: ${name(one)}`);
    }
    for (const icon of seen('svg:not(.brand > svg)')) if (style(icon).stroke !== style(icon.parentElement).color) faults.push(`an icon of another colour: ${name(icon.parentElement)}: ${style(icon).stroke}, not ${style(icon.parentElement).color}`);
    for (const one of seen('a[href], button, input, select, textarea, summary, [tabindex="0"]')) {
        if (one.disabled) continue;
        one.focus({preventScroll: true});
        const shown = [one, one.closest('label, .option')].filter(Boolean).some((node) => style(node).outlineStyle !== 'none' && parseFloat(style(node).outlineWidth) >= 2 && style(node).outlineColor !== style(document.body).backgroundColor);
        if (document.activeElement === one && !shown) faults.push(`no focus: ${name(one)}`);
    }
    const moving = document.getAnimations().filter(({playState}) => playState === 'running');
    if (moving.length) faults.push(`${moving.length} things move`);
    return faults;
}"""


class ForcedColourTests(BrowserTest):
    maxDiff = None
    def look(self, page, what):
        page.wait_for_selector("body:not(:has(dialog)) [aria-busy=true]", state="detached")
        # From here on the focus shows itself as one that the keyboard has moved.
        page.keyboard.press("Shift")
        self.assertEqual(page.evaluate(FAULTS), [], what)
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{what}\n{found.generate_report()}")

    def test_every_screen(self):
        """With forced colours, by day and by night, every screen can be used from the start to the bill, on a phone and on a desktop"""
        for number, (device, scheme) in enumerate(((PHONE, "light"), (DESKTOP, "dark"))):
            page = self.context(device, forced_colors="active", color_scheme=scheme, bypass_csp=True).new_page()

            def go(hash, until):
                page.goto("about:blank")
                page.goto(self.shop.url + "/" + hash)
                page.wait_for_selector(until)
                self.look(page, f"{hash} in {scheme}")

            page.goto(self.shop.url + "/#/items/2001")
            page.click("text=Add to basket")
            page.click("[aria-label='Favourite: The Big Tasty']")
            page.wait_for_selector("#count:has-text('1')")
            page.goto(self.shop.url + "/#/sales/200")
            page.click("text=Add to basket")
            page.wait_for_selector("#count:has-text('2')")
            for hash, until in (*SCREENS, ("#/items/1001", ".choosing"), ("#/menu?tag=vegan", "#list [data-item]"), ("#/about", "main h2"), ("#/nowhere", ".fault")):
                go(hash, until)
            go("#/", ".ticket")
            page.click(".ticket [aria-label^='Apply'] >> nth=0")
            self.look(page, "a coupon in use")
            go("#/menu", "#list [data-item]")
            page.click("text=Allergens and diet")
            page.wait_for_selector("dialog")
            self.look(page, "the filter")
            page.keyboard.press("Escape")
            go("#/basket", "#total")
            page.click(".line .link >> nth=0")
            page.wait_for_selector("dialog")
            self.look(page, "the sheet")
            page.keyboard.press("Escape")
            page.click("[aria-label='Remove The Big Tasty']")
            page.wait_for_selector(".undo")
            self.look(page, "what can be taken back")
            page.goto(self.shop.url + "/#/checkout")
            page.wait_for_selector("#new-total")
            page.click("[role=radiogroup] label >> nth=1")
            page.click("button[type=submit]")
            page.wait_for_selector("#field-name[aria-invalid]")
            self.look(page, "the checkout with errors")
            fill_form(page, 905 + number, coupon="")
            page.wait_for_selector("#old-total", state="detached")
            page.click("button[type=submit]")
            page.wait_for_selector(".bill")
            self.look(page, "the bill")
            go("#/orders", ".orders .what p")


if __name__ == "__main__":
    unittest.main()
