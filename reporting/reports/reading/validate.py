"""Check a report against the register and other reports: who its players are, and if it was reported before."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from reporting.federations.registry import approved_events, rules_of_report
from reporting.formats.tournament_details.sidecar import Sidecar
from reporting.models import Player, Report, ReportVersion, ResultSet, Tournament
from reporting.reports.decisions.selectors import decided_values, decisions_in_force
from reporting.reports.reading.match_players import (
    Candidate,
    Matches,
    match_players,
    reported_sort_name,
)
from reporting.reports.reading.parse import Submission
from reporting.reports.reading.players.newcomers import newcomers_alike, newcomers_waiting
from reporting.reports.reading.players.player_findings import is_public, player_findings
from reporting.reports.selectors.parts import part_findings
from reporting.rules.details.known_details import known_details
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, Severity, finding
from reporting.rules.names.look_alikes import (
    MAX_DAYS_SHIFTED,
    count_common_results,
    is_same_tournament,
    results_by_name,
)
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.regulations.editions import cited
from reporting.rules.report import ReportedPlayer, is_made_for_reports


@dataclass(frozen=True)
class Matching:
    """The players of a report by tournament number: a player of the register, or None for a new player.

    `candidates` are players of the register, best first, for a player without a number or with a different name in
    the register. `findings` are all findings of the submission, including those that depend on the matching.
    `results` are the results by name, as a version stores them for the comparison with other reports. `merged` are
    the merged records that the report names. `look_alikes` are the reported tournaments that this one looks like,
    without the one it corrects.
    """

    players: Mapping[int, Player | None]
    findings: tuple[Finding, ...]
    candidates: Mapping[int, Sequence[Candidate]] = field(default_factory=dict)
    results: Mapping[str, Any] = field(default_factory=dict)
    merged: Mapping[int, Player] = field(default_factory=dict)
    look_alikes: Sequence[ResultSet] = ()

    @property
    def has_errors(self) -> bool:
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def match_report(
    submission: Submission,
    report: Report | None = None,
    matches: Matches | None = None,
    *,
    public: Collection[int] | None = None,
) -> Matching:
    """Match a submission with the register and with the other reports, in at most fourteen queries.

    No day of birth is compared: a draft has no finding about one (R22a).

    Of a player who is not identified the referee is asked; a new one who looks like a registered player is a warning.
    `report` is the submitted one; it is not compared with itself. `matches` are the players where they are matched
    already; then at most nine queries. `public` are the keys of the players whose values findings may name, by default
    all; of another one they say only that something differs or was not compared.
    """
    matches = match_players(submission) if matches is None else matches
    matched = list(zip(submission.read.players, matches, strict=True))
    players = {player.number: match.player for player, match in matched}
    findings = player_findings(submission, matched, public)
    findings += _unknown_replaced(submission)
    shown = {number: player if is_public(player, public) else None for number, player in players.items()}
    findings += _over_age(submission, shown)
    findings += _sex_needed(submission, shown)
    twice = _same_person_twice(submission, players, public)
    findings += twice
    details = submission.details
    if details and details.corrects and accepted_tournament(details.corrects, details.part) is None:
        findings.append(_corrects_nothing(details))
    names = {
        player.number: match.player.sort_name if match.player else reported_sort_name(player)
        for player, match in matched
    }
    if details and report is not None and report.announcement_id:
        findings += _not_as_approved(details, report.announcement_id)
    if details and public is None:  # no visitor asks what was reported before
        findings += part_findings(details, submission.read, report, names)
    results = results_by_name(submission.read, names)
    look_alikes = _looks_reported(submission, results, report)
    findings += look_alikes.values()
    findings += newcomers_alike(submission, matches)
    if public is None:  # no visitor asks who plays elsewhere
        findings += newcomers_waiting(submission, matches, report, look_alikes)
    # Two with one number are one person entered twice: one cause, one finding.
    repeated = {("fmjd-id-repeated", found.line) for found in twice}
    remaining = [
        found for found in _countries_settled(submission, players) if (found.code, found.line) not in repeated
    ]
    unannounced = any(found.code == "not-announced" for found in remaining)
    if unannounced and report is not None and needs_no_announcement(report):
        remaining = [found for found in remaining if found.code != "not-announced"]
    rating_system, discipline = submission.regulations
    return Matching(
        players,
        cited(submission.read.grouped_findings([*remaining, *findings]), discipline, rating_system),
        {player.number: match.candidates for player, match in matched if match.candidates},
        results,
        {player.number: match.merged for player, match in matched if match.merged},
        tuple(look_alikes),
    )


def _not_as_approved(details: TournamentDetails, announcement: int) -> list[Finding]:
    """Details that are others than those approved of the announced tournament. 1 query."""
    event = approved_events([announcement]).get(announcement)
    return [
        finding(
            "approved-differs",
            field=name,
            detail=known_details()[name].label,
            found=str(getattr(details, name, None) or ""),
            approved=str(approved),
            proposed_value=str(approved),
        )
        for name, approved in (event.details if event else {}).items()
        if getattr(details, name, None) != approved
    ]


def needs_no_announcement(report: Report) -> bool:
    """Whether the office or a national official says that a tournament is official or a national championship (R11).

    By the marks of the announcement, or by a decision (R78); what the report says of itself counts for nothing. At most
    2 queries.
    """
    announced, tournament = report.announcement, report.result_set
    if announced is not None and (announced.official or announced.national_championship):
        return True
    if tournament is None:
        return False
    decided = decided_values(tournament, decisions_in_force([tournament.pk]))
    return rules_of_report(tournament.rating_system, tournament.discipline).details.is_official(
        decided.values
    )


def corrected_tournament(sidecar: Sidecar) -> Tournament | None:
    """The accepted tournament that a report corrects by its details, even if these have errors. 0 or 1 query."""
    code, part = sidecar.values.get("corrects"), sidecar.readable.get("part")
    return accepted_tournament(code.strip(), part) if isinstance(code, str) and code.isprintable() else None


def accepted_tournament(code: str, part: int | None = None) -> Tournament | None:
    """The tournament of this code, if the first report of a part is accepted; None is part 1.

    1 query, 0 for no code.
    """
    if not code:
        return None
    accepted = Report.objects.filter(
        state=Report.State.ACCEPTED, result_set__revision=0, result_set__part=part or 1
    )
    return Tournament.objects.filter(code=code, result_sets__reports__in=accepted).first()


def _corrects_nothing(details: TournamentDetails) -> Finding:
    if details.part in (None, 1):
        return finding("corrects-unknown", field="corrects", found=details.corrects)
    return finding("corrects-unknown.part", field="part", found=str(details.part), part=details.part)


def _unknown_replaced(submission: Submission) -> list[Finding]:
    """Numbers of players whom substitutes replace, where no one has them. 1 query, 0 without substitutes."""
    read, register = submission.read, submission.register
    replaced = [
        (game, name, number)
        for game in read.games
        for name, number in (("white_for", game.white_for), ("black_for", game.black_for))
        if number
    ]
    if not replaced:
        return []
    numbers = {number for _, _, number in replaced}
    known = {player.number_in(register) for player in Player.objects.with_numbers(register, numbers)}
    columns = {(line, field): column for line, column, field in read.cells}
    return [
        finding(
            "fmjd-id-unknown.substitute",
            line=game.line,
            column=columns.get((game.line, name), game.column),
            field=name,
            found=str(number),
            label=register.number_label,
        )
        for game, name, number in replaced
        if number not in known
    ]


def _countries_settled(submission: Submission, players: Mapping[int, Player | None]) -> list[Finding]:
    """The findings of the reader, those about the countries of players as the register and the details settle them.

    A country missing in an export is an error only if it is not known otherwise (R20); that of a new player is asked on
    the page People. One that cannot be read is a warning where the details give it (R27).
    """
    exported = not is_made_for_reports(submission.read.format)
    at_country = {(player.line, player.column("country")): player for player in submission.read.players}
    settled = []
    for found in submission.findings:
        player = at_country.get((found.line or 0, found.column or 0))
        if player is None or found.code not in ("country-missing", "country-unknown"):
            settled.append(found)
        elif players[player.number]:
            if exported and found.code == "country-missing":
                continue
            settled.append(found)
        elif not player.federation_code:
            is_missing = found.code == "country-missing"
            settled.append(replace(found, severity=Severity.ERROR, case="new" if is_missing else found.case))
        elif found.code == "country-unknown":
            settled.append(replace(found, severity=Severity.WARNING))
    return settled


def _looks_reported(
    submission: Submission, results: Mapping[str, Any], report: Report | None
) -> dict[ResultSet, Finding]:
    """The tournaments submitted, of these days, with the same results or the same name (R21). 1 to 3 queries.

    The tournament that the report corrects is excluded, as soon as that is stored.
    """
    details = submission.details
    if details is None or details.played_from is None or details.played_to is None:
        return {}
    if report:
        corrected = report.corrects_id
    else:
        accepted = accepted_tournament(details.corrects, details.part)
        corrected = accepted.code if accepted else None
    shifted = timedelta(days=MAX_DAYS_SHIFTED)
    others = (
        ReportVersion.objects.filter(
            report__result_set__played_from__lte=details.played_to + shifted,
            report__result_set__played_to__gte=details.played_from - shifted,
        )
        .exclude(report__state__in=[Report.State.REJECTED, Report.State.WITHDRAWN])
        .exclude(report__result_set__tournament__code=corrected or "")
        .exclude(report=report.pk if report else None)
        .order_by("report", "-number")
        .distinct("report")
        .values_list("report__result_set", "results")
    )
    remaining = dict(others)
    tournaments = ResultSet.objects.in_bulk(remaining)
    line, column = submission.read.info.positions.get("name", (None, None))
    findings = {}
    for key, other in remaining.items():
        tournament = tournaments[key]
        if _are_parts(details, tournament):
            continue
        players, equal = count_common_results(results, other) if other else (0, 0)
        named_alike = (
            normalize_name(tournament.name) == normalize_name(details.name)
            and (tournament.played_from, tournament.played_to) == (details.played_from, details.played_to)
            and tournament.discipline == details.discipline
        )
        if not named_alike and not (other and is_same_tournament(results, other, equal)):
            continue
        findings[tournament] = finding(
            "looks-reported",
            line=line,
            column=column,
            field="name",
            name=tournament.name,
            place=tournament.place,
            code=tournament.code,
            played_from=tournament.played_from.isoformat(),
            played_to=tournament.played_to.isoformat(),
            common_players=players,
            player_count=len(results["players"]),
            common_results=equal,
            result_count=len(results["games"]),
        )
    return findings


def _are_parts(details: TournamentDetails, other: ResultSet) -> bool:
    """Whether a report and a result set are two parts of one tournament: a look-alike is then what is expected."""
    system = rules_of_report(details.rating_system, details.discipline).system
    own = (system, details.name, details.played_from)
    return details.part not in (None, other.part) and own == (
        other.rating_system,
        other.name,
        other.played_from,
    )


def _over_age(submission: Submission, players: Mapping[int, Player | None]) -> list[Finding]:
    """Players over the age of a youth tournament, as on 31 December of the year of its last round (R73a).

    By the year of birth in the register, else by that of the report.
    """
    details = submission.details
    if details is None or details.played_to is None:
        return []
    oldest = details.oldest
    if oldest is None:
        return []
    findings = []
    for player in submission.read.players:
        known = players[player.number]
        born = (known.birth_year if known else None) or player.born_year
        if born and details.played_to.year - born > oldest:
            findings.append(
                finding(
                    "over-age",
                    line=player.line,
                    column=player.column("born"),
                    field="born",
                    name=player.name,
                    oldest=oldest,
                    year=details.played_to.year,
                )
            )
    return findings


def _sex_needed(submission: Submission, players: Mapping[int, Player | None]) -> list[Finding]:
    """Registered players of whom neither register nor report has the sex, where results depend on it (R70c).

    Players without a number have a finding of their own.
    """
    if submission.details is None or not submission.details.needs_sex:
        return []
    found = []
    for player in submission.read.players:
        known = players[player.number]
        if known is not None and not known.sex and not player.sex:
            found.append(
                finding(
                    "sex-needed",
                    line=player.line,
                    column=player.column("sex"),
                    field="sex",
                    name=player.name,
                )
            )
    return found


def _same_person_twice(
    submission: Submission, players: Mapping[int, Player | None], public: Collection[int] | None
) -> list[Finding]:
    first: dict[int, ReportedPlayer] = {}
    findings = []
    for reported in submission.read.players:
        player = players.get(reported.number)
        if player is None:
            continue
        if player.pk in first:
            findings.append(
                finding(
                    "player-entered-twice",
                    line=reported.line,
                    column=reported.column("name"),
                    field="name",
                    found=reported.name,
                    registered=player.printed_name if is_public(player, public) else str(player.number),
                    about=(first[player.pk].number, reported.number),
                )
            )
        first.setdefault(player.pk, reported)
    return findings
