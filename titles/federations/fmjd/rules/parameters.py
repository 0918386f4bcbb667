"""The numbers of Annex 10, as dated editions, with its tables X-2 and X-3.

A federation that decides otherwise adds an edition here; no number of the regulations is in the code of the
engine. Table X-1 and the articles that belong to it are in ``tables/x1.toml``.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final, TypeVar

from ratings.rules.columns import Integers
from titles.federations.fmjd.rules.columns import CATEGORIES, GMI, LEVELS, MF, MI

Share = tuple[int, int]
"""A part of a number of persons: (1, 3) is a third. What is asked is rounded up (R35)."""

TABLES: Final = Path(__file__).parent / "tables"
_COLUMNS: Final = {MF: "category_mf", MI: "category_mi", GMI: "category_gmi"}


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveTitles:
    """The ratings from which titles count in open or in women's norms (art. 2.1.1, 4.5.9, 4.5.10; R33, R34).

    ``gmi`` and ``mi``: a GMI counts as GMI, a GMI or MI as MI. ``strong_mf`` and ``strong_mi``: three such MF
    count as one MI with a rating of ``mi``, three such MI as one GMI.
    """

    gmi: int
    mi: int
    strong_mf: int
    strong_mi: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleNeeds:
    """What a title asks (art. 5 to 9, R38): norms, their games in total, red ones, a rating once."""

    norms: int
    games: int = 0
    red: int = 0
    rating: int = 0
    rating_women: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceAward:
    """A line of ``tables/x1.toml``: what a final place in a competition brings (art. 3, X-1; R37, R37a).

    ``title``, ``norm`` and ``held`` are levels, 0 for none; of ``participants`` the second number is 0 for no
    limit.
    """

    article: str
    places: tuple[int, int]
    competitions: tuple[str, ...] = ()
    national: bool = False
    ages: tuple[str, ...] = ("senior",)
    disciplines: tuple[int, ...] = (100, 64)
    events: tuple[str, ...] = ("open", "women")
    participants: tuple[int, int] = (0, 0)
    held: int = 0
    title: int = 0
    norm: int = 0


def read_place_awards(folder: Path = TABLES) -> tuple[PlaceAward, ...]:
    """Table X-1 and articles 3.1 to 3.12 from their file."""
    with (folder / "x1.toml").open("rb") as file:
        lines = tomllib.load(file)["award"]
    return tuple(
        PlaceAward(**{name: _place_value(name, value) for name, value in line.items()}) for line in lines
    )


def _place_value(name: str, value: Any) -> Any:
    if name in ("title", "norm", "held"):
        return LEVELS.index(value)
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsTable:
    """Tables X-2 and X-3 (R32).

    ``open_from`` and ``women_from`` have the least Rm of each category from II on. ``percentages`` has for
    MF, MI and GMI the percentage of each category from I on, 0 below the first category of the title.
    """

    open_from: tuple[int, ...]
    women_from: tuple[int, ...]
    percentages: dict[int, tuple[int, ...]]

    def first_category(self, level: int) -> int:
        """The lowest category in which norms of this title are possible (X-3), counted from 1."""
        return next(n for n, percentage in enumerate(self.percentages[level], start=1) if percentage)


def read_points_table(folder: Path = TABLES) -> PointsTable:
    """X-2 and X-3 from their files; above the last category of a column its lowest percentage (R32)."""
    with (folder / "x2.csv").open(encoding="utf-8") as file:
        categories = list(csv.DictReader(file))
    assert [row["category"] for row in categories] == list(CATEGORIES[1:])  # noqa: S101 (data of this folder)
    percentages = {}
    with (folder / "x3.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    for level, column in _COLUMNS.items():
        printed = {CATEGORIES.index(line[column]): int(line["percentage"]) for line in lines if line[column]}
        last = max(printed)
        percentages[level] = tuple(
            printed.get(min(category, last), 0) for category in range(1, len(CATEGORIES))
        )
    return PointsTable(
        open_from=tuple(int(row["open_min"]) for row in categories[1:]),
        women_from=tuple(int(row["women_min"]) for row in categories[1:]),
        percentages=percentages,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """One edition of the rules of titles: its source, from when it is in force, and its numbers."""

    id: str
    source: str
    in_force_from: date

    # Art. 1.2 and 4.2.4, R30: for norms and automatic titles.
    least_games: int = 7
    least_rounds: int = 7
    # Art. 1.2 and 4.4, R30: percentage of development of classical games (Annex 9 art. 1.2.2.1).
    black_development: int = 60
    red_development: int = 100

    # Art. 4.2 a, R30a: official competitions by themselves; others are official where the report says so.
    official_competitions: tuple[str, ...] = (
        "world-championship",
        "european-championship",
        "african-championship",
        "asian-championship",
        "american-championship",
        "world-cup",
    )
    # Art. 4.2.1 and 4.2.2, R30.
    other_federations: int = 2
    participants_abroad: Share = (1, 3)
    round_robin_rated: Share = (1, 3)
    round_robin_rated_more: int = 3
    # Art. 4.2.5, R30.
    national_round_robin_rated: int = 3
    national_swiss_rated: Share = (1, 2)
    # Art. 4.2.6, R30c: rounds on one day, never more than one on each of two days in a row.
    rounds_a_day: int = 2

    # Art. 4.3, R31: an opponent without rating.
    unrated_man: int = 2100
    unrated_woman: int = 2000
    # Tables, R32.
    points_table: PointsTable = read_points_table()  # noqa: RUF009 (frozen)

    # Art. 2.1.1, 4.5.9 and 4.5.10, R33 and R34. 2150 is as printed.
    open_titles: EffectiveTitles = EffectiveTitles(gmi=2300, mi=2250, strong_mf=2210, strong_mi=2250)
    women_titles: EffectiveTitles = EffectiveTitles(gmi=2165, mi=2090, strong_mf=2110, strong_mi=2150)
    # Art. 4.5.3, 4.5.4, 4.5.7, 4.5.9 and 4.5.10, R34: titled opponents met.
    gmi_opponents: int = 3
    mi_opponents: int = 3
    gmi_opponents_for_mi: int = 2
    mf_opponents: int = 3
    counted_as_one: int = 3

    # Art. 4.4.1, R35: the group of a red norm.
    red_titled: Share = (1, 2)
    red_rating: int = 2210
    red_rating_women: int = 2110
    red_foreign: Share = (1, 2)
    red_rated: Share = (4, 5)
    red_referees: tuple[str, ...] = ("international", "fmjd")
    # "Any FMJD title" (R35): an F title makes a titled person in the group of an open norm too.
    women_titles_in_open_groups: bool = True
    # X-3 leaves the red minima below 10 players empty, R35a; 0: they do not forbid a red norm.
    red_least_group: int = 0
    # Art. 4.4.3, R35: the group of a black norm.
    black_foreign: Share = (1, 3)
    black_rated: Share = (1, 3)
    black_rated_more: int = 3

    # Art. 4.5.2, R36: won games that may be ignored on request.
    ignorable_wins: int = 1

    # Table X-1, art. 3.1 to 3.11.2 and 4.5.11.1, R37 and R37a.
    place_awards: tuple[PlaceAward, ...] = read_place_awards()
    # Art. 3.12, 3.11.4, 3.11.3, 4.5.11, R37: persons above whom a player finished; wins minus losses.
    above_for_title: int = 5
    above_masters_for_cmf: int = 3
    above_titled_for_cmf: int = 5
    above_for_cmf_norm: int = 3
    plus_score: int = 2
    # Which conditions a title and a norm by place ask (R30 and decision 0046).
    conditions_of_titles_by_place: tuple[str, ...] = ("development", "rounds", "games")
    conditions_of_norms_by_place: tuple[str, ...] = (
        "development", "rounds", "games", "days", "in_time", "council_approved", "referee_stated",
    )  # fmt: skip
    # Art. 3.11.5 and 4.7.1, R37c.
    cmf_rating: int = 2120
    cmf_rating_women: int = 2020
    cmf_rating_games: int = 7
    national_percentage: int = 65

    # Art. 5 to 9, R38, for CMF, MF, MI and GMI.
    title_needs: tuple[TitleNeeds, ...] = (
        TitleNeeds(norms=2),
        TitleNeeds(norms=3, games=20),
        TitleNeeds(norms=3, games=25, red=1, rating=2250, rating_women=2090),
        TitleNeeds(norms=3, games=27, red=1, rating=2300, rating_women=2165),
    )


ANNEX_10_2024_04 = Parameters(
    id="annex-10-2024-04",
    source="FMJD, Annex 10: FMJD regulations for recognition of international titles, edition of April 2024",
    in_force_from=date(2024, 4, 1),
)

EDITIONS: tuple[Parameters, ...] = (ANNEX_10_2024_04,)
"""All editions held, the oldest first."""


def edition_in_force(day: date, editions: Sequence[Parameters] = EDITIONS) -> Parameters:
    """The edition in force on a day: the newest begun by then; on a day before all of them the oldest."""
    begun = [edition for edition in editions if edition.in_force_from <= day]
    return begun[-1] if begun else editions[0]


Persons = TypeVar("Persons", int, Integers)


def share_of(share: Share, persons: Persons) -> Persons:
    """A part of so many persons, rounded up (art. 4.2.1, 4.4; R35)."""
    part, whole = share
    return -(-persons * part // whole)
