# The guest page in English, German and Spanish: the choice of the language, the translations and the layout.

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

SOURCES = os.path.join(ROOT, "Sources/Pages/Storefront")
LANGUAGES = ("de", "es")
# Codes that only staff routes return.
STAFF_CODES = {
    "insufficient_role",
    "option_not_found",
    "order_step_refused",
    "shop_change_refused",
    "staff_token_missing",
    "step_overtaken",
    "step_too_old",
    "photograph_kind_unknown",
    "photograph_too_costly",
    "photograph_too_few_pixels",
    "photograph_too_large",
    "photograph_too_many_pixels",
    "photograph_unreadable",
    "photographs_not_offered",
}
# The page's names for errors of single fields.
FIELD_CODES = {f"required.{field}" for field in ("name", "phone", "email", "address")}
# Words that are in most English sentences, and not in German or Spanish ones.
ENGLISH_WORDS = re.compile(
    r"\b(the|your|and|please|with|are|not|of|is|this|you|we|it|order|basket|menu|home|add|choose)\b", re.IGNORECASE
)
# Visible texts and labels, without the texts of staff, which the shop translates.
TEXTS = """() => {
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!parent.closest('[translate=no], noscript, script') && parent.closest('.unseen, [hidden]') === null)
            texts.push(walker.currentNode.data.trim());
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder]'))
        texts.push(element.getAttribute('aria-label') ?? '', element.getAttribute('placeholder') ?? '');
    return texts.concat(document.title).filter(Boolean);
}"""


def sentences():
    """Every sentence that the page's sources pass to t(), and the sentences of the document."""
    found = set()
    for path in glob.glob(SOURCES + "/**/*.js", recursive=True):
        if "/staff/" in path:
            continue
        with open(path) as file:
            text = file.read()
        for call in re.finditer(r"(?<![\w.])t\((.)", text):
            rest = text[call.end() - 1:]
            literal = re.match(r"'([^'\\]+)'", rest)
            # Only translation.js may pass a variable to t(): it translates the texts of the document.
            assert literal or path.endswith("/parts/translation.js"), f"{path}: t() wants a literal: {rest[:60]}"
            if literal:
                found.add(literal[1])

    class Document(HTMLParser):
        """Collects the texts and labels of the body."""
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
    """The placeholders of a message."""
    return set(re.findall(r"\{\w+\}", PLURAL.sub(r"{\1}", text)))


def forms(text):
    """The singular and the plural of a message. Their placeholders are not replaced by values."""
    return {PLURAL.sub(lambda found: found[form].replace("#", "{" + found[1] + "}"), text) for form in (2, 3)}


# Phrases that native speakers found odd, and that were rewritten.
ODD_PHRASES = (
    "for-one",
    "As on the card",
    "Dearest first",
    "What you order",
    "Show these'",
    "Look at the menu",
    "when it is handed to you",
    "when you fetch it",
    "for those who cook and carry'",
    "A bell that does not ring",
    "A basket likes company",
    "} in the kitchen'",
    "has taken it on",
    "A name is made of letters",
    "not a whole phone number",
    "can stand in the comment",
    "that we can reach you on",
    "We need to know where it goes to",
    "As soon as possible is in",
    "right for you as they come",
    "We look again by ourselves",
    "An order is forgotten here",
    "t('To the checkout')",
    "our books",
    "have our hands full",
    "is to be added?",
    "in your mind",
    "wallet need not",
    "Ihre Bestellung ist da.",
    '"Dazu"',
    "freiwillig",
    "So bald wie möglich",
    "You are in",
    "'Come in'",
    "Type your own token",
    "the token of anybody here",
    "Orders are taken'",
    "Not busy any more",
    "when we like",
    "We do, within",
    "the shop does at once",
    "of our hours",
    "on the clock of",
    "that we have already stay",
    "It is promised by",
    "keine ganze Telefonnummer",
    '"Geliefert an"',
    "so bald wie möglich",
    "how to find an order until",
    "The last that are over'",
    "keep it on now",
    "zünde den Grill",
    "la parrilla en tu mente",
    "takes longer than we said",
    "could not make sense of that",
    "is having a break",
    "Ordering rests",
    "t('Take it out')",
    "t('Not to be had",
    "key word of {name}",
    "'Leave'",
    ">Leave<",
    "No order is called so",
    "Look at them first",
    "'Count no longer'",
    "Only who placed",
    "it again and decide anew",
)
# A straight apostrophe, and a percent sign after an ordinary space.
STRAIGHT_APOSTROPHE = re.compile(r"[^\W\d_]'[^\W\d_]")
SPACED_PERCENT = re.compile(r"[\d}] %")
# Informal forms of address.
INFORMAL = {
    "de": re.compile(r"\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir|[Ee]uch|[Ee]ur\w*|ihr)\b"),
    "es": re.compile(r"\b([Tt]u|[Tt]us|[Tt]ú|ti|[Vv]osotros|[Vv]uestr\w*)\b"),
}
COMMENTS = {
    ".js": re.compile(r"^\s*(//|/?\*).*$", re.MULTILINE),
    ".html": re.compile(r"<!--.*?-->", re.DOTALL),
    ".sql": re.compile(r"--.*$", re.MULTILINE),
    ".swift": re.compile(r"//.*$", re.MULTILINE),
    ".json": re.compile(r"(?!)"),
    ".webmanifest": re.compile(r"(?!)"),
}


def texts(pattern):
    """The files that match a pattern, each as (name, text without comments)."""
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

    def test_dictionaries_are_complete(self):
        """Both dictionaries have exactly the page's sentences, placeholders and plural forms, and each guest error
        code"""
        used = sentences()
        self.assertGreater(len(used), 300)
        enum = lambda name: set(self.schemas[name]["enum"])
        kinds = set(self.schemas["Totals"]["items"]["properties"]["kind"]["enum"])
        faults = set(self.schemas["ErrorEvent"]["properties"]["code"]["enum"])
        names = (
            (enum("ProblemCode") - STAFF_CODES)
            | enum("FieldErrorCode")
            | enum("Allergen")
            | enum("Diet")
            | kinds
            | faults
            | FIELD_CODES
        )
        for language, words in self.words.items():
            self.assertEqual(set(words["sentences"]), used, language)
            self.assertEqual(set(words["names"]), names, language)
            for english, own in words["sentences"].items():
                self.assertEqual(values(own), values(english), f"{language}: {english}")
                self.assertNotIn("plural", PLURAL.sub("", own), f"{language}: {english}")
        # A rejection has the placeholders that the server sends.
        for code in self.words["de"]["names"]:
            self.assertEqual(*(values(self.words[language]["names"][code]) for language in LANGUAGES), code)

    def test_no_odd_phrases(self):
        """No text of the pages, the API and the seed contains a phrase that a native speaker found odd"""
        found = []
        for folder, ends in (("Sources", (".js", ".json", ".html", ".swift")), ("seed", (".sql",))):
            for where, _, names in os.walk(os.path.join(ROOT, folder)):
                for name in names:
                    if name.endswith(ends):
                        with open(os.path.join(where, name)) as file:
                            text = file.read()
                        found += [(name, phrase) for phrase in ODD_PHRASES if phrase in text]
        self.assertEqual(found, [])

    def test_punctuation(self):
        """Texts have curly apostrophes; English has no space before a percent sign, German and Spanish a no-break
        space"""
        pages = texts("Sources/Pages/Storefront/**/*.js") + texts("Sources/Pages/Storefront/*.html")
        words = texts("Sources/Pages/Storefront/words/*.json") + texts("Sources/Pages/Storefront/*.webmanifest")
        problems = texts("Sources/**/Problem+*.swift") + texts("Sources/Ordering/Fields/FieldError.swift")
        # SQL writes a straight apostrophe as two.
        seeds = [(name, re.sub("(\\w)''(\\w)", r"\1'\2", text)) for name, text in texts("seed/*.sql")]
        found = [
            (name, text[max(0, hit.start() - 20):hit.end() + 20])
            for pattern in (STRAIGHT_APOSTROPHE, SPACED_PERCENT)
            for name, text in pages + words + problems + seeds
            for hit in pattern.finditer(text)
        ]
        self.assertEqual(found, [])

    def test_formal_address(self):
        """German and Spanish address the guest formally, on the page and in the demonstration menu"""
        menu = dict(texts("seed/*.sql"))["seed/restaurant.sql"]
        for language, familiar in INFORMAL.items():
            for where, text in (("page", json.dumps(self.words[language], ensure_ascii=False)), ("menu", menu)):
                self.assertEqual(familiar.findall(text), [], f"{language}, {where}")

    def test_demonstration_tags_are_translated(self):
        """Each tag of the demonstration's dishes has a German and a Spanish word"""
        seeds = dict(texts("seed/*.sql"))
        tags = set()
        for name, kind in (
            ("seed/menu.sql", r"'\{([a-z,-]+)\}', '/pictures/"),
            ("seed/restaurant.sql", r"\d+, '\{([a-z,-]+)\}', \d+"),
        ):
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

    def test_language_choice(self):
        """The page uses the browser's first supported language or English, then the guest's choice, and stores only
        that"""
        for locale, expected in (
            ("de-CH", ("de", "Warenkorb")),
            ("es-MX", ("es", "Cesta")),
            ("en-GB", ("en", "Basket")),
            ("fr-FR", ("en", "Basket")),
        ):
            page = self.visit("#/basket", locale=locale)
            page.wait_for_selector(".empty")
            self.assertEqual(self.language(page), expected)
        self.assertEqual(page.locator("#languages [aria-current]").inner_text(), "English")
        # The shop's menu may have a language that the page lacks.
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

    def test_plural_forms(self):
        """Each language has a singular and a plural form"""
        for locale, singular, plural in (
            ("en-US", "1 dish", "3 dishes"),
            ("de-DE", "1 Gericht", "3 Gerichte"),
            ("es-ES", "1 plato", "3 platos"),
        ):
            page = self.visit("#/menu?q=french", locale=locale)
            page.wait_for_selector(f".found:text-is('{singular}')")
            page.goto(self.shop.url + "/#/menu/300?sort=price")
            page.wait_for_selector(f".found:text-is('{plural}')")
        self.addCleanup(self.shop.sql, "delete from item_stock")
        self.shop.sql("insert into item_stock (menu_item_id, remaining) values (3001, 1), (3002, 2)")
        self.wait_for_answer(page, "/v1/menu/3002", "({left}) => left === 2")
        page.reload()
        page.wait_for_selector("[data-item='3001'] .mark:text-is('queda 1')")
        page.wait_for_selector("[data-item='3002'] .mark:text-is('quedan 2')")

    def test_head_is_translated(self):
        """The description and the name of the installed page are in the guest's language"""
        for locale, words in (
            ("en-US", ("Burgers, fries", "Menu")),
            ("de-DE", ("Burger, Pommes", "Karte")),
            ("es-ES", ("Hamburguesas", "Carta")),
        ):
            page = self.visit("#/", locale=locale)
            page.wait_for_selector(".ticket")
            manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
            self.assertEqual(manifest["errors"], [])
            app = json.loads(manifest["data"])
            description = page.get_attribute("[name=description]", "content")
            self.assertEqual((description, app["shortcuts"][0]["name"]), (app["description"], words[1]))
            self.assertTrue(description.startswith(words[0]), description)
            self.assertEqual(app.get("lang", "en"), locale[:2])

    def test_english_loads_no_dictionary(self):
        """An English guest loads no dictionary; a German dictionary that fails to load leaves the page in English"""
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
        self.expected_errors += ("ERR_FAILED",)

    def test_lang_attributes(self):
        """Untranslated texts of staff have their own lang attribute; all other texts have the page's language"""
        page = self.context(PHONE, locale="de-DE").new_page()

        def languages_of(hash, selectors):
            page.goto("about:blank")
            page.goto(self.shop.url + "/" + hash)
            for selector in selectors:
                page.wait_for_selector(selector, state="attached")
            # Read all in one call, because the newest menu redraws the screen.
            return page.evaluate(
                "(all) => all.map((element) => document.querySelector(element).closest('[lang]').lang)",
                [selector.split(":has-text")[0] for selector in selectors],
            )

        item = (
            "h1",
            ".lead",
            "[data-option='1101'] .words span",
            "[data-option='1102'] .words span",
            "[data-tab=menu] span",
        )
        card = (
            "[data-item='2001'] h3",
            "[data-item='2001'] .about",
            "[data-item='2002'] h3",
            "[data-category='200'] h2",
            "[data-category='300'] h2",
        )
        self.assertEqual(languages_of("#/items/2001", item), ["en", "en", "en", "en", "de"])
        self.assertEqual(languages_of("#/menu", card), ["en", "en", "en", "en", "en"])
        self.addCleanup(self.shop.sql, "begin; delete from translations; update shop set languages = '{en}'; commit")
        self.shop.sql(
            "begin; update shop set languages = '{en,de}'; insert into translations (subject, id, language, title)"
            " values ('menu_items', 2001, 'de', 'Der Große'), ('options', 1102, 'de', 'Rosa'), ('categories', 200,"
            " 'de', 'Hamburger'); commit"
        )
        # The server reloads the menu within a second.
        self.wait_for_answer(page, "/v1/menu/2001", "({title}) => title === 'Der Große'")
        self.assertEqual(
            languages_of("#/items/2001", ("h1:has-text('Der Große')", *item[1:])), ["de", "en", "en", "de", "de"]
        )
        self.assertEqual(languages_of("#/menu", card), ["de", "en", "en", "de", "en"])

    def test_total_titles_are_translated(self):
        """The totals have the shop's titles in the guest's language, or the page's word, at the checkout and in the
        order"""
        self.addCleanup(self.shop.sql, "begin; delete from translations; update shop set languages = '{en}'; commit")
        self.shop.sql(
            "begin; update shop set languages = '{en,de}'; insert into translations (subject, id, language, title)"
            " values ('totals', 8, 'de', 'Zu zahlen'), ('menu_items', 2001, 'de', 'Der Große'); commit"
        )
        page = self.context(PHONE, locale="de-DE").new_page()
        page.goto(self.shop.url + "/#/menu")
        self.wait_for_answer(page, "/v1/menu/2001", "({title}) => title === 'Der Große'")
        page.click("[data-item='2001'] .button")
        page.wait_for_selector("#count:has-text('1')")
        page.goto(self.shop.url + "/#/checkout")
        page.wait_for_selector(".total:has(#new-total):has-text('Zu zahlen')")
        fill_form(page, 940, coupon="")
        page.locator("button[type=submit]").press("Enter")
        page.wait_for_selector(".bill .total:has-text('Zu zahlen')")
        page.click("#languages [lang=es]")
        page.wait_for_selector(".bill .total:has-text('Total')")

    def check_language(self, page, language, staff_texts, screen):
        """Checks that no visible text is English, apart from the texts of staff."""
        own = self.words[language]["sentences"]
        english = [
            re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(form)))
            for key, text in own.items()
            for form in forms(key)
            if text != key and len(re.sub(r"\{\w+\}|\W", "", form)) > 6
        ]
        for text in page.evaluate(TEXTS):
            rest = text
            for text_of_staff in staff_texts:
                rest = rest.replace(text_of_staff, "")
            found_english = ENGLISH_WORDS.search(rest) or any(pattern.fullmatch(rest.strip()) for pattern in english)
            self.assertFalse(found_english, f"{screen}: {text}")

    def staff_texts(self):
        """All texts of the menu, the longest first."""
        texts = set()

        def take(value):
            if isinstance(value, str):
                texts.add(value)
            for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
                take(part)

        page = self.browser.new_page()
        for path in (
            "/v1/home",
            "/v1/menu?limit=100",
            "/v1/menu/2001",
            "/v1/menu/2002",
            "/v1/sales/200",
            "/v1/categories",
        ):
            take(page.request.get(self.shop.url + path).json())
        page.close()
        return sorted((text for text in texts if len(text) > 2), key=len, reverse=True)

    def test_translated_order_on_every_screen(self):
        """A German and a Spanish guest order to delivery without an English word, an axe violation, a layout shift or
        overflow at 320 pixels"""
        staff_texts = self.staff_texts()
        self.expected_errors += ("404",)
        for number, language in enumerate(LANGUAGES):
            context = self.context(
                {**PHONE, "viewport": {"width": 320, "height": 1600}},
                locale={"de": "de-DE", "es": "es-ES"}[language],
                bypass_csp=True,
            )
            context.add_init_script(SHIFTS)
            page = context.new_page()
            own = self.words[language]["sentences"]

            def check_screen(screen, is_large=True):
                # A button is busy while the dialog that it opened is shown.
                page.wait_for_selector("body:not(:has(dialog)) [aria-busy=true]", state="detached")
                self.assertEqual(page.get_attribute("html", "lang"), language)
                self.check_language(page, language, staff_texts, f"{screen} in {language}")
                found = Axe().run(
                    page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
                )
                self.assertEqual(found.violations_count, 0, f"{screen} in {language}\n{found.generate_report()}")
                page.emulate_media(color_scheme="dark")
                found = Axe().run(page, options={"runOnly": {"type": "rule", "values": ["color-contrast"]}})
                self.assertEqual(
                    found.violations_count, 0, f"{screen} in {language} at night\n{found.generate_report()}"
                )
                page.emulate_media(color_scheme="light")
                self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 320, screen)
                shifts = page.evaluate("window.shifts")
                self.assertEqual(sum(value for value, _ in shifts), 0, f"{screen} in {language}: {shifts}")
                if is_large:
                    # Checks the screen with text of twice the size.
                    self.assertEqual(page.evaluate(FAULTS), [], f"{screen} in {language} in large letters")
                    page.evaluate("window.shifts.length = 0")
                    page.evaluate(
                        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {"
                        " window.shifts.length = 0; done(); })))"
                    )

            def go(hash, until):
                page.goto("about:blank")
                page.goto(self.shop.url + "/" + hash)
                page.wait_for_selector(until)

            for hash, until in (
                ("#/", ".ticket"),
                ("#/menu", "#list [data-item]"),
                ("#/favourites", ".empty"),
                ("#/orders", ".empty"),
                ("#/about", "main h2"),
                ("#/nowhere", "main h1"),
                ("#/items/999", ".fault"),
                ("#/sales/200", ".poster .price"),
                ("#/items/2002", ".detail .price"),
            ):
                go(hash, until)
                check_screen(hash)
            page.keyboard.press("Tab")
            page.locator(".detail .row > button").press("Enter")
            page.wait_for_selector("#count:has-text('1')")
            check_screen("the dish in the basket", is_large=False)
            go("#/menu", "#list [data-item]")
            page.locator(".chips .chip[aria-haspopup]").press("Enter")
            page.wait_for_selector("dialog")
            check_screen("the filter", is_large=False)
            page.keyboard.press("Escape")
            go("#/basket", "#total")
            check_screen("the basket")
            page.locator(".line .link").press("Enter")
            page.wait_for_selector("dialog")
            check_screen("the sheet", is_large=False)
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
            check_screen("the checkout")
            fill_form(page, 950 + number, coupon="")
            page.locator("button[type=submit]").press("Enter")
            page.wait_for_selector(".bill")
            check_screen("the bill")
            # The kitchen accepts and delivers the order.
            number = page.inner_text("h1").split()[-1]
            for state in ("accepted", "preparing", "on_the_way", "delivered"):
                self.shop.sql(f"select advance_order('{number}', '{state}')")
                page.wait_for_selector(f"[data-state={state}]")
                check_screen(f"the order that is {state}", is_large=state == "delivered")
            self.assertIn(own["Enjoy your meal."], page.inner_text(".state"))
            self.assertIn({"de": "Gesamt", "es": "Total"}[language], page.inner_text(".bill"))
            self.assertRegex(
                page.inner_text(".bill .total strong"), {"de": r"^8,99\s\$$", "es": r"^8,99\sUS\$$"}[language]
            )
            go("#/orders", ".orders .what p")
            check_screen("the list of orders")


if __name__ == "__main__":
    unittest.main()
