"""Numbers of a round robin: as few late games of one federation as possible (Annex 2 art. 3b; R67)."""

from itertools import combinations, permutations

import pytest

from reporting.rules.pairing.round_robin import draw_round_robin
from reporting.rules.regulations.berger import berger_rounds


def federations(players, *sizes):
    """Players 1, 2, … of federations of these sizes; all others have none."""
    of_players = [f"F{team}" for team, size in enumerate(sizes) for _ in range(size)]
    of_players += [""] * (players - len(of_players))
    return dict(enumerate(of_players, start=1))


def fewest_of_all(of_players):
    """Every distribution of the federations over the places is tried."""
    rounds = berger_rounds(range(len(of_players)))
    late = [pair for pairs in rounds[len(rounds) // 2 :] for pair in pairs]
    drawings = set(permutations(of_players.values()))
    return min(
        sum(bool(drawn[white]) and drawn[white] == drawn[black] for white, black in late)
        for drawn in drawings
    )


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (3, (2,)),
        (4, (2, 2)),
        (5, (3,)),
        (6, (3, 3)),
        (6, (4,)),
        (7, (4, 3)),
        (7, (5,)),
        (8, (4, 4)),
        (8, (5, 3)),
    ],
)
def test_no_drawing_has_fewer_late_games(players, sizes):
    of_players = federations(players, *sizes)
    assert len(draw_round_robin(of_players, 1).late) == fewest_of_all(of_players)


@pytest.mark.parametrize(
    ("players", "sizes", "late"),
    [
        # One federation: all games after round 19 of 39; 20 rounds of 20 games, with 39 players 20 rounds of 19.
        (40, (40,), 400),
        (39, (39,), 380),
        # Twelve places: six of the values 0 to 10 are high (5 to 10), and two high values of one parity meet late, the
        # last place meets all of them late. So a federation without a late game has at most two, and none with the last
        # place. Three of four: 2 + 2 + 0 of the six; each one more is a late game at least.
        (12, (4, 4, 4), 2),
        # Forty places: 20 high values. Seven federations have two each without a late game, the one with the last place
        # none: the other six cost a game at least each.
        (40, (5,) * 8, 6),
        # The same: nine federations have 18, two are left.
        (40, (4,) * 10, 2),
        # There is room for all, though not much.
        (40, (6, 5, 5, 4, 4, 3, 3, 2, 2, 2), 0),
        (40, (2,) * 20, 0),
    ],
)
def test_large_round_robins(players, sizes, late):
    of_players = federations(players, *sizes)
    drawn = draw_round_robin(of_players, 1)
    assert sorted(drawn.numbers.values()) == list(range(1, players + 1))
    first_half = drawn.rounds[: len(drawn.rounds) // 2]
    early = {frozenset(pair) for pairs in first_half for pair in pairs}
    mates = [
        frozenset(pair)
        for pair in combinations(drawn.numbers, 2)
        if of_players[drawn.numbers[pair[0]]] == of_players[drawn.numbers[pair[1]]] != ""
    ]
    assert sum(pair not in early for pair in mates) == len(drawn.late) == late


def test_the_lot_is_drawn_again_with_its_seed_and_differs_with_another():
    of_players = federations(10, 3, 2)
    again = dict(reversed(of_players.items()))
    numbers = [draw_round_robin(of_players, seed).numbers for seed in range(8)]
    assert numbers == [draw_round_robin(again, seed).numbers for seed in range(8)]
    assert len({tuple(drawn.values()) for drawn in numbers}) > 4


def test_in_a_double_round_robin_the_first_half_of_each_cycle_counts():
    """Four of four: rounds 2, 3 and again 5, 6 are late, with two games each; colours change in the second cycle."""
    single, double = (draw_round_robin(federations(4, 4), 1, double=double) for double in (False, True))
    assert double.numbers == single.numbers
    assert [round_ for round_, _, _ in single.late] == [2, 2, 3, 3]
    assert [round_ for round_, _, _ in double.late] == [2, 2, 3, 3, 5, 5, 6, 6]
    assert double.rounds[3] == [(black, white) for white, black in double.rounds[0]]
