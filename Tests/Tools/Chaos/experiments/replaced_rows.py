"""Staff replace a stock row while guests of two servers order the item: a slow transaction deletes the row and inserts
a new one. Guests can order exactly the count of the new row, whether it counts in total or per day."""

import asyncio
import json

import consistency
from experiment import outcome
from guests import AcknowledgedOrder
from lock_holder import LockHolder
from shop import Shop
from web import Connection, ConnectionLost

NAME = "replaced-rows"
EXPECTED = "each replacement permits one order of one portion; no 500"
ITEM = 4001
GUESTS = 24
LONGEST_CHANGE = 0.5  # seconds for which the transaction of staff stays open


def run(scale):
    rounds, problems, acknowledged = scale.pick(500, 20), [], []
    with Shop(scale, servers=2) as shop:
        for kind in ("remaining", "per_day"):
            asyncio.run(replace(shop, kind, rounds, scale.random, problems, acknowledged))
        # Each checkout is acknowledged once, so all acknowledged orders can be compared.
        for server in shop.servers:
            problems += consistency.check(acknowledged, shop.cluster.url, server.port)
    return outcome(problems, f"{rounds} rows replaced for each kind of count, {len(acknowledged)} orders consistent")


async def replace(shop, kind, rounds, chance, problems, acknowledged):
    guests = [Guest(shop.servers[n % 2].port, kind, n) for n in range(GUESTS)]
    write = (
        f"delete from item_stock where menu_item_id = {ITEM}; insert into item_stock (menu_item_id, {kind}) values"
        f" ({ITEM}, {{}})"
    )
    for n in range(rounds):
        # The daily count includes the portions that were sold today.
        count = 1 + (n if kind == "per_day" else 0)
        await asyncio.to_thread(shop.cluster.sql, f"begin; {write.format(count)}; commit")
        await asyncio.gather(*(guest.fill_basket() for guest in guests))
        staff = await asyncio.to_thread(LockHolder, shop.cluster.url, write.format(count))
        orders = [asyncio.create_task(guest.order()) for guest in guests]
        await asyncio.sleep(LONGEST_CHANGE * chance.random())
        # Commits explicitly, because psql rolls back at the end of its input.
        await asyncio.to_thread(staff.commit)
        placed = [order for order in await asyncio.gather(*orders) if order]
        if len(placed) != 1:
            problems.append(f"{kind}, round {n}: {len(placed)} orders of one portion")
        acknowledged += placed
    for guest in guests:
        problems += guest.surprises
        guest.client.close()


class Guest:
    """A guest who keeps the dish in the basket until it is ordered."""

    def __init__(self, port, kind, number):
        self.client, self.kind, self.number, self.basket, self.orders, self.surprises = (
            Connection(port, timeout=30),
            kind,
            number,
            None,
            0,
            [],
        )

    async def fill_basket(self):
        if self.basket:
            return
        # A sold-out dish cannot be added, and a server polls the stock once a second.
        while not self.basket:
            id = (await self.client.send("POST", "/v1/baskets")).json["id"]
            answer = await self.client.send(
                "POST", f"/v1/baskets/{id}/items", json.dumps({"menuItemId": ITEM, "quantity": 1}).encode()
            )
            if answer.status == 200:
                self.basket = answer.json
            elif answer.code == "item_sold_out":
                await asyncio.sleep(0.05)
            else:
                raise ConnectionLost(f"a basket is answered {answer!r}")

    async def order(self):
        """Returns the acknowledged order, or None if the dish is sold out. Retries after 503."""
        form = json.dumps(
            {
                "basketId": self.basket["id"],
                "name": "Ann Lee",
                "phone": f"555{self.orders:04}{self.number:03}",
                "email": f"{self.kind}.{self.number}.{self.orders}@example.com",
                "address": "12 Elm Street, Springfield",
                "expectedTotal": self.basket["total"],
            }
        ).encode()
        key = f"key of {self.basket['id']}"
        for _ in range(50):
            answer = await self.client.send("POST", "/v1/checkout", form, [("Idempotency-Key", key)])
            if answer.status != 503:
                break
        if answer.status == 201:
            self.basket, self.orders = None, self.orders + 1
            return AcknowledgedOrder(form, key, answer.body, answer.json)
        if answer.status != 422 or {error["code"] for error in answer.json["errors"]} - {
            "stock_short",
            "item_sold_out",
        }:
            self.surprises.append(f"a checkout is answered {answer!r}")
        return None
