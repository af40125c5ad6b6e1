# Writes a picture of every screen in phone and desktop widths, light and dark: `make screenshots`, into
# .build/screenshots. The small pictures of the README and the documentation are there too: desktop.png, phone.png and
# staff.png.

import os
import sys

from board import LANDSCAPE
from placing import TOKEN, place_order
from shop import DESKTOP, PHONE, ROOT, BrowserTest, Shop

FOLDER = os.path.join(ROOT, ".build/screenshots")
SHOWN = os.path.join(ROOT, "Sources/welms/welms.docc")
GUEST = {
    "name": "ann lee",
    "phone": "(555) 010-7788",
    "email": "ann@example.com",
    "address": "12 main street, springfield",
}


class Screenshots(BrowserTest):
    arguments = ("--staff-token", TOKEN)

    def runTest(self):
        os.makedirs(FOLDER, exist_ok=True)
        for width, device in (("phone", PHONE), ("desktop", DESKTOP)):
            for mode in ("light", "dark"):
                self.walk(f"{width}-{mode}", {**device, "color_scheme": mode})
        self.save_small_pictures()
        self.walk_sign_in()
        self.place_orders_in_all_states()
        self.save_small_staff_picture()
        for width, device in (("phone", PHONE), ("desktop", DESKTOP)):
            for mode in ("light", "dark"):
                self.walk_staff(f"{width}-{mode}", {**device, "color_scheme": mode})
        self.walk_rush()

    def save_picture(self, page, name, is_full_page=True):
        page.evaluate("document.querySelector('.toast')?.remove()")
        if is_full_page:
            page.evaluate("scrollTo(0, 0)")
            # Load the images below the view, which the page requests only on scrolling.
            page.evaluate(
                "for (const image of document.querySelectorAll('img[data-src]')) image.src = image.dataset.src"
            )
        page.wait_for_timeout(350)
        page.screenshot(path=os.path.join(FOLDER, name + ".png"), full_page=is_full_page)

    def walk(self, name, device):
        page = self.visit("#/", device)
        page.wait_for_selector(".ticket")
        page.click(".ticket .cover >> nth=0")
        self.save_picture(page, f"{name}-1-home")
        page.click(".tabs [data-tab=menu]")
        page.wait_for_selector("[data-item='2001']")
        page.click("[data-item='2001'] .heart")
        page.click("[data-item='2001'] .button")
        self.save_picture(page, f"{name}-2-menu", is_full_page=False)
        self.go(page, "#/items/2002", ".detail .price")
        page.click("text=Add to basket")
        self.save_picture(page, f"{name}-3-item")
        self.go(page, "#/items/1001", ".choosing")
        page.click("[data-option='2302'] > label")
        self.save_picture(page, f"{name}-3-item-options")
        page.click(".choosing .button")
        self.go(page, "#/sales/400", ".poster .price")
        page.click("text=Add to basket")
        page.wait_for_selector("text=In the basket")
        self.save_picture(page, f"{name}-4-sale")
        self.go(page, "#/sales/100", ".poster .lead")
        self.save_picture(page, f"{name}-4-sale-information")
        self.go(page, "#/favourites", ".grid article")
        self.save_picture(page, f"{name}-5-favourites")
        self.go(page, "#/basket", "#total")
        self.save_picture(page, f"{name}-6-basket")
        page.click("[aria-label='Change Grill Combo']")
        page.wait_for_selector("dialog .group")
        self.save_picture(page, f"{name}-6-basket-sheet", is_full_page=False)
        page.keyboard.press("Escape")
        self.go(page, "#/checkout", "#new-total")
        page.fill("#field-name", "4nn")
        page.fill("#field-phone", "12")
        page.fill("#field-coupon", "frst")
        page.click("button[type=submit]")
        page.wait_for_selector("#field-name[aria-invalid]")
        self.save_picture(page, f"{name}-7-checkout-errors")
        for field, value in GUEST.items():
            page.fill(f"#field-{field}", value)
        page.fill("#field-email", name + "@example.com")
        page.fill(
            "#field-phone",
            {"phone-light": "5550107701", "phone-dark": "5550107702", "desktop-light": "5550107703"}.get(
                name, "5550107704"
            ),
        )
        page.click("button[type=submit]")
        page.wait_for_selector(".bill")
        self.save_picture(page, f"{name}-8-order")
        self.go(page, "#/orders", ".orders")
        self.save_picture(page, f"{name}-9-orders")
        page.evaluate("document.querySelector('.tabs [data-tab=home]').click()")
        page.context.set_offline(True)
        self.go(page, "#/items/5003", ".fault")
        self.save_picture(page, f"{name}-10-offline")
        self.expected_errors = ("ERR_INTERNET_DISCONNECTED",)

    def go(self, page, hash, until):
        page.evaluate("hash => { location.hash = hash }", hash)
        page.wait_for_selector(until)

    def walk_sign_in(self):
        closed = Shop()
        self.addCleanup(closed.close)
        for name, device in (
            ("phone-light", {**PHONE, "color_scheme": "light"}),
            ("desktop-dark", {**DESKTOP, "color_scheme": "dark"}),
        ):
            page = self.browser.new_context(**device).new_page()
            page.goto(closed.url + "/staff")
            self.save_picture(page, f"{name}-staff-0-closed")

    def place_orders_in_all_states(self):
        """Places orders in every state over the hours of a day, some of them late, and marks a dish and an option sold
        out."""
        ways = (
            (),
            ("accepted",),
            ("accepted", "preparing"),
            ("accepted", "preparing", "on_the_way"),
            ("accepted", "preparing", "on_the_way", "delivered"),
        )
        names = ("Ann Lee", "Bo Diaz", "Cy O'Hara", "Dee Ruiz", "Eve Stone", "Flo Park", "Gus Berg")
        for number in range(21):
            sets = {"sales": (200,)} if number % 4 == 0 else {}
            order = place_order(
                self.shop,
                number,
                ((2001 + number % 5, 1 + number % 3), (3001 + number % 3, 1), (4001 + number % 5, 2))[: 1 + number % 3],
                name=names[number % 7],
                **sets,
                **({"comment": "No onions, please. The bell is broken."} if number % 5 == 2 else {}),
            )
            self.shop.sql(
                "update orders set placed_at = placed_at - make_interval(mins =>"
                f" {(number * 37) % 260 + 2 if number % 5 == 4 else (number * 11) % 58}) where number = '{order}'"
            )
            for state in ways[number % 5]:
                self.shop.sql(f"select advance_order('{order}', '{state}')")
        self.shop.sql(f"select advance_order('{order}', 'accepted')")
        self.shop.sql(f"select advance_order('{order}', 'rejected', 'Your address is too far away.')")
        self.shop.sql("update menu_items set is_available = false where id in (2005, 4005)")

    def walk_staff(self, name, device):
        page = self.context(device).new_page()
        page.goto(self.shop.url + "/staff")
        page.wait_for_selector("#field-token")
        self.save_picture(page, f"{name}-staff-1-door")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".ticket")
        page.click(".done summary")
        self.save_picture(page, f"{name}-staff-2-orders")
        page.evaluate("scrollTo(0, 0)")
        page.click(".ticket >> nth=0 >> text=Reject")
        self.save_picture(page, f"{name}-staff-3-reject", is_full_page=False)
        page.keyboard.press("Escape")
        for number, (tab, until) in enumerate(
            (
                ("menu", ".stock .gone"),
                ("shop", "#hours-today li"),
                ("today", ".chart .amount"),
                ("errors", ".events li"),
            )
        ):
            page.click(f"[data-tab={tab}]")
            page.wait_for_selector(until)
            self.save_picture(page, f"{name}-staff-{number + 4}-{tab}")

    def walk_rush(self):
        """The board in a rush on a landscape tablet: first all orders are new, then some are preparing or on their
        way."""
        self.shop.sql(
            "select advance_order(number, 'rejected', 'a picture') from orders where state not in ('delivered',"
            " 'cancelled', 'rejected')"
        )
        dishes = (
            (2001, 2, None, [{"optionId": 1103}, {"optionId": 1202, "quantity": 2}, {"optionId": 1303}]),
            (3002, 1),
            (1001, 1, "no salt"),
            (4004, 2),
        )
        names = ("Ann Lee", "Bo Diaz", "Cy O'Hara", "Dee Ruiz", "Eve Stone", "Flo Park", "Gus Berg")
        numbers = [
            place_order(
                self.shop,
                900 + number,
                dishes[number % 3 :][: 2 + number % 2] if number % 4 else dishes[1:],
                name=names[number % 7],
                fulfilment=("delivery", "delivery", "pickup")[number % 3],
                **({"comment": "I am allergic to sesame."} if number == 9 else {}),
            )
            for number in range(14)
        ]
        self.shop.sql(
            "; ".join(
                f"update orders set placed_at = placed_at - make_interval(mins => {3 * (13 - at)}) where number ="
                f" '{number}'"
                for at, number in enumerate(numbers)
            )
        )
        for rush_name, moved in (
            ("new", ()),
            (
                "all",
                (
                    ("accepted",),
                    ("accepted", "preparing"),
                    ("accepted", "preparing"),
                    ("accepted", "preparing", "on_the_way"),
                ),
            ),
        ):
            for number, states in zip(numbers, moved):
                for state in states:
                    self.shop.sql(f"select advance_order('{number}', '{state}')")
            for mode in ("light", "dark"):
                page = self.context({**LANDSCAPE, "color_scheme": mode}).new_page()
                page.goto(self.shop.url + "/staff")
                page.fill("#field-token", TOKEN)
                page.keyboard.press("Enter")
                page.wait_for_selector(".ticket .default-option")
                self.save_picture(page, f"tablet-{mode}-staff-rush-{rush_name}", is_full_page=False)

    def save_small_pictures(self):
        """The guest pictures of the README and the documentation, below 200 kB each."""
        page = self.visit("#/menu/200", {**PHONE, "device_scale_factor": 1, "color_scheme": "dark"})
        page.wait_for_selector("[data-item='2001']")
        self.save_small_picture(page, "phone")
        page = self.visit("#/", {**DESKTOP, "viewport": {"width": 1000, "height": 700}})
        page.wait_for_selector(".ticket")
        self.save_small_picture(page, "desktop")

    def save_small_staff_picture(self):
        page = self.context({**DESKTOP, "viewport": {"width": 1200, "height": 640}}).new_page()
        page.goto(self.shop.url + "/staff")
        page.fill("#field-token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".ticket")
        self.save_small_picture(page, "staff")

    def save_small_picture(self, page, name):
        page.wait_for_timeout(500)
        path = os.path.join(SHOWN, name + ".png")
        page.screenshot(path=path)
        self.assertLess(os.path.getsize(path), 200_000, path)


if __name__ == "__main__":
    import unittest

    unittest.main(argv=sys.argv[:1])
