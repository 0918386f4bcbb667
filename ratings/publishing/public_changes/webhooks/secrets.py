"""The secret of a webhook and the signature of what is sent to it, by the Standard Webhooks specification."""

import base64
import hmac
import secrets
from typing import Any

from django.conf import settings

from ratings.models import Webhook
from reporting.accounts.encryption import cipher

PREFIX = "whsec_"
SECRET_BYTES = 32
WEBHOOKS = "webhooks"


def new_secret() -> str:
    """A secret of 256 random bits, as its owner keeps it."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def encrypted(secret: str) -> str:
    return cipher(WEBHOOKS).encrypt(secret.encode()).decode()


def decrypted(stored: str) -> str:
    return cipher(WEBHOOKS).decrypt(stored).decode()


def signature(secret: str, message: str, timestamp: int, body: bytes) -> str:
    """The value of the header `webhook-signature` for a message with this id."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.digest(key, f"{message}.{timestamp}.".encode() + body, "sha256")
    return f"v1,{base64.b64encode(signed).decode()}"


def encrypt_webhooks_again(**_: Any) -> None:
    """Encrypt secrets with the key of the present SECRET_KEY: after every `migrate`, as owner of the tables."""
    for webhook in Webhook.objects.all() if settings.SECRET_KEY_FALLBACKS else ():
        webhook.secret = cipher(WEBHOOKS).rotate(webhook.secret).decode()
        webhook.save(update_fields=["secret"])
