"""The published list: categories, the official list, derived lists and the ranking of federations."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from config.demo.tournaments import OLDEST_IN_YOUTH
from ratings.federations.fmjd.rules.columns import RatedColumns
from ratings.federations.fmjd.rules.edition import federation_ranking
from ratings.federations.fmjd.rules.engine import arrange
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04
from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number
from ratings.rules.derived_lists import birth_years
from reporting.federations.fmjd.editions import EDITIONS

CLOSING = date(2026, 6, 15)
THREE = date(2023, 6, 15)  # outside; the day after is inside
FIVE = date(2021, 6, 15)


def published(*rows, closing=CLOSING):
    """A list of players given as (rating, games, games in 3 years, last game), with ids 1, 2, …"""
    size = len(rows)
    rating, games, recent, last = zip(*rows, strict=True)
    rated = RatedColumns(
        player=list(range(1, size + 1)), rating=list(rating), previous=[0] * size, change=[0] * size,
        period_games=[0] * size, games=list(games), games_3_years=list(recent),
        last_game_day=[day_number(day) if day else NO_DAY for day in last],
        reached_2300=[False] * size,
    )  # fmt: skip
    return arrange(ANNEX_9_2024_04, day_number(closing), rated, np.arange(1, size + 1))


def one(*row, closing=CLOSING):
    listed = published(row, closing=closing)
    return listed.category[0].decode(), bool(listed.official[0])


NOW = date(2026, 6, 1)


@pytest.mark.parametrize(
    ("rating", "games", "recent", "last", "category"),
    [
        # Under 2300: 30 games in all.
        (2299, 30, 1, NOW, "A"),
        (2299, 29, 29, NOW, "B"),
        # From 2300: 50.
        (2300, 50, 1, NOW, "A"),
        (2300, 49, 49, NOW, "B"),
        (2350, 50, 1, NOW, "A"),
        # From 2351 also 30 in the last 3 years.
        (2351, 50, 30, NOW, "A"),
        (2351, 50, 29, NOW, "B"),
        (2351, 49, 49, NOW, "B"),
        # The last game 3 years ago to the day is outside the last 3 years, a day later inside.
        (2000, 30, 1, date(2023, 6, 16), "A"),
        (2000, 30, 0, THREE, "B"),
        (2000, 29, 1, date(2023, 6, 16), "B"),
        # Between 3 and 5 years B needs the totals.
        (2000, 29, 0, THREE, "C"),
        (2300, 49, 0, THREE, "C"),
        (2300, 50, 0, THREE, "B"),
        # 5 years to the day is outside, a day later inside.
        (2000, 30, 0, date(2021, 6, 16), "B"),
        (2000, 30, 0, FIVE, "C"),
        (2400, 500, 0, FIVE, "C"),
        (2000, 500, 0, None, "C"),
    ],
)
def test_a_player_is_on_list_a_b_or_c(rating, games, recent, last, category):
    assert one(rating, games, recent, last)[0] == category


@pytest.mark.parametrize(
    ("rating", "recent", "official"),
    [(2350, 1, True), (2350, 0, False), (2351, 30, True), (2351, 29, False), (1500, 1, True)],
)
def test_the_official_list_wants_30_games_in_3_years_from_2351_on_and_one_below(rating, recent, official):
    assert one(rating, 500, recent, NOW)[1] is official


def test_years_counted_back_from_29_february_end_on_28_february():
    leap_day = date(2024, 2, 29)
    assert one(2000, 30, 0, date(2021, 2, 28), closing=leap_day)[0] == "B"
    assert one(2000, 30, 1, date(2021, 3, 1), closing=leap_day)[0] == "A"


def test_the_list_falls_by_rating_then_rises_by_register_number_and_equal_ratings_share_a_rank():
    listed = published((2100, 30, 1, NOW), (2200, 30, 1, NOW), (2100, 30, 1, NOW), (2000, 30, 1, NOW))
    assert listed.player.tolist() == [2, 1, 3, 4]
    assert listed.position.tolist() == [1, 2, 3, 4]
    assert listed.rank.tolist() == [1, 2, 2, 4]


def test_the_official_list_has_its_own_positions_and_ranks():
    listed = published(
        (2400, 99, 29, NOW), (2380, 99, 30, NOW), (2100, 30, 0, THREE), (2100, 30, 1, NOW), (2100, 30, 1, NOW)
    )
    assert listed.rating.tolist() == [2400, 2380, 2100, 2100, 2100]
    assert listed.official.tolist() == [False, True, False, True, True]
    assert listed.official_position.tolist() == [0, 1, 0, 2, 3]
    assert listed.official_rank.tolist() == [0, 1, 0, 2, 2]


def test_the_ages_of_youth_are_those_of_reports_and_of_the_demonstration():
    """Annex 2 art. 3f (R13, R73a): reports, lists and the demonstration say the highest ages each for itself."""
    of_lists = {
        derived.name: derived.oldest
        for derived in ANNEX_9_2024_04.derived_lists
        if derived.oldest is not None
    }
    assert of_lists == EDITIONS[-1].oldest_of_youth == OLDEST_IN_YOUTH


def test_the_lists_have_the_names_of_the_command():
    assert [derived.name for derived in ANNEX_9_2024_04.derived_lists] == (
        ["women", "juniors", "cadets", "mini-cadets", "hopes", "young-stars", "veterans"]
    )


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        # Annex 2 art. 3f: "maximum age at December 31"; in 2027 a 19-year-old is born in 2008.
        ("juniors", 2008, None), ("cadets", 2011, None), ("mini-cadets", 2014, None), ("hopes", 2017, None),
        ("young-stars", 2019, None), ("veterans", None, 1967), ("women", None, None),
    ],
)  # fmt: skip
def test_ages_are_those_of_31_december_of_the_lists_year(name, first, last):
    derived = next(
        derived_list for derived_list in ANNEX_9_2024_04.derived_lists if derived_list.name == name
    )
    assert birth_years(derived, 2027) == (first, last)
    assert derived.sex == ("W" if name == "women" else "")


def test_federations_are_ranked_by_the_exact_mean_of_their_ten_best():
    # 31: ten of 2000 and a weaker eleventh, who does not count: mean 2000.
    # 32: nine of 2000 and one of 2001, the mean 2000,1.
    # 33: as 31, so they share rank 2 and the next would be 4.
    # 34: ten of 1999. 35: nine of 2400 only: no rank, after the others.
    teams = {
        31: [2000] * 10 + [1500], 32: [2000] * 9 + [2001], 33: [2000] * 10, 34: [1999] * 10, 35: [2400] * 9,
    }  # fmt: skip
    federation = np.array([f for f, ratings in teams.items() for _ in ratings])
    rating = np.array([r for ratings in teams.values() for r in ratings])
    order = np.random.default_rng(1).permutation(rating.size)
    ranking = federation_ranking(ANNEX_9_2024_04, federation[order], rating[order])
    assert ranking.federation.tolist() == [32, 31, 33, 34, 35]
    assert ranking.rank.tolist() == [1, 2, 2, 4, 0]
    assert ranking.players.tolist() == [10, 10, 10, 10, 9]
    assert ranking.total.tolist() == [20_001, 20_000, 20_000, 19_990, 21_600]
    assert ranking.mean_e4.tolist() == [20_001_000, 20_000_000, 20_000_000, 19_990_000, 24_000_000]


def test_without_players_there_is_no_ranking_of_federations():
    assert len(federation_ranking(ANNEX_9_2024_04, np.array([], int), np.array([], int))) == 0
