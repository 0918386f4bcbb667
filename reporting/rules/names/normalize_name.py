"""Names normalized for order, search and comparison; never for printing."""

import re
import unicodedata

from reporting.rules.names.plain_text import APOSTROPHES, NO_WIDTH

# Letters that Unicode does not split into a base letter and a mark.
LETTERS = str.maketrans(
    dict.fromkeys(NO_WIDTH)
    | dict.fromkeys(APOSTROPHES, "'")
    | {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ə": "e"}
)
NOT_A_LETTER = re.compile(r"[^\w]+|_")


def normalize_name(name: str) -> str:
    """The name in lower-case base letters, one space between words: `N'cho Joël` becomes `n cho joel`."""
    marks_apart = unicodedata.normalize("NFKD", name.casefold().translate(LETTERS))
    letters = "".join(character for character in marks_apart if not unicodedata.combining(character))
    return NOT_A_LETTER.sub(" ", letters).strip()


def sort_name(last_name: str, first_name: str) -> str:
    """The key of the alphabetical order of a list: last name, comma, first name, both normalized.

    The comma sorts before every letter, so that `Aka` comes before `Akande` with any first name.
    """
    return f"{normalize_name(last_name)}, {normalize_name(first_name)}"
