"""Why a tie-break of a player has its value: round by round what was counted, and what was cut."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from reporting.rules.standings.classify import Standings
from reporting.rules.standings.cross_table import NONE, Kind
from reporting.rules.standings.exact import Counted
from reporting.rules.standings.registry import TieBreak
from reporting.rules.standings.unplayed import UnplayedMethod


@dataclass(frozen=True)
class ExplainedRound:
    """One round in a tie-break. `score` is what the opponent counts for, `weight` by what it is multiplied.

    `article` says why a round that is no game counts so; empty for a game.
    `opponent` is a tournament number, None without one; `weight` is None in a plain sum. `kept` is False for what was
    cut or left out.
    """

    round: int
    opponent: int | None
    kind: Kind
    counted: Counted
    score: Fraction
    weight: Fraction | None
    kept: bool
    article: str


@dataclass(frozen=True)
class Explanation:
    """A tie-break of a player with its rounds, none where it is a plain count; the value is None where it is empty."""

    tie_break: TieBreak
    value: Fraction | list[Fraction] | None
    rounds: tuple[ExplainedRound, ...]


def unplayed_article(tie_break: TieBreak, method: UnplayedMethod) -> str:
    """Return the article or paper by which a tie-break counts rounds without a game."""
    if tie_break.article.startswith("C.07"):
        return "C.07 art. 16"
    return method.article if tie_break.article.startswith("Annex 5") else tie_break.article


def explain(standings: Standings, number: int) -> list[Explanation]:
    """Return an explanation of each tie-break of the player with a tournament number. Raises KeyError without one."""
    table = standings.table
    (row,) = [place for place, found in enumerate(table.numbers.tolist()) if found == number] or [NONE]
    if row == NONE:
        raise KeyError(number)
    explanations = []
    for tie_break, column in zip(standings.tie_breaks, standings.columns, strict=True):
        rounds: list[ExplainedRound] = []
        if (terms := column.terms) is not None:
            plain = bool((terms.weights == 1).all())
            below = terms.unit * table.halves_a_point ** (1 if column.power else 0)
            for place in range(table.rounds):
                opponent = int(table.opponents[row, place])
                counted = Counted(int(terms.counted[row, place]))
                rounds.append(
                    ExplainedRound(
                        round=place + 1,
                        opponent=None if opponent == NONE else int(table.numbers[opponent]),
                        kind=Kind(int(table.kinds[row, place])),
                        counted=counted,
                        score=Fraction(int(terms.scores[row, place]), below),
                        weight=None
                        if plain
                        else Fraction(
                            int(terms.weights[row, place]), table.halves_a_point ** (column.power - 1)
                        ),
                        kept=bool(terms.kept[row, place]),
                        article=""
                        if counted is Counted.GAME
                        else unplayed_article(tie_break, standings.unplayed),
                    )
                )
        explanations.append(Explanation(tie_break, column.value(row, table.halves_a_point), tuple(rounds)))
    return explanations
