"""Checks of the competition itself: dates, places, texts, announcement and delay (R11, R20, R21)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import date

from reporting.rules.checks.context import CheckContext
from reporting.rules.findings import FindingFields
from reporting.rules.report import TABLE_FORM, ReportedPlayer
from reporting.rules.tournament_details import DETAIL_NAMES, System

MAX_TEXT_LENGTHS = {"name": 30, "referee": 25, "place": 30, "winner": 25}
"""Characters of the texts of the Info section (Annex 9 art. 11)."""

MAX_LOCAL_ID_LENGTH = 6
"""Characters of a local ID (Annex 9 art. 11)."""


def check_required_details(context: CheckContext) -> None:
    """Name, days and system are known, from the file or the form (Annex 9 art. 4.1.1).

    Where the Info section is told to be missing, so is what stands in it.
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
    names = {"played_from": "The day of the first round", "played_to": "The day of the last round"}
    for key, value in (known | wanted).items():
        line, column = context.position(key)
        if value or (line and column and context.has_reader_finding_at(line, column, key)):
            continue
        say = context.findings.error if key in known else context.findings.warning
        say(
            "detail-missing",
            f"{names.get(key, f'The {key} of the competition')} is missing.",
            line=line,
            column=column,
            field=key,
            found="nothing in the file or the form",
            expected="it is part of every report",
            suggestion="Give it in the form or write it into the file.",
        )


def check_dates(context: CheckContext) -> None:
    """The last round is not before the first, and not still to come (R20)."""
    begins, ends = context.played_from, context.played_to
    line, column = context.position("played_to")
    if begins and ends and ends < begins:
        context.findings.error(
            "dates-reversed",
            "The last round is before the first.",
            line=line,
            column=column,
            field="played_to",
            found=f"{begins.isoformat()} to {ends.isoformat()}",
            expected="the first day, then the last",
            suggestion="Exchange the two days, or correct one of them.",
        )
    elif ends and ends > context.today:
        context.findings.error(
            "end-in-future",
            "The last round is still to come.",
            line=line,
            column=column,
            field="played_to",
            found=ends.isoformat(),
            expected=f"a day up to {context.today.isoformat()}",
            suggestion="Correct the day, or report the competition when it is finished.",
        )


def check_receipt_date(context: CheckContext) -> None:
    """The report came in after the last round and not later than today (R20)."""
    received, ends = context.details.received if context.details else None, context.played_to
    if received is None:
        return
    if received > context.today:
        context.findings.error(
            "received-in-future",
            "The day on which the report came in is still to come.",
            field="received",
            found=received.isoformat(),
            expected=f"a day up to {context.today.isoformat()}",
            suggestion="Correct the day, or leave it out; then today counts.",
        )
    if ends and received < ends:
        context.findings.error(
            "details-contradict",
            "The report cannot have come in before the last round was played.",
            field="received",
            found=f"received {received.isoformat()}, last round {ends.isoformat()}",
            expected=f"a day from {ends.isoformat()} on",
            suggestion="Correct the day of receipt or the day of the last round.",
        )


def check_deadline(context: CheckContext) -> None:
    """Reported in the days that the edition of the last round gives (Annex 9 art. 4.1, 4.5; R11).

    Without facts nothing is known of the receipt, so nothing is said; facts without ``received`` mean today.
    """
    ends = context.played_to
    if context.details is None or ends is None:
        return
    received = context.details.received or context.today
    report_days = context.edition_on(ends).report_days
    if (received - ends).days <= report_days:
        return
    line, column = context.position("played_to")
    context.findings.warning(
        "late-report",
        f"The report comes {(received - ends).days} days after the last round.",
        line=line,
        column=column,
        field="received",
        found=received.isoformat(),
        expected=f"up to {_days_later(ends, report_days).isoformat()}",
        suggestion="Say why; it is calculated only if the rating officer admits it.",
    )


def check_announcement(context: CheckContext) -> None:
    """Announced as early as the edition of the first round asks, unless official or a national championship (R11)."""
    details, begins = context.details, context.played_from
    if details is None or begins is None:
        return
    if details.official or details.competition or details.is_national_championship:
        return
    notice = context.edition_on(begins).announcement_days
    if details.announced is not None and (begins - details.announced).days >= notice:
        return
    line, column = context.position("played_from")
    context.findings.warning(
        "not-announced",
        f"The tournament was not announced {notice} days before its first round.",
        line=line,
        column=column,
        field="announced",
        found=details.announced.isoformat() if details.announced else "no day of announcement",
        expected=f"a day up to {_days_later(begins, -notice).isoformat()}",
        suggestion="Choose its announcement with the details, or say why there is none in time; "
        "it is calculated only if the rating officer admits it.",
    )


def check_rating_service(context: CheckContext) -> None:
    """The rating service of a report in table form is paid (Annex 9 art. 4.2.1b, R11)."""
    if context.read.format != TABLE_FORM or context.details is None or context.details.rating_service_paid:
        return
    context.findings.warning(
        "service-not-paid",
        "The rating service of a report in table form is not free.",
        field="rating_service_paid",
        found="no confirmation that it is paid",
        expected="rating_service_paid = true",
        suggestion="Say so when it is paid; unpaid it is calculated only if the rating officer admits it.",
    )


def check_round_dates(context: CheckContext) -> None:
    """The days of the rounds are as many as the rounds, in order, and within the competition (R20).

    Every wrong day is told. Of days out of order those are wrong without which the most others are in order.
    """
    days = context.details.rounds if context.details else ()
    if not days:
        return
    rounds = context.read.rounds
    if rounds and len(days) != rounds:
        _round_date_differs(
            context,
            "There is not one day for each round.",
            found=f"{len(days)} days",
            expected=f"{rounds} days, one for each round of the results",
        )
    begins, ends = context.played_from, context.played_to
    if begins and ends and ends < begins:
        begins = ends = None  # that was said already; which of the two is wrong is not known
    outside = {i for i, day in enumerate(days) if (begins and day < begins) or (ends and day > ends)}
    for i in sorted(outside):
        _round_date_differs(
            context,
            f"Round {i + 1} lies outside the competition.",
            found=f"round {i + 1}: {days[i].isoformat()}",
            expected=_between(begins, ends),
        )
    within = [i for i in range(len(days)) if i not in outside]
    in_order = _longest_in_order([days[i] for i in within])
    for place, i in enumerate(within):
        if place in in_order:
            continue
        before = max((within[other] for other in in_order if other < place), default=None)
        after = min((within[other] for other in in_order if other > place), default=None)
        _round_date_differs(
            context,
            f"Round {i + 1} is out of order.",
            found=f"round {i + 1}: {days[i].isoformat()}",
            expected=_between(
                None if before is None else days[before], None if after is None else days[after]
            ),
        )


def check_places(context: CheckContext) -> None:
    """Places of a finished individual tournament: unique unless shared, all there, in the order of the points."""
    if not context.is_finished or context.system is System.TEAMS:
        return
    shared = {group[0] for group in context.details.shared_places} if context.details else set()
    first: dict[int, int] = {}
    for player in context.read.players:
        if player.place is None:
            if not context.has_reader_finding_for(player, "place"):
                _place_missing(context, player)
            continue
        before = first.setdefault(player.place, player.line)
        if before != player.line and player.place not in shared:
            context.findings.error(
                "place-repeated",
                f"This place is used on line {before} already.",
                line=player.line,
                column=player.column("place"),
                field="place",
                found=str(player.place),
                expected="each place once in an individual tournament, unless the details say that it is shared",
                suggestion="Number the places 1, 2, 3, …, or give the group under Shared places in the details.",
            )
    _check_order(context)


def check_shared_places(context: CheckContext) -> None:
    """Each group of shared places has as many players as places, with equal points (R25, R52)."""
    for first, last in context.details.shared_places if context.details else ():
        sharing = [
            player for player in context.read.players if player.place and first <= player.place <= last
        ]
        asked = last - first + 1
        known = not any(player.number in context.read.undecided for player in sharing)
        if context.system is System.TEAMS:
            found, expected = "a team tournament", "an individual tournament"
        elif len(sharing) != asked:
            found, expected = f"places {first}-{last} with {len(sharing)} players", f"{asked} players"
        elif known and len(points := {context.read.points_summed[player.number] for player in sharing}) > 1:
            found = f"places {first}-{last} with {' and '.join(map(str, sorted(points)))} points"
            expected = "players with the same points"
        else:
            continue
        context.findings.error(
            "shared-places-differ",
            "The details share places that these players of the report do not share.",
            field="shared_places",
            found=found,
            expected=expected,
            suggestion="Correct Shared places in the details, or the places in the file.",
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
    context.findings.warning(
        "winner-not-first",
        "The winner is not the player in place 1.",
        line=line,
        column=column,
        field="winner",
        found=winner,
        expected=f"{firsts[0].name}, place 1 on line {firsts[0].line}",
        suggestion="Correct the winner or the places, or say why (a tie-break, for example).",
    )


def check_texts(context: CheckContext) -> None:
    """Texts of the form within their length and in English letters (Annex 9 art. 11)."""
    if not context.is_fmjd_format:
        return
    info = context.read.info
    for key, longest in MAX_TEXT_LENGTHS.items():
        text: str = getattr(info, key)
        place = _place(context, key)
        _check_length(context, text, longest, place)
        _check_alphabet(context, text, place)
    _check_alphabet(context, info.remarks, _place(context, "remarks"))
    for player in context.read.players:
        place = FindingFields(line=player.line, column=player.column("local_id"), field="local_id")
        _check_length(context, player.local_id, MAX_LOCAL_ID_LENGTH, place)
        _check_alphabet(context, player.local_id, place)


TOURNAMENT_CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    check_required_details,
    check_dates,
    check_receipt_date,
    check_deadline,
    check_announcement,
    check_rating_service,
    check_round_dates,
    check_places,
    check_shared_places,
    check_winner,
    check_texts,
)


def _days_later(day: date, days: int) -> date:
    """Return the day so many days later, or the last (first) there is: findings never fail over a date."""
    return date.fromordinal(min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal()))


def _round_date_differs(context: CheckContext, message: str, *, found: str, expected: str) -> None:
    of_file = context.details is not None and context.details.rounds == context.read.info.rounds
    line, column = context.position("rounds") if of_file else (None, None)
    context.findings.error(
        "round-dates-differ",
        message,
        line=line,
        column=column,
        field="rounds",
        found=found,
        expected=expected,
        suggestion="Give one day for each round, in order, from the first day to the last.",
    )


def _between(first: date | None, last: date | None) -> str:
    if first and last:
        return f"a day from {first.isoformat()} to {last.isoformat()}"
    return (
        f"a day from {first.isoformat()} on" if first else f"a day up to {last.isoformat() if last else ''}"
    )


def _longest_in_order(days: Sequence[date]) -> frozenset[int]:
    """Return the places of a longest part of the days of which none is before the one it follows."""
    ends: list[date] = []  # the earliest last day of a part of each length, and the place where it stands
    places: list[int] = []
    follows: list[int | None] = []
    for place, day in enumerate(days):
        length = bisect_right(ends, day)
        follows.append(places[length - 1] if length else None)
        ends[length : length + 1] = [day]
        places[length : length + 1] = [place]
    kept: set[int] = set()
    last = places[-1] if places else None
    while last is not None:
        kept.add(last)
        last = follows[last]
    return frozenset(kept)


def _place(context: CheckContext, key: str) -> FindingFields:
    line, column = context.position(key)
    return FindingFields(line=line, column=column, field=key)


def _place_missing(context: CheckContext, player: ReportedPlayer) -> None:
    context.findings.warning(
        "place-missing",
        "The competition is finished, but this player has no place.",
        line=player.line,
        column=player.column("place"),
        field="place",
        found="0",
        expected="a place for each player, or 0 for all",
        suggestion="Give the place, or say that the player is not classified.",
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
            context.findings.warning(
                "places-contradict-points",
                f"The player in place {ahead.place} (line {ahead.line}) has fewer points.",
                line=player.line,
                column=player.column("place"),
                field="place",
                found=f"place {player.place} with {player.points_printed} points, "
                f"place {ahead.place} with {ahead.points_printed}",
                expected="places in the order of the points",
                suggestion="Correct the places, or say by which rule they were given.",
                about=(player.number, ahead.number),
            )


def _check_length(context: CheckContext, text: str, longest: int, place: FindingFields) -> None:
    if len(text) > longest:
        context.findings.error(
            "text-too-long",
            f"The text has {len(text)} characters.",
            line=place["line"],
            column=(place["column"] or 1) + (0 if context.read.cells else longest),
            field=place["field"],
            found=text,
            expected=f"at most {longest} characters",
            suggestion="Shorten it; the details take the full text."
            if place["field"] in DETAIL_NAMES
            else "Shorten it.",
        )


def _check_alphabet(context: CheckContext, text: str, place: FindingFields) -> None:
    outside = next((i for i, letter in enumerate(text) if not letter.isascii()), None)
    if outside is not None:
        column = place["column"] or 1
        context.findings.warning(
            "text-outside-alphabet",
            f"The text holds “{text[outside]}”, which the English alphabet does not have.",
            line=place["line"],
            column=column if "\n" in text or context.read.cells else column + outside,
            field=place["field"],
            found=text,
            expected="letters of the English alphabet",
            suggestion="Write the text in English letters.",
        )


def _words(name: str) -> set[str]:
    return set(name.casefold().replace(",", " ").split())
