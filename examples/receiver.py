"""A receiver of order webhooks, with Python's standard library alone.

Environment: WEBHOOK_SECRET is the signing secret (whsec_...), PORT where to listen (4000), FOLDER where orders are kept (".").
Prints one line an event. Put it behind a proxy that speaks https.
"""

import hashlib
import hmac
import json
import os
import pathlib
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
FOLDER = pathlib.Path(os.environ.get("FOLDER", "."))
LARGEST = 4 * 1024 * 1024
ONE_AT_A_TIME = threading.Lock()


def is_genuine(raw_body: bytes, signature: str) -> bool:
    """Compares in constant time, before anything reads the body."""
    expected = hmac.new(SECRET, raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


def keep_newest(order: dict) -> None:
    """Events may arrive late, twice, or in another order: the newest updatedAt wins."""
    file = FOLDER / f"{int(order['id'])}.json"
    if file.exists() and json.loads(file.read_text())["updatedAt"] >= order["updatedAt"]:
        return
    whole = file.with_suffix(".new")
    whole.write_text(json.dumps(order))
    whole.replace(file)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > LARGEST:
            return self.answer(413)
        raw_body = self.rfile.read(length)
        if not is_genuine(raw_body, self.headers.get("X-Shop-Signature") or ""):
            return self.answer(400)
        event = json.loads(raw_body)
        if not event.get("test"):
            with ONE_AT_A_TIME:
                keep_newest(event["data"])
        print(event["event"], event["id"], event["data"]["id"], event["data"]["status"], flush=True)
        # Only now: without a 2xx the service sends the event again.
        self.answer(200)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """The lines printed above are enough."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "4000"))), Receiver)
    print(f"listening on {server.server_address[1]}", file=sys.stderr, flush=True)
    server.serve_forever()
