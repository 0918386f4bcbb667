"""Encryption of what the database keeps but must not know: sessions and second factors (decision 0034)."""

from base64 import urlsafe_b64encode
from typing import Any

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac

FACTOR = "second factor"


def cipher(purpose: str) -> MultiFernet:
    """Encrypts with a key derived from SECRET_KEY for this purpose; decrypts with those of SECRET_KEY_FALLBACKS too.

    `decrypt` raises `cryptography.fernet.InvalidToken` for what none of them encrypted.
    """
    return MultiFernet(
        Fernet(urlsafe_b64encode(salted_hmac(__name__, purpose, secret=secret, algorithm="sha256").digest()))
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )


def encrypt_factors_again(**_: Any) -> None:
    """Encrypt second factors with the key of the present SECRET_KEY: after every `migrate`, as owner of the tables."""
    for factor in Authenticator.objects.all() if settings.SECRET_KEY_FALLBACKS else ():
        factor.data |= {
            name: cipher(FACTOR).rotate(value).decode()
            for name, value in factor.data.items()
            if name in ("secret", "seed")
        }
        factor.save(update_fields=["data"])
