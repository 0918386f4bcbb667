"""The address of a request's page: its signed number, which is not stored (docs/decisions/0016-requests.md).

The mail carries a different key from the visitor's browser: a visitor with the key of the mail can read the mail of the
given address. Both are HMAC-SHA-256 with the secret key.
"""

from typing import NamedTuple

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from reporting.models import CorrectionRequest

PAGE, MAIL = (Signer(salt=f"reporting.messages.request_links.{way}", sep=".") for way in ("page", "mail"))


class RequestKey(NamedTuple):
    """The content of a key: the request's number, and whether the key comes from the mail."""

    number: int
    by_mail: bool


def request_path(number: int, *, by_mail: bool = False) -> str:
    """The path of a request's page, for the browser of its sender or for the mail."""
    return reverse("request", args=[(MAIL if by_mail else PAGE).sign(str(number))])


def read_key(key: str) -> RequestKey:
    """Read the key of an address. Raises CorrectionRequest.DoesNotExist for a key with a wrong signature."""
    for signer, by_mail in ((PAGE, False), (MAIL, True)):
        try:
            return RequestKey(int(signer.unsign(key)), by_mail)
        except BadSignature:
            continue
    raise CorrectionRequest.DoesNotExist("no request has this key")
