"""The checks of a report to the ICCF: those of all reports, and those of kind, level, days and substitutes."""

from __future__ import annotations

from collections.abc import Mapping

from reporting.federations.iccf.details import IccfDetails, TournamentKind
from reporting.rules.checks import REPORT_CHECKS, Check
from reporting.rules.checks.context import CheckContext
from reporting.rules.details.known_details import details_of
from reporting.rules.findings.catalogue.code import Code

LEAST_LEVEL, LARGEST_LEVEL = 1000, 3000

FINDING_CODES: Mapping[str, Code] = {
    "level-missing": Code(
        "a tournament whose kind has no assumed rating, without one",
        "This kind of tournament has no assumed rating: give the announced one.",
        "the assumed rating that was announced",
        "Give the assumed rating in the details.",
        "no assumed rating",
    ),
    "level-missing.part": Code(
        "a part of a national tournament without an assumed rating",
        "A part does not show all players: give the assumed rating of the tournament.",
        "the mean rating of the players of the whole tournament",
    ),
    "level-of-kind": Code(
        "an assumed rating of a tournament whose kind decides it",
        "The assumed rating follows from the kind of tournament.",
        "no assumed rating",
        "Remove the assumed rating, or correct the kind of tournament.",
        "{level}",
    ),
    "level-out-of-range": Code(
        "an assumed rating that is too low or too high",
        "The assumed rating is not possible.",
        "a whole number from {least} to {largest}",
        "Correct the assumed rating.",
        "{level}",
    ),
    "registered-before-received": Code(
        "results that were registered before they were reported",
        "The results were registered on {registered:date}, before they were reported on {received:date}.",
        "the day of the report, or a later one",
        "Correct one of the two days.",
        "{registered:date}",
    ),
    "registered-in-future": Code(
        "a day of registration after today",
        "The day of registration, {registered:date}, is after today, {today:date}.",
        "a day up to {today:date}",
        "Leave the day out until the results are registered, or correct it.",
        "{registered:date}",
    ),
    "game-after-report": Code(
        "a game that began, or ended, after the day of the report",
        "This day is after {received:date}, the day by which the results were reported.",
        "a day up to {received:date}",
        "Correct the day, or the day of the report in the details.",
        "{day:date}",
    ),
    "substitute-self": Code(
        "a substitute who is the player replaced",
        "The substitute and the player replaced are the same player.",
        "the number of another player, or nothing",
        "Correct the number of the player replaced, or leave it out.",
        "{number}",
    ),
    "substitute-self.opponent": Code(
        "a player replaced who finished the same game",
        "The player replaced finished this game on the other side.",
    ),
    "substitute-self.both": Code(
        "a player replaced on both sides of a game",
        "The same player is replaced on both sides of this game.",
    ),
}


def check_kind_and_day(context: CheckContext) -> None:
    """The kind of tournament and the day of the report are known (items 11, 12; R93, R93a)."""
    if not isinstance(context.details, IccfDetails):
        return
    for name in ("kind", "received"):
        if getattr(context.details, name) is None:
            label = details_of(IccfDetails)[name].label
            context.findings.add("detail-missing", field=name, detail=label, asked_detail=name)


def check_level(context: CheckContext) -> None:
    """A level is given where the kind has none, and only where it may be (item 11, R93, R93c)."""
    details = context.details
    if not isinstance(details, IccfDetails) or details.kind is None:
        return
    is_part = details.kind is TournamentKind.NATIONAL and details.part is not None
    if details.level is None:
        if details.kind is TournamentKind.OTHER or is_part:
            case = ".part" if is_part else ""
            context.findings.add(f"level-missing{case}", field="level", asked_detail="level")
        return
    if not is_part and details.kind not in (TournamentKind.OTHER, TournamentKind.FRIENDLY):
        context.findings.add("level-of-kind", field="level", level=str(details.level), asked_detail="level")
    elif not LEAST_LEVEL <= details.level <= LARGEST_LEVEL:
        context.findings.add(
            "level-out-of-range",
            field="level",
            level=str(details.level),
            least=str(LEAST_LEVEL),
            largest=str(LARGEST_LEVEL),
            asked_detail="level",
        )


def check_registration(context: CheckContext) -> None:
    """Results are registered when they have been reported, and not in the future (items 12, 13)."""
    details = context.details
    if not isinstance(details, IccfDetails) or details.registered is None:
        return
    if details.registered > context.today:
        context.findings.add(
            "registered-in-future",
            field="registered",
            registered=details.registered.isoformat(),
            today=context.today.isoformat(),
            asked_detail="registered",
        )
    if details.received is not None and details.registered < details.received:
        context.findings.add(
            "registered-before-received",
            field="registered",
            registered=details.registered.isoformat(),
            received=details.received.isoformat(),
            asked_detail="registered",
        )


def check_days_of_results(context: CheckContext) -> None:
    """No game began or ended after the day by which its result was reported (item 12); one without a day began on the
    tournament's first (R91a).
    """
    details = context.details
    if not isinstance(details, IccfDetails) or details.received is None:
        return
    if context.played_from is not None and context.played_from > details.received:
        context.findings.add(
            "game-after-report",
            field="played_from",
            day=context.played_from.isoformat(),
            received=details.received.isoformat(),
            asked_detail="played_from",
        )
    columns = {(line, name): column for line, column, name in context.read.cells}
    for game in context.read.games:
        for name, day in (("started_on", game.started_on), ("finished_on", game.finished_on)):
            if day is not None and day > details.received:
                context.findings.add(
                    "game-after-report",
                    line=game.line,
                    column=columns.get((game.line, name), game.column),
                    field=name,
                    day=day.isoformat(),
                    received=details.received.isoformat(),
                )


def check_substitutes(context: CheckContext) -> None:
    """Who is replaced has not finished the game, on either side (item 18, R94)."""
    columns = {(line, name): column for line, column, name in context.read.cells}
    for game in context.read.games:
        players = (context.by_number.get(game.white), context.by_number.get(game.black))
        white, black = (player and context.fmjd_id(player) for player in players)
        for name, replaced, own in (
            ("white_for", game.white_for, white),
            ("black_for", game.black_for, black),
        ):
            is_both = name == "black_for" and replaced == game.white_for
            if replaced is not None and (is_both or replaced in (white, black)):
                case = "" if replaced == own else ".both" if is_both else ".opponent"
                context.findings.add(
                    f"substitute-self{case}",
                    line=game.line,
                    column=columns.get((game.line, name), game.column),
                    field=name,
                    number=str(replaced),
                )


CHECKS: tuple[Check, ...] = (
    *REPORT_CHECKS,
    check_kind_and_day,
    check_level,
    check_registration,
    check_days_of_results,
    check_substitutes,
)
