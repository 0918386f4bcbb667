"""From bytes to lines of text, without guessing: what is uncertain is a finding.

An encoding is certain if the file has a byte order mark, if all of the file is UTF-8, or if the referee has chosen the
encoding. Nearly all bytes can be read in some encoding, and a wrong guess gives a wrong name that looks right, so
nothing else is tried.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from reporting.rules.findings.finding_list import (
    MAX_QUOTED_LENGTH,
    Finding,
    FindingList,
    finding,
    name_character,
    quoted,
)
from reporting.rules.names.plain_text import NO_WIDTH, compose, excessive_marks, plain_text
from reporting.rules.report import ENCODINGS, MAX_FILE_BYTES, MAX_LINES, Encoding
from reporting.rules.sentences import sentence

PREVIEW_LINES = 8
"""Lines of a file in the preview of an encoding."""

_SHOWN_BEFORE = 40
"""Characters of a long line shown before its first letter outside ASCII."""

MAX_LINE_LENGTH = 100_000
"""Characters of a line. A remark can be long (Annex 9 art. 11 has no limit), but not as long as the file."""

UNREADABLE = "\ufffd"
"""Replaces a forbidden character in a line, so that the columns after it do not change."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_ARCHIVES = (
    (b"PK\x03\x04", "ZIP"),
    (b"PK\x05\x06", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"Rar!", "RAR"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "DOC, XLS"),
    (b"%PDF", "PDF"),
)
_PICTURES = (
    (0, b"\x89PNG", "PNG"),
    (0, b"\xff\xd8\xff", "JPEG"),
    (0, b"GIF87a", "GIF"),
    (0, b"GIF89a", "GIF"),
    (0, b"II*\x00", "TIFF"),
    (0, b"MM\x00*", "TIFF"),
    (8, b"WEBP", "WebP"),
    (4, b"ftypheic", "HEIC"),
    (4, b"ftypmif1", "HEIC"),
    (4, b"ftypavif", "AVIF"),
)
_TAR_MARK, _TAR_MARK_AT = b"ustar", 257

_BYTES_A_NULL = 4
"""In UTF-16 a byte of each Latin letter, digit and space is null; a fault of another file has few."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LINE_END = re.compile(r"\r\n?")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ASCII_END = 0x80


@dataclass(frozen=True)
class DecodedText:
    """The lines of a file as they are read and shown, and the findings of the decoding.

    ``encoding`` is the name of the codec, empty if the bytes could not be read as text; then there are no lines. Lines
    are in the composed form of Unicode (NFC); columns of findings refer to them.
    """

    encoding: str
    lines: tuple[str, ...]
    findings: tuple[Finding, ...]


def decode_text(content: bytes, *, encoding: str | None = None) -> DecodedText:
    """Return the lines of a report file.

    ``encoding`` is the chosen one, a key of ENCODINGS; without it the file must be UTF-8, or UTF-16 with a byte order
    mark. A byte order mark always decides. Never raises: bytes that cannot be read give a finding with line and column
    (R22).
    """
    findings = FindingList()
    refusal = _refuse(content)
    if refusal is not None:
        return DecodedText("", (), (refusal,))
    if encoding is not None and encoding not in ENCODINGS:
        return DecodedText("", (), (_unknown_encoding(encoding),))
    codec, body = marked_body(content)
    if codec and encoding not in (None, codec):
        _add_mark_decides(findings, codec, encoding)
    codec = codec or str(encoding or Encoding.UTF_8)
    try:
        text = body.decode(codec)
    except UnicodeDecodeError as problem:
        return DecodedText("", (), (_undecodable(body, codec, problem, chosen=encoding is not None),))
    if not text.strip():
        return DecodedText(codec, (), (_empty(),))
    text = with_line_feeds(text)
    lines = text.split("\n")
    if not text.isascii() or _CONTROL.search(text) or len(max(lines, key=len)) > MAX_LINE_LENGTH:
        lines = [clean_line(number, raw, findings) for number, raw in enumerate(lines, start=1)]
    while lines and not lines[-1].strip():
        lines.pop()
    return DecodedText(codec, tuple(lines), tuple(findings))


def marked_body(content: bytes) -> tuple[str, bytes]:
    """Return the codec that a byte order mark names, empty without one, and the bytes after the mark."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return codec, content[len(mark) :]
    return "", content


def with_line_feeds(text: str) -> str:
    """Return a text whose lines end in LF, for one with those of any system: LF, CR LF, CR alone.

    Nothing else ends a line: splitlines() also ends one at VT, U+0085 and U+2028 and would shift the numbers.
    """
    return _LINE_END.sub("\n", text) if "\r" in text else text


class EncodingPreview(NamedTuple):
    """How a file reads in an encoding: the key of the encoding, and the lines to check."""

    key: str
    lines: tuple[str, ...]

    @property
    def label(self) -> str:
        """The label of the encoding, in the language of the page."""
        return sentence(ENCODINGS[self.key], {})


def preview_encodings(content: bytes) -> list[EncodingPreview]:
    """Return how the first lines with letters outside ASCII read in each encoding.

    Encodings in which some byte of the file is no character are excluded. The list is empty if there is nothing to
    choose: the file has a byte order mark, is plain ASCII, or is refused in any encoding.
    """
    marked = any(content.startswith(mark) for mark, _ in _BYTE_ORDER_MARKS)
    if marked or content.isascii() or _refuse(content) is not None:
        return []
    chosen = [line for line in re.split(rb"\r\n?|\n", content) if not line.isascii()][:PREVIEW_LINES]
    previews = []
    for key in ENCODINGS:
        try:
            content.decode(key)
        except UnicodeDecodeError:
            continue
        previews.append(EncodingPreview(str(key), tuple(_previewed(line.decode(key)) for line in chosen)))
    return previews


def _previewed(line: str) -> str:
    first = next(place for place, letter in enumerate(line) if not letter.isascii())
    begins = max(first - _SHOWN_BEFORE, 0) if len(line) > MAX_QUOTED_LENGTH else 0
    return ("…" if begins else "") + quoted(plain_text(line[begins:]))


def _refuse(content: bytes) -> Finding | None:
    if len(content) > MAX_FILE_BYTES:
        return finding("file-too-large", line=1, column=1, size=len(content), limit=MAX_FILE_BYTES)
    if not content:
        return _empty()
    if (refusal := _no_text(content)) is not None:
        return refusal
    lines = max(content.count(b"\n"), content.count(b"\r"))
    if lines > MAX_LINES:
        return finding("file-too-large.lines", line=1, column=1, lines=lines, limit=MAX_LINES)
    return None


def _no_text(content: bytes) -> Finding | None:
    """An archive, a picture, or what is UTF-16 without saying so."""
    kind = next((kind for mark, kind in _ARCHIVES if content.startswith(mark)), None)
    if kind is None and content[_TAR_MARK_AT : _TAR_MARK_AT + len(_TAR_MARK)] == _TAR_MARK:
        kind = "tar"
    if kind is not None:
        return finding("archive-refused", line=1, column=1, type=kind)
    picture = next((kind for at, mark, kind in _PICTURES if content[at : at + len(mark)] == mark), None)
    if picture is not None:
        return finding("archive-refused.picture", line=1, column=1, type=picture)
    nulls = content.count(b"\0")
    if nulls * _BYTES_A_NULL > len(content) and not marked_body(content)[0]:
        return finding("encoding-unreadable.unmarked", line=1, column=1, count=nulls)
    return None


def _empty() -> Finding:
    return finding("file-empty", line=1, column=1)


def _unknown_encoding(encoding: str) -> Finding:
    return finding(
        "encoding-unknown",
        line=1,
        column=1,
        field="encoding",
        found=encoding,
        encodings=", ".join(ENCODINGS),
        asked_detail="encoding",
    )


def _add_mark_decides(findings: FindingList, codec: str, encoding: str | None) -> None:
    findings.add(
        "details-differ.encoding",
        line=1,
        column=1,
        field="encoding",
        marked=ENCODINGS.get(codec, codec.upper()),
        chosen=ENCODINGS[str(encoding)],
    )


def _undecodable(body: bytes, codec: str, problem: UnicodeDecodeError, *, chosen: bool) -> Finding:
    before = body[: problem.start].decode(codec, errors="replace")
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    return finding(
        "encoding-unreadable.chosen" if chosen else "encoding-unreadable",
        line=line,
        column=column,
        byte=body[problem.start : problem.start + 1].hex().upper(),
        encoding=ENCODINGS.get(codec, codec.upper()),
        asked_detail="encoding",
    )


def clean_line(number: int, raw: str, findings: FindingList) -> str:
    """Return the line composed and with forbidden characters replaced; add the findings.

    Tabs and characters without width keep their column; `plain_text` reads them in a field.
    """
    if len(raw) > MAX_LINE_LENGTH:
        findings.add(
            "line-too-long", line=number, column=MAX_LINE_LENGTH + 1, length=len(raw), limit=MAX_LINE_LENGTH
        )
        return raw[:MAX_LINE_LENGTH] if raw.isascii() else UNREADABLE
    line = compose(raw)
    places = [found.start() for found in _CONTROL.finditer(line)]
    if not line.isascii():
        places += [
            place
            for place, letter in enumerate(line)
            if ord(letter) >= _ASCII_END
            and letter not in NO_WIDTH
            and unicodedata.category(letter) in _HIDDEN_CATEGORIES
        ]
        places += excessive_marks(line) or []
    if not places:
        return line
    if not findings.full:
        places.sort()
        _add_forbidden(findings, number, line, places)
    letters = list(line)
    for place in places:
        letters[place] = UNREADABLE
    return "".join(letters)


def _add_forbidden(findings: FindingList, number: int, line: str, places: list[int]) -> None:
    findings.add(
        "character-forbidden",
        line=number,
        column=places[0] + 1,
        character=name_character(line[places[0]]),
        count=len(places),
        more=len(places) - 1,
    )
