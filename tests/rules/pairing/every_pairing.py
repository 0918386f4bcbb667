"""R65 and R66 a second time, straight from the ruling: every pairing of a small field is tried."""

from collections.abc import Iterator
from functools import partial

from reporting.rules.pairing.tournament import Colours, Result, Tournament

Pairing = frozenset[frozenset[int]]


class Players:
    """What R62 to R64 and R69 say of each player before the round, from the games, one by one."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.players = {player.number: player for player in tournament.players}
        self.order = sorted(
            (number for number, player in self.players.items() if player.takes_part(tournament.round)),
            key=self.key,
        )
        scores = sorted({self.score(number) for number in self.order}, reverse=True)
        self.group = {number: scores.index(self.score(number)) for number in self.order}

    def score(self, number: int, round_: int = 0) -> int:
        round_ = round_ or self.tournament.round
        total = 0
        for game in self.tournament.games:
            if game.round >= round_ or (game.black == 0 and round_ == 2):
                continue
            if number in (game.white, game.black):
                total += game.result.points[0 if number == game.white else 1]
        return total

    def opponents(self, number: int) -> list[tuple[int, int]]:
        """The opponents that were paired, with the points against them."""
        found = []
        for game in self.tournament.games:
            if game.black and number in (game.white, game.black):
                is_white = number == game.white
                found.append(
                    (game.black if is_white else game.white, game.result.points[0 if is_white else 1])
                )
        return found

    def total(self, number: int) -> int:
        return sum(
            game.result.points[0 if number == game.white else 1]
            for game in self.tournament.games
            if number in (game.white, game.black)
        )

    def key(self, number: int) -> tuple[int, ...]:
        player = self.players[number]
        if self.tournament.system.by_rating or self.tournament.round == 1:
            own: tuple[int, ...] = (-(player.rating or 0),)
        else:
            met = self.opponents(number)
            solkoff = sum(self.total(other) for other, _ in met)
            own = -solkoff, -sum(points * self.total(other) for other, points in met)
        return (-self.score(number), *own, player.lot, number)

    def has_met(self, first: int, second: int) -> bool:
        return any(
            {game.white, game.black} == {first, second} and not game.result.is_forfeit
            for game in self.tournament.games
        )

    def may_meet(self, first: int, second: int) -> bool:
        return not self.has_met(first, second) and (first, second) not in self.tournament.forbidden

    def floated(self, number: int, *, up: bool) -> bool:
        for game in self.tournament.games:
            if game.round < self.tournament.round - 2 or number not in (game.white, game.black):
                continue
            if game.black == 0 or game.result.is_forfeit or game.result is Result.OPEN:
                continue
            other = game.black if number == game.white else game.white
            own_score, other_score = self.score(number, game.round), self.score(other, game.round)
            if (other_score > own_score) if up else (other_score < own_score):
                return True
        return False

    def balance(self, number: int) -> int:
        played = [
            game
            for game in self.tournament.games
            if game.black and not game.result.is_forfeit and game.result is not Result.OPEN
        ]
        return sum(game.white == number for game in played) - sum(game.black == number for game in played)

    def objective(self, pairing: Pairing) -> tuple[tuple[int, ...], int, int, int]:
        """C1 to C4."""
        crossings = [0] * max(self.group.values(), default=0)
        distances = repeated = faults = 0
        for higher, lower in map(partial(sorted, key=self.order.index), pairing):
            upper, under = self.group[higher], self.group[lower]
            for boundary in range(upper, under):
                crossings[boundary] += 1
            distances += (under - upper) ** 2
            if upper != under and self.tournament.has_floats:
                repeated += self.floated(higher, up=False) + self.floated(lower, up=True)
            faults += self.is_fault(self.balance(higher), self.balance(lower))
        return tuple(crossings), distances, repeated, faults

    def is_fault(self, first: int, second: int) -> bool:
        colours = self.tournament.colours
        if colours is Colours.NONE:
            return False
        least = 1 if colours is Colours.STRONG and self.tournament.round % 2 == 0 else 2
        return min(first, second) >= least or max(first, second) <= -least

    def rank(self, pairing: Pairing) -> tuple[object, ...]:
        crossings, distances, repeated, faults = self.objective(pairing)
        if self.tournament.colours is Colours.STRONG and self.tournament.round % 2 == 0:
            return crossings, distances, faults, repeated
        return crossings, distances, repeated, faults


def every(numbers: list[int], players: Players) -> Iterator[Pairing]:
    """Every way to give each of these players an opponent that they may meet."""
    if not numbers:
        yield frozenset()
        return
    first, *rest = numbers
    for other in rest:
        if players.may_meet(first, other) and players.may_meet(other, first):
            for pairing in every([number for number in rest if number != other], players):
                yield pairing | {frozenset((first, other))}


def best_of_all(tournament: Tournament) -> tuple[Pairing, int | None] | None:
    """The best pairing of a small field and who pauses, None where there is none."""
    players = Players(tournament)
    pause = None
    numbers = players.order
    if len(numbers) % 2:
        paused = {game.white for game in tournament.games if game.black == 0}
        for number in reversed(numbers):
            others = [each for each in numbers if each != number]
            if number not in paused and next(every(others, players), None) is not None:
                pause, numbers = number, others
                break
        else:
            return None
        players.order = numbers
        scores = sorted({players.score(number) for number in numbers}, reverse=True)
        players.group = {number: scores.index(players.score(number)) for number in numbers}
    if not numbers:
        return frozenset(), pause
    left = list(every(numbers, players))
    if not left:
        return None
    best = min(map(players.rank, left))
    left = [pairing for pairing in left if players.rank(pairing) == best]
    left = decide_floats(left, players)
    return decide_inside(left, players), pause


def opponent(number: int, pairing: Pairing) -> int:
    (pair,) = [pair for pair in pairing if number in pair]
    (other,) = pair - {number}
    return other


def floats_down(number: int, pairing: Pairing, players: Players) -> bool:
    return players.group[opponent(number, pairing)] > players.group[number]


def decide_floats(left: list[Pairing], players: Players) -> list[Pairing]:
    """C5."""
    system = players.tournament.system
    for group in range(max(players.group.values()) + 1):
        members = [number for number in players.order if players.group[number] == group]
        for number in members[::-1] if system.last_floats else members:
            left = [each for each in left if floats_down(number, each, players)] or left
        for number in members:
            if not floats_down(number, left[0], players):
                continue
            for lower in range(group + 1, max(players.group.values()) + 1):
                there = [other for other in players.order if players.group[other] == lower]
                for other in there if system.floater_meets_first else there[::-1]:
                    if met := [each for each in left if opponent(number, each) == other]:
                        left = met
                        break
                else:
                    continue
                break
    return left


def decide_inside(left: list[Pairing], players: Players) -> Pairing:
    """C6: R66, for halves, highest against lowest and average rating."""
    key = players.tournament.system.key
    for group in range(max(players.group.values()) + 1):
        staying = [
            number
            for number in players.order
            if players.group[number] == group == players.group[opponent(number, left[0])]
        ]
        choosers = list(staying)
        if key == "players" and players.tournament.round > 1:
            choosers.sort(key=lambda number: -average_of_opponents(number, players))
        half = len(staying) // 2
        paired: set[int] = set()
        for number in choosers:
            if number in paired:
                continue
            if key == "kndb" and players.tournament.round == 1:
                others = staying
            elif key in ("kndb", "players") and players.tournament.round > 1:
                others = staying[::-1]
            else:
                others = staying[half:] + staying[:half][::-1]
            for other in others:
                if other == number or other in paired:
                    continue
                if met := [each for each in left if opponent(number, each) == other]:
                    left = met
                    paired |= {number, other}
                    break
    (only,) = left
    return only


def average_of_opponents(number: int, players: Players) -> float:
    """R51a: scheduled opponents, and for a pause the lowest rating - 1."""
    lowest = min(player.rating or 0 for player in players.players.values())
    met = [players.players[other].rating or 0 for other, _ in players.opponents(number)]
    met += [lowest - 1 for game in players.tournament.games if game.white == number and game.black == 0]
    return sum(met) / len(met) if met else float("-inf")
