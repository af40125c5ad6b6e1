# The guest's page in English, German and Spanish: which one, every word of it, and room for it.

import glob
import json
import os
import re
import unittest
from html.parser import HTMLParser

from axe_playwright_python.sync_playwright import Axe

from server import ROOT
from shop import PHONE, BrowserTest
from test_large_text import FAULTS
from test_ordering import fill_form
from test_page import SHIFTS

SOURCES = os.path.join(ROOT, "Sources/Web/Storefront")
LANGUAGES = ("de", "es")
# Codes that no guest meets: the staff's routes answer with them.
STAFFS = {"insufficient_role", "option_not_found", "order_step_refused", "shop_change_refused", "staff_token_missing", "step_overtaken", "step_too_old",
          "photograph_kind_unknown", "photograph_too_costly", "photograph_too_few_pixels", "photograph_too_large", "photograph_too_many_pixels",
          "photograph_unreadable", "photographs_not_offered"}
# The page's own name for what is wrong with one field.
OF_FIELDS = {f"required.{field}" for field in ("name", "phone", "email", "address")}
# Words that stand in most English sentences and in no German or Spanish one.
ENGLISH = re.compile(r"\b(the|your|and|please|with|are|not|of|is|this|you|we|it|order|basket|menu|home|add|choose)\b", re.IGNORECASE)
# What is seen and what is read aloud, but for what staff have written, which the shop translates.
TEXTS = """() => {
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!parent.closest('[translate=no], noscript, script') && parent.closest('.unseen, [hidden]') === null) texts.push(walker.currentNode.data.trim());
    }
    for (const one of document.querySelectorAll('[aria-label], [placeholder]')) texts.push(one.getAttribute('aria-label') ?? '', one.getAttribute('placeholder') ?? '');
    return texts.concat(document.title).filter(Boolean);
}"""


def sentences():
    """Every sentence that the page's sources hand to t(), and those that stand in the document itself."""
    found = set()
    for path in glob.glob(SOURCES + "/**/*.js", recursive=True):
        if "/staff/" in path:
            continue
        with open(path) as file:
            text = file.read()
        for call in re.finditer(r"(?<![\w.])t\((.)", text):
            rest = text[call.end() - 1:]
            literal = re.match(r"'([^'\\]+)'", rest)
            # words.js alone is given a variable: what the document holds.
            assert literal or path.endswith("words.js"), f"{path}: t() wants a literal: {rest[:60]}"
            if literal:
                found.add(literal[1])

    class Document(HTMLParser):
        """Texts and labels of the body."""
        body = own = 0

        def handle_starttag(self, tag, attributes):
            attributes = dict(attributes)
            self.body = self.body or tag == "body"
            if self.body and tag not in ("br", "img", "path", "rect"):
                self.own += bool(self.own or tag == "noscript" or "translate" in attributes)
            if self.body and "aria-label" in attributes:
                found.add(attributes["aria-label"])
            if attributes.get("name") == "description":
                found.add(attributes["content"])

        def handle_endtag(self, tag):
            if tag not in ("br", "img", "path", "rect"):
                self.own = max(0, self.own - 1)

        def handle_data(self, data):
            if self.body and not self.own and data.strip():
                found.add(data)

    with open(SOURCES + "/index.html") as file:
        Document().feed(file.read())
    return found


PLURAL = re.compile(r"\{(\w+), plural, one \{(.*?)\} other \{(.*?)\}\}")


def values(text):
    """What stands in a message for something else."""
    return set(re.findall(r"\{\w+\}", PLURAL.sub(r"{\1}", text)))


def forms(text):
    """A message in the singular and in the plural, with values left open."""
    return {PLURAL.sub(lambda found: found[form].replace("#", "{" + found[1] + "}"), text) for form in (2, 3)}


# Phrases that were rewritten.
ODD = (
    "for-one", "As on the card", "Dearest first", "What you order", "Show these'", "Look at the menu", "when it is handed to you",
    "when you fetch it", "for those who cook and carry'", "A bell that does not ring", "A basket likes company",
    "} in the kitchen'", "has taken it on", "A name is made of letters", "not a whole phone number", "can stand in the comment",
    "that we can reach you on", "We need to know where it goes to", "As soon as possible is in", "right for you as they come",
    "We look again by ourselves", "An order is forgotten here", "t('To the checkout')", "our books", "have our hands full",
    "is to be added?", "in your mind", "wallet need not", "Ihre Bestellung ist da.", '"Dazu"', "freiwillig", "So bald wie möglich",
    "You are in", "'Come in'", "Type your own token", "the token of anybody here", "Orders are taken'", "Not busy any more",
    "when we like", "We do, within", "the shop does at once", "of our hours", "on the clock of", "that we have already stay",
    "It is promised by",
    "keine ganze Telefonnummer", '"Geliefert an"', "so bald wie möglich", "how to find an order until", "The last that are over'",
    "keep it on now", "zünde den Grill", "la parrilla en tu mente", "takes longer than we said", "could not make sense of that",
    "is having a break", "Ordering rests", "t('Take it out')", "t('Not to be had", "key word of {name}", "'Leave'", ">Leave<",
    "No order is called so", "Look at them first", "'Count no longer'", "Only who placed", "it again and decide anew",
)
# An apostrophe that is typed straight, and a percent sign after an ordinary space.
STRAIGHT = re.compile(r"[^\W\d_]'[^\W\d_]")
SPACED = re.compile(r"[\d}] %")
# Familiar forms of address.
FAMILIAR = {
    "de": re.compile(r"\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir|[Ee]uch|[Ee]ur\w*|ihr)\b"),
    "es": re.compile(r"\b([Tt]u|[Tt]us|[Tt]ú|ti|[Vv]osotros|[Vv]uestr\w*)\b"),
}
COMMENTS = {
    ".js": re.compile(r"^\s*(//|/?\*).*$", re.MULTILINE), ".html": re.compile(r"<!--.*?-->", re.DOTALL),
    ".sql": re.compile(r"--.*$", re.MULTILINE), ".swift": re.compile(r"//.*$", re.MULTILINE), ".json": re.compile(r"(?!)"),
    ".webmanifest": re.compile(r"(?!)"),
}


def texts(pattern):
    """The files of a pattern, each as (name, text without comments)."""
    found = []
    for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
        with open(path) as file:
            found.append((os.path.relpath(path, ROOT), COMMENTS[os.path.splitext(path)[1]].sub("", file.read())))
    assert found, pattern
    return found


class LanguageTests(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.words = {}
        for language in LANGUAGES:
            with open(f"{SOURCES}/words/{language}.json") as file:
                cls.words[language] = json.load(file)
        with open(os.path.join(ROOT, "Sources/Web/OpenAPI/openapi.json")) as file:
            cls.schemas = json.load(file)["components"]["schemas"]

    def test_dictionaries(self):
        """Each sentence of the page is in both languages with its values and its forms, and no other one; so is each name of the API's that a guest meets"""
        used = sentences()
        self.assertGreater(len(used), 300)
        enum = lambda name: set(self.schemas[name]["enum"])
        kinds = set(self.schemas["Totals"]["items"]["properties"]["kind"]["enum"])
        faults = set(self.schemas["ErrorEvent"]["properties"]["code"]["enum"])
        names = (enum("ProblemCode") - STAFFS) | enum("FieldErrorCode") | enum("Allergen") | enum("Diet") | kinds | faults | OF_FIELDS
        for language, words in self.words.items():
            self.assertEqual(set(words["sentences"]), used, language)
            self.assertEqual(set(words["names"]), names, language)
            for english, own in words["sentences"].items():
                self.assertEqual(values(own), values(english), f"{language}: {english}")
                self.assertNotIn("plural", PLURAL.sub("", own), f"{language}: {english}")
        # The values of a refusal are those of the server.
        for code in self.words["de"]["names"]:
            self.assertEqual(*(values(self.words[language]["names"][code]) for language in LANGUAGES), code)

    def test_plain_texts(self):
        """No text of the pages, of the API and of the seed has a phrase that a native speaker found odd"""
        found = []
        for folder, ends in (("Sources", (".js", ".json", ".html", ".swift")), ("seed", (".sql",))):
            for where, _, names in os.walk(os.path.join(ROOT, folder)):
                for name in names:
                    if name.endswith(ends):
                        with open(os.path.join(where, name)) as file:
                            text = file.read()
                        found += [(name, phrase) for phrase in ODD if phrase in text]
        self.assertEqual(found, [])

    def test_punctuation(self):
        """Texts have curly apostrophes; English has no space before a percent sign, German and Spanish a no-break space"""
        pages = texts("Sources/Web/Storefront/**/*.js") + texts("Sources/Web/Storefront/*.html")
        words = texts("Sources/Web/Storefront/words/*.json") + texts("Sources/Web/Storefront/*.webmanifest")
        problems = texts("Sources/Web/**/Problem+*.swift") + texts("Sources/Ordering/Fields/FieldError.swift")
        # A doubled apostrophe is how SQL writes a straight one.
        seeds = [(name, re.sub("(\\w)''(\\w)", r"\1'\2", text)) for name, text in texts("seed/*.sql")]
        found = [
            (name, text[max(0, hit.start() - 20):hit.end() + 20])
            for pattern in (STRAIGHT, SPACED)
            for name, text in pages + words + problems + seeds
            for hit in pattern.finditer(text)
        ]
        self.assertEqual(found, [])

    def test_formal_address(self):
        """German and Spanish address the guest formally, on the page and in the menu of the demonstration"""
        menu = dict(texts("seed/*.sql"))["seed/restaurant.sql"]
        for language, familiar in FAMILIAR.items():
            for where, text in (("page", json.dumps(self.words[language], ensure_ascii=False)), ("menu", menu)):
                self.assertEqual(familiar.findall(text), [], f"{language}, {where}")

    def test_tags(self):
        """Each tag of the demonstration's dishes has its word in German and in Spanish"""
        seeds = dict(texts("seed/*.sql"))
        tags = set()
        for name, kind in (("seed/menu.sql", r"'\{([a-z,-]+)\}', '/pictures/"), ("seed/restaurant.sql", r"\d+, '\{([a-z,-]+)\}', \d+")):
            for group in re.findall(kind, seeds[name]):
                tags |= set(group.split(","))
        self.assertGreater(len(tags), 20)
        for language, words in self.words.items():
            self.assertEqual(set(words["tags"]), tags, language)
        page = self.context(PHONE, locale="de-DE").new_page()
        page.goto(self.shop.url + "/#/menu")
        page.wait_for_selector("[data-tag='vegan']:text-is('vegan')")
        page.wait_for_selector("[data-tag='beef']:text-is('Rind')")

    def language(self, page):
        return page.get_attribute("html", "lang"), page.inner_text("[data-tab=basket] span")

    def test_which(self):
        """The browser's first language of the three, or English; from then on the one that was chosen on the page, which is all that is kept of it"""
        for locale, expected in (("de-CH", ("de", "Warenkorb")), ("es-MX", ("es", "Cesta")), ("en-GB", ("en", "Basket")), ("fr-FR", ("en", "Basket"))):
            page = self.visit("#/basket", locale=locale)
            page.wait_for_selector(".empty")
            self.assertEqual(self.language(page), expected)
        self.assertEqual(page.locator("#languages [aria-current]").inner_text(), "English")
        # The shop may have its menu in a language that the page has not.
        with page.expect_request("**/v1/menu**") as menu:
            page.goto(self.shop.url + "/#/menu")
        self.assertEqual(menu.value.headers["accept-language"].split(",")[0], "fr-FR")
        page.click("#languages >> text=Deutsch")
        page.wait_for_selector("[data-tab=basket]:has-text('Warenkorb')")
        with page.expect_request("**/v1/home") as home:
            page.goto(self.shop.url + "/#/")
        self.assertEqual(home.value.headers["accept-language"], "de")
        page.reload()
        page.wait_for_selector(".ticket")
        self.assertEqual(self.language(page), ("de", "Warenkorb"))
        self.assertEqual(page.locator("#languages [aria-current]").inner_text(), "Deutsch")
        self.assertEqual(page.evaluate("localStorage.getItem('welms.language')"), '"de"')
        with page.expect_request("**/v1/home") as home:
            page.click("#languages >> text=English")
        self.assertEqual(self.language(page), ("en", "Basket"))
        self.assertEqual(home.value.headers["accept-language"], "en")

    def test_plurals(self):
        """One is told as one and more as more, in each language"""
        for locale, one, more in (("en-US", "1 dish", "3 dishes"), ("de-DE", "1 Gericht", "3 Gerichte"), ("es-ES", "1 plato", "3 platos")):
            page = self.visit("#/menu?q=french", locale=locale)
            page.wait_for_selector(f".found:text-is('{one}')")
            page.goto(self.shop.url + "/#/menu/300?sort=price")
            page.wait_for_selector(f".found:text-is('{more}')")
        self.addCleanup(self.shop.sql, "delete from item_stock")
        self.shop.sql("insert into item_stock (menu_item_id, remaining) values (3001, 1), (3002, 2)")
        self.answered(page, "/v1/menu/3002", "({left}) => left === 2")
        page.reload()
        page.wait_for_selector("[data-item='3001'] .mark:text-is('queda 1')")
        page.wait_for_selector("[data-item='3002'] .mark:text-is('quedan 2')")

    def test_head(self):
        """What describes the page to a device, and the name under which it is put beside its apps, are in the guest's language"""
        for locale, words in (("en-US", ("Burgers, fries", "Menu")), ("de-DE", ("Burger, Pommes", "Karte")), ("es-ES", ("Hamburguesas", "Carta"))):
            page = self.visit("#/", locale=locale)
            page.wait_for_selector(".ticket")
            manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
            self.assertEqual(manifest["errors"], [])
            told = json.loads(manifest["data"])
            description = page.get_attribute("[name=description]", "content")
            self.assertEqual((description, told["shortcuts"][0]["name"]), (told["description"], words[1]))
            self.assertTrue(description.startswith(words[0]), description)
            self.assertEqual(told.get("lang", "en"), locale[:2])

    def test_english_is_light(self):
        """An English guest asks for no other language's words; with German a word that can't be had leaves the page in English"""
        page = self.context(PHONE).new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(self.shop.url)
        page.wait_for_selector(".ticket")
        self.assertEqual([url for url in asked if "/words/" in url], [])
        page = self.context(PHONE, locale="de-DE", service_workers="block").new_page()
        page.route("**/words/de.json", lambda route: route.abort())
        page.goto(self.shop.url)
        page.wait_for_selector(".ticket")
        self.assertEqual(self.language(page), ("en", "Basket"))
        self.forgiven += ("ERR_FAILED",)

    def test_tongue(self):
        """What staff have not translated says what it is in, so that it is read aloud in its own language; what they have, and all else, is in the page's"""
        page = self.context(PHONE, locale="de-DE").new_page()

        def tongues(hash, selectors):
            page.goto("about:blank")
            page.goto(self.shop.url + "/" + hash)
            for one in selectors:
                page.wait_for_selector(one, state="attached")
            # All at one moment: the screen is drawn again when the newest menu is there.
            return page.evaluate("(all) => all.map((one) => document.querySelector(one).closest('[lang]').lang)", [one.split(":has-text")[0] for one in selectors])

        item = ("h1", ".lead", "[data-option='1101'] .words span", "[data-option='1102'] .words span", "[data-tab=menu] span")
        card = ("[data-item='2001'] h3", "[data-item='2001'] .about", "[data-item='2002'] h3", "[data-category='200'] h2", "[data-category='300'] h2")
        self.assertEqual(tongues("#/items/2001", item), ["en", "en", "en", "en", "de"])
        self.assertEqual(tongues("#/menu", card), ["en", "en", "en", "en", "en"])
        self.addCleanup(self.shop.sql, "begin; delete from translations; update shop set languages = '{en}'; commit")
        self.shop.sql("begin; update shop set languages = '{en,de}'; insert into translations (subject, id, language, title) values"
                      " ('menu_items', 2001, 'de', 'Der Große'), ('options', 1102, 'de', 'Rosa'), ('categories', 200, 'de', 'Hamburger'); commit")
        # The server has read the menu again within a second.
        self.answered(page, "/v1/menu/2001", "({title}) => title === 'Der Große'")
        self.assertEqual(tongues("#/items/2001", ("h1:has-text('Der Große')", *item[1:])), ["de", "en", "en", "de", "de"])
        self.assertEqual(tongues("#/menu", card), ["de", "en", "en", "de", "en"])

    def test_titles_of_totals(self):
        """What staff call a line of the bill is what a guest of that language reads, at the checkout and in the order; in another one it is the page's word"""
        self.addCleanup(self.shop.sql, "begin; delete from translations; update shop set languages = '{en}'; commit")
        self.shop.sql("begin; update shop set languages = '{en,de}'; insert into translations (subject, id, language, title) values"
                      " ('totals', 8, 'de', 'Zu zahlen'), ('menu_items', 2001, 'de', 'Der Große'); commit")
        page = self.context(PHONE, locale="de-DE").new_page()
        page.goto(self.shop.url + "/#/menu")
        self.answered(page, "/v1/menu/2001", "({title}) => title === 'Der Große'")
        page.click("[data-item='2001'] .button")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector(".total:has(#new-total):has-text('Zu zahlen')")
        fill_form(page, 940, coupon="")
        page.locator("button[type=submit]").press("Enter")
        page.wait_for_selector(".bill .total:has-text('Zu zahlen')")
        page.click("#languages [lang=es]")
        page.wait_for_selector(".bill .total:has-text('Total')")

    def foreign(self, page, language, staffs, what):
        """Nothing that is seen is English, but for what staff have written."""
        own = self.words[language]["sentences"]
        english = [re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(form))) for key, text in own.items() for form in forms(key) if text != key and len(re.sub(r"\{\w+\}|\W", "", form)) > 6]
        for text in page.evaluate(TEXTS):
            rest = text
            for one in staffs:
                rest = rest.replace(one, "")
            wrong = ENGLISH.search(rest) or any(pattern.fullmatch(rest.strip()) for pattern in english)
            self.assertFalse(wrong, f"{what}: {text}")

    def staffs_words(self):
        """All texts of the menu, the longest first."""
        texts = set()

        def take(value):
            if isinstance(value, str):
                texts.add(value)
            for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
                take(one)

        page = self.browser.new_page()
        for path in ("/v1/home", "/v1/menu?limit=100", "/v1/menu/2001", "/v1/menu/2002", "/v1/sales/200", "/v1/categories"):
            take(page.request.get(self.shop.url + path).json())
        page.close()
        return sorted((text for text in texts if len(text) > 2), key=len, reverse=True)

    def test_every_screen(self):
        """A guest orders in German and in Spanish, and it is delivered; on no screen is a word of English, a fault for axe by day or by night, a movement, or anything wider than 320 pixels"""
        staffs = self.staffs_words()
        self.forgiven += ("404",)
        for number, language in enumerate(LANGUAGES):
            context = self.context({**PHONE, "viewport": {"width": 320, "height": 1600}}, locale={"de": "de-DE", "es": "es-ES"}[language], bypass_csp=True)
            context.add_init_script(SHIFTS)
            page = context.new_page()
            own = self.words[language]["sentences"]

            def look(what, large=True):
                # What opened a dialog is busy until it is closed.
                page.wait_for_selector("body:not(:has(dialog)) [aria-busy=true]", state="detached")
                self.assertEqual(page.get_attribute("html", "lang"), language)
                self.foreign(page, language, staffs, f"{what} in {language}")
                found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
                self.assertEqual(found.violations_count, 0, f"{what} in {language}\n{found.generate_report()}")
                page.emulate_media(color_scheme="dark")
                found = Axe().run(page, options={"runOnly": {"type": "rule", "values": ["color-contrast"]}})
                self.assertEqual(found.violations_count, 0, f"{what} in {language} at night\n{found.generate_report()}")
                page.emulate_media(color_scheme="light")
                self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 320, what)
                shifts = page.evaluate("window.shifts")
                self.assertEqual(sum(value for value, _ in shifts), 0, f"{what} in {language}: {shifts}")
                if large:
                    # Text of twice the size.
                    self.assertEqual(page.evaluate(FAULTS), [], f"{what} in {language} in large letters")
                    page.evaluate("window.shifts.length = 0")
                    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => { window.shifts.length = 0; done(); })))")

            def go(hash, until):
                page.goto("about:blank")
                page.goto(self.shop.url + "/" + hash)
                page.wait_for_selector(until)

            for hash, until in (("#/", ".ticket"), ("#/menu", "#list [data-item]"), ("#/favourites", ".empty"), ("#/orders", ".empty"), ("#/about", "main h2"), ("#/nowhere", "main h1"), ("#/items/999", ".fault"), ("#/sales/200", ".poster .price"), ("#/items/2002", ".detail .price")):
                go(hash, until)
                look(hash)
            page.keyboard.press("Tab")
            page.locator(".detail .row > button").press("Enter")
            page.wait_for_selector("#count:has-text('1')")
            look("the dish in the basket", large=False)
            go("#/menu", "#list [data-item]")
            page.locator(".chips .chip[aria-haspopup]").press("Enter")
            page.wait_for_selector("dialog")
            look("the filter", large=False)
            page.keyboard.press("Escape")
            go("#/basket", "#total")
            look("the basket")
            page.locator(".line .link").press("Enter")
            page.wait_for_selector("dialog")
            look("the sheet", large=False)
            page.keyboard.press("Escape")
            page.locator(f"text={own['Go to the checkout']}").press("Enter")
            page.wait_for_selector("#new-total")
            page.fill("#field-coupon", "NOSUCH")
            page.locator("button[type=submit]").press("Enter")
            page.wait_for_selector("#field-name[aria-invalid]")
            names = self.words[language]["names"]
            self.assertEqual(page.inner_text("#field-name-error"), names["required.name"])
            self.assertEqual(page.inner_text("#field-coupon-error"), names["coupon_unknown"])
            page.evaluate("window.shifts.length = 0")
            look("the checkout")
            fill_form(page, 950 + number, coupon="")
            page.locator("button[type=submit]").press("Enter")
            page.wait_for_selector(".bill")
            look("the bill")
            # The kitchen takes it on, and it comes.
            number = page.inner_text("h1").split()[-1]
            for state in ("accepted", "preparing", "on_the_way", "delivered"):
                self.shop.sql(f"select advance_order('{number}', '{state}')")
                page.wait_for_selector(f"[data-state={state}]")
                look(f"the order that is {state}", large=state == "delivered")
            self.assertIn(own["Enjoy your meal."], page.inner_text(".state"))
            self.assertIn({"de": "Gesamt", "es": "Total"}[language], page.inner_text(".bill"))
            self.assertRegex(page.inner_text(".bill .total strong"), {"de": r"^8,99\s\$$", "es": r"^8,99\sUS\$$"}[language])
            go("#/orders", ".orders .what p")
            look("the list of orders")


if __name__ == "__main__":
    unittest.main()
