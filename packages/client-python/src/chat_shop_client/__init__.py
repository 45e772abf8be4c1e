"""A typed client for the Shop Administration API, and a verifier for its webhooks."""

from ._client import Client
from ._refusal import NoAnswer, Refusal
from .webhooks import InvalidWebhook, WebhookEvent, verify_webhook

__all__ = ["Client", "InvalidWebhook", "NoAnswer", "Refusal", "WebhookEvent", "verify_webhook"]
