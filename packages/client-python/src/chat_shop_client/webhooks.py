"""Verifies the order webhooks of the service."""

from __future__ import annotations

import base64
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
    #: Present on events that the shop sends to try the webhook. Do not book them.
    test: NotRequired[bool]


class InvalidWebhook(Exception):
    """The request is not a genuine webhook of the service. Answer it with 400 and do not use its body."""


def verify_webhook(
    raw_body: bytes, headers: Mapping[str, str], secret: str | Iterable[str]
) -> WebhookEvent:
    """
    Checks the signature of a webhook request and returns its event. Genuine is what any of the secrets
    signed, in X-Shop-Signature or in webhook-signature, which has that of the old secret too while a
    rotation overlaps.

    :param raw_body: the exact bytes that were received, never a body that was parsed and serialized again
    :param headers: the headers of the request
    :param secret: the signing secret, including ``whsec_``, or several
    :raises InvalidWebhook: if a header is missing, or if no signature matches the body
    :raises ValueError: for an empty secret
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    # Anybody can sign with an empty one, such as that of a variable without a value.
    if "" in secrets:
        raise ValueError("secret must not be empty")
    lower = {name.lower(): value for name, value in headers.items()}
    own = lower.get("x-shop-signature", "")
    is_own = re.fullmatch(r"[0-9a-f]{64}", own) is not None
    standard = re.findall(r"(?<!\S)v1,[A-Za-z0-9+/]{43}=(?!\S)", lower.get("webhook-signature", ""))
    if not is_own and not standard:
        raise InvalidWebhook("The header X-Shop-Signature is missing or is not 64 hexadecimal digits")
    signed = f"{lower.get('webhook-id')}.{lower.get('webhook-timestamp')}.".encode() + raw_body
    matches: list[bool] = []
    for one in secrets:
        if is_own:
            expected = hmac.new(one.encode(), raw_body, hashlib.sha256).hexdigest()
            matches.append(hmac.compare_digest(expected, own))
        if standard and re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", one):
            digest = hmac.new(base64.b64decode(one.removeprefix("whsec_")), signed, hashlib.sha256).digest()
            expected = f"v1,{base64.b64encode(digest).decode()}"
            matches += [hmac.compare_digest(expected, signature) for signature in standard]
    if not any(matches):
        raise InvalidWebhook("X-Shop-Signature is not the signature of this body with this secret")
    event: WebhookEvent = json.loads(raw_body)
    if lower.get("x-shop-delivery") != event["id"]:
        raise InvalidWebhook("X-Shop-Delivery is not the id of the body")
    return event
