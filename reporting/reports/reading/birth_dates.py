"""Compare the dates of birth of a report with the register, only at its submission (R21, R22a)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.models import LogEntry, PersonalData, Player, ReportVersion
from reporting.models.locks import take_birth_dates_lock
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.parse import Submission
from reporting.reports.reading.validate import Matching
from reporting.rules.findings.finding_list import MAX_FINDINGS, Finding, finding
from reporting.rules.register.registers import Register
from reporting.rules.report import ReportedPlayer
from reporting.rules.sentences import joined

MAX_ATTEMPTS = 3
"""Submissions a day that can find that a player's date of birth differs; a further one is refused. Our figure."""

CODE = "birth-date-differs"
ACTION = "report.compare_birth_dates"


@dataclass(frozen=True)
class BirthDateComparison:
    """A warning for each player whose date of birth differs from the register, or why no date was compared."""

    findings: tuple[Finding, ...] = ()
    refused: DomainError | None = None


def compare_birth_dates(
    *, version: ReportVersion, submission: Submission, matching: Matching, by: Actor
) -> BirthDateComparison:
    """Compare the players who have a date of birth in the report and in the register, of the same (public) year.

    No warning has a date. A finding that the version has already is not a new attempt; any other warning is one, and
    is logged by player, without a date. After MAX_ATTEMPTS attempts on a player's date today, by anyone but a command,
    nothing is compared, whether the date is right or not: refused as `birth_date_attempts`, and logged too. At most 4
    queries, none if no date is given. The caller locks the report and commits the log with the answer.
    """
    given: dict[ReportedPlayer, Player] = {}
    for player in submission.read.players:
        known = matching.players.get(player.number)
        if player.born and known and known.birth_year == player.born.year:
            given[player] = known
    if not given:
        return BirthDateComparison()
    take_birth_dates_lock()
    earlier = {found.line for found in earlier_birth_date_findings(version)}
    attempts = Counter[str]() if by.by_command else _attempts_today()
    over = [
        known.address
        for player, known in given.items()
        if player.line not in earlier and attempts[known.address] >= MAX_ATTEMPTS
    ]
    if over:
        _log(version.report_id, {"version": version.number, "refused": sorted(over)}, by)
        return BirthDateComparison(refused=_too_many(over, submission.register))
    born = dict(PersonalData.objects.filter(player__in=given.values()).values_list("player", "born"))
    differ = [player for player, known in given.items() if born.get(known.pk, player.born) != player.born]
    differ = differ[: MAX_FINDINGS - len(matching.findings)]
    if new := sorted(given[player].address for player in differ if player.line not in earlier):
        _log(version.report_id, {"version": version.number + 1, "differ": new}, by)
    return BirthDateComparison(
        submission.read.grouped_findings(_differs(player, given[player]) for player in differ)
    )


def earlier_birth_date_findings(version: ReportVersion) -> list[Finding]:
    """The findings about dates of birth of an earlier submission of this version's file; they stay."""
    return [Finding.from_json(stored) for stored in version.findings if stored["code"] == CODE]


def _attempts_today() -> Counter[str]:
    """How often each player's date was found to differ today, in the office's time zone. 1 query."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    entries = LogEntry.objects.filter(action=ACTION, at__gte=midnight, by_command=False)
    return Counter(
        address for after in entries.values_list("after", flat=True) for address in after.get("differ", ())
    )


def _log(report: int, after: dict[str, object], by: Actor) -> None:
    record(by=by, action=ACTION, subject=f"report {report}", after=after)


def _too_many(players: Sequence[str], register: Register) -> DomainError:
    return DomainError("birth_date_attempts", label=register.number_label, numbers=joined(sorted(players)))


def _differs(player: ReportedPlayer, known: Player) -> Finding:
    return finding(
        CODE,
        line=player.line,
        column=player.column("born"),
        field="born",
        label=known.number.register.number_label,
        number=str(known.number.value),
    )
