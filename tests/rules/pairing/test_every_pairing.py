"""Small random tournaments: the answer is the best of all pairings, tried one by one (R65, R66)."""

import os
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from reporting.rules.pairing import matching
from reporting.rules.pairing.pair_round import ImpossibleRound, pair_round
from reporting.rules.pairing.tournament import (
    PAUSE,
    SYSTEMS,
    Colours,
    PairedGame,
    PairingPlayer,
    Result,
    Tournament,
)
from tests.rules.pairing.every_pairing import Players, best_of_all

SEEDS = 40 if "MANY_FAULTS" in os.environ else 4


def random_tournaments(seed, most=10):
    """Each round of a tournament with absences, withdrawals, forfeits, open games, some rounds paired by lot."""
    random = Random(seed)  # noqa: S311
    count = random.randint(3, most)
    rounds = random.randint(1, min(7, count))
    lots = random.sample(range(1, count + 1), count)
    tournament = Tournament(
        system=random.choice(list(SYSTEMS.values())),
        players=tuple(
            PairingPlayer(
                number=place,
                rating=random.choice([1800, 1900, 2000, 2100, 2200 + place]),
                lot=lot,
                from_round=random.choice([1, 1, 1, 1, 2]),
                absent=frozenset(random.sample(range(1, 8), 1)) if random.random() < 0.15 else frozenset(),
                withdrawn_after=random.choice([3, 4]) if random.random() < 0.07 else None,
            )
            for place, lot in enumerate(lots, start=1)
        ),
        rounds=rounds,
        colours=random.choice(list(Colours)),
        has_floats=random.random() < 0.8,
        forbidden=((1, 2),) if random.random() < 0.2 else (),
    )
    games = []
    for round_ in range(1, rounds + 1):
        before = replace(tournament, round=round_, games=tuple(games))
        yield before
        answer = pair_round(before)
        if isinstance(answer, ImpossibleRound):
            return
        chosen = [(pair.white, pair.black) for pair in answer.pairs]
        if random.random() < 0.4:
            chosen = paired_by_lot(before, answer.pause, random) or chosen
        for white, black in chosen:
            results = ["2-0", "1-1", "0-2", "1-1", "2-0"]
            results += ["2x0" if random.random() < 0.3 else "1-1", "" if random.random() < 0.3 else "0-2"]
            games.append(PairedGame(round_, white, black, Result(random.choice(results))))
        if answer.pause is not None:
            games.append(PairedGame(round_, answer.pause, PAUSE, Result.WHITE_WINS))


def paired_by_lot(before, pause, random):
    players = Players(before)
    numbers = [number for number in players.order if number != pause]
    for _ in range(50):
        random.shuffle(numbers)
        drawn = list(zip(numbers[::2], numbers[1::2], strict=True))
        if all(players.may_meet(*pair) and players.may_meet(*pair[::-1]) for pair in drawn):
            return drawn
    return None


@pytest.mark.parametrize("block", range(25))
def test_the_answer_is_the_best_of_all_pairings(block):
    rounds = 0
    for seed in range(block * SEEDS, (block + 1) * SEEDS):
        for before in random_tournaments(seed):
            rounds += 1
            expected = best_of_all(before)
            answer = pair_round(before)
            if expected is None:
                assert isinstance(answer, ImpossibleRound), (seed, before.round)
                continue
            found = frozenset(frozenset((pair.white, pair.black)) for pair in answer.pairs)
            assert (found, answer.pause) == expected, (seed, before.round)
    assert rounds >= SEEDS


def test_new_numbers_and_another_order_of_rows_only_rename_the_answer():
    for seed in range(30):
        for before in random_tournaments(seed):
            answer = pair_round(before)
            new = {player.number: 100 - player.number for player in before.players}
            renamed = replace(
                before,
                players=tuple(
                    replace(player, number=new[player.number]) for player in reversed(before.players)
                ),
                games=tuple(
                    replace(game, white=new[game.white], black=new.get(game.black, PAUSE))
                    for game in reversed(before.games)
                ),
                forbidden=tuple((new[first], new[second]) for first, second in before.forbidden),
            )
            other = pair_round(renamed)
            if isinstance(answer, ImpossibleRound):
                assert other == answer
                continue
            assert [(pair.white, pair.black) for pair in other.pairs] == [
                (new[pair.white], new[pair.black]) for pair in answer.pairs
            ]


def test_sums_of_any_size_have_the_same_matching(monkeypatch):
    random = np.random.default_rng(1)
    for players in range(2, 20, 2):
        half = random.integers(0, 9, (players, players))
        costs = (half + half.T).astype(object)
        np.fill_diagonal(costs, matching.IMPOSSIBLE)
        sums = []
        for bits in (matching.LARGEST_BITS, 0):
            with monkeypatch.context() as limit:
                limit.setattr(matching, "LARGEST_BITS", bits)
                mates = matching.cheapest_pairs(costs)
            assert mates[mates].tolist() == list(range(players))
            sums.append(costs[np.arange(players), mates].sum())
        assert sums[0] == sums[1]
