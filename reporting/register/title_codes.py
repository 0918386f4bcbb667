"""The codes of titles: the number of a title, and a check of what never changes about it.

A code is no secret: the page at its address says what the register has now. It needs no table and no key, so that a
printed certificate can be verified for life.
"""

import hashlib
from base64 import b32encode

from reporting.models import PlayerTitle

TITLE = "T"
CHECK_LENGTH = 8


def title_code_of(title: PlayerTitle) -> str:
    """The code of a registered title: `T12-7KQ2MXPA`."""
    facts = (title.player_id, title.awarded_by, title.discipline, title.title, title.registered_on)
    return f"{TITLE}{title.pk}-{check_of(TITLE, title.pk, *facts)}"


def check_of(*facts: object) -> str:
    """Eight letters and digits that change with each of these values."""
    digest = hashlib.sha256("\x1f".join(map(str, facts)).encode()).digest()
    return b32encode(digest).decode()[:CHECK_LENGTH]
