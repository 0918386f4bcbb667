"""Rounds of simulated tournaments beside one matching of the complete graph, for `make bench-pairing`.

From the file of a round, read from its text, to the answer with reasons. The limit is one matching of the complete
graph by rustworkx with one small weight a pair, which knows none of the rules; at 100 players also networkx with the
criteria C1 to C4 of each pair as one whole number. Systems and colour preferences take turns. Before anything is
timed, a round of each system is compared with networkx: another sum of C1 to C4 ends the benchmark.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from statistics import median

import networkx
import numpy as np
import rustworkx

from reporting.formats.pairing.pairing_file import read_pairing_file, write_pairing_file
from reporting.reports.pairing.answers import round_json
from reporting.rules.pairing.field import field_of
from reporting.rules.pairing.matching import IMPOSSIBLE
from reporting.rules.pairing.pair_round import PairedRound, pair_round
from reporting.rules.pairing.runs import Run
from reporting.rules.pairing.simulate import Rates, random_players, simulate
from reporting.rules.pairing.tournament import (
    PAUSE,
    SYSTEMS,
    Colours,
    Tournament,
    history_of,
    pairing_order,
)

ROUNDS = 9
SIZES = (100, 300, 1000)
CHOICES = [(system, colours) for colours in Colours for system in SYSTEMS.values()]


def simulated(players: int, seed: int) -> Tournament:
    """A tournament with some absences and withdrawals."""
    random = Random(seed)  # noqa: S311 (a simulation)
    system, colours = CHOICES[seed % len(CHOICES)]
    rates = Rates(absences=0.01, withdrawals=0.03)
    own = Tournament(
        system=system,
        players=random_players(players, ROUNDS, rates, random),
        rounds=ROUNDS,
        colours=colours,
        first_round_by_rating=system.by_rating,
    )
    return simulate(own, rates, random)


def before(tournament: Tournament, round_: int) -> Tournament:
    return replace(
        tournament, round=round_, games=tuple(game for game in tournament.games if game.round < round_)
    )


def answered(content: bytes) -> None:
    """What the command does: read the file, pair the round, write reasons."""
    tournament = read_pairing_file(content).tournament
    if tournament is None:
        raise ValueError("a simulated tournament cannot be read")
    round_json(pair_round(tournament))


def seconds(work: Callable[[], object]) -> float:
    """CPU time: what else the machine does must not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def limit(players: int) -> float:
    """The matching of a complete graph with small weights made by chance."""
    weights = np.random.default_rng(1).integers(1, 1000, (players, players)).tolist()
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(players))
    graph.add_edges_from(
        [(one, two, weights[one][two]) for one in range(players) for two in range(one + 1, players)]
    )
    return seconds(lambda: rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int))


def by_networkx(tournament: Tournament) -> tuple[float, int, int]:
    """The seconds of networkx for a round, its sum of C1 to C4, and that of our answer."""
    history = history_of(tournament)
    answer = pair_round(tournament)
    if not isinstance(answer, PairedRound):
        raise TypeError("a simulated round cannot be paired")
    order = pairing_order(history)
    numbers = history.table.numbers[order]
    here = [player.number for player in tournament.players if player.takes_part(tournament.round)]
    field = field_of(history, order[np.isin(numbers, here) & (numbers != (answer.pause or PAUSE))])
    costs = Run(field, 0, len(field.rows)).costs
    node = {number: place for place, number in enumerate(history.table.numbers[field.rows].tolist())}
    graph = networkx.Graph()
    most = int(costs.max()) + 1
    for one, two in zip(*np.nonzero(np.triu(costs != IMPOSSIBLE, 1)), strict=True):
        graph.add_edge(int(one), int(two), weight=most - int(costs[one, two]))
    found: list[tuple[int, int]] = []
    taken = seconds(lambda: found.extend(networkx.max_weight_matching(graph, maxcardinality=True)))
    ours = sum(int(costs[node[pair.white], node[pair.black]]) for pair in answer.pairs)
    return taken, sum(int(costs[one, two]) for one, two in found), ours


def show(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def main() -> None:
    tournaments = int(os.environ.get("TOURNAMENTS", "300"))
    compared = [by_networkx(before(simulated(40, seed), 6)) for seed in range(len(CHOICES))]
    if any(theirs != ours for _, theirs, ours in compared):
        raise SystemExit("A pairing has another sum of C1 to C4 than networkx finds.")
    show(f"{len(compared)} rounds of 40 players have the sums of C1 to C4 that networkx finds.")
    show(
        f"{'players':>7} {'tournaments':>11} {'matching ms':>11} {'round ms':>9} {'÷':>6} {'hardest ms':>10} {'÷':>6}"
    )
    for players in SIZES:
        one = median(limit(players) for _ in range(3))
        times = []
        for seed in range(tournaments):
            tournament = simulated(players, seed)
            for round_ in range(2, tournament.round):
                content = write_pairing_file(before(tournament, round_)).encode()
                times.append(seconds(partial(answered, content)))
        typical, hardest = median(times), max(times)
        show(
            f"{players:7} {tournaments:11} {one * 1e3:11.1f} {typical * 1e3:9.1f} {typical / one:6.2f}"
            f" {hardest * 1e3:10.1f} {hardest / one:6.2f}",
        )
    theirs = median(by_networkx(before(simulated(100, seed), 7))[0] for seed in range(3))
    rounds = [before(simulated(100, seed), 7) for seed in range(12)]
    ours = median(seconds(partial(pair_round, tournament)) for tournament in rounds)
    show(f"100 players by networkx: {theirs * 1e3:,.0f} ms, {theirs / ours:,.0f} times as long as ours.")
    whole = median(seconds(partial(simulated, 100, seed)) for seed in range(20))
    show(f"A simulated tournament of 100 players in {ROUNDS} rounds: {whole * 1e3:.0f} ms.")
