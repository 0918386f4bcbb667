"""A round of a Swiss tournament by Annex 5: who pauses, who meets whom, with which colours, and why (R62 to R69d)."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace

import numpy as np

from reporting.rules.pairing.best_pairing import Passed, best_pairs
from reporting.rules.pairing.colours import white_and_black
from reporting.rules.pairing.field import Field, Objective, field_of
from reporting.rules.pairing.matching import can_all_be_paired
from reporting.rules.pairing.tournament import (
    PAUSE,
    History,
    PairedGame,
    Result,
    Tournament,
    history_of,
    pairing_order,
)
from reporting.rules.standings.cross_table import Integers

ARTICLES = {
    "met": "1",
    "floated": "3.8",
    "colour": "3.7",
    "odd_group": "3.5",
    "completion": "App. A d",
    "fixed": "1",
    "had_pause": "4.1",
    "last": "4.1",
}
"""By the code of a reason: the article of Annex 5."""


@dataclass(frozen=True)
class Reason:
    """Why a pair is not the one that the plain rule names, or why a player pauses.

    `player` could not have `other` as an opponent, or without `other` could not float or pause, or had to. `code` is
    one of `ARTICLES`; `article` is of Annex 5.
    """

    code: str
    player: int
    other: int | None = None

    @property
    def article(self) -> str:
        """The article of Annex 5 that says so."""
        return ARTICLES[self.code]


@dataclass(frozen=True)
class Pair:
    """A board with tournament numbers. `scores` are the pairing scores of White and Black; `why` says where it differs
    from the plain rule, in the order in which it was decided."""

    board: int
    white: int
    black: int
    scores: tuple[int, int]
    why: tuple[Reason, ...]


@dataclass(frozen=True)
class PairedRound:
    """A round by R65, without the pairs that the referee fixed. `pause` is None without one."""

    round: int
    pairs: tuple[Pair, ...]
    pause: int | None
    why_pause: tuple[Reason, ...]
    objective: Objective


@dataclass(frozen=True)
class ImpossibleRound:
    """A round that cannot be paired; `blocked_by` are the rules without which alone it could be (R69d)."""

    round: int
    blocked_by: tuple[str, ...]


class MissingRatingsError(ValueError):
    """Players without a rating in a system by rating, which needs an estimate of the referee (App. A a; R62)."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self.numbers = tuple(numbers)
        super().__init__(", ".join(map(str, self.numbers)))


def pair_round(tournament: Tournament) -> PairedRound | ImpossibleRound:
    """Pair the round of a tournament by its system (Annex 5; R62 to R69b).

    The games must be free of findings (`reporting.formats.pairing`). Raises `MissingRatingsError`.
    """
    missing = [player.number for player in tournament.players if player.rating is None]
    if tournament.system.by_rating and missing:
        raise MissingRatingsError(missing)
    history = history_of(tournament)
    field, pause, why_pause = _field_and_pause(history)
    decided = best_pairs(field) if field is not None else None
    if field is None or decided is None:
        return ImpossibleRound(tournament.round, _blocked_by(tournament))
    numbers = history.table.numbers[field.rows].tolist()
    scores = history.scores[field.rows, -1].tolist()
    forbidden = {frozenset(pair) for pair in tournament.forbidden}
    pairs = []
    for board, ((higher, lower), passed) in enumerate(sorted(decided.items()), start=1):
        colours = white_and_black(history, int(field.rows[higher]), int(field.rows[lower]), board)
        white, black = (higher, lower) if colours[0] == field.rows[higher] else (lower, higher)
        pairs.append(
            Pair(
                board=board,
                white=numbers[white],
                black=numbers[black],
                scores=(scores[white], scores[black]),
                why=_reasons(forbidden, field, (higher, lower), passed, numbers),
            )
        )
    return PairedRound(
        round=tournament.round,
        pairs=tuple(pairs),
        pause=pause,
        why_pause=why_pause,
        objective=field.objective(decided),
    )


def _reasons(
    forbidden: Set[frozenset[int]],
    field: Field,
    pair: tuple[int, int],
    passed: list[Passed],
    numbers: list[int],
) -> tuple[Reason, ...]:
    higher, lower = pair
    reasons = []
    if field.groups[higher] != field.groups[lower]:
        above = int(np.searchsorted(field.groups, field.groups[higher], side="right"))
        reasons.append(Reason("odd_group" if above % 2 else "completion", numbers[higher]))
    for choice in passed:
        player = numbers[choice.player]
        other = None if choice.opponent is None else numbers[choice.opponent]
        code = "fixed" if choice.code == "met" and frozenset((player, other)) in forbidden else choice.code
        reasons.append(Reason(code, player, other))
    return tuple(reasons)


def _field_and_pause(history: History) -> tuple[Field | None, int | None, tuple[Reason, ...]]:
    """Who is to be paired, and who pauses: the last in pairing order who can (art. 4.1, 4.2; R63)."""
    tournament = history.tournament
    fixed = {number for pair in tournament.fixed for number in pair}
    takes_part = np.array(
        [player.takes_part(tournament.round) and player.number not in fixed for player in tournament.players],
        dtype=bool,
    )
    order = pairing_order(history)
    order = order[takes_part[order]]
    if len(order) % 2 == 0:
        return field_of(history, order), None, ()
    why: list[Reason] = []
    for place in range(len(order) - 1, -1, -1):
        row = order[place]
        number = int(history.table.numbers[row])
        if history.had_pause[row]:
            why.append(Reason("had_pause", number))
            continue
        others = np.delete(order, place)
        if _can_be_paired(history, others):
            return field_of(history, others), number, (*why, Reason("last", number))
        why.append(Reason("completion", number))
    return None, None, ()


def _can_be_paired(history: History, rows: Integers) -> bool:
    may_meet = ~history.met[np.ix_(rows, rows)]
    np.fill_diagonal(may_meet, False)
    return can_all_be_paired(may_meet)


def _blocked_by(tournament: Tournament) -> tuple[str, ...]:
    """The hard rules without which alone the round could be paired; all three if no single one is enough (R69d)."""
    without = {
        "second_meeting": replace(
            tournament, games=tuple(_without_meeting(game) for game in tournament.games)
        ),
        "forbidden": replace(tournament, forbidden=()),
        "second_pause": replace(
            tournament, games=tuple(game for game in tournament.games if game.black != PAUSE)
        ),
    }
    alone = tuple(rule for rule, other in without.items() if _is_possible(other))
    return alone or tuple(without)


def _without_meeting(game: PairedGame) -> PairedGame:
    return game if game.black == PAUSE else replace(game, result=Result.BOTH_FORFEIT)


def _is_possible(tournament: Tournament) -> bool:
    field, _, _ = _field_and_pause(history_of(tournament))
    return field is not None and can_all_be_paired(field.may_meet)
