"""Rounds that are paired already: the hard rules they break, and how far they are from the best pairing (R64, R65)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from reporting.rules.pairing.field import Objective, field_of
from reporting.rules.pairing.pair_round import ImpossibleRound, PairedRound, pair_round
from reporting.rules.pairing.tournament import PAUSE, PairedGame, Tournament, history_of, pairing_order


@dataclass(frozen=True)
class Broken:
    """A hard rule that a round breaks: `twice`, `second_meeting`, `second_pause` or `forbidden`, and by whom."""

    code: str
    players: tuple[int, ...]


@dataclass(frozen=True)
class JudgedRound:
    """A round beside the best one for the same players. `differences` are its pairs that the best one does not have,
    White first, a pause as `PAUSE`; `best` is None where these players cannot be paired."""

    round: int
    hard: tuple[Broken, ...]
    objective: Objective
    best: Objective | None
    differences: tuple[tuple[int, int], ...]

    @property
    def is_same(self) -> bool:
        """Whether it has the best pairs and the best pause; colours are not compared (art. 3.7a)."""
        return self.best is not None and not self.differences


def judge_rounds(tournament: Tournament) -> Iterator[JudgedRound]:
    """Judge each round of the games, from the rounds before it. Who has no game in a round counts as absent.

    Raises `MissingRatingsError` as `pair_round` does.
    """
    for round_ in sorted({game.round for game in tournament.games}):
        yield _judge(tournament, round_)


def _judge(tournament: Tournament, round_: int) -> JudgedRound:
    games = [game for game in tournament.games if game.round == round_]
    here = {number for game in games for number in (game.white, game.black)} - {PAUSE}
    before = replace(
        tournament,
        round=round_,
        games=tuple(game for game in tournament.games if game.round < round_),
        players=tuple(
            replace(
                player,
                from_round=1,
                withdrawn_after=None,
                absent=frozenset(() if player.number in here else (round_,)),
            )
            for player in tournament.players
        ),
        fixed=(),
    )
    answer = pair_round(before)
    best = set() if isinstance(answer, ImpossibleRound) else _pairs(answer)
    pairs = [(game.white, game.black) for game in games]
    return JudgedRound(
        round=round_,
        hard=tuple(_broken(before, games)),
        objective=_objective(before, pairs),
        best=None if isinstance(answer, ImpossibleRound) else answer.objective,
        differences=tuple(pair for pair in pairs if frozenset(pair) not in best),
    )


def _pairs(answer: PairedRound) -> set[frozenset[int]]:
    pairs = {frozenset((pair.white, pair.black)) for pair in answer.pairs}
    return pairs if answer.pause is None else pairs | {frozenset((answer.pause, PAUSE))}


def _objective(before: Tournament, pairs: list[tuple[int, int]]) -> Objective:
    history = history_of(before)
    numbers = history.table.numbers
    paired = [pair for pair in pairs if PAUSE not in pair]
    order = pairing_order(history)
    field = field_of(history, order[np.isin(numbers[order], [number for pair in paired for number in pair])])
    node = {number: place for place, number in enumerate(numbers[field.rows].tolist())}
    return field.objective(
        (min(node[white], node[black]), max(node[white], node[black])) for white, black in paired
    )


def _broken(before: Tournament, games: list[PairedGame]) -> Iterator[Broken]:
    met = {
        frozenset((game.white, game.black))
        for game in before.games
        if game.black != PAUSE and not game.result.is_forfeit
    }
    paused = {game.white for game in before.games if game.black == PAUSE}
    forbidden = {frozenset(pair) for pair in before.forbidden}
    counts = Counter(number for game in games for number in (game.white, game.black) if number != PAUSE)
    for number, count in sorted(counts.items()):
        if count > 1:
            yield Broken("twice", (number,))
    for game in games:
        pair = frozenset((game.white, game.black))
        if pair in met:
            yield Broken("second_meeting", (game.white, game.black))
        if pair in forbidden:
            yield Broken("forbidden", (game.white, game.black))
        if game.black == PAUSE and game.white in paused:
            yield Broken("second_pause", (game.white,))
