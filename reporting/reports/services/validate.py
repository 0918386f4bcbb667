"""What the register and the other reports say of a report: who its players are, whether it came before (R20 to R24)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from reporting.formats.tournament_details_file import detail_values
from reporting.models import Player, PlayerMerge, Report, ReportVersion, Tournament
from reporting.reports.services.parse import Submission
from reporting.rules.checks import check_new_player
from reporting.rules.finding_catalogue import NAME_CODES
from reporting.rules.findings import Finding, Severity, error, warning
from reporting.rules.look_alikes import (
    MAX_DAYS_SHIFTED,
    LookAlike,
    Person,
    count_common_results,
    is_same_tournament,
    look_alikes,
    results_by_name,
)
from reporting.rules.normalize_name import normalize_name, sort_name
from reporting.rules.report import ANNEX_9_FORMATS, ReportedPlayer


@dataclass(frozen=True)
class Candidate:
    """A player of the register who may be the one of the report, and why."""

    player: Player
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        known = self.player
        born = f", born {known.birth_year}" if known.birth_year else ""
        return (
            f"{known.fmjd_id} ({known.printed_name}, {known.federation_id}{born}: {', '.join(self.reasons)})"
        )


@dataclass(frozen=True)
class Matching:
    """The players of a report by their number: a player of the register, or None for a newcomer.

    `candidates` are, for each who has no FMJD-ID or whose register name is quite another, those of the register who
    may be meant, best first. `findings` are all findings of the submission, those that hung on the matching settled.
    `results` are the results by name, as a version keeps them for the comparison with other reports. `merged` are,
    for those whom the report names by a record that was merged into theirs, the records named. `look_alikes` are the
    tournaments reported that this one looks like, without the one it corrects.
    """

    players: Mapping[int, Player | None]
    findings: tuple[Finding, ...]
    candidates: Mapping[int, Sequence[Candidate]] = field(default_factory=dict)
    results: Mapping[str, Any] = field(default_factory=dict)
    merged: Mapping[int, Player] = field(default_factory=dict)
    look_alikes: Sequence[Tournament] = ()

    @property
    def has_errors(self) -> bool:
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def match_players(submission: Submission, report: Report | None = None) -> Matching:
    """Hold a submission against the register and against the other reports, in at most seven queries.

    No day of birth is looked at: of a draft nothing is said about one (R22a).

    An FMJD-ID, from the file or the facts, decides. Program exports carry none: there a name that, folded, stands
    exactly once in the register under the same federation is that player; otherwise the referee is asked. In the
    forms that ask for the ID a player without one is a newcomer, and so is whom the facts call one; one who looks
    like a registered player is a warning. `report` is the one submitted, which is not held against itself.
    """
    reported = submission.read.players
    named_ids = dict(submission.details.players) if submission.details else {}
    ids = {player.number: named_ids.get(player.number) or player.fmjd_id for player in reported}
    carries_ids = submission.read.format in ANNEX_9_FORMATS
    newcomers = submission.newcomers
    by_id, merged = _registered(number for number in ids.values() if number)
    unclear = [
        player
        for player in reported
        if (known := by_id.get(ids[player.number])) is None or _key(player) != _key_of(known.sort_name)
    ]
    alike, registered = _look_alikes(unclear)
    candidates = {
        player.number: [
            Candidate(registered[each.number], each.reasons)
            for each in alike[player.number]
            if each.number != ids[player.number]
        ]
        for player in unclear
    }

    players: dict[int, Player | None] = {}
    findings: list[Finding] = []
    for player in reported:
        fmjd_id = ids[player.number]
        mine = candidates.get(player.number, [])
        if fmjd_id:
            known = players[player.number] = by_id.get(fmjd_id)
            if known is None:
                findings.append(_unknown_id(player, fmjd_id, mine))
                continue
            findings += [_merged(player, fmjd_id, known)] if fmjd_id in merged else []
            if any(each.number == fmjd_id for each in alike.get(player.number, ())):
                # The register's name is this one, written a little otherwise.
                mine = candidates[player.number] = []
            findings += _differences(player, known, mine)
            continue
        namesakes = {each.number for each in alike[player.number] if each.same_name}
        compatriots = [
            each.player
            for each in mine
            if each.player.fmjd_id in namesakes and each.player.federation_id == player.federation_code
        ]
        if carries_ids or player.number in newcomers:
            players[player.number] = None
            if mine:
                findings.append(_looks_like(player, mine))
            if not carries_ids:
                findings += check_new_player(player)
        elif len(compatriots) == 1:
            players[player.number] = compatriots[0]
            candidates[player.number] = [each for each in mine if each.player is not compatriots[0]]
        else:
            players[player.number] = None
            findings.append(_not_identified(player, mine, several=len(compatriots) > 1))
            # A name that breaks the rules is forgiven to a player the register knows, not to a stranger (R20).
            findings += [finding for finding in check_new_player(player) if finding.code in NAME_CODES]
    findings += _same_person_twice(submission, players)
    if (
        submission.details
        and submission.details.corrects
        and accepted_tournament(submission.details.corrects) is None
    ):
        findings.append(_corrects_nothing(submission.details.corrects))
    results = results_by_name(
        submission.read,
        {
            player.number: known.sort_name if (known := players[player.number]) else _sort_name(player)
            for player in reported
        },
    )
    look_alikes = _looks_reported(submission, results, report)
    findings += look_alikes.values()
    kept = _without_countries_known(submission, players)
    return Matching(
        players,
        submission.read.grouped_findings([*kept, *findings]),
        {number: found for number, found in candidates.items() if found},
        results,
        {number: merged[fmjd_id] for number, fmjd_id in ids.items() if fmjd_id in merged},
        tuple(look_alikes),
    )


def _registered(
    numbers: Iterable[int],
) -> tuple[Mapping[int | None, Player], Mapping[int | None, Player]]:
    """The players of these FMJD-IDs, of a merged record the player it stands for; and the merged records. 2 queries."""
    by_id = {player.fmjd_id: player for player in Player.objects.filter(fmjd_id__in=numbers)}
    merges = list(
        PlayerMerge.objects.filter(duplicate__in=by_id.values(), undone_at=None).select_related(
            "duplicate", "surviving"
        )
    )
    return (
        by_id | {each.duplicate.fmjd_id: each.surviving for each in merges},
        {each.duplicate.fmjd_id: each.duplicate for each in merges},
    )


def corrected_tournament(sidecar: bytes) -> Tournament | None:
    """The accepted tournament that a report corrects by its details, right or wrong otherwise. 0 or 1 query."""
    code = detail_values(sidecar).get("corrects")
    return accepted_tournament(code.strip()) if isinstance(code, str) and code.isprintable() else None


def accepted_tournament(code: str) -> Tournament | None:
    """The tournament of this code as it was first accepted, while that acceptance stands. 1 query, 0 for no code."""
    if not code:
        return None
    accepted = Tournament.objects.filter(reports__state=Report.State.ACCEPTED)
    return accepted.filter(code=code, correction=0).first()


def _corrects_nothing(code: str) -> Finding:
    return error(
        "corrects-unknown",
        "No report of a tournament of this code has been accepted, so there is nothing to correct.",
        field="corrects",
        found=code,
        expected="the code in the address of the tournament's page",
        suggestion="Look the tournament up, or leave this fact out if the report is its first.",
    )


def _sort_name(player: ReportedPlayer) -> str:
    """As the register's, or without a comma where the form does not say which part is the surname."""
    return sort_name(player.last_name, player.first_name) if player.last_name else normalize_name(player.name)


def _key(player: ReportedPlayer) -> str:
    return _key_of(normalize_name(player.name))


def _key_of(name: str) -> str:
    """Folded words in order of the alphabet, so that `Last, First` and `First Last` are one."""
    return " ".join(sorted(name.replace(",", "").split()))


def _look_alikes(
    unclear: Sequence[ReportedPlayer],
) -> tuple[Mapping[int, Sequence[LookAlike]], Mapping[int, Player]]:
    """Who of the register looks like these players, by their numbers, and those players of the register. 2 queries.

    The whole register is read as five columns: 15,000 names cost less than a search for each of a thousand players.
    """
    if not unclear:
        return {}, {}
    columns = ("fmjd_id", "sort_name", "federation_id", "birth_year", "sex")
    gone = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    register = Player.objects.filter(fmjd_id__isnull=False).exclude(pk__in=gone).order_by("fmjd_id")
    wanted = [
        Person(player.number, _sort_name(player), player.federation_code, player.born_year, player.sex)
        for player in unclear
    ]
    alike = look_alikes(wanted, [Person._make(row) for row in register.values_list(*columns)])
    numbers = {each.number for found in alike.values() for each in found}
    players = Player.objects.filter(fmjd_id__in=numbers)
    return alike, {player.fmjd_id: player for player in players if player.fmjd_id is not None}


def _unknown_id(player: ReportedPlayer, fmjd_id: int, candidates: Sequence[Candidate]) -> Finding:
    return error(
        "fmjd-id-unknown",
        f"No player has the FMJD-ID {fmjd_id}.",
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        found=str(fmjd_id),
        expected="the number of a registered player, or 0 for a new one",
        suggestion=f"Is it {_listed(candidates)}?"
        if candidates
        else f"Look {player.name} up in the register; a newcomer gets his number when the report is accepted.",
    )


def _merged(player: ReportedPlayer, fmjd_id: int, known: Player) -> Finding:
    return warning(
        "fmjd-id-merged",
        f"FMJD-ID {fmjd_id} is an earlier record of {known.printed_name}, whose number is {known.fmjd_id}.",
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        found=str(fmjd_id),
        expected=str(known.fmjd_id),
        suggestion=f"His games count for {known.fmjd_id}; if somebody else played, give the other's FMJD-ID.",
    )


def _differences(player: ReportedPlayer, known: Player, candidates: Sequence[Candidate]) -> list[Finding]:
    """Where the report and the register say different things of one person (R21).

    Of a birth only the year, which is public; the day is compared at submission (birth_dates.py, R22a).
    """
    pairs = [
        ("name", player.name, known.printed_name, _key(player) != _key_of(known.sort_name)),
        (
            "country",
            player.federation_code or player.federation,
            known.federation_id,
            bool(player.federation_code) and player.federation_code != known.federation_id,
        ),
        ("sex", player.sex, known.sex, bool(player.sex and known.sex) and player.sex != known.sex),
        (
            "born",
            str(player.born_year),
            str(known.birth_year),
            bool(player.born_year and known.birth_year) and player.born_year != known.birth_year,
        ),
    ]
    return [
        warning(
            "register-differs",
            f"The {field} of FMJD-ID {known.fmjd_id} is another in the register.",
            line=player.line,
            column=player.column(field),
            field=field,
            found=found,
            expected=expected,
            suggestion="If the FMJD-ID is right, say whether the register or the report is to be mended."
            + (f" Or is it {_listed(candidates)}?" if field == "name" and candidates else ""),
        )
        for field, found, expected, differs in pairs
        if differs
    ]


def _listed(candidates: Sequence[Candidate]) -> str:
    return " or ".join(str(candidate) for candidate in candidates)


def _looks_like(player: ReportedPlayer, candidates: Sequence[Candidate]) -> Finding:
    return warning(
        "looks-registered",
        "The player has no FMJD-ID here, but looks like one who has.",
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        found="0",
        expected=_listed(candidates),
        suggestion="If it is the same person, give the FMJD-ID; if not, say so.",
    )


def _not_identified(player: ReportedPlayer, candidates: Sequence[Candidate], *, several: bool) -> Finding:
    return error(
        "player-not-identified",
        f"A player of this name from {player.federation or 'no federation'} "
        + ("can be more than one of the register." if several else "is not in the register."),
        line=player.line,
        column=player.column("name"),
        field="name",
        found=player.name,
        expected="one player of the register" + (f": {_listed(candidates)}" if candidates else ""),
        suggestion=f"Give the FMJD-ID of number {player.number} on the page People, or in a sidecar under [players].",
    )


def _without_countries_known(submission: Submission, players: Mapping[int, Player | None]) -> list[Finding]:
    """The findings of the reading; a country missing in an export is an error only where nobody else knows it (R20).

    Register and facts know it otherwise. The forms of Annex 9 ask for the country themselves.
    """
    if submission.read.format in ANNEX_9_FORMATS:
        return list(submission.findings)
    unknown = {
        (player.line, player.column("country"))
        for player in submission.read.players
        if not (players[player.number] or player.federation_code)
    }
    return [
        replace(finding, severity=Severity.ERROR) if finding.code == "country-missing" else finding
        for finding in submission.findings
        if finding.code != "country-missing" or (finding.line, finding.column) in unknown
    ]


def _looks_reported(
    submission: Submission, results: Mapping[str, Any], report: Report | None
) -> dict[Tournament, Finding]:
    """The tournaments submitted, of these days, with the same results or the same name (R21). 1 to 3 queries.

    Nothing is said of the tournament that the report corrects, once it is stored that it does.
    """
    details = submission.details
    if details is None or details.played_from is None or details.played_to is None:
        return {}
    corrected = report.corrects if report else accepted_tournament(details.corrects)
    shifted = timedelta(days=MAX_DAYS_SHIFTED)
    others = (
        ReportVersion.objects.filter(
            report__tournament__played_from__lte=details.played_to + shifted,
            report__tournament__played_to__gte=details.played_from - shifted,
        )
        .exclude(report__state__in=[Report.State.REJECTED, Report.State.WITHDRAWN])
        .exclude(report__tournament__code=corrected.code if corrected else "")
        .exclude(report=report.pk if report else None)
        .order_by("report", "-number")
        .distinct("report")
        .values_list("report__tournament", "results")
    )
    kept = dict(others)
    tournaments = Tournament.objects.in_bulk(kept)
    line, column = submission.read.info.positions.get("name", (None, None))
    findings = {}
    for key, other in kept.items():
        tournament = tournaments[key]
        players, equal = count_common_results(results, other) if other else (0, 0)
        named_alike = (
            normalize_name(tournament.name) == normalize_name(details.name)
            and (tournament.played_from, tournament.played_to) == (details.played_from, details.played_to)
            and tournament.discipline == details.discipline
        )
        if not named_alike and not (other and is_same_tournament(results, other, equal)):
            continue
        findings[tournament] = warning(
            "looks-reported",
            f"This looks like {tournament.name} ({tournament.code}), {tournament.played_from.isoformat()} to "
            f"{tournament.played_to.isoformat()}, which has been reported.",
            line=line,
            column=column,
            field="name",
            found=f"{players} of {len(results['players'])} players and {equal} of {len(results['games'])} "
            "results the same",
            expected="a tournament that was not reported before",
            suggestion="If it is the same one, withdraw this report, or say in its details that it corrects that "
            "tournament; if not, say how they differ.",
        )
    return findings


def _same_person_twice(submission: Submission, players: Mapping[int, Player | None]) -> list[Finding]:
    first: dict[int, ReportedPlayer] = {}
    findings = []
    for reported in submission.read.players:
        player = players.get(reported.number)
        if player is None:
            continue
        if player.pk in first:
            findings.append(
                error(
                    "player-entered-twice",
                    f"Both are {player.printed_name} of the register.",
                    line=reported.line,
                    column=reported.column("name"),
                    field="name",
                    found=reported.name,
                    expected="each player once",
                    suggestion="Correct the FMJD-ID of one of the two.",
                    about=(first[player.pk].number, reported.number),
                )
            )
        first.setdefault(player.pk, reported)
    return findings
