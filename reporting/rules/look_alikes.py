"""Who of the register a reported player may be, and which reports look like one tournament (R21, R24).

Names are held together word by word: as written, in another alphabet or spelling, with a letter or two wrong, in
another order, with a part more or less. What comes out is reasons in words, never a figure: the referee decides.
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

MAX_CANDIDATES = 5
"""Players of the register shown for one player of a report."""

MAX_NAME_LENGTH = 130
"""Letters of a name in the register, last and first; a longer one in a report is nobody's and is not looked for."""

MAX_WORDS = 8
"""Words of a name by which others are found, the rarest; all its words are then held together."""

TYPO_WORD_LENGTHS = (4, 8)
"""Letters of the shorter word from which one, and two, letters may differ. Our figures."""

EQUAL_RESULTS_PERCENT = 80
"""Results in a hundred, of the report with fewer, from which two reports look like one. Our figure."""

MAX_DAYS_SHIFTED = 3
"""Days by which two reports of one tournament may differ in its days. Our figure: a weekly event is further off."""

_OTHER_ALPHABETS = str.maketrans(
    dict(zip("абвгґдезиіјклмнопрстуфыэ", "abvggdeziijklmnoprstufye", strict=True))
    | dict(zip("ђћқңғұүөәһ", "dkknguuoeh", strict=True))
    | {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "є": "ye"}
    | {"љ": "lj", "њ": "nj", "џ": "dzh", "ъ": "", "ь": ""}
    | dict(zip("αβγδεζηικλμνξοπρστυφω", "avgdeziiklmnxoprstufo", strict=True))
    | {"θ": "th", "χ": "ch", "ψ": "ps"}
)
"""Cyrillic and Greek letters, as folding leaves them, in Latin ones."""

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
"""The usual spellings of one sound, each by one letter, in this order."""


class Person(NamedTuple):
    """What is known of one: `sort_name` is `last, first`, folded; without a comma the parts are not told apart."""

    number: int
    sort_name: str
    federation: str
    birth_year: int | None
    sex: str


class LookAlike(NamedTuple):
    """A person of the register, by number, and why he may be meant; `same_name` where each word is the same."""

    number: int
    reasons: tuple[str, ...]
    same_name: bool


@lru_cache(maxsize=262_144)
def spelling(name: str) -> tuple[str, ...]:
    """Each word of a folded name as all its usual spellings have it: `mueller`, `muller` are one, as are `w`, `v`.

    Only for comparison. Names repeat, in a register and from report to report: the words are kept.
    """
    words = []
    for word in name.split():
        plain = word.translate(_OTHER_ALPHABETS)
        for pattern, written in _SPELLINGS:
            plain = pattern.sub(written, plain)
        words.append(plain or word)
    return tuple(words)


def look_alikes(wanted: Sequence[Person], known: Sequence[Person]) -> Mapping[int, Sequence[LookAlike]]:
    """For each wanted number those of the known who may be that person, at most MAX_CANDIDATES, best first.

    A name that is only alike counts when birth or federation speak for it and neither birth nor sex against it; the
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
    slips = _slips({key for _, keys, _ in wanted_names for key in keys}, by_word)
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
            if (held := _held_together(person, name, known[place], names[place], slips)) is not None
            for rank, reasons, same in (held,)
        )
        found[person.number] = [
            LookAlike(number, reasons, same) for _, number, reasons, same in ranked[:MAX_CANDIDATES]
        ]
    return found


_Name = tuple[tuple[str, ...], tuple[str, ...], int]
"""The words of a name as folded, their spellings, and how many of them are the surname."""

_Slips = Mapping[str, Mapping[str, int]]


def _words(person: Person) -> _Name:
    last, _, first = person.sort_name.partition(", ")
    keys = spelling(last)
    return (*last.split(), *first.split()), (*keys, *spelling(first)), len(keys)


def _slips(wanted: set[str], known: Iterable[str]) -> _Slips:
    """For each wanted word the known ones that are a slip of the pen away, with the letters that differ.

    Only words that begin alike, or go on alike after the first letter, are held together: a slip seldom spoils both.
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
            for row, column in np.argwhere((differ > 0) & (differ <= 2)):
                word, other, letters = words[row], others[column], int(differ[row, column])
                if min(len(word), len(other)) >= TYPO_WORD_LENGTHS[letters - 1]:
                    found[word][other] = letters
    return found


def _held_together(
    person: Person, name: _Name, other: Person, other_name: _Name, slips: _Slips
) -> tuple[int, tuple[str, ...], bool] | None:
    """How far two persons are apart, for order only, the reasons to take them for one, and whether by each word."""
    born_alike = None
    if person.birth_year and other.birth_year:
        born_alike = person.birth_year == other.birth_year
    same_federation = person.federation == other.federation != ""
    compared = _names_held_together(name, other_name, slips)
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
        reasons.append("the same year of birth")
    if same_federation:
        reasons.append("the same federation")
    rank = 2 * distance + {True: 0, None: 1, False: 3}[born_alike] + (0 if same_federation else 2)
    return rank, tuple(reasons), distance == 0


def _names_held_together(name: _Name, other_name: _Name, slips: _Slips) -> tuple[int, list[str], bool] | None:
    """How far two names are apart, in what, and whether all their letters are the same but for the spelling."""
    words, keys, parting = name
    other_words, other_keys, other_parting = other_name
    pairs = _pair_words(name, other_name, slips)
    mine = [place for place in range(len(words)) if place not in pairs]
    taken = set(pairs.values())
    others = [place for place in range(len(other_words)) if place not in taken]
    if "".join(keys) == "".join(other_keys) and (mine or others):
        return 1, ["the same letters, parted into other words"], True
    if (mine and others) or (len(pairs) < 2 and (mine or others)):
        return None

    unequal: dict[str, list[str]] = {"another spelling": [], "letters": [], "an initial": []}
    letters = 0
    for place, at in pairs.items():
        if words[place] == other_words[at]:
            continue
        key, other_key = keys[place], other_keys[at]
        how = (
            "another spelling"
            if key == other_key
            else "an initial"
            if 1 in (len(key), len(other_key))
            else "letters"
        )
        unequal[how].append(f"{words[place].capitalize()}, {other_words[at].capitalize()}")
        letters += slips[key][other_key] if how == "letters" else 0
    initials = len(unequal["an initial"])
    certain = len(pairs) - initials - len(unequal["letters"])
    if letters > 2 or (len(pairs) == 1 and certain == 0) or initials == len(pairs):
        return None

    left_out = [words[place] for place in mine] + [other_words[place] for place in others]
    unequal["a part of the name more or less"] = [" ".join(word.capitalize() for word in left_out)] * bool(
        left_out
    )
    reasons = [
        f"{how if how != 'letters' else 'a letter differs' if letters == 1 else 'two letters differ'} "
        f"({'; '.join(which)})"
        for how, which in unequal.items()
        if which
    ]
    if _exchanged(pairs, len(words), parting, len(other_words), other_parting):
        reasons.insert(0, "first name and surname exchanged")
    elif not reasons:
        reasons.append("the same name")
    distance = bool(unequal["another spelling"]) + 2 * letters + 2 * initials + len(left_out)
    return distance, reasons, not (letters or initials or left_out)


def _exchanged(
    pairs: Mapping[int, int], words: int, parting: int, other_words: int, other_parting: int
) -> bool:
    """Whether every word stands in the other part of the other name; both say which part is which."""
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


def results_by_name(read: ReadReport, names: Mapping[int, str]) -> dict[str, Any]:
    """The results of a report as they are held against another's, whatever the form, order and numbers of both.

    `names` are the folded names by number. Returns JSON: `players`, and `games` as `[place, place, points, points]`
    with places in that list; pauses are left out.
    """
    by_name = {number: " ".join(sorted(name.replace(",", "").split())) for number, name in names.items()}
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
