"""Texts of one line, read alike wherever they are typed, pasted or uploaded: white space, characters without width."""

import re
import unicodedata

MAX_MARKS_PER_LETTER = 8
"""Combining marks in a row. Unicode normalization takes quadratic time for a longer sequence."""

NO_WIDTH = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Characters that no reader sees, as word processors, web pages and spreadsheets leave them in a text."""

APOSTROPHES = "`´ʹʻʼʽˈ‘’‛′＇"
HYPHENS = "‐‑‒–—―−﹘﹣－"
"""Signs that look like the apostrophe and the hyphen of a keyboard."""

_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")
_WHITE_SPACE = re.compile(r"[\t\n\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_NO_WIDTH = re.compile(f"[{NO_WIDTH}]")
_PUNCTUATION = str.maketrans(dict.fromkeys(APOSTROPHES, "'") | dict.fromkeys(HYPHENS, "-"))
_ASCII_END = 0x80


def plain_text(text: str) -> str:
    """Return a text as it is printed: composed (NFC), one space between words, without characters of no width.

    White space is every space of Unicode, the tab and the line end. Letters and signs stay as they are written; so do
    control characters and those that turn the direction of writing, which the caller refuses.
    """
    inner = text.strip(" ")
    if not inner or _PLAIN.fullmatch(inner):
        return inner
    return _WHITE_SPACE.sub(" ", _NO_WIDTH.sub("", compose(text))).strip(" ")


def show_direction(text: str) -> str:
    """Return a text with the characters that turn the direction of writing as visible signs: ``<U+202E>``.

    Else a note could show what follows it backwards, on a page or in a mail (decision 0097).
    """
    return _DIRECTION.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)


def plain_punctuation(text: str) -> str:
    """Return a text with the apostrophe and the hyphen of a keyboard for their look-alikes: only for comparison."""
    return text.translate(_PUNCTUATION)


def compose(text: str) -> str:
    """Return a text in the composed form of Unicode (NFC), or unchanged if many marks would take too long."""
    if text.isascii() or excessive_marks(text) is not None:
        return text
    return unicodedata.normalize("NFC", text)


def excessive_marks(text: str) -> list[int] | None:
    """Return the places of combining marks if more than MAX_MARKS_PER_LETTER follow each other."""
    marks: list[int] = []
    in_a_row = 0
    heap = False
    for place, letter in enumerate(text):
        if ord(letter) >= _ASCII_END and unicodedata.combining(letter):
            marks.append(place)
            in_a_row += 1
            heap = heap or in_a_row > MAX_MARKS_PER_LETTER
        else:
            in_a_row = 0
    return marks if heap else None
