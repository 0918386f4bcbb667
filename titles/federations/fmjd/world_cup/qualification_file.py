"""The TOML file of a championship: who is champion, who refused, who is named; and the places that follow from it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext

from reporting.models import Player, Sex
from reporting.rules.details.detail_kinds import MAX_NUMBER
from titles.federations.fmjd.rules.world_cup.parameters import EDITIONS, PlacesOfItem, edition_in_force
from titles.federations.fmjd.rules.world_cup.qualification import (
    NAMED_KINDS,
    Claims,
    qualify,
    reserve_list,
    take_reserves,
)
from titles.federations.fmjd.world_cup.inputs import (
    FIRST_YEAR,
    LAST_YEAR,
    accepted_results,
    group_a,
    list_of_1_january,
    players_by_id,
    scores,
)
from titles.federations.fmjd.world_cup.standings import reserve_rows, reserve_sources

WOMEN = "women-20"


@dataclass(frozen=True, kw_only=True)
class QualificationFile:
    """What the file of a championship says; players by FMJD-ID, `named` by item."""

    championship: str
    year: int
    champion: int | None = None
    opponent: int | None = None
    match_played: bool = False
    refused: tuple[int, ...] = ()
    previous: str = ""
    named: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def women(self) -> bool:
        return self.championship == WOMEN

    @property
    def items(self) -> Sequence[PlacesOfItem]:
        """The items of its system, by the edition of its year."""
        return edition_in_force(date(self.year, 1, 1)).places[self.championship]

    @property
    def players(self) -> set[int]:
        """Everyone in the file."""
        of_file = (self.champion, self.opponent, *self.refused)
        return {*filter(None, of_file), *(player for names in self.named.values() for player in names)}


def read_qualification_file(content: bytes) -> tuple[QualificationFile | None, list[str]]:
    """The file, or None with everything that is wrong in it, each with line, what was found and what is expected.

    2 queries.
    """
    try:
        text = content.decode("utf-8-sig")
        values = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        return None, [gettext("The file is not TOML in UTF-8: %(problem)s") % {"problem": problem}]
    lines = text.splitlines()
    wrong = [
        *_wrong_values(values),
        *_wrong_names(values.get("named", {}), str(values.get("championship")), values.get("year")),
    ]
    if not wrong:
        named = {int(item): tuple(names) for item, names in values.pop("named", {}).items()}
        given = QualificationFile(**{**values, "refused": tuple(values.get("refused", ()))}, named=named)
        wrong = list(_contradictions(given))
        if not wrong:
            return given, []
    return None, [_sentence(lines, key, found, expected) for key, found, expected in wrong]


def qualification_answer(given: QualificationFile) -> dict[str, Any]:
    """Group A, the places of a championship, the names that take none, and the reserve list. 22 queries at most."""
    parameters = edition_in_force(date(given.year, 1, 1))
    previous = accepted_results(Q(tournament=given.previous)) if given.previous else []
    classified = [score for found in scores(previous).values() for score in found if score.place]
    rated = list_of_1_january(given.year, women=given.women)
    of_group_a = group_a(parameters, given.year, women=given.women)
    sources = reserve_sources(parameters, given.year, women=given.women)
    world_cup = [player for player, _ in sources[0]]
    players = players_by_id({*given.players, *world_cup})
    found = qualify(
        given.items,
        Claims(
            champion=given.champion,
            opponent=given.opponent,
            match_played=given.match_played,
            refused=given.refused,
            final_classification=[score.fmjd_id for score in classified],
            named=given.named,
            leaders=[row.register_number for row in rated if row.official_position is not None],
            world_cup=world_cup,
            federations={number: player.federation_id for number, player in players.items()},
            group_a=of_group_a,
        ),
    )
    qualified = {place.player for place in found.places if place.player is not None}
    places, left = take_reserves(found.places, list(reserve_list(*sources, qualified)))
    return {
        "group_a": of_group_a,
        "places": [
            {
                "item": place.item,
                "kind": str(place.kind),
                "fmjd_id": place.player,
                "source": place.source.value,
            }
            for place in places
        ],
        "findings": [
            {"code": name.code.value, "item": name.item, "fmjd_id": name.player} for name in found.findings
        ],
        "reserves": reserve_rows(left),
    }


Wrong = tuple[str, Any, str]
"""A key, what was found, what is expected."""


def _is_number(value: object, most: int = MAX_NUMBER) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= most


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_number, value))


def _is_year(value: object) -> bool:
    return isinstance(value, int) and _is_number(value, LAST_YEAR) and value >= FIRST_YEAR


def _championships(year: object) -> Mapping[str, Sequence[PlacesOfItem]]:
    """The championships of the year's edition, of the newest one where the year cannot be read."""
    edition = edition_in_force(date(year, 1, 1)) if isinstance(year, int) and _is_year(year) else EDITIONS[-1]
    return edition.places


def _wrong_values(values: Mapping[str, Any]) -> Iterator[Wrong]:
    championships = _championships(values.get("year"))
    an_id = gettext("an FMJD-ID")
    known: Mapping[str, tuple[Callable[[Any], bool], str]] = {
        "championship": (
            lambda value: isinstance(value, str) and value in championships,
            ", ".join(championships),
        ),
        "year": (
            _is_year,
            gettext("a year from %(first)s to %(last)s") % {"first": FIRST_YEAR, "last": LAST_YEAR},
        ),
        "champion": (_is_number, an_id),
        "opponent": (_is_number, an_id),
        "match_played": (lambda value: isinstance(value, bool), gettext("true or false")),
        "refused": (_is_list, gettext("a list of FMJD-IDs")),
        "previous": (
            lambda value: isinstance(value, str) and value.isprintable(),
            gettext("the code of a tournament"),
        ),
        "named": (lambda value: isinstance(value, dict), gettext("a table of items")),
    }
    for key, value in values.items():
        if key not in known:
            yield key, value, ", ".join(known)
        elif not isinstance(value, str | int | list | dict) or not known[key][0](value):
            yield key, value, known[key][1]
    for key in ("championship", "year"):
        if key not in values:
            yield key, "", known[key][1]


def _wrong_names(named: object, championship: str, year: object) -> Iterator[Wrong]:
    items = _championships(year).get(championship, ())
    can_be_named = [str(item.item) for item in items if item.kind in list(NAMED_KINDS)]
    for item, names in named.items() if items and isinstance(named, dict) else ():
        if item not in can_be_named:
            yield (
                item,
                item,
                gettext("an item whose players are named: %(items)s") % {"items": ", ".join(can_be_named)},
            )
        elif not _is_list(names):
            yield item, names, gettext("a list of FMJD-IDs")


def _contradictions(given: QualificationFile) -> Iterator[Wrong]:
    if given.match_played and given.opponent is None:
        yield "match_played", "true", gettext("the opponent, where the match was played")
    if given.champion is not None and given.champion == given.opponent:
        yield "opponent", given.opponent, gettext("another player than the champion")
    if given.previous and not accepted_results(Q(tournament=given.previous)):
        yield "previous", given.previous, gettext("the code of an accepted tournament")
    players = players_by_id(given.players)
    of_keys = [("champion", (given.champion,)), ("opponent", (given.opponent,)), ("refused", given.refused)]
    for key, numbers in [*of_keys, *((str(item), names) for item, names in given.named.items())]:
        for number in filter(None, numbers):
            player: Player | None = players.get(number)
            if player is None:
                yield key, number, gettext("a player of the register")
            elif given.women and player.sex == Sex.MAN:
                yield key, number, gettext("a woman")


def _sentence(lines: Sequence[str], key: str, found: object, expected: str) -> str:
    """Where the key, or a value of its list, is written, what is there and what is expected."""
    is_key = re.compile(rf"""\s*\[?\s*["']?{re.escape(key)}["']?\s*[=\]]""")
    first = next((at for at, line in enumerate(lines) if is_key.match(line)), None)
    if first is None:
        return gettext("%(key)s is missing. Expected: %(expected)s.") % {"key": key, "expected": expected}
    is_value = re.compile(rf"(?<!\d){re.escape(str(found))}(?!\d)")
    line = next((at for at, line in enumerate(lines) if at >= first and is_value.search(line)), first)
    return gettext("Line %(line)s, %(key)s: found %(found)s. Expected: %(expected)s.") % {
        "line": line + 1,
        "key": key,
        "found": found,
        "expected": expected,
    }
