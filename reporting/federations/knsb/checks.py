"""The checks of a report to the KNSB: those of all reports, and those of days and of tournaments abroad."""

from __future__ import annotations

from collections.abc import Mapping

from reporting.federations.facet import edition_in_force
from reporting.federations.knsb.details import KnsbDetails
from reporting.federations.knsb.editions import EDITIONS
from reporting.rules.checks import REPORT_CHECKS, Check
from reporting.rules.checks.context import CheckContext
from reporting.rules.findings.catalogue.code import Code

FINDING_CODES: Mapping[str, Code] = {
    "day-of-game-missing": Code(
        "a round whose games have no day, in a report by rules that rate a game by its day",
        "The day of the games of round {round} is not known.",
        "the day of each round, or of each game",
        "Give the days of the rounds, or the day of each game in a table of games.",
        "no day",
    ),
    "day-of-game-missing.short": Code(
        "the same in a short tournament",
        "The day of the games of round {round} is not known: that of the last round counts.",
        severity="warning",
    ),
    "abroad-not-processed": Code(
        "a tournament abroad that FIDE has not processed",
        "No game of this tournament counts: it was played abroad and FIDE has not processed it.",
        "a tournament in the country of the federation, or one that FIDE has processed",
        "If FIDE has processed it, say so in the details.",
        "{country}",
        severity="warning",
    ),
}


def check_days_of_games(context: CheckContext) -> None:
    """Each game has a day: its own, that of its round, or that of a tournament of one day (art. 4.1, 13; R80d, R84f).

    Without one it is not known to which list a game belongs. In a part, and in a tournament of more than 30 days, that
    is an error; in a shorter one a warning, because its last day is near. There is one finding for each round. Days
    that could not be read are findings of the reader.
    """
    details, begins, ends = context.details, context.played_from, context.played_to
    if not isinstance(details, KnsbDetails) or begins is None or ends is None or begins == ends:
        return
    is_short = (ends - begins).days < edition_in_force(EDITIONS, ends).short_days and details.part is None
    own_days = {line: column for line, column, name in context.read.cells if name == "started_on"}
    rounds = set()
    for game in context.read.games:
        if not game.played or game.round in rounds or details.day_of(game):
            continue
        if (game.line, own_days.get(game.line)) in context.reported_positions:
            continue
        rounds.add(game.round)
        context.findings.add(
            f"day-of-game-missing{'.short' if is_short else ''}",
            line=game.line,
            column=game.column,
            field="rounds",
            asked_detail="rounds",
            round=game.round,
        )


def check_abroad(context: CheckContext) -> None:
    """Games abroad count only where FIDE processed them (art. 12.2, R84e)."""
    details = context.details
    if isinstance(details, KnsbDetails) and details.is_abroad and not details.fide_processed:
        context.findings.add(
            "abroad-not-processed",
            field="fide_processed",
            country=details.country,
            asked_detail="fide_processed",
            proposed_value="true",
        )


CHECKS: tuple[Check, ...] = (*REPORT_CHECKS, check_days_of_games, check_abroad)
