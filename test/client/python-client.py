"""What test/client/python.spec.ts runs: prints as JSON what each part of the Python client came to."""

import json
import os
import sys
import threading
import typing

from chat_shop_client import Client, InvalidWebhook, NoAnswer, Refusal, generated, verify_webhook

url, token = os.environ["SHOP_URL"], os.environ["SHOP_TOKEN"]


def refused(call):
    try:
        call()
    except (Refusal, NoAnswer, ValueError, InvalidWebhook) as error:
        code = getattr(error, "code", None)
        return [type(error).__name__, code or str(error)]
    return None


def brand(i):
    return {"name": f"Brand {i}", "slug": f"brand-{i:03}"}


def types():
    classes = [one for one in vars(generated).values() if typing.is_typeddict(one)]
    for one in classes:
        typing.get_type_hints(one, vars(generated))
    return len(classes)


def calls():
    client = Client(f"{url}/", token)
    made = client.brands.create(brand(0), idempotency_key="first")
    again = client.brands.create(brand(0), idempotency_key="first")
    updated = client.send("update_brand", {"id": made["id"], "name": "New"}, if_match=made["updatedAt"])
    return {
        "same": made == again,
        "name": client.brands.get({"id": made["id"]})["name"],
        "stale": refused(
            lambda: client.brands.update({"id": made["id"], "name": "Old"}, if_match=made["updatedAt"])
        ),
        "missing": refused(lambda: client.orders.get({"orderId": 1}, request_id="my-request")),
        "unchanged": updated["id"] == made["id"],
    }


def mistakes():
    client = Client("http://127.0.0.1:1", token, retries=0)
    return [
        refused(lambda: Client("localhost:3000", token)),
        refused(lambda: Client(url, "two words")),
        refused(lambda: client.brands.create(brand(1), idempotency_key="посилка")),
        refused(lambda: list(client.pages("list_events"))),
        refused(lambda: client.brands.list())[0],
    ]


def repeats():
    """The way to the service loses answers; see the test."""
    client = Client(url, token)
    client.brands.create(brand(1))
    return [one["slug"] for one in client.items("list_brands", {"take": 2})]


def redirect():
    return refused(lambda: Client(url, token, retries=0).brands.list())


def burst():
    """Twice as many threads as the budget allows calls."""
    client = Client(url, token, max_wait=0.3)
    ended = []
    threads = [
        threading.Thread(target=lambda i=i: ended.append(refused(lambda: client.brands.create(brand(i)))))
        for i in range(int(os.environ["BURST"]))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"made": ended.count(None), "refused": ended.count(["Refusal", "rate_limited"])}


def shared():
    """Other programs take what is given back, but for one call; see the test."""
    client = Client(url, token, max_wait=float(os.environ["MAX_WAIT"]))
    ended = []
    both = threading.Barrier(2)

    def create(i):
        both.wait()
        ended.append(refused(lambda: client.brands.create(brand(i))))

    threads = [threading.Thread(target=create, args=[i]) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ended


def feeds():
    client = Client(url, token)
    cursor = None
    orders = []
    for page in client.event_pages(take=1, follow=False):
        orders += [event["data"]["id"] for event in page["items"]]
        cursor = page["nextCursor"]
    brands = client.change_pages(kinds=["brand"], take=1, follow=False)
    return {
        "orders": orders,
        "brands": [change["id"] for page in brands for change in page["items"]],
        "new": list(client.event_pages(cursor, follow=False)),
    }


def follow():
    """Waits for the first order and the first customer, on one connection each."""
    client = Client(url, token, timeout=5, retries=0)
    held = client.events.list({"waitSeconds": 6})["items"]
    told = {}
    feeds = {
        "order": client.event_pages(poll=0.02),
        "change": client.change_pages(kinds=["customer"], poll=0.02),
    }
    threads = [
        threading.Thread(target=lambda name=name, feed=feed: told.update({name: next(feed)["items"][0]}))
        for name, feed in feeds.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    change = told["change"]
    return {
        "order": told["order"]["data"]["id"],
        "change": [change["kind"], change["change"]],
        "held": held,
    }


def webhook():
    request = json.loads(os.environ["WEBHOOK"])
    body, secret, old = request["body"].encode(), request["secret"], request["old"]
    headers = request["headers"]
    standard = {name: value for name, value in headers.items() if name != "X-Shop-Signature"}
    wrong = {"X-Shop-Delivery": headers["X-Shop-Delivery"], "X-Shop-Signature": "0" * 64}
    genuine = [(headers, ["whsec_other", secret]), (headers, old), (standard, secret)]
    return {
        "orders": [verify_webhook(body, *one)["data"]["id"] for one in genuine],
        "refused": [
            refused(lambda: verify_webhook(body, wrong, secret)),
            refused(lambda: verify_webhook(body + b" ", headers, [secret, old])),
            refused(lambda: verify_webhook(body, {**headers, "webhook-id": "d-2"}, old)),
            refused(lambda: verify_webhook(body, {}, secret)),
            refused(lambda: verify_webhook(body, headers, [secret, ""])),
        ],
    }


print(json.dumps(globals()[sys.argv[1]]()))
