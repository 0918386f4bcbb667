"""Checks of how rounds and ties count against the games of the report (R25, R54)."""

from __future__ import annotations

from collections.abc import Callable

from reporting.rules.checks.context import CheckContext
from reporting.rules.details.shared_details import System
from reporting.rules.sentences import joined


def check_round_scores(context: CheckContext) -> None:
    """There is a pair of points for each game of a round that can be won."""
    counting = context.counting
    won = [pair for pair in counting.round_scores if pair[0] != pair[1]]
    games = len(counting.session) or max((game.number for game in context.read.games), default=1)
    if won and len(won) != games:
        context.findings.add(
            "round-scores-differ",
            field="round_scores",
            points=joined([f"{more}-{less}" for more, less in won]),
            games=games,
        )


def check_plus_draws(context: CheckContext) -> None:
    """A plus draw is a drawn game of its two players in its round."""
    draws = {
        (game.round, game.number, frozenset((game.white, game.black)))
        for game in context.read.games
        if game.played and game.white_points == game.black_points
    }
    for turn, number, plus, minus in context.counting.plus_draws:
        if (turn, number, frozenset((plus, minus))) not in draws:
            context.findings.add(
                "plus-draw-differs",
                field="plus_draws",
                round=f"{turn}.{number}" if context.counting.session else turn,
                plus=plus,
                minus=minus,
            )


def check_decided_ties(context: CheckContext) -> None:
    """Decided ties name players of an individual tournament."""
    ties = context.counting.decided_ties
    unknown = [number for order in ties for number in order if number not in context.by_number]
    if ties and context.system is System.TEAMS:
        context.findings.add("decided-ties-differ.teams", field="decided_ties")
    elif unknown:
        context.findings.add(
            "decided-ties-differ", field="decided_ties", count=len(unknown), numbers=joined(unknown)
        )


COUNTING_CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    check_round_scores,
    check_plus_draws,
    check_decided_ties,
)
