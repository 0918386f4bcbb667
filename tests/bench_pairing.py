"""Rounds of simulated tournaments beside one matching of the complete graph, for `make bench-pairing`.

From the file of a round, read from its text, to the answer with reasons. The limit is one matching of the complete
graph by rustworkx with one small weight a pair, which knows none of the rules; at 100 players also the same answer from
networkx with C1 to C6 of R65 as one whole number for each pair. Systems and colour preferences take turns. Whatever
networkx pairs is compared with ours, a round of each choice before anything is timed: another pair ends the benchmark.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import permutations
from random import Random
from statistics import median

import networkx
import numpy as np
import rustworkx

from reporting.formats.pairing.pairing_file import read_pairing_file, write_pairing_file
from reporting.reports.pairing.answers import round_json
from reporting.rules.pairing.best_pairing import opponents_in_order
from reporting.rules.pairing.field import Field, field_of
from reporting.rules.pairing.matching import IMPOSSIBLE, Costs
from reporting.rules.pairing.pair_round import PairedRound, pair_round
from reporting.rules.pairing.studies.simulate import Rates, random_players, simulate
from reporting.rules.pairing.tournament import (
    PAUSE,
    SYSTEMS,
    Colours,
    InsideGroup,
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


def costs_of_criteria(field: Field) -> Costs:
    """C1 to C4 of each pair as one whole number, with a digit for each boundary; -1 where players may not meet."""
    groups, players = field.groups, len(field.rows)
    higher, lower = np.minimum(groups[:, None], groups), np.maximum(groups[:, None], groups)
    boundaries = int(groups[-1])
    third, fourth = (field.faults, field.repeats) if field.colours_first else (field.repeats, field.faults)
    digits = [(higher <= each) & (each < lower) for each in range(boundaries)]
    digits += [(lower - higher) ** 2, third, fourth]
    costs = np.zeros((players, players), dtype=object)
    for digit in digits:
        costs = costs * (players * max(boundaries, 1) ** 2 + 1) + digit.astype(np.int64)
    return np.where(field.may_meet, costs, IMPOSSIBLE)


def costs_of_order(field: Field, mates: dict[int, int]) -> Costs:
    """C5 and C6 of each pair as one whole number: the least sum of a pairing is the one that R65 asks for.

    A digit for each choice; it belongs to one player, so to one pair of a pairing. `mates` are our pairs: they say who
    stays in a group, and so who has which number there (R66). C5 comes first, so a better one is found all the same.
    """
    tournament, groups, players = field.history.tournament, field.groups, len(field.rows)
    system, average = tournament.system, field.average_of_opponents()
    costs = np.zeros((players, players), dtype=object)

    def add_digit(node: int, others: list[int], ranks: list[int]) -> None:
        costs[:] *= players
        costs[node, others] += ranks
        costs[others, node] += ranks

    for group in range(int(groups[-1]) + 1):
        nodes = np.flatnonzero(groups == group).tolist()
        not_below, below = np.flatnonzero(groups <= group).tolist(), np.flatnonzero(groups > group).tolist()
        for node in nodes[::-1] if system.last_floats else nodes:
            others = [other for other in not_below if other != node]
            add_digit(node, others, [1] * len(others))
        below.sort(key=lambda node: (groups[node], node if system.floater_meets_first else -node))
        for node in nodes:
            add_digit(node, below, list(range(len(below))))
    for group in range(int(groups[-1]) + 1):
        staying = [node for node, other in sorted(mates.items()) if groups[node] == groups[other] == group]
        opponents = opponents_in_order(field.inside_group, len(staying), tournament.parts)
        later = set(range(len(staying)))
        by_average = field.inside_group is InsideGroup.AVERAGE_RATING
        for place in sorted(later, key=lambda place: (-average[staying[place]] if by_average else 0, place)):
            later.remove(place)
            others = [staying[other] for other in opponents(place) if other in later]
            add_digit(staying[place], others, list(range(len(others))))
    return costs


def by_networkx(tournament: Tournament) -> float:
    """The seconds of networkx for the same pairs as ours, by C1 to C6 of R65 as one whole number for each pair.

    Other pairs end the benchmark.
    """
    history = history_of(tournament)
    answer = pair_round(tournament)
    if not isinstance(answer, PairedRound):
        raise TypeError("a simulated round cannot be paired")
    order = pairing_order(history)
    numbers = history.table.numbers[order]
    here = [player.number for player in tournament.players if player.takes_part(tournament.round)]
    field = field_of(history, order[np.isin(numbers, here) & (numbers != (answer.pause or PAUSE))])
    node = {number: place for place, number in enumerate(history.table.numbers[field.rows].tolist())}
    ours = {frozenset((node[pair.white], node[pair.black])) for pair in answer.pairs}
    first = costs_of_criteria(field)
    mates = {one: two for pair in ours for one, two in permutations(pair)}
    last = costs_of_order(field, mates)
    costs = first * (len(field.rows) * int(last.max()) + 1) + last
    most = int(costs.max()) + 1
    graph = networkx.Graph()
    for one, two in np.argwhere(np.triu(first != IMPOSSIBLE, 1)).tolist():
        graph.add_edge(one, two, weight=most - costs[one, two])
    found: list[tuple[int, int]] = []
    taken = seconds(lambda: found.extend(networkx.max_weight_matching(graph, maxcardinality=True)))
    if set(map(frozenset, found)) != ours:
        raise SystemExit("networkx finds a better pairing than ours.")
    return taken


def show(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def main() -> None:
    tournaments = int(os.environ.get("TOURNAMENTS", "300"))
    for seed in range(len(CHOICES)):
        by_networkx(before(simulated(40, seed), 6))
    show(f"{len(CHOICES)} rounds of 40 players have pair by pair what networkx finds by C1 to C6.")
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
    theirs, ours = [], []
    for seed in range(0, 36, 7):  # all systems, and each colour preference twice
        tournament = before(simulated(100, seed), 7)
        theirs.append(by_networkx(tournament))
        ours.append(median(seconds(partial(pair_round, tournament)) for _ in range(5)))
    ratios = [their / our for their, our in zip(theirs, ours, strict=True)]
    show(
        f"100 players, the same pairs by networkx: {median(theirs) * 1e3:,.0f} ms,"
        f" {median(ratios):,.0f} times as long as ours ({min(ratios):,.0f} to {max(ratios):,.0f})."
    )
    whole = median(seconds(partial(simulated, 100, seed)) for seed in range(20))
    show(f"A simulated tournament of 100 players in {ROUNDS} rounds: {whole * 1e3:.0f} ms.")
