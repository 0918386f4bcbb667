"""The sex of a player, as reports, tables and forms write it."""

from reporting.rules.names.plain_text import plain_text

_CODES = {"W": "W", "F": "W", "M": "M", "": ""}


def sex_code(written: str) -> str | None:
    """Return W for a woman, M for a man, empty for nothing; None for anything else.

    F is a woman too, and small letters are read.
    """
    return _CODES.get(plain_text(written).upper())
