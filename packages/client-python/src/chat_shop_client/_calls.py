from __future__ import annotations

import http.client
import json
import random
import re
import ssl
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from ._gate import Gate, Turn
from .generated import GROUPS, READS
from ._refusal import NoAnswer, Refusal

FIRST_WAIT = 0.25
# How long the service holds the answer of a call that waits for something new, in seconds.
HOLD = 20
# Statuses of temporary failures, of the service or of a proxy, after which a call may be repeated.
PASSING = {500, 502, 503, 504}
PRINTABLE = re.compile(r"[\x20-\x7e]+")
TOKEN = re.compile(r"[\x21-\x7e]+")


class Calls:
    """Calls operations by their names. Safe to use in several threads at once."""

    def __init__(
        self,
        base_url: str,
        token: str | Callable[[], str],
        *,
        retries: int = 4,
        timeout: float = 30.0,
        max_wait: float = 120.0,
    ) -> None:
        """
        :param base_url: the address of the service, such as ``https://shop.example``
        :param token: a token (``shop_live_…``), or a function that returns one and is called before each
            attempt
        :param retries: how many times a call is repeated after a temporary failure
        :param timeout: the longest time to wait for one answer, in seconds, beside the ``waitSeconds`` of the
            call
        :param max_wait: the longest time that the first of the waiting calls waits for the rate limit, in
            seconds, from when a call last got through; then the refusal is raised. Waiting for earlier calls
            does not count
        :raises ValueError: for an option that cannot be used
        """
        address = urlsplit(base_url) if isinstance(base_url, str) else None
        if address is None or address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError("base_url must be a full address, such as https://shop.example")
        if not callable(token):
            _checked_token(token)
        if retries < 0 or timeout <= 0 or max_wait < 0:
            raise ValueError("retries and max_wait must be at least 0, and timeout greater than 0")
        self._address = address
        self._path = address.path.rstrip("/")
        self._token = token
        self._retries = retries
        self._timeout = timeout
        self._reads = Gate(max_wait)
        self._writes = Gate(max_wait)
        self._own = threading.local()
        for name, group in GROUPS.items():
            setattr(self, name, group(self))

    def send(
        self,
        operation: str,
        input: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        request_id: str | None = None,
    ) -> Any:
        """
        Calls an operation by any name. Calls are sent in their order, as the rate limit allows, and repeated
        after a temporary failure. Changes are sent with an Idempotency-Key, so that they are made only once.

        :param idempotency_key: 1 to 255 printable ASCII characters. With a key of your own you can also
            repeat the call safely after a crash
        :param if_match: the last known ``updatedAt``. The change is refused with ``precondition_failed`` if
            the record has changed since then
        :param request_id: 1 to 128 printable ASCII characters; it is in the service's logs and audit log
        :raises Refusal: if the service refused the call
        :raises NoAnswer: if the service did not answer
        :raises ValueError: for an option that cannot be sent
        """
        is_read = operation in READS
        if not is_read and idempotency_key is None:
            idempotency_key = str(uuid.uuid4())
        headers = {
            "Content-Type": "application/json",
            **_header("Idempotency-Key", "idempotency_key", None if is_read else idempotency_key, 255),
            **_header("If-Match", "if_match", if_match, 100),
            **_header("X-Request-Id", "request_id", request_id, 128),
        }
        body = json.dumps(input or {}).encode()
        timeout = self._timeout + _held(input or {})
        gate = self._reads if is_read else self._writes
        turn = Turn()
        failures = 0
        while True:
            try:
                return self._attempt(operation, body, headers, timeout, gate, turn)
            except Refusal as refusal:
                if refusal.code == "rate_limited":
                    if not gate.may_wait(turn, refusal.retry_after or 1):
                        raise
                    continue
                if refusal.status not in PASSING or failures >= self._retries:
                    raise
            except _Passing as passing:
                if failures >= self._retries:
                    raise passing.failure from passing.__cause__
            time.sleep(FIRST_WAIT * 2**failures * (0.5 + random.random()))
            failures += 1

    def pages(self, operation: str, input: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """The pages of a list, from the input's ``cursor``, or from the beginning without one, to the end."""
        if operation in ("list_events", "list_changes"):
            raise ValueError(f"the pages of {operation} have no end: use event_pages or change_pages")
        page = self.send(operation, input)
        yield page
        while page["nextCursor"] is not None:
            page = self.send(operation, {**(input or {}), "cursor": page["nextCursor"]})
            yield page

    def items(self, operation: str, input: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """The records of a list, page after page."""
        for page in self.pages(operation, input):
            yield from page["items"]

    def event_pages(
        self,
        cursor: str | None = None,
        *,
        take: int = 20,
        follow: bool = True,
        poll: float = 1.0,
    ) -> Iterator[Any]:
        """
        The events of the store, oldest first, each once, in pages that are not empty. There is no end unless
        ``follow`` is False: the service is asked to answer when there is something new. Store ``nextCursor``
        of a page after its events have been handled, and pass it as ``cursor`` after a restart.

        :param poll: the shortest time between two calls that wait, in seconds, so that a busy store does not
            use up the budget of reads
        """
        return self._feed("list_events", {}, cursor, take, follow, poll)

    def change_pages(
        self,
        cursor: str | None = None,
        *,
        kinds: Sequence[str] | None = None,
        take: int = 20,
        follow: bool = True,
        poll: float = 1.0,
    ) -> Iterator[Any]:
        """
        Which products, brands, categories, promocodes and customers were created, updated and deleted, oldest
        change first, in pages like those of ``event_pages``.

        :param kinds: the kinds of records to tell of; None for all
        """
        input = {} if kinds is None else {"kinds": list(kinds)}
        return self._feed("list_changes", input, cursor, take, follow, poll)

    def _feed(
        self,
        operation: str,
        input: Mapping[str, Any],
        cursor: str | None,
        take: int,
        follow: bool,
        poll: float,
    ) -> Iterator[Any]:
        hold = 0
        while True:
            next_call = time.monotonic() + poll
            place = {} if cursor is None else {"cursor": cursor}
            page = self.send(operation, {**input, **place, "take": take, "waitSeconds": hold})
            cursor = page["nextCursor"]
            if page["items"]:
                yield page
            elif not follow:
                return
            hold = HOLD if follow and len(page["items"]) < take else 0
            if hold > 0:
                time.sleep(max(0.0, next_call - time.monotonic()))

    def _attempt(
        self,
        operation: str,
        body: bytes,
        headers: dict[str, str],
        timeout: float,
        gate: Gate,
        turn: Turn,
    ) -> Any:
        token = _checked_token(self._token() if callable(self._token) else self._token)
        answered: Mapping[str, str] | None = None
        gate.enter(turn)
        try:
            status, answered, text = self._exchange(
                operation, body, {**headers, "Authorization": f"Bearer {token}"}, timeout
            )
        except (OSError, http.client.HTTPException) as error:
            why = f"no answer within {timeout} s" if isinstance(error, TimeoutError) else str(error)
            raise _Passing(NoAnswer(operation, f"the service cannot be reached: {why}")) from error
        finally:
            gate.leave(turn, answered)
        return _outcome(operation, status, answered, text)

    def _exchange(
        self, operation: str, body: bytes, headers: dict[str, str], timeout: float
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Sends a request on this thread's connection. A redirect is not followed."""
        connection = getattr(self._own, "connection", None) or self._connect()
        self._own.connection = None
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        try:
            connection.request("POST", f"{self._path}/v1/{operation}", body, headers)
            response = connection.getresponse()
            text = response.read()
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._own.connection = connection
        return response.status, {name.lower(): value for name, value in response.getheaders()}, text

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._address.hostname or "", self._address.port
        if self._address.scheme == "http":
            return http.client.HTTPConnection(host, port)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, context=context)


class _Passing(Exception):
    """A temporary failure without an answer of the service."""

    def __init__(self, failure: NoAnswer) -> None:
        super().__init__(str(failure))
        self.failure = failure


def _outcome(operation: str, status: int, headers: Mapping[str, str], text: bytes) -> Any:
    try:
        envelope = json.loads(text)
    except ValueError:
        envelope = None
    if isinstance(envelope, dict) and envelope.get("ok") is True:
        return envelope["data"]
    if isinstance(envelope, dict) and isinstance(envelope.get("error"), dict):
        error = envelope["error"]
        after = headers.get("retry-after")
        raise Refusal(
            error["code"],
            error["message"],
            status,
            operation,
            headers.get("x-request-id"),
            float(after) if after is not None else None,
        )
    failure = NoAnswer(operation, f"HTTP {status}, and not an answer of the service")
    if status in PASSING:
        raise _Passing(failure)
    raise failure


def _held(input: Mapping[str, Any]) -> float:
    """How long the service may hold the answer because the call asks for it, in seconds."""
    seconds = input.get("waitSeconds")
    return min(seconds, 25) if isinstance(seconds, (int, float)) and seconds > 0 else 0


def _checked_token(token: Any) -> str:
    if not isinstance(token, str) or TOKEN.fullmatch(token) is None:
        raise ValueError("token must be a text of printable ASCII characters without spaces")
    return token


def _header(name: str, option: str, value: Any, longest: int) -> dict[str, str]:
    if value is None:
        return {}
    if isinstance(value, str) and len(value) <= longest and PRINTABLE.fullmatch(value):
        return {name: value}
    raise ValueError(f"{option} must be 1 to {longest} printable ASCII characters")
