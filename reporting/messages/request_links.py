"""The address of a request's page: its number, signed. Nothing of it is stored (docs/decisions/0016-requests.md).

The mail carries another key than the one that the visitor's browser is sent to: whoever comes with it reads the mail
of the address that was given. Both are HMAC-SHA-256 by the secret key.
"""

from typing import NamedTuple

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from reporting.models import CorrectionRequest

PAGE, MAIL = (Signer(salt=f"reporting.messages.request_links.{way}", sep=".") for way in ("page", "mail"))


class RequestKey(NamedTuple):
    """What a key opens: the request's number, and whether the key is the mail's."""

    number: int
    by_mail: bool


def request_path(number: int, *, by_mail: bool = False) -> str:
    """The path of a request's page: as its sender sees it first, or as the mail carries it."""
    return reverse("request", args=[(MAIL if by_mail else PAGE).sign(str(number))])


def read_key(key: str) -> RequestKey:
    """What the key in an address opens. Raises CorrectionRequest.DoesNotExist for any that was not made here."""
    for signer, by_mail in ((PAGE, False), (MAIL, True)):
        try:
            return RequestKey(int(signer.unsign(key)), by_mail)
        except BadSignature:
            continue
    raise CorrectionRequest.DoesNotExist("no request has this key")
