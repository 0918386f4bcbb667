"""Checks of the tournament itself: dates, places, texts, announcement and delay (R11, R20, R21)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from reporting.rules.checks.context import CheckContext
from reporting.rules.details.known_details import DETAILS
from reporting.rules.details.shared_details import System
from reporting.rules.details.time_control import minutes_text, parse_time_control
from reporting.rules.findings.finding_list import Severity
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.report import ReportedPlayer
from reporting.rules.sentences import joined

MAX_GAME_SECONDS = 300 * 60
"""Time of a player for 60 moves above which its unit is in doubt (R26)."""
SECONDS_OF_A_DAY = 24 * 60 * 60


def check_required_details(context: CheckContext) -> None:
    """Name, days and system are known, from the file or the details, but for what the federation does not ask for.

    Nothing is checked if the whole Info section is missing: the reader has reported that.
    """
    if "info" in context.read.unread_sections:
        return
    info, details = context.read.info, context.details
    known = {
        "name": info.name or (details.name if details else ""),
        "played_from": context.played_from,
        "played_to": context.played_to,
        "system": context.system,
    }
    wanted = {
        "referee": info.referee or (details.referee if details else ""),
        "place": info.place or (details.place if details else ""),
        "country": info.country_code or (details.country if details else ""),
    }
    optional = context.rules.details.optional
    for key, value in (known | wanted).items():
        if key in optional:
            continue
        line, column = context.position(key)
        is_given = bool(value) or key in context.given
        if is_given or (line and column and context.has_reader_finding_at(line, column, key)):
            continue
        context.findings.add(
            "detail-missing",
            Severity.ERROR if key in known else Severity.WARNING,
            line=line,
            column=column,
            field=key,
            detail=DETAILS[key].label,
            asked_detail=key,
        )


def check_dates(context: CheckContext) -> None:
    """The last round is not before the first; what is reported is not in the future (R20)."""
    begins, ends = context.played_from, context.played_to
    line, column = context.position("played_to")
    if begins and ends and ends < begins:
        context.findings.add(
            "dates-reversed",
            line=line,
            column=column,
            field="played_to",
            played_from=begins.isoformat(),
            played_to=ends.isoformat(),
        )
    elif ends and context.reported_until and context.reported_until > context.today:
        context.findings.add(
            "end-in-future",
            line=line,
            column=column,
            field="played_to",
            played_to=ends.isoformat(),
            today=context.today.isoformat(),
        )


def check_receipt_date(context: CheckContext) -> None:
    """The report was received after what it reports and not later than today (R20)."""
    received = context.details.received if context.details else context.given.get("received")
    ends = context.reported_until
    if received is None:
        return
    if received > context.today:
        context.findings.add(
            "received-in-future",
            field="received",
            received=received.isoformat(),
            today=context.today.isoformat(),
        )
    if ends and received < ends:
        context.findings.add(
            "received-before-end",
            field="received",
            received=received.isoformat(),
            played_to=ends.isoformat(),
        )


def check_deadline(context: CheckContext) -> None:
    """Reported in the days that the edition of the last round gives (R11).

    Without details nothing is known of the receipt, so nothing is checked. Details without ``received`` mean today. The
    first report of a tournament decides: a correction is never late (R11a).
    """
    ends = context.played_to
    if context.details is None or context.details.corrects or ends is None:
        return
    received = context.details.received or context.today
    report_days = context.edition_on(ends).report_days
    if report_days is None or (received - ends).days <= report_days:
        return
    line, column = context.position("played_to")
    context.findings.add(
        "late-report",
        line=line,
        column=column,
        field="received",
        received=received.isoformat(),
        days=(received - ends).days,
        due=_days_later(ends, report_days).isoformat(),
    )


def check_announcement(context: CheckContext) -> None:
    """Announced as early as the edition of the first round asks (R11).

    Whether it is official or a national championship, which needs no announcement, the report does not say by itself.
    That part 1 of a tournament was announced is enough.
    """
    details, begins = context.details, context.played_from
    if details is None or begins is None or (details.part or 1) > 1:
        return
    notice = context.edition_on(begins).announcement_days
    if notice is None:
        return
    if details.announced is not None and (begins - details.announced).days >= notice:
        return
    line, column = context.position("played_from")
    context.findings.add(
        "not-announced",
        line=line,
        column=column,
        field="announced",
        announced=details.announced.isoformat() if details.announced else "",
        notice=notice,
        latest=_days_later(begins, -notice).isoformat(),
    )


def check_round_dates(context: CheckContext) -> None:
    """The days of the rounds are as many as the rounds, in order, and within the tournament (R20).

    A part has the days of all rounds so far, and maybe no game of the last of them. Every wrong day is reported. Days
    are out of order if without them the most other days are in order.
    """
    details = context.details
    days = details.rounds if details else ()
    if details is None or not days:
        return
    rounds = context.read.rounds
    if rounds and (len(days) < rounds if details.part else len(days) != rounds):
        _round_dates_differ(context, "round-dates-differ", days=len(days), rounds=rounds)
    begins, ends = context.played_from, context.played_to
    if begins and ends and ends < begins:
        begins = ends = None  # check_dates has reported that; which of the two is wrong is not known
    outside = {i for i, day in enumerate(days) if (begins and day < begins) or (ends and day > ends)}
    for i in sorted(outside):
        _round_dates_differ(
            context,
            "round-dates-differ.outside",
            round=i + 1,
            day=days[i].isoformat(),
            **_range(begins, ends),
        )
    within = [i for i in range(len(days)) if i not in outside]
    in_order = _longest_in_order([days[i] for i in within])
    for place, i in enumerate(within):
        if place in in_order:
            continue
        before = max((within[other] for other in in_order if other < place), default=None)
        after = min((within[other] for other in in_order if other > place), default=None)
        _round_dates_differ(
            context,
            "round-dates-differ.order",
            round=i + 1,
            day=days[i].isoformat(),
            **_range(None if before is None else days[before], None if after is None else days[after]),
        )


def check_time_control(context: CheckContext) -> None:
    """A time control too long for a game, or for the days of the rounds, is shown as a reading in seconds (R26).

    A game lasts up to the time of both players; a day has 24 hours. The reading is proposed where the grammar of time
    controls has it. What line 222 of TRF26 gives is in seconds by its format.
    """
    details, info = context.details, context.read.info
    if details is None or details.seconds_for_60_moves is None:
        return
    field, controls = "time_control", details.session or (details.time_control,)
    if details.minutes_for_60_moves is not None:
        field, controls = "minutes_for_60_moves", (str(details.minutes_for_60_moves),)
    elif details.session:
        field = "session"
    elif info.is_time_control_in_seconds and details.time_control == info.time_control:
        return
    clocks = [parse_time_control(control) for control in controls]
    times = [clock.seconds_for_60_moves for clock in clocks]
    is_over = [seconds > MAX_GAME_SECONDS for seconds in times]
    days = _days_too_short(context, 2 * sum(times))
    if not days and not any(is_over):
        return
    readings = [
        clock.in_seconds if over or not any(is_over) else clock
        for clock, over in zip(clocks, is_over, strict=True)
    ]
    is_in_file = field == "time_control" and details.time_control == info.time_control
    line, column = context.position("time_control") if is_in_file else (None, None)
    known = [reading for reading in readings if reading]
    is_known = len(known) == len(readings)
    context.findings.add(
        "time-control-long" if any(is_over) else "time-control-long.days",
        line=line,
        column=column,
        field=field,
        found=", ".join(controls),
        minutes=minutes_text(max(times)),
        limit=MAX_GAME_SECONDS // 60,
        rounds=context.read.rounds,
        days=days,
        reading=joined(known) if is_known else "",
        asked_detail=field,
        proposed_value=", ".join(map(str, known)) if is_known else "",
    )


def _days_too_short(context: CheckContext, seconds: int) -> int:
    """The days into which rounds of so many seconds do not fit; 0 where they fit, or the days are not known."""
    first, last = context.played_from, context.played_to
    if not first or not last or last < first:
        return 0
    days = (last - first).days + 1
    dated = Counter(context.details.rounds if context.details else ())
    rounds, within = (max(dated.values()), 1) if len(dated) > 1 else (context.read.rounds, days)
    return within if rounds * seconds > within * SECONDS_OF_A_DAY else 0


def check_places(context: CheckContext) -> None:
    """Places of a finished individual tournament: unique unless shared, all there, in the order of the points."""
    if not context.is_finished or context.system is System.TEAMS:
        return
    shared = {group[0] for group in context.details.shared_places} if context.details else set()
    first: dict[int, int] = {}
    sharing = Counter(player.place for player in context.read.players if player.place)
    fits = all(not sharing[place + more] for place, count in sharing.items() for more in range(1, count))
    groups = [
        f"{place}-{place + count - 1}" for place, count in sorted(sharing.items()) if count > 1 and fits
    ]
    for player in context.read.players:
        if player.place is None:
            if not context.has_reader_finding_for(player, "place"):
                _place_missing(context, player)
            continue
        before = first.setdefault(player.place, player.line)
        if before != player.line and player.place not in shared:
            context.findings.add(
                "place-repeated",
                line=player.line,
                column=player.column("place"),
                field="place",
                found=str(player.place),
                first_line=before,
                asked_detail="shared_places",
                proposed_value=", ".join(groups),
            )
    if not context.counting.round_scores:  # else check_standings compares the places with those
        _check_order(context)


def check_shared_places(context: CheckContext) -> None:
    """Each group of shared places has as many players as places, with equal points (R25, R52)."""
    for first, last in context.details.shared_places if context.details else ():
        sharing = [
            player for player in context.read.players if player.place and first <= player.place <= last
        ]
        wanted = last - first + 1
        known = not any(player.number in context.read.undecided for player in sharing)
        points = sorted({context.read.points_summed[player.number] for player in sharing})
        places = f"{first}-{last}"
        if context.system is System.TEAMS:
            context.findings.add("shared-places-differ.teams", field="shared_places")
        elif len(sharing) != wanted:
            context.findings.add(
                "shared-places-differ",
                field="shared_places",
                places=places,
                count=len(sharing),
                wanted=wanted,
            )
        elif known and len(points) > 1 and not context.counting.round_scores:
            context.findings.add(
                "shared-places-differ.points",
                field="shared_places",
                places=places,
                points=", ".join(str(context.points(halves)) for halves in points),
            )


def check_winner(context: CheckContext) -> None:
    """The winner of the Info section is the player in place 1 (R21)."""
    winner = context.read.info.winner
    if not winner or context.system is System.TEAMS:
        return
    firsts = [player for player in context.read.players if player.place == 1]
    if not firsts or any(_words(winner) <= _words(player.name) for player in firsts):
        return
    line, column = context.position("winner")
    context.findings.add(
        "winner-not-first",
        line=line,
        column=column,
        field="winner",
        found=winner,
        first_name=firsts[0].name,
        first_line=firsts[0].line,
    )


TOURNAMENT_CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    check_required_details,
    check_dates,
    check_receipt_date,
    check_deadline,
    check_announcement,
    check_round_dates,
    check_time_control,
    check_places,
    check_shared_places,
    check_winner,
)


def _days_later(day: date, days: int) -> date:
    """Return the day so many days later, or the last (first) there is: findings never fail over a date."""
    return date.fromordinal(min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal()))


def _round_dates_differ(context: CheckContext, key: str, **values: Any) -> None:
    in_file = context.details is not None and context.details.rounds == context.read.info.rounds
    line, column = context.position("rounds") if in_file else (None, None)
    context.findings.add(key, line=line, column=column, field="rounds", asked_detail="rounds", **values)


def _range(first: date | None, last: date | None) -> dict[str, Any]:
    return {name: day.isoformat() for name, day in (("first", first), ("last", last)) if day}


def _longest_in_order(days: Sequence[date]) -> frozenset[int]:
    """Return the indexes of a longest subsequence of the days in which no day is before the previous one."""
    ends: list[date] = []  # the earliest last day of a subsequence of each length, and its index
    places: list[int] = []
    follows: list[int | None] = []
    for place, day in enumerate(days):
        length = bisect_right(ends, day)
        follows.append(places[length - 1] if length else None)
        ends[length : length + 1] = [day]
        places[length : length + 1] = [place]
    in_order: set[int] = set()
    last = places[-1] if places else None
    while last is not None:
        in_order.add(last)
        last = follows[last]
    return frozenset(in_order)


def place_of(context: CheckContext, key: str) -> dict[str, Any]:
    line, column = context.position(key)
    return {"line": line, "column": column, "field": key}


def _place_missing(context: CheckContext, player: ReportedPlayer) -> None:
    context.findings.add(
        "place-missing",
        line=player.line,
        column=player.column("place"),
        field="place",
        found="0",
    )


def _check_order(context: CheckContext) -> None:
    placed = sorted(
        (
            player
            for player in context.read.players
            if player.place
            and player.points_printed is not None
            and player.number not in context.players_with_wrong_points
        ),
        key=lambda player: (player.place or 0, player.line),
    )
    for i, player in enumerate(placed[1:]):
        ahead = placed[i]
        if (player.points_printed or 0) > (ahead.points_printed or 0):
            context.findings.add(
                "places-contradict-points",
                line=player.line,
                column=player.column("place"),
                field="place",
                place=player.place,
                points=context.points(player.points_printed or 0),
                place_ahead=ahead.place,
                points_ahead=context.points(ahead.points_printed or 0),
                line_ahead=ahead.line,
                about=(player.number, ahead.number),
            )


def _words(name: str) -> set[str]:
    return set(normalize_name(name).split())
