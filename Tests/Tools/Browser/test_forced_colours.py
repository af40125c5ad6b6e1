# Every screen of the guest page with forced colours and without motion: controls have an edge, chosen and focused
# elements are distinguishable, and icons have the text colour.

import unittest

from axe_playwright_python.sync_playwright import Axe

from shop import DESKTOP, PHONE, BrowserTest
from test_ordering import fill_form
from test_screens import SCREENS

# Elements that forced colours make indistinguishable.
FAULTS = """() => {
    const faults = [];
    const seen = (selector) => [...document.querySelectorAll(selector)]
        .filter((element) => element.checkVisibility() && !element.closest('noscript'));
    const name = (element) => `${element.localName}.${element.className} ${
        (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 30)}`;
    const style = (element) => getComputedStyle(element);
    for (const element of seen('button, .button, .chip, input:not([type=radio], [type=checkbox]), select, textarea')) {
        const {borderTopStyle, borderTopWidth, borderTopColor, backgroundColor, textDecorationLine} = style(element);
        const hasEdge = borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0
            && !/^rgba.*, 0\\)$/.test(borderTopColor)
            && (borderTopColor !== backgroundColor
            || element.matches('[aria-current], [aria-pressed=true], :has(:checked), .open'));
        if (!hasEdge && textDecorationLine === 'none' && !element.matches('#languages [aria-current]'))
            faults.push(`no edge: ${name(element)} ${
                [borderTopStyle, borderTopWidth, borderTopColor, backgroundColor].join(' ')}`);
    }
    const look = (element) => ['backgroundColor', 'borderTopWidth', 'borderTopStyle', 'borderTopColor']
        .map((key) => style(element)[key])
        .join() + (element.querySelector('svg') ? style(element.querySelector('svg')).fill : '');
    for (const element of seen('.tabs [aria-current], .chip:is([aria-current], [aria-pressed=true], :has(:checked)), '
            + '.heart[aria-pressed=true]')) {
        const others = [...(element.closest('.tabs, .chips') ?? document)
            .querySelectorAll(element.matches('.heart') ? '.heart[aria-pressed=false]' : '.chip, .tabs a')]
            .filter((other) => other !== element && other.checkVisibility()
            && !other.matches('[aria-current], [aria-pressed=true], :has(:checked)'));
        if (others.some((other) => look(other) === look(element)))
            faults.push(`chosen but looks like the others: ${name(element)}`);
    }
    for (const icon of seen('svg:not(.brand > svg)')) if (style(icon).stroke !== style(icon.parentElement).color)
        faults.push(`an icon of another colour: ${name(icon.parentElement)}: ${style(icon).stroke}, not ${
            style(icon.parentElement).color}`);
    for (const element of seen('a[href], button, input, select, textarea, summary, [tabindex="0"]')) {
        if (element.disabled) continue;
        element.focus({preventScroll: true});
        const shown = [element, element.closest('label, .option')].filter(Boolean)
            .some((node) => style(node).outlineStyle !== 'none' && parseFloat(style(node).outlineWidth) >= 2
            && style(node).outlineColor !== style(document.body).backgroundColor);
        if (document.activeElement === element && !shown) faults.push(`no visible focus: ${name(element)}`);
    }
    const moving = document.getAnimations().filter(({playState}) => playState === 'running');
    if (moving.length) faults.push(`${moving.length} running animations`);
    return faults;
}"""


class ForcedColourTests(BrowserTest):
    maxDiff = None
    def check_screen(self, page, description):
        page.wait_for_selector("body:not(:has(dialog)) [aria-busy=true]", state="detached")
        # A key press makes the browser show the focus ring.
        page.keyboard.press("Shift")
        self.assertEqual(page.evaluate(FAULTS), [], description)
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        self.assertEqual(found.violations_count, 0, f"{description}\n{found.generate_report()}")

    def test_forced_colours_on_every_screen(self):
        """With forced colours, light and dark, every screen can be used on a phone and on a desktop"""
        for number, (device, scheme) in enumerate(((PHONE, "light"), (DESKTOP, "dark"))):
            page = self.context(device, forced_colors="active", color_scheme=scheme, bypass_csp=True).new_page()

            def go(hash, until):
                page.goto("about:blank")
                page.goto(self.shop.url + "/" + hash)
                page.wait_for_selector(until)
                self.check_screen(page, f"{hash} in {scheme}")

            page.goto(self.shop.url + "/#/items/2001")
            page.click("text=Add to basket")
            page.click("[aria-label='Favourite: The Big Tasty']")
            page.wait_for_selector("#count:has-text('1')")
            page.goto(self.shop.url + "/#/sales/200")
            page.click("text=Add to basket")
            page.wait_for_selector("#count:has-text('2')")
            for hash, until in (
                *SCREENS,
                ("#/items/1001", ".choosing"),
                ("#/menu?tag=vegan", "#list [data-item]"),
                ("#/about", "main h2"),
                ("#/nowhere", ".fault"),
            ):
                go(hash, until)
            go("#/", ".ticket")
            page.click(".ticket [aria-label^='Apply'] >> nth=0")
            self.check_screen(page, "a coupon in use")
            go("#/menu", "#list [data-item]")
            page.click("text=Allergens and diet")
            page.wait_for_selector("dialog")
            self.check_screen(page, "the filter")
            page.keyboard.press("Escape")
            go("#/basket", "#total")
            page.click(".line .link >> nth=0")
            page.wait_for_selector("dialog")
            self.check_screen(page, "the sheet")
            page.keyboard.press("Escape")
            page.click("[aria-label='Remove The Big Tasty']")
            page.wait_for_selector(".undo")
            self.check_screen(page, "the offer to undo")
            page.goto(self.shop.url + "/#/checkout")
            page.wait_for_selector("#new-total")
            page.click("[role=radiogroup] label >> nth=1")
            page.click("button[type=submit]")
            page.wait_for_selector("#field-name[aria-invalid]")
            self.check_screen(page, "the checkout with errors")
            fill_form(page, 905 + number, coupon="")
            page.wait_for_selector("#old-total", state="detached")
            page.click("button[type=submit]")
            page.wait_for_selector(".bill")
            self.check_screen(page, "the bill")
            go("#/orders", ".orders .what p")


if __name__ == "__main__":
    unittest.main()
