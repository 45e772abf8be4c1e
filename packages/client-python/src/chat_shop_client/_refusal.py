from __future__ import annotations


class Refusal(Exception):
    """The service refused the call. For ``invalid_input``, it names the field and what it accepts."""

    def __init__(
        self,
        code: str,
        message: str,
        status: int,
        operation: str,
        request_id: str | None,
        retry_after: float | None,
    ) -> None:
        super().__init__(message)
        #: One of the service's codes, such as ``not_found``.
        self.code = code
        self.message = message
        #: The HTTP status.
        self.status = status
        self.operation = operation
        #: The id with which the call can be found in the service's logs and audit log.
        self.request_id = request_id
        #: The seconds to wait before the next call, for ``rate_limited``.
        self.retry_after = retry_after


class NoAnswer(Exception):
    """The service did not answer: the connection failed or timed out, or a proxy answered instead."""

    def __init__(self, operation: str, message: str) -> None:
        super().__init__(f"{operation}: {message}")
        self.operation = operation
