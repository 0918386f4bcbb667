"""What the engine refuses, and what it makes of details at the edge: few players, few games, strange ids."""

from __future__ import annotations

import numpy as np
import pytest

from ratings.federations.fmjd.rules.columns import (
    BasisColumns,
    ChangeColumns,
    EventColumns,
    GameColumns,
    ParticipationColumns,
    PlayerColumns,
    RatedColumns,
)
from ratings.federations.fmjd.rules.engine import arrange, participations, ranks, rate
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04
from ratings.rules.columns import NEVER, NO_DAY

CLOSING = 20_619  # 15 June 2026


def an_event(**changed):
    fields = {"tournament": 7, "first_day": 20_600, "last_day": 20_605, "number": 1, "basis": 0}
    return EventColumns(**{k: [v] for k, v in (fields | {"seconds_for_60_moves": 7200} | changed).items()})


def games(*rows):
    names = ("event", "white", "black", "white_points", "black_points", "played", "day")
    return GameColumns(**dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def a_list(ratings, basis=0):
    return BasisColumns([basis] * len(ratings), list(ratings), list(ratings.values()))


def players(ratings, **columns):
    ids = sorted(ratings)
    nothing = {"games_3_years": 0, "carried": 0}
    fields = {"games": 100, "first_2300_day": NEVER, "last_game_day": NO_DAY} | nothing | columns
    return PlayerColumns(
        ids, [ratings[i] for i in ids], **{name: [value] * len(ids) for name, value in fields.items()}
    )


def count(rows, ratings, event=None, **keywords):
    return participations(
        ANNEX_9_2024_04, CLOSING, event or an_event(), games(*rows), a_list(ratings), **keywords
    )


RATED = {1: 2000, 2: 2100}
A_WIN = (0, 1, 2, 2, 0, True, 20_601)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((1, 1, 2, 2, 0, True, 20_601), "not among the events"),
        ((-1, 1, 2, 2, 0, True, 20_601), "not among the events"),
        ((0, 1, 1, 2, 0, True, 20_601), "their own opponent"),
        ((0, 1, 2, 2, 2, True, 20_601), "2-0, 1-1 or 0-2"),
        ((0, 1, 2, 3, -1, True, 20_601), "2-0, 1-1 or 0-2"),
        ((0, 1, -2, 2, 0, True, 20_601), "player id"),
    ],
)
def test_a_game_that_cannot_be_is_refused(row, message):
    with pytest.raises(ValueError, match=message):
        count([A_WIN, row], RATED)


def test_what_was_not_played_may_have_any_points():
    pauses = [(0, 1, 0, 2, 0, False, 20_603), (0, 0, 2, 0, 2, False, 20_603)]
    part = count([A_WIN, (0, 2, 1, 0, 0, False, 20_602), (0, 1, 2, 1, 1, False, 20_602), *pauses], RATED)
    assert part.games.tolist() == [1, 1]


@pytest.mark.parametrize(
    "basis",
    [
        BasisColumns([0, 0], [1, 1], [2000, 2001]),
        BasisColumns([0, 0], [1, 2], [2000, 0]),
        BasisColumns([0, 0], [1, 2], [2000, -5]),
        BasisColumns([0, 0], [0, 2], [2000, 2000]),
        BasisColumns([0, 0, 0], [10**12, 1, 10**12], [2000, 2100, 2000]),
    ],
)
def test_a_list_that_rates_a_player_twice_or_not_above_zero_is_refused(basis):
    with pytest.raises(ValueError, match="list"):
        participations(ANNEX_9_2024_04, CLOSING, an_event(), games(A_WIN), basis)


def test_a_player_behind_the_last_row_of_the_last_list_is_not_on_it():
    """3 was on the list before: the game counts for 3 and not for 1 (R8)."""
    lists = BasisColumns([0, 0, 0, 1, 1], [1, 2, 3, 1, 2], [2000] * 5)
    game = games((0, 1, 3, 2, 0, True, 20_601))
    part = participations(ANNEX_9_2024_04, CLOSING, an_event(basis=1), game, lists)
    assert (part.player.tolist(), part.games.tolist(), part.own.tolist()) == ([1, 3], [0, 1], [2000, 0])


def test_ids_far_apart_are_found_as_those_close_together():
    # The same event twice: ids 1, 2, 3 and the same three times a thousand million.
    near = count([A_WIN, (0, 3, 1, 0, 2, True, 20_603), (0, 3, 2, 1, 1, True, 20_604)], RATED)
    far = 10**9
    rows = [(0, far, 2 * far, 2, 0, True, 20_601), (0, 3 * far, far, 0, 2, True, 20_603)]
    rows.append((0, 3 * far, 2 * far, 1, 1, True, 20_604))
    scattered = count(rows, {far: 2000, 2 * far: 2100})
    assert scattered.player.tolist() == [far, 2 * far, 3 * far]
    for name in ("own", "games", "opponents_sum", "points", "unrated_games", "first_day", "last_day"):
        assert getattr(near, name).tolist() == getattr(scattered, name).tolist(), name
    # By hand: 1 and 2 met each other; 3, unrated, met both: their mean is (2000 + 2100) / 2, one draw.
    assert near.own.tolist() == [2000, 2100, 0]
    assert near.games.tolist() == [1, 1, 2]
    assert near.opponents_sum.tolist() == [2100, 2000, 4100]
    assert near.points.tolist() == [2, 0, 1]
    assert near.unrated_games.tolist() == [1, 1, 0]
    assert near.first_day.tolist() == [20_601, 20_601, 20_603]
    assert near.last_day.tolist() == [20_601, 20_601, 20_604]


def test_a_list_that_no_one_of_the_event_is_on_counts_no_game_and_gives_no_day():
    part = count([A_WIN], {9: 2000})
    assert part.games.tolist() == [0, 0]
    assert part.unrated_games.tolist() == [1, 1]
    assert part.first_day.tolist() == part.last_day.tolist() == [NO_DAY, NO_DAY]


def test_an_event_whose_list_has_no_rows_counts_no_game():
    part = count([A_WIN], RATED, an_event(basis=3))
    assert part.own.tolist() == part.games.tolist() == [0, 0]


def test_only_the_players_asked_for_are_given_with_all_their_games():
    part = count([A_WIN, (0, 3, 1, 0, 2, True, 20_603)], RATED, players=np.array([3, 2]))
    assert part.player.tolist() == [2, 3]
    assert part.games.tolist() == [1, 1]


def test_games_exactly_three_years_before_closing_are_outside():
    # 15 June 2023 is day 19 523; closing is 15 June 2026. In a league over years only the later game counts.
    part = count([(0, 1, 2, 2, 0, True, 19_523), (0, 2, 1, 2, 0, True, 19_524)], RATED)
    assert part.games.tolist() == [2, 2]
    assert part.games_in_3_years.tolist() == [1, 1]


def test_nothing_at_all_gives_tables_without_rows():
    no_players = PlayerColumns.joined([])
    none = EventColumns.joined([])
    part = participations(ANNEX_9_2024_04, CLOSING, none, GameColumns.joined([]), BasisColumns.joined([]))
    changes, rated = rate(ANNEX_9_2024_04, no_players, none, part)
    listed = arrange(ANNEX_9_2024_04, CLOSING, rated, rated.player)
    assert [len(table) for table in (part, changes, rated, listed, ChangeColumns.joined([]))] == [0] * 5


def test_a_player_on_the_list_without_an_event_keeps_their_rating():
    nothing = (EventColumns.joined([]), ParticipationColumns.joined([]))
    changes, rated = rate(ANNEX_9_2024_04, players(RATED), *nothing)
    assert len(changes) == 0
    assert (rated.rating.tolist(), rated.change.tolist()) == ([2000, 2100], [0, 0])


def test_24_games_and_no_rating_is_a_first_result():
    part = count([(0, 1, 2, 1, 1, True, 20_601)], {1: 2000})
    changes, _ = rate(ANNEX_9_2024_04, players({1: 2000, 2: 0}, games=24), an_event(), part)
    # One draw against 2000; the 24 games brought no value that could be weighed.
    assert (changes.player.tolist(), changes.after_e4.tolist()) == ([2], [20_000_000])


def rated_with(of_players, event=None, times=1):
    """The event is rated for these players, by the participations of a win given so many times."""
    part = ParticipationColumns.joined([count([A_WIN], RATED)] * times)
    return rate(ANNEX_9_2024_04, of_players, event or an_event(), part)


@pytest.mark.parametrize(
    ("calculate", "message"),
    [
        (lambda: count([A_WIN], RATED, an_event(basis=-1)), "number of a list"),
        (lambda: rated_with(players({1: 2000, 2: 0}, games=25)), "player 2 has 25 counted games"),
        (lambda: rated_with(players({1: 2000})), "player 2 is not among the players"),
        (lambda: rated_with(PlayerColumns.joined([])), "player 1 is not among the players"),
        (lambda: rated_with(players(RATED), times=2), "player 1 is there twice"),
        *((lambda order=order: rated_with(players(RATED).rows(np.array(order))), "rise by id")
          for order in ([1, 0], [0, 0, 1])),
        (lambda: rated_with(players(RATED), an_event(seconds_for_60_moves=0)), "above zero"),
        (lambda: BasisColumns([0, 0], [1], [2000, 2000]), r"BasisColumns.player: 1 rows, expected 2"),
        (lambda: BasisColumns([0], [1], [2000.5]), r"BasisColumns.rating: one column of integers expected"),
        (lambda: GameColumns([0], [1], [2], [2], [0], [1], [20_601]),
         r"GameColumns.played: one column of flags expected"),
        (lambda: BasisColumns([[0]], [[1]], [[2000]]), "2 dimensions"),
        (lambda: ranks(np.array([2200, 2300])), "falling"),
        (lambda: arrange(ANNEX_9_2024_04, CLOSING, RatedColumns.joined([]), np.array([5])),
         "1 register numbers for 0 players"),
    ],
)  # fmt: skip
def test_columns_that_cannot_be_are_refused_with_what_is_wrong(calculate, message):
    with pytest.raises(ValueError, match=message):
        calculate()


def test_the_columns_a_database_sends_become_64_bits_on_the_way_in():
    basis = BasisColumns(*(np.array([n], ">i4") for n in (0, 1, 2000)))
    assert {getattr(basis, name).dtype for name in ("basis", "player", "rating")} == {np.dtype(np.int64)}


def test_equal_ratings_share_a_rank():
    assert ranks(np.array([2300, 2200, 2200, 2100])).tolist() == [1, 2, 2, 4]


@pytest.mark.parametrize(
    ("rating", "carried", "games", "listed"),
    [
        # (rating, previous, change against the list before)
        (2000, -15, 100, (1985, 2000, -15)),
        (2000, 0, 100, (2000, 2000, 0)),
        (0, 2000, 40, (2000, 0, 0)),  # came by the correction: nothing to compare with
        (2000, -2000, 0, None),  # went by it
        (0, 0, 0, None),
    ],
)
def test_who_only_has_carried_points_stands_there_with_them(rating, carried, games, listed):
    part = count([(0, 1, 2, 2, 0, False, 20_601)], RATED)
    _, rated = rate(ANNEX_9_2024_04, players({1: rating}, carried=carried, games=games), an_event(), part)
    rows = list(zip(rated.rating.tolist(), rated.previous.tolist(), rated.change.tolist(), strict=True))
    assert rows == ([listed] if listed else [])


def test_carried_points_are_in_the_running_value_and_not_in_the_own_rating_of_an_event():
    """Own ratings are the event's list's, 2000 and 2100, whatever is carried: the same ΔR is put to 15 points less."""
    part = count([A_WIN], RATED)
    plain, _ = rate(ANNEX_9_2024_04, players(RATED), an_event(), part)
    moved, rated = rate(ANNEX_9_2024_04, players(RATED, carried=-15), an_event(), part)
    assert moved.own_e4.tolist() == plain.own_e4.tolist() == [20_000_000, 21_000_000]
    assert moved.delta_e4.tolist() == plain.delta_e4.tolist()
    assert moved.before_e4.tolist() == [19_850_000, 20_850_000]
    assert (plain.after_e4 - moved.after_e4).tolist() == [150_000, 150_000]
    assert rated.previous.tolist() == [2000, 2100]
