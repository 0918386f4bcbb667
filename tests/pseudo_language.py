"""A language made from English: what goes through gettext is marked, in other letters and 40 % longer.

It replaces Ido, a language that Django knows and the office does not offer. No tools of gettext are
needed: the translation is made when a text is asked for.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations

from django.conf import settings
from django.test import override_settings
from django.utils.translation import trans_real

CODE = "io"
OPEN, CLOSE = "⟦", "⟧"
LETTERS = str.maketrans("AEIOUYaeiouycnCN", "ÀÈÌÒÙÝàèìòùýçñÇÑ")
# Placeholders, tags and entities stay as they are.
KEPT = re.compile(r"(%\([^)]*\)[sd]|%[sd%]|\{[^}]*\}|<[^>]*>|&#?\w+;)")


def pseudo(text: str) -> str:
    """The text as the language has it."""
    if not text.strip():
        return text
    parts = [part if KEPT.fullmatch(part) else part.translate(LETTERS) for part in KEPT.split(text)]
    longer = re.sub("~{6}(?=~)", "~~~~~~ ", "~" * (4 * len(text) // 10))
    return f"{OPEN}{''.join(parts)}{longer}{CLOSE}"


class PseudoTranslation(NullTranslations):
    """Every text in the language, whichever it is."""

    def gettext(self, message: str) -> str:
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002
        return pseudo(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:  # noqa: ARG002
        return pseudo(msgid1 if n == 1 else msgid2)

    def language(self) -> str:
        return CODE

    def to_language(self) -> str:
        return CODE


@contextmanager
def pseudo_language() -> Iterator[str]:
    """Offer the language for a while; gives the prefix of its addresses. A changed setting resets all translations."""
    with override_settings(LANGUAGES=[*settings.LANGUAGES, (CODE, "Pseudo")]):
        trans_real._translations[CODE] = PseudoTranslation()
        yield f"/{CODE}"
