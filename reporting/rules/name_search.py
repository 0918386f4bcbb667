"""People found by what somebody types of a name: begun, spelt otherwise, a letter or two wrong, in another order.

What it holds for one spelling is what look_alikes.py holds for one, so that who a search finds and who a report's
player looks like do not part ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from reporting.rules.look_alikes import TYPO_WORD_LENGTHS, spelling
from reporting.rules.normalize_name import normalize_name

MAX_SEARCH_LENGTH = 80
"""Letters of a search; a longer one finds nobody."""

MAX_WORDS = 6
"""Words of a search that are looked for; later ones are left out."""

MIN_PART_LENGTH = 3
"""Letters from which a part in the middle of a word, or a beginning in another spelling, is looked for."""


class Grade(IntEnum):
    """How a word that was typed stands in a name, the surest first."""

    SAME = 0
    BEGINS = 1
    SPELT_ALIKE = 2
    BEGINS_ALIKE = 3
    PARTED = 4
    LETTER = 5
    TWO_LETTERS = 6
    WITHIN = 7


WORDS = {
    Grade.SAME: "",
    Grade.BEGINS: "",
    Grade.SPELT_ALIKE: "spelt alike",
    Grade.BEGINS_ALIKE: "begins alike in another spelling",
    Grade.PARTED: "the same letters, parted into other words",
    Grade.LETTER: "a letter differs",
    Grade.TWO_LETTERS: "two letters differ",
    Grade.WITHIN: "within the name",
}
REORDERED = "in another order"

MAX_TYPOS = 2
"""Letters that may be wrong in all the words together, as look_alikes.py forgives."""

_LETTERS = {Grade.LETTER: 1, Grade.TWO_LETTERS: MAX_TYPOS}


class FoundName(NamedTuple):
    """A name that was found: its place in the names searched, and why where that is not plain to see."""

    place: int
    reason: str


_Place = tuple[int, str]
"""A word of a name and where in it it stands; a part of several words stands, as one word, where its first does."""


class NameSearch:
    """Names read for searching, `last, first` as folding.sort_name makes them; asked as often as wanted."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._parted = [name.replace(",", "") for name in names]
        self._flat = " ".join(self._parted).split()
        self._owners = np.repeat(np.arange(len(names)), [len(name.split()) for name in self._parted]).tolist()
        self._joined = {
            place: _joined(names[place]) for place, name in enumerate(self._parted) if name.count(" ") > 1
        }
        self._known = _Words.of(self._flat, self._joined.values())

    def find(self, typed: str) -> list[FoundName]:
        """Those of the names in which every word typed stands.

        The best first: as typed, begun, spelt alike, a letter or two wrong, within a word; among equals those in the
        order typed, then those whose surname it is, then by the alphabet. Nothing typed finds nobody.
        """
        words = normalize_name(typed).split()[:MAX_WORDS] if len(typed) <= MAX_SEARCH_LENGTH else []
        if not words:
            return []
        grades = {word: _grades(word, self._known) for word in set(words)}
        best: dict[int, tuple[Grade, bool, int]] = {}
        for wanted in (words, *_runs_joined(words, self._known, grades)):
            for place in set.intersection(*(self._holders(grades[word]) for word in set(wanted))):
                places = [*enumerate(self._parted[place].split()), *self._joined.get(place, ())]
                held = _held(wanted, self._names[place], places, grades)
                if held is not None and (place not in best or held < best[place]):
                    best[place] = held
        ordered = sorted((held, self._names[place], place) for place, held in best.items())
        return [FoundName(place, _reason(held)) for held, _, place in ordered]

    def _holders(self, hits: Mapping[str, Grade]) -> set[int]:
        """The places of the names that hold one of these words."""
        return {self._owners[at] for at, word in enumerate(self._flat) if word in hits} | {
            place for place, wholes in self._joined.items() if any(word in hits for _, word in wholes)
        }


class _Words(NamedTuple):
    """The words of all the names, and which of them one spelling is the same of."""

    words: set[str]
    by_key: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, flat: Sequence[str], joined: Iterable[Sequence[_Place]]) -> _Words:
        words = set(flat)
        words.update(word for each in joined for _, word in each)
        by_key: defaultdict[str, list[str]] = defaultdict(list)
        for word in words:
            by_key[spelling(word)[0]].append(word)
        return cls(words, by_key)


def _reason(held: tuple[Grade, bool, int]) -> str:
    grade, turned, _ = held
    return ", ".join(each for each in (WORDS[grade], REORDERED if turned else "") if each)


def _joined(name: str) -> list[_Place]:
    """The surname and the first name, each of which has several words, as one word."""
    last, _, first = (part.split() for part in name.partition(", "))
    return [(at, "".join(part)) for part, at in ((last, 0), (first, len(last))) if len(part) > 1]


def _runs_joined(
    words: Sequence[str], known: _Words, grades: dict[str, dict[str, Grade]]
) -> Iterator[list[str]]:
    """What was typed with some words written as one, where a name has that word; its grades are put to the others."""
    for first in range(len(words) - 1):
        for last in range(first + 2, len(words) + 1):
            run = "".join(words[first:last])
            found = dict.fromkeys(known.by_key.get(spelling(run)[0], ()), Grade.PARTED)
            if found:
                grades[run] = found
                yield [*words[:first], run, *words[last:]]


def _grades(word: str, known: _Words) -> dict[str, Grade]:
    """The words of the names that may be this one, and how; the surest way where there are several."""
    key = spelling(word)[0]
    ways: list[tuple[Grade, Iterable[str]]] = [
        (Grade.BEGINS, [each for each in known.words if each.startswith(word)])
    ]
    if word in known.words:
        ways.append((Grade.SAME, [word]))
    ways.append((Grade.SPELT_ALIKE, known.by_key.get(key, ())))
    if len(key) >= MIN_PART_LENGTH:
        begun = [keys for keys in known.by_key if keys.startswith(key)]
        ways.append((Grade.BEGINS_ALIKE, [each for keys in begun for each in known.by_key[keys]]))
    if len(word) >= MIN_PART_LENGTH:
        ways.append((Grade.WITHIN, [each for each in known.words if word in each]))
    for other, letters in _slips(key, known.by_key).items():
        ways.append((Grade.LETTER if letters == 1 else Grade.TWO_LETTERS, known.by_key[other]))
    found: dict[str, Grade] = {}
    for grade, others in sorted(ways, key=lambda way: way[0]):
        for each in others:
            found.setdefault(each, grade)
    return found


def _slips(key: str, known: Iterable[str]) -> dict[str, int]:
    """The known spellings that are a slip of the pen away, with the letters that differ."""
    if len(key) < TYPO_WORD_LENGTHS[0]:
        return {}
    others = [each for each in known if len(each) >= TYPO_WORD_LENGTHS[0]]
    if not others:
        return {}
    differ = cdist([key], others, scorer=OSA.distance, score_cutoff=2, dtype=np.uint8)[0]
    found = {others[at]: int(differ[at]) for at in np.flatnonzero((differ > 0) & (differ <= 2))}
    return {
        other: letters
        for other, letters in found.items()
        if min(len(key), len(other)) >= TYPO_WORD_LENGTHS[letters - 1]
    }


def _held(
    words: Sequence[str], name: str, places: Sequence[_Place], grades: Mapping[str, Mapping[str, Grade]]
) -> tuple[Grade, bool, int] | None:
    """The worst grade of the words, whether they stand in another order, and how much of the surname they are."""
    possible = sorted(
        (grades[word][other], abs(turn - place), turn, place)
        for turn, word in enumerate(words)
        for place, other in places
        if other in grades[word]
    )
    stands: dict[int, tuple[int, Grade]] = {}
    for grade, _, turn, place in possible:
        if turn not in stands and all(place != taken for taken, _ in stands.values()):
            stands[turn] = (place, grade)
    slips = sum(_LETTERS.get(grade, 0) for _, grade in stands.values())
    if len(stands) < len(words) or slips > MAX_TYPOS:
        return None
    order = [stands[turn][0] for turn in range(len(words))]
    turned = order != sorted(order)
    surname = len(name.partition(", ")[0].split())
    part = 0 if set(range(surname)) == set(order) else 1 if 0 in order else 2
    return max(grade for _, grade in stands.values()), turned, part
