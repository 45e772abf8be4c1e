from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

# How many calls are sent at once before an answer has told how many are left.
UNTOLD = 4


@dataclass(eq=False)
class Turn:
    """A call that waits for its turn."""

    #: When the call became the first of those that wait; None before. By ``time.monotonic``.
    first_since: float | None = None
    #: The number of the attempt under way. Attempts of all calls are numbered as they are sent.
    attempt: int = 0


class Gate:
    """
    Sends the calls of one budget, of all threads, in the order in which they were made, as the service's
    ``RateLimit-*`` headers allow. A call that was refused for the rate limit is the first again.
    """

    def __init__(self, max_wait: float) -> None:
        """:param max_wait: how many seconds the first of the waiting calls waits while none gets through"""
        self._max_wait = max_wait
        self._changed = threading.Condition()
        self._waiting: deque[Turn] = deque()
        # Calls that may be sent; None until an answer has told.
        self._left: float | None = None
        self._under_way = 0
        self._sent = 0
        # The newest attempt that was answered.
        self._told = 0
        # When the next call may be sent if none is left.
        self._opens_at = 0.0
        # When a call last got through, by time.monotonic.
        self._moved_at = -math.inf

    def enter(self, turn: Turn) -> None:
        """Returns when the call may be sent."""
        with self._changed:
            if turn.first_since is None:
                self._waiting.append(turn)
            else:
                self._waiting.appendleft(turn)
            try:
                while (wait := self._seconds_to_wait(turn)) != 0:
                    self._changed.wait(None if math.isinf(wait) else wait)
            except BaseException:
                self._waiting.remove(turn)
                self._changed.notify_all()
                raise
            self._waiting.popleft()
            self._under_way += 1
            if self._left is not None:
                self._left -= 1
            self._sent += 1
            turn.attempt = self._sent
            self._changed.notify_all()

    def leave(self, turn: Turn, headers: Mapping[str, str] | None) -> None:
        """
        Notes the answer of an attempt.

        :param headers: those of the answer, with names in lower case; None if there was none
        """
        with self._changed:
            self._under_way -= 1
            now = time.monotonic()
            if headers is not None and "retry-after" not in headers:
                self._moved_at = now
            if headers is None:
                if self._left is not None:
                    self._left += 1
            elif "retry-after" in headers:
                self._left = 0
                self._opens_at = max(self._opens_at, now + float(headers["retry-after"]))
            elif "ratelimit-remaining" not in headers:
                if self._left is None:
                    self._left = math.inf
            elif turn.attempt > self._told:
                self._told = turn.attempt
                # Attempts that were sent later may not have been counted yet.
                self._left = int(headers["ratelimit-remaining"]) - (self._sent - turn.attempt)
                is_open = self._left > 0
                self._opens_at = 0.0 if is_open else now + float(headers.get("ratelimit-reset", "60"))
            self._changed.notify_all()

    def may_wait(self, turn: Turn, pause: float) -> bool:
        """Whether a call that was refused for the rate limit may wait so many seconds."""
        return time.monotonic() + pause <= self._waits_until(turn)

    def _waits_until(self, turn: Turn) -> float:
        # Other programs with the same token may take what is given back; while some calls get through, it
        # pays to wait.
        since = turn.first_since if turn.first_since is not None else time.monotonic()
        return max(since, self._moved_at) + self._max_wait

    def _seconds_to_wait(self, turn: Turn) -> float:
        """0 when the call may be sent; infinity when another call has to end first."""
        if self._waiting[0] is not turn:
            return math.inf
        now = time.monotonic()
        if turn.first_since is None:
            turn.first_since = now
        waits_until = self._waits_until(turn)
        if self._is_open(now) or now >= waits_until:
            return 0
        if self._opens_at == 0:
            return math.inf
        # After its longest wait a call is sent all the same, so that the service says why it is refused.
        return max(0.001, min(self._opens_at, waits_until) - now)

    def _is_open(self, now: float) -> bool:
        if self._left is None:
            return self._under_way < UNTOLD
        if self._left <= 0 and 0 < self._opens_at <= now:
            # One call at least has been given back. Its answer tells how many more.
            self._left = 1
            self._opens_at = 0.0
        return self._left > 0
