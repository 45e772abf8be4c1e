"""Verifies the order webhooks of the service."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping
from typing import Literal, NotRequired, TypedDict

from .generated import Order

__all__ = ["InvalidWebhook", "WebhookEvent", "verify_webhook"]


class WebhookEvent(TypedDict):
    """The body of a webhook, with the order as ``get_order`` returned it at the time of the event."""

    #: The delivery id, which is the same on every attempt. Ignore an id that you have already handled.
    id: str
    event: Literal["order.created", "order.updated"]
    #: ISO 8601, UTC.
    createdAt: str
    data: Order
    #: Present on the test events that the dashboard sends. Do not book them.
    test: NotRequired[bool]


class InvalidWebhook(Exception):
    """The request is not a genuine webhook of the service. Answer it with 400 and do not use its body."""


def verify_webhook(
    raw_body: bytes, headers: Mapping[str, str], secret: str | Iterable[str]
) -> WebhookEvent:
    """
    Checks the signature of a webhook request and returns its event.

    :param raw_body: the exact bytes that were received, never a body that was parsed and serialized again
    :param headers: the headers of the request
    :param secret: the signing secret, including ``whsec_``; during a rotation, the new and the old one
    :raises InvalidWebhook: if a header is missing, or if the signature does not match the body
    """
    lower = {name.lower(): value for name, value in headers.items()}
    signature = lower.get("x-shop-signature", "")
    if re.fullmatch(r"[0-9a-f]{64}", signature) is None:
        raise InvalidWebhook("The header X-Shop-Signature is missing or is not 64 hexadecimal digits")
    secrets = [secret] if isinstance(secret, str) else list(secret)
    expected = [hmac.new(one.encode(), raw_body, hashlib.sha256).hexdigest() for one in secrets]
    if not any([hmac.compare_digest(one, signature) for one in expected]):
        raise InvalidWebhook("X-Shop-Signature is not the signature of this body with this secret")
    event: WebhookEvent = json.loads(raw_body)
    if lower.get("x-shop-delivery") != event["id"]:
        raise InvalidWebhook("X-Shop-Delivery is not the id of the body")
    return event
