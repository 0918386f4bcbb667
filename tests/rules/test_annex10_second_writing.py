"""Norms by result written a second time, straight from the articles, person by person and with fractions.

Nothing of the engine is called in the second writing. Tournaments made by chance must come out alike.
"""

from __future__ import annotations

import csv
from collections import Counter
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.annex10 import TOURNAMENT, Case, columns, person
from tests.processes.faults.fault_tools import rounds
from titles.federations.fmjd.rules.columns import TITLES
from titles.federations.fmjd.rules.norms import NO_GAME, examine, found_norms
from titles.federations.fmjd.rules.parameters import ANNEX_10_2024_04 as PARAMETERS

TABLES = Path(__file__).parents[2] / "titles/federations/fmjd/rules/tables"


def table(name):
    with (TABLES / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


X2, X3 = table("x2"), table("x3")
NAMES = [row["category"] for row in X2]
LEVELS = {"MF": 2, "MI": 3, "GMI": 4}


def category_of(rm, women):
    """X-2."""
    kind = "women" if women else "open"
    for row in reversed(X2):
        if not row[f"{kind}_min"] or rm >= int(row[f"{kind}_min"]):
            return row["category"]
    raise AssertionError


def points_asked(category, level, games):
    """X-3 and R32: none below the first category, the lowest percentage above the last."""
    column = f"category_{level.lower()}"
    lines = [(NAMES.index(line[column]), int(line["percentage"])) for line in X3 if line[column]]
    at = min(NAMES.index(category), max(place for place, _ in lines))
    percentage = dict(lines).get(at)
    return None if percentage is None else ceil(Fraction(percentage * 2 * games, 100))


def counts_as(one, women):
    """Art. 2.1.1, R33: the title as which a person counts."""
    level = max(one.title, one.women_title) if women else one.title
    gmi, mi = (2165, 2090) if women else (2300, 2250)
    if level == 4 and one.rating >= gmi:
        return "GMI"
    if level >= 3 and one.rating >= mi:
        return "MI"
    return "MF" if level >= 2 else ""


def enough_titled(met, level, women):
    """Art. 4.5.3 to 4.5.10, R34, by trying which MF and MI are put together."""
    titles = [(counts_as(one, women), one.rating) for one in met]
    gmi = [rating for title, rating in titles if title == "GMI"]
    mi = [rating for title, rating in titles if title == "MI"]
    mf = [rating for title, rating in titles if title == "MF"]
    if level == "MF":
        return len(gmi) + len(mi) + len(mf) >= 3
    while sum(rating >= (2110 if women else 2210) for rating in mf) >= 3:
        for _ in range(3):
            mf.remove(max(mf))
        mi.append(2090 if women else 2250)
    if level == "MI":
        return len(gmi) + len(mi) >= 3 or len(gmi) >= 2
    while sum(rating >= (2150 if women else 2250) for rating in mi) >= 3:
        for _ in range(3):
            mi.remove(max(mi))
        gmi.append(2165 if women else 2300)
    return len(gmi) >= 3


def third(number):
    return ceil(Fraction(number, 3))


def half(number):
    return ceil(Fraction(number, 2))


def norm_of(case, me, games, level, women):  # noqa: PLR0911 (one condition after another)
    """The colour of the norm of a group of opponents with results, or None."""
    details = {**TOURNAMENT, **case.tournament}
    final = details["championship"] == "final"
    everyone = [me, *(person(text) for text in case.opponents)]
    if women and me.sex != "W":
        return None
    if details["development"] < 60 or details["rounds"] < 7 or len(games) < 7:
        return None
    official = details["competition"] != "" or details["official"]
    rated = sum(one.rating > 0 for one in everyone)
    if not final and not official:
        abroad = [one.federation for one in everyone if one.federation != "NED"]
        if len(set(abroad)) < 2 or len(abroad) < third(len(everyone)):
            return None
        if details["system"] == "round-robin" and rated < third(len(everyone)) + 3:
            return None
    if final and rated < (3 if details["system"] == "round-robin" else half(len(everyone))):
        return None
    values = [one.rating or (2000 if one.sex == "W" else 2100) for one, _ in games]
    rm = floor(Fraction(sum(values), len(values)) + Fraction(1, 2))
    asked = points_asked(category_of(rm, women), level, len(games))
    if asked is None or sum(points for _, points in games) < asked:
        return None
    met = [one for one, _ in games]
    if not enough_titled(met, level, women):
        return None
    group = [me, *met]
    foreign = len(group) - max(Counter(one.federation for one in group).values())
    group_rated = sum(one.rating > 0 for one in group)
    if (not final and foreign < third(len(group))) or group_rated < third(len(group)) + 3:
        return None
    limit = 2110 if details["women_only"] else 2210
    titled = sum(
        one.title > 0
        or one.women_title > 0
        or one.rating >= limit
        or details["competition"] == "world-championship"
        for one in group
    )
    red = (
        not final
        and details["development"] == 100
        and titled >= half(len(group))
        and foreign >= half(len(group))
        and group_rated >= ceil(Fraction(4 * len(group), 5))
        and details["referee"] in ("fmjd", "international")
    )
    return "red" if red else "black"


def better(one, other):
    order = [None, "black", "red"]
    return one if order.index(one) > order.index(other) else other


def second_writing(case):
    """The norms of the player, and those possible with one won game ignored (R36)."""
    me = person(case.player)
    games = [(one, one.points) for one in (person(text) for text in case.opponents)]
    own, requested, ignoring = {}, {}, {}
    for women in (False, True):
        for level in ("GMI", "MI", "MF"):
            title = level + "F" * women
            colour = norm_of(case, me, games, level, women)
            if women and me.sex == "W":
                colour = better(colour, own.get(level))  # R33a
            if colour:
                own[title] = colour
            best = None
            for place, (_, points) in enumerate(games):
                if points == 2:
                    rest = games[:place] + games[place + 1 :]
                    best = better(best, norm_of(case, me, rest, level, women))
            ignoring[title] = best
            if women and me.sex == "W":
                best = better(best, ignoring[level])  # R33a
            if better(best, colour) != colour:
                requested[title] = best
    return own, requested


opponents = st.lists(
    st.builds(
        lambda federation, title, rating, points, sex: f"{federation} {title} {rating} {points} {sex}",
        st.sampled_from(["NED", "BLR", "BLR", "LTU", "LAT"]),
        st.sampled_from(["-", "CMF", "MF", "MF", "MI", "MI", "GMI", "GMI", "MFF", "MIF", "GMIF", "MF+GMIF"]),
        st.one_of(
            st.integers(2085, 2340), st.sampled_from([2090, 2110, 2150, 2165, 2210, 2250, 2300, 1700, 0])
        ),
        st.sampled_from("22111"),
        st.sampled_from("MMW"),
    ),
    min_size=7,
    max_size=12,
)
tournaments = st.fixed_dictionaries(
    {},
    optional={
        "development": st.sampled_from([60, 100, 100]),
        "system": st.sampled_from(["swiss", "round-robin"]),
        "championship": st.sampled_from(["no", "no", "final"]),
        "competition": st.sampled_from(["", "", "world-championship", "world-cup"]),
        "referee": st.sampled_from(["fmjd", "international", "national"]),
        "women_only": st.booleans(),
    },
)
cases = st.builds(
    Case, tournaments, st.sampled_from(["NED - 2200 M", "NED MF 2230 W", "LTU - 2050 W", "BLR - 0 M"]), opponents,
)  # fmt: skip


@settings(max_examples=rounds(60, 200), deadline=None)
@given(st.lists(cases, min_size=1, max_size=3))
def test_the_engine_finds_what_the_articles_say(many):
    given_columns = columns(*many)
    examination = examine(PARAMETERS, given_columns)
    norms = found_norms(PARAMETERS, given_columns, examination)
    first = 0
    for case in many:
        mine = norms.rows(norms.participation == first)
        own, requested = {}, {}
        for title, red, ignored in zip(
            mine.title.tolist(), mine.red.tolist(), mine.ignored_game.tolist(), strict=True
        ):
            kind = own if ignored == NO_GAME else requested
            kind[TITLES[title]] = "red" if red else "black"
        expected_own, expected_requested = second_writing(case)
        assert own == expected_own
        assert requested == expected_requested
        first += 1 + len(case.opponents)
