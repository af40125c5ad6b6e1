"""Staff replace what is counted while guests want it, on two servers: a row is deleted and written anew in one transaction that takes its time.
Of what is ordered then there is exactly what the new row says, whether it is counted in all or by the day."""

import asyncio
import json

import exactness
from experiment import outcome
from guests import Told
from holding import Holder
from shop import Shop
from web import Connection, Lost

NAME = "replaced-rows"
MUST_HOLD = "each time one order of one portion, and no 500"
ITEM = 4001
GUESTS = 24
LONGEST = 0.5  # seconds that staff take


def run(scale):
    rounds, wrong, told = scale.pick(500, 20), [], []
    with Shop(scale, servers=2) as shop:
        for kind in ("remaining", "per_day"):
            asyncio.run(replace(shop, kind, rounds, scale.random, wrong, told))
        # A guest is told once whatever happens, so that all that was told can be compared.
        for server in shop.servers:
            wrong += exactness.check(told, shop.cluster.url, server.port)
    return outcome(wrong, f"{rounds} rows replaced for each kind of count, {len(told)} orders exact")


async def replace(shop, kind, rounds, chance, wrong, told):
    guests = [Guest(shop.servers[n % 2].port, kind, n) for n in range(GUESTS)]
    write = f"delete from item_stock where menu_item_id = {ITEM}; insert into item_stock (menu_item_id, {kind}) values ({ITEM}, {{}})"
    for n in range(rounds):
        # What is counted by the day is sold on this one already.
        count = 1 + (n if kind == "per_day" else 0)
        await asyncio.to_thread(shop.cluster.sql, f"begin; {write.format(count)}; commit")
        await asyncio.gather(*(guest.fill() for guest in guests))
        staff = await asyncio.to_thread(Holder, shop.cluster.url, write.format(count))
        orders = [asyncio.create_task(guest.order()) for guest in guests]
        await asyncio.sleep(LONGEST * chance.random())
        # The end of its input would end the transaction with nothing done.
        await asyncio.to_thread(staff.commit)
        placed = [order for order in await asyncio.gather(*orders) if order]
        if len(placed) != 1:
            wrong.append(f"{kind}, round {n}: {len(placed)} orders of one portion")
        told += placed
    for guest in guests:
        wrong += guest.surprises
        guest.client.close()


class Guest:
    """Who has the dish in the basket until it is ordered."""

    def __init__(self, port, kind, number):
        self.client, self.kind, self.number, self.basket, self.orders, self.surprises = Connection(port, timeout=30), kind, number, None, 0, []

    async def fill(self):
        if self.basket:
            return
        # What there is none of can't be put into a basket, and a server looks once a second at what there is.
        while not self.basket:
            id = (await self.client.send("POST", "/v1/baskets")).json["id"]
            answer = await self.client.send("POST", f"/v1/baskets/{id}/items", json.dumps({"menuItemId": ITEM, "quantity": 1}).encode())
            if answer.status == 200:
                self.basket = answer.json
            elif answer.code == "item_sold_out":
                await asyncio.sleep(0.05)
            else:
                raise Lost(f"a basket is answered {answer!r}")

    async def order(self):
        """The order that was told of, or None where there is none left. Who is refused for a moment comes again."""
        form = json.dumps({"basketId": self.basket["id"], "name": "Ann Lee", "phone": f"555{self.orders:04}{self.number:03}", "email": f"{self.kind}.{self.number}.{self.orders}@example.com",
                           "address": "12 Elm Street, Springfield", "expectedTotal": self.basket["total"]}).encode()
        key = f"key of {self.basket['id']}"
        for _ in range(50):
            answer = await self.client.send("POST", "/v1/checkout", form, [("Idempotency-Key", key)])
            if answer.status != 503:
                break
        if answer.status == 201:
            self.basket, self.orders = None, self.orders + 1
            return Told(form, key, answer.body, answer.json)
        if answer.status != 422 or {error["code"] for error in answer.json["errors"]} - {"stock_short", "item_sold_out"}:
            self.surprises.append(f"a checkout is answered {answer!r}")
        return None
