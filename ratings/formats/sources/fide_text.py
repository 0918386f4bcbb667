"""The lists of FIDE as text: columns of fixed widths, whose places the first line says.

A list of all kinds has 162 columns, an older one without the column FOA 158; one of a single kind 136. Files are
read in blocks of some megabytes, whose lines are columns of bytes: a Python object for each line would be ten times as
slow.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ratings.formats.sources.figures import (
    BLITZ,
    LARGEST_NUMBER,
    MOST_FACTOR,
    MOST_RATING,
    MOST_TITLES,
    RAPID,
    STANDARD,
    SourceLines,
)
from ratings.formats.sources.file import ARTICLE, SourceRefusedError
from ratings.rules.columns import Flags, Integers
from reporting.rules.findings.finding_list import MAX_FINDINGS, finding

Bytes = NDArray[np.uint8]
PERSON = ("ID Number", "Name", "Fed", "Sex", "Tit", "WTit", "OTit")
OF_ALL = ("SRtng", "SGm", "SK", "RRtng", "RGm", "Rk", "BRtng", "BGm", "BK")
LAST = ("B-day", "Flag")
HEADINGS: Final = {
    "text": (*PERSON, "FOA", *OF_ALL, *LAST),
    "text-without-foa": (*PERSON, *OF_ALL, *LAST),
    "text-of-one-kind": (*PERSON, "FOA", "MONTH", "Gms", "K", *LAST),
}
"""The headings of each layout. That of the ratings of one kind is their month: `JAN24`."""
OF_KIND = {STANDARD: ("SRtng", "SK"), RAPID: ("RRtng", "Rk"), BLITZ: ("BRtng", "BK")}
HEADING = re.compile(r"ID Number|\S+")
MONTH = re.compile(r"[A-Z]{3}[0-9]{2}\Z")
LAST_WIDTH = 4
MOST_DIGITS = 9  # a number of 32 bits
LONGEST_LINE = 1_000
BLANK, ZERO, NEWLINE, RETURN = b" 0\n\r"


@dataclass(frozen=True)
class Layout:
    """Where the columns of a file are: the first character of each, and the one after its last."""

    name: str
    places: Mapping[str, tuple[int, int]]

    def figures(self, kind: str) -> Mapping[str, tuple[str, str]]:
        """Kind → the columns of its ratings and coefficients; of a file of one kind, the kind must be given."""
        if self.name != "text-of-one-kind":
            if kind:
                raise SourceRefusedError("source-kind-given", found=kind)
            return OF_KIND
        if not kind:
            raise SourceRefusedError("source-kind-missing", kinds=", ".join(OF_KIND))
        return {kind: ("MONTH", "K")}

    @property
    def least(self) -> int:
        """The shortest line: the day of birth and what follows may be left out where they are blank."""
        return self.places["B-day"][0]

    @property
    def most(self) -> int:
        return self.places["Flag"][1]


def layout_of(header: str) -> Layout:
    """The layout that the first line names. Raises SourceRefusedError."""
    found = list(HEADING.finditer(header))
    headings = tuple("MONTH" if MONTH.match(match[0]) else match[0] for match in found)
    for name, known in HEADINGS.items():
        if headings == known:
            starts = [match.start() for match in found]
            places = dict(zip(known, pairwise([*starts, starts[-1] + LAST_WIDTH]), strict=True))
            return Layout(name, places)
    expected = max(HEADINGS.values(), key=lambda known: _length_in_common(known, headings))
    place = _length_in_common(expected, headings)
    column = found[place].start() + 1 if place < len(found) else len(header) + 1
    missing = expected[place] if place < len(expected) else ""
    raise SourceRefusedError(
        "source-layout-unknown", column=column, found=header[column - 1 :][:60].strip(), heading=missing
    )


def _length_in_common(known: Sequence[str], headings: Sequence[str]) -> int:
    pairs = zip(known, headings, strict=False)
    return next(
        (place for place, (one, other) in enumerate(pairs) if one != other), min(len(known), len(headings))
    )


def read_text(blocks: Iterable[bytes], kind: str, progress: Callable[[int], None]) -> SourceLines:
    """The players in the order of the file, with findings of the first lines that have some.

    `progress` is given the number of lines of each block. Raises SourceRefusedError.
    """
    whole = _whole_lines(blocks)
    header, block = next(whole)
    layout = layout_of(header)
    columns = layout.figures(kind)
    lines = SourceLines(layout.name, tuple(columns))
    first = 2
    while len(lines.findings) < MAX_FINDINGS:
        count = _Block(block, layout, first, lines).read(columns)
        first += count
        progress(count)
        following = next(whole, None)
        if following is None:
            break
        _, block = following
    return lines


def _whole_lines(blocks: Iterable[bytes]) -> Iterator[tuple[str, Bytes]]:
    """The first line, with the first whole lines after it; then more whole lines, each a byte a character."""
    rest, header = b"", ""
    for block in blocks:
        content, begin = rest + block, 0
        if not header:
            begin = content.find(b"\n") + 1
            if not begin and len(content) <= LONGEST_LINE:
                rest = content
                continue
            header = _text(content[: begin or LONGEST_LINE])
        end = content.rfind(b"\n") + 1
        rest = content[end:]
        if begin > end or len(rest) > LONGEST_LINE:
            raise SourceRefusedError("source-line-length", found=len(rest), least=0, most=LONGEST_LINE)
        yield header, _byte_a_character(content, begin, end)
    if not header:
        header, rest = _text(rest), b""
    rest += b"\n" if rest else b""
    yield header, _byte_a_character(rest, 0, len(rest))


def _text(line: bytes) -> str:
    return line.removeprefix(b"\xef\xbb\xbf").decode(errors="replace").rstrip()


def _byte_a_character(content: bytes, begin: int, end: int) -> Bytes:
    """Names may have letters of two bytes in UTF-8; they are not used, but the columns after them move."""
    if content.isascii():
        return np.frombuffer(content, np.uint8, end - begin, begin)
    lines = content[begin:end]
    with suppress(UnicodeDecodeError):  # a byte a character already, as in Windows code pages
        lines = lines.decode().encode("ascii", "replace")
    return np.frombuffer(lines, np.uint8)


class _Block:
    """Whole lines of a file, as columns of bytes; what is wrong with them is added to the findings."""

    def __init__(self, block: Bytes, layout: Layout, first: int, lines: SourceLines) -> None:
        self.layout, self.lines = layout, lines
        is_end = block == NEWLINE
        self.line_count = int(np.count_nonzero(is_end))
        stride = int(is_end.argmax()) + 1 if self.line_count else 0
        length = stride - 1 - int(stride > 1 and block[stride - 2] == RETURN)
        is_even = block.size == stride * self.line_count and bool(is_end[stride - 1 :: stride or 1].all())
        if is_even and layout.least <= length <= layout.most:
            self.line = first + np.arange(self.line_count, dtype=np.uint32)
            self.cells = block.reshape(-1, stride)
        else:
            self.line, self.cells = self._uneven(block, np.flatnonzero(is_end), first)

    def _uneven(self, content: Bytes, ends: Integers, first: int) -> tuple[NDArray[np.uint32], Bytes]:
        """Lines of different lengths: their numbers and bytes. Empty ones are skipped."""
        starts = np.empty_like(ends)
        starts[:1], starts[1:] = 0, ends[:-1] + 1
        length = ends - starts
        length -= (length > 0) & (content[ends - 1] == RETURN)
        line = first + np.arange(ends.size, dtype=np.uint32)
        is_whole = (length >= self.layout.least) & (length <= self.layout.most)
        for place in np.flatnonzero(~is_whole & (length > 0))[:MAX_FINDINGS].tolist():
            self.lines.findings.append(
                finding(
                    "source-line-length",
                    line=int(line[place]),
                    column=int(min(length[place], self.layout.most)) + 1,
                    article=ARTICLE,
                    found=int(length[place]),
                    least=self.layout.least,
                    most=self.layout.most,
                )
            )
        padded = np.concatenate([content, np.zeros(self.layout.most, dtype=np.uint8)])
        # The columns that are read end before the shortest line does.
        return line[is_whole], sliding_window_view(padded, self.layout.least)[starts[is_whole]]

    def read(self, columns: Mapping[str, tuple[str, str]]) -> int:
        """Add the players to the lines; answers the number of lines of the block."""
        lines = self.lines
        lines.line.append(self.line)
        lines.number.append(self.numbers("ID Number", 1, LARGEST_NUMBER).astype(np.uint32))
        lines.title.append(self.titles())
        for kind, (rating, k_factor) in columns.items():
            lines.rating[kind].append(self.numbers(rating, 0, MOST_RATING).astype(np.uint16))
            lines.k_factor[kind].append(self.numbers(k_factor, 0, MOST_FACTOR).astype(np.uint8))
        return self.line_count

    def characters(self, heading: str) -> Bytes:
        """A column: for each of its places the bytes of all lines. The byte before and the last one must be blank."""
        first, end = self.layout.places[heading]
        before = max(first - 1, 0)
        cells = np.ascontiguousarray(self.cells[:, before:end].T)
        is_moved = cells[-1] != BLANK
        if first:
            is_moved |= cells[0] != BLANK
        self._refuse(is_moved, cells, before, "source-columns-moved", field=heading)
        return cells[first - before :]

    def numbers(self, heading: str, least: int, most: int) -> NDArray[np.int32]:
        """A column of numbers, 0 for a blank one."""
        cells = self.characters(heading)
        digits = cells - ZERO  # a byte below that of 0 is far over 9
        is_digit = digits < 10
        is_wrong = ~(is_digit | (cells == BLANK)).all(axis=0)
        count = is_digit.sum(axis=0, dtype=np.uint8)
        begins = is_digit[1:] & ~is_digit[:-1]
        is_wrong |= begins.sum(axis=0, dtype=np.uint8) + is_digit[0] > 1
        value = np.zeros(cells.shape[1], dtype=np.int32)
        for place in np.flatnonzero(is_digit.any(axis=1)).tolist():
            value = np.where(is_digit[place], value * 10 + digits[place], value)
        is_wrong |= (count > MOST_DIGITS) | (value < least) | (value > most)
        first, _ = self.layout.places[heading]
        self._refuse(is_wrong, cells, first, "number-unreadable.csv", field=heading, least=least, most=most)
        value[is_wrong] = 0
        return value

    def titles(self) -> NDArray[np.uint8]:
        """The place of each title among those known so far."""
        known = self.lines.titles
        cells = self.characters("Tit")
        codes = np.zeros(cells.shape[1], dtype=np.uint8)
        titled = np.flatnonzero((cells != BLANK).any(axis=0))
        words = np.ascontiguousarray(cells[:, titled].T).view(f"S{len(cells)}").ravel()
        for word in np.unique(words):
            title = word.decode("latin-1").strip()
            codes[titled[words == word]] = min(known.setdefault(title, len(known)), MOST_TITLES)
        return codes

    def _refuse(self, is_wrong: Flags, cells: Bytes, first: int, key: str, **given: Any) -> None:
        """A finding for each line that is wrong, in a column that begins at this place."""
        for place in np.flatnonzero(is_wrong)[:MAX_FINDINGS].tolist():
            found = bytes(cells[:, place]).decode("latin-1").strip()
            self.lines.findings.append(
                finding(
                    key, line=int(self.line[place]), column=first + 1, article=ARTICLE, found=found, **given
                )
            )
