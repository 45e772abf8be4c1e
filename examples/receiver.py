"""A receiver of order webhooks that uses only Python's standard library.

Environment: WEBHOOK_SECRET is the signing secret (whsec_...), PORT the port (default 4000),
FOLDER the folder for orders (default "."). Prints one line for each event. Run it behind a proxy that
accepts https.
"""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import re
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
if not SECRET:
    sys.exit("WEBHOOK_SECRET must not be empty: anybody could sign with it")
FOLDER = pathlib.Path(os.environ.get("FOLDER", "."))
LARGEST = 4 * 1024 * 1024
ONE_AT_A_TIME = threading.Lock()


def is_genuine(raw_body: bytes, headers: Mapping[str, str]) -> bool:
    """
    Check the signature in constant time, before the body is parsed. Standard Webhooks' header has those of
    both secrets while a rotation overlaps.
    """
    expected = hmac.new(SECRET, raw_body, hashlib.sha256).hexdigest()
    own = headers.get("X-Shop-Signature") or ""
    matches = [hmac.compare_digest(expected.encode(), own.encode())]
    if re.fullmatch(rb"whsec_[A-Za-z0-9+/]{43}=", SECRET):
        key = base64.b64decode(SECRET.removeprefix(b"whsec_"))
        start = f"{headers.get('webhook-id')}.{headers.get('webhook-timestamp')}."
        digest = hmac.new(key, start.encode() + raw_body, hashlib.sha256).digest()
        standard = b"v1," + base64.b64encode(digest)
        given = (headers.get("webhook-signature") or "").split(" ")
        matches += [hmac.compare_digest(standard, one.encode()) for one in given]
    return any(matches)


def keep_newest(order: dict) -> None:
    """Keep the order with the newest updatedAt, because events may be late, double or in another sequence."""
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
        if not is_genuine(raw_body, self.headers):
            return self.answer(400)
        event = json.loads(raw_body)
        if not event.get("test"):
            with ONE_AT_A_TIME:
                keep_newest(event["data"])
        print(event["event"], event["id"], event["data"]["id"], event["data"]["status"], flush=True)
        # The answer is sent last, because the service sends the event again unless it gets a 2xx.
        self.answer(200)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Suppress the server's own log, because each event is printed above."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "4000"))), Receiver)
    print(f"listening on {server.server_address[1]}", file=sys.stderr, flush=True)
    server.serve_forever()
