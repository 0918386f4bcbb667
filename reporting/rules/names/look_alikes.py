"""Who of the register a reported player may be, and which reports look like one tournament (R21, R24).

Names are compared word by word: as written, in another alphabet or spelling, with one or two wrong letters, in
another order, with an additional part. The result is reasons, never a score: the referee decides.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from reporting.rules.report import ReadReport
from reporting.rules.sentences import sentence

MAX_CANDIDATES = 5
"""Players of the register shown for one player of a report."""

MAX_NAME_LENGTH = 130
"""Letters of a name in the register, last and first. A longer one in a report is not searched."""

MAX_WORDS = 8
"""Words of a name by which others are found, the rarest ones; then all words are compared."""

TYPO_WORD_LENGTHS = (4, 8)
"""Minimum letters of the shorter word for one, and for two, different letters. Our figures."""

EQUAL_RESULTS_PERCENT = 80
"""Per cent of equal results, of the report with fewer, from which two reports look alike. Our figure."""

MAX_DAYS_SHIFTED = 3
"""Days by which the dates of two reports of one tournament can differ. Our figure: less than a week."""

_OTHER_ALPHABETS = str.maketrans(
    dict(zip("абвгґдезиіјклмнопрстуфыэ", "abvggdeziijklmnoprstufye", strict=True))
    | dict(zip("ђћқңғұүөәһ", "dkknguuoeh", strict=True))
    | {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "є": "ye"}
    | {"љ": "lj", "њ": "nj", "џ": "dzh", "ъ": "", "ь": ""}
    | dict(zip("αβγδεζηικλμνξοπρστυφω", "avgdeziiklmnxoprstufo", strict=True))
    | {"θ": "th", "χ": "ch", "ψ": "ps"}
)
"""Cyrillic and Greek letters of normalized names, in Latin ones."""

_SPELLINGS = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        (r"schtsch|sjtsj|szcz|shch", "sk"),
        (r"tsch|tch|tsh|tsj|cz", "k"),
        (r"sch|sh|sj|sz|zh|zj", "s"),
        (r"ch|kh|ck|q|c", "k"),
        (r"tz", "ts"),
        (r"z", "s"),
        (r"gu(?=[ei])", "g"),
        (r"ph|f", "v"),
        (r"th|dt", "t"),
        (r"w", "v"),
        (r"x", "ks"),
        (r"h", "g"),
        (r"ou", "u"),
        (r"[yji]+", "i"),
        (r"ie", "e"),
        (r"(?<=[aou])e", ""),
        (r"ei", "i"),
        (r"(.)\1+", r"\1"),
    )
)
"""The usual spellings of a sound, replaced by one letter, in this order."""


class Person(NamedTuple):
    """A person: `sort_name` is `last, first`, normalized; without a comma it is unknown which part is which."""

    number: int
    sort_name: str
    federation: str
    birth_year: int | None
    sex: str


REASONS: Mapping[str, str] = {
    "exchanged": "first name and surname exchanged",
    "same-name": "the same name",
    "spelling": "another spelling ({names})",
    "letter": "a letter differs ({names})",
    "letters": "two letters differ ({names})",
    "initial": "an initial ({names})",
    "part": "an additional part of the name ({names})",
    "split": "the same letters, split into other words",
    "birth-year": "the same year of birth",
    "federation": "the same federation",
}
"""The reasons for a look-alike, by code, as sentences of the language in use have them."""


class Reason(NamedTuple):
    """Why two persons look alike: a code of REASONS, and the names it is about."""

    code: str
    names: str = ""

    def __str__(self) -> str:
        return sentence(REASONS[self.code], {"names": self.names})


class LookAlike(NamedTuple):
    """A person of the register, by number, and the reasons; `same_name` if every word is the same."""

    number: int
    reasons: tuple[Reason, ...]
    same_name: bool


@lru_cache(maxsize=262_144)
def spelling(name: str) -> tuple[str, ...]:
    """Each word of a normalized name in one form for all its usual spellings: `mueller` and `muller`, `w` and `v`.

    Only for comparison. Names repeat, in a register and from report to report, so the words are cached.
    """
    words = []
    for word in name.split():
        plain = word.translate(_OTHER_ALPHABETS)
        for pattern, written in _SPELLINGS:
            plain = pattern.sub(written, plain)
        words.append(plain or word)
    return tuple(words)


def look_alikes(wanted: Sequence[Person], known: Sequence[Person]) -> Mapping[int, Sequence[LookAlike]]:
    """For each wanted number the known persons who look like that person, at most MAX_CANDIDATES, best first.

    A similar name counts if year of birth or federation are the same, and neither year of birth nor sex differ. The
    same name always counts.
    """
    found: dict[int, Sequence[LookAlike]] = {person.number: [] for person in wanted}
    wanted = [person for person in wanted if len(person.sort_name) <= MAX_NAME_LENGTH]
    names = [_words(person) for person in known]
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    joined: defaultdict[str, list[int]] = defaultdict(list)
    for place, (_, keys, _) in enumerate(names):
        for key in set(keys):
            by_word[key].append(place)
        joined["".join(keys)].append(place)
    wanted_names = [_words(person) for person in wanted]
    slips = find_slips({key for _, keys, _ in wanted_names for key in keys}, by_word)
    holders: dict[str, set[int]] = {}

    def numbers_with(key: str) -> set[int]:
        if key not in holders:
            places = set(by_word.get(key, ())) | set(by_word.get(key[0], ()))
            holders[key] = places.union(*(by_word[other] for other in slips.get(key, ())))
        return holders[key]

    for person, name in zip(wanted, wanted_names, strict=True):
        _, keys, parting = name
        full = sorted({key for key in keys if len(key) > 1}, key=lambda key: len(numbers_with(key)))[
            :MAX_WORDS
        ]
        places = set(joined.get("".join(keys), ())) | set(
            joined.get("".join(keys[parting:] + keys[:parting]), ())
        )
        if len(full) == 1:
            places.update(by_word.get(full[0], ()))
        for turn, key in enumerate(full):
            for other in full[turn + 1 :]:
                places |= numbers_with(key) & numbers_with(other)
        ranked = sorted(
            (rank, known[place].number, reasons, same)
            for place in places
            if (held := _compare(person, name, known[place], names[place], slips)) is not None
            for rank, reasons, same in (held,)
        )
        found[person.number] = [
            LookAlike(number, reasons, same) for _, number, reasons, same in ranked[:MAX_CANDIDATES]
        ]
    return found


_Name = tuple[tuple[str, ...], tuple[str, ...], int]
"""The words of a normalized name, their spellings, and how many of them are the surname."""

_Slips = Mapping[str, Mapping[str, int]]


def _words(person: Person) -> _Name:
    last, _, first = person.sort_name.partition(", ")
    keys = spelling(last)
    return (*last.split(), *first.split()), (*keys, *spelling(first)), len(keys)


def find_slips(wanted: set[str], known: Iterable[str]) -> _Slips:
    """For each wanted word the known ones with one or two different letters, and how many differ.

    Only words with the same first letter, or the same second and third, are compared: a typo seldom changes both.
    """
    shortest = TYPO_WORD_LENGTHS[0]
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for begins in (slice(0, 1), slice(1, 3)):
        left: defaultdict[str, list[str]] = defaultdict(list)
        for word in wanted:
            if len(word) >= shortest:
                left[word[begins]].append(word)
        right: defaultdict[str, list[str]] = defaultdict(list)
        for word in known:
            if len(word) >= shortest and word[begins] in left:
                right[word[begins]].append(word)
        for beginning, others in right.items():
            words = left[beginning]
            differ = cdist(words, others, scorer=OSA.distance, score_cutoff=2, dtype=np.uint8)
            rows, columns = near = np.nonzero((differ > 0) & (differ <= 2))
            for row, column, letters in zip(
                rows.tolist(), columns.tolist(), differ[near].tolist(), strict=True
            ):
                word, other = words[row], others[column]
                if min(len(word), len(other)) >= TYPO_WORD_LENGTHS[letters - 1]:
                    found[word][other] = letters
    return found


def _compare(
    person: Person, name: _Name, other: Person, other_name: _Name, slips: _Slips
) -> tuple[int, tuple[Reason, ...], bool] | None:
    """The distance of two persons, only for the order, the reasons, and whether every word is the same."""
    born_alike = None
    if person.birth_year and other.birth_year:
        born_alike = person.birth_year == other.birth_year
    same_federation = person.federation == other.federation != ""
    compared = _compare_names(name, other_name, slips)
    if compared is None:
        return None
    distance, reasons, same_letters = compared
    if distance and born_alike is False and not (same_letters and same_federation):
        return None
    if not same_letters:
        other_sex = person.sex and other.sex and person.sex != other.sex
        if other_sex or not (born_alike or same_federation):
            return None
    if born_alike:
        reasons.append(Reason("birth-year"))
    if same_federation:
        reasons.append(Reason("federation"))
    rank = 2 * distance + {True: 0, None: 1, False: 3}[born_alike] + (0 if same_federation else 2)
    return rank, tuple(reasons), distance == 0


def _compare_names(name: _Name, other_name: _Name, slips: _Slips) -> tuple[int, list[Reason], bool] | None:
    """The distance of two names, the reasons, and whether they have the same letters except for the spelling."""
    words, keys, parting = name
    other_words, other_keys, other_parting = other_name
    pairs = _pair_words(name, other_name, slips)
    mine = [place for place in range(len(words)) if place not in pairs]
    taken = set(pairs.values())
    others = [place for place in range(len(other_words)) if place not in taken]
    if "".join(keys) == "".join(other_keys) and (mine or others):
        return 1, [Reason("split")], True
    if (mine and others) or (len(pairs) < 2 and (mine or others)):
        return None

    unequal: dict[str, list[str]] = {"spelling": [], "letters": [], "initial": []}
    letters = 0
    for place, at in pairs.items():
        if words[place] == other_words[at]:
            continue
        key, other_key = keys[place], other_keys[at]
        code = "spelling" if key == other_key else "initial" if 1 in (len(key), len(other_key)) else "letters"
        unequal[code].append(f"{words[place].capitalize()}, {other_words[at].capitalize()}")
        letters += slips[key][other_key] if code == "letters" else 0
    initials = len(unequal["initial"])
    certain = len(pairs) - initials - len(unequal["letters"])
    if letters > 2 or (len(pairs) == 1 and certain == 0) or initials == len(pairs):
        return None

    additional = [words[place] for place in mine] + [other_words[place] for place in others]
    if additional:
        unequal["part"] = [" ".join(word.capitalize() for word in additional)]
    reasons = [
        Reason("letter" if code == "letters" and letters == 1 else code, "; ".join(names))
        for code, names in unequal.items()
        if names
    ]
    if _exchanged(pairs, len(words), parting, len(other_words), other_parting):
        reasons.insert(0, Reason("exchanged"))
    elif not reasons:
        reasons.append(Reason("same-name"))
    distance = bool(unequal["spelling"]) + 2 * letters + 2 * initials + len(additional)
    return distance, reasons, not (letters or initials or additional)


def _exchanged(
    pairs: Mapping[int, int], words: int, parting: int, other_words: int, other_parting: int
) -> bool:
    """Whether every word is in the other part of the other name; both must have two known parts."""
    return (
        0 < parting < words
        and 0 < other_parting < other_words
        and all((place < parting) != (at < other_parting) for place, at in pairs.items())
    )


def _pair_words(name: _Name, other_name: _Name, slips: _Slips) -> dict[int, int]:
    """Which word of one name is which of the other: first the same, then by spelling, slips, initials."""
    words, keys, parting = name
    other_words, other_keys, other_parting = other_name

    def alike(place: int, at: int) -> int | None:
        key, other = keys[place], other_keys[at]
        if words[place] == other_words[at]:
            return 0
        if key == other:
            return 1
        if other in slips.get(key, ()):
            return 1 + slips[key][other]
        return 4 if 1 in (len(key), len(other)) and key[0] == other[0] else None

    possible = sorted(
        (grade, (place < parting) != (at < other_parting), place, at)
        for place in range(len(words))
        for at in range(len(other_words))
        if (grade := alike(place, at)) is not None
    )
    pairs: dict[int, int] = {}
    for _, _, place, at in possible:
        if place not in pairs and at not in pairs.values():
            pairs[place] = at
    return pairs


def name_in_results(name: str) -> str:
    """A normalized name with its words sorted: the same whichever of them is the surname."""
    return " ".join(sorted(name.replace(",", "").split()))


def results_by_name(read: ReadReport, names: Mapping[int, str]) -> dict[str, Any]:
    """The results of a report for comparison with another's, independent of format, order and numbers.

    `names` are the normalized names by number. Returns JSON: `players`, and `games` as
    `[place, place, points, points]` with places in that list; pauses are omitted.
    """
    by_name = {number: name_in_results(name) for number, name in names.items()}
    order = sorted(by_name, key=lambda number: (by_name[number], number))
    place_of = {number: place for place, number in enumerate(order)}
    games = []
    for game in read.games:
        if game.white in place_of and game.black in place_of:
            sides = sorted(
                [(place_of[game.white], game.white_points), (place_of[game.black], game.black_points)]
            )
            games.append([sides[0][0], sides[1][0], sides[0][1], sides[1][1]])
    return {"players": [by_name[number] for number in order], "games": sorted(games)}


def count_common_results(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[int, int]:
    """How many players, and how many results between them, two reports have in common."""
    players = len(set(one["players"]) & set(other["players"]))
    return players, (_named_games(one) & _named_games(other)).total() if players > 1 else 0


def is_same_tournament(one: Mapping[str, Any], other: Mapping[str, Any], equal_results: int) -> bool:
    """Whether so many equal results make two reports look like one tournament, or like one and a part of it."""
    fewer = min(len(one["games"]), len(other["games"]))
    return fewer > 0 and 100 * equal_results >= EQUAL_RESULTS_PERCENT * fewer


def _named_games(results: Mapping[str, Any]) -> Counter[tuple[str, str, int, int]]:
    players = results["players"]
    return Counter((players[one], players[two], *points) for one, two, *points in results["games"])
