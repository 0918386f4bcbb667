"""The numbers of a round robin by lot, with as few late games between players of one federation as possible.

Annex 2 art. 3b, Annex 17 art. 8; R67. A game is late after round `floor(rounds / 2)`.

In a Berger table of an even size, with rounds and places from 0, places i and j meet in the round (i + j) mod r,
r = size - 1 rounds, and the last place meets i in the round 2i mod r. Give place i the value v = 2i mod r. As r is odd,
each value from 0 to r - 1 occurs once, and the round is half of v + w mod r. So values of one parity meet late where
v + w ≥ r - 1, values of two parities where v + w < r - 1, and the last place meets v late where 2v ≥ r - 1.

Deal the last place first, then the values r - 1, 0, r - 2, 1, … A value dealt as the highest of those left has
v + w ≥ r - 1 with all later ones, one dealt as the lowest has not. So for a later player it only matters how many of
their federation came before who meet an even, or an odd, value late: the whole past of a federation is two counts.

The fewest late games of one federation, if the place of step t costs p(t), are therefore a small table over steps and
counts. For any prices p, the sum of these minima over all federations less the sum of all prices is a lower bound
(Lagrange): a drawing uses each place once. Good prices are found by subgradients; whole numbers keep it exact. A search
that deals step by step, prunes by this bound and remembers what failed then decides whether 0, 1, 2, … games suffice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np

from reporting.rules.pairing.matching import check_time
from reporting.rules.regulations.berger import berger_rounds
from reporting.rules.standings.cross_table import Integers

GAME = 1000
"""Prices are in thousandths of a game."""

PRICINGS = 300
"""Steps of the subgradient."""

NODES = 500
"""Deals of a search before it begins again."""

NEVER = 10**9


@dataclass(frozen=True)
class RoundRobin:
    """A drawing. `numbers` has the player of each table number; `rounds` are pairs of table numbers, White first.

    `late` are the games between players of one federation after the first half of their cycle: round, White, Black.
    """

    numbers: Mapping[int, int]
    rounds: Sequence[Sequence[tuple[int, int]]]
    late: Sequence[tuple[int, int, int]]


def draw_round_robin(federations: Mapping[int, str], seed: int, *, double: bool = False) -> RoundRobin:
    """Draw the table numbers of 3 to 40 players, given their federations, empty where a player has none (R67).

    The number of late games is the least possible. Every drawing with that number can come out; the same seed gives
    the same one. Raises `TooCostlyError`.
    """
    random = Random(seed)  # noqa: S311 (a lot that can be drawn again)
    places = range(1, len(federations) + 1)
    numbers = dict(zip(places, _Lot(federations, random).draw(), strict=True))
    rounds = berger_rounds(places, double=double)
    cycle = len(rounds) // 2 if double else len(rounds)
    late = [
        (round_, white, black)
        for round_, pairs in enumerate(rounds, start=1)
        for white, black in pairs
        if (round_ - 1) % cycle >= cycle // 2
        and federations[numbers[white]]
        and federations[numbers[white]] == federations[numbers[black]]
    ]
    return RoundRobin(numbers, rounds, late)


class _Step(NamedTuple):
    """A place of the table, from 0, in the order of dealing.

    `parity` is that of its value; `meets_late` the parity of the later values that it meets late, `is_high` whether it
    meets the last place late. The last place itself has the parity -1.
    """

    place: int
    parity: int
    meets_late: int
    is_high: bool


class _Team(NamedTuple):
    """The past of a federation: its players, whether one has the last place, and how many meet each parity late."""

    size: int
    has_last: int
    even: int
    odd: int

    @property
    def left(self) -> int:
        return self.size - self.has_last - self.even - self.odd

    def dealt(self, step: _Step) -> tuple[_Team, int]:
        """Return the federation after one of its players got this place, and the late games of that player."""
        if step.parity < 0:
            return self._replace(has_last=1), 0
        late = (self.odd if step.parity else self.even) + self.has_last * step.is_high
        after = self._replace(odd=self.odd + 1) if step.meets_late else self._replace(even=self.even + 1)
        return after, late


def _steps(players: int) -> list[_Step]:
    rounds = players - 1 + players % 2
    half = rounds // 2
    steps = [] if players % 2 else [_Step(rounds, -1, -1, False)]
    for dealt in range(rounds):
        value = dealt // 2 if dealt % 2 else rounds - 1 - dealt // 2
        is_high = 2 * value >= rounds - 1
        # twice (half + 1) is 1 mod rounds, so this is the place with this value
        steps.append(
            _Step(value * (half + 1) % rounds, value % 2, value % 2 if is_high else 1 - value % 2, is_high)
        )
    return steps


class _Deal(NamedTuple):
    """A drawing after some steps: the past of each team, the singles left, and who got the places (-1: a single)."""

    teams: tuple[_Team, ...]
    singles: int
    owners: tuple[int, ...] = ()


class _Prices(NamedTuple):
    """The bound of a deal. `least` has for each step what a team of each size still costs with its prices, `singles`
    what some singles do, `all_places` the sum of the prices from this step on."""

    bound: int
    least: list[Any]
    singles: list[list[int]]
    all_places: list[int]


class _NodesUsedUpError(Exception):
    """A search that takes long had bad luck with its first choices and begins again."""


class _Lot:
    """The search for a drawing; teams are the federations with two players or more, all others are singles."""

    def __init__(self, federations: Mapping[int, str], random: Random) -> None:
        self.random = random
        by_federation: defaultdict[str, list[int]] = defaultdict(list)
        for player, federation in sorted(federations.items()):
            by_federation[federation].append(player)
        singles = by_federation.pop("", [])
        self.teams = [players for players in by_federation.values() if len(players) > 1]
        self.singles = singles + [players[0] for players in by_federation.values() if len(players) == 1]
        for players in (*self.teams, self.singles):
            random.shuffle(players)
        random.shuffle(self.teams)
        self.sizes = sorted({len(players) for players in self.teams})
        self.steps = _steps(len(federations))
        self.failed: defaultdict[_Deal, set[tuple[tuple[_Team, ...], int, int]]] = defaultdict(set)

    def draw(self) -> list[int]:
        """Return the players by their places."""
        start = _Deal(tuple(_Team(len(players), 0, 0, 0) for players in self.teams), len(self.singles))
        # Mostly there is a drawing without a late game, and it is found without prices.
        with suppress(_NodesUsedUpError):
            owners = self._owners(start, self._price(start, 1), 0)
            if owners:
                return self._players(owners)
        # With the last place dealt the bound is sharper: who has it meets all high values late.
        openings = [deal for deal, _ in self._next(start)] if self.steps[0].parity < 0 else [start]
        priced = [(deal, self._price(deal, PRICINGS)) for deal in openings]
        games = max(0, min(-(-prices.bound // GAME) for _, prices in priced))
        allowed = NODES
        while True:
            try:
                for deal, prices in priced:
                    owners = self._owners(deal, prices, games, allowed)
                    if owners:
                        return self._players(owners)
                games += 1
            except _NodesUsedUpError:
                allowed = allowed * 6 // 5

    def _players(self, owners: Sequence[int]) -> list[int]:
        """Return the players by their places, given who gets the place of each step."""
        left = [[*players] for players in (*self.teams, self.singles)]
        drawn = {step.place: left[owner].pop() for step, owner in zip(self.steps, owners, strict=True)}
        return [drawn[place] for place in range(len(drawn))]

    # --- the search

    def _next(self, deal: _Deal) -> list[tuple[_Deal, int]]:
        """Deal one more place, in random order, to a single or to each team of another past, with the late games."""
        step = self.steps[len(deal.owners)]
        choices = []
        if deal.singles:
            choices.append((deal.singles, _Deal(deal.teams, deal.singles - 1, (*deal.owners, -1)), 0))
        for owner, team in enumerate(deal.teams):
            if team.left and team not in deal.teams[:owner]:
                after, late = team.dealt(step)
                teams = (*deal.teams[:owner], after, *deal.teams[owner + 1 :])
                weight = team.left * deal.teams.count(team)
                choices.append((weight, _Deal(teams, deal.singles, (*deal.owners, owner)), late))
        choices.sort(key=lambda choice: self.random.random() ** (1 / choice[0]), reverse=True)
        return [(after, late) for _, after, late in choices]

    def _owners(self, start: _Deal, prices: _Prices, games: int, allowed: int = NODES) -> tuple[int, ...]:
        """Return who gets each place in a drawing with so many late games, empty if there is none.

        Raises `_NodesUsedUpError` after as many nodes as `allowed`.
        """
        failed = self.failed[start]
        left = allowed

        def search(deal: _Deal, games: int) -> tuple[int, ...]:
            nonlocal left
            if len(deal.owners) == len(self.steps):
                return deal.owners
            key = tuple(sorted(deal.teams)), deal.singles, games
            if key in failed:
                return ()
            check_time()
            left -= 1
            if not left:
                raise _NodesUsedUpError
            for after, late in self._next(deal):
                if self._bound(after, prices) <= GAME * (games - late):
                    owners = search(after, games - late)
                    if owners:
                        return owners
            failed.add(key)
            return ()

        return search(start, games) if prices.bound <= GAME * games else ()

    def _bound(self, deal: _Deal, prices: _Prices) -> int:
        """Return the thousandths of a game that all later steps cost at least."""
        number = len(deal.owners)
        least = prices.least[number]
        return int(
            prices.singles[number][deal.singles]
            - prices.all_places[number]
            + sum(least[team.size][team.has_last][team.even][team.odd] for team in deal.teams)
        )

    # --- the lower bound

    def _price(self, deal: _Deal, pricings: int) -> _Prices:
        """Find good prices of the places that are not dealt yet."""
        first = len(deal.owners)
        counts = Counter((self.sizes.index(team.size), team.has_last) for team in deal.teams)
        prices = best_prices = np.zeros(len(self.steps), dtype=np.int64)
        direction = np.zeros(len(self.steps), dtype=np.int64)
        best, percent, without_gain = -NEVER, 100, 0
        for pricing in range(pricings):
            check_time()
            table = self._least_costs(prices, first)
            cheapest = first + np.argsort(prices[first:], kind="stable")[: deal.singles]
            bound = int(prices[cheapest].sum() - prices[first:].sum())
            surplus = np.zeros(len(self.steps), dtype=np.int64)
            surplus[first:] = -1
            surplus[cheapest] += 1
            for (kind, has_last), count in counts.items():
                bound += count * int(table[first, kind, has_last, 0, 0])
                surplus += count * self._cheapest_steps(table[:, kind], first, has_last)
            if pricing and bound > best:  # prices of 0 prune nothing later
                best, best_prices, without_gain = bound, prices, 0
            else:
                without_gain += 1
            if without_gain == 15:
                percent, without_gain = percent * 2 // 3, 0
            direction = direction * 7 // 10 + 10 * surplus
            length = int(direction @ direction)
            if not length:
                break
            prices = prices + direction * (percent * (max(best, 0) + 4 * GAME - bound)) // (10 * length)
        tails = [np.sort(best_prices[number:]) for number in range(len(self.steps) + 1)]
        least = self._least_costs(best_prices, first).tolist()
        return _Prices(
            bound=best,
            least=[dict(zip(self.sizes, of_step, strict=True)) for of_step in least],
            singles=[[0, *np.cumsum(tail).tolist(), *[NEVER] * len(self.steps)] for tail in tails],
            all_places=[int(tail.sum()) for tail in tails],
        )

    def _least_costs(self, prices: Integers, first: int) -> Integers:
        """Return what a federation must still cost at least: step × size × has the last place × even × odd."""
        most = max(self.sizes, default=0) + 1
        even, odd = np.arange(most)[:, None], np.arange(most)[None, :]
        last = np.arange(2)[:, None, None]
        table = np.full((len(self.steps) + 1, len(self.sizes), 2, most, most), NEVER, dtype=np.int64)
        for kind, size in enumerate(self.sizes):
            table[-1, kind][(last + even + odd) == size] = 0
        for number in range(len(self.steps) - 1, first - 1, -1):
            step, after, now = self.steps[number], table[number + 1], table[number]
            now[:] = after
            if step.parity < 0:
                np.minimum(now[:, 0], after[:, 1] + prices[number], out=now[:, 0])
                continue
            cost = GAME * ((odd if step.parity else even) + last * step.is_high) + prices[number]
            if step.meets_late:
                cost = np.broadcast_to(cost, (2, most, most))[..., :-1]
                np.minimum(now[..., :-1], after[..., 1:] + cost, out=now[..., :-1])
            else:
                cost = np.broadcast_to(cost, (2, most, most))[:, :-1]
                np.minimum(now[..., :-1, :], after[..., 1:, :] + cost, out=now[..., :-1, :])
        return table

    def _cheapest_steps(self, table: Integers, first: int, has_last: int) -> Integers:
        """Return 1 for the steps that a federation takes in a cheapest drawing of its own."""
        taken = np.zeros(len(self.steps), dtype=np.int64)
        team = _Team(0, has_last, 0, 0)
        for number in range(first, len(self.steps)):
            state = (team.has_last, team.even, team.odd)
            if table[(number, *state)] != table[(number + 1, *state)]:
                taken[number] = 1
                team, _ = team.dealt(self.steps[number])
        return taken
