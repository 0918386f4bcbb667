"""Rounds worked by hand from R62 to R69d, and the pairs of a tournament that the official program paired."""

import csv
import re

import pytest

from reporting.rules.pairing.pair_round import ImpossibleRound, MissingRatingsError, pair_round
from reporting.rules.pairing.tournament import (
    SYSTEMS,
    Acceleration,
    Colours,
    PairedGame,
    PairingPlayer,
    Result,
    Tournament,
)
from tests.conftest import SAMPLES


def tournament(count, system="rating", games="", **options):
    """Players 1 to `count`, each 10 points weaker than the one before; `games` as `round white-black result`."""
    players = tuple(PairingPlayer(number, 2300 - 10 * number, number) for number in range(1, count + 1))
    read = [
        re.fullmatch(r"(\d+) (\d+)-(\d+) ?(\S*)", line.strip()) for line in games.splitlines() if line.strip()
    ]
    listed = tuple(PairedGame(int(each[1]), int(each[2]), int(each[3]), Result(each[4])) for each in read)
    options = {"players": players, "games": listed, "rounds": 9} | options
    options.setdefault("round", max((game.round for game in listed), default=0) + 1)
    return Tournament(system=SYSTEMS[system], **options)


def pairs(answer):
    return [(pair.white, pair.black) for pair in answer.pairs]


def unordered(answer):
    return {frozenset(pair) for pair in pairs(answer)}


def test_round_1_by_rating_pairs_halves_with_alternating_colours():
    # Annex 5 App. A b: A1-B1, B2-A2, A3-B3, B4-A4.
    assert pairs(pair_round(tournament(8))) == [(1, 5), (6, 2), (3, 7), (8, 4)]


def test_round_1_by_lot_gives_group_a_white_and_kndb_pairs_neighbours():
    # App. B b: A1-B1, A2-B2, A3-B3; art. 5.3: 1-2, 3-4.
    by_lot = {"first_round_by_rating": False}
    assert pairs(pair_round(tournament(6, "solkoff", **by_lot))) == [(1, 4), (2, 5), (3, 6)]
    assert pairs(pair_round(tournament(6, "kndb", **by_lot))) == [(1, 2), (3, 4), (5, 6)]


@pytest.mark.parametrize(
    ("met", "expected"),
    [
        # R66: 1 and 4 have met: 1-5 2-4 3-6. 3 and 6 have met: 1-4 2-6 3-5. 3 has met 5 and 6: 1-4 2-3 5-6.
        (((1, 4),), ((1, 5), (2, 4), (3, 6))),
        (((3, 6),), ((1, 4), (2, 6), (3, 5))),
        (((3, 5), (3, 6)), ((1, 4), (2, 3), (5, 6))),
    ],
)
def test_the_examples_of_r66(met, expected):
    answer = pair_round(tournament(6, forbidden=met))
    assert unordered(answer) == set(map(frozenset, expected))


def test_the_first_change_is_explained():
    answer = pair_round(tournament(6, games="1 1-4 1-1\n1 2-6 1-1\n1 3-5 1-1"))
    # All have 1 point. Halves: 1 cannot meet 4 again and gets 5; 2 gets 4; 3 gets 6.
    first = next(pair for pair in answer.pairs if 1 in (pair.white, pair.black))
    assert [(why.code, why.player, why.other, why.article) for why in first.why] == [("met", 1, 4, "1")]


def test_the_lowest_floats_to_the_highest_of_the_next_group():
    # Four of 2 points would be even; here 1, 2, 3 have 2 and 4, 5, 6 have 0: 3 floats and meets 4 or, if met, 5.
    games = "1 1-4 2-0\n1 2-5 2-0\n1 3-6 2-0"
    answer = pair_round(tournament(6, games=games))
    assert unordered(answer) == {frozenset((1, 2)), frozenset((3, 4)), frozenset((5, 6))}
    floater = next(pair for pair in answer.pairs if 3 in (pair.white, pair.black))
    assert [why.code for why in floater.why] == ["odd_group"]
    assert answer.objective.crossings == (1,)


def test_the_highest_floats_in_the_version_of_the_players_and_to_the_lowest_in_kndb():
    games = "1 1-4 2-0\n1 2-5 2-0\n1 3-6 2-0"
    # players (5.1a): 1 floats and meets the highest, 4; met, so 5. Then 2-3, 4-6.
    answer = pair_round(tournament(6, "players", games=games))
    assert unordered(answer) == {frozenset((1, 5)), frozenset((2, 3)), frozenset((4, 6))}
    # kndb (5.3): Solkoff of all winners is 0, of all losers 2, so lots decide: 1 floats to the last, 6.
    answer = pair_round(tournament(6, "kndb", games=games))
    assert unordered(answer) == {frozenset((1, 6)), frozenset((2, 3)), frozenset((4, 5))}


def test_the_pause_goes_to_the_last_without_one():
    # R63: 8, 9, 10 are the last; here of five players 5 had the pause, so 4 of the lowest group gets it.
    games = "1 1-3 2-0\n1 2-4 2-0\n1 5-0 2-0"
    answer = pair_round(tournament(5, games=games))
    # Round 2: the pairing score of 5 is 0 (R62a): 1 2 with 2 points; 3 4 5 with 0. 5 had the pause: 4.
    assert answer.pause == 4
    assert [(why.code, why.player) for why in answer.why_pause] == [("had_pause", 5), ("last", 4)]
    assert unordered(answer) == {frozenset((1, 2)), frozenset((3, 5))}


@pytest.mark.parametrize(
    ("options", "blocked"),
    [
        # Two players who have met, no other player: only without art. 1 could they be paired.
        ({"count": 2, "games": "1 1-2 2-0"}, ("second_meeting",)),
        ({"count": 2, "forbidden": ((1, 2),)}, ("forbidden",)),
        # One player who had the pause.
        ({"count": 1, "games": "1 1-0 2-0"}, ("second_pause",)),
        # They have met and are forbidden: no single rule is enough, so all three are named (R69d).
        (
            {"count": 2, "games": "1 1-2 2-0", "forbidden": ((1, 2),)},
            ("second_meeting", "forbidden", "second_pause"),
        ),
    ],
)
def test_an_impossible_round_names_the_rules_in_the_way(options, blocked):
    options = dict(options)
    answer = pair_round(tournament(options.pop("count"), **options))
    assert answer == ImpossibleRound(answer.round, blocked)


def test_a_forfeit_is_no_meeting_and_an_open_game_is_one():
    assert unordered(pair_round(tournament(2, games="1 1-2 2x0"))) == {frozenset((1, 2))}
    assert isinstance(pair_round(tournament(2, games="1 1-2 ")), ImpossibleRound)


def test_systems_by_rating_need_ratings():
    players = (PairingPlayer(1, 2000, 1), PairingPlayer(2, None, 2))
    with pytest.raises(MissingRatingsError) as refusal:
        pair_round(tournament(2, players=players))
    assert refusal.value.numbers == (2,)


def test_four_groups_pair_the_first_with_the_second_and_the_third_with_the_fourth():
    # R69a: 6 pairs: 1-4 2-5 3-6, 7-10 8-11 9-12.
    answer = pair_round(tournament(12, acceleration=Acceleration.FOUR_GROUPS))
    assert unordered(answer) == {frozenset((each, each + 3)) for each in (1, 2, 3, 7, 8, 9)}


def test_haley_lifts_the_upper_part_in_round_2():
    # Round 1 of 8: 1-3 2-4, 5-7 6-8; the higher win. Round 2: 1 2 have 4, 3 4 5 6 have 2, 7 8 have 0 (art. 6.2).
    games = "1 1-3 2-0\n1 4-2 0-2\n1 5-7 2-0\n1 8-6 0-2"
    answer = pair_round(tournament(8, games=games, acceleration=Acceleration.HALEY))
    assert unordered(answer) == {frozenset(pair) for pair in ((1, 2), (3, 5), (4, 6), (7, 8))}


def test_colours_come_before_floats_in_round_2_with_strong_preference():
    # All drew: one group of 1 point. 1 3 had White, 5 7 Black against them; 6 8 White, 2 4 Black.
    games = "1 1-5 1-1\n1 6-2 1-1\n1 3-7 1-1\n1 8-4 1-1"
    answer = pair_round(tournament(8, games=games, colours=Colours.STRONG))
    # Due Black: 1 3 6 8; due White: 2 4 5 7. 1 has met 5, is due the same as 6: 7. 2: 6 met, 5 same, so 8.
    # 3: 7 taken, 8 taken; 5. 4 and 6 are left.
    assert pairs(answer) == [(7, 1), (2, 8), (5, 3), (4, 6)]
    assert answer.objective.colour_faults == 0
    why = next(pair.why for pair in answer.pairs if 1 in (pair.white, pair.black))
    assert [(each.code, each.other) for each in why] == [("met", 5), ("colour", 6)]


def result(white, black):
    """A result of the sample: two minus signs are a game that both forfeited."""
    return Result.BOTH_FORFEIT if white == "-" else Result(f"{white}-{black}")


@pytest.fixture(scope="module")
def played():
    """Ouagadougou 2022: 68 players, 9 rounds, paired by the official program of Annex 2 art. 2.15."""
    path = SAMPLES / "draughts-arbiter-2022-ouagadougou.csv"
    if not path.exists():
        pytest.skip("the sample files of the federation are not here")
    rows = [
        row
        for row in csv.reader(path.read_text(encoding="utf-8-sig").splitlines(), delimiter=";")
        if row and row[0].isdigit()
    ]
    number = {int(row[0]): int(row[1]) for row in rows}
    cells = {}
    players = []
    for row in rows:
        rating = re.search(r"\d+", row[5])
        own = int(row[1])
        players.append(PairingPlayer(own, int(rating[0]) if rating else None, own))
        for round_, cell in enumerate(row[6:15], start=1):
            other, colour, sign = re.fullmatch(r"(\d+)([wb])([012-])", cell).groups()
            cells[round_, own, number[int(other)]] = colour, sign
    games = [
        PairedGame(round_, own, other, result(sign, cells[round_, other, own][1]))
        for (round_, own, other), (colour, sign) in cells.items()
        if colour == "w"
    ]
    return tuple(players), games, number


def test_every_pair_and_nearly_every_colour_is_that_of_the_program(played):
    players, games, number = played
    postponed = {number[43], number[26]}
    same, other_colours = 0, set()
    for round_ in range(1, 10):
        earlier = tuple(
            PairedGame(4, game.white, game.black, Result.OPEN)
            if round_ == 5 and game.round == 4 and {game.white, game.black} == postponed
            else game
            for game in games
            if game.round < round_
        )
        answer = pair_round(Tournament(SYSTEMS["solkoff"], players, earlier, round=round_, rounds=9))
        real = {(game.white, game.black) for game in games if game.round == round_}
        ours = set(pairs(answer))
        same += len({frozenset(pair) for pair in real} & {frozenset(pair) for pair in ours})
        other_colours |= {(round_, *pair) for pair in real if pair[::-1] in ours}
    assert same == 306
    place = {own: rank for rank, own in number.items()}
    # The ruling names them by places: round 2, 67–46, and round 6, 12–9.
    assert {(round_, place[white], place[black]) for round_, white, black in other_colours} == {
        (2, 67, 46),
        (6, 12, 9),
    }
