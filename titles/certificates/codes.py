"""The codes of certificates: the number of a title or a norm, and a check of what never changes about it.

A code is no secret: the page at its address says what the register has now. It needs no table and no key, so that a
printed certificate can be verified for life.
"""

import hashlib
from base64 import b32encode

from reporting.models import PlayerTitle
from titles.models import Norm

TITLE, NORM = "T", "N"
CHECK_LENGTH = 8


def title_code_of(title: PlayerTitle) -> str:
    """The code of a registered title: `T12-7KQ2MXPA`."""
    facts = (title.player_id, title.awarded_by, title.section, title.title, title.registered_on)
    return f"{TITLE}{title.pk}-{_check(TITLE, title.pk, *facts)}"


def norm_code_of(norm: Norm) -> str:
    """The code of a norm of a published list: `N345-QZ2B7LLA`."""
    facts = (
        norm.player_id,
        norm.result_set_id,
        norm.list_id,
        norm.section,
        norm.title,
        norm.colour,
        norm.games,
    )
    return f"{NORM}{norm.pk}-{_check(NORM, norm.pk, *facts)}"


def _check(*facts: object) -> str:
    digest = hashlib.sha256("\x1f".join(map(str, facts)).encode()).digest()
    return b32encode(digest).decode()[:CHECK_LENGTH]
