"""The classification as a kind of publication: its inputs as a file, and its rows from this file alone (R71c)."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from io import StringIO
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ratings.rules.days import day_number
from titles.federations.fmjd.rules.world_cup.classification import window_start
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.rules.world_cup.results import (
    CupParticipationColumns,
    CupTournamentColumns,
    DeclarationColumns,
)
from titles.federations.fmjd.world_cup.inputs import CupInput, Federations, columns_from, cup_input
from titles.federations.fmjd.world_cup.publications.files import csv_text
from titles.federations.fmjd.world_cup.publications.kinds import PublicationKey, PublicationKind, Row
from titles.federations.fmjd.world_cup.standings import standing_figures, standing_on

INPUT_COLUMNS = (
    "tournament", "number", "first_round", "last_round", "stars", "separate", "women_only", "fmjd_id", "woman",
    "federation", "place", "points", "games", "wins", "absent", "year", "declared_on",
)  # fmt: skip
"""A line for each participation, then for declarations of a year without one: only player, year and day."""
OF_TOURNAMENT = ("number", "first_round", "last_round", "stars", "separate", "women_only")
OF_PARTICIPATION = ("fmjd_id", "woman", "place", "points", "games", "wins", "absent")
COLUMNS = (
    "rank", "fmjd_id", "federation", "points", "first", "second", "third", "last_result", "wins", "equal",
)  # fmt: skip


@dataclass(frozen=True)
class TournamentOfFile:
    """What a result names of its tournament."""

    code: str
    played_to: date


def read_inputs(key: PublicationKey) -> str:
    """All participations in the tournaments that can matter on the day, with declarations made by then. 7 queries.

    Tournaments from the beginning of the year in which the window begins: the first one of a year decides whether a
    declaration of that year was in time (R71b).
    """
    day = key.day
    assert day is not None  # noqa: S101 (of every classification)
    given = cup_input(key.section)
    first_year = window_start(day, edition_in_force(day).years).year
    last = day_number(day)
    made = zip(*(column.tolist() for column in _columns(given.declarations)), strict=True)
    declared = {
        (player, year): on for player, year, on in made if first_year <= year <= day.year and on <= last
    }
    federations = Federations({player.pk for player in given.players.values()})
    lines: list[dict[str, Any]] = []
    for row, (of, *values) in enumerate(
        zip(*(column.tolist() for column in _columns(given.participations)), strict=True)
    ):
        found = given.result_sets[of]
        if found.played_to.year < first_year or found.played_to > day:
            continue
        number, first_round, _, stars, separate, women_only = (
            column[of].item() for column in _columns(given.tournaments)
        )
        player = int(given.participations.player[row])
        on = declared.get((player, found.played_to.year))
        lines.append(
            dict(zip(OF_PARTICIPATION, values, strict=True))
            | {
                "tournament": found.code,
                "number": number,
                "first_round": _iso(first_round),
                "last_round": found.played_to.isoformat(),
                "stars": stars,
                "separate": separate,
                "women_only": women_only,
                "federation": federations.on(given.players[player], day),
                "year": found.played_to.year,
                "declared_on": None if on is None else _iso(on),
            }
        )
    lines.sort(
        key=lambda line: (line["last_round"], line["number"], line["place"] or 10_000, line["fmjd_id"])
    )
    with_participation = {(line["fmjd_id"], line["year"]) for line in lines}
    lines += [
        dict.fromkeys(INPUT_COLUMNS) | {"fmjd_id": player, "year": year, "declared_on": _iso(on)}
        for (player, year), on in sorted(declared.items())
        if (player, year) not in with_participation
    ]
    return csv_text(INPUT_COLUMNS, lines)


def calculate(key: PublicationKey, inputs: str) -> list[Row]:
    """The rows of the classification, each with the results of its window, from a file of `read_inputs`. No query.

    Raises ValueError or KeyError for a file of another form.
    """
    day = key.day
    assert day is not None  # noqa: S101 (of every classification)
    lines = list(csv.DictReader(StringIO(inputs)))
    standing = standing_on(day, input_of_lines(lines), women=key.women)
    federation_of = {int(line["fmjd_id"]): line["federation"] for line in lines if line["tournament"]}
    return [row | {"federation": federation_of[row["fmjd_id"]]} for row in standing_figures(standing)]


def input_of_lines(lines: Sequence[Mapping[str, str]]) -> CupInput:
    """What lines of a file of `read_inputs` say, without players. No query. Raises ValueError or KeyError."""
    played = [line for line in lines if line["tournament"]]
    lines_of = {line["tournament"]: line for line in played}
    at = {code: row for row, code in enumerate(lines_of)}
    declared = {
        (int(line["fmjd_id"]), int(line["year"]), _number(line["declared_on"]))
        for line in lines
        if line["declared_on"]
    }
    return CupInput(
        tournaments=columns_from(
            CupTournamentColumns, [_numbers(line, OF_TOURNAMENT) for line in lines_of.values()]
        ),
        participations=columns_from(
            CupParticipationColumns,
            [(at[line["tournament"]], *_numbers(line, OF_PARTICIPATION)) for line in played],
        ),
        declarations=columns_from(DeclarationColumns, sorted(declared)),
        result_sets=[
            TournamentOfFile(code, date.fromisoformat(line["last_round"])) for code, line in lines_of.items()
        ],
        players={},
        problems=[],
    )


FLAGS = {"separate", "women_only", "woman", "absent"}
DAYS = {"first_round", "last_round"}


def _numbers(line: Mapping[str, str], names: tuple[str, ...]) -> tuple[int | bool, ...]:
    return tuple(
        _number(line[name]) if name in DAYS else line[name] == "1" if name in FLAGS else int(line[name])
        for name in names
    )


def _number(day: str) -> int:
    return day_number(date.fromisoformat(day))


def _iso(number: int) -> str:
    return date.fromordinal(number + date(1970, 1, 1).toordinal()).isoformat()


def _columns(table: Any) -> list[Any]:
    return [getattr(table, name) for name in table.__dataclass_fields__]


def tournaments(inputs: str) -> set[str]:
    """The codes of the tournaments in a file of `read_inputs`."""
    return {line["tournament"] for line in csv.DictReader(StringIO(inputs))} - {""}


def label(key: PublicationKey) -> str:
    """The name of a classification."""
    assert key.day is not None  # noqa: S101 (of every classification)
    names = {"day": date_format(key.day, "j M Y"), "squares": key.section}
    if key.women:
        return gettext("World Cup of women, %(squares)s squares, on %(day)s") % names
    return gettext("World Cup, %(squares)s squares, on %(day)s") % names


def words(row: Row) -> str:
    """The points of a row."""
    return ngettext("%(points)s point", "%(points)s points", row["points"]) % {"points": row["points"]}


def address(key: PublicationKey, revision: int | None) -> str:
    """The page of a classification; without a revision that of the newest."""
    assert key.day is not None  # noqa: S101 (of every classification)
    name = "world-cup-women" if key.women else "world-cup-open"
    arguments: dict[str, Any] = {"section": key.section, "day": key.day.isoformat()}
    return reverse(name, kwargs=arguments | ({"revision": revision} if revision else {}))


CLASSIFICATION = PublicationKind(
    code="classification",
    columns=COLUMNS,
    edition=lambda key: edition_in_force(key.day or date.max).id,
    read_inputs=read_inputs,
    calculate=calculate,
    label=label,
    address=address,
    heading=_("Points"),
    words=words,
    tournaments=tournaments,
)
