"""What Annex 10 implies for tournaments made by chance: a point or a title more never loses a norm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.annex10 import OPPONENTS, Case, columns, first_rows
from tests.processes.faults.fault_tools import rounds
from titles.federations.fmjd.inputs import NormInput
from titles.federations.fmjd.rules.columns import BLACK, RED, TITLES
from titles.federations.fmjd.rules.conditions import can_bring_norms
from titles.federations.fmjd.rules.norms import BY_RESULT, NO_GAME, examine, found_norms, requirements
from titles.federations.fmjd.rules.parameters import ANNEX_10_2024_04 as PARAMETERS
from titles.federations.fmjd.search import find_norms
from titles.federations.fmjd.title_rules import Annex10

TITLE_WORDS = ["-", "CMF", "MF", "MI", "GMI", "MFF", "MIF", "GMIF", "MF+MIF"]
STRONGER = {
    "-": "CMF", "CMF": "MF", "MF": "MI", "MI": "GMI", "GMI": "GMI",
    "MFF": "MIF", "MIF": "GMIF", "GMIF": "GMIF", "MF+MIF": "MI+MIF",
}  # fmt: skip

opponents = st.lists(
    st.builds(
        lambda federation, title, rating, points, sex: f"{federation} {title} {rating} {points} {sex}",
        st.sampled_from(["NED", "BLR", "LTU", "LAT"]),
        st.sampled_from(TITLE_WORDS),
        st.one_of(st.integers(2050, 2400), st.just(0)),
        st.sampled_from("2110"),
        st.sampled_from("MMW"),
    ),
    min_size=6,
    max_size=13,
)
tournaments = st.fixed_dictionaries(
    {},
    optional={
        "development": st.sampled_from([60, 100]),
        "system": st.sampled_from(["swiss", "round-robin"]),
        "championship": st.sampled_from(["no", "final"]),
        "competition": st.sampled_from(["", "world-championship"]),
        "referee": st.sampled_from(["fmjd", "national"]),
        "women_only": st.booleans(),
    },
)
cases = st.builds(Case, tournaments, st.sampled_from(["NED - 2200 M", "NED MF 2230 W"]), opponents)


def achieved(examination, row):
    return {
        (title, colour)
        for title in BY_RESULT
        for colour in (BLACK, RED)
        if examination.achieved(title, colour)[row]
    }


def with_change(case, place, change):
    """The case with one opponent changed: ``change`` gets and gives federation, title, rating, points, sex."""
    changed = list(case.opponents)
    changed[place] = " ".join(change(*changed[place].split()))
    return replace(case, opponents=changed)


@settings(max_examples=rounds(40, 100), deadline=None)
@given(cases, st.data())
def test_a_point_more_never_loses_a_norm(case, data):
    place = data.draw(st.integers(0, len(case.opponents) - 1))
    better = with_change(case, place, lambda *words: (*words[:3], str(min(int(words[3]) + 1, 2)), words[4]))
    before, after = first_rows(case, better)
    examination = examine(PARAMETERS, columns(case, better))
    assert achieved(examination, before) <= achieved(examination, after)


@settings(max_examples=rounds(40, 100), deadline=None)
@given(cases, st.data())
def test_a_stronger_title_among_the_opponents_never_loses_a_norm(case, data):
    place = data.draw(st.integers(0, len(case.opponents) - 1))
    stronger = with_change(case, place, lambda *words: (words[0], STRONGER[words[1]], *words[2:]))
    before, after = first_rows(case, stronger)
    examination = examine(PARAMETERS, columns(case, stronger))
    assert achieved(examination, before) <= achieved(examination, after)


@settings(max_examples=rounds(10, 25), deadline=None)
@given(st.lists(cases, min_size=1, max_size=4))
def test_all_tournaments_at_once_are_what_each_gives_alone(many):
    together = columns(*many)
    examination = examine(PARAMETERS, together)
    norms = found_norms(PARAMETERS, together, examination)
    for case, first in zip(many, first_rows(*many), strict=True):
        alone = columns(case)
        own = examine(PARAMETERS, alone)
        own_norms = found_norms(PARAMETERS, alone, own)
        size = len(alone.participations)
        mine = norms.rows((norms.participation >= first) & (norms.participation < first + size))
        assert (mine.participation - first).tolist() == own_norms.participation.tolist()
        for name in ("title", "red", "games", "open_norm"):
            assert np.array_equal(getattr(mine, name), getattr(own_norms, name)), name
        games_before = int(
            np.sum(together.participations.tournament[together.games.white]
                   < together.participations.tournament[first])
        )  # fmt: skip
        ignored = np.where(mine.ignored_game == NO_GAME, NO_GAME, mine.ignored_game - games_before)
        assert ignored.tolist() == own_norms.ignored_game.tolist()
        for row in range(size):
            for title in BY_RESULT:
                assert requirements(examination, first + row, title) == requirements(own, row, title)


@settings(max_examples=rounds(10, 25), deadline=None)
@given(cases, st.randoms())
def test_the_order_of_games_does_not_matter(case, random):
    turned = list(case.opponents)
    random.shuffle(turned)
    first, second = first_rows(case, replace(case, opponents=turned))
    examination = examine(PARAMETERS, columns(case, replace(case, opponents=turned)))
    for title in BY_RESULT:
        assert requirements(examination, first, title) == requirements(examination, second, title)
    assert len(TITLES) == 8


details = st.fixed_dictionaries(
    {},
    optional={
        "rounds": st.sampled_from([5, 9, "unknown"]),
        "development": st.sampled_from([30, 60, 100]),
        "championship": st.sampled_from(["no", "final"]),
        "competition": st.sampled_from(["", "world-championship", "asian-championship", "world-cup"]),
        "referee": st.sampled_from(["fmjd", "unknown"]),
        "council_approved": st.booleans(),
        "in_time": st.booleans(),
        "age": st.sampled_from(["", "juniors"]),
    },
)


@settings(max_examples=rounds(50, 200), deadline=None)
@given(details, st.sampled_from(["NED - 2200 M @1", "NED MF 2230 W @2"]), st.booleans())
def test_nothing_is_found_where_the_details_leave_a_tournament_out(of, player, is_won):
    case = Case(of, player, ["BLR GMI 2300 2 @5", *OPPONENTS[1:]] if is_won else OPPONENTS)
    read = columns(case)
    rows = np.arange(len(read.participations))
    search = find_norms(
        Annex10(PARAMETERS), PARAMETERS, NormInput(read, rows, np.arange(len(read.games)), {})
    )
    assert can_bring_norms(PARAMETERS, read.tournaments)[0] or not len(search.columns)


def test_two_unmet_details_leave_a_tournament_out_and_one_does_not():
    one, two = {"council_approved": False}, {"council_approved": False, "rounds": 5}
    final = {**two, "championship": "final"}
    left = can_bring_norms(PARAMETERS, columns(Case(one), Case(two), Case(final)).tournaments)
    assert left.tolist() == [True, False, True]
