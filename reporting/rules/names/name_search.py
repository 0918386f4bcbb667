"""Search for people by parts of a name: beginnings, other spellings, one or two wrong letters, another order.

Spellings are the same as in look_alikes.py, so that a search and the look-alikes of a report find the same people.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from reporting.rules.names.look_alikes import TYPO_WORD_LENGTHS, spelling
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.sentences import sentence

MAX_SEARCH_LENGTH = 80
"""Letters of a search; a longer one finds no one."""

MAX_WORDS = 6
"""Words of a search that are used; later ones are ignored."""

MIN_PART_LENGTH = 3
"""Minimum letters of a part within a word, or of a beginning in another spelling."""


class Grade(IntEnum):
    """How a typed word matches a name, the best first."""

    SAME = 0
    BEGINS = 1
    SPELT_ALIKE = 2
    BEGINS_ALIKE = 3
    SPLIT = 4
    LETTER = 5
    TWO_LETTERS = 6
    WITHIN = 7


GRADE_LABELS = {
    Grade.SAME: "",
    Grade.BEGINS: "",
    Grade.SPELT_ALIKE: "spelt alike",
    Grade.BEGINS_ALIKE: "begins alike in another spelling",
    Grade.SPLIT: "the same letters, split into other words",
    Grade.LETTER: "a letter differs",
    Grade.TWO_LETTERS: "two letters differ",
    Grade.WITHIN: "within the name",
}
REORDERED = "in another order"

MAX_TYPOS = 2
"""Letters that may differ in all words together, as in look_alikes.py."""

_LETTERS = {Grade.LETTER: 1, Grade.TWO_LETTERS: MAX_TYPOS}


class FoundName(NamedTuple):
    """A name that was found: its index in the searched names, the worst grade of its words, and whether reordered."""

    place: int
    grade: Grade
    is_reordered: bool

    @property
    def reason(self) -> str:
        """Why it was found, in the language in use; empty if that is obvious."""
        reasons = (GRADE_LABELS[self.grade], REORDERED if self.is_reordered else "")
        return ", ".join(sentence(reason, {}) for reason in reasons if reason)


_Place = tuple[int, str]
"""A word of a name and its index; a part of several words, as one word, has the index of its first word."""


class NameSearch:
    """An index of names, `last, first` as `sort_name` makes them, for any number of searches."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._parted = [name.replace(",", "") for name in names]
        self._joined = {
            place: _joined(names[place]) for place, name in enumerate(self._parted) if name.count(" ") > 1
        }
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for place, name in enumerate(self._parted):
            for word in name.split():
                self._holders[word].append(place)
        for place, wholes in self._joined.items():
            for _, word in wholes:
                self._holders[word].append(place)
        self._known = _Words.of(self._holders)

    def find(self, typed: str) -> list[FoundName]:
        """The names that match every typed word.

        The best first: as typed, beginning, same spelling, one or two wrong letters, within a word; then those in the
        typed order, then those whose surname it is, then alphabetically. An empty search finds no one.
        """
        words = search_words(typed)
        if not words:
            return []
        grades = {word: _grades(word, self._known) for word in set(words)}
        best: dict[int, tuple[Grade, bool, int]] = {}
        for wanted in (words, *_runs_known(words, self._known, grades)):
            for place in set.intersection(*(self._names_with(grades[word]) for word in set(wanted))):
                places = [*enumerate(self._parted[place].split()), *self._joined.get(place, ())]
                match = _match(wanted, self._names[place], places, grades)
                if match is not None and (place not in best or match < best[place]):
                    best[place] = match
        ordered = sorted((match, self._names[place], place) for place, match in best.items())
        return [FoundName(place, grade, reordered) for (grade, reordered, _), _, place in ordered]

    def _names_with(self, hits: Iterable[str]) -> set[int]:
        """The indexes of the names that have one of these words."""
        return {place for word in hits for place in self._holders[word]}


class _Words(NamedTuple):
    """The words of all names, and those with the same spelling by it."""

    words: Collection[str]
    by_key: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, words: Collection[str]) -> _Words:
        by_key: defaultdict[str, list[str]] = defaultdict(list)
        for word in words:
            by_key[spelling(word)[0]].append(word)
        return cls(words, by_key)


def search_words(typed: str) -> list[str]:
    """The words of a search that are used, normalized; none of one that is too long."""
    return normalize_name(typed).split()[:MAX_WORDS] if len(typed) <= MAX_SEARCH_LENGTH else []


def runs_joined(words: Sequence[str]) -> Iterator[tuple[Sequence[str], str, Sequence[str]]]:
    """Each run of two or more words written as one, with the words before and after it."""
    for first in range(len(words) - 1):
        for last in range(first + 2, len(words) + 1):
            yield words[:first], "".join(words[first:last]), words[last:]


def _joined(name: str) -> list[_Place]:
    """The surname and the first name, each of which has several words, as one word."""
    last, _, first = (part.split() for part in name.partition(", "))
    return [(at, "".join(part)) for part, at in ((last, 0), (first, len(last))) if len(part) > 1]


def _runs_known(
    words: Sequence[str], known: _Words, grades: dict[str, dict[str, Grade]]
) -> Iterator[list[str]]:
    """The typed words with some of them written as one, if a name has that word; `grades` gets its grades."""
    for before, run, after in runs_joined(words):
        found = dict.fromkeys(known.by_key.get(spelling(run)[0], ()), Grade.SPLIT)
        if found:
            grades[run] = found
            yield [*before, run, *after]


def _grades(word: str, known: _Words) -> dict[str, Grade]:
    """The words of the names that match this one, each with its best grade."""
    key = spelling(word)[0]
    ways: list[tuple[Grade, Iterable[str]]] = [
        (Grade.BEGINS, [other_word for other_word in known.words if other_word.startswith(word)])
    ]
    if word in known.words:
        ways.append((Grade.SAME, [word]))
    ways.append((Grade.SPELT_ALIKE, known.by_key.get(key, ())))
    if len(key) >= MIN_PART_LENGTH:
        begun = [keys for keys in known.by_key if keys.startswith(key)]
        ways.append((Grade.BEGINS_ALIKE, [word for keys in begun for word in known.by_key[keys]]))
    if len(word) >= MIN_PART_LENGTH:
        ways.append((Grade.WITHIN, [other_word for other_word in known.words if word in other_word]))
    for other, letters in find_slips(key, known.by_key).items():
        ways.append((Grade.LETTER if letters == 1 else Grade.TWO_LETTERS, known.by_key[other]))
    found: dict[str, Grade] = {}
    for grade, others in sorted(ways, key=lambda way: way[0]):
        for other_word in others:
            found.setdefault(other_word, grade)
    return found


def find_slips(key: str, known: Iterable[str]) -> dict[str, int]:
    """The known spellings with one or two different letters, and how many differ."""
    if len(key) < TYPO_WORD_LENGTHS[0]:
        return {}
    others = [word for word in known if len(word) >= TYPO_WORD_LENGTHS[0]]
    if not others:
        return {}
    differ = cdist([key], others, scorer=OSA.distance, score_cutoff=2, dtype=np.uint8)[0]
    found = {others[at]: int(differ[at]) for at in np.flatnonzero((differ > 0) & (differ <= 2))}
    return {
        other: letters
        for other, letters in found.items()
        if min(len(key), len(other)) >= TYPO_WORD_LENGTHS[letters - 1]
    }


def _match(
    words: Sequence[str], name: str, places: Sequence[_Place], grades: Mapping[str, Mapping[str, Grade]]
) -> tuple[Grade, bool, int] | None:
    """The worst grade of the words, whether the order differs, and how much of the surname they cover."""
    possible = sorted(
        (grades[word][other], abs(turn - place), turn, place)
        for turn, word in enumerate(words)
        for place, other in places
        if other in grades[word]
    )
    matched: dict[int, tuple[int, Grade]] = {}
    for grade, _, turn, place in possible:
        if turn not in matched and all(place != used for used, _ in matched.values()):
            matched[turn] = (place, grade)
    slips = sum(_LETTERS.get(grade, 0) for _, grade in matched.values())
    if len(matched) < len(words) or slips > MAX_TYPOS:
        return None
    order = [matched[turn][0] for turn in range(len(words))]
    reordered = order != sorted(order)
    surname = len(name.partition(", ")[0].split())
    part = 0 if set(range(surname)) == set(order) else 1 if 0 in order else 2
    return max(grade for _, grade in matched.values()), reordered, part
