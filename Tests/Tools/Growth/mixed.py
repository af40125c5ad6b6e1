"""A mixed load: guests who browse, order and follow their orders, and staff with the board, steps and searches."""

import collections
import heapq
import http.client
import json
import queue
import random
import threading
import time

from client import Client, check_out, fill_basket

DISHES = (1001, 2001, 2002, 2003, 2004, 3001, 3002, 4001, 4002, 5001)
# When staff take the steps of an order, in seconds after its placement.
STEPS = ((3, "accept", None), (8, "advance", {"state": "preparing"}), (13, "advance", {"state": "on_the_way"}),
         (18, "deliver", None))
OPEN_ORDERS, CLOSED_ORDERS = 300, 20  # what the board of the staff page shows
RESULTS, PAGES = 20, 5  # results and pages that its search reads


def open_board(client):
    """Reads what the staff page reads when it opens. Returns the number of requests."""
    orders, requests, cursor = 0, 1, ""
    while True:
        _, page = client.get("/v1/staff/orders?open=true&limit=100" + (f"&cursor={cursor}" if cursor else ""),
                             kind="board page")
        requests += 1
        orders, cursor = orders + len(page["items"]), page["nextCursor"]
        if not cursor or orders >= OPEN_ORDERS:
            break
    client.get(f"/v1/staff/orders?open=false&limit={CLOSED_ORDERS}", kind="closed orders")
    return requests


def search(client, words):
    """Searches as the staff page does, and in older orders until a page of results is full. Returns their number."""
    client.get(f"/v1/staff/orders?limit={RESULTS}&q={words}&open=true", kind="search")
    results, cursor = 0, ""
    for _ in range(PAGES):
        _, page = client.get(f"/v1/staff/orders?limit={RESULTS}&q={words}" + (f"&cursor={cursor}" if cursor else ""),
                             kind="search")
        results, cursor = results + len(page["items"]), page["nextCursor"]
        if not cursor or results >= RESULTS:
            break
    return results


class MixedLoad:
    def __init__(self, port, tokens, run, seconds, rate, guests=(), guest_threads=4):
        """`guests`: (name, phone, number) of stored orders, for the searches. `rate`: orders in a second."""
        self.port, self.tokens, self.run, self.seconds, self.rate = port, tokens, run, seconds, rate
        self.guests, self.guest_threads = list(guests), guest_threads
        self.placed, self.number, self.lock = queue.Queue(), 0, threading.Lock()
        self.clients, self.errors, self.boards = [], [], []
        self.orders = 0

    def start(self):
        """Runs the load for its duration. Returns itself."""
        self.end = time.monotonic() + self.seconds
        work = [self.order] * self.guest_threads + [self.take_steps, self.look_up, self.watch]
        threads = [threading.Thread(target=self.guarded, args=(each,)) for each in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self

    def guarded(self, work):
        try:
            work()
        except Exception as error:  # A thread that ends early must not look like a load without failures.
            self.errors.append(f"{work.__name__}: {type(error).__name__}: {error}")

    def client(self, token=None):
        client = Client(self.port, token)
        with self.lock:
            self.clients.append(client)
        return client

    def durations(self):
        """The milliseconds of all requests by their kind."""
        found = collections.defaultdict(list)
        for client in self.clients:
            for kind, times in client.durations.items():
                found[kind] += times
        return found

    def failures(self):
        found = collections.Counter()
        for client in self.clients:
            found.update(client.failures)
        return found

    # Guests.

    def order(self):
        client, chance = self.client(), random.Random()
        begin = time.monotonic()
        placed = 0
        while time.monotonic() < self.end:
            # The threads share the rate. A late thread does not catch up with more than its part.
            due = begin + placed * self.guest_threads / self.rate
            time.sleep(max(due - time.monotonic(), 0))
            placed += 1
            with self.lock:
                self.number += 1
                n = self.number
            self.place_order(client, chance, n)

    def place_order(self, client, chance, n):
        client.get("/v1/home", kind="browse")
        client.get("/v1/menu?limit=100", kind="browse")
        client.get(f"/v1/menu?q={chance.choice(('burger', 'fries', 'chicken'))}", kind="browse")
        basket = fill_basket(client, [(dish, chance.randint(1, 3)) for dish in chance.sample(DISHES, 2)] + [(1001, 1)])
        if n % 5 == 0:
            return  # abandoned
        form = {"name": "Mixed Load", "phone": f"+1{3000000000 + self.run % 100_000 * 10_000 + n % 10_000}",
                "email": f"mixed.{self.run}.{n}@example.com"}
        if n % 4 == 0:
            form["fulfilment"] = "pickup"
        else:
            form |= {"address": "12 Elm Street, Berlin", "postcode": "10117"}
        if n % 6 == 1:
            form["coupon"] = "COLD"
        if n % 11 == 2:
            _, days = client.get("/v1/times?fulfilment=" + form.get("fulfilment", "delivery"), kind="times")
            slots = [slot["startsAt"] for slot in find_slots(days)]
            if slots:
                form["wantedAt"] = chance.choice(slots)
        order = check_out(client, basket, form, f"mixed {self.run} {n}")
        if not order:
            return
        self.orders += 1
        headers = [("Authorization", f"Bearer {order['accessToken']}")]
        path = f"/v1/orders/{order['id']}"
        client.request("follow", "GET", path, None, headers)
        if n % 25 == 3:
            client.request("cancel", "POST", f"{path}/cancel", None, headers)
        elif n % 10 != 9:  # Staff do not accept the others, so that their deadline passes.
            self.placed.put((time.monotonic(), order["number"], n, path))

    # Staff.

    def take_steps(self):
        client, guest, due = self.client(self.tokens["Ann"]), self.client(), []
        while time.monotonic() < self.end:
            while not self.placed.empty():
                begin, number, n, path = self.placed.get()
                for seconds, action, body in STEPS[:1] + (((5, "reject", {"reason": "No burgers."}),) if n % 25 == 7
                                                          else STEPS[1:]):
                    heapq.heappush(due, (begin + seconds, number, action, body and json.dumps(body), path))
            while due and due[0][0] <= time.monotonic() < self.end:
                _, number, action, body, path = heapq.heappop(due)
                client.post(f"/v1/staff/orders/{number}/{action}", body and json.loads(body), kind=action)
                guest.get(path, kind="follow")
            time.sleep(0.05)

    def look_up(self):
        """Opens the board, searches, and reads the figures and the audit."""
        client, chance = self.client(self.tokens["Ann"]), random.Random(self.run)
        while time.monotonic() < self.end:
            begin = time.monotonic()
            requests = open_board(client)
            self.boards.append((time.monotonic() - begin, requests))
            client.get("/v1/staff/today", kind="today")
            client.get("/v1/staff/audit?limit=50", kind="audit")
            if self.guests:
                name, phone, number = chance.choice(self.guests)
                for words in (phone.replace("+", "%2B"), phone[-7:], name.split()[-1].lower(), number):
                    search(client, words)
                client.get(f"/v1/staff/orders/{number}", kind="order by number")
            search(client, "mixed")
            time.sleep(max(min(5, self.end - time.monotonic()), 0))

    def watch(self):
        """Keeps a board's event stream open."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/v1/staff/orders/events",
                           headers={"Authorization": f"Bearer {self.tokens['Ben']}"})
        answer = connection.getresponse()
        assert answer.status == 200, answer.status
        while time.monotonic() < self.end:
            answer.readline()
        connection.close()


def find_slots(days):
    """The slots with room in an answer of /v1/times, wherever it nests them."""
    if isinstance(days, dict):
        if "startsAt" in days and days.get("isAvailable", True):
            yield days
        for value in days.values():
            yield from find_slots(value)
    elif isinstance(days, list):
        for value in days:
            yield from find_slots(value)
