"""The parts of a tournament that is reported in several: what precedes one, and the games that the others have."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Q

from reporting.federations.registry import rules_of_report
from reporting.models import Entry, Game, Report, ResultSet
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, finding
from reporting.rules.names.look_alikes import name_in_results
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.report import ReadReport, ReportedGame

PlayedGame = tuple[int, tuple[str, ...]]
"""A game by its round and the names of both players."""


def last_results(codes: Collection[str]) -> dict[str, dict[int, ResultSet]]:
    """Code → part → its results as last accepted, before that as submitted. 1 query.

    Without those of rejected and withdrawn reports.
    """
    reports = Report.objects.filter(Q(state=Report.State.ACCEPTED) | Q(corrects=None)).exclude(
        state__in=[Report.State.REJECTED, Report.State.WITHDRAWN]
    )
    found: defaultdict[str, dict[int, ResultSet]] = defaultdict(dict)
    results = ResultSet.objects.filter(tournament__code__in=codes, reports__in=reports)
    for result_set in results.select_related("tournament").order_by("part", "revision"):
        found[result_set.code][result_set.part] = result_set
    return found


def mark_parts(results: Iterable[ResultSet]) -> None:
    """Say of these result sets which are parts of several (`is_in_parts`). 1 query where a federation has parts."""
    marked = [result_set for result_set in results if result_set.may_have_parts]
    if marked:
        codes = [result_set.code for result_set in marked]
        later = ResultSet.objects.filter(tournament__code__in=codes, part__gt=1)
        in_parts = set(later.values_list("tournament__code", flat=True))
        for result_set in marked:
            result_set.is_in_parts = result_set.code in in_parts


def earlier_parts(details: TournamentDetails) -> tuple[dict[int, ResultSet], Finding | None]:
    """The reported parts of the tournament of which these details are a later part; else what is wrong. 1 or 2 queries.

    A tournament is found by the rating system, name and first day of its part 1, and by the number if one is given.
    """
    assert details.part is not None  # noqa: S101 (only a later part asks)
    system = rules_of_report(details.rating_system, details.discipline).system
    named = ResultSet.objects.filter(rating_system=system, name=details.name, part=1)
    codes = set(named.values_list("tournament__code", flat=True))
    tournaments = [parts for parts in last_results(codes).values() if 1 in parts] if codes else []
    alike = [
        parts for parts in tournaments if (parts[1].rating_system, parts[1].name) == (system, details.name)
    ]
    if not alike:
        return {}, finding(
            "part-not-preceded", field="part", found=str(details.part), before=details.part - 1
        )
    begun = [parts for parts in alike if parts[1].played_from == details.played_from]
    if not begun:
        return {}, _other_first_day(details, [parts[1] for parts in alike])
    numbered = [parts for parts in begun if details.number in (None, parts[1].number)]
    if len(numbered) != 1:
        return {}, _other_number(details, [parts[1] for parts in begun])
    (parts,) = numbered
    if details.part - 1 not in parts:
        return {}, finding(
            "part-not-preceded", field="part", found=str(details.part), before=details.part - 1
        )
    return parts, None


def part_findings(
    details: TournamentDetails, read: ReadReport, report: Report | None, names: Mapping[int, str]
) -> list[Finding]:
    """What is wrong with a report beside the other parts of its tournament. At most 4 queries, 0 without a part.

    `names` are the normalized names of its players by number; `report` is the one that is stored already.
    """
    if details.part is None:
        return []
    own = report.result_set if report else None
    if details.corrects:
        parts = last_results([details.corrects])[details.corrects]
        findings = _differences(details, parts) if details.part > 1 and 1 in parts else []
    elif details.part > 1:
        parts, problem = earlier_parts(details)
        findings = [problem] if problem else []
        if (same := parts.get(details.part)) is not None and same != own:
            findings.append(
                finding(
                    "part-reported", field="part", found=str(details.part), code=same.code, name=same.name
                )
            )
    else:
        parts, findings = (last_results([own.code])[own.code] if own and own.revision == 0 else {}), []
    if details.part > 1 and 1 in parts and details.played_to not in (None, parts[1].played_to):
        findings.append(_other_last_day(details, parts[1]))
    others = [result_set for part, result_set in parts.items() if part != details.part]
    has_rounds = rules_of_report(details.rating_system, details.discipline).has_rounds
    return [*findings, *_games_elsewhere(read, names, others, has_rounds=has_rounds)]


def _differences(details: TournamentDetails, parts: Mapping[int, ResultSet]) -> list[Finding]:
    """In what a corrected part is not of the tournament that part 1 says."""
    first, findings = parts[1], []
    if details.name != first.name:
        findings.append(finding("part-not-preceded.name", field="name", found=details.name, name=first.name))
    if details.played_from != first.played_from:
        findings.append(_other_first_day(details, [first]))
    if details.number not in (None, first.number):
        findings.append(_other_number(details, [first]))
    return findings


def _other_first_day(details: TournamentDetails, firsts: Iterable[ResultSet]) -> Finding:
    begins = details.played_from
    return finding(
        "part-not-preceded.first-day",
        field="played_from",
        played_from=begins.isoformat() if begins else "",
        first=min(one.played_from for one in firsts).isoformat(),
    )


def _other_number(details: TournamentDetails, firsts: Iterable[ResultSet]) -> Finding:
    return finding(
        "part-not-preceded.number",
        field="number",
        number=details.number or 0,
        numbers=", ".join(str(number) for number in sorted(one.number for one in firsts)),
    )


def _other_last_day(details: TournamentDetails, first: ResultSet) -> Finding:
    ends = details.played_to
    return finding(
        "part-last-day",
        field="played_to",
        played_to=ends.isoformat() if ends else "",
        last=first.played_to.isoformat(),
    )


def _games_elsewhere(
    read: ReadReport, names: Mapping[int, str], others: Collection[ResultSet], *, has_rounds: bool
) -> list[Finding]:
    """The games that another part has already: of the same round and players. 2 queries, 0 without other parts.

    Where players can meet several times in a round, also with the same colours.
    """
    if not others:
        return []
    entries = Entry.objects.filter(result_set__in=others).select_related("player")
    players = {
        entry.pk: name_in_results(
            entry.player.sort_name if entry.player else normalize_name(entry.reported_name)
        )
        for entry in entries
    }
    parts = {other.pk: other.part for other in others}
    known: dict[PlayedGame, int] = {}
    games = Game.objects.filter(result_set__in=others, white__isnull=False, black__isnull=False)
    for turn, white, black, results in games.values_list("round", "white", "black", "result_set"):
        known.setdefault(_game(turn, (players[white], players[black]), has_rounds=has_rounds), parts[results])
    own = {number: name_in_results(name) for number, name in names.items()}
    findings = []
    for game in read.games:
        if game.white in own and game.black in own:
            part = known.get(_game(game.round, (own[game.white], own[game.black]), has_rounds=has_rounds))
            if part is not None:
                findings.append(_game_elsewhere(game, part))
    return findings


def _game(turn: int, players: tuple[str, str], *, has_rounds: bool) -> PlayedGame:
    return turn, tuple(sorted(players)) if has_rounds else players


def _game_elsewhere(game: ReportedGame, part: int) -> Finding:
    values: dict[str, Any] = {"line": game.line, "column": game.column}
    return finding("game-in-other-part", **values, field="round", found=str(game.round), part=part)
