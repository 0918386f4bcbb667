"""Random tournaments of up to 40 players: no hard rule is broken, no round refused that can be paired (R63, R64)."""

import os

import networkx
import pytest

from reporting.rules.pairing.pair_round import ImpossibleRound, pair_round
from reporting.rules.pairing.tournament import PAUSE
from tests.rules.pairing.every_pairing import Players
from tests.rules.pairing.test_every_pairing import random_tournaments

BLOCKS = 20
TOURNAMENTS = 100 if "MANY_FAULTS" in os.environ else 1
"""Of each block: `make fuzz` tries 2,000."""


def can_be_paired(before):
    """Whether all players, or all but one without a pause so far, can meet someone they may meet."""
    players = Players(before)
    paused = {game.white for game in before.games if game.black == PAUSE}
    pauses = (
        [number for number in players.order if number not in paused] if len(players.order) % 2 else [None]
    )
    for pause in pauses:
        here = [number for number in players.order if number != pause]
        graph = networkx.Graph()
        graph.add_nodes_from(here)
        graph.add_edges_from(
            (first, second)
            for place, first in enumerate(here)
            for second in here[place + 1 :]
            if players.may_meet(first, second) and players.may_meet(second, first)
        )
        if 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(here):
            return True
    return False


@pytest.mark.parametrize("block", range(BLOCKS))
def test_no_hard_rule_is_broken_and_no_round_refused_that_can_be_paired(block):
    for seed in range(block * TOURNAMENTS, (block + 1) * TOURNAMENTS):
        for before in random_tournaments(seed, most=40):
            answer = pair_round(before)
            if isinstance(answer, ImpossibleRound):
                assert not can_be_paired(before), (seed, before.round)
                continue
            players = Players(before)
            paired = [number for pair in answer.pairs for number in (pair.white, pair.black)]
            paired += [] if answer.pause is None else [answer.pause]
            assert sorted(paired) == sorted(players.order), (seed, before.round)
            assert (answer.pause is not None) == (len(players.order) % 2 == 1)
            assert all(
                players.may_meet(pair.white, pair.black) and players.may_meet(pair.black, pair.white)
                for pair in answer.pairs
            ), (seed, before.round)
            paused = {game.white for game in before.games if game.black == PAUSE}
            assert answer.pause not in paused, (seed, before.round)
