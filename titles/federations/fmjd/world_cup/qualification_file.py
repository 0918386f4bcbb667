"""The TOML file of a championship: who is champion, who refused, who is named; and the places that follow from it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.models import Player, Sex
from reporting.rules.details.detail_kinds import MAX_NUMBER
from titles.federations.fmjd.championships.calculate_places import GivenChampionship, calculate_places
from titles.federations.fmjd.championships.check_names import WrongName, wrong_names
from titles.federations.fmjd.rules.world_cup.parameters import EDITIONS, PlacesOfItem, edition_in_force
from titles.federations.fmjd.rules.world_cup.qualification import NAMED_KINDS
from titles.federations.fmjd.world_cup.inputs import (
    FIRST_YEAR,
    LAST_YEAR,
    players_by_id,
    previous_championship,
    surviving_players,
)
from titles.federations.fmjd.world_cup.standings import reserve_rows

EXPECTED_NAMES = {
    WrongName.UNKNOWN: _("a player of the register"),
    WrongName.TWICE: _("each player once"),
    WrongName.OTHER_SEX: _("a woman"),
    WrongName.OTHER_CONTINENT: _("a player of the continent"),
}


def read_qualification_file(content: bytes) -> tuple[GivenChampionship | None, list[str]]:
    """The file, or None with everything that is wrong in it, each with line, what was found and what is expected.

    Merged players are named by the surviving record (R24). 4 queries.
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
        given = GivenChampionship(**{**values, "refused": tuple(values.get("refused", ()))}, named=named)
        wrong = list(_contradictions(given))
        if not wrong:
            return _of_persons(given), []
    return None, [_sentence(lines, key, found, expected) for key, found, expected in wrong]


def _of_persons(given: GivenChampionship) -> GivenChampionship:
    surviving = surviving_players()
    now = {
        number: int(surviving.get(player.pk, player).numbers["fmjd"])
        for number, player in players_by_id(given.players).items()
    }
    return replace(
        given,
        champion=now.get(given.champion or 0),
        opponent=now.get(given.opponent or 0),
        refused=tuple(now[number] for number in given.refused),
        named={item: tuple(now[number] for number in names) for item, names in given.named.items()},
    )


def qualification_answer(given: GivenChampionship) -> dict[str, Any]:
    """Group A, the places of a championship, the names that take none, and the reserve list. 22 queries at most."""
    found = calculate_places(given)
    return {
        "group_a": found.group_a,
        "places": [
            {
                "item": held.place.item,
                "kind": str(held.place.kind),
                "fmjd_id": held.place.player,
                "source": held.place.source.value,
                "by_lot": held.by_lot,
            }
            for held in found.places
        ],
        "findings": [
            {"code": name.code.value, "item": name.item, "fmjd_id": name.player} for name in found.findings
        ],
        "reserves": reserve_rows(found.reserves),
    }


Wrong = tuple[str, Any, str | Promise]
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


def _contradictions(given: GivenChampionship) -> Iterator[Wrong]:
    if given.match_played and given.opponent is None:
        yield "match_played", "true", gettext("the opponent, where the match was played")
    if given.champion is not None and given.champion == given.opponent:
        yield "opponent", given.opponent, gettext("another player than the champion")
    if given.previous and not previous_championship(given.previous, women=given.women):
        expected = gettext("an accepted tournament of classical draughts with 100 squares")
        of_women = gettext("an accepted women’s tournament of classical draughts with 100 squares")
        yield "previous", given.previous, of_women if given.women else expected
    players = players_by_id(given.players)
    for key, numbers in (
        ("champion", (given.champion,)), ("opponent", (given.opponent,)), ("refused", given.refused),
    ):  # fmt: skip
        for number in filter(None, numbers):
            player: Player | None = players.get(number)
            if player is None:
                yield key, number, EXPECTED_NAMES[WrongName.UNKNOWN]
            elif given.women and player.sex != Sex.WOMAN:
                yield key, number, EXPECTED_NAMES[WrongName.OTHER_SEX]
    for item in given.items:
        for number, code in wrong_names(item, given.named.get(item.item, ()), players, women=given.women):
            yield str(item.item), number, EXPECTED_NAMES[code]


def _sentence(lines: Sequence[str], key: str, found: object, expected: str | Promise) -> str:
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
