"""Pairings and results: believable tournaments, not a pairing program (that one is elsewhere)."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from config.demo.records import Game

PAUSE = 0
PLAYED_POINTS = {"2-0": (2, 0), "1-1": (1, 1), "0-2": (0, 2), "2x0": (2, 0), "0x2": (0, 2), "0x0": (0, 0)}
SEARCH_LIMIT = 4000
STRONG_COLOUR_CONFLICT = 2


@dataclass
class Entrant:
    """A player in a tournament: number, strength, and results so far."""

    number: int
    strength: int
    points: int = 0
    colours: list[int] = field(default_factory=list)  # +1 white, -1 black
    opponents: set[int] = field(default_factory=set)
    had_pause: bool = False
    present: bool = True

    @property
    def colour_wish(self) -> int:
        """+1 or -1 the colour wanted, doubled where it is wanted badly; 0 without a wish."""
        balance = sum(self.colours)
        if balance == 0:
            return -self.colours[-1] if self.colours else 0
        badly = abs(balance) >= 2 or self.colours[-2:] in ([1, 1], [-1, -1])
        return (-1 if balance > 0 else 1) * (2 if badly else 1)


class Simulator:
    """Draws results from strengths, and now and then a player does not appear."""

    def __init__(self, rng: Random, forfeit_rate: float) -> None:
        self._rng = rng
        self._forfeit_rate = forfeit_rate

    def result(self, white: int, black: int) -> str:
        """The result of a game between these strengths; the stronger the players, the more draws."""
        if self._rng.random() < self._forfeit_rate:
            return self._rng.choices(("2x0", "0x2", "0x0"), weights=(9, 9, 2))[0]
        expected = 1 / (1 + 10 ** ((black - white) / 400))
        draw_rate = min(max(0.30 + ((white + black) / 2 - 1700) / 1500, 0.2), 0.74)
        draw = draw_rate * (1 - abs(2 * expected - 1))
        drawn = self._rng.random()
        if drawn < draw:
            return "1-1"
        return "2-0" if drawn < draw + expected - draw / 2 else "0-2"

    def leaves(self) -> bool:
        """Whether a player who did not appear leaves the tournament."""
        return self._rng.random() < 0.5


def play_swiss(rng: Random, strengths: list[int], rounds: int) -> list[Game]:
    """A Swiss tournament: score groups, upper against lower half, no second meeting, colours balanced."""
    simulator = Simulator(rng, 0.005)
    entrants = [Entrant(number, strength) for number, strength in enumerate(strengths, start=1)]
    games: list[Game] = []
    for round_number in range(1, rounds + 1):
        present = sorted((e for e in entrants if e.present), key=lambda e: (-e.points, e.number))
        pairs, pausing = pair_round(rng, present)
        for white, black in pairs:
            games.append(_play(simulator, round_number, white, black))
        if pausing:
            pausing.had_pause = True
            pausing.points += 2
            games.append(Game(round_number, pausing.number, PAUSE, "2-0"))
    return games


def _play(simulator: Simulator, round_number: int, white: Entrant, black: Entrant) -> Game:
    result = simulator.result(white.strength, black.strength)
    white_points, black_points = PLAYED_POINTS[result]
    white.points += white_points
    black.points += black_points
    white.opponents.add(black.number)
    black.opponents.add(white.number)
    if "x" in result:
        absent = white if white_points < black_points else black
        absent.present = not simulator.leaves()
    else:
        white.colours.append(1)
        black.colours.append(-1)
    return Game(round_number, white.number, black.number, result)


def pair_round(rng: Random, present: list[Entrant]) -> tuple[list[tuple[Entrant, Entrant]], Entrant | None]:
    """The pairs of a round (white first) and who pauses; `present` is in the order of the standings."""
    pausing_candidates: list[Entrant | None] = [None]
    if len(present) % 2:
        pausing_candidates = [entrant for entrant in reversed(present) if not entrant.had_pause]
    for pausing in pausing_candidates:
        remaining = [entrant for entrant in present if entrant is not pausing]
        for order in (remaining, remaining[::-1], _shuffled(rng, remaining), _shuffled(rng, remaining)):
            pairs = _Search().pairs(order)
            if pairs is not None:
                pairs.sort(key=lambda pair: min(present.index(pair[0]), present.index(pair[1])))
                return [_colours(pair, board) for board, pair in enumerate(pairs)], pausing
    raise ValueError("This round cannot be paired without a second meeting.")


def _shuffled(rng: Random, entrants: list[Entrant]) -> list[Entrant]:
    return sorted(entrants, key=lambda entrant: (-entrant.points, rng.random()))


class _Search:
    """Depth first: the best opponent of the first player for whom the rest can still be paired."""

    def __init__(self) -> None:
        self._steps = 0

    def pairs(self, remaining: list[Entrant]) -> list[tuple[Entrant, Entrant]] | None:
        if not remaining:
            return []
        self._steps += 1
        first, others = remaining[0], remaining[1:]
        group = sum(1 for entrant in remaining if entrant.points == first.points)
        middle = group // 2 - 1
        candidates = [
            (abs(first.points - other.points), _colour_conflict(first, other), abs(index - middle), index)
            for index, other in enumerate(others)
            if other.number not in first.opponents
        ]
        for *_, index in sorted(candidates):
            if self._steps > SEARCH_LIMIT:
                return None
            rest = self.pairs(others[:index] + others[index + 1 :])
            if rest is not None:
                return [(first, others[index]), *rest]
        return None


def _colour_conflict(first: Entrant, second: Entrant) -> int:
    if first.colour_wish * second.colour_wish <= 0:
        return 0
    return STRONG_COLOUR_CONFLICT if min(abs(first.colour_wish), abs(second.colour_wish)) > 1 else 1


def _colours(pair: tuple[Entrant, Entrant], board: int) -> tuple[Entrant, Entrant]:
    first, second = pair
    if first.colour_wish == second.colour_wish == 0:
        return (first, second) if board % 2 == 0 else (second, first)
    if first.colour_wish == second.colour_wish:
        first_white = sum(first.colours) < sum(second.colours) or (
            sum(first.colours) == sum(second.colours) and first.colour_wish > 0
        )
    else:
        first_white = first.colour_wish > second.colour_wish
    return (first, second) if first_white else (second, first)


def berger_rounds(size: int) -> list[list[tuple[int, int]]]:
    """All rounds of a round robin of an even number of players or teams, white first, colours balanced."""
    turning = size - 1
    rounds = []
    for number in range(turning):
        pairs = [(number, turning) if number % 2 == 0 else (turning, number)]
        for step in range(1, size // 2):
            one, other = (number + step) % turning, (number - step) % turning
            pairs.append((one, other) if step % 2 else (other, one))
        rounds.append(pairs)
    return rounds


def play_round_robin(rng: Random, strengths: list[int]) -> list[Game]:
    """All against all; in an odd field one player pauses in each round."""
    simulator = Simulator(rng, 0.002)
    numbers = list(range(1, len(strengths) + 1))
    rng.shuffle(numbers)  # the lots of the Berger table
    if len(numbers) % 2:
        numbers.append(PAUSE)
    games = []
    for round_number, pairs in enumerate(berger_rounds(len(numbers)), start=1):
        for first, second in pairs:
            white, black = numbers[first], numbers[second]
            if PAUSE in (white, black):
                games.append(Game(round_number, white or black, PAUSE, "2-0"))
            else:
                result = simulator.result(strengths[white - 1], strengths[black - 1])
                games.append(Game(round_number, white, black, result))
    return games


def play_league(rng: Random, strengths: list[int], teams: int, boards: int, rounds: int) -> list[Game]:
    """Teams against teams; the numbers run team by team, the players of a team take turns on the bench."""
    simulator = Simulator(rng, 0.01)
    squad = len(strengths) // teams
    games = []
    single = berger_rounds(teams)
    for round_number in range(1, rounds + 1):
        second_half = round_number > len(single)
        for home, guest in single[(round_number - 1) % len(single)]:
            line_ups = [_line_up(team, squad, boards, round_number) for team in (home, guest)]
            for board, (one, other) in enumerate(zip(*line_ups, strict=True)):
                white, black = (one, other) if (board % 2 == 0) != second_half else (other, one)
                result = simulator.result(strengths[white - 1], strengths[black - 1])
                games.append(Game(round_number, white, black, result))
    return games


def _line_up(team: int, squad: int, boards: int, round_number: int) -> list[int]:
    bench = {(round_number + team + turn) % squad for turn in range(squad - boards)}
    return [team * squad + place + 1 for place in range(squad) if place not in bench]


def points_of(games: list[Game], players: int) -> list[int]:
    """The sum of the results of every number from 1 on; a pause gives 2."""
    points = [0] * (players + 1)
    for game in games:
        white_points, black_points = PLAYED_POINTS[game.result]
        points[game.white] += white_points
        points[game.black] += black_points if game.black != PAUSE else 0
    return points[1:]
